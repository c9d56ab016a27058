"""Light that spreads cell by cell: over the borders of a newly lit chunk, and around a changed block.

All work stays in a square of 5 x 5 chunks: the cells that a changed cell had lit lie within 14 blocks of the
changed cell, and the cells that light those cells again lie within 14 more. A cell of the square is a number,
x << 14 | z << 7 | y, counted from the square's corner; the bits above hold the strength of a light, if any.

The spreading of light handles strengths from the highest down, so that each cell gets its final light at
once. A removal takes all light that may have come from a changed cell: a chain of ever weaker light, or of
the sky's full light downwards. A removal ignores floors (lower sides of cells that stop light) and may take
too much light; the cells that lost light are then lit again from their neighbours.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed, flat
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.land.chunks import forget_light, is_loaded
from optimus_gym.worlds.voxel.land.light_traits import (
    DIM_FROM,
    OPAQUE_FROM,
    TRAIT_MASK,
    TRAITS,
    is_floor,
)
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, LIT, STALE, Worlds

_RADIUS = 2
_ACROSS = 2 * _RADIUS + 1
_MIDDLE = _RADIUS * CHUNK
_PLACE = (1 << 21) - 1
_STRENGTH = 21
_X, _Z, _Y = 1 << 14, 1 << 7, 1
_STEPS = (-_X, _X, -_Z, _Z, _Y, -_Y)
_GLOW, _SKY = 24, 28
_FULL = 15
_NOWHERE = -1
_DIGIT = np.uint32(15)
_RUN = 32
"""Number of cells of a column whose light is compared at once."""
_ROOM = 1024
"""Number of cells that a new list of cells has room for."""


@kernel
def join_chunk(worlds: Worlds, i: int, cx: int, cz: int) -> None:
    """Let light pass between a chunk that has just been lit and its lit neighbours."""
    field, voxels = flat(worlds.field[i]), flat(worlds.voxels[i])
    corners = _find_corners(worlds, i, cx, cz)
    seeds = np.empty(4 * CHUNK * HEIGHT, np.int32)
    for shift in (_GLOW, _SKY):
        count = 0
        for step in (-_X, _X, -_Z, _Z):
            axis = abs(step)
            edge = (_MIDDLE if step < 0 else _MIDDLE + CHUNK - 1) * axis
            for along in range(_MIDDLE, _MIDDLE + CHUNK):
                here = edge + along * (_X + _Z - axis)
                count = _join_columns(field, voxels, corners, here, step, shift, seeds, count)
        _flood(field, voxels, corners, shift, seeds[:count])


@kernel
def relight_cell(worlds: Worlds, i: int, x: int, y: int, z: int, which: int) -> None:
    """Update the light after a cell changed: block light if `which` & 1, sky light if `which` & 2.

    Near a chunk with stale light, the function only marks the light of the chunks around the cell as stale.
    """
    cx, cz = x >> 4, z >> 4
    if _is_near_stale(worlds, i, cx, cz):
        forget_light(worlds, i, cx, cz)
        return
    corners = _find_corners(worlds, i, cx, cz)
    place = (x - (cx - _RADIUS) * CHUNK) * _X + (z - (cz - _RADIUS) * CHUNK) * _Z + y
    if _index(corners, place) == _NOWHERE:
        return
    field, voxels = flat(worlds.field[i]), flat(worlds.voxels[i])
    for shift in (_GLOW, _SKY):
        if which & (1 if shift == _GLOW else 2):
            removed = _remove(field, corners, shift, place)
            seeds = _light_again(field, voxels, corners, shift, removed)
            _flood(field, voxels, corners, shift, seeds)


@kernel
def _is_near_stale(worlds: Worlds, i: int, cx: int, cz: int) -> bool:
    side = worlds.chunks.shape[1]
    for kx in range(cx - 1, cx + 2):
        for kz in range(cz - 1, cz + 2):
            if is_loaded(worlds, i, kx, kz) and worlds.lit[i, kx % side, kz % side] == STALE:
                return True
    return False


@kernel
def _find_corners(worlds: Worlds, i: int, cx: int, cz: int) -> NDArray[np.int64]:
    """Return int64[26]: the index in the window's flat arrays of the first cell of each of 5 x 5 chunks.

    The index -1 means that the chunk's light is not computed. The last number is the distance between the
    indices of neighbours along x.
    """
    side, width = worlds.chunks.shape[1], worlds.field.shape[1]
    corners = np.full(_ACROSS * _ACROSS + 1, _NOWHERE)
    for k in range(_ACROSS * _ACROSS):
        kx, kz = cx + k // _ACROSS - _RADIUS, cz + k % _ACROSS - _RADIUS
        wx, wz = kx % side, kz % side
        if is_loaded(worlds, i, kx, kz) and worlds.lit[i, wx, wz] == LIT:
            corners[k] = (wx * width + wz) * CHUNK * HEIGHT
    corners[_ACROSS * _ACROSS] = width * HEIGHT
    return corners


@inline_kernel
def _index(corners: NDArray[np.int64], place: int) -> int:
    """Return the index of a cell in the window's flat arrays, or -1 if the cell's chunk is not lit."""
    x, z = place >> 14, (place >> 7) & 127
    corner = corners[(x >> 4) * _ACROSS + (z >> 4)]
    if corner < 0:
        return _NOWHERE
    stride = corners[_ACROSS * _ACROSS]
    return int(corner + (x & 15) * stride + ((z & 15) << 7) + (place & 127))


@inline_kernel
def _beside(corners: NDArray[np.int64], place: int, at: int, step: int) -> int:
    """Return the index of the cell a step away from the cell with index `at`, or -1 outside lit chunks."""
    if _is_inner(place):
        if step == _X or step == -_X:
            stride = int(corners[_ACROSS * _ACROSS])
            return at + stride if step > 0 else at - stride
        return at + step
    y = place & 127
    if (step == _Y and y == HEIGHT - 1) or (step == -_Y and y == 0):
        return _NOWHERE
    return _index(corners, place + step)


@inline_kernel
def _is_inner(place: int) -> bool:
    """Return whether all six neighbours of a cell lie in the cell's chunk."""
    x, z, y = place >> 14, place >> 7, place
    inner = (x & 15 > 0) & (x & 15 < 15) & (z & 15 > 0) & (z & 15 < 15)
    return bool(inner & (y & 127 > 0) & (y & 127 < 127))


