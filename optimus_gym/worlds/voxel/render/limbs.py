"""Creatures and arrows in the picture, drawn as boxes that hang on joints; limbs swing as the creature walks.

References: Minecraft Wiki, "Damage" (a hurt creature is red), "Creeper" (it swells and flashes), "Fire".
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.skins import models
from optimus_gym.worlds.voxel.compiling.intrinsics import flat
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, TALL
from optimus_gym.worlds.voxel.render.camera import TAN_HALF_HEIGHT, TAN_HALF_WIDTH
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.lightmap import light_of_cell
from optimus_gym.worlds.voxel.render.optics import Real
from optimus_gym.worlds.voxel.render.solids import Solid, draw_solid, keep_colours, shade_sides
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_STARTS, PARTS, _TEXTURES, _WOOLS = models()
_TEXELS: NDArray[np.int32] = np.ascontiguousarray(_TEXTURES).reshape(-1, 4).view("<i4").ravel()
"""Texels of creatures, index texture * 256 + row * 16 + column: RGBA in 32 bits, red lowest; a number that is
not negative is a hole."""
WOOL_TINTS: NDArray[np.float32] = _WOOLS.astype(np.float32) / np.float32(255)
_ARROW, _FLAME = len(PARTS) - 2, len(PARTS) - 1
_DEGREES_A_BLOCK = 152.7
"""Growth of the phase of the limbs' swing for each block walked, degrees; in the game, 0.6662 radians for a
quarter block."""
SEEN = 64.0
"""Distance beyond which a creature is not drawn, blocks."""
_MIDDLE = 1.0
"""Height above the feet of the centre of a ball that contains any body, blocks."""
_BALL = 2.5
"""Radius of a ball that contains any body, blocks."""
_WIDE_BALL = np.float32(_BALL * np.sqrt(1.0 + TAN_HALF_WIDTH**2))
_HIGH_BALL = np.float32(_BALL * np.sqrt(1.0 + TAN_HALF_HEIGHT**2))
_BRIGHT = np.int32(0xFFFFFF)
_HURT_SHARE, _FLASH_SHARE = 0.45, 0.6
_FLASH_TICKS, _SWELL = 5, 0.01
_TUNIC = 1.2
"""Width of the fire around a burning creature, as a multiple of the creature's width."""


@ray_kernel
def _may_show(frame: Frame, x: float, y: float, z: float, farthest: Real) -> bool:
    """Return whether a body with its feet at (x, y, z) may be in view: a ball around the body meets the view.

    Bodies farther ahead than `farthest` (blocks) are not in view.
    """
    f = frame[0]
    dx, dy, dz = x - f.start_x - f.ox, y - f.oy, z - f.start_z - f.oz
    if dx * dx + dy * dy + dz * dz >= min(SEEN, f.reach) ** 2:
        return False
    dy += _MIDDLE
    ahead = dx * f.fx + dy * f.fy + dz * f.fz
    if not -_BALL < ahead < farthest + _BALL:
        return False
    across = (dx * f.rx + dy * f.ry + dz * f.rz) * f.width / (2.0 * TAN_HALF_WIDTH)
    down = (dx * f.ux + dy * f.uy + dz * f.uz) * f.height / (2.0 * TAN_HALF_HEIGHT)
    wide, high = ahead * TAN_HALF_WIDTH + _WIDE_BALL, ahead * TAN_HALF_HEIGHT + _HIGH_BALL
    return bool(abs(across) < wide and abs(down) < high)


@ray_kernel
def sees_creatures(frame: Frame, worlds: Worlds, i: int) -> bool:
    """Return whether any creature or arrow may be in view."""
    fauna = worlds.fauna[i]
    for k in range(fauna.creatures):
        c = worlds.creatures[i, k]
        if _may_show(frame, c.x, c.y, c.z, SEEN):
            return True
    for k in range(fauna.arrows):
        arrow = worlds.arrows[i, k]
        if _may_show(frame, arrow.x, arrow.y, arrow.z, SEEN):
            return True
    return False


@ray_kernel
def draw_creatures(
    frame: Frame,
    worlds: Worlds,
    i: int,
    solid: Solid,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    farthest: Real,
) -> None:
    """Draw the creatures and arrows of world `i` into a picture whose distances are in `depth`.

    `farthest` is the largest distance in `depth`, blocks; `solid` is a SOLID (record of one box), scratch
    space that the function overwrites.
    """
    fauna = worlds.fauna[i]
    for k in range(fauna.creatures):
        draw_creature(frame, worlds, i, k, solid, image, depth, farthest)
    for k in range(fauna.arrows):
        draw_arrow(frame, worlds, i, k, solid, image, depth, farthest)


