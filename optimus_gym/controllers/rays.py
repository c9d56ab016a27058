"""Rays from a player's eye to the block that the crosshair would meet."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.aim import face_hit, outline_at
from optimus_gym.worlds.voxel.bodies.collision import Box
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.outlines import AIMED
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_REACH = 4.4
"""Blocks from the eye at which a target counts as in reach: a little less than survival's 4.5
(Minecraft Wiki, "Player")."""
EYE_HEIGHT = 1.62
"""Blocks from the feet to the eye (Minecraft Wiki, "Player")."""
HIT = 1
"""Result of a ray that meets its block."""
OCCLUDED = 0
"""Result of a ray that meets another block first."""
TOO_FAR = -1
"""Result of a ray that meets no block in reach."""
_FAR = 1e30


@kernel
def first_block(
    worlds: Worlds,
    i: int,
    eye: tuple[float, float, float],
    way: tuple[float, float, float],
    reach: float,
    found: NDArray[np.int32],
) -> bool:
    """Follow a ray along the unit vector `way` to the first block that a crosshair would select.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        eye: where the ray begins, blocks.
        way: the ray's direction, length 1.
        reach: maximum length of the ray, blocks.
        found: int32[4] that gets x, y, z of the block and the face that the ray enters by.

    Returns:
        Whether the ray meets a block within `reach`.
    """
    ex, ey, ez = eye
    dx, dy, dz = way
    x, y, z = int(np.floor(ex)), int(np.floor(ey)), int(np.floor(ez))
    sx, sy, sz = (1 if dx > 0.0 else -1), (1 if dy > 0.0 else -1), (1 if dz > 0.0 else -1)
    ix = 1.0 / abs(dx) if dx != 0.0 else _FAR
    iy = 1.0 / abs(dy) if dy != 0.0 else _FAR
    iz = 1.0 / abs(dz) if dz != 0.0 else _FAR
    tx = (x + 1 - ex if sx > 0 else ex - x) * ix if dx != 0.0 else _FAR
    ty = (y + 1 - ey if sy > 0 else ey - y) * iy if dy != 0.0 else _FAR
    tz = (z + 1 - ez if sz > 0 else ez - z) * iz if dz != 0.0 else _FAR
    at = 0.0
    while at <= reach:
        voxel = block_at(worlds, i, x, y, z)
        if AIMED[voxel & BLOCK_MASK]:
            face, far = face_hit(ex, ey, ez, dx, dy, dz, outline_at(voxel, x, y, z))
            if face >= 0 and far <= reach:
                found[0], found[1], found[2], found[3] = x, y, z, face
                return True
        if tx < ty and tx < tz:
            at = tx
            tx += ix
            x += sx
        elif ty < tz:
            at = ty
            ty += iy
            y += sy
        else:
            at = tz
            tz += iz
            z += sz
    return False


@kernel
def look_ray(yaw: float, pitch: float) -> tuple[float, float, float]:
    """Return the unit vector of the view's direction at a yaw and a pitch (degrees)."""
    level = cosine(pitch)
    return -sine(yaw) * level, -sine(pitch), cosine(yaw) * level


@kernel
def _face_point(box: Box, face: int, u: float, v: float) -> tuple[float, float, float]:
    """Return the point at fractions (u, v), each 0 to 1, of a face of a block's outline."""
    x, y, z = box[0] + u * (box[3] - box[0]), box[1], box[2]
    if face < 2:
        return box[3 * face], y + u * (box[4] - y), z + v * (box[5] - z)
    if face < 4:
        return x, box[1 + 3 * (face - 2)], z + v * (box[5] - z)
    return x, y + v * (box[4] - y), box[2 + 3 * (face - 4)]


@kernel
def _faces_eye(eye: tuple[float, float, float], box: Box, face: int) -> bool:
    """Return whether the eye is on the outer side of a face of a block's outline."""
    if face % 2:
        return eye[face // 2] > box[3 + face // 2]
    return eye[face // 2] < box[face // 2]


@kernel
def _way_to(
    eye: tuple[float, float, float], x: float, y: float, z: float
) -> tuple[tuple[float, float, float], float]:
    """Return the direction from the eye to a point (length 1) and the distance to the point (blocks)."""
    wx, wy, wz = x - eye[0], y - eye[1], z - eye[2]
    far = np.sqrt(wx * wx + wy * wy + wz * wz)
    return (wx / far, wy / far, wz / far), far


@kernel
def _look_down(
    block: tuple[int, int, int], point: NDArray[np.float64], found: NDArray[np.int32]
) -> int:
    """Aim straight down within the block that contains the eye."""
    found[0], found[1], found[2], found[3] = block[0], block[1], block[2], 3
    point[0], point[1], point[2] = block[0] + 0.5, float(block[1]), block[2] + 0.5
    return HIT


@kernel
def _is_within(eye: tuple[float, float, float], box: Box) -> bool:
    """Return whether the eye is in a block's outline, from where every ray meets the block."""
    return bool(
        box[0] <= eye[0] <= box[3] and box[1] <= eye[1] <= box[4] and box[2] <= eye[2] <= box[5]
    )


@kernel
def aim_point(
    worlds: Worlds,
    i: int,
    eye: tuple[float, float, float],
    block: tuple[int, int, int],
    only_face: int,
    point: NDArray[np.float64],
    found: NDArray[np.int32],
) -> int:
    """Find a point of a block that the eye sees, nearest to a face's middle.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        eye: the eye's position.
        block: the block to look at.
        only_face: a face (0 west, 1 east, 2 down, 3 up, 4 north, 5 south), or -1 for any.
        point: float64[3] that gets the point.
        found: int32[4] that gets the first block hit: the target, or a block that hides it.

    Returns:
        HIT, OCCLUDED (the block in `found` hides the target) or TOO_FAR.
    """
    bx, by, bz = block
    voxel = block_at(worlds, i, bx, by, bz)
    if not AIMED[voxel & BLOCK_MASK]:
        return TOO_FAR
    box = outline_at(voxel, bx, by, bz)
    if only_face < 0 and _is_within(eye, box):
        return _look_down(block, point, found)
    result = TOO_FAR
    hit = np.zeros(4, np.int32)
    for sample in range(9):
        k = (sample + 4) % 9
        u, v = 0.5 + 0.32 * (k // 3 - 1), 0.5 + 0.32 * (k % 3 - 1)
        best = 1e9
        for face in range(6):
            if (only_face >= 0 and face != only_face) or not _faces_eye(eye, box, face):
                continue
            px, py, pz = _face_point(box, face, u, v)
            way, far = _way_to(eye, px, py, pz)
            if far > _REACH or far >= best:
                continue
            if not first_block(worlds, i, eye, way, _REACH + 0.05, hit):
                continue
            seen = hit[0] == bx and hit[1] == by and hit[2] == bz
            if seen and (only_face < 0 or hit[3] == only_face):
                best = far
                point[0], point[1], point[2] = px, py, pz
                found[:] = hit
                result = HIT
            elif result == TOO_FAR:
                found[:] = hit
                result = OCCLUDED
        if result == HIT:
            return HIT
    return result
