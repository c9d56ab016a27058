"""The tasks of the suites, and those that a user adds."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.task import Task
from optimus_gym.game.suite_file import loads

SUITE = "optimus-67"
SUITES = (
    SUITE,
    "optimus-ablation-18",
    "jarvis-190",
    "mp5-process-25",
    "deps-50",
    "optimus-code-6",
    "jarvis-code-42",
)
"""Files of `data/suites`: Optimus-1, Tables 5, 6 and 8 to 14; JARVIS-1, Tables 7 to 16, and 43 wood
variants derived from its Table 1; MP5, Tables 13 and 16; DEPS by Optimus-1's Table 16; and the tasks
that the public code of Optimus-1 and of JARVIS-1 has beyond its paper."""
_OWN: dict[str, Task] = {}


def tasks(suite: str = SUITE) -> Mapping[str, Task]:
    """Return a suite's tasks by id, in the paper's or code's order.

    >>> [len(tasks(suite)) for suite in SUITES]
    [67, 18, 190, 25, 50, 6, 42]

    Raises:
        UnknownName: no such suite.
        BadValue: lists every fault of the file.
    """
    if suite not in SUITES:
        raise UnknownName("suite", suite, SUITES)
    return _load(suite)


def task(name: str) -> Task:
    """Return one task, of a suite or added.

    Raises:
        UnknownName: no such task; the error names the nearest.
    """
    found = _all_tasks().get(name) or _OWN.get(name)
    if found is None:
        raise UnknownName("task", name, (*_all_tasks(), *_OWN))
    return found


def headline_tasks() -> tuple[Task, ...]:
    """Return the headline tasks of Optimus-1's seven groups, in the groups' order."""
    return tuple(found for found in tasks().values() if found.headline)


def add_task(own: Task) -> None:
    """Make a task of one's own known to `task`.

    Raises:
        BadValue: its id is taken.
    """
    if own.id in _all_tasks() or own.id in _OWN:
        raise BadValue(f"task: expected an id of its own, got {own.id!r}, which is taken")
    _OWN[own.id] = own


@cache
def _load(suite: str) -> Mapping[str, Task]:
    text = files("optimus_gym.game.data.suites").joinpath(f"{suite}.json").read_text("utf-8")
    return loads(text, suite, tasks)


@cache
def _all_tasks() -> Mapping[str, Task]:
    return {name: found for suite in SUITES for name, found in tasks(suite).items()}
