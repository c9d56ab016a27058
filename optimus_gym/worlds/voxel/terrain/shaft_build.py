"""The blocks of a mineshaft's pieces: air, supports, planks, rails, cobwebs and torches.

Minecraft Wiki, "Abandoned Mineshaft" (1.16), gives the parts and their chances. Each block depends only on
the land in its own column, so that several chunks can each build a part of one piece.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.intrinsics import borrowed
from optimus_gym.worlds.voxel.compiling.kernels import inline_kernel, kernel
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, CHUNK
from optimus_gym.worlds.voxel.terrain.crowns import STEP_X, STEP_Z
from optimus_gym.worlds.voxel.terrain.names import AIR, DIRT, STILL_LAVA, STILL_WATER, voxel_of
from optimus_gym.worlds.voxel.terrain.noise import mix, unit
from optimus_gym.worlds.voxel.terrain.shaft_plan import (
    CELL_X,
    CELL_Z,
    CELLS,
    CORRIDOR,
    CROSSING,
    KIND,
    LEVEL,
    LOWEST_FLOOR,
    RAILS,
    ROOM,
    SIDE,
    TRAIT,
    WAY,
    WEBS,
)

OAK_PLANKS, OAK_FENCE, COBWEB = voxel_of("oak_planks"), voxel_of("oak_fence"), voxel_of("cobweb")
RAIL, WALL_TORCH = voxel_of("rail"), voxel_of("wall_torch")
SUPPORT = 2
"""Blocks from the start of a corridor's section to the section's support."""
EDGE = 2
"""Blocks from the middle of a mineshaft's cell to the cell's edge."""
STAIR_DROP = 5
ROOM_HALF = 6
"""Blocks of a mineshaft's room on each side of the room's middle."""
ROOM_HEIGHT = 5
"""Height of the air in the room's middle, blocks."""
WHOLE_BEAM, TORCH, WEB_NEAR, WEB_FAR, THICK_WEB = 0.75, 0.05, 0.1, 0.05, 0.6
RAIL_CHANCE, ROUGH_ROOF = 0.7, 0.2
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SALT = np.uint64(0xD6E8FEB86659FD93)


@inline_kernel
def _chance(bits: np.uint64, along: int, aside: int, use: int) -> float:
    """Return a random number in [0, 1) for one purpose in one cell of a mineshaft's piece."""
    return unit(mix(bits + np.uint64((along << 6) + (aside + 4 << 3) + use) * _STEP))


@inline_kernel
def _holds(voxel: int) -> bool:
    """Return whether an underground block can serve as a floor: neither air nor fluid."""
    return voxel not in (AIR, STILL_WATER, STILL_LAVA)


@kernel
def _dig(column: NDArray[np.uint16], low: int, high: int, roof: int, floor: int) -> None:
    """Dig a column out from `low` to `high`, at most `roof`; replace air or fluid below `low` by `floor`."""
    if low > roof:
        return
    for y in range(low, min(high, roof) + 1):
        column[y] = AIR
    if not _holds(column[low - 1]):
        column[low - 1] = floor


@inline_kernel
def floor_of(level: int) -> int:
    """Return the y of the lowest air block of a mineshaft's level."""
    return LOWEST_FLOOR + SIDE * level


