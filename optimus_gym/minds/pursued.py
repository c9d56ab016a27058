"""Sub-goals of a remembered episode as short rows of a prompt, in order, with times (`prompts.memories`)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from optimus_gym.core.deliberation import End
from optimus_gym.core.types import RECOVER, TICKS_A_SECOND
from optimus_gym.memory.experience import Experience, PastPursuit
from optimus_gym.prompts.memories import ENDINGS, LEFT_OUT, told_words

MOST_SUBGOALS: Final = 12
"""Maximum number of sub-goals of an episode in a prompt: our choice."""
MOST_REACHED: Final = 24
"""Maximum number of rows of a success in a prompt: our choice, twice `MOST_SUBGOALS`, as only a whole success
is useful."""
SET_BACK: Final[tuple[End, ...]] = ("failed", "replan")
_Row = dict[str, Any]


def pursued_rows(experience: Experience) -> tuple[_Row, ...]:
    """Return a remembered episode's sub-goals as rows: task, seconds, repetitions, end, reason of failure.

    Consecutive equal sub-goals with the same end share one row. A success of more than 12 rows loses
    its oldest setbacks and recoveries. If more than 24 rows of a success, or more than 12 rows of a failure,
    are left, one row `LEFT_OUT` replaces the oldest rows. If the memory stores only the first plan of an
    episode, the rows are the plan's sub-goals, without durations.
    """
    if not experience.pursuits:
        return tuple(_row(text, None, 1, "", "") for text in experience.plan)
    rows = _merged([_row_of(pursuit) for pursuit in experience.pursuits])
    most = MOST_SUBGOALS
    if experience.outcome == "success":
        rows, most = _without_spare(rows), MOST_REACHED
    if len(rows) > most:
        rows = [_row(LEFT_OUT, None, 1, "", ""), *rows[-most:]]
    return tuple(rows)


def without_setbacks(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping for a remembered episode without the sub-goals that failed or were given up."""
    return {**row, "plan": tuple(one for one in row["plan"] if one["end"] not in SET_BACK)}


def _row_of(pursuit: PastPursuit) -> _Row:
    end = "" if pursuit.end == "reached" else pursuit.end
    why = pursuit.failure if end in SET_BACK else ""
    return _row(pursuit.text, pursuit.ticks / TICKS_A_SECOND, 1, end, why)


def _merged(rows: Iterable[_Row]) -> list[_Row]:
    """Return one row for each run of equal sub-goals with equal ends, with the last failure's reason."""
    merged = []
    for (task, end), run in groupby(rows, key=lambda one: (one["task"], one["end"])):
        same = list(run)
        seconds, times = (sum(one[name] for one in same) for name in ("seconds", "times"))
        merged.append(_row(task, round(seconds), times, end, same[-1]["why"]))
    return merged


def _without_spare(rows: Sequence[_Row]) -> list[_Row]:
    """Drop the oldest setbacks and recoveries of a success, until at most `MOST_SUBGOALS` rows remain."""
    spare = [k for k, row in enumerate(rows) if _is_spare(row)]
    gone = set(spare[: max(len(rows) - MOST_SUBGOALS, 0)])
    return _merged(row for k, row in enumerate(rows) if k not in gone)


def _is_spare(row: _Row) -> bool:
    """Return whether a row is a setback or a recovery, which a success can do without."""
    return row["end"] in SET_BACK or row["task"].startswith(f"{RECOVER} ")


def _row(task: str, seconds: float | None, times: int, end: str, why: str) -> _Row:
    assert end in ENDINGS
    return {
        "task": told_words(task),
        "seconds": seconds,
        "times": times,
        "end": end,
        "why": told_words(why),
    }
