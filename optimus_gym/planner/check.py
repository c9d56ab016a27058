"""Tries a plan on the inventory before it runs, and names the first step that cannot work."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, Failure, SubGoal
from optimus_gym.game.sources import FURNACE, TABLE, game_sources
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.worlds.symbolic.pack import Pack
from optimus_gym.worlds.symbolic.rules import Rules
from optimus_gym.worlds.symbolic.ways import Ways

RULES_KEPT = 8
BASIC_STATIONS = (None, TABLE, FURNACE)
"""Where every world crafts and smelts."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first step of a plan that cannot work, and what it lacks."""

    number: int
    subgoal: SubGoal
    why: Failure

    def __str__(self) -> str:
        return f"step {self.number} ({self.subgoal}) cannot work: {self.why.detail}"


def rules_for(graph: KnowledgeGraph) -> Rules:
    """Return the rules by which a plan is tried: what the graph knows now, and the game's recipes.

    A recipe that the graph has yet to learn is no fault of a plan. Tools wear out; those held at first
    are taken to be new, since an inventory does not tell.
    """
    return _kept_rules(graph) if graph.fixed else _rules_of(graph)


@lru_cache(RULES_KEPT)
def _kept_rules(graph: KnowledgeGraph) -> Rules:
    """Return the rules of a graph that never learns, made once."""
    return _rules_of(graph)


def _rules_of(graph: KnowledgeGraph) -> Rules:
    recipes = (
        source
        for source in game_sources()
        if source.verb in ("craft", "smelt") and source.station in BASIC_STATIONS
    )
    return Rules(Ways(dict.fromkeys((*graph.sources, *recipes))))


def first_fault(subgoals: Sequence[SubGoal], pack: Pack, rules: Rules) -> Fault | None:
    """Carry out sub-goals on `pack` up to the first that cannot work; None if all can."""
    for number, subgoal in enumerate(subgoals, start=1):
        if subgoal.verb == RECOVER:
            continue  # what it does to the inventory nobody knows
        failure = rules.do(pack, subgoal).failure
        if failure is not None:
            return Fault(number, subgoal, failure)
    return None


def fault_of(subgoals: Sequence[SubGoal], situation: Situation, rules: Rules) -> str | None:
    """Return in words why a plan does not lead to the situation's goal, or None.

    What is gathered comes in its first kind, at the mean: what only the world can tell is left to
    the replanning.
    """
    goal = situation.goal
    pack = Pack.of(situation.inventory, situation.stations, situation.equipped)
    fault = first_fault(subgoals, pack, rules)
    if fault is not None:
        return str(fault)
    if goal.verb == "find":
        found = any(step.verb == "find" and step.item in goal.kinds for step in subgoals)
        return None if found else f"it never finds {goal.item}"
    if goal.verb == "equip":
        worn = any(name in goal.kinds for name in pack.worn.values())
        return None if worn else f"at its end no {goal.item} would be worn or in hand"
    if goal.verb == "place":
        placed = pack.near.intersection(goal.kinds) or _places(subgoals, goal)
        return None if placed else f"at its end no {goal.item} would be placed"
    held = pack.count(goal.kinds)
    if held < goal.count:
        return f"at its end {held} of {goal.count} {goal.item} would be held"
    return None


def _places(subgoals: Sequence[SubGoal], goal: SubGoal) -> bool:
    return any(step.verb == "place" and step.item in goal.kinds for step in subgoals)
