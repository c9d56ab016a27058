"""The scripts of find and move sub-goals: go where a thing is, look at it, or come into its reach."""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.helper.clearing import uncover
from optimus_gym.controllers.helper.steering import look_at_cell
from optimus_gym.controllers.oracle.collecting import collect, lying
from optimus_gym.controllers.oracle.goals import DIG_BLOCK, TOUCH_DROP
from optimus_gym.controllers.oracle.killing import KNOWN
from optimus_gym.controllers.oracle.meals import NO_ANIMAL, nearest_animal
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.packing_up import take_up_stations
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.roaming import LEG_BLOCKS, Walk
from optimus_gym.controllers.oracle.surviving import survive
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.core.witness import is_in_view
from optimus_gym.core.world_powers import WhereaboutsWorld
from optimus_gym.game.blocks import block, block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import items
from optimus_gym.game.sources import game_sources

_BUDGET = 60_000
"""Maximum number of cells that the path search to a thing looks at."""
_MOST_TROUBLES = 24
"""Maximum number of failed attempts in a row; after more, the script gives up."""
_MOST_LEGS = 60
"""Maximum number of legs of the walk to look for a thing; after more, the script gives up."""
_LOOKS_FROM = 8.0
"""Distance in blocks to a creature at which the player stops and looks at it."""
_WAITS = 40
"""Ticks of one wait for a creature to leave an item behind."""
_SHOWS = 100
"""Ticks for which the player looks at a thing in view (our choice; MP5 looks more often)."""
_LOOKS_AGAIN = 20
"""Ticks after which the player turns again towards a thing that it shows and that may have moved."""
_MOST_SHOWS = 60
"""Maximum number of views of the thing that the player shows; after more, the script ends."""
_STROLL = 12
"""Blocks of the walk after the first view; each walk is twice as long as the last, up to `LEG_BLOCKS`."""
_NO_CELLS = np.zeros((0, 3), np.int32)


class Spot(NamedTuple):
    """A place to go to and to look at: a goal of a path search (float64[n, 4]) and the search's mode."""

    goals: NDArray[np.float64]
    mode: int


class Sought:
    """The things that a find or move sub-goal wants: blocks by id, creatures by kind, items on the ground."""

    def __init__(self, miner: Miner, subgoal: SubGoal) -> None:
        self.miner, self.kinds = miner, subgoal.kinds
        known = [name for name in subgoal.kinds if name in block_names()]
        self.blocks: NDArray[np.float64] = np.zeros(1024)
        self.blocks[[block(name).id for name in known]] = 0.01
        self.creatures = np.isin(tuple(creature_kinds()), subgoal.kinds)
        self.items = tuple(name for name in subgoal.kinds if name in items())

    def spot(self) -> Spot | None:
        """Return where the nearest creature, or else item or block, is; None if the miner knows of none."""
        miner = self.miner
        k = int(nearest_animal(miner.worlds, miner.row, self.creatures, KNOWN, KNOWN))
        if k != NO_ANIMAL:
            one = miner.worlds.creatures[miner.row, k]
            return Spot(np.array([(one["x"], one["y"], one["z"], 0.0)], np.float64), TOUCH_DROP)
        drops = lying(miner, self.items, set())
        if drops:
            return Spot(np.array([(drop.x, drop.y, drop.z, 0.0) for drop in drops]), TOUCH_DROP)
        cells = miner.find(self.blocks, _NO_CELLS) if self.blocks.any() else _NO_CELLS
        if not len(cells):
            return None
        goals = np.zeros((len(cells), 4))
        goals[:, :3] = cells + 0.5
        return Spot(goals, DIG_BLOCK)

    def is_in_view(self) -> bool:
        """Return whether the player sees one of the things."""
        return is_in_view(self.miner.world, self.miner.row, self.kinds)

    def is_in_reach(self) -> bool:
        """Return whether one of the things is in reach of the player."""
        world: WhereaboutsWorld = self.miner.world  # type: ignore[assignment]  # the embedded world
        return not set(world.in_reach(self.miner.row)).isdisjoint(self.kinds)


