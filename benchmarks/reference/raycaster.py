"""A ray caster that draws only opaque cubes, with which the renderer's speed is compared.

The ray caster uses the renderer's method: 128 rays side by side, separate loops for arithmetic and for
memory, and a field of the largest empty cube (0 to 7) towards each octant, which lets rays skip empty cubes.
The ray caster draws less than a game needs: no water, plants, light, sun, outline, entities or missing land.
The world's size is fixed, and the compiler may round freely.
"""

import numba
import numpy as np
from numpy.typing import NDArray

from reference.land import DEEP, HIGH

VIEW, FOG_FROM = np.float32(64), np.float32(40)
LANES, TILE_WIDE = 128, 16
TILE_HIGH = LANES // TILE_WIDE
(DX, DY, DZ, LIMIT, IX, IY, IZ, X, Y, Z, AT, STATE) = (LANES * row for row in range(12))
"""Offsets of the float arrays of the rays: direction, end, 1 / direction, cell, distance, and state.

A state is 1 for a ray that walks, 0 for a hit, -1 for a ray that has left the land.
"""
VOXEL, WORD, OCTANT, TEXEL = (LANES * row for row in range(4))

_compiled = numba.njit(fastmath=True, error_model="numpy", nogil=True)
_ZERO, _HALF, _ONE, _SIXTEEN = (np.float32(n) for n in (0, 0.5, 1, 16))
_HUGE = np.float32(1e30)
_BYTE = np.int32(255)


