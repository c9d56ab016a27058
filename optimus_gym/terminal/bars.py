"""A progress bar with rate and time left, on stderr, so that stdout holds only a command's results.

The rate is this run's work divided by this run's time. Work of an earlier, resumed run counts as done, but
not in the rate.
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
"""Seconds in each unit of a rate."""
EARLIER_WORK: Final = "kept"
"""Name of a bar's field that holds how much of the work in `completed` an earlier run did."""
_Item = TypeVar("_Item")


def rate_of(task: Task) -> float | None:
    """Return how many items this run does a second; None before the first item is done.

    Args:
        task: a bar, whose field `kept` holds the work of earlier runs, 0 if missing.
    """
    seconds = task.elapsed if task.finished_time is None else task.finished_time
    done = task.completed - task.fields.get(EARLIER_WORK, 0)
    return done / seconds if seconds and done > 0 else None


class _Rate(ProgressColumn):
    """A bar's column that shows how many items are done in a unit of time."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the rate as text; a dash before the rate is known."""
        rate = rate_of(task)
        if rate is None:
            return Text(f"- /{self._unit}")
        many = rate * SECONDS[self._unit]
        return Text(f"{many:{',.0f' if many >= 1000 else '.3g'}} /{self._unit}")


class _Left(ProgressColumn):
    """A bar's column that shows the time left at the present rate; at the end, the time of the whole run."""

    def render(self, task: Task) -> Text:
        """Return the time as hours, minutes and seconds; dashes before the rate is known."""
        rate = rate_of(task)
        if task.finished_time is not None:
            seconds = task.finished_time
        elif rate is None or task.remaining is None:
            return Text("-:--:--")
        else:
            seconds = max(task.remaining, 0.0) / rate
        return Text(str(timedelta(seconds=round(seconds))))


def bars(unit: str = "s", console: Console | None = None) -> Progress:
    """Return a display of progress bars, which a `with` statement shows.

    To resume the bar of an earlier run, give `add_task` or `update` the argument `kept`: how much of the work
    in `completed` the earlier run did.

    Args:
        unit: the rate's unit: "s", "min" or "h".
        console: the console for the bars; None takes stderr.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        _Left(),
        console=console or Console(file=sys.stderr),
    )


def counted(items: Iterable[_Item], what: str, total: int | None = None) -> Iterator[_Item]:
    """Yield items and show a progress bar that counts the items.

    Args:
        items: any items.
        what: the bar's name.
        total: the number of items; None takes their length, or leaves the total open.
    """
    with bars() as progress:
        yield from progress.track(items, total=total, description=what)
