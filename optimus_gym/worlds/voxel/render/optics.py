"""The arithmetic of rays and colours, shared by the fast and the plain path of the renderer.

All arithmetic is in single precision and in the written order, so that the fast and the plain path give the
same bits on every CPU.

A ray crosses the planes between cells in the order of their distances `(plane - eye) / direction`; planes at
the same distance are crossed together. A ray's distance alone defines the ray's cell, without a sum of steps,
so that the fast and the plain path find the same cell.
"""

from typing import Any

import numpy as np

from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK

Real = Any
"""Type of a float32: Any, because type checkers infer different types of floats for different operators."""
Whole = Any
"""Type of an int32 or int64."""
Grid = tuple[Real, Real, Real, Real, Real, Real, Real, Real, Real, Real, Real]

ZERO, HALF, ONE = np.float32(0), np.float32(0.5), np.float32(1)
SIXTEEN, FIFTEEN = np.float32(16), np.float32(15)
_I15 = np.int32(15)
LEAST = np.float32(1e-12)
"""Smallest size of a direction's component, which avoids divisions by zero."""
BACK = np.float32(1 / 1024)
"""Shortfall, in blocks, of a guessed position on a ray against the true position: more than a rounding error,
less than a cell."""
SHADE_X = np.float32(0.6)
"""Brightness of a block's west and east face, as a share of the upper face's; Minecraft Wiki, "Light"
(directional shading)."""
SHADE_Z = np.float32(0.8)
"""Brightness of a block's north and south face, as a share of the upper face's."""
SHADE_BELOW = np.float32(0.5)
"""Brightness of a block's lower face, as a share of the upper face's."""
SKY_STEEP = np.float32(1.6)
"""Inverse of the sine of the height above the horizon from which the sky has the zenith's colour (a sine of
1/1.6)."""

FLUID_STEP = np.float32(1 / 9)
"""Fall of a fluid's surface for each level, blocks; Minecraft Wiki, "Fluid": a source is 8/9 high."""
DEEPEST = np.float32(5)
"""Blocks of water after which a ray ends, as less than 1/200 of the light gets through."""
MURK = np.float32(1 / 6)
"""Inverse of the length of water (blocks) through which no light passes."""
GRAZING = np.float32(1 / 5)
"""Least fall of a ray into water, as a share of the ray's length, at which the ray shows anything below the
surface. A ray that falls less is still less than a block below the surface when the water lets no more light
through."""
_WATER, _BUBBLES = (np.int32(block_names().index(name)) for name in ("water", "bubble_column"))
DEEP_RED, DEEP_GREEN, DEEP_BLUE = np.float32(24), np.float32(52), np.float32(110)
_RIM = np.float32(0.05)
"""Blocks along x and z from a cell's corner to the end of a plant's crossed planes; Minecraft Wiki, "Model"
(block/cross)."""
SPAN = np.float32(1 / 0.9)
"""Inverse of the width, along x or z, of a plant's crossed planes, 1 / blocks."""
PER_ALPHA = np.float32(1 / 255)
FAR = np.float32(1e9)
"""Distance in a picture's `depth` at pixels of the sky; for sky behind translucent surfaces, FAR times the
share of light that the surfaces let through."""


@inline_ray_kernel
def not_zero(d: Real) -> Real:
    """Return a direction's component, or LEAST if the component is nearly zero."""
    return d if abs(d) > LEAST else LEAST


@inline_ray_kernel
def grid_of(frame: Any) -> Grid:
    """Return the first pixel's direction, its change per column and per row, and `per_x` and `per_y`.

    `per_x` and `per_y` are the columns and rows of a 640x360 picture for each column and row of the drawn
    picture, at least 1.
    """
    f = frame
    return f.bx, f.by, f.bz, f.rx, f.ry, f.rz, f.ux, f.uy, f.uz, f.per_x, f.per_y


@inline_ray_kernel
def ray_place(pixel: Real, per: Real) -> Real:
    """Return the position of a pixel's ray, as a number of columns or rows: exactly `pixel` if `per` is 1.

    If `per` pixels of a finer picture fall on one pixel, the ray is the ray of the finer pixel in the middle.
    """
    return (np.floor((pixel + HALF) * per) + HALF) * (ONE / per) - HALF