@_compiled
def _aim(
    floats: NDArray[np.float32],
    ints: NDArray[np.int32],
    eye: NDArray[np.float32],
    left: int,
    top: int,
    roof: float,
) -> None:
    """Give the lanes the rays of a tile. `eye`: position, first pixel's ray, steps right and down."""
    ox, oy, oz = eye[0], eye[1], eye[2]
    first = np.int32((np.int32(ox) * DEEP + np.int32(oz)) * HIGH + np.int32(oy))
    for k in range(LANES):
        px, py = np.float32(left + k % TILE_WIDE), np.float32(top + k // TILE_WIDE)
        dx = eye[3] + px * eye[6] + py * eye[9]
        dy = eye[4] + px * eye[7] + py * eye[10]
        dz = eye[5] + px * eye[8] + py * eye[11]
        shrink = _ONE / np.sqrt(dx * dx + dy * dy + dz * dz)
        dx, dy, dz = dx * shrink, dy * shrink, dz * shrink
        floats[DX + k], floats[DY + k], floats[DZ + k] = dx, dy, dz
        floats[IX + k] = max(min(_ONE / dx, _HUGE), -_HUGE)
        floats[IY + k] = max(min(_ONE / dy, _HUGE), -_HUGE)
        floats[IZ + k] = max(min(_ONE / dz, _HUGE), -_HUGE)
        leaves = max((np.float32(roof) - oy) * (_ONE / dy), _ZERO)
        floats[LIMIT + k] = min(leaves, VIEW) if dy > _ZERO else VIEW
        floats[X + k], floats[Y + k], floats[Z + k] = np.floor(ox), np.floor(oy), np.floor(oz)
        floats[AT + k], floats[STATE + k] = _ZERO, _ONE
        ints[VOXEL + k] = first
        octant = np.int32(4) if dx >= _ZERO else np.int32(0)
        octant += np.int32(8) if dy >= _ZERO else np.int32(0)
        octant += np.int32(16) if dz >= _ZERO else np.int32(0)
        ints[OCTANT + k] = octant


@_compiled
def _gather(ints: NDArray[np.int32], field: NDArray[np.int32]) -> None:
    for k in range(LANES):
        ints[WORD + k] = field[ints[VOXEL + k]]


@_compiled
def _step(
    floats: NDArray[np.float32], ints: NDArray[np.int32], ox: float, oy: float, oz: float
) -> float:
    """Move each ray across the empty cube ahead of it; return the number of rays that still walk."""
    walking = _ZERO
    for k in range(LANES):
        size = np.float32((ints[WORD + k] >> ints[OCTANT + k]) & 15)
        state = _ZERO if size == _ZERO else floats[STATE + k]
        x, y, z = floats[X + k], floats[Y + k], floats[Z + k]
        dx, dy, dz = floats[DX + k], floats[DY + k], floats[DZ + k]
        more = size - _ONE
        low_x = x if dx >= _ZERO else x - more
        low_y = y if dy >= _ZERO else y - more
        low_z = z if dz >= _ZERO else z - more
        out_x = low_x + size if dx >= _ZERO else low_x
        out_y = low_y + size if dy >= _ZERO else low_y
        out_z = low_z + size if dz >= _ZERO else low_z
        tx = (out_x - ox) * floats[IX + k]
        ty = (out_y - oy) * floats[IY + k]
        tz = (out_z - oz) * floats[IZ + k]
        t = min(tx, min(ty, tz))
        left = -_ONE if state > _ZERO else state
        state = state if t < floats[LIMIT + k] else left
        new_x = max(low_x, min(np.floor(ox + dx * t), low_x + more))
        new_y = max(low_y, min(np.floor(oy + dy * t), low_y + more))
        new_z = max(low_z, min(np.floor(oz + dz * t), low_z + more))
        new_x = (out_x if dx >= _ZERO else out_x - _ONE) if t == tx else new_x
        new_y = (out_y if dy >= _ZERO else out_y - _ONE) if t == ty else new_y
        new_z = (out_z if dz >= _ZERO else out_z - _ONE) if t == tz else new_z
        walks = state > _ZERO
        x, y, z = new_x if walks else x, new_y if walks else y, new_z if walks else z
        floats[X + k], floats[Y + k], floats[Z + k] = x, y, z
        floats[AT + k] = t if walks else floats[AT + k]
        floats[STATE + k] = state
        ints[VOXEL + k] = np.int32(x * np.float32(DEEP * HIGH) + z * np.float32(HIGH) + y)
        walking += _ONE if walks else _ZERO
    return walking


@_compiled
def _shade(
    floats: NDArray[np.float32], ints: NDArray[np.int32], ox: float, oy: float, oz: float
) -> None:
    """Find face, texel, brightness (in row IX) and fog (in row LIMIT) of each ray's hit."""
    for k in range(LANES):
        dx, dy, dz, t = floats[DX + k], floats[DY + k], floats[DZ + k], floats[AT + k]
        tx = (floats[X + k] + (_ONE if dx < _ZERO else _ZERO) - ox) * floats[IX + k]
        ty = (floats[Y + k] + (_ONE if dy < _ZERO else _ZERO) - oy) * floats[IY + k]
        tz = (floats[Z + k] + (_ONE if dz < _ZERO else _ZERO) - oz) * floats[IZ + k]
        u = np.int32((ox + dx * t) * _SIXTEEN) & 15
        v = np.int32((oy + dy * t) * _SIXTEEN) & 15
        w = np.int32((oz + dz * t) * _SIXTEEN) & 15
        on_x = (tx >= ty) & (tx >= tz)
        on_y = (ty >= tz) & (not on_x)
        face_x = np.int32(256) if dx < _ZERO else np.int32(0)
        face_y = np.int32(768) if dy < _ZERO else np.int32(512)
        face_z = np.int32(1280) if dz < _ZERO else np.int32(1024)
        face = face_x if on_x else (face_y if on_y else face_z)
        shade_y = _ONE if dy < _ZERO else _HALF
        shade = np.float32(0.6) if on_x else (shade_y if on_y else np.float32(0.8))
        hit = floats[STATE + k] == _ZERO
        fog = min(max((t - FOG_FROM) * (_ONE / (VIEW - FOG_FROM)), _ZERO), _ONE)
        fog = fog if hit else _ONE
        ints[TEXEL + k] = face + (w if on_y else 15 - v) * 16 + (w if on_x else u)
        floats[LIMIT + k], floats[IX + k] = fog, (_ONE - fog) * shade
        ints[VOXEL + k] = ints[VOXEL + k] if hit else 0


@_compiled
def _look_up(
    ints: NDArray[np.int32], voxels: NDArray[np.uint16], texels: NDArray[np.int32]
) -> None:
    for k in range(LANES):
        ints[WORD + k] = texels[np.int32(voxels[ints[VOXEL + k]]) * 1536 + ints[TEXEL + k]]


@_compiled
def _colour(floats: NDArray[np.float32], ints: NDArray[np.int32]) -> None:
    for k in range(LANES):
        rise = min(max(floats[DY + k], _ZERO), _ONE)
        texel, fog, gain = ints[WORD + k], floats[LIMIT + k], floats[IX + k]
        red = np.float32(texel & _BYTE) * gain + (np.float32(200) - np.float32(110) * rise) * fog
        green = np.float32(texel >> 8 & _BYTE) * gain
        green += (np.float32(220) - np.float32(70) * rise) * fog
        blue = np.float32(texel >> 16 & _BYTE) * gain
        blue += (np.float32(255) - np.float32(15) * rise) * fog
        colour = np.int32(red + _HALF) | np.int32(green + _HALF) << 8 | np.int32(blue + _HALF) << 16
        ints[WORD + k] = colour


@_compiled
def _write(
    ints: NDArray[np.int32], image: NDArray[np.uint8], left: int, top: int, width: int, height: int
) -> None:
    for row in range(min(TILE_HIGH, height - top)):
        byte = ((top + row) * width + left) * 3
        for column in range(min(TILE_WIDE, width - left)):
            colour = ints[WORD + row * TILE_WIDE + column]
            image[byte] = colour & 255
            image[byte + 1] = colour >> 8 & 255
            image[byte + 2] = colour >> 16 & 255
            byte += 3


@_compiled
def render(
    field: NDArray[np.int32],
    voxels: NDArray[np.uint16],
    texels: NDArray[np.int32],
    eye: NDArray[np.float32],
    width: int,
    height: int,
    roof: float,
    image: NDArray[np.uint8],
) -> None:
    """Draw a picture into `image` (uint8[height * width * 3])."""
    floats, ints = np.empty(12 * LANES, np.float32), np.empty(4 * LANES, np.int32)
    ox, oy, oz = eye[0], eye[1], eye[2]
    for top in range(0, height, TILE_HIGH):
        for left in range(0, width, TILE_WIDE):
            _aim(floats, ints, eye, left, top, roof)
            walking = _ONE
            while walking > _ZERO:
                _gather(ints, field)
                walking = _step(floats, ints, ox, oy, oz)
            _shade(floats, ints, ox, oy, oz)
            _look_up(ints, voxels, texels)
            _colour(floats, ints)
            _write(ints, image, left, top, width, height)
