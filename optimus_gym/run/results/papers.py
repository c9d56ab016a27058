"""The papers' figures beside ours: only where somebody acted who sees no more than a player does.

They never stand beside the figures of a controller that reads the world itself, nor of a world that
carries out sub-goals by itself.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from optimus_gym.core.task import Figures
from optimus_gym.game.published import Groups, published_groups, source_of
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, OVERTIME, EpisodeRow

ELSEWHERE: Final = "in another world, the game itself"
"""What tells the papers' figures from ours."""


def papers_groups(rows: Iterable[EpisodeRow]) -> Groups:
    """Return what the papers report of the groups of some episodes' suite, if it may stand beside them."""
    suite = _suite(rows)
    return {} if suite is None else published_groups(suite)


def papers_tasks(rows: Iterable[EpisodeRow]) -> Mapping[str, Mapping[str, Figures]]:
    """Return what the papers report of the tasks of some episodes, if it may stand beside them."""
    rows = list(rows)
    suite = _suite(rows)
    known = {} if suite is None else tasks(suite)
    names = dict.fromkeys(row.task for row in rows)
    return {name: known[name].figures for name in names if name in known}


def papers_label(suite: str) -> str:
    """Say where a suite's papers' figures come from, and that they are of another world."""
    return f"{source_of(suite)}, {ELSEWHERE}"


def _suite(rows: Iterable[EpisodeRow]) -> str | None:
    """Return the suite of episodes; None unless it is one, known, and all were played as the papers' were."""
    suites = set()
    for row in rows:
        by_itself = not row.helper and row.status not in (CRASHED, OVERTIME, IMPOSSIBLE)
        if row.privileged or by_itself:
            return None
        suites.add(row.suite)
    return suites.pop() if len(suites) == 1 and suites <= set(SUITES) else None