@inline_ray_kernel
def aim_ray(grid: Grid, px: Real, py: Real) -> tuple[Real, Real, Real, Real, Real, Real]:
    """Return the direction of a pixel's ray, of length 1, and the inverse of each component.

    The direction and the inverses share one square root and one division, because these operations take
    longest.
    """
    bx, by, bz, rx, ry, rz, ux, uy, uz, per_x, per_y = grid
    px, py = ray_place(px, per_x), ray_place(py, per_y)
    dx = not_zero(bx + px * rx + py * ux)
    dy = not_zero(by + px * ry + py * uy)
    dz = not_zero(bz + px * rz + py * uz)
    square, product = dx * dx + dy * dy + dz * dz, dx * dy * dz
    # 1 / |d| = both * product, and |d| / dx = dy * dz * both * square, likewise for y and z.
    both = ONE / (np.sqrt(square) * product)
    shrink, grow = both * product, both * square
    return dx * shrink, dy * shrink, dz * shrink, dy * dz * grow, dx * dz * grow, dx * dy * grow


@inline_ray_kernel
def exit_distance(cell: Real, size: Real, d: Real, eye: Real, inverse: Real) -> Real:
    """Return the distance at which a ray leaves `size` cells, `cell` being the first, along one axis."""
    plane = cell + (size if d > ZERO else ONE - size)
    return (plane - eye) * inverse


@inline_ray_kernel
def entry_distance(cell: Real, d: Real, eye: Real, inverse: Real) -> Real:
    """Return the distance at which a ray enters a cell, along one axis."""
    plane = cell + (ZERO if d > ZERO else ONE)
    return (plane - eye) * inverse


@inline_ray_kernel
def cell_at(t: Real, d: Real, eye: Real, inverse: Real) -> Real:
    """Return the cell, along one axis, of a ray that has crossed all planes up to distance `t`."""
    ahead = d > ZERO
    # `BACK` keeps the guess from being too far. The comparison of distances, which decides in all
    # kernels, corrects a guess that is one cell too near.
    guess = np.floor((eye - BACK if ahead else eye + BACK) + d * t)
    plane = guess + (ONE if ahead else ZERO)
    crossed = (plane - eye) * inverse <= t
    return guess + ((ONE if ahead else -ONE) if crossed else ZERO)


@inline_ray_kernel
def first_distance(eye_y: Real, dy: Real, inverse: Real, roof: Real) -> Real:
    """Return the distance at which a ray comes below the land's top `roof` (0 for a start below it)."""
    return (roof - eye_y) * inverse if eye_y >= roof and dy < ZERO else ZERO


@inline_ray_kernel
def last_distance(eye_y: Real, dy: Real, inverse: Real, roof: Real, view: Real) -> Real:
    """Return the distance at which a ray ends: at the range of view, the land's top or the world's bottom."""
    return min(((roof if dy > ZERO else ZERO) - eye_y) * inverse, view)


@inline_ray_kernel
def local_at(t: Real, d: Real, eye: Real, cell: Real) -> Real:
    """Return a ray's position within a cell at distance `t`, along one axis, [0, 1] up to rounding."""
    return eye + d * t - cell


@inline_ray_kernel
def texel_of(local: Real) -> Whole:
    """Return the texel's number along an axis, 0 to 15, of a position within a cell."""
    return np.int32(min(max(local * SIXTEEN, ZERO), FIFTEEN))


@inline_ray_kernel
def face_place(
    x: Real, y: Real, z: Real, on_x: bool, on_y: bool, east: bool, up: bool, south: bool
) -> Whole:
    """Return face << 8 | row << 4 | column of the texel at a position within a cell.

    The face is at right angles to x (`on_x`), else to y (`on_y`), else to z. `east`, `up` and `south` say
    whether the ray goes in these directions.
    """
    i, j, k = texel_of(x), _I15 - texel_of(y), texel_of(z)
    face_x = np.int32(0) if east else np.int32(1)
    face_y = np.int32(2) if up else np.int32(3)
    face_z = np.int32(4) if south else np.int32(5)
    face = face_x if on_x else (face_y if on_y else face_z)
    u = (k if east else _I15 - k) if on_x else i
    u = _I15 - u if face == np.int32(4) else u
    v = j if (not on_y) | on_x else (_I15 - k if up else k)
    return np.int32(face << np.int32(8) | v << np.int32(4) | u)


