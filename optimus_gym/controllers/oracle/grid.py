"""Cells of a path search: whether the player may enter, stand on or dig them, and the cost in ticks."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import blocks
from optimus_gym.worlds.voxel.compiling.bundle import Bundle
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, SEA_LEVEL, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

CHUNKS = 9
"""Side of a search's box in chunks; the box is centred on the start's chunk."""
BOX_SIDE = CHUNK * CHUNKS
NEXT_X = BOX_SIDE * HEIGHT
"""Step in the flat arrays to the next cell along x; the step to the cell above is 1."""
NEXT_Z = HEIGHT
"""Step in the flat arrays to the next cell along z."""
MOST_GOALS = 32
"""Most goals of a search."""
MOST_FOES = 16
"""Most monsters that a search knows."""
_CELLS = BOX_SIDE * BOX_SIDE * HEIGHT

OPEN_BLOCK = 0
"""The kind of passable blocks."""
WHOLE_BLOCK = 1
"""The kind of whole cubes."""
ODD = 2
"""The kind of blocks of another shape, obstacles to dig away."""
WATER_BLOCK = 3
"""The kind of water."""
HARM = 4
"""The kind of harmful blocks: lava, fire, cactus."""
FALLING_BLOCK = 5
"""The kind of sand and gravel."""

PASS = 1
"""Flag of an empty cell."""
IS_WATER = 2
"""Flag of a cell of water."""
STAND = 4
"""Flag of a cell that carries feet on its top."""
HOT = 8
"""Flag of a cell that is harmful or touches harm."""
LOOSE = 16
"""Flag of a cell that falls when undermined."""
BY_WATER = 32
"""Flag of a cell that touches water."""
DIG = 64
"""Flag of a cell that can be dug away."""
LEAFY = 128
"""Flag of a cell of leaves, through which a search may look."""

UNSEEN_BLOCKS = ("air", "cave_air", "void_air", "water", "lava")
HARMFUL_BLOCKS = (
    "lava", "fire", "soul_fire", "cactus", "magma_block", "sweet_berry_bush", "wither_rose",
    "campfire", "soul_campfire",
)  # fmt: skip
FALLING_BLOCKS = ("sand", "red_sand", "gravel")
SLOW_BLOCKS = ("cobweb", "bubble_column")
SIX_SIDES: NDArray[np.int64] = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.int64
)
_MARGIN = 6
"""Cells around the feet that moves and goals look at."""
NEVER_TICKS = np.float32(1e9)
"""Ticks of an impossible action."""
ROOMY = 3
"""Open sides from which a cell belongs to a cave; a tunnel dug by the player has two."""
DREAD = np.float32(200.0)
"""Ticks of digging worth spending to avoid a cave's cell, where monsters come and see."""
BREACH = np.float32(80.0)
"""Ticks of digging worth spending to leave a block next to a cave whole, so that no monster comes in."""

BOX = np.dtype(
    [
        ("x0", "i8"),  # the box's corner
        ("z0", "i8"),
        ("stamp", "i8"),  # of the present search
        ("radius", "i8"),  # chunks around the middle one that are loaded and may be used
    ]
)
"""The land that a search looks at."""

AIM = np.dtype(
    [
        ("goals", "i8"),  # how many rows of `Scratch.goals` count
        ("mode", "i8"),  # what reaching one means (see `goals`)
        ("aside", "f8"),  # estimated ticks of a block sideways, upwards and downwards
        ("up", "f8"),
        ("down", "f8"),
        ("fillers", "i8"),  # blocks held to pillar with
        ("shy", "i8"),  # 1 = caves and monsters are shunned
        ("foes", "i8"),  # how many rows of `Scratch.foes` count
    ]
)
"""The goals and the means of a search."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground(Bundle):
    """Tables by block id for kernels."""

    kind: NDArray[np.uint8]
    """uint8[1024]: CLEAR to FALLING."""
    unseen: NDArray[np.uint8]
    """uint8[1024]: 1 for blocks that the crosshair passes through (air and fluids)."""
    screen: NDArray[np.uint8]
    """uint8[1024]: 0 transparent or broken at once, 1 leaves, 2 opaque."""
    ticks: NDArray[np.float32]
    """float32[1024]: ticks to dig one block away with the held tools, NEVER for bedrock."""


@dataclass(frozen=True, slots=True, eq=False)
class Scratch(Bundle):
    """Memory of a search, kept between searches; a stamp marks the entries of the present search.

    A cell (x, y, z) has the place ((x - x0) * SPAN + z - z0) * HEIGHT + y in the flat arrays.
    """

    box: NDArray[Any]
    """One `BOX`."""
    ready: NDArray[np.int32]
    """int32[CHUNKS * CHUNKS]: stamp of the search that filled a chunk's `flags` and `cost`."""
    flags: NDArray[np.uint8]
    """uint8[CELLS]."""
    cost: NDArray[np.float32]
    """float32[CELLS]: ticks to dig the cell away, plus the penalty for caves."""
    reached: NDArray[np.int32]
    """int32[CELLS]: stamp of the search that filled the next four arrays."""
    ticks: NDArray[np.float32]
    parent: NDArray[np.int32]
    move: NDArray[np.uint8]
    closed: NDArray[np.uint8]
    keys: NDArray[np.float32]
    """float32[heap]: estimated ticks of the heap's entries."""
    heap: NDArray[np.int32]
    used: NDArray[np.int64]
    """int64[1]: entries of the heap."""
    goals: NDArray[np.float64]
    """float64[MOST_GOALS, 4]: x, y, z and extra ticks of each goal."""
    aim: NDArray[Any]
    """One `AIM`."""
    foes: NDArray[np.float64]
    """float64[MOST_FOES, 3]: x, y, z of monsters to avoid."""


