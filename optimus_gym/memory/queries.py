"""Queries of a memory's database: outlines of experiences, and plans after setbacks."""

from typing import Final, NamedTuple

from optimus_gym.memory.experience import Replan


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
