"""What a request for a plan says, as plain values (`prompts.lines` makes them its text)."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.planner.ask import Setback
from optimus_gym.planner.completion import place_in_words
from optimus_gym.prompts.words import word_for

TICKS_A_SECOND = 20


def situation_facts(situation: Situation, verbs: Sequence[str]) -> dict[str, Any]:
    """Return what is known of a row, and the verbs that a plan may use."""
    goal = situation.goal
    return {
        "verbs": tuple(verbs),
        "goal": (goal.verb, word_for(goal.item, goal.kinds), goal.count),
        "inventory": {name: n for name, n in sorted(situation.inventory.items()) if n > 0},
        "equipped": situation.equipped,
        "stations": tuple(sorted(situation.stations)),
        "left": max(situation.budget - situation.tick, 0) // TICKS_A_SECOND,
    }


def step_facts(needed: Requirements | None) -> tuple[dict[str, Any], ...]:
    """Return what the knowledge graph says is needed, a row a line."""
    return tuple(_row(step) for step in needed.steps) if needed is not None else ()


def failure_facts(setback: Setback) -> dict[str, str]:
    """Return what is known of a failure, each on one line."""
    return {"failed": _line(setback.failed), "failure": _line(setback.why)}


def _line(told: object) -> str:
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
