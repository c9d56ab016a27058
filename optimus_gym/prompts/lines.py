"""The facts of a prompt as lines of text, and back again: whoever reads the text knows the same.

| fact | value | as text |
| --- | --- | --- |
| `verbs` | names | `mine, craft` |
| `goal` | verb, item, count | `craft 1 stone_pickaxe` |
| `inventory` | pieces by item | `2 birch_log, 1 stick` |
| `equipped` | item or None | `stick` |
| `stations` | names | `crafting_table` |
| `health`, `food`, `hotbar`, `environment` | what the screen shows, in words | `20 of 20` |
| `steps` | rows: verb, item, count, tool, station, uses, holds, creature, place | `1. craft 5 planks` |
| `experiences` | rows: outcome, goal, environment, plan, end | `- success at "...", begun in forest: ...` |
| `before`, `now` | what the screen showed, by name | `health 20 of 20; food 17 of 20` |
| `cases` | rows: situation, likeness, environment, predicament | `- done, likeness 0.93, in forest` |
| `predicaments` | names | `in_water, hurt` |
| `seconds`, `left` | number | `10` |
| `failed`, `failure`, `subgoal`, `alike_before`, `alike_last`, `pictures` | words | as they are |
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from optimus_gym.core.requests import Request
from optimus_gym.prompts.template import values_in

NOTHING = "nothing"
SIGHTS = ("health", "food", "hotbar", "environment")
"""What is read from the screen (Optimus-1, appendix E.4)."""
AS_THEY_ARE = (
    *SIGHTS, "failed", "failure", "subgoal", "alike_before", "alike_last", "pictures",
)  # fmt: skip
_STEP = re.compile(r"\d+\. (\w+) (\d+) (\S+)(?: \((.*)\))?")
_NOTES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "uses": re.compile(r"uses (.+)"),
        "station": re.compile(r"at (.+)"),
        "tool": re.compile(r"with (.+) or better"),
        "holds": re.compile(r"holding (.+)"),
        "creature": re.compile(r"from (.+)"),
        "place": re.compile(r"in (.+)"),
    }
)
_EXPERIENCE = re.compile(
    r'- (success|failure) at "(.*)", begun in ([^:]*): (.*?)(?: \(it ended: (.*)\))?'
)


_CASE = re.compile(r"- (\w+), likeness ([-\d.]+), in ([^,]*)(?:, predicament (.*))?")


def lines_of(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return facts as a prompt's values."""
    return {name: _WRITERS[name](value) for name, value in facts.items()}


def facts_in(request: Request) -> dict[str, Any] | None:
    """Return the facts that a request's text tells, or None if it is no prompt of its kind.

    A request that asks for a corrected answer tells those of the request that it repeats.
    """
    correction = values_in("correct", request.text)
    text = request.text if correction is None else correction["request"]
    values = values_in(request.kind, text)
    if values is None:
        return None
    try:
        return {name: _READERS[name](value) for name, value in values.items()}
    except ValueError:
        return None


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or NOTHING


def _names(text: str) -> tuple[str, ...]:
    return () if text == NOTHING else tuple(text.split(", "))


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or NOTHING


def _counts(text: str) -> dict[str, int]:
    pairs = (part.split(" ", 1) for part in _names(text))
    return {name: int(count) for count, name in pairs}


def _told_goal(goal: tuple[str, str, int]) -> str:
    verb, item, count = goal
    return f"{verb} {count} {item}"


def _goal(text: str) -> tuple[str, str, int]:
    verb, count, item = text.split(" ", 2)
    return verb, item, int(count)


def _told_steps(rows: Sequence[Mapping[str, Any]]) -> str:
    numbered = enumerate(rows, start=1)
    return "\n".join(_told_step(n, row) for n, row in numbered) or NOTHING


def _told_step(number: int, row: Mapping[str, Any]) -> str:
    notes = []
    if row["uses"]:
        notes.append("uses " + _counted(row["uses"]))
    if row["station"] is not None:
        notes.append(f"at {row['station']}")
    if row["tool"] is not None:
        notes.append(f"with {row['tool']} or better")
    if row["holds"]:
        notes.append("holding " + _listed(row["holds"]))
    if row["creature"] is not None:
        notes.append(f"from {row['creature']}")
    if row["place"] is not None:
        notes.append(f"in {row['place']}")
    note = f" ({'; '.join(notes)})" if notes else ""
    return f"{number}. {row['verb']} {row['count']} {row['item']}{note}"