@inline_kernel
def _light_in(field: NDArray[np.uint32], at: int, shift: int) -> int:
    return int(field[at]) >> shift & 15


@inline_kernel
def _set_light(field: NDArray[np.uint32], at: int, shift: int, strength: int) -> None:
    field[at] = np.uint32(int(field[at]) & ~(15 << shift) | strength << shift)


@inline_kernel
def _trait(voxels: NDArray[np.uint16], at: int) -> int:
    return int(TRAITS[voxels[at] & TRAIT_MASK])


@inline_kernel
def _is_shut(voxels: NDArray[np.uint16], at: int, step: int, other: int) -> bool:
    """Return whether a floor, which stops light, lies between two cells that are `step` apart."""
    if step == _Y:
        return is_floor(_trait(voxels, other))
    return bool(step == -_Y and is_floor(_trait(voxels, at)))


@kernel
def _join_columns(
    field: NDArray[np.uint32],
    voxels: NDArray[np.uint16],
    corners: NDArray[np.int64],
    here: int,
    step: int,
    shift: int,
    seeds: NDArray[np.int32],
    count: int,
) -> int:
    """Share light between adjacent columns; add cells that gain light to `seeds`; return the new count."""
    field, voxels, corners = borrowed(field), borrowed(voxels), borrowed(corners)
    a, b = _index(corners, here), _index(corners, here + step)
    if b == _NOWHERE:
        return count
    for bottom in range(0, HEIGHT, _RUN):
        # Two columns mostly have like light, and one vectorised comparison skips all 32 cells.
        if not _are_unlike(field[a + bottom :], field[b + bottom :], np.uint32(shift)):
            continue
        for y in range(bottom, bottom + _RUN):
            mine, other = _light_in(field, a + y, shift), _light_in(field, b + y, shift)
            if mine > other + 1 and _trait(voxels, b + y) < OPAQUE_FROM:
                _set_light(field, b + y, shift, mine - 1)
                seeds[count] = (mine - 1) << _STRENGTH | (here + step + y)
                count += 1
            elif other > mine + 1 and _trait(voxels, a + y) < OPAQUE_FROM:
                _set_light(field, a + y, shift, other - 1)
                seeds[count] = (other - 1) << _STRENGTH | (here + y)
                count += 1
    return count


@inline_kernel
def _are_unlike(ours: NDArray[np.uint32], theirs: NDArray[np.uint32], shift: np.uint32) -> bool:
    """Return whether two columns' light differs by more than 1 at any height among `_RUN` cells."""
    unlike = np.uint32(0)
    for y in range(_RUN):
        difference = int(ours[y] >> shift & _DIGIT) - int(theirs[y] >> shift & _DIGIT)
        unlike |= np.uint32(abs(difference) > 1)
    return bool(unlike)


@kernel
def _with_room(cells: NDArray[np.int32], used: int) -> NDArray[np.int32]:
    """Return the list of cells, copied into a larger list if six more cells would not fit."""
    if used + len(_STEPS) <= cells.size:
        return cells
    longer = np.empty(2 * cells.size, np.int32)
    for k in range(used):
        longer[k] = cells[k]
    return longer


