"""Digging up crafting table, furnace and other stations near by, so that the player takes them along."""

import numpy as np

from optimus_gym.controllers.oracle.collecting import collect, lying
from optimus_gym.controllers.oracle.digging import dig
from optimus_gym.controllers.oracle.goals import DIG_BLOCK
from optimus_gym.controllers.oracle.grid import HOT
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.scan import nearest_block
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.script import Steps
from optimus_gym.game.blocks import block
from optimus_gym.game.tools import harvests
from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS

_TRIES = 3
_BUDGET = 4_000


def take_up_stations(miner: Miner) -> Steps:
    """Dig up and pick up crafting table, furnace and other stations near by, unless that is impossible."""
    for name in STATION_BLOCKS:
        if not any(harvests(name, held) for held in (None, *miner.tools())):
            continue
        before = miner.count([name])
        for _ in range(_TRIES):
            cell = _near(miner, name)
            if cell is None:
                break
            yield from _take(miner, cell, name)
            if miner.count([name]) > before:
                break
    return True


def _near(miner: Miner, name: str) -> tuple[int, int, int] | None:
    """Return the cell of the block named `name` nearest to the feet, None if there is none near."""
    (x, y, z), _ = miner.feet()
    out = np.zeros(3, np.int32)
    if not nearest_block(miner.worlds, miner.row, block(name).id, x, y, z, out):
        return None
    return int(out[0]), int(out[1]), int(out[2])


def _take(miner: Miner, cell: tuple[int, int, int], name: str) -> Steps:
    """Go to a station, break the station and pick it up."""
    if miner.flags(*cell) & HOT:
        return False
    goal = np.array([(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5, 0.0)])
    if miner.search(goal, DIG_BLOCK, ON_FOOT, _BUDGET) != FOUND:
        return False
    if not (yield from follow_path(miner)):
        return False
    if not (yield from dig(miner, cell, wanted=True)):
        return False
    yield miner.fresh()
    ignored: set[tuple[int, int]] = set()
    for _ in range(_TRIES):
        drops = lying(miner, [name], ignored)
        if not drops:
            break
        yield from collect(miner, drops, ignored)
    return True
