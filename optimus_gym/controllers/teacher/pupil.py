"""A player as the teacher sees it: a `Miner` that knows of no block but those that have been in view."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.grid import MOST_GOALS, Scratch
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import NO_WAY
from optimus_gym.controllers.oracle.scan import UPRIGHT_WEIGHT
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.teacher.outlook import MOST_KNOWN, look_out
from optimus_gym.core.actions import HOTBAR
from optimus_gym.core.overlay import HOTBAR_SLOTS
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.tools import tool

_HOLDS = 20
"""Ticks for which a path may be taken over: a second."""


class Pupil(Miner):
    """A player of the embedded world with the oracle's path search, the keys of a policy, and its own sight.

    A pupil takes tools by hotbar keys, places no blocks, and uses the tool in hand or its best pickaxe.

    Args:
        world: the embedded world.
        row: number of the player's row.
        scratch: the path search's working memory, shared by all rows.
        random: the row's random generator.
    """

    def __init__(self, world: Any, row: int, scratch: Scratch, random: np.random.Generator) -> None:
        super().__init__(world, row, scratch, random)
        self._seen: NDArray[np.int32] = np.zeros((MOST_KNOWN, 3), np.int32)
        self._count = 0
        self._searched: tuple[object, ...] | None = None
        """Everything that the latest path search depended on."""
        self._found = (NO_WAY, self.answer.copy())
        """The latest path search's result and `answer`."""

    def forget(self) -> None:
        """Forget all blocks that have been in view."""
        self._count = 0

    def look_out(self, wanted: NDArray[np.float64]) -> None:
        """Look at the view of this tick and remember the wanted blocks in it."""
        self._count = look_out(self.worlds, self.row, wanted, self._seen, self._count)

    def find(self, wanted: NDArray[np.float64], shunned: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the wanted cells that have been in view, nearest first (int32[n, 3])."""
        cells = self._seen[: self._count]
        x, y, z = (float(self.player[axis]) for axis in "xyz")
        flat = np.maximum(np.abs(cells[:, 0] + 0.5 - x), np.abs(cells[:, 2] + 0.5 - z))
        away = flat + UPRIGHT_WEIGHT * np.abs(cells[:, 1] - y)
        order = np.argsort(away, kind="stable")[:MOST_GOALS]
        if len(shunned):
            barred = {tuple(cell) for cell in shunned.tolist()}
            order = order[[tuple(cells[k].tolist()) not in barred for k in order]]
        return cells[order].copy()

    def tools(self) -> tuple[str, ...]:
        """Return the tool in hand and the best pickaxe, without those that are not held."""
        held = super().tools()
        picks = [name for name in held if name.endswith("_pickaxe")]
        best = max(picks, key=lambda name: (tool(name).tier, name), default=None)
        return tuple(sorted({name for name in (self.hand(), best) if name in held}))

    def search(
        self,
        goals: NDArray[np.float64],
        mode: int,
        weights: tuple[float, float, float],
        budget: int,
        shy: bool = True,
    ) -> int:
        """Search a path as a `Miner` does; take over the latest one if nothing has changed since.

        The cell of the feet, the goals, the held tools and the number of changed blocks count. A
        path is taken over for at most `_HOLDS` ticks, since a block that changes twice is counted once.
        """
        player = self.player
        counts = (int(player["edits"]), int(player["tick"]) // _HOLDS)
        asked = (self.feet()[0], goals.tobytes(), mode, weights, budget, shy, self.tools(), *counts)
        if asked != self._searched:
            found = super().search(goals, mode, weights, budget, shy)
            self._searched, self._found = asked, (found, self.answer.copy())
        self.answer[:] = self._found[1]
        return self._found[0]

    def through_stone(self) -> tuple[float, float, float]:
        """Return the ticks that a tunnel with the held tools needs for each block sideways, up and down."""
        stone = float(self.ground.ticks[block("stone").id])
        aside, up, down = ON_FOOT
        return aside + 2 * stone, up + 3 * stone, down + stone

    def hold(self, name: str) -> Steps:
        """Press the hotbar key of an item; return False if the item lies in no hotbar slot."""
        kinds = self.worlds.slots[self.row, :HOTBAR_SLOTS]["item"].tolist()
        if item(name).id not in kinds:
            return False
        action = self.fresh()
        action[HOTBAR] = kinds.index(item(name).id) + 1
        yield action
        return self.hand() == name

    def own_cell(self) -> Cell:
        """Return the cell of the middle of the feet, on whatever they stand."""
        x, y, z = (int(np.floor(self.player[axis])) for axis in "xyz")
        return x, y, z

    def bare_slot(self) -> int:
        """Return -1: a pupil keeps its tool in hand."""
        return -1

    def filler(self) -> str | None:
        """Return None: a pupil places no blocks."""
        return None

    def fillers(self) -> int:
        """Return 0: a pupil places no blocks."""
        return 0
