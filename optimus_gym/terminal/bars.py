"""A progress bar with rate and time left, on the error stream, so that the output holds results alone.

The rate is what this run has done over the time that it took so far. The work of an earlier run is counted as
done, and not in the rate.
"""

import sys
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
)
from rich.text import Text

SECONDS: Final = {"s": 1, "min": 60, "h": 3600}
"""In each unit of a rate."""
KEPT: Final = "kept"
"""The field of a bar that says how much of what is done an earlier run did."""
Item = TypeVar("Item")


def rate_of(task: Task) -> float | None:
    """Return how much a second this run does; None before the first is done.

    Args:
        task: a bar. Its field `kept` is what earlier runs did, 0 if it is missing.
    """
    seconds = task.elapsed if task.finished_time is None else task.finished_time
    done = task.completed - task.fields.get(KEPT, 0)
    return done / seconds if seconds and done > 0 else None


class _Rate(ProgressColumn):
    """How many are done in a unit of time."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the rate; a dash before it is known."""
        rate = rate_of(task)
        if rate is None:
            return Text(f"- /{self._unit}")
        many = rate * SECONDS[self._unit]
        return Text(f"{many:{',.0f' if many >= 1000 else '.3g'}} /{self._unit}")


class _Left(ProgressColumn):
    """The time that the rest takes at this rate; at the end, the time that all took."""

    def render(self, task: Task) -> Text:
        """Return hours, minutes and seconds; dashes before the rate is known."""
        rate = rate_of(task)
        if task.finished_time is not None:
            seconds = task.finished_time
        elif rate is None or task.remaining is None:
            return Text("-:--:--")
        else:
            seconds = max(task.remaining, 0.0) / rate
        return Text(str(timedelta(seconds=round(seconds))))


def bars(unit: str = "s", console: Console | None = None) -> Progress:
    """Return a display of bars; show them by `with`.

    A bar goes on where an earlier run ended if `add_task` or `update` are told `kept`, how much of
    `completed` that run did.

    Args:
        unit: of the rate: "s", "min" or "h".
        console: where they are shown; None takes the error stream.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        _Left(),
        console=console or Console(file=sys.stderr),
    )


def counted(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield items, with a bar of how many were taken.

    Args:
        items: any.
        what: the bar's name.
        total: how many there are; None takes the length, or leaves it open.
    """
    with bars() as progress:
        yield from progress.track(items, total=total, description=what)