@inline_ray_kernel
def face_shade(on_x: bool, on_y: bool, up: bool) -> Real:
    """Return the brightness of a face; the arguments are those of `face_place`."""
    shade_y = SHADE_BELOW if up else ONE
    return SHADE_X if on_x else (shade_y if on_y else SHADE_Z)


@inline_ray_kernel
def is_hole(texel: Whole, t: Real, crisp: Real) -> bool:
    """Return whether a ray goes through a texel; holes of leaves are solid beyond the distance `crisp`."""
    return bool((texel == np.int32(0)) | ((texel > np.int32(0)) & (t < crisp)))


@inline_ray_kernel
def fog_at(t: Real, fog_from: Real, fog_rate: Real) -> Real:
    """Return the share of the fog's colour in a surface at distance `t`, [0, 1]."""
    return min(max((t - fog_from) * fog_rate, ZERO), ONE)


@inline_ray_kernel
def sky_height(dy: Real) -> Real:
    """Return the share of the zenith's colour in the sky, by the y of a ray's direction: 0 at the horizon."""
    return min(max(dy * SKY_STEEP, ZERO), ONE)


@inline_ray_kernel
def fogged(texel: Real, gain: Real, low: Real, high: Real, height: Real, fog: Real) -> Real:
    """Return one channel of a surface's colour behind fog: the sky's colour if `fog` is 1."""
    return texel * gain + (low + (high - low) * height) * fog


@inline_ray_kernel
def plane_texel(t: Real, x0: Real, y0: Real, z0: Real, dx: Real, dy: Real, dz: Real) -> Whole:
    """Return row << 4 | column of the texel that a ray meets on a plane of a plant; -1 if the ray misses it.

    x0, y0, z0: position of the eye relative to the cell.
    """
    x, y, z = x0 + dx * t, y0 + dy * t, z0 + dz * t
    # x and z run together along a plane: x gives the texel, and z only checks the plane's ends,
    # with a margin for rounding.
    across, deep = (x - _RIM) * SPAN, (z - _RIM) * SPAN
    inside = (t > ZERO) & (y >= ZERO) & (y < ONE) & (across >= ZERO) & (across < ONE)
    inside = inside & (deep > -_RIM) & (deep < ONE + _RIM)
    place = (np.int32(15) - texel_of(y)) << np.int32(4) | texel_of(across)
    return np.int32(place) if inside else np.int32(-1)


@inline_ray_kernel
def grazes(dy: Real) -> bool:
    """Return whether a ray that enters water from above is too flat to see anything in the water."""
    return bool(dy > -GRAZING)


@inline_ray_kernel
def water_top(code: Whole) -> Real:
    """Return the height of water in its cell from the water's code: 0 = water above, else 1 + level."""
    return ONE - FLUID_STEP * np.float32(code)


@inline_ray_kernel
def water_code(voxel: Whole, above: Whole) -> Whole:
    """Return the code of a voxel as water: -1 = no water, 0 = water with water above, else 1 + level."""
    level = np.int32(1) + (np.int32(voxel) >> np.int32(BLOCK_BITS) & np.int32(7))
    code = np.int32(0) if is_water(above) else np.int32(level)
    return np.int32(code) if is_water(voxel) else np.int32(-1)


@inline_ray_kernel
def is_water(voxel: Whole) -> bool:
    """Return whether a voxel is drawn as water; without a table, so that LLVM vectorises the test."""
    block = np.int32(np.int32(voxel) & np.int32(BLOCK_MASK))
    return bool((block == _WATER) | (block == _BUBBLES))


@inline_ray_kernel
def murk_after(length: Real) -> Real:
    """Return the share of light, [0, 1], that passes through `length` blocks of water."""
    clear = max(ONE - length * MURK, ZERO)
    return clear * clear * clear