@cache
def block_kinds() -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the tables `kind`, `unseen` and `screen` of `Ground` (read-only)."""
    kind = np.full(1024, WHOLE_BLOCK, np.uint8)
    unseen = np.zeros(1024, np.uint8)
    screen = np.full(1024, 2, np.uint8)
    for name, block in blocks().items():
        if not block.collides:
            kind[block.id] = OPEN_BLOCK
        elif COLLISION_HEIGHTS[block.id] != 1.0:
            kind[block.id] = ODD
        if name in SLOW_BLOCKS:
            kind[block.id] = ODD
        if name == "water":
            kind[block.id] = WATER_BLOCK
        if name in HARMFUL_BLOCKS:
            kind[block.id] = HARM
        if name in FALLING_BLOCKS:
            kind[block.id] = FALLING_BLOCK
        unseen[block.id] = name in UNSEEN_BLOCKS
        if name in UNSEEN_BLOCKS or 0.0 <= block.hardness < 0.01:
            screen[block.id] = 0
        elif name.endswith("_leaves"):
            screen[block.id] = 1
    for table in (kind, unseen, screen):
        table.setflags(write=False)
    return kind, unseen, screen


def make_scratch(heap: int = 1 << 20) -> Scratch:
    """Allocate the memory of a search (about 40 MB)."""
    return Scratch(
        box=np.zeros(1, BOX),
        ready=np.zeros(CHUNKS * CHUNKS, np.int32),
        flags=np.zeros(_CELLS, np.uint8),
        cost=np.zeros(_CELLS, np.float32),
        reached=np.zeros(_CELLS, np.int32),
        ticks=np.zeros(_CELLS, np.float32),
        parent=np.zeros(_CELLS, np.int32),
        move=np.zeros(_CELLS, np.uint8),
        closed=np.zeros(_CELLS, np.uint8),
        keys=np.zeros(heap, np.float32),
        heap=np.zeros(heap, np.int32),
        used=np.zeros(1, np.int64),
        goals=np.zeros((MOST_GOALS, 4)),
        aim=np.zeros(1, AIM),
        foes=np.zeros((MOST_FOES, 3)),
    )


@kernel
def _own_flags(ground: Ground, block: int) -> int:
    """Return the flags that a block gives its own cell."""
    kind = ground.kind[block]
    if kind == HARM:
        return HOT
    if kind == WATER_BLOCK:
        return IS_WATER
    if kind == OPEN_BLOCK:
        return PASS
    flags = STAND if kind != ODD else 0
    if ground.ticks[block] < NEVER_TICKS:
        flags |= DIG
    if kind == FALLING_BLOCK:
        flags |= LOOSE
    if ground.screen[block] == 1:
        flags |= LEAFY
    return flags


@kernel
def flags_of(worlds: Worlds, i: int, ground: Ground, x: int, y: int, z: int) -> int:
    """Return the flags of a cell as the world stands now."""
    if y < 1 or y >= HEIGHT:
        return STAND if y < 1 else PASS
    flags = _own_flags(ground, block_at(worlds, i, x, y, z) & BLOCK_MASK)
    for side in range(6):
        dx, dy, dz = SIX_SIDES[side, 0], SIX_SIDES[side, 1], SIX_SIDES[side, 2]
        kind = ground.kind[block_at(worlds, i, x + dx, y + dy, z + dz) & BLOCK_MASK]
        if kind == HARM:
            flags |= HOT
        elif kind == WATER_BLOCK and flags & IS_WATER == 0:
            flags |= BY_WATER
    return flags


@kernel
def index_of(scratch: Scratch, x: int, y: int, z: int) -> int:
    """Return a cell's place in the scratch arrays, -1 if a search does not look at feet there."""
    box = scratch.box[0]
    kx, kz = x - box.x0, z - box.z0
    low = (CHUNKS // 2 - box.radius) * CHUNK + _MARGIN
    high = BOX_SIDE - low
    if kx < low or kz < low or kx >= high or kz >= high or y < 1 or y >= HEIGHT - 4:
        return -1
    return int((kx * BOX_SIDE + kz) * HEIGHT + y)


@kernel
def begin_box(scratch: Scratch, x: int, z: int) -> None:
    """Lay the box around a new search's start and forget the previous search."""
    box = scratch.box[0]
    box.x0 = ((x >> 4) - CHUNKS // 2) * CHUNK
    box.z0 = ((z >> 4) - CHUNKS // 2) * CHUNK
    box.stamp += 1
    scratch.used[0] = 0


@kernel
def fill_around(worlds: Worlds, i: int, ground: Ground, scratch: Scratch, node: int) -> None:
    """Fill the cells up to MARGIN around a node unless they are filled already."""
    column = node // HEIGHT
    kx, kz = column // BOX_SIDE, column % BOX_SIDE
    for cx in range((kx - _MARGIN) >> 4, ((kx + _MARGIN) >> 4) + 1):
        for cz in range((kz - _MARGIN) >> 4, ((kz + _MARGIN) >> 4) + 1):
            if scratch.ready[cx * CHUNKS + cz] != scratch.box[0].stamp:
                scratch.ready[cx * CHUNKS + cz] = scratch.box[0].stamp
                _fill_chunk(worlds, i, ground, scratch, cx, cz)


@kernel
def _fill_chunk(worlds: Worlds, i: int, ground: Ground, scratch: Scratch, cx: int, cz: int) -> None:
    """Compute the flags and costs of a chunk's cells, including flags from blocks of neighbouring chunks."""
    width = worlds.voxels.shape[1]
    x0, z0 = cx * CHUNK, cz * CHUNK
    first = (CHUNKS // 2 - scratch.box[0].radius) * CHUNK  # of the land that is loaded
    last = BOX_SIDE - first - 1
    flags, cost, kinds, ticks = scratch.flags, scratch.cost, ground.kind, ground.ticks
    own = np.zeros(1024, np.uint8)
    for block in range(1024):
        own[block] = _own_flags(ground, block)
    for kx in range(x0, x0 + CHUNK):
        wx = (scratch.box[0].x0 + kx) % width
        for kz in range(z0, z0 + CHUNK):
            wz = (scratch.box[0].z0 + kz) % width
            base = (kx * BOX_SIDE + kz) * HEIGHT
            for y in range(HEIGHT):
                block = worlds.voxels[i, wx, wz, y] & BLOCK_MASK
                flags[base + y] = own[block]
                cost[base + y] = ticks[block] if own[block] & (PASS | IS_WATER) == 0 else 0.0
            flags[base] = STAND
            if first < kx < last and first < kz < last:
                _dread_caves(worlds, i, own, wx, wz, cost[base : base + HEIGHT])
    for kx in range(max(x0 - 1, first), min(x0 + CHUNK, last) + 1):
        wx = (scratch.box[0].x0 + kx) % width
        for kz in range(max(z0 - 1, first), min(z0 + CHUNK, last) + 1):
            wz = (scratch.box[0].z0 + kz) % width
            for y in range(HEIGHT):
                kind = kinds[worlds.voxels[i, wx, wz, y] & BLOCK_MASK]
                if kind in (HARM, WATER_BLOCK):
                    _touch(flags, x0, z0, kx, y, kz, HOT if kind == HARM else BY_WATER)


@kernel
def _dread_caves(
    worlds: Worlds, i: int, own: NDArray[np.uint8], wx: int, wz: int, cost: NDArray[np.float32]
) -> None:
    """Add the penalties to a column's costs: for cells of caves, and for blocks that close caves off."""
    width = worlds.voxels.shape[1]
    column = worlds.voxels[i, wx, wz]
    for y in range(2, min(SEA_LEVEL, int(worlds.tops[i, wx, wz]))):
        sides = 0
        for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            beside = worlds.voxels[i, (wx + dx) % width, (wz + dz) % width, y] & BLOCK_MASK
            sides += own[beside] & PASS != 0
        if own[column[y] & BLOCK_MASK] & PASS:
            if sides >= ROOMY:
                cost[y] += DREAD
        elif (
            sides
            or own[column[y + 1] & BLOCK_MASK] & PASS
            or own[column[y - 1] & BLOCK_MASK] & PASS
        ):
            cost[y] += BREACH


@kernel
def _touch(flags: NDArray[np.uint8], x0: int, z0: int, kx: int, y: int, kz: int, flag: int) -> None:
    """Set a flag on the six sides of a cell, as far as they lie in the chunk at (x0, z0)."""
    for side in range(6):
        tx, ty, tz = kx + SIX_SIDES[side, 0], y + SIX_SIDES[side, 1], kz + SIX_SIDES[side, 2]
        if x0 <= tx < x0 + CHUNK and z0 <= tz < z0 + CHUNK and 1 <= ty < HEIGHT:
            flags[(tx * BOX_SIDE + tz) * HEIGHT + ty] |= flag
