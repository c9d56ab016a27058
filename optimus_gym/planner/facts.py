"""What a request says: the same facts as values and as lines of the prompt."""

from collections.abc import Mapping, Sequence
from typing import Any

from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.planner.ask import Setback
from optimus_gym.planner.completion import place_in_words
from optimus_gym.prompts.words import word_for

NOTHING = "nothing"


def facts_of(
    situation: Situation, needed: Requirements | None, verbs: Sequence[str]
) -> dict[str, Any]:
    """Return what is known as plain values; everything here also stands in the text."""
    goal = situation.goal
    return {
        "verbs": tuple(verbs),
        "goal": (goal.verb, word_for(goal.item, goal.kinds), goal.count),
        "inventory": {name: n for name, n in sorted(situation.inventory.items()) if n > 0},
        "equipped": situation.equipped,
        "stations": tuple(sorted(situation.stations)),
        "steps": tuple(_row(step) for step in needed.steps) if needed is not None else (),
    }


def lines_of(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the facts as the prompt's values."""
    verb, item, count = facts["goal"]
    return {
        "verbs": ", ".join(facts["verbs"]),
        "goal": f"{verb} {count} {item}",
        "inventory": _counts(facts["inventory"]),
        "equipped": facts["equipped"] or NOTHING,
        "stations": ", ".join(facts["stations"]) or NOTHING,
        "steps": _numbered(facts["steps"]),
    }


def failure_facts(setback: Setback) -> dict[str, str]:
    """Return what is known of a failure as plain values."""
    return {"failed": str(setback.failed), "failure": str(setback.why)}


def _row(step: Step) -> dict[str, Any]:
    return {
        "verb": step.verb,
        "item": word_for(step.item, step.kinds),
        "count": step.count,
        "tool": step.tool,
        "station": step.station,
        "uses": {word_for(use.item, use.kinds): use.count for use in step.uses},
        "holds": step.holds,
        "creature": step.creature,
        "place": place_in_words(step.place),
    }


def _numbered(rows: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for number, row in enumerate(rows, start=1):
        notes = []
        if row["uses"]:
            notes.append("uses " + _counts(row["uses"]))
        if row["station"] is not None:
            notes.append(f"at {row['station']}")
        if row["tool"] is not None:
            notes.append(f"with {row['tool']} or better")
        if row["holds"]:
            notes.append("holding " + ", ".join(row["holds"]))
        if row["creature"] is not None:
            notes.append(f"from {row['creature']}")
        if row["place"] is not None:
            notes.append(f"in {row['place']}")
        note = f" ({'; '.join(notes)})" if notes else ""
        lines.append(f"{number}. {row['verb']} {row['count']} {row['item']}{note}")
    return "\n".join(lines) or NOTHING


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or NOTHING
