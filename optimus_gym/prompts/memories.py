"""Writes memories into the lines of a prompt and reads them back: experiences, and plans after setbacks.

The line of an experience lists the sub-goals of an episode in order, each with the time that it took:

    - success at "craft wooden pickaxe", begun in forest: mine 3 oak_log (12 s); craft 3 oak_planks (0 s)
    - failure at "...", begun in plains: mine 1 coal (failed after 120 s: stuck) (it ended: budget)

A sub-goal that was tried several times in a row is listed once, with the sum of the times:
`(failed 3 times, 36 s in all: stuck)`. The line of a plan after a setback says how many of the plan's
sub-goals were reached:

    - success after "mine 3 iron_ore" (timeout: 3 iron_ore), 2 of 2 reached: mine 3 coal; mine 3 iron_ore

Free words in a line pass through `told_words`, which replaces the characters that separate a line's parts.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

NOTHING: Final = "nothing"
LEFT_OUT: Final = "..."
"""Text in place of those sub-goals of a plan that a line leaves out."""
ENDINGS: Final[Mapping[str, str]] = {
    "": "",
    "complete": "called complete",
    "failed": "failed",
    "replan": "replanned",
}
"""Words for each end of a sub-goal that was not reached; the end "" (reached) has no words."""
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
    """Return a text in one line, with other characters for semicolons, round brackets and double quotes.

    >>> told_words("timeout; (3 logs)")
    'timeout, [3 logs]'
    """
    return " ".join(str(text).split()).translate(_PARTS)


def told_experiences(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return one line of text for each experience.

    An experience has the keys "outcome", "goal", "environment", "plan" and "end". Its plan is a list of
    sub-goals with the keys "task", "seconds" (None: not known), "times", "end" (one of `ENDINGS`) and "why".
    """
    return "\n".join(_told_experience(row) for row in rows) or NOTHING


def _told_experience(row: Mapping[str, Any]) -> str:
    plan = "; ".join(_told_pursued(one) for one in row["plan"]) or NOTHING
    end = f" (it ended: {row['end']})" if row["end"] else ""
    return f'- {row["outcome"]} at "{row["goal"]}", begun in {row["environment"]}: {plan}{end}'


def _told_pursued(row: Mapping[str, Any]) -> str:
    """Return the text of one sub-goal in an experience: its task, its end, its time and the reason.

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
    """Return the experiences in lines that `told_experiences` wrote.

    Raises:
        ValueError: a line holds no experience.
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
    """Return one line of text for each plan after a setback.

    Such a row has the keys "outcome", "failed" (the failed sub-goal), "why", "plan" (its sub-goals) and
    "reached" (how many of these were reached).
    """
    return "\n".join(_told_replan(row) for row in rows) or NOTHING


def _told_replan(row: Mapping[str, Any]) -> str:
    reached = f"{row['reached']} of {len(row['plan'])} reached"
    plan = "; ".join(row["plan"])
    return f'- {row["outcome"]} after "{row["failed"]}" ({row["why"]}), {reached}: {plan}'


def replans_in(text: str) -> tuple[dict[str, Any], ...]:
    """Return the plans after setbacks in lines that `told_replans` wrote.

    Raises:
        ValueError: a line holds no plan after a setback.
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
