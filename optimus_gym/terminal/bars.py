"""A progress bar with rate and time left, on the error stream, so that the output holds the table alone."""

import sys
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

SECONDS: Final = {"s": 1, "h": 3600}
"""In each unit of a rate."""


class _Rate(ProgressColumn):
    """How many are done a second, or an hour."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Return the rate; a dash before it is known."""
        rate = task.finished_speed or task.speed
        if rate is None:
            return Text(f"- /{self._unit}")
        many = rate * SECONDS[self._unit]
        return Text(f"{many:{',.0f' if many >= 1000 else '.3g'}} /{self._unit}")


def bars(unit: str = "s", period_s: float = 30.0) -> Progress:
    """Return a display of bars; show them by `with`.

    Args:
        unit: of the rate: "s" or "h".
        period_s: seconds of which the rate, and so the time left, is the mean.
    """
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(unit),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(file=sys.stderr),
        speed_estimate_period=period_s,
    )
