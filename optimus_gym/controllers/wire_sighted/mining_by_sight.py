"""The script of a mine sub-goal in a world that tells blocks on request."""

from optimus_gym.controllers.oracle.collecting import lying
from optimus_gym.controllers.oracle.gathering import (
    Errand,
    gather,
    lacking_tool,
    prepare_errand,
    seen_sources,
)
from optimus_gym.controllers.oracle.packing_up import take_up_stations
from optimus_gym.controllers.oracle.roaming import Walk
from optimus_gym.controllers.oracle.surviving import survive
from optimus_gym.controllers.oracle.travel import shake_loose
from optimus_gym.controllers.script import Script
from optimus_gym.controllers.wire_sighted.combing import comb
from optimus_gym.controllers.wire_sighted.exploring import look_for
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner
from optimus_gym.core.types import Failure, SubGoal

_MOST_TROUBLES = 24
"""Maximum number of failed attempts in a row to get a wanted item."""
_MOST_LEGS = 60
"""Maximum number of legs of the walks of one sub-goal to look for wanted blocks."""


def mine_by_sight(miner: SightedMiner, subgoal: SubGoal) -> Script:
    """Gather `subgoal.count` more pieces of the sub-goal's items."""
    errand = Errand(miner, subgoal)
    hindrance = prepare_errand(errand, subgoal)
    if hindrance is not None:
        return hindrance
    yield from miner.look_around()
    yield from take_up_stations(miner)
    walk = Walk(miner)
    while errand.missing() > 0:
        if not miner.alive():
            return Failure("died", subgoal.item, errand.missing())
        lacking = lacking_tool(miner, subgoal)
        if lacking is not None:
            return lacking
        yield from _seek(errand, walk)
        if errand.troubles > _MOST_TROUBLES or walk.legs > _MOST_LEGS:
            return Failure("not_found", subgoal.item, errand.missing(), "no way to any source")
    return None


def _seek(errand: Errand, walk: Walk[SightedMiner]) -> Script:
    """Get one more piece, or look for a source; count the failures in `errand.troubles`."""
    miner, before = walk.miner, walk.miner.tick()
    yield from survive(miner)
    if lying(miner, errand.kinds, errand.ignored) or len(seen_sources(errand)):
        done = yield from gather(errand)
        if not done and lying(miner, errand.kinds, set()):
            done = yield from comb(miner, errand.kinds)
        if not done:
            yield from shake_loose(miner)
    else:
        done = yield from look_for(walk, lambda: len(seen_sources(errand)) > 0, errand.sources)
    errand.troubles = 0 if done else errand.troubles + 1
    if miner.tick() == before:
        yield miner.fresh()
    return None
