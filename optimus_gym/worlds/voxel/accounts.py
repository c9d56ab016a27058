"""What is held and worn and how the player fares, read off the state."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.state import CHEST, FEET, HEAD, LEGS, OFFHAND, SLOTS, Worlds
from optimus_gym.worlds.voxel.tables import DEFENCE


@kernel
def count_items(worlds: Worlds, i: int, counts: NDArray[np.int32]) -> None:
    """Fill `counts` (int32[976], by item id) with how many of each item world `i`'s player holds."""
    counts[:] = 0
    for k in range(SLOTS):
        stack = worlds.slots[i, k]
        counts[stack.item] += stack.count
    counts[0] = 0


@kernel
def list_bodies(
    worlds: Worlds,
    rows: NDArray[np.int64],
    equipment: NDArray[np.int32],
    vitals: NDArray[np.float32],
) -> None:
    """Tell what the players of `rows` (int64[n]) wear and how they fare.

    Args:
        worlds: the worlds.
        rows: int64[n].
        equipment: int32[n, 6], filled with the item ids in hand, off-hand, and on feet, legs, chest,
            head.
        vitals: float32[n, 6], filled with health, food, saturation, air, armour points and level.
    """
    for k in range(len(rows)):
        i = rows[k]
        player, slots = worlds.players[i], worlds.slots[i]
        equipment[k, 0] = slots[player.hotbar].item
        equipment[k, 1] = slots[OFFHAND].item
        equipment[k, 2] = slots[FEET].item
        equipment[k, 3] = slots[LEGS].item
        equipment[k, 4] = slots[CHEST].item
        equipment[k, 5] = slots[HEAD].item
        vitals[k, 0] = player.health
        vitals[k, 1] = player.food
        vitals[k, 2] = player.saturation
        vitals[k, 3] = player.air
        vitals[k, 4] = armour_points(worlds, i)
        vitals[k, 5] = level_and_share(player.experience)[0]


@kernel
def armour_points(worlds: Worlds, i: int) -> int:
    """Return the armour points that are worn (0 to 20)."""
    points = 0
    for k in range(FEET, OFFHAND):
        points += DEFENCE[worlds.slots[i, k].item]
    return min(points, 20)


@kernel
def level_and_share(experience: float) -> tuple[int, float]:
    """Return the level of a total of experience points, and the share of the next one, [0, 1).

    Minecraft Wiki, "Experience" (leveling up).
    """
    level, left = 0, experience
    while True:
        if level <= 15:
            needed = 2 * level + 7
        elif level <= 30:
            needed = 5 * level - 38
        else:
            needed = 9 * level - 158
        if left < needed:
            return level, left / needed
        left -= needed
        level += 1
