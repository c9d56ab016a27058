"""Where and why episodes failed: the last sub-goal, and the cause of the end."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, EpisodeRow, Pursued

LISTED: Final = 40
"""Maximum number of kinds of failures that the page lists; the page only counts episodes of other kinds."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A kind of failure: episodes with the same status, cause and last sub-goal.

    Attributes:
        status: the status of the episodes.
        why: what killed the player, or the last failure, in words; "" if unknown.
        where: the last sub-goal, such as "mine diamond"; "" if there was none.
        group: the group of the tasks.
        count: the number of episodes.
        example: the index of the first such episode among all episodes.
    """

    status: str
    why: str
    where: str
    group: str
    count: int
    example: int


def failings(rows: Sequence[EpisodeRow]) -> tuple[Failing, ...]:
    """Return the kinds of failure among some episodes, most frequent first."""
    counts: Counter[tuple[str, str, str, str]] = Counter()
    examples: dict[tuple[str, str, str, str], int] = {}
    for place, row in enumerate(rows):
        if not row.success and row.is_counted:
            kind = (row.status, why(row), where(row), row.group)
            counts[kind] += 1
            examples.setdefault(kind, place)
    return tuple(Failing(*kind, n, examples[kind]) for kind, n in counts.most_common())


def why(row: EpisodeRow) -> str:
    """Return what ended a failed episode, in words: a cause of death, an error, or the last failure."""
    if row.status == CRASHED:
        return row.reason.strip().splitlines()[-1] if row.reason.strip() else ""
    if row.status == IMPOSSIBLE:
        return "nobody there can do it"
    if row.status == "died" and row.deaths:
        return f"killed by {row.deaths[-1].cause.replace('_', ' ')}"
    failed = [one for one in row.subgoals if one.failure]
    return failure_in_words(failed[-1]) if failed else row.reason


def failure_in_words(pursued: Pursued) -> str:
    """Return in words why a sub-goal failed.

    >>> failure_in_words(Pursued("mine 1 diamond", "failed", "not_found", "diamond_ore", "", 9, 9))
    'not found: diamond ore'
    """
    told = pursued.failure.replace("_", " ")
    return f"{told}: {pursued.missing.replace('_', ' ')}" if pursued.missing else told


def where(row: EpisodeRow) -> str:
    """Return the last sub-goal in words, without its count.

    >>> from types import SimpleNamespace as Row
    >>> where(Row(subgoals=[Pursued("mine 3 iron_ore", "failed", "died", "", "", 9, 9)]))
    'mine iron ore'
    """
    if not row.subgoals:
        return ""
    words = row.subgoals[-1].subgoal.split()
    return " ".join(word for word in words if not word.isdecimal()).replace("_", " ")
