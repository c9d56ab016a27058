"""What was pursued in an episode, as a prompt tells it: short, in order, with times (`prompts.memories`)."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, Final

from optimus_gym.core.deliberation import End
from optimus_gym.core.types import RECOVER
from optimus_gym.memory.experience import Experience, Pursuit
from optimus_gym.minds.telling import TICKS_A_SECOND
from optimus_gym.prompts.memories import ENDS, LEFT_OUT, plain_words

MOST: Final = 12
"""Sub-goals that are told of an episode: our choice."""
MOST_REACHED: Final = 24
"""Reached sub-goals that are told of a success, which can be followed only as a whole: our choice."""
SET_BACK: Final[tuple[End, ...]] = ("failed", "replan")
Rows = list[dict[str, Any]]


def pursued_rows(experience: Experience) -> tuple[dict[str, Any], ...]:
    """Return an experience's sub-goals as rows of a plan: task, seconds, times, end, why.

    The same sub-goal with the same end, several times in a row, is one row. Of a long episode, setbacks and
    recoveries are left out first, the oldest ones first; then its beginning, for which `LEFT_OUT` stands. A
    success keeps up to 24 rows of what was reached. Where nothing was pursued (others' memories), the rows
    are the first plan's, without times.
    """
    if not experience.pursuits:
        return tuple(_row(text, None, 1, "", "") for text in experience.plan)
    rows = list(_merged(experience.pursuits))
    most = MOST
    if experience.outcome == "success":
        spare = [row for row in rows if _is_spare(row)]
        gone = spare[: max(len(rows) - MOST, 0)]
        rows = [row for row in rows if all(row is not one for one in gone)]
        most = MOST_REACHED
    if len(rows) > most:
        rows = [_row(LEFT_OUT, None, 1, "", ""), *rows[-most:]]
    return tuple(rows)


def without_setbacks(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an experience's row without the sub-goals that failed or were given up."""
    return {**row, "plan": tuple(one for one in row["plan"] if one["end"] not in SET_BACK)}


def _merged(pursuits: tuple[Pursuit, ...]) -> Iterator[dict[str, Any]]:
    """Yield a row for each run of the same sub-goal with the same end; it failed as it did at last."""
    for (text, end), run in groupby(pursuits, key=lambda one: (one.text, one.end)):
        same = list(run)
        seconds = round(sum(one.ticks for one in same) / TICKS_A_SECOND)
        why = same[-1].failure if end in SET_BACK else ""
        yield _row(text, seconds, len(same), "" if end == "reached" else end, why)


def _is_spare(row: dict[str, Any]) -> bool:
    """Return whether a success can be told without a row."""
    return row["end"] in SET_BACK or row["task"].startswith(f"{RECOVER} ")


def _row(task: str, seconds: int | None, times: int, end: str, why: str) -> dict[str, Any]:
    assert end in ENDS
    return {
        "task": plain_words(task),
        "seconds": seconds,
        "times": times,
        "end": end,
        "why": plain_words(why),
    }