def find(miner: Miner, subgoal: SubGoal) -> Script:
    """Go where the player sees a thing and show the thing, then another view, until the sub-goal is ended.

    The script does not know which view will do: the task may ask for a thing in a context, and the agent
    may have to see the thing. An item that creatures leave behind is picked up.
    """
    layers = _layers(subgoal)
    if layers:
        return (yield from _gather_left(miner, subgoal, layers))
    sought, walk = Sought(miner, subgoal), Walk(miner)
    for shown in range(_MOST_SHOWS):
        failure = yield from _seek(sought, subgoal, sought.is_in_view, _LOOKS_FROM)
        if failure is not None:
            return failure
        yield from _show(sought)
        yield from walk.leg(stride=min(_STROLL << shown, LEG_BLOCKS))
    return None


def _show(sought: Sought) -> Steps:
    """Look at a thing in view for `_SHOWS` ticks, or until no such thing is near."""
    miner = sought.miner
    for tick in range(_SHOWS):
        if tick % _LOOKS_AGAIN == 0 and not sought.is_in_view():
            spot = sought.spot()
            if spot is None or not (yield from _go(miner, spot, _LOOKS_FROM)):
                return False
        yield miner.fresh()
    return True


def move(miner: Miner, subgoal: SubGoal) -> Script:
    """Go until a thing is in reach of the player."""
    sought = Sought(miner, subgoal)
    return (yield from _seek(sought, subgoal, sought.is_in_reach, 0.0))


def _seek(
    sought: Sought, subgoal: SubGoal, is_there: Callable[[], bool], from_afar: float
) -> Script:
    """Go to the nearest wanted thing, or on where none is known, until `is_there` returns True.

    Args:
        sought: the wanted things.
        subgoal: the sub-goal, for failures.
        is_there: returns whether the player has come far enough.
        from_afar: distance in blocks at which the player first looks at a creature instead of going on.
    """
    miner, walk, troubles = sought.miner, Walk(sought.miner), 0
    miner.kept = {}
    yield from take_up_stations(miner)
    while not is_there():
        if not miner.player["alive"]:
            return Failure("died", subgoal.item, 1)
        if troubles > _MOST_TROUBLES or walk.legs > _MOST_LEGS:
            return Failure("not_found", subgoal.item, 1, "no walk came upon it")
        before = miner.tick()
        yield from survive(miner)
        spot = sought.spot()
        if spot is None:
            done = yield from walk.leg()
        else:
            done = yield from _go(miner, spot, 0.0 if troubles else from_afar)
        troubles = 0 if done and spot is None else troubles + 1
        if miner.tick() == before:
            yield from shake_loose(miner)
    return None


def _go(miner: Miner, spot: Spot, from_afar: float) -> Steps:
    """Go to a spot, look at it and dig away a block that hides it; return whether the player came there."""
    far = np.abs(spot.goals[0, :3] - miner.pose()[:3]).max()
    chosen, arrived = 0, True
    if spot.mode == DIG_BLOCK or far > from_afar:
        if miner.search(spot.goals, spot.mode, ON_FOOT, _BUDGET) != FOUND:
            arrived = False
        else:
            chosen = int(miner.answer[0])
        yield from follow_path(miner, wary=True)
    x, y, z = (int(at // 1) for at in spot.goals[chosen, :3])
    yield from look_at_cell(miner, (x, y, z))
    if arrived and spot.mode == DIG_BLOCK:
        yield from uncover(miner, (x, y, z))
    return arrived


def _layers(subgoal: SubGoal) -> tuple[str, ...]:
    """Return the creatures that leave behind what a find sub-goal wants, such as chickens for an egg."""
    ways = [way for way in game_sources() if way.verb == "find" and way.product in subgoal.kinds]
    return tuple(way.creature for way in ways if way.creature is not None)


def _gather_left(miner: Miner, subgoal: SubGoal, layers: tuple[str, ...]) -> Script:
    """Stay near creatures and pick up what they leave behind, until enough pieces are held."""
    sought = Sought(miner, SubGoal("move", layers[0], accepts=layers))
    goal, ignored = miner.count(subgoal.kinds) + subgoal.count, set[tuple[int, int]]()
    while (missing := goal - miner.count(subgoal.kinds)) > 0:
        drops = lying(miner, subgoal.kinds, ignored)
        if drops:
            yield from collect(miner, drops, ignored)
            continue
        failure = yield from _seek(sought, subgoal, sought.is_in_reach, 0.0)
        if failure is not None:
            return replace(failure, count=missing)
        for _ in range(_WAITS):
            yield miner.fresh()
    return None
