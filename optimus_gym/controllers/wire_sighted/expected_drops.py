"""Drops that the world does not tell: where the drop of a broken block must lie until it is picked up."""

from collections.abc import Mapping

import numpy as np

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.wire_sighted.mirror import UNSEEN
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.game.loot import drops_of
from optimus_gym.game.tools import harvests, tool, tools
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

_LIKELY = 0.4
"""Mean number of pieces from which a block's drop is expected."""
_OLD = 5000
"""Ticks after which a drop is no longer expected."""
_DEEPEST = 40
"""Blocks that a drop may fall."""


def expect_drops(worlds: Worlds, row: int, cell: Cell, name: str, hand: str | None) -> None:
    """Expect the drops of the block named `name` that was broken at `cell` with the item in hand."""
    held = hand if hand in tools() else None
    if not harvests(name, held):
        return
    for drop in drops_of(name, tool(held).kind if held else None):
        if drop.mean >= _LIKELY:
            _add(worlds, row, cell, item(drop.item).id, max(1, round(drop.mean)))


def expect_loot(worlds: Worlds, row: int, kind: str) -> None:
    """Expect the drops of the creature of a kind that stood nearest to the player and has died."""
    noted = worlds.creatures[row, : worlds.fauna["creatures"][row]]
    places = np.flatnonzero(noted["kind"] == tuple(creature_kinds()).index(kind))
    if not len(places):
        return
    player = worlds.players[row]
    away = np.abs(noted["x"][places] - player["x"]) + np.abs(noted["z"][places] - player["z"])
    dead = noted[int(places[away.argmin()])]
    dead["health"] = 0.0
    cell = (int(dead["x"] // 1), int(dead["y"] // 1), int(dead["z"] // 1))
    for drop in creature_kinds()[kind].loot:
        if drop.mean >= _LIKELY:
            _add(worlds, row, cell, item(drop.item).id, max(1, round(drop.mean)))


def _add(worlds: Worlds, row: int, cell: Cell, kind: int, count: int) -> None:
    """Note a drop in the middle of a cell, in a free row or in that of the oldest drop."""
    drops = worlds.drops[row]
    free = np.flatnonzero(drops["item"] == 0)
    k = int(free[0]) if len(free) else int(drops["age"].argmax())
    drops[k] = np.zeros((), drops.dtype)
    drops["item"][k], drops["count"][k] = kind, count
    drops["x"][k], drops["y"][k], drops["z"][k] = cell[0] + 0.5, cell[1], cell[2] + 0.5


def age_drops(worlds: Worlds, row: int) -> None:
    """Let the expected drops grow older by a tick and fall to the ground below."""
    drops = worlds.drops[row]
    for k in np.flatnonzero(drops["item"]).tolist():
        drops["age"][k] += 1
        if drops["age"][k] > _OLD:
            drops["item"][k] = 0
            continue
        x, z = int(np.floor(drops["x"][k])), int(np.floor(drops["z"][k]))
        y = int(drops["y"][k])
        for _ in range(_DEEPEST):
            below = block_at(worlds, row, x, y - 1, z) & BLOCK_MASK
            if below == UNSEEN or COLLISION_HEIGHTS[below] > 0.0:
                break
            y -= 1
        drops["y"][k] = y


def take_drops(worlds: Worlds, row: int, gained: Mapping[int, int]) -> None:
    """Forget the expected drops that the player has picked up, the nearest first.

    Args:
        worlds: the mirror's arrays.
        row: the world's number.
        gained: pieces that the player holds more than in the tick before, by item id.
    """
    drops, player = worlds.drops[row], worlds.players[row]
    for kind, count in gained.items():
        places = np.flatnonzero(drops["item"] == kind)
        away = np.abs(drops["x"][places] - player["x"]) + np.abs(drops["z"][places] - player["z"])
        left = count
        for k in places[np.argsort(away, kind="stable")].tolist():
            if left <= 0:
                break
            taken = min(left, int(drops["count"][k]))
            drops["count"][k] -= taken
            left -= taken
            if drops["count"][k] == 0:
                drops["item"][k] = 0
