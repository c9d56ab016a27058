"""The script of a mine sub-goal: find a block, go there, dig it, pick up the drop, until enough is held."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.collecting import collect, lying
from optimus_gym.controllers.oracle.digging import dig
from optimus_gym.controllers.oracle.goals import DIG_BLOCK
from optimus_gym.controllers.oracle.grid import HOT
from optimus_gym.controllers.oracle.meals import forage
from optimus_gym.controllers.oracle.miner import FILLERS, Miner
from optimus_gym.controllers.oracle.packing_up import take_up_stations
from optimus_gym.controllers.oracle.path_search import FOUND, NO_WAY
from optimus_gym.controllers.oracle.source_blocks import (
    diggable,
    is_held,
    needed_tool,
    source_blocks,
    wanted_blocks,
)
from optimus_gym.controllers.oracle.surviving import survive
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.blocks import block, block_names
from optimus_gym.prompts.words import with_article
from optimus_gym.worlds.voxel.state.worlds import CHUNK

_BUDGETS = (40_000, 250_000)
"""Maximum numbers of cells for the first path search, and for the second if the first finds no way."""
_MOST_TROUBLES = 24
"""Maximum number of failed attempts in a row to get a wanted item; after more, the script gives up."""
MOST_SHUNNED = 400
BESIDE_LAVA = 150.0
"""Extra ticks in the cost of digging a block next to lava or another harmful block: the drop may burn."""
FLAT_TICKS = 4.2
CAVES = 0.35
"""Factor on a path search's estimated digging ticks to a distant goal, because caves shorten the way."""


class Errand:
    """A mine sub-goal in progress: the wanted items, and the blocks and drops that the search leaves out."""

    def __init__(self, miner: Miner, subgoal: SubGoal) -> None:
        self.miner = miner
        self.kinds = subgoal.kinds
        self.sources = frozenset(source.block for source in source_blocks(subgoal.kinds))
        """Names of the blocks that drop the wanted items."""
        self.goal = miner.count(self.kinds) + subgoal.count
        self.shunned: list[tuple[int, int, int]] = []
        self.ignored: set[tuple[int, int]] = set()
        """Drops that the player does not fetch, each by the key of its `LyingDrop`."""
        self.troubles = 0

    def missing(self) -> int:
        """Return how many pieces of the wanted items are still missing."""
        return self.goal - self.miner.count(self.kinds)

    def shun(self, cell: tuple[int, int, int]) -> None:
        """Leave a block out of later searches."""
        self.shunned.append(cell)
        del self.shunned[:-MOST_SHUNNED]


def mine(miner: Miner, subgoal: SubGoal) -> Script:
    """Gather `subgoal.count` more pieces of the sub-goal's items."""
    errand = Errand(miner, subgoal)
    hindrance = prepare_errand(errand, subgoal)
    if hindrance is not None:
        return hindrance
    yield from take_up_stations(miner)
    while errand.missing() > 0:
        if not miner.player["alive"]:
            return Failure("died", subgoal.item, errand.missing())
        lacking = lacking_tool(miner, subgoal)
        if lacking is not None:
            return lacking
        yield from survive(miner)
        yield from forage(miner)
        if not (yield from gather(errand)):
            errand.troubles += 1
            yield from shake_loose(miner)
        else:
            errand.troubles = 0
        if errand.troubles > _MOST_TROUBLES:
            return Failure("not_found", subgoal.item, errand.missing(), "no way to any source")
    return None


def prepare_errand(errand: Errand, subgoal: SubGoal) -> Failure | None:
    """Return why an errand cannot begin, or None; make the miner keep wanted items and its cobblestone."""
    miner = errand.miner
    lacking = lacking_tool(miner, subgoal)
    if lacking is not None:
        return lacking
    if not source_blocks(errand.kinds):
        return Failure("not_found", subgoal.item, subgoal.count, "no block gives it")
    held = miner.counts()
    miner.kept = {name: held.get(name, 0) for name in FILLERS if name == "cobblestone"}
    miner.kept.update(dict.fromkeys(errand.kinds, 10**6))
    return None


