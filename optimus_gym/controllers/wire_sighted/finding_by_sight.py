"""The script of a find sub-goal: look for a block or creature, go there and look at it."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.helper.steering import look_at_cell
from optimus_gym.controllers.oracle.goals import DIG_BLOCK, TOUCH_DROP
from optimus_gym.controllers.oracle.meals import NO_ANIMAL, nearest_animal
from optimus_gym.controllers.oracle.miner import ON_FOOT
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.roaming import Walk
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.controllers.wire_sighted.exploring import look_for
from optimus_gym.controllers.wire_sighted.hunting_by_sight import RUNS_AFTER
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.creatures import creature_kinds

_BUDGET = 60_000
_MOST_LEGS = 60
"""Maximum number of legs of the walk to look for a thing."""
_IN_VIEW = 6.0
"""Distance in blocks to a creature at which the player stops and looks at it."""
_NO_CELLS = np.zeros((0, 3), np.int32)


class Quarry:
    """The things that a find sub-goal wants: blocks by id, creatures by kind."""

    def __init__(self, miner: SightedMiner, subgoal: SubGoal) -> None:
        self.miner = miner
        self.blocks: NDArray[np.float64] = np.zeros(1024)
        known = [name for name in subgoal.kinds if name in block_names()]
        self.blocks[[block(name).id for name in known]] = 0.01
        self.names = tuple(known)
        self.creatures = np.isin(tuple(creature_kinds()), subgoal.kinds)

    def cells(self) -> NDArray[np.int32]:
        """Return the cells of wanted blocks that the mirror holds, nearest first (int32[n, 3])."""
        return self.miner.find(self.blocks, _NO_CELLS) if self.names else _NO_CELLS

    def creature(self) -> NDArray[np.float64] | None:
        """Return the place of the nearest wanted creature (float64[3]: x, y, z), None without one."""
        worlds, row = self.miner.worlds, self.miner.row
        k = int(nearest_animal(worlds, row, self.creatures, RUNS_AFTER, RUNS_AFTER))
        if k == NO_ANIMAL:
            return None
        one = worlds.creatures[row, k]
        return np.array([one["x"], one["y"], one["z"]], np.float64)

    def is_seen(self) -> bool:
        """Return whether the mirror holds a wanted thing."""
        return len(self.cells()) > 0 or self.creature() is not None


def find_by_sight(miner: SightedMiner, subgoal: SubGoal) -> Script:
    """Go near a wanted block or creature and look at it; items on the ground are not reported."""
    quarry, walk = Quarry(miner, subgoal), Walk(miner)
    if not quarry.names and not quarry.creatures.any():
        return Failure("not_found", subgoal.item, 1, "the world reports no such thing")
    miner.kept = {}
    yield from miner.look_around()
    while walk.legs <= _MOST_LEGS:
        if not miner.alive():
            return Failure("died", subgoal.item, 1)
        if quarry.is_seen():
            if (yield from _approach(quarry)):
                return None
            walk.legs += 1
            yield from shake_loose(miner)
        else:
            yield from look_for(walk, quarry.is_seen, quarry.names)
    return Failure("not_found", subgoal.item, 1, "no walk came upon it")


def _approach(quarry: Quarry) -> Steps:
    """Walk to the nearest wanted thing and look at it; return whether the player is there."""
    miner, cells, creature = quarry.miner, quarry.cells(), quarry.creature()
    if creature is not None:
        if np.abs(creature - miner.pose()[:3]).max() > _IN_VIEW:
            goal = np.array([[*creature, 0.0]])
            if miner.search(goal, TOUCH_DROP, ON_FOOT, _BUDGET) == FOUND:
                yield from follow_path(miner)
            yield from miner.look_around(1, 8, 8, again=True)
            return False
        yield from look_at_cell(miner, tuple(int(at // 1) for at in creature))  # type: ignore[arg-type]
        return True
    goals = np.zeros((len(cells), 4))
    goals[:, :3] = cells + 0.5
    if miner.search(goals, DIG_BLOCK, ON_FOOT, _BUDGET) != FOUND:
        return False
    chosen = cells[int(miner.answer[0])].tolist()
    if not (yield from follow_path(miner)):
        return False
    yield from look_at_cell(miner, (chosen[0], chosen[1], chosen[2]))
    return True
