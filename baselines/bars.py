"""A progress bar with rate and time left, on the error stream, so that the output holds the table alone."""

import sys

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


class _Rate(ProgressColumn):
    """How many are done a second."""

    def render(self, task: Task) -> Text:
        """Return the rate; a dash before it is known."""
        rate = task.finished_speed or task.speed
        return Text("- /s" if rate is None else f"{rate:.3g} /s")


def bars() -> Progress:
    """Return a display of bars; show them by `with`."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(file=sys.stderr),
    )
