"""Queries of a memory's database: outlines of experiences, reflections, and plans after setbacks."""

from typing import Final, NamedTuple

from optimus_gym.core.deliberation import Judgement
from optimus_gym.memory.experience import Replan

LABELLED_BY_WORLD: Final = '"labels": "truth"'
"""Part of an experience's `told`, as JSON, if its cases have labels by the world's own predicaments."""


class CaseQuery(NamedTuple):
    """Which reflections are wanted.

    Attributes:
        label: what ought to have been said.
        words: numbers of the texts that their sub-goals may have.
        outcomes: of their episodes.
        environment: where they were; None takes any.
        oldest: number of the oldest experience that they may belong to.
        most: how many, the newest ones.
        by_world: whether reflections count whose labels know the world's own predicaments.
    """

    label: Judgement
    words: tuple[int, ...]
    outcomes: tuple[str, ...]
    environment: str | None
    oldest: int
    most: int
    by_world: bool


class CaseRow(NamedTuple):
    """A reflection: its number, its experience's, its sub-goal's text's, its present frame's vector."""

    number: int
    experience: int
    words: int
    vector: bytes


class ReplanQuery(NamedTuple):
    """Which plans after setbacks are wanted.

    Attributes:
        worked: whether they worked.
        words: numbers of the texts that their failed sub-goals may have.
        outcomes: of their episodes.
        most: how many, the newest ones.
    """

    worked: bool
    words: tuple[int, ...]
    outcomes: tuple[str, ...]
    most: int


class ReplanRow(NamedTuple):
    """A plan after a setback: its experience's number, its failed sub-goal's text's, and itself."""

    experience: int
    words: int
    replan: Replan


OUTLINE: Final = (
    "SELECT id, key, task, goal, environment, status, ticks, start, plan, told, NULL AS first "
    "FROM experience WHERE id = ?"
)
OUTLINED_PURSUITS: Final = (
    "SELECT text, ending, failure, tick, ticks, correlation, NULL AS vector, '[]' AS images "
    "FROM pursuit WHERE experience = ? ORDER BY id"
)