def lacking_tool(miner: Miner, subgoal: SubGoal) -> Failure | None:
    """Return the failure if the sub-goal's tool is not held; None if the tool is held or none is needed."""
    held = miner.tools()
    tool = subgoal.tool or needed_tool(subgoal.kinds)
    if tool is None or is_held(tool, held):
        return None
    return Failure("missing_tool", tool, 1, f"{subgoal} needs {with_article(tool)} in hand")


def gather(errand: Errand) -> Steps:
    """Collect wanted drops near by, or go to one more wanted block and dig it; return False if that fails."""
    miner = errand.miner
    drops = lying(miner, errand.kinds, errand.ignored)
    enough = sum(drop.count for drop in drops) >= errand.missing()
    found = seen_sources(errand)
    if drops and not enough and len(found):
        reach = miner.search(_goals(miner, found), DIG_BLOCK, _weights(miner), 1)
        if reach == FOUND and int(miner.answer[1]) == 1:
            done = yield from _dig_goal(errand, found)
            return done
    if drops:
        done = yield from collect(miner, drops, errand.ignored)
        return done
    if not len(found):
        errand.troubles += _MOST_TROUBLES // 2
        return False
    for budget in _BUDGETS:
        reach = miner.search(_goals(miner, found), DIG_BLOCK, _weights(miner), budget)
        if reach == FOUND:
            break
        if reach != NO_WAY and budget == _BUDGETS[-1]:
            break
    if reach == NO_WAY:
        for cell in found[: max(1, len(found) // 2)].tolist():
            errand.shun((cell[0], cell[1], cell[2]))
        return False
    before = miner.feet()[0]
    goal, alarms = int(miner.answer[0]), miner.alarms
    arrived = yield from follow_path(miner, wary=True)
    if miner.alarms > alarms:
        return True
    if reach == FOUND and arrived:
        miner.answer[0] = goal
        done = yield from _dig_goal(errand, found)
        return done
    after = miner.feet()[0]
    return max(abs(before[0] - after[0]), abs(before[1] - after[1]), abs(before[2] - after[2])) > 2


def _dig_goal(errand: Errand, found: NDArray[np.int32]) -> Steps:
    """Dig the block that the search chose; leave the block out of later searches if digging fails."""
    miner = errand.miner
    x, y, z = (int(v) for v in found[int(miner.answer[0])])
    if block_names()[miner.block(x, y, z)] not in errand.sources:
        yield miner.fresh()  # the block was dug away on the path to it
        return True
    done = yield from dig(miner, (x, y, z), wanted=True)
    if not done:
        errand.shun((x, y, z))
    else:
        for _ in range(2):
            yield miner.fresh()
    return done


def seen_sources(errand: Errand) -> NDArray[np.int32]:
    """Return the blocks (int32[n, 3]) that drop the wanted items and seem nearest, nearest first."""
    miner = errand.miner
    wanted = wanted_blocks(diggable(errand.kinds, miner.tools()))
    shunned = np.array(errand.shunned, np.int32).reshape(-1, 3)
    return miner.find(wanted, shunned)


def _goals(miner: Miner, found: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return blocks as goals of a path search (float64[n, 4]).

    Only blocks in the land that the miner itself loads can count as next to a harmful block: land farther
    away may or may not be loaded for another purpose, such as frames.
    """
    goals = np.zeros((len(found), 4))
    goals[:, :3] = found + 0.5
    cx, cz = miner.chunk()
    low, high = -miner.radius * CHUNK + 1, (miner.radius + 1) * CHUNK - 1
    for k, (x, y, z) in enumerate(found.tolist()):
        is_known = all(low <= at < high for at in (x - cx * CHUNK, z - cz * CHUNK))
        if is_known and miner.flags(x, y, z) & HOT:
            goals[k, 3] = BESIDE_LAVA
    return goals


def _weights(miner: Miner) -> tuple[float, float, float]:
    """Return the estimated ticks of a path, with the held tools, for each block sideways, up and down."""
    stone = float(miner.ground.ticks[block("stone").id])
    if not any(name.endswith("_pickaxe") for name in miner.tools()):
        return FLAT_TICKS, 9.0, 5.0
    return max(FLAT_TICKS, 2 * stone * CAVES), 14.0, stone
