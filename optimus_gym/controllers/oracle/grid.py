"""Cells of a path search: whether the player may enter, stand on or dig them, and the ticks to dig them."""

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
"""Side in chunks of the square of land that a path search covers; the start's chunk is in the middle."""
BOX_SIDE = CHUNK * CHUNKS
NEXT_X = BOX_SIDE * HEIGHT
"""Difference between the flat-array indices of two neighbouring cells along x (along y: 1)."""
NEXT_Z = HEIGHT
"""Difference between the flat-array indices of two neighbouring cells along z."""
MOST_GOALS = 32
"""Maximum number of goals that a path search takes."""
MOST_FOES = 16
"""Maximum number of monsters that a path search takes into account."""
_CELLS = BOX_SIDE * BOX_SIDE * HEIGHT

OPEN_BLOCK = 0
"""Value of `Ground.kind` for passable blocks."""
WHOLE_BLOCK = 1
"""Value of `Ground.kind` for whole cubes."""
ODD = 2
"""Value of `Ground.kind` for blocks neither passable nor whole cubes, which paths dig away."""
WATER_BLOCK = 3
"""Value of `Ground.kind` for water."""
HARM = 4
"""Value of `Ground.kind` for harmful blocks, such as lava, fire and cactus."""
FALLING_BLOCK = 5
"""Value of `Ground.kind` for sand and gravel, which fall."""

PASS = 1
"""Flag of an empty cell."""
IS_WATER = 2
"""Flag of a cell of water."""
STAND = 4
"""Flag of a cell with a top that a body can stand on."""
HOT = 8
"""Flag of a cell that holds or touches a harmful block."""
LOOSE = 16
"""Flag of a cell whose block falls when the block below is dug away."""
BY_WATER = 32
"""Flag of a cell that touches water."""
DIG = 64
"""Flag of a cell that can be dug away."""
LEAFY = 128
"""Flag of a cell of leaves, which a path search counts as transparent at a cost."""

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
"""Greatest distance in cells from the feet at which a path search's moves and goal checks read cells."""
NEVER_TICKS = np.float32(1e9)
"""Ticks that stand for an impossible action."""
ROOMY = 3
"""Number of open sides from which an empty cell counts as a cave; a tunnel dug by the player has two."""
DREAD = np.float32(200.0)
"""Penalty in ticks of a path's cell in a cave, where monsters come and see the player."""
BREACH = np.float32(80.0)
"""Penalty in ticks of digging away a block next to a cave, as monsters could come in by the hole."""

BOX = np.dtype(
    [
        ("x0", "i8"),  # x of the box's corner
        ("z0", "i8"),
        ("stamp", "i8"),  # number of the present search
        ("radius", "i8"),  # greatest distance in chunks of used land from the middle chunk
    ]
)
"""Record of the box of land that a path search looks at."""

AIM = np.dtype(
    [
        ("goals", "i8"),  # how many rows of `Scratch.goals` count
        ("mode", "i8"),  # what reaching a goal means (a constant of `goals.py`)
        ("aside", "f8"),  # estimated ticks of a block sideways, upwards and downwards
        ("up", "f8"),
        ("down", "f8"),
        ("fillers", "i8"),  # number of held blocks to pillar with
        ("shy", "i8"),  # 1 = caves and monsters are shunned
        ("foes", "i8"),  # how many rows of `Scratch.foes` count
    ]
)
"""Record of a path search's settings: goals, estimated ticks per block, spare blocks and monsters."""


@dataclass(frozen=True, slots=True, eq=False)
class Ground(Bundle):
    """Tables of blocks' properties, by block id, for the kernels of the path search."""

    kind: NDArray[np.uint8]
    """Kind of each block, OPEN_BLOCK to FALLING_BLOCK (uint8[1024])."""
    unseen: NDArray[np.uint8]
    """Whether the crosshair passes through each block, as through air and fluids (uint8[1024], 0 or 1)."""
    screen: NDArray[np.uint8]
    """How each block hides others (uint8[1024]): 0 transparent or broken at once, 1 leaves, 2 opaque."""
    ticks: NDArray[np.float32]
    """Ticks to dig a block away with the held tools, by block id (float32[1024]); NEVER_TICKS for bedrock."""


