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
def list_equipment(worlds: Worlds, i: int, equipment: NDArray[np.int32]) -> None:
    """Fill `equipment` (int32[6]) with the item ids in hand, off-hand, and on feet, legs, chest, head."""
    equipment[0] = worlds.slots[i, worlds.players[i].hotbar].item
    equipment[1] = worlds.slots[i, OFFHAND].item
    equipment[2] = worlds.slots[i, FEET].item
    equipment[3] = worlds.slots[i, LEGS].item
    equipment[4] = worlds.slots[i, CHEST].item
    equipment[5] = worlds.slots[i, HEAD].item


@kernel
def list_vitals(worlds: Worlds, i: int, vitals: NDArray[np.float32]) -> None:
    """Fill `vitals` (float32[6]) with health, food, saturation, air, armour points and level."""
    player = worlds.players[i]
    vitals[0] = player.health
    vitals[1] = player.food
    vitals[2] = player.saturation
    vitals[3] = player.air
    vitals[4] = armour_points(worlds, i)
    vitals[5] = level_and_share(player.experience)[0]


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
