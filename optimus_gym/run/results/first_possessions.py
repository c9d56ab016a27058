"""First possessions: the share of episodes that ever held each item on the way, and their geometric mean.

The table tells apart policies that all fail at the end. The score is that of Crafter (Hafner 2021,
"Benchmarking the Spectrum of Agent Capabilities", section 3.3).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.intervals import Interval, wilson
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.prompts.words import in_words, word_for
from optimus_gym.run.results.parting import parted
from optimus_gym.run.results.row import CRASHED, IMPOSSIBLE, EpisodeRow

WAYS_OF_TASKS_KEPT = 256
"""Maximum number of tasks whose ways are cached."""


@dataclass(frozen=True, slots=True)
class Possession:
    """How many episodes ever held an item, or one of the kinds that serve as well.

    Attributes:
        name: the item's name in words.
        episodes: number of episodes whose task has the item on its way.
        successes: number of these episodes in which the item was held.
        rate: the share of successes, 0 to 1.
        interval: Wilson's 95 % interval of the rate.
    """

    name: str
    episodes: int
    successes: int
    rate: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Possessions:
    """The first possessions of a group of tasks.

    Attributes:
        group: the group.
        found: a possession for each item on the way, in the order of the plans.
    """

    group: str
    found: tuple[Possession, ...]

    @property
    def score(self) -> float:
        """Return Crafter's score of the rates, 0 to 1."""
        return score(one.rate for one in self.found)


def score(rates: Iterable[float]) -> float:
    """Return Crafter's score of some rates (0 to 1), 0 to 1; 0 without rates.

    The score is a geometric mean: exp(mean of log(1 + rate in percent)) - 1, in percent.

    >>> score([0.0, 0.0]), round(score([1.0, 1.0]), 4), round(score([0.5, 0.0]), 4)
    (0.0, 1.0, 0.0614)
    """
    logs = [math.log1p(100 * rate) for rate in rates]
    return math.expm1(sum(logs) / len(logs)) / 100 if logs else 0.0


def possessions_by_group(rows: Sequence[EpisodeRow]) -> tuple[Possessions, ...]:
    """Return the first possessions of each group, in the order of the groups' first rows.

    Groups whose tasks are unknown here or ask for no item, and groups of crashes alone, are left out; so are
    episodes that no figure counts.
    """
    parts = parted((row.group, row) for row in rows if row.is_counted)
    measured = {
        group: own
        for group, own in parts.items()
        if any(row.status not in (CRASHED, IMPOSSIBLE) for row in own)
    }
    made = (Possessions(group, _possessions(own)) for group, own in measured.items())
    return tuple(one for one in made if one.found)


def _possessions(rows: Iterable[EpisodeRow]) -> tuple[Possession, ...]:
    held: dict[str, list[bool]] = {}
    for row in rows:
        for name, kinds in _way(row.task, row.world, row.protocol).items():
            held.setdefault(name, []).append(any(kind in row.milestones for kind in kinds))
    return tuple(
        Possession(name, len(ever), sum(ever), sum(ever) / len(ever), wilson(sum(ever), len(ever)))
        for name, ever in held.items()
    )


@lru_cache(WAYS_OF_TASKS_KEPT)
def _way(name: str, world: str, protocol: str) -> Mapping[str, frozenset[str]]:
    """Return the items that the cheapest plan for a task gets, by name in words, each with its kinds.

    The result is empty for a task that is unknown here, or that the world's table or the plan lacks.
    """
    try:
        found = task(name)
        graph = abilities_of(world, protocol, None).graph
        steps = graph.requirements(found.item, found.count, found.inventory).steps
    except (BadValue, UnknownName):
        return {}
    way: dict[str, frozenset[str]] = {}
    for step in steps:
        kinds = frozenset((step.item, *step.kinds))
        word = in_words(word_for(step.item, step.kinds))
        way[word] = way.get(word, frozenset()) | kinds
    return way


def told_possessions(rows: Sequence[EpisodeRow]) -> list[str]:
    """Return a line for each group: the rates of its first possessions, and their score."""
    lines = []
    for one in possessions_by_group(rows):
        rates = ", ".join(f"{item.name} {item.rate:.0%}" for item in one.found)
        lines.append(f"first possessions, {one.group}: {rates}; score {one.score:.1%}")
    return lines