@ray_kernel
def draw_creature(
    frame: Frame,
    worlds: Worlds,
    i: int,
    k: int,
    solid: Solid,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    farthest: Real,
) -> None:
    """Draw creature `k` if it lives and may be in view.

    `solid` is a SOLID (record of one box), scratch space that the function overwrites.
    """
    f, s, c = frame[0], solid[0], worlds.creatures[i, k]
    if c.health <= 0.0 or not _may_show(frame, c.x, c.y, c.z, farthest):
        return
    kind: Any = np.int64(c.kind)
    s.light = light_of_cell(frame, worlds, i, c.x, c.y + TALL[kind] * 0.5, c.z)
    _lay_over(worlds, i, k, solid)
    size = 1.0 + _SWELL * c.fuse
    feet = (np.float32(c.x - f.start_x), np.float32(c.y), np.float32(c.z - f.start_z))
    for row in range(_STARTS[kind], _STARTS[kind + 1]):
        part = PARTS[row]
        if part.wool and c.shorn:
            continue
        for channel in range(3):
            s.tint[channel] = WOOL_TINTS[c.colour, channel] if part.wool else np.float32(1)
        swung = part.swing * c.gait * cosine(_DEGREES_A_BLOCK * c.stride + part.phase)
        pitch = part.pitch + (0.0 if part.turns else swung)
        yaw = part.yaw + (swung if part.turns else 0.0)
        _pose(solid, c.face_x, c.face_z, pitch, yaw, part.roll)
        _hang(solid, row, feet, c.face_x, c.face_z, size, size)
        _draw_part(frame, solid, image, depth)
    if c.fire > 0:
        s.light = _BRIGHT
        keep_colours(solid)
        _pose(solid, c.face_x, c.face_z, 0.0, 0.0, 0.0)
        _hang(solid, _FLAME, feet, 0.0, 1.0, 2.0 * HALF_WIDTH[kind] * _TUNIC, TALL[kind])
        _draw_part(frame, solid, image, depth)


@ray_kernel
def _draw_part(
    frame: Frame, solid: Solid, image: NDArray[np.uint8], depth: NDArray[np.float32]
) -> None:
    shade_sides(solid)
    draw_solid(frame, solid, flat(_TEXELS), image, depth)


@ray_kernel
def _lay_over(worlds: Worlds, i: int, k: int, solid: Solid) -> None:
    """Set the colour laid over a creature's body: red after a hurt, white for a flashing creeper."""
    s, c = solid[0], worlds.creatures[i, k]
    white = c.fuse > 0 and c.fuse // _FLASH_TICKS % 2 == 1
    s.share = np.float32(_HURT_SHARE if c.hurt_wait > 0 else (_FLASH_SHARE if white else 0.0))
    s.over[0] = np.float32(255)
    s.over[1] = np.float32(0 if c.hurt_wait > 0 else 255)
    s.over[2] = np.float32(0 if c.hurt_wait > 0 else 255)


@ray_kernel
def _hang(
    solid: Solid,
    row: int,
    feet: tuple[Real, Real, Real],
    face_x: Real,
    face_z: Real,
    wide: Real,
    high: Real,
) -> None:
    """Place box `row` of PARTS on a body with given feet and look direction, scaled by `wide` and `high`."""
    s, part = solid[0], PARTS[row]
    x, y, z = part.pivot[0] * wide, part.pivot[1] * high, part.pivot[2] * wide
    s.joint[0] = feet[0] + x * face_z + z * face_x
    s.joint[1] = feet[1] + y
    s.joint[2] = feet[2] - x * face_x + z * face_z
    for axis in range(3):
        scale = high if axis == 1 else wide
        s.low[axis] = part.low[axis] * scale
        s.high[axis] = part.high[axis] * scale
    for side in range(6):
        s.faces[side] = part.faces[side]


@ray_kernel
def _pose(solid: Solid, face_x: Real, face_z: Real, pitch: float, yaw: float, roll: float) -> None:
    """Turn a box on a body that looks along face_x, face_z: by roll, then pitch, then yaw (degrees)."""
    s = solid[0]
    sp, cp = sine(pitch), cosine(pitch)
    sy, cy = sine(yaw), cosine(yaw)
    sr, cr = sine(roll), cosine(roll)
    for axis in range(3):
        x = cr if axis == 0 else (-sr if axis == 1 else 0.0)
        y = sr if axis == 0 else (cr if axis == 1 else 0.0)
        z = 1.0 if axis == 2 else 0.0
        y, z = y * cp - z * sp, y * sp + z * cp
        x, z = x * cy + z * sy, z * cy - x * sy
        s.turn[3 * axis] = x * face_z + z * face_x
        s.turn[3 * axis + 1] = y
        s.turn[3 * axis + 2] = z * face_z - x * face_x


@ray_kernel
def draw_arrow(
    frame: Frame,
    worlds: Worlds,
    i: int,
    k: int,
    solid: Solid,
    image: NDArray[np.uint8],
    depth: NDArray[np.float32],
    farthest: Real,
) -> None:
    """Draw arrow `k` along its flight if it may be in view.

    `solid` is a SOLID (record of one box), scratch space that the function overwrites.
    """
    f, s, arrow = frame[0], solid[0], worlds.arrows[i, k]
    if not _may_show(frame, arrow.x, arrow.y, arrow.z, farthest):
        return
    s.light = light_of_cell(frame, worlds, i, arrow.x, arrow.y, arrow.z)
    keep_colours(solid)
    level = max(np.sqrt(arrow.vx * arrow.vx + arrow.vz * arrow.vz), 1e-6)
    length = np.sqrt(level * level + arrow.vy * arrow.vy)
    ahead_x, ahead_z = arrow.vx / level, arrow.vz / level
    rise, run = arrow.vy / length, level / length
    s.turn[0], s.turn[1], s.turn[2] = ahead_z, 0.0, -ahead_x
    s.turn[3], s.turn[4], s.turn[5] = -rise * ahead_x, run, -rise * ahead_z
    s.turn[6], s.turn[7], s.turn[8] = run * ahead_x, rise, run * ahead_z
    place = (np.float32(arrow.x - f.start_x), np.float32(arrow.y), np.float32(arrow.z - f.start_z))
    _hang(solid, _ARROW, place, 0.0, 1.0, 1.0, 1.0)
    _draw_part(frame, solid, image, depth)
