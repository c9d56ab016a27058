"""Facts for a request for a plan: situation, needed steps and setback, as plain values (`prompts.lines`)."""

from collections.abc import Collection
from typing import Any, Final

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import TICKS_A_SECOND, VERBS, SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.minds.completion import place_in_words
from optimus_gym.minds.planning import Setback
from optimus_gym.prompts.words import word_for

MIND_PROMPTS: Final = "optimus_gym.minds.prompts"
"""The package of the prompts that agents share."""
NO_PICTURES: Final = "none"
ALWAYS: Final = ("mine", "craft", "smelt", "equip", "place")
"""Verbs of sub-goals that work in every world."""


def situation_facts(situation: Situation) -> dict[str, Any]:
    """Return the facts of a row's situation."""
    goal = situation.goal
    return {
        "goal": step_row(goal),
        "inventory": {name: n for name, n in sorted(situation.inventory.items()) if n > 0},
        "equipped": situation.equipped,
        "stations": tuple(sorted(situation.stations)),
        "left": max(situation.budget - situation.tick, 0) // TICKS_A_SECOND,
    }


def plan_verbs(goal: SubGoal, known: Collection[str]) -> tuple[str, ...]:
    """Return the verbs that a plan for a goal may use, in the order of `VERBS`."""
    return tuple(verb for verb in VERBS if verb in known or verb == goal.verb)


def able_verbs(graph: KnowledgeGraph) -> set[str]:
    """Return the verbs of the sub-goals that an environment allows, given the graph of its ways."""
    return {*ALWAYS, *(source.verb for source in graph.sources)}


def step_facts(needed: Requirements | None) -> tuple[dict[str, Any], ...]:
    """Return the steps that the knowledge graph requires, one mapping for each step."""
    return tuple(_row(step) for step in needed.steps) if needed is not None else ()


def step_row(subgoal: SubGoal) -> tuple[str, str, int]:
    """Return verb, word for the item, and count of a sub-goal."""
    return subgoal.verb, word_for(subgoal.item, subgoal.kinds), subgoal.count


def setback_facts(setback: Setback) -> dict[str, str]:
    """Return the failed sub-goal and the failure, each on one line."""
    return {"failed": in_a_line(setback.failed), "failure": in_a_line(setback.why)}


def in_a_line(told: object) -> str:
    """Return an object's text (`str`) on one line, with single spaces."""
    return " ".join(str(told).split())


def _row(step: Step) -> dict[str, Any]:
    return {
        "verb": step.verb,
        "item": word_for(step.item, step.kinds),
        "count": step.count,
        "tool": step.tool,
        "station": step.station,
        "uses": {word_for(use.item, use.kinds): use.count for use in step.uses},
        "holds": tuple(step.holds),
        "creature": step.creature,
        "place": place_in_words(step.place),
    }