@dataclass(frozen=True, slots=True, eq=False)
class Scratch(Bundle):
    """Working memory of path searches; a stamp (a search's number) marks the entries that the search wrote.

    A cell (x, y, z) has the index ((x - x0) * BOX_SIDE + z - z0) * HEIGHT + y in the flat arrays, which have
    `_CELLS` entries.
    """

    box: NDArray[Any]
    """The box of land that the search looks at (one record of `BOX`)."""
    ready: NDArray[np.int32]
    """Number (stamp) of the search that filled each chunk's `flags` and `cost` (int32[CHUNKS * CHUNKS])."""
    flags: NDArray[np.uint8]
    """Flags of each cell, PASS to LEAFY added up (uint8[_CELLS])."""
    cost: NDArray[np.float32]
    """Ticks to dig each cell away, plus the penalty for caves (float32[_CELLS])."""
    reached: NDArray[np.int32]
    """Number of the search that filled each cell's `ticks`, `parent`, `move` and `closed` (int32[_CELLS])."""
    ticks: NDArray[np.float32]
    parent: NDArray[np.int32]
    move: NDArray[np.uint8]
    closed: NDArray[np.uint8]
    keys: NDArray[np.float32]
    """Estimated ticks of the whole path through each entry of `heap` (float32)."""
    heap: NDArray[np.int32]
    used: NDArray[np.int64]
    """Number of entries that `heap` holds (int64[1])."""
    goals: NDArray[np.float64]
    """Each goal's x, y, z, and ticks to add to a path that ends at the goal (float64[MOST_GOALS, 4])."""
    aim: NDArray[Any]
    """Number and mode of the search's goals, and further settings of the search (one record of `AIM`)."""
    foes: NDArray[np.float64]
    """Positions x, y, z of monsters to avoid (float64[MOST_FOES, 3])."""


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
    """Allocate the working memory of path searches (about 40 MB)."""
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
    """Return the flags that a cell gets from its own block, without those from its neighbours."""
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
    """Return the flags of a cell, computed from the world's present blocks."""
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
    """Return a cell's index in the scratch arrays, -1 for a cell that no path may enter."""
    box = scratch.box[0]
    kx, kz = x - box.x0, z - box.z0
    low = (CHUNKS // 2 - box.radius) * CHUNK + _MARGIN
    high = BOX_SIDE - low
    if kx < low or kz < low or kx >= high or kz >= high or y < 1 or y >= HEIGHT - 4:
        return -1
    return int((kx * BOX_SIDE + kz) * HEIGHT + y)


@kernel
def begin_box(scratch: Scratch, x: int, z: int) -> None:
    """Centre the box on the chunk of a new search's start and forget the previous search."""
    box = scratch.box[0]
    box.x0 = ((x >> 4) - CHUNKS // 2) * CHUNK
    box.z0 = ((z >> 4) - CHUNKS // 2) * CHUNK
    box.stamp += 1
    scratch.used[0] = 0


@kernel
def fill_around(worlds: Worlds, i: int, ground: Ground, scratch: Scratch, node: int) -> None:
    """Compute flags and costs of the chunks within `_MARGIN` cells of a node, once per search."""
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
    first = (CHUNKS // 2 - scratch.box[0].radius) * CHUNK  # first column of the land that is used
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
    """Add to a column's costs the penalties of caves' cells and of blocks next to open cells."""
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
    """Set a flag on those of a cell's six neighbours that lie in the chunk at (x0, z0)."""
    for side in range(6):
        tx, ty, tz = kx + SIX_SIDES[side, 0], y + SIX_SIDES[side, 1], kz + SIX_SIDES[side, 2]
        if x0 <= tx < x0 + CHUNK and z0 <= tz < z0 + CHUNK and 1 <= ty < HEIGHT:
            flags[(tx * BOX_SIDE + tz) * HEIGHT + ty] |= flag