@kernel
def build_piece(
    piece: NDArray[np.int64],
    x0: int,
    z0: int,
    bits: np.uint64,
    roof: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Set the part of a piece that lies in a chunk, and the opening towards its parent piece.

    piece (int64[8]): a row of the mineshaft's plan.
    x0, z0: the room's middle, from the chunk's corner.
    bits: random bits of the piece.
    roof (int64[16, 16], y): highest block that may become air.
    out (uint16[16, 16, 128], voxels): the chunk, changed in place.
    """
    kind, way, y = piece[KIND], piece[WAY], floor_of(piece[LEVEL])
    if kind == ROOM:
        _build_room(x0, y, z0, roof, out)
        return
    step_x, step_z = STEP_X[way], STEP_Z[way]
    x, z = x0 + SIDE * piece[CELL_X], z0 + SIDE * piece[CELL_Z]
    for along in range(-1, SIDE * piece[CELLS]):
        side = EDGE if kind == CROSSING and along >= 0 else 1
        for aside in range(-side, side + 1):
            lx = x + step_x * (along - EDGE) - step_z * aside
            lz = z + step_z * (along - EDGE) + step_x * aside
            if not (0 <= lx < CHUNK and 0 <= lz < CHUNK):
                continue
            column, top = out[lx, lz], roof[lx, lz]
            if along < 0:
                _dig(column, y, y + 2, top, OAK_PLANKS)
            elif kind == CORRIDOR:
                _corridor_column(column, y, along, aside, way, piece[TRAIT], top, bits)
            elif kind == CROSSING:
                _crossing_column(column, y, along, aside, top)
            else:
                down = min(max(along - EDGE, 0), STAIR_DROP)
                _dig(column, y - down, y - down + 3, top, OAK_PLANKS)


@kernel
def _build_room(x0: int, y: int, z0: int, roof: NDArray[np.int64], out: NDArray[np.uint16]) -> None:
    """Dig the room out, with a floor of dirt and a vault that is lower at the room's edge."""
    for x in range(max(x0 - ROOM_HALF, 0), min(x0 + ROOM_HALF, CHUNK - 1) + 1):
        for z in range(max(z0 - ROOM_HALF, 0), min(z0 + ROOM_HALF, CHUNK - 1) + 1):
            edge = ROOM_HALF - max(abs(x - x0), abs(z - z0))
            if y <= roof[x, z]:
                _dig(out[x, z], y, y + min(2 + edge, ROOM_HEIGHT) - 1, roof[x, z], DIRT)
                out[x, z, y - 1] = DIRT


@inline_kernel
def _crossing_column(column: NDArray[np.uint16], y: int, along: int, aside: int, roof: int) -> None:
    """Set a column of a crossing: a plus of two corridors with pillars in its corners."""
    corner = abs(aside) == EDGE and along in (0, SIDE - 1)
    if corner or y > roof:
        return
    _dig(column, y, y + 2, roof, OAK_PLANKS)
    if abs(aside) == 1 and along in (1, SIDE - 2):
        for up in range(min(3, roof - y + 1)):
            column[y + up] = OAK_PLANKS


@kernel
def _corridor_column(
    column: NDArray[np.uint16],
    y: int,
    along: int,
    aside: int,
    way: int,
    trait: int,
    roof: int,
    bits: np.uint64,
) -> None:
    """Set a column of a corridor: air, a support every five blocks, webs, rails, torches."""
    if y + 2 > roof:
        return
    place = along % SIDE - SUPPORT
    section = along // SIDE
    rough = place != 0 and _chance(bits, along, aside, 0) < ROUGH_ROOF and column[y + 3] != AIR
    _dig(column, y, y + 1 if rough else y + 2, roof, OAK_PLANKS)
    roofed = column[y + 3] != AIR
    whole = _chance(bits, section, 0, 1) < WHOLE_BEAM
    if place == 0:
        if roofed and aside != 0:
            column[y] = column[y + 1] = OAK_FENCE
        if roofed and (whole or aside != 0):
            column[y + 2] = OAK_PLANKS
    elif not rough:
        _decorate(column, y, along, aside, way, place, whole and roofed, bits)
    if trait == WEBS and column[y] == AIR and _chance(bits, along, aside, 5) < THICK_WEB:
        column[y] = column[y + 1] = COBWEB
    if trait == RAILS and aside == 0 and _chance(bits, along, 0, 6) < RAIL_CHANCE:
        column[y] = RAIL | (way & 1) << BLOCK_BITS


@inline_kernel
def _decorate(
    column: NDArray[np.uint16],
    y: int,
    along: int,
    aside: int,
    way: int,
    place: int,
    beam: bool,
    bits: np.uint64,
) -> None:
    """Hang a torch on a beam, or a web near a support, under the roof."""
    if aside == 0:
        if beam and abs(place) == 1 and _chance(bits, along, 0, 2) < TORCH:
            facing = way if place == 1 else (way + 2) & 3
            column[y + 2] = WALL_TORCH | facing << BLOCK_BITS
    elif _chance(bits, along, aside, 3) < (WEB_NEAR if abs(place) == 1 else WEB_FAR):
        column[y + 2] = COBWEB


@kernel
def build_shaft(
    plan: NDArray[np.int64],
    count: int,
    x0: int,
    z0: int,
    bits: np.uint64,
    roof: NDArray[np.int64],
    out: NDArray[np.uint16],
) -> None:
    """Set the part of a mineshaft that lies in a chunk; arguments as in `build_piece`."""
    plan, roof, out = borrowed(plan), borrowed(roof), borrowed(out)
    for k in range(count):
        row = plan[k]
        far = SIDE * (row[CELLS] - 1)
        x, z = x0 + SIDE * row[CELL_X], z0 + SIDE * row[CELL_Z]
        end_x, end_z = x + far * STEP_X[row[WAY]], z + far * STEP_Z[row[WAY]]
        if (
            min(x, end_x) < CHUNK + ROOM_HALF
            and max(x, end_x) >= -ROOM_HALF
            and min(z, end_z) < CHUNK + ROOM_HALF
            and max(z, end_z) >= -ROOM_HALF
        ):
            build_piece(row, x0, z0, mix(bits + np.uint64(k) * _SALT), roof, out)
