"""A player of the embedded world as scripts see it: items held, position, blocks around."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Action, Steps
from optimus_gym.core.actions import ATTACK, HOTBAR
from optimus_gym.core.overlay import HOTBAR_SLOTS
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import item, item_names
from optimus_gym.game.tools import breaking_ticks, tools
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, POCKETS, Worlds
from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS

SHOWN_TICKS = 4
"""Ticks for which the player holds an item that was just made, a fifth of a second."""
Cell = tuple[int, int, int]
"""A block's x, y, z."""


class Body(Hands):
    """Reads one player's row of the embedded world for a script, and holds the player's next action.

    Args:
        world: a world with the power "arrays".
        row: number of the player's row.
    """

    def __init__(self, world: Any, row: int) -> None:
        super().__init__(world, row)
        self._arrays = world
        self.point: NDArray[np.float64] = np.zeros(3)
        self.found: NDArray[np.int32] = np.zeros(4, np.int32)

    @property
    def worlds(self) -> Worlds:
        """Return the embedded world's arrays; the world may replace them between ticks."""
        worlds: Worlds = self._arrays.worlds
        return worlds

    @property
    def player(self) -> Any:
        """Return the row's player, a record of `PLAYER`."""
        return self.worlds.players[self.row]

    def block(self, x: int, y: int, z: int) -> int:
        """Return the block id at a position."""
        return block_at(self.worlds, self.row, x, y, z) & BLOCK_MASK

    def block_name(self, x: int, y: int, z: int) -> str:
        """Return the name of the block at a position."""
        return block_names()[self.block(x, y, z)]

    def counts(self) -> dict[str, int]:
        """Return the counts of items in hotbar and main inventory, by name, in the order of the slots."""
        names = item_names()
        held: dict[str, int] = {}
        for kind, count, _ in self.worlds.slots[self.row, :POCKETS].tolist():
            if kind:
                held[names[kind]] = held.get(names[kind], 0) + count
        return held

    def hand(self) -> str | None:
        """Return the name of the item in the hand, None if the hand is empty."""
        player = self.player
        kind = int(self.worlds.slots[self.row, int(player["hotbar"])]["item"])
        return item_names()[kind] if kind else None

    def swing(self, action: Action) -> None:
        """Let the arm swing at the station under the crosshair; a blow of one tick must not break it."""
        p = self.player
        if p["aim_face"] < 0 or self.worlds.assists["fast_breaking"][self.row]:
            return
        name = self.block_name(int(p["aim_x"]), int(p["aim_y"]), int(p["aim_z"]))
        if name in STATION_BLOCKS and (breaking_ticks(name, self.hand()) or 0) > 1:
            action[ATTACK] = 1

    def show(self, name: str) -> Steps:
        """Hold an item of the hotbar for a moment, then hold again what was in the hand."""
        before = int(self.player["hotbar"])
        kinds = self.worlds.slots[self.row, :HOTBAR_SLOTS]["item"].tolist()
        if self.hand() == name or item(name).id not in kinds:
            return False
        for slot in (*[kinds.index(item(name).id)] * SHOWN_TICKS, before):
            action = self.fresh()
            action[HOTBAR] = slot + 1
            yield action
        return True

    def bare_slot(self) -> int:
        """Return a hotbar slot that holds no tool, -1 if every hotbar slot holds one."""
        names, known = item_names(), tools()
        for k, (kind, _, _) in enumerate(self.worlds.slots[self.row, :HOTBAR_SLOTS].tolist()):
            if not kind or names[kind] not in known:
                return k
        return -1

    def tick(self) -> int:
        """Return the number of the row's present tick."""
        return int(self.player["tick"])
