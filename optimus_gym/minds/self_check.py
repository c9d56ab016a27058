"""Tries a plan on the inventory before the plan runs; names each step that cannot work, and what it lacks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import ACT_VERBS, RECOVER, Failure, SubGoal
from optimus_gym.game.items import items
from optimus_gym.game.sources import CRAFTING_TABLE, FURNACE, game_sources
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.simulate.carrying_out import Rules
from optimus_gym.knowledge.simulate.pack import Pack
from optimus_gym.knowledge.simulate.way_table import WayTable

RULES_KEPT = 8
MOST_LACKS = 8
"""Maximum number of lacking things that the check gives the simulated player for one step; a step that lacks
more counts as done: our choice."""
WAYLESS = ("equip", "place", "find", "move", "dig_up", "dig_down", "use")
"""Verbs of sub-goals that get no item, so that no way to get an item is needed for them."""
BASIC_STATIONS = (None, CRAFTING_TABLE, FURNACE)
"""Stations at which every world crafts and smelts; None = no station."""
_GIVEN = ("missing_item", "missing_tool", "missing_station")
"""Reasons of a step's failure after which the check gives the simulated player the lacking thing and
retries."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A step of a plan that cannot work, and all things that the step lacks.

    Attributes:
        place: the step's index in the plan.
        step: the plan's own name of the step, such as "step 1".
        subgoal: the step's sub-goal.
        lacks: the failures that keep the step from working; never empty.
    """

    place: int
    step: str
    subgoal: SubGoal
    lacks: tuple[Failure, ...]

    def __str__(self) -> str:
        why = ", and ".join(dict.fromkeys(failure.detail for failure in self.lacks))
        return f"{self.step} ({self.subgoal}) cannot work: {why}"


@dataclass(frozen=True, slots=True)
class Judging:
    """The rules that check a plan before the plan runs.

    Attributes:
        rules: rules for carrying out sub-goals.
        is_whole: whether the rules know all ways to get items; if False, a step by an unknown way passes as
            if it worked, so that the agent can learn from it.
    """

    rules: Rules
    is_whole: bool = True


def judging_by(graph: KnowledgeGraph, is_whole: bool = True) -> Judging:
    """Return the rules that check plans over a knowledge graph.

    If `is_whole` is False, the rules hold only the graph's ways. If `is_whole` is True, the rules also hold
    all recipes for the stations of `BASIC_STATIONS`, since every world has these recipes. Tools wear out;
    tools in the first inventory count as new, since an inventory does not show wear.
    """
    if not is_whole:
        return Judging(Rules(WayTable(graph.sources)), False)
    return Judging(_kept_rules(graph) if graph.fixed else _whole_rules(graph))


@lru_cache(RULES_KEPT)
def _kept_rules(graph: KnowledgeGraph) -> Rules:
    """Return the rules for a fixed graph of all ways, made once for each graph."""
    return _whole_rules(graph)


def _whole_rules(graph: KnowledgeGraph) -> Rules:
    recipes = (
        source
        for source in game_sources()
        if source.verb in ("craft", "smelt") and source.station in BASIC_STATIONS
    )
    return Rules(WayTable(dict.fromkeys((*graph.sources, *recipes))))


def faults_in(
    subgoals: Sequence[SubGoal],
    pack: Pack,
    judging: Judging,
    steps: Sequence[str] = (),
    goal: SubGoal | None = None,
) -> list[Fault]:
    """Carry out sub-goals on `pack`, and return the faults of all steps that cannot work.

    Once a fault is noted, the pack gets the lacking thing, so that later steps are not blamed for the same
    fault.

    Args:
        subgoals: the plan.
        pack: the player's things; changed.
        judging: the rules that check the plan.
        steps: for each sub-goal the plan's own name of its step; empty: "step 1", "step 2", ...
        goal: the goal, whose reaching ends the episode, so that later steps are not carried out; None: all
            steps are.
    """
    found = []
    named = steps or [f"step {number}" for number in range(1, len(subgoals) + 1)]
    for place, (step, subgoal) in enumerate(zip(named, subgoals, strict=True)):
        if goal is not None and place and _missed(subgoals[:place], goal, pack) is None:
            break
        if subgoal.verb == RECOVER:
            continue  # its effect on the inventory is unknown
        if not (judging.is_whole or _is_known(subgoal, pack, judging.rules)):
            _give_gained(subgoal, pack)
            continue
        lacks: list[Failure] = []
        while (failure := _carried_out(subgoal, pack, judging.rules)) is not None:
            lacks.append(failure)
            if len(lacks) > MOST_LACKS or not _given(failure, pack):
                _give_gained(subgoal, pack)
                break
        if lacks:
            found.append(Fault(place, step, subgoal, tuple(lacks)))
    return found


def _give_gained(subgoal: SubGoal, pack: Pack) -> None:
    """Give the simulated player what a sub-goal would have brought: no item of an act, no unknown item."""
    if subgoal.verb not in ACT_VERBS and subgoal.item in items():
        pack.give(subgoal.item, subgoal.count)


def _is_known(subgoal: SubGoal, pack: Pack, rules: Rules) -> bool:
    """Return whether the rules can judge a sub-goal: they know a way to its item, or it needs no way."""
    if subgoal.verb in WAYLESS or subgoal.item in pack.near:
        return True
    if subgoal.verb == "fight":
        return any(rules.ways.kills(kind) for kind in subgoal.kinds)
    ways = (way for kind in subgoal.kinds for way in rules.ways.to(kind))
    return any(way.verb == subgoal.verb for way in ways)


def _carried_out(subgoal: SubGoal, pack: Pack, rules: Rules) -> Failure | None:
    """Carry out a sub-goal on a pack; if the sub-goal fails, restore the pack and return the failure."""
    before = pack.copy()
    failure = rules.do(pack, subgoal).failure
    if failure is not None:
        pack.held, pack.near, pack.fire = before.held, before.near, before.fire
        pack.worn, pack.uses = before.worn, before.uses
    return failure


def _given(failure: Failure, pack: Pack) -> bool:
    """Add the thing that a sub-goal lacked to a pack; return whether the thing can be added."""
    name = failure.item
    if name is None or name not in items() or failure.reason not in _GIVEN:
        return False
    if failure.reason == "missing_station":
        pack.near.add(name)
    else:
        pack.give(name, max(failure.count, 1))
    return True


def faults_of(
    subgoals: Sequence[SubGoal], situation: Situation, judging: Judging, steps: Sequence[str] = ()
) -> tuple[list[Fault], str | None]:
    """Return a plan's faults, and in words why the plan misses the goal (None if the plan reaches the goal).

    The check assumes that gathering gives the first of the items that the sub-goal accepts, at the mean
    yield. A mistake that only the world can show is left to replanning.

    Args:
        subgoals: the plan.
        situation: items held and in reach, and the goal.
        judging: the rules that check the plan.
        steps: as for `faults_in`.
    """
    pack = Pack.of(situation.inventory, situation.stations, situation.equipped)
    faults = faults_in(subgoals, pack, judging, steps, situation.goal)
    return faults, _missed(subgoals, situation.goal, pack)


def _missed(subgoals: Sequence[SubGoal], goal: SubGoal, pack: Pack) -> str | None:
    """Return in words why a goal is not reached at a plan's end; None if the goal is reached."""
    if goal.verb == "find":
        found = any(step.verb == "find" and step.item in goal.kinds for step in subgoals)
        return None if found else f"the plan never finds {goal.item}"
    if goal.verb == "equip":
        worn = any(name in goal.kinds for name in pack.worn.values())
        return None if worn else f"the plan ends without {goal.item} worn or in hand"
    if goal.verb == "place":
        placed = pack.near.intersection(goal.kinds) or _places(subgoals, goal)
        return None if placed else f"the plan ends without placing {goal.item}"
    held = pack.count(goal.kinds)
    if held < goal.count:
        more = f", {goal.count - held} more are needed" if held else ""
        return f"the plan ends with {held} of {goal.count} {goal.item}{more}"
    return None


def _places(subgoals: Sequence[SubGoal], goal: SubGoal) -> bool:
    return any(step.verb == "place" and step.item in goal.kinds for step in subgoals)
