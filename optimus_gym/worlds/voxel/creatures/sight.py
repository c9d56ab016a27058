"""Lines of sight from one place to another: blocks that stop bodies block the view.

Reference: Minecraft Wiki, "Mob" (line of sight).
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import EYE
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

_FAR = 1e30


@kernel
def is_clear(
    worlds: Worlds, i: int, ax: float, ay: float, az: float, bx: float, by: float, bz: float
) -> bool:
    """Return whether the cells from a to b, both ends included, are free of blocks that stop bodies.

    Blocks lower than a whole cell do not block the view. Both a and b must lie in loaded land.
    """
    x, y, z = int(np.floor(ax)), int(np.floor(ay)), int(np.floor(az))
    end_x, end_y, end_z = int(np.floor(bx)), int(np.floor(by)), int(np.floor(bz))
    dx, dy, dz = bx - ax, by - ay, bz - az
    step_x, step_y, step_z = (1 if dx > 0 else -1), (1 if dy > 0 else -1), (1 if dz > 0 else -1)
    each_x = abs(1.0 / dx) if dx != 0.0 else _FAR
    each_y = abs(1.0 / dy) if dy != 0.0 else _FAR
    each_z = abs(1.0 / dz) if dz != 0.0 else _FAR
    next_x = (x + (step_x > 0) - ax) / dx if dx != 0.0 else _FAR
    next_y = (y + (step_y > 0) - ay) / dy if dy != 0.0 else _FAR
    next_z = (z + (step_z > 0) - az) / dz if dz != 0.0 else _FAR
    width = worlds.voxels.shape[1]
    wx, wz = x % width, z % width
    for _ in range(abs(end_x - x) + abs(end_y - y) + abs(end_z - z) + 1):
        if 0 <= y < HEIGHT:
            voxel = worlds.voxels[i, wx, wz, y]
            if voxel != 0 and COLLISION_HEIGHTS[voxel & BLOCK_MASK] >= 1.0:
                return False
        if next_x < next_y and next_x < next_z:
            next_x += each_x
            wx = _wrapped(wx + step_x, width)
        elif next_y < next_z:
            next_y += each_y
            y += step_y
        else:
            next_z += each_z
            wz = _wrapped(wz + step_z, width)
    return True


@kernel
def _wrapped(place: int, width: int) -> int:
    """Return `place`, which is -1 to `width`, wrapped to an index of the window, 0 to `width` - 1."""
    return width - 1 if place < 0 else (0 if place == width else place)


@kernel
def sees_player(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether the creature in row k sees the player's eyes."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    eye = p.y + eye_height(worlds, i)
    return is_clear(worlds, i, c.x, c.y + EYE[c.kind], c.z, p.x, eye, p.z)
