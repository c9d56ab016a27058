"""The oracle's view of a player: a `Body` that can search paths, and the arrays that path searches use."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.oracle.grid import (
    CHUNKS,
    MOST_GOALS,
    NEVER_TICKS,
    Ground,
    Scratch,
    block_kinds,
    flags_of,
)
from optimus_gym.controllers.oracle.moves import DIG_PAUSE
from optimus_gym.controllers.oracle.path_search import LONGEST_PATH, feet_cell, find_path
from optimus_gym.controllers.oracle.scan import find_blocks
from optimus_gym.controllers.threats import monsters_near
from optimus_gym.game.blocks import block_names
from optimus_gym.game.tools import Tool, breaking_ticks, tool
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import CHUNK

TURNING_TICKS = 4.0
"""Ticks that turning to a block takes on average."""
FILLERS = (
    "dirt", "coarse_dirt", "granite", "diorite", "andesite", "netherrack", "cobblestone", "stone",
)  # fmt: skip
"""Blocks to pillar with, the least useful first."""
PRECIOUS = 3
"""Tier from which a pickaxe is used only on blocks that need it, if a lesser pickaxe is held."""
ON_FOOT = (4.2, 9.0, 5.0)
"""Estimated ticks that a mostly walking body needs for each block sideways, up and down (see `moves`)."""


@cache
def ticks_with(name: str | None) -> NDArray[np.float32]:
    """Return the ticks to dig each block with a tool in hand (read-only float32[1024] by block id)."""
    table = np.full(1024, NEVER_TICKS, np.float32)
    for k, block in enumerate(block_names()):
        ticks = breaking_ticks(block, name)
        if ticks is not None:
            table[k] = ticks + TURNING_TICKS + (DIG_PAUSE if ticks else 0.0)
    table.setflags(write=False)
    return table


@cache
def ticks_with_any(names: tuple[str, ...]) -> NDArray[np.float32]:
    """Return the ticks to dig each block with the best of `names` or the hand (read-only, by block id)."""
    table = ticks_with(None).copy()
    for name in names:
        np.minimum(table, ticks_with(name), out=table)
    table.setflags(write=False)
    return table


class Miner(Body):
    """A player of the embedded world with the oracle's path search.

    Args:
        world: the embedded world.
        row: number of the player's row.
        scratch: the path search's working memory, shared by all rows.
        random: the row's random generator, for random moves and directions.
    """

    rings: tuple[int, ...] = (4, 12)
    """Radii in chunks of the first search for wanted blocks, and of each further one if none was found."""

    def __init__(
        self,
        world: Any,
        row: int,
        scratch: Scratch,
        random: np.random.Generator,
    ) -> None:
        super().__init__(world, row)
        self.scratch = scratch
        self.random = random
        self.path: NDArray[np.int32] = np.zeros((LONGEST_PATH, 4), np.int32)
        self.answer: NDArray[np.int64] = np.zeros(4, np.int64)
        self.kept: dict[str, int] = {}
        """Number of pieces of each item that the miner must not use up."""
        self._around: tuple[int, int] | None = None
        """Chunk around which the miner last loaded the land."""
        self.alarms = 0
        """Number of times that monsters interrupted a script (`guard`)."""
        self.hunts_again = 0
        """First tick in which the player looks for animals again."""
        kind, unseen, screen = block_kinds()
        self._ground = Ground(kind, unseen, screen, ticks_with(None))

    @property
    def ground(self) -> Ground:
        """Return the tables of blocks' properties for the tools held now."""
        return replace(self._ground, ticks=ticks_with_any(self.path_tools()))

    def path_tools(self) -> tuple[str, ...]:
        """Return the held tools for digging a path, without precious pickaxes if a lesser one is held."""
        held = self.tools()
        lesser = any(_is_pickaxe(tool(name)) and tool(name).tier < PRECIOUS for name in held)
        return tuple(
            name
            for name in held
            if not (lesser and _is_pickaxe(tool(name)) and tool(name).tier >= PRECIOUS)
        )

    def flags(self, x: int, y: int, z: int) -> int:
        """Return a cell's flags (see `grid`), computed from the world's present blocks."""
        return flags_of(self.worlds, self.row, self._ground, x, y, z)

    def feet(self) -> tuple[Cell, bool]:
        """Return the cell of the feet, and whether ground or water carries the body.

        At an edge, the cell is the neighbour whose ground carries the body.
        """
        out = np.zeros(3, np.int32)
        carried = feet_cell(self.worlds, self.row, self._ground, out)
        return (int(out[0]), int(out[1]), int(out[2])), bool(carried)

    def filler(self) -> str | None:
        """Return the held block to pillar with, None if the player can spare no block."""
        held = self.counts()
        for name in FILLERS:
            if held.get(name, 0) > self.kept.get(name, 0):
                return name
        return None

    def fillers(self) -> int:
        """Return how many held blocks the player can spare to pillar with."""
        held = self.counts()
        return sum(max(0, held.get(name, 0) - self.kept.get(name, 0)) for name in FILLERS)

    @property
    def radius(self) -> int:
        """Return the distance in chunks from the player's chunk within which the miner may read blocks."""
        return min((int(self.worlds.chunks.shape[1]) - 1) // 2, CHUNKS // 2)

    def chunk(self) -> tuple[int, int]:
        """Return the chunk in which the player stands."""
        return int(self.player["x"] // CHUNK), int(self.player["z"] // CHUNK)

    def keep_land(self) -> None:
        """Load the land around the player if the player has entered another chunk.

        Land that is not loaded counts as air. The miner loads the land around itself: its actions must
        not depend on land loaded for other purposes, such as frames.
        """
        if self.chunk() != self._around:
            self._around = self.chunk()
            player = self.player
            self.load_land(float(player["x"]), float(player["z"]))

    def load_land(self, x: float, z: float) -> None:
        """Load the land within `radius` chunks of the column (x, z)."""
        ensure_area(self.worlds, self.row, x, z, self.radius)

    def find(self, wanted: NDArray[np.float64], shunned: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the cells of wanted blocks that seem nearest, nearest first (int32[n, 3]).

        `wanted` and `shunned` are those of `scan.find_blocks`.
        """
        found, cost = np.zeros((MOST_GOALS, 3), np.int32), np.zeros(MOST_GOALS)
        for rings in self.rings:
            count = find_blocks(self.worlds, self.row, wanted, shunned, rings, found, cost)
            if count:
                return found[:count].copy()
        return found[:0]

    def search(
        self,
        goals: NDArray[np.float64],
        mode: int,
        weights: tuple[float, float, float],
        budget: int,
        shy: bool = True,
    ) -> int:
        """Search a path from the feet to one of `goals` (float64[n, 4]) and write it into `path`.

        `mode` is DIG_BLOCK, TOUCH_DROP or STAND_IN (see `goals.py`); `budget` and the result are those of
        `path_search.find_path`. The search avoids caves and monsters if `shy`; searches during a fight are
        not shy.
        """
        scratch = self.scratch
        worlds = self.worlds
        start, _ = self.feet()
        scratch.box["radius"] = self.radius
        self.load_land(float(start[0]), float(start[2]))
        count = min(len(goals), len(scratch.goals))
        scratch.goals[:count] = goals[:count]
        foes = monsters_near(worlds, self.row, scratch.foes) if shy else 0
        scratch.aim[0] = (count, mode, *weights, self.fillers(), shy, foes)
        return find_path(
            self.worlds, self.row, self.ground, scratch, start, budget, self.path, self.answer
        )


def _is_pickaxe(entry: Tool) -> bool:
    return entry.kind == "pickaxe"
