"""The script of a kill sub-goal: find creatures that the world reports, run after them and strike."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.killing import prey_of
from optimus_gym.controllers.oracle.meals import NO_ANIMAL, hunt, nearest_animal
from optimus_gym.controllers.oracle.roaming import Walk
from optimus_gym.controllers.oracle.travel import shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.controllers.wire_sighted.combing import comb
from optimus_gym.controllers.wire_sighted.exploring import look_for
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner
from optimus_gym.core.types import Failure, SubGoal

RUNS_AFTER = 48.0
"""Distance in blocks within which the player runs after a creature."""
_MOST_TROUBLES = 24
"""Maximum number of failed hunts and walks in a row."""


def kill_by_sight(miner: SightedMiner, subgoal: SubGoal) -> Script:
    """Kill creatures until `subgoal.count` more pieces of the sub-goal's items are held."""
    prey = prey_of(subgoal)
    if not prey.any():
        return Failure("not_found", subgoal.item, subgoal.count, "no creature drops it")
    goal = miner.count(subgoal.kinds) + subgoal.count
    walk, troubles = Walk(miner), 0
    miner.kept = dict.fromkeys(subgoal.kinds, 10**6)
    yield from miner.look_around()
    while miner.count(subgoal.kinds) < goal:
        if not miner.alive():
            return Failure("died", subgoal.item, goal - miner.count(subgoal.kinds))
        if troubles > _MOST_TROUBLES:
            missing = goal - miner.count(subgoal.kinds)
            return Failure("not_found", subgoal.item, missing, "no creature in reach drops it")
        before = miner.tick()
        done = yield from _stalk(walk, prey, subgoal.kinds)
        troubles = 0 if done else troubles + 1
        if miner.tick() == before:
            yield from shake_loose(miner)
    return None


def _stalk(walk: Walk[SightedMiner], prey: NDArray[np.bool_], left: tuple[str, ...]) -> Steps:
    """Hunt the nearest creature of the kinds `prey`, or look for one."""
    miner = walk.miner

    def nearest() -> int:
        return int(nearest_animal(miner.worlds, miner.row, prey, RUNS_AFTER, RUNS_AFTER))

    if nearest() == NO_ANIMAL:
        return (yield from look_for(walk, lambda: nearest() != NO_ANIMAL))
    miner.hunts = True
    kind = int(miner.worlds.creatures[miner.row, nearest()]["kind"])
    done = yield from hunt(miner, kind, left)
    miner.hunts = False
    yield from comb(miner, left)
    if not done:
        yield from miner.look_around(2, 8, 16, again=True)
    return done
