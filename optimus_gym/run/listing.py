"""The command `optimus-gym list`: parts, protocols, suites and tasks, each with its meaning."""

import argparse
import ast
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final

import gymnasium as gym
from rich.console import Console

from optimus_gym.core.errors import BadValue
from optimus_gym.core.registration import environment_id, task_names, views
from optimus_gym.core.registry import names
from optimus_gym.envs.config import PART_KINDS, EnvConfig
from optimus_gym.game.protocols import EpisodeProtocol, protocols
from optimus_gym.game.tasks import SUITE, SUITES, headline_tasks, tasks
from optimus_gym.terminal.printing import words

EXAMPLES: Final = ("optimus-gym list", "optimus-gym list --suite deps-50", "optimus-gym list --all")
_HEAD: Final = ("sub-goal view", "control view", "flat view")
"""Titles of the table's columns with environment ids: one for each view of `core.registration.views`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--suite",
        metavar="NAME",
        help="list only the ids of this suite's tasks (default: an overview without ids)",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="list only the ids of all tasks (default: an overview without ids)",
    )


def run(parsed: argparse.Namespace) -> int:
    """Print an overview, or the ids of a suite's tasks or of all tasks; return 0.

    Raises:
        BadValue: both a suite and all tasks are asked for.
        UnknownName: the suite is unknown.
    """
    if parsed.all and parsed.suite is not None:
        raise BadValue("list: expected --suite or --all, got both")
    lines = _ids(parsed.suite) if parsed.all or parsed.suite is not None else _overview()
    Console(highlight=False).print(words("\n".join(lines)), soft_wrap=True)
    return 0


def _ids(suite: str | None) -> Iterator[str]:
    """Yield a line for each task, with the task's id in each view."""
    chosen = (None, *task_names()) if suite is None else tuple(tasks(suite))
    rows = [_HEAD, *(tuple(environment_id(view, task) for view in views()) for task in chosen)]
    yield from _columns(rows)


_SET: Final = MappingProxyType({"aligner": "agent.aligner"})
"""The name that the option `--set` takes for a kind of part, if it is not the kind itself."""


def _overview() -> Iterator[str]:
    """Yield the views, parts, protocols, suites and headline tasks, each with its meaning."""
    yield "views of a task (ids are VIEW-TASK-v0; VIEW-v0 takes any task)"
    yield from _indented(
        (view, _meaning(str(gym.spec(environment_id(view, None)).entry_point))) for view in views()
    )
    for kind in (*PART_KINDS, "aligner", "reward"):
        given = (
            f"--{kind}=NAME, default {getattr(EnvConfig, kind)}"
            if kind in PART_KINDS
            else f"--set {_SET.get(kind, kind)}=NAME"
        )
        yield f"\n{kind} ({given})"
        yield from _indented((name, _meaning(target)) for name, target in names(kind).items())
    yield f"\nprotocol (--protocol=NAME, default {EnvConfig.protocol})"
    yield from _indented((name, _rules(found)) for name, found in protocols().items())
    yield f"\nsuite (evaluate --suite=NAME, default {SUITE}; list --suite=NAME lists its ids)"
    yield from _indented((suite, _extent(suite)) for suite in SUITES)
    yield "\nheadline tasks (run ID; list --all lists all ids)"
    yield from _indented(
        (environment_id(views()[0], task.id), f"{task.instruction} within {task.budget:,} ticks")
        for task in headline_tasks()
    )


def _meaning(target: str) -> str:
    """Return the first sentence of a class's docstring, without importing its module.

    >>> _meaning("optimus_gym.core.errors:BadMemory")
    'A memory folder cannot be read or written; the message holds the file and the reason.'
    """
    module, _, name = target.partition(":")
    spec = find_spec(module)
    source = "" if spec is None else Path(str(spec.origin)).read_text("utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and node.name == name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    return ""


def _rules(protocol: EpisodeProtocol) -> str:
    """Return a protocol's rules for assists and death in words."""
    helps = ", ".join(protocol.assists) or "none"
    ends = (
        "the player respawns after death"
        if protocol.death == "respawn"
        else "death ends the episode"
    )
    return f"{ends}; assists: {helps}"


def _extent(suite: str) -> str:
    """Return the number of a suite's tasks, its protocol and its groups in words."""
    found = tasks(suite)
    groups = ", ".join(dict.fromkeys(task.group for task in found.values()))
    own = ", ".join(dict.fromkeys(task.protocol for task in found.values()))
    return f"{len(found)} tasks, published with protocol {own}: {groups}"


def _indented(rows: Iterator[tuple[str, str]]) -> Iterator[str]:
    yield from (f"  {line}" for line in _columns(list(rows)))


def _columns(rows: list[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows as lines with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{name:<{w}}" for name, w in zip(row, widths, strict=True)).rstrip()
