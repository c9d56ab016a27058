"""The players' items, equipment, vitals and poses, read off the state."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHEST, FEET, HEAD, LEGS, OFFHAND, SLOTS, Worlds
from optimus_gym.worlds.voxel.tables.properties import DEFENCE


@kernel
def count_items(worlds: Worlds, rows: NDArray[np.int64], counts: NDArray[np.int32]) -> None:
    """Count the pieces of each item that the players of `rows` have in any slot.

    Args:
        worlds: the worlds.
        rows: int64[n].
        counts: int32[n, 976], by item id: zeros, which this function replaces by the counts.
    """
    for k in range(len(rows)):
        slots, held = worlds.slots[rows[k]], counts[k]
        for place in range(SLOTS):
            stack = slots[place]
            held[stack.item] += stack.count
        held[0] = 0


@kernel
def list_poses(worlds: Worlds, rows: NDArray[np.int64], poses: NDArray[np.float64]) -> None:
    """Write the positions and view directions of the players of `rows` into `poses`.

    Args:
        worlds: the worlds.
        rows: int64[n].
        poses: float64[n, 5], filled with x, y, z of the feet (blocks), yaw and pitch (degrees).
    """
    for k in range(len(rows)):
        player = worlds.players[rows[k]]
        poses[k, 0] = player.x
        poses[k, 1] = player.y
        poses[k, 2] = player.z
        poses[k, 3] = player.yaw
        poses[k, 4] = player.pitch


@kernel
def list_bodies(
    worlds: Worlds,
    rows: NDArray[np.int64],
    equipment: NDArray[np.int32],
    vitals: NDArray[np.float32],
) -> None:
    """Write what the players of `rows` wear and hold, and their vitals, into two arrays.

    Args:
        worlds: the worlds.
        rows: int64[n].
        equipment: int32[n, 6], filled with the item ids in hand, off-hand, and on feet, legs, chest, head.
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
    """Return the armour points of the player's armour (0 to 20)."""
    points = 0
    for k in range(FEET, OFFHAND):
        points += DEFENCE[worlds.slots[i, k].item]
    return min(points, 20)


@kernel
def level_and_share(experience: float) -> tuple[int, float]:
    """Return the level that a number of experience points gives, and the progress to the next, [0, 1).

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