@kernel
def _flood(
    field: NDArray[np.uint32],
    voxels: NDArray[np.uint16],
    corners: NDArray[np.int64],
    shift: int,
    seeds: NDArray[np.int32],
) -> None:
    """Spread light from cells that have just gained light."""
    if seeds.size == 0:
        return
    field, voxels, corners = borrowed(field), borrowed(voxels), borrowed(corners)
    cells = np.empty(max(_ROOM, 2 * seeds.size), np.int32)
    stride = int(corners[_ACROSS * _ACROSS])
    done, end = 0, 0
    for strength in range(_FULL, 1, -1):
        for seed in seeds:
            if seed >> _STRENGTH == strength:
                cells = _with_room(cells, end)
                cells[end] = seed & _PLACE
                end += 1
        stop = end
        while done < stop:
            cells = _with_room(cells, end)
            place = cells[done]
            at = _index(corners, place)
            done += 1
            # Three of four cells: neighbours lie at fixed distances, and no chunk is looked up.
            if _is_inner(place):
                for away, step in ((stride, _X), (_Z, _Z)):
                    cells[end] = place - step
                    end += _raise(field, voxels, at - away, shift, strength - 1)
                    cells[end] = place + step
                    end += _raise(field, voxels, at + away, shift, strength - 1)
                for step in (_Y, -_Y):
                    if not _is_shut(voxels, at, step, at + step):
                        cells[end] = place + step
                        end += _raise(field, voxels, at + step, shift, strength - 1)
                continue
            for step in _STEPS:
                other = _beside(corners, place, at, step)
                if other != _NOWHERE and not _is_shut(voxels, at, step, other):
                    cells[end] = place + step
                    end += _raise(field, voxels, other, shift, strength - 1)


@inline_kernel
def _raise(
    field: NDArray[np.uint32], voxels: NDArray[np.uint16], at: int, shift: int, strength: int
) -> int:
    """Give a cell that is not opaque at least the light `strength`; return 1 if it gained light, else 0."""
    if _light_in(field, at, shift) < strength and _trait(voxels, at) < OPAQUE_FROM:
        _set_light(field, at, shift, strength)
        return 1
    return 0


@kernel
def _remove(
    field: NDArray[np.uint32], corners: NDArray[np.int64], shift: int, start: int
) -> NDArray[np.int32]:
    """Remove a cell's light and all light it may have given; return the dark cells with their lost light."""
    field, corners = borrowed(field), borrowed(corners)
    at = _index(corners, start)
    removed = np.empty(_ROOM, np.int32)
    removed[0] = _light_in(field, at, shift) << _STRENGTH | start
    _set_light(field, at, shift, 0)
    done, end = 0, 1
    while done < end:
        removed = _with_room(removed, end)
        place, strength = removed[done] & _PLACE, removed[done] >> _STRENGTH
        at = _index(corners, place)
        done += 1
        for step in _STEPS:
            other = _beside(corners, place, at, step)
            if other == _NOWHERE:
                continue
            light = _light_in(field, other, shift)
            # Weaker light may come from this cell, and so may full sky light below, which falls undimmed.
            falls = shift == _SKY and step == -_Y and strength == _FULL and light == _FULL
            if 0 < light < strength or falls:
                _set_light(field, other, shift, 0)
                removed[end] = light << _STRENGTH | (place + step)
                end += 1
    return removed[:end]


@kernel
def _light_again(
    field: NDArray[np.uint32],
    voxels: NDArray[np.uint16],
    corners: NDArray[np.int64],
    shift: int,
    removed: NDArray[np.int32],
) -> NDArray[np.int32]:
    """Light cells that lost their light, from their own glow and their neighbours; return the lit cells.

    A cell with full sky light at once gives full light to the cells below.
    """
    field, voxels, corners = borrowed(field), borrowed(voxels), borrowed(corners)
    seeds = np.empty(_ROOM, np.int32)
    count = 0
    for entry in removed:
        place = entry & _PLACE
        strength = _light_due(field, voxels, corners, shift, place)
        while strength > _light_in(field, _index(corners, place), shift):
            seeds = _with_room(seeds, count)
            _set_light(field, _index(corners, place), shift, strength)
            seeds[count] = strength << _STRENGTH | place
            count += 1
            if shift != _SKY or strength < _FULL or place & 127 == 0:
                break
            if is_floor(_trait(voxels, _index(corners, place))):
                break
            # Full sky light falls on without loss, so that the cell below is due the same.
            place -= _Y
            if _trait(voxels, _index(corners, place)) >= DIM_FROM:
                break
    return seeds[:count]


@kernel
def _light_due(
    field: NDArray[np.uint32],
    voxels: NDArray[np.uint16],
    corners: NDArray[np.int64],
    shift: int,
    place: int,
) -> int:
    """Return the light due to a cell from its own glow and its neighbours."""
    field, voxels, corners = borrowed(field), borrowed(voxels), borrowed(corners)
    at = _index(corners, place)
    trait = _trait(voxels, at)
    due = trait & 15 if shift == _GLOW else 0
    if trait >= OPAQUE_FROM:
        return due
    for step in _STEPS:
        other = _beside(corners, place, at, step)
        if other != _NOWHERE and not _is_shut(voxels, at, step, other):
            due = max(due, _light_in(field, other, shift) - 1)
    if shift == _SKY:
        above = _FULL
        if place & 127 != HEIGHT - 1:
            above = 0 if _is_shut(voxels, at, _Y, at + 1) else _light_in(field, at + 1, shift)
        if above == _FULL:
            due = _FULL if trait < DIM_FROM else _FULL - 1
    return due
