"""The script of a kill sub-goal: go to creatures that drop the items, strike them, pick up the drops."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.collecting import collect, lying
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.guard import guarded
from optimus_gym.controllers.oracle.meals import BY_THE_WAY, NO_ANIMAL, hunt, nearest_animal
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.packing_up import take_up_stations
from optimus_gym.controllers.oracle.path_search import NO_WAY
from optimus_gym.controllers.oracle.roaming import Walk
from optimus_gym.controllers.oracle.surviving import survive
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.creatures import creature_kinds

KNOWN = 128.0
"""Distance in blocks within which the oracle knows of creatures; the world keeps none farther away."""
_MOST_TROUBLES = 24
"""Maximum number of failed hunts in a row; after more, the script gives up."""
_MOST_LEGS = 60
"""Maximum number of legs of the walk to look for creatures; after more, the script gives up."""
_BUDGET = 60_000
"""Maximum number of cells that the path search to a far creature looks at."""


class Hunt:
    """A search for creatures of some kinds, and what it learned on the way.

    Args:
        miner: the player.
        prey: which kinds of creatures are wanted (bool[kinds]).
        left: the items to pick up where a creature died; empty for none.
    """

    def __init__(self, miner: Miner, prey: NDArray[np.bool_], left: tuple[str, ...]) -> None:
        self.miner, self.prey, self.left = miner, prey, left
        self.walk = Walk(miner)
        self.troubles = 0
        """Failed attempts in a row."""
        self.ignored: set[tuple[int, int]] = set()
        """Drops that the player does not fetch, each by the key of its `LyingDrop`."""

    @property
    def is_vain(self) -> bool:
        """Return whether the search has failed too often."""
        return self.troubles > _MOST_TROUBLES or self.walk.legs > _MOST_LEGS

    def nearest(self, reach: float = KNOWN) -> int:
        """Return the index of the nearest wanted creature within `reach` blocks, `NO_ANIMAL` if none is."""
        miner = self.miner
        return int(nearest_animal(miner.worlds, miner.row, self.prey, reach, reach))

    def go_on(self) -> Steps:
        """Pick up drops, or strike the nearest wanted creature, or go where one may be.

        Returns:
            Whether that helped.
        """
        miner, before = self.miner, self.miner.tick()
        done = yield from self._act()
        self.troubles = 0 if done else self.troubles + 1
        if miner.tick() == before:
            yield from shake_loose(miner)
        return done

    def _act(self) -> Steps:
        miner = self.miner
        drops = lying(miner, self.left, self.ignored)
        if drops:
            return (yield from collect(miner, drops, self.ignored))
        if (near := self.nearest(BY_THE_WAY)) != NO_ANIMAL:
            kind = int(miner.worlds.creatures[miner.row, near]["kind"])
            return (yield from hunt(miner, kind, self.left))
        if (far := self.nearest()) != NO_ANIMAL:
            return (yield from self._go_to(far))
        return (yield from self.walk.leg())

    def _go_to(self, far: int) -> Steps:
        """Walk towards a far creature; return whether the player got nearer."""
        miner, one = self.miner, self.miner.worlds.creatures[self.miner.row, far]
        goal = np.array([(one["x"], one["y"], one["z"], 0.0)], np.float64)
        before = miner.pose()[:3]
        if miner.search(goal, TOUCH_DROP, ON_FOOT, _BUDGET) == NO_WAY:
            return (yield from self.walk.leg())
        yield from follow_path(miner, wary=True)
        return bool(np.abs(miner.pose()[:3] - before).max() > 2.0)


def fight_for_kills(miner: Miner, subgoal: SubGoal) -> Script:
    """Kill `subgoal.count` creatures of the sub-goal's kinds; blows in self-defence count, too."""
    prey = np.isin(tuple(creature_kinds()), subgoal.kinds)
    if not prey.any():
        return Failure("not_found", subgoal.item, subgoal.count, "the world has no such creature")
    left, script = subgoal.count, guarded(miner, _chase(miner, prey, subgoal), stays=False)
    while left > 0:
        try:
            action = next(script)
        except StopIteration as end:
            outcome: Failure | None = end.value
            return outcome
        yield action
        for event in miner.world.events(miner.row):
            left -= event.count * (event.kind == "killed" and event.subject in subgoal.kinds)
    return None


def _chase(miner: Miner, prey: NDArray[np.bool_], subgoal: SubGoal) -> Script:
    """Run after creatures and strike them, again and again."""
    hunts = Hunt(miner, prey, ())
    yield from take_up_stations(miner)
    while not hunts.is_vain:
        if not miner.player["alive"]:
            return Failure("died", subgoal.item, subgoal.count)
        yield from survive(miner)
        yield from hunts.go_on()
    return Failure("not_found", subgoal.item, subgoal.count, "no such creature is in reach")


def kill(miner: Miner, subgoal: SubGoal) -> Script:
    """Kill creatures until `subgoal.count` more pieces of the sub-goal's items are held."""
    prey = prey_of(subgoal)
    if not prey.any():
        return Failure("not_found", subgoal.item, subgoal.count, "no creature drops it")
    if not miner.worlds.rules[miner.row]["creatures"]:
        return Failure("not_found", subgoal.item, subgoal.count, "the world has no creatures")
    goal = miner.count(subgoal.kinds) + subgoal.count
    miner.kept = dict.fromkeys(subgoal.kinds, 10**6)
    hunts = Hunt(miner, prey, subgoal.kinds)
    yield from take_up_stations(miner)
    while (missing := goal - miner.count(subgoal.kinds)) > 0:
        if not miner.player["alive"]:
            return Failure("died", subgoal.item, missing)
        if hunts.is_vain:
            return Failure("not_found", subgoal.item, missing, "no creature in reach drops it")
        yield from survive(miner)
        yield from hunts.go_on()
    return None


def prey_of(subgoal: SubGoal) -> NDArray[np.bool_]:
    """Return which kinds of creatures give a kill sub-goal's items (bool[kinds])."""
    return np.array(
        [
            subgoal.creature in (None, name)
            and any(drop.item in subgoal.kinds for drop in kind.loot)
            for name, kind in creature_kinds().items()
        ]
    )
