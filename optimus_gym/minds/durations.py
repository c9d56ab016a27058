"""Usual duration of a sub-goal, from remembered sub-goals of the same verb and item, or from the graph."""

import re
from statistics import median
from typing import Final

from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import items
from optimus_gym.game.sources import FURNACE, Source
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.minds.custody import STOPPING, Custody

FEWEST_TIMES: Final = 3
"""Least number of remembered durations for a verb and item; with fewer, the graph gives the duration: our
choice."""
_COUNTED: Final = re.compile(r"(\w+) (\d+) (.+)")


class Durations:
    """Estimates durations.

    Args:
        pool: the memory; None: there is no memory.
        graph: the knowledge graph; each source (way to get an item) holds its expected ticks.
        custody: decides what happens if the memory cannot be read.
    """

    def __init__(
        self, pool: ExperiencePool | None, graph: KnowledgeGraph, custody: Custody = STOPPING
    ) -> None:
        self._pool = pool
        self._graph = graph
        self._custody = custody

    def usual(self, subgoal: SubGoal) -> float | None:
        """Return the ticks that a sub-goal should take, or None if neither memory nor graph knows them.

        The memory gives the median time for one piece, over reached sub-goals of the same verb and item,
        times the number of pieces. The graph gives the expected ticks of the cheapest source, the search for
        the source included (`Source.first`).

        Raises:
            BadMemory: the memory is damaged or cannot be read, and the option `on_bad_memory` is "stop".
        """
        remembered = self._custody.use(lambda: self._remembered(subgoal), None)
        return self._by_graph(subgoal) if remembered is None else remembered

    def _remembered(self, subgoal: SubGoal) -> float | None:
        found = _COUNTED.fullmatch(subgoal.text or str(subgoal))
        if self._pool is None or found is None:
            return None
        verb, count, words = found.groups()
        shares = []
        for text, ticks in self._pool.durations(verb, words):
            if (same := _COUNTED.fullmatch(text)) is not None:
                shares.append(ticks / max(int(same[2]), 1))
        return median(shares) * int(count) if len(shares) >= FEWEST_TIMES else None

    def _by_graph(self, subgoal: SubGoal) -> float | None:
        times = [
            source.first + source.runs(subgoal.count) * source.ticks
            for kind in subgoal.kinds
            if kind in items()
            for source in self._graph.sources_of(kind)
            if source.verb == subgoal.verb and _is_at(source, subgoal)
        ]
        return min(times, default=None)


def _is_at(source: Source, subgoal: SubGoal) -> bool:
    """Return whether a source uses the sub-goal's station; smelting without a station means a furnace."""
    station = subgoal.station or (FURNACE if subgoal.verb == "smelt" else None)
    return station is None or source.station == station
