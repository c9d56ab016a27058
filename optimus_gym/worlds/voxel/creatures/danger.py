"""Monsters that are a danger to the player: monsters near by that hunt the player and have it in sight."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, IS_MONSTER
from optimus_gym.worlds.voxel.creatures.population import distance2
from optimus_gym.worlds.voxel.creatures.sight import sees_player
from optimus_gym.worlds.voxel.state.worlds import Worlds

DANGER_RANGE = 16.0
"""Distance in blocks beyond which a monster counts as no danger; a skeleton shoots from 15 blocks (Minecraft
Wiki, "Skeleton")."""


@kernel
def find_threats(worlds: Worlds, i: int, found: NDArray[np.float64]) -> int:
    """List the monsters that chase the player and see it, up to DANGER_RANGE blocks away.

    Args:
        worlds: the worlds.
        i: number of the world.
        found: float64[n, 8], overwritten. Each row of `found` describes a monster: its row among the
            creatures, kind, distance in blocks, offset from the player (x, y, z), ticks for which a creeper
            has hissed, ticks for which a skeleton has drawn its bow.

    Returns:
        The number of monsters listed, at most n.
    """
    count = 0
    p = worlds.players[i]
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        if not IS_MONSTER[c.kind] or c.health <= 0.0 or c.mood != CHASES:
            continue
        far2 = distance2(worlds, i, c.x, c.y, c.z)
        if (
            far2 > DANGER_RANGE * DANGER_RANGE
            or count == found.shape[0]
            or not sees_player(worlds, i, k)
        ):
            continue
        row = found[count]
        row[0], row[1], row[2] = k, c.kind, np.sqrt(far2)
        row[3], row[4], row[5] = c.x - p.x, c.y - p.y, c.z - p.z
        row[6], row[7] = c.fuse, c.drawn
        count += 1
    return count
