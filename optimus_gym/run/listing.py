"""The command `optimus-gym list`: print every id and part in full, one task a line."""

import argparse
from collections.abc import Iterator

from rich.console import Console

from optimus_gym.core.registration import environment_id, task_names, views
from optimus_gym.core.registry import names
from optimus_gym.game.protocols import protocols
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.terminal.printing import words

PARTS = ("world", "controller", "agent", "backbone", "aligner")
HEAD = ("sub-goal view", "control view", "flat view")
"""Column titles for the ids of `core.registration.views`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--suite", metavar="NAME", help=f"only the tasks of one suite: {', '.join(SUITES)}"
    )


def show_list(parsed: argparse.Namespace) -> int:
    """Print the ids of a suite's tasks, or of all tasks, with all parts, protocols and suites; return 0.

    Raises:
        UnknownName: the suite is unknown.
    """
    lines = [*_ids(parsed.suite)]
    if parsed.suite is None:
        lines += _parts()
    Console(highlight=False).print(words("\n".join(lines)), soft_wrap=True)
    return 0


def _ids(suite: str | None) -> Iterator[str]:
    """Yield a line for each task, with the task's id in each view."""
    chosen = (None, *task_names()) if suite is None else tuple(tasks(suite))
    rows = [HEAD, *(tuple(environment_id(view, task) for view in views()) for task in chosen)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{name:<{w}}" for name, w in zip(row, widths, strict=True)).rstrip()


def _parts() -> Iterator[str]:
    for kind in PARTS:
        yield f"{kind}: {', '.join(names(kind))}"
    yield f"protocol: {', '.join(protocols())}"
    yield f"suite: {', '.join(SUITES)}"
