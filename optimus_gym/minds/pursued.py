"""Pursued sub-goals of an episode as rows of a prompt: short, in order, with times (`prompts.memories`)."""

from collections.abc import Iterable, Mapping, Sequence
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
Row = dict[str, Any]


def pursued_rows(experience: Experience) -> tuple[Row, ...]:
    """Return an experience's sub-goals as rows of a plan: task, seconds, times, end, why.

    The same sub-goal with the same end, several times in a row, is one row. Of a long episode, setbacks and
    recoveries are left out first, the oldest ones first; then its beginning, for which `LEFT_OUT` stands. A
    success keeps up to 24 rows of what was reached. Where nothing was pursued (others' memories), the rows
    are the first plan's, without times.
    """
    if not experience.pursuits:
        return tuple(_row(text, None, 1, "", "") for text in experience.plan)
    rows = _merged([_row_of(pursuit) for pursuit in experience.pursuits])
    most = MOST
    if experience.outcome == "success":
        rows, most = _without_spare(rows), MOST_REACHED
    if len(rows) > most:
        rows = [_row(LEFT_OUT, None, 1, "", ""), *rows[-most:]]
    return tuple(rows)


def without_setbacks(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return an experience's row without the sub-goals that failed or were given up."""
    return {**row, "plan": tuple(one for one in row["plan"] if one["end"] not in SET_BACK)}


def _row_of(pursuit: Pursuit) -> Row:
    end = "" if pursuit.end == "reached" else pursuit.end
    why = pursuit.failure if end in SET_BACK else ""
    return _row(pursuit.text, pursuit.ticks / TICKS_A_SECOND, 1, end, why)


def _merged(rows: Iterable[Row]) -> list[Row]:
    """Return one row for each run of the same sub-goal with the same end; it failed as it did at last."""
    merged = []
    for (task, end), run in groupby(rows, key=lambda one: (one["task"], one["end"])):
        same = list(run)
        seconds, times = (sum(one[name] for one in same) for name in ("seconds", "times"))
        merged.append(_row(task, round(seconds), times, end, same[-1]["why"]))
    return merged


def _without_spare(rows: Sequence[Row]) -> list[Row]:
    """Return a success's rows without its oldest setbacks and recoveries, as far as they are too many."""
    spare = [k for k, row in enumerate(rows) if _is_spare(row)]
    gone = set(spare[: max(len(rows) - MOST, 0)])
    return _merged(row for k, row in enumerate(rows) if k not in gone)


def _is_spare(row: Row) -> bool:
    """Return whether a success's rows can do without this one."""
    return row["end"] in SET_BACK or row["task"].startswith(f"{RECOVER} ")


def _row(task: str, seconds: float | None, times: int, end: str, why: str) -> Row:
    assert end in ENDS
    return {
        "task": plain_words(task),
        "seconds": seconds,
        "times": times,
        "end": end,
        "why": plain_words(why),
    }
