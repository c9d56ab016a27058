"""What is remembered as lines of a prompt, and back again: experiences, and plans after setbacks.

An experience tells what was pursued, in order, each with its time:

    - success at "craft wooden pickaxe", begun in forest: mine 3 oak_log (12 s); craft 3 oak_planks (0 s)
    - failure at "...", begun in plains: mine 1 coal (failed after 120 s: stuck) (it ended: budget)

What was pursued several times in a row stands once, with the time of all:
`(failed 3 times, 36 s in all: stuck)`. A plan after a setback tells how many of its sub-goals were reached:

    - success after "mine 3 iron_ore" (timeout: 3 iron_ore), 2 of 2 reached: mine 3 coal; mine 3 iron_ore

Words of rows are `told_words`: what parts the things of a line does not stand in them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

NOTHING: Final = "nothing"
LEFT_OUT: Final = "..."
"""Stands for the sub-goals of a plan that are not told."""
ENDINGS: Final[Mapping[str, str]] = {
    "": "",
    "complete": "called complete",
    "failed": "failed",
    "replan": "replanned",
}
"""How a sub-goal ended, and the words for it; "" where it was reached."""
_ENDED: Final = {words: end for end, words in ENDINGS.items()}
_PARTS: Final = str.maketrans({";": ",", "(": "[", ")": "]", '"': "'"})
_EXPERIENCE = re.compile(
    r'- (success|failure) at "([^"]*)", begun in ([^:]*): ([^"]*?)(?: \(it ended: ([^()]*)\))?'
)
_PURSUED = re.compile(r"([^()]*?)(?: \((.*)\))?")
_NOTE = re.compile(
    rf"(?:({'|'.join(filter(None, ENDINGS.values()))}) )?"
    r"(?:(\d+) times, (\d+) s in all|(?:after )?(\d+) s)(?:: (.*))?"
)
_REPLAN = re.compile(
    r'- (success|failure) after "([^"]*)" \(([^()]*)\), (\d+) of (\d+) reached: (.*)'
)


def told_words(text: object) -> str:
    """Return words in one line, without what parts the things of a line.

    >>> told_words("timeout; (3 logs)")
    'timeout, [3 logs]'
    """
    return " ".join(str(text).split()).translate(_PARTS)


def told_experiences(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return experiences (outcome, goal, environment, plan, end) as lines.

    A plan's rows are task, seconds (None: not known), times, end (`ENDINGS`), why.
    """
    return "\n".join(_told_experience(row) for row in rows) or NOTHING


def _told_experience(row: Mapping[str, Any]) -> str:
    plan = "; ".join(_told_pursued(one) for one in row["plan"]) or NOTHING
    end = f" (it ended: {row['end']})" if row["end"] else ""
    return f'- {row["outcome"]} at "{row["goal"]}", begun in {row["environment"]}: {plan}{end}'


def _told_pursued(row: Mapping[str, Any]) -> str:
    """Return what was pursued, and how it went.

    >>> _told_pursued({"task": "mine 1 coal", "seconds": 9, "times": 2, "end": "failed", "why": "stuck"})
    'mine 1 coal (failed 2 times, 9 s in all: stuck)'
    """
    if row["seconds"] is None:
        return str(row["task"])
    words, seconds, times = ENDINGS[row["end"]], row["seconds"], row["times"]
    after = "after " if words else ""
    time = f"{times} times, {seconds} s in all" if times > 1 else f"{after}{seconds} s"
    why = f": {row['why']}" if row["why"] else ""
    return f"{row['task']} ({words}{' ' if words else ''}{time}{why})"


def experiences_in(text: str) -> tuple[dict[str, Any], ...]:
    """Return the rows of lines.

    Raises:
        ValueError: a line tells no experience.
    """
    return () if text == NOTHING else tuple(_experience(line) for line in text.splitlines())


def _experience(line: str) -> dict[str, Any]:
    found = _EXPERIENCE.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of experiences, got {line!r}")
    outcome, goal, environment, plan, end = found.groups()
    rows = () if plan == NOTHING else tuple(_pursued(one) for one in plan.split("; "))
    return {
        "outcome": outcome,
        "goal": goal,
        "environment": environment,
        "plan": rows,
        "end": end or "",
    }


def _pursued(text: str) -> dict[str, Any]:
    found = _PURSUED.fullmatch(text)
    note = None if found is None else _NOTE.fullmatch(found[2] or "0 s")
    if found is None or note is None:
        raise ValueError(f"expected a sub-goal and how it went, got {text!r}")
    words, times, in_all, seconds, why = note.groups()
    return {
        "task": found[1],
        "seconds": None if found[2] is None else int(seconds or in_all),
        "times": int(times or 1),
        "end": _ENDED[words or ""],
        "why": why or "",
    }


def told_replans(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows (outcome, failed, why, plan, reached) as lines; a plan's are sub-goals."""
    return "\n".join(_told_replan(row) for row in rows) or NOTHING


def _told_replan(row: Mapping[str, Any]) -> str:
    reached = f"{row['reached']} of {len(row['plan'])} reached"
    plan = "; ".join(row["plan"])
    return f'- {row["outcome"]} after "{row["failed"]}" ({row["why"]}), {reached}: {plan}'


def replans_in(text: str) -> tuple[dict[str, Any], ...]:
    """Return the rows of lines.

    Raises:
        ValueError: a line tells no plan after a setback.
    """
    return () if text == NOTHING else tuple(_replan(line) for line in text.splitlines())


def _replan(line: str) -> dict[str, Any]:
    found = _REPLAN.fullmatch(line)
    if found is None:
        raise ValueError(f"expected a line of plans after setbacks, got {line!r}")
    outcome, failed, why, reached, count, plan = found.groups()
    steps = tuple(plan.split("; "))
    if len(steps) != int(count):
        raise ValueError(f"expected a plan of {count} sub-goals, got {line!r}")
    return {
        "outcome": outcome,
        "failed": failed,
        "why": why,
        "plan": steps,
        "reached": int(reached),
    }