def _steps(text: str) -> tuple[dict[str, Any], ...]:
    return () if text == NOTHING else tuple(_step(line) for line in text.splitlines())


def _step(line: str) -> dict[str, Any]:
    """Return the row of a line.

    >>> _step("2. mine 3 cobblestone (with wooden_pickaxe or better)")["tool"]
    'wooden_pickaxe'
    """
    found = _STEP.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of steps, got {line!r}")
    verb, count, item, notes = found.groups()
    told: dict[str, str] = {}
    for note in (notes or "").split("; ") if notes else ():
        for name, pattern in _NOTES.items():
            if (match := pattern.fullmatch(note)) is not None and name not in told:
                told[name] = match[1]
                break
    return {
        "verb": verb,
        "item": item,
        "count": int(count),
        "tool": told.get("tool"),
        "station": told.get("station"),
        "uses": _counts(told.get("uses", NOTHING)),
        "holds": _names(told.get("holds", NOTHING)),
        "creature": told.get("creature"),
        "place": told.get("place"),
    }


def _told_experiences(rows: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(_told_experience(row) for row in rows) or NOTHING


def _told_experience(row: Mapping[str, Any]) -> str:
    plan = "; ".join(row["plan"]) or NOTHING
    end = f" (it ended: {row['end']})" if row["end"] else ""
    return f'- {row["outcome"]} at "{row["goal"]}", begun in {row["environment"]}: {plan}{end}'


def _experiences(text: str) -> tuple[dict[str, Any], ...]:
    return () if text == NOTHING else tuple(_experience(line) for line in text.splitlines())


def _experience(line: str) -> dict[str, Any]:
    found = _EXPERIENCE.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of experiences, got {line!r}")
    outcome, goal, environment, plan, end = found.groups()
    steps = () if plan == NOTHING else tuple(plan.split("; "))
    return {
        "outcome": outcome,
        "goal": goal,
        "environment": environment,
        "plan": steps,
        "end": end or "",
    }


def _told_screen(words: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {what}" for name, what in words.items()) or NOTHING


def _screen(text: str) -> dict[str, str]:
    pairs = (part.partition(" ") for part in text.split("; ")) if text != NOTHING else ()
    return {name: what for name, _, what in pairs}


def _told_cases(rows: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(_told_case(row) for row in rows) or NOTHING


def _told_case(row: Mapping[str, str]) -> str:
    end = f", predicament {row['predicament']}" if row["predicament"] else ""
    return f"- {row['situation']}, likeness {row['likeness']}, in {row['environment']}{end}"


def _cases(text: str) -> tuple[dict[str, str], ...]:
    return () if text == NOTHING else tuple(_case(line) for line in text.splitlines())


def _case(line: str) -> dict[str, str]:
    found = _CASE.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of cases, got {line!r}")
    situation, likeness, environment, predicament = found.groups()
    return {
        "situation": situation,
        "likeness": likeness,
        "environment": environment,
        "predicament": predicament or "",
    }


_WRITERS: Mapping[str, Any] = MappingProxyType(
    {
        "verbs": _listed,
        "goal": _told_goal,
        "inventory": _counted,
        "equipped": lambda item: item or NOTHING,
        "stations": _listed,
        "steps": _told_steps,
        "experiences": _told_experiences,
        "before": _told_screen,
        "now": _told_screen,
        "cases": _told_cases,
        "predicaments": _listed,
        "seconds": str,
        "left": str,
        **dict.fromkeys(AS_THEY_ARE, str),
    }
)
_READERS: Mapping[str, Any] = MappingProxyType(
    {
        "verbs": _names,
        "goal": _goal,
        "inventory": _counts,
        "equipped": lambda text: None if text == NOTHING else text,
        "stations": _names,
        "steps": _steps,
        "experiences": _experiences,
        "before": _screen,
        "now": _screen,
        "cases": _cases,
        "predicaments": _names,
        "seconds": int,
        "left": int,
        **dict.fromkeys(AS_THEY_ARE, str),
    }
)
