"""Figures that the papers report for their agents, such as success rates, by group of tasks."""

from collections.abc import Mapping
from functools import cache

from optimus_gym.core.task import PaperFigures
from optimus_gym.game.rows import rows
from optimus_gym.game.tasks import tasks

Groups = Mapping[str, Mapping[str, PaperFigures]]
"""A suite's published figures, by group of tasks and by agent."""
PUBLISHED_TABLE = "published"
PAPER_MEANS = "means over the papers' tasks"
"""Text for the source of a group's figures if the paper prints figures of single tasks only."""
PUBLISHED_FIGURES = ("success_rate", "average_ticks", "average_seconds")


@cache
def published_groups(suite: str) -> Groups:
    """Return the figures that papers report for a suite, by group of tasks and agent; empty if none.

    If a paper prints no table by group, a group's success rate is the mean over the group's tasks.

    Raises:
        UnknownName: no such suite.

    >>> published_groups("optimus-67")["diamond"]["optimus-1"].success_rate
    0.1161
    >>> round(published_groups("mp5-process-25")["basic"]["mp5"].success_rate, 4)
    0.96
    """
    found: dict[str, dict[str, PaperFigures]] = {}
    for row in rows(PUBLISHED_TABLE):
        if row["suite"] == suite:
            told = {name: row[name] for name in PUBLISHED_FIGURES if name in row}
            found.setdefault(row["group"], {})[row["agent"]] = PaperFigures(**told)
    return found or _of_tasks(suite)


def source_of(suite: str) -> str:
    """Return the paper and table from which the figures of a suite's groups come.

    >>> source_of("optimus-67"), source_of("deps-50")
    ('Optimus-1, Table 1', "means over the papers' tasks")
    """
    printed = (str(row["source"]) for row in rows(PUBLISHED_TABLE) if row["suite"] == suite)
    return next(printed, PAPER_MEANS)


def _of_tasks(suite: str) -> Groups:
    """Return each agent's mean success rate over the tasks of each group, by group and agent."""
    rates: dict[str, dict[str, list[float]]] = {}
    for task in tasks(suite).values():
        for agent, figures in task.figures.items():
            if figures.success_rate is not None:
                rates.setdefault(task.group, {}).setdefault(agent, []).append(figures.success_rate)
    return {
        group: {
            name: PaperFigures(success_rate=sum(own) / len(own)) for name, own in agents.items()
        }
        for group, agents in rates.items()
    }
