"""Queries of a memory's database for outlines of experiences, reflections, and plans after setbacks."""

from typing import Final, NamedTuple

from optimus_gym.core.deliberation import Judgement
from optimus_gym.memory.experience import Replan

LABELLED_BY_WORLD: Final = '"labels": "truth"'
"""JSON in an experience's `told` if its cases were labelled by predicaments that the world reported."""


class CaseQuery(NamedTuple):
    """A query for reflections.

    Attributes:
        label: the judgement that hindsight shows to be right.
        words: the database's numbers of the texts that the sub-goals may have.
        outcomes: outcomes that the episodes may have.
        environment: the biome, "cave", "under_water" or "night" at the reflection; None takes any.
        oldest: number of the oldest experience that is searched.
        most: maximum number of reflections to return: the newest ones.
        by_world: whether to return reflections that were labelled by predicaments that the world reported,
            too.
    """

    label: Judgement
    words: tuple[int, ...]
    outcomes: tuple[str, ...]
    environment: str | None
    oldest: int
    most: int
    by_world: bool


class CaseRow(NamedTuple):
    """A found reflection: numbers of reflection, experience and sub-goal's text; present frame's vector."""

    number: int
    experience: int
    words: int
    vector: bytes


class ReplanQuery(NamedTuple):
    """A query for plans after setbacks.

    Attributes:
        worked: whether the plans worked.
        words: the database's numbers of the texts that the failed sub-goals may have.
        outcomes: outcomes that the episodes may have.
        most: maximum number of plans to return: the newest ones.
    """

    worked: bool
    words: tuple[int, ...]
    outcomes: tuple[str, ...]
    most: int


class ReplanRow(NamedTuple):
    """A plan after a setback, with the numbers of its experience and of its failed sub-goal's text."""

    experience: int
    words: int
    replan: Replan


OUTLINE_QUERY: Final = (
    "SELECT id, key, task, goal, environment, status, ticks, start, plan, told, NULL AS first "
    "FROM experience WHERE id = ?"
)
OUTLINED_PURSUITS: Final = (
    "SELECT text, ending, failure, tick, ticks, correlation, NULL AS vector, '[]' AS images "
    "FROM pursuit WHERE experience = ? ORDER BY id"
)
