"""A quick test of the ground around a creature: most steps lead over level ground through air.

Callers pass only land that every tick has loaded (`living_land`); this module does not check it.
"""

import numpy as np

from optimus_gym.game.border import BORDER
from optimus_gym.worlds.voxel.bodies.collision import CLOSE
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, TALL
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, SLIPPERINESS

_COMMON = 0.6
"""Slipperiness of all blocks but ice and slime."""


@kernel
def is_plain(worlds: Worlds, i: int, k: int, dx: float, dz: float) -> bool:
    """Return whether the creature in row k stands on plain ground and has nothing in its way.

    Plain ground is blocks of full height and common slipperiness right below the feet, without fluid.
    `dx` and `dz` are the most blocks that the creature will go along x and z, checked to both sides.
    """
    c = worlds.creatures[i, k]
    half = HALF_WIDTH[c.kind]
    feet = int(c.y)
    if c.y != feet or feet < 1 or c.y + TALL[c.kind] >= HEIGHT:
        return False
    reach_x, reach_z = half + abs(dx), half + abs(dz)
    if abs(c.x) + reach_x > BORDER or abs(c.z) + reach_z > BORDER:
        return False
    first_x, last_x = int(np.floor(c.x - reach_x)), int(np.floor(c.x + reach_x))
    first_z, last_z = int(np.floor(c.z - reach_z)), int(np.floor(c.z + reach_z))
    head = int(c.y + TALL[c.kind] - CLOSE)
    width = worlds.voxels.shape[1]
    wx, supported = first_x % width, False
    start_z = first_z % width
    for x in range(first_x, last_x + 1):
        wz = start_z
        for z in range(first_z, last_z + 1):
            column = worlds.voxels[i, wx, wz]
            for y in range(feet, head + 1):
                block = column[y] & BLOCK_MASK
                if block != 0 and (COLLISION_HEIGHTS[block] != 0.0 or FLUIDS[block] != 0):
                    return False
            below = column[feet - 1] & BLOCK_MASK
            height = COLLISION_HEIGHTS[below]
            if height > 1.0 or height < 0.0 or FLUIDS[below] != 0:
                return False
            if (
                height == 1.0
                and c.x - half < x + 1 - CLOSE
                and c.x + half > x + CLOSE
                and c.z - half < z + 1 - CLOSE
                and c.z + half > z + CLOSE
            ):
                supported = True
                if SLIPPERINESS[below] != _COMMON:
                    return False
            wz = wz + 1 if wz + 1 < width else 0
        wx = wx + 1 if wx + 1 < width else 0
    return supported
