"""Aim and reach: the block under the crosshair, and the blocks in reach.

Reference: Minecraft Wiki, "Player" (reach in survival: 4.5 blocks).
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.collision import Box
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.outlines import AIMED, OUTLINES, outline_of
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

REACH = 4.5
WEST = 0
"""Face of a block at its -x side, as `aim_face` numbers faces."""
EAST = 1
"""Face of a block at its +x side."""
DOWN = 2
"""Face of a block at its -y side."""
UP = 3
"""Face of a block at its +y side."""
NORTH = 4
"""Face of a block at its -z side."""
SOUTH = 5
"""Face of a block at its +z side."""
NO_FACE = -1
_FAR = 1e30


@kernel
def _slab(origin: float, way: float, low: float, high: float) -> tuple[float, float]:
    """Return the distances at which a ray enters and leaves the space between two parallel planes."""
    if way == 0.0:
        return (-_FAR, _FAR) if low <= origin <= high else (_FAR, -_FAR)
    a, b = (low - origin) / way, (high - origin) / way
    return min(a, b), max(a, b)


@kernel
def face_hit(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, box: Box
) -> tuple[int, float]:  # fmt: skip
    """Return the face where a ray enters a block's outline (-1 = misses), and the distance."""
    ax, bx = _slab(ox, dx, box[0], box[3])
    ay, by = _slab(oy, dy, box[1], box[4])
    az, bz = _slab(oz, dz, box[2], box[5])
    enter, leave = max(ax, ay, az), min(bx, by, bz)
    if enter > leave or leave < 0.0:
        return NO_FACE, _FAR
    if enter == ay:
        return (UP if dy < 0.0 else DOWN), max(enter, 0.0)
    if enter == ax:
        return (EAST if dx < 0.0 else WEST), max(enter, 0.0)
    return (SOUTH if dz < 0.0 else NORTH), max(enter, 0.0)


@kernel
def outline_at(voxel: int, x: int, y: int, z: int) -> Box:
    """Return the box of a block's outline, which stops the crosshair, for a block in the cell x, y, z."""
    b = OUTLINES[outline_of(voxel)]
    return x + b[0], y + b[1], z + b[2], x + b[3], y + b[4], z + b[5]


@kernel
def take_aim(worlds: Worlds, i: int) -> None:
    """Find the block under the crosshair: the first outline within reach; fluids do not count."""
    p = worlds.players[i]
    ox, oy, oz = p.x, p.y + eye_height(worlds, i), p.z
    level = cosine(p.pitch)
    dx, dy, dz = -sine(p.yaw) * level, -sine(p.pitch), cosine(p.yaw) * level
    x, y, z = int(np.floor(ox)), int(np.floor(oy)), int(np.floor(oz))
    step_x, step_y, step_z = (1 if dx > 0 else -1), (1 if dy > 0 else -1), (1 if dz > 0 else -1)
    each_x = abs(1.0 / dx) if dx != 0.0 else _FAR
    each_y = abs(1.0 / dy) if dy != 0.0 else _FAR
    each_z = abs(1.0 / dz) if dz != 0.0 else _FAR
    next_x = (x + (step_x > 0) - ox) / dx if dx != 0.0 else _FAR
    next_y = (y + (step_y > 0) - oy) / dy if dy != 0.0 else _FAR
    next_z = (z + (step_z > 0) - oz) / dz if dz != 0.0 else _FAR
    p.aim_face = NO_FACE
    gone = 0.0
    while gone <= REACH:
        voxel = block_at(worlds, i, x, y, z)
        if AIMED[voxel & BLOCK_MASK]:
            face, far = face_hit(ox, oy, oz, dx, dy, dz, outline_at(voxel, x, y, z))
            if face != NO_FACE and far <= REACH:
                p.aim_x, p.aim_y, p.aim_z, p.aim_face = x, y, z, face
                return
        if next_x < next_y and next_x < next_z:
            gone = next_x
            next_x += each_x
            x += step_x
        elif next_y < next_z:
            gone = next_y
            next_y += each_y
            y += step_y
        else:
            gone = next_z
            next_z += each_z
            z += step_z


@kernel
def enter_box(ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, box: Box) -> float:
    """Return the distance at which a ray (of length 1) enters a box: 0 if it starts inside, 1e30 = misses."""
    ax, bx = _slab(ox, dx, box[0], box[3])
    ay, by = _slab(oy, dy, box[1], box[4])
    az, bz = _slab(oz, dz, box[2], box[5])
    enter, leave = max(ax, ay, az), min(bx, by, bz)
    return _FAR if enter > leave or leave < 0.0 else max(enter, 0.0)


@kernel
def distance_along(worlds: Worlds, i: int) -> float:
    """Return the distance along the crosshair's ray to the aimed block's outline."""
    p = worlds.players[i]
    level = cosine(p.pitch)
    dx, dy, dz = -sine(p.yaw) * level, -sine(p.pitch), cosine(p.yaw) * level
    voxel = block_at(worlds, i, p.aim_x, p.aim_y, p.aim_z)
    box = outline_at(voxel, p.aim_x, p.aim_y, p.aim_z)
    return enter_box(p.x, p.y + eye_height(worlds, i), p.z, dx, dy, dz, box)


@kernel
def distance_to(worlds: Worlds, i: int, x: int, y: int, z: int) -> float:
    """Return the distance (blocks) from the player's eye to a block's nearest point."""
    p = worlds.players[i]
    eye = p.y + eye_height(worlds, i)
    dx = max(x - p.x, p.x - (x + 1), 0.0)
    dy = max(y - eye, eye - (y + 1), 0.0)
    dz = max(z - p.z, p.z - (z + 1), 0.0)
    return float(np.sqrt(dx * dx + dy * dy + dz * dz))


@kernel
def nearest_in_reach(worlds: Worlds, i: int, block: int) -> tuple[bool, int, int, int]:
    """Return whether a block of a kind is in reach, and the cell of the nearest such block.

    The first block in order of x, y, z wins a tie.
    """
    p = worlds.players[i]
    eye = p.y + eye_height(worlds, i)
    best, found, fx, fy, fz = REACH, False, 0, 0, 0
    for x in range(int(np.floor(p.x - REACH)), int(np.floor(p.x + REACH)) + 1):
        for y in range(int(np.floor(eye - REACH)), int(np.floor(eye + REACH)) + 1):
            for z in range(int(np.floor(p.z - REACH)), int(np.floor(p.z + REACH)) + 1):
                if y < 0 or block_at(worlds, i, x, y, z) & BLOCK_MASK != block:
                    continue
                far = distance_to(worlds, i, x, y, z)
                if far < best or (far <= best and not found):
                    best, found, fx, fy, fz = far, True, x, y, z
    return found, fx, fy, fz
