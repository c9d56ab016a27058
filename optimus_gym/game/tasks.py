"""The tasks of the suites, and tasks that a user adds."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.task import Task
from optimus_gym.game.protocols import protocols
from optimus_gym.game.rows import Row, refuse
from optimus_gym.game.suite_file import SUITE_HEAD, loads_suite, tasks_in

SUITE = "optimus-67"
SUITES = (
    SUITE,
    "optimus-ablation-18",
    "jarvis-190",
    "mp5-process-25",
    "mp5-context-16",
    "mp5-open-2",
    "deps-50",
    "optimus-code-6",
    "jarvis-code-42",
)
"""Names of the suites, each with a file in `data/suites`: Optimus-1, Tables 5, 6 and 8 to 14; JARVIS-1,
Tables 7 to 16, and 43 wood variants derived from its Table 1; MP5, Tables 13 and 16, Tables 11, 12 and 14,
and sections 4.2.3 and F.3; DEPS, as listed in Optimus-1's Table 16; and tasks that only the public code of
Optimus-1 and JARVIS-1 has, not the papers."""
OWN_SUITE = "own"
"""Name of the suite of a user's own tasks, and of the group of tasks whose row names no group."""
SURVIVAL = "vanilla"
"""Name of the protocol of a user's own tasks if their table names none."""
_OWN: dict[str, tuple[Task, Row]] = {}
"""Tasks that a user has added, each with the row from which it was made, by id."""


def tasks(suite: str = SUITE) -> Mapping[str, Task]:
    """Return a suite's tasks by id, in the paper's or code's order.

    >>> [len(tasks(suite)) for suite in SUITES]
    [67, 18, 190, 25, 16, 2, 50, 6, 42]

    Raises:
        UnknownName: no such suite.
        BadValue: lists every fault of the file.
    """
    if suite not in SUITES:
        raise UnknownName("suite", suite, SUITES)
    return _load(suite)


def task(name: str) -> Task:
    """Return one task, of a suite or added by `add_task`.

    Raises:
        UnknownName: no such task; the error suggests similar names.
    """
    if name in _OWN:
        return _OWN[name][0]
    if name not in _all_tasks():
        raise UnknownName("task", name, (*_all_tasks(), *_OWN))
    return _all_tasks()[name]


def headline_tasks() -> tuple[Task, ...]:
    """Return the headline (representative) tasks of Optimus-1's seven groups, in the groups' order."""
    return tuple(found for found in tasks().values() if found.headline)


def own_tasks(table: object, where: str) -> Mapping[str, Task]:
    """Return a user's own tasks by id, in the table's order; `task` does not know these tasks.

    Args:
        table: a table as in a suite's file (`optimus_gym.game.suite_file`). The table's
            `protocol` (default: "vanilla") and `groups` (default: the rows' groups), and a row's `group`
            (default: "own") and `source` may be left out.
        where: the table's name, for the error.

    Raises:
        BadValue: lists every fault of every row; or a row has the id of a suite's task.
        UnknownName: no such protocol.

    >>> row = {"id": "Bed", "item": "#beds", "verb": "craft", "instruction": "Sleep", "budget": 6000}
    >>> own_tasks({"tasks": [row]}, "mine.json")["Bed"].suite
    'own'
    """
    if not isinstance(table, Mapping) or not {"tasks"} <= set(table) <= set(SUITE_HEAD):
        came = ", ".join(map(str, table)) if isinstance(table, Mapping) else type(table).__name__
        raise BadValue(
            f"expected an object with the key tasks and, if wanted, protocol and groups, got "
            f"{shown(came)} ({where})"
        )
    rows = table["tasks"]
    if isinstance(rows, Sequence) and not isinstance(rows, str):
        usual = {"group": OWN_SUITE, "source": OWN_SUITE}
        rows = [{**usual, **row} if isinstance(row, Mapping) else row for row in rows]
        named = [row.get("group") for row in rows if isinstance(row, dict)]
        groups = dict.fromkeys(name for name in named if isinstance(name, str))
    else:
        groups = {}
    found = tasks_in(
        {"protocol": SURVIVAL, "groups": list(groups), **table, "tasks": rows}, OWN_SUITE, where
    )
    check_name("protocol", table.get("protocol", SURVIVAL), tuple(protocols()))
    taken = [
        f"{one}: expected a new id, got one that a suite's task has"
        for one in found
        if one in _all_tasks()
    ]
    refuse(taken, where)
    return found


def add_task(row: Row, where: str) -> Task:
    """Add a user's own task, so that `task` knows it, and return it.

    Args:
        row: a row as in `own_tasks`.
        where: the caller's name, for the error.

    Raises:
        BadValue: lists every fault of the row; or another task has the row's id.
    """
    (own,) = own_tasks({"tasks": [row]}, where).values()
    if own.id in _OWN:
        raise BadValue(f"task: expected a new id, got {own.id!r}, which another task has")
    _OWN[own.id] = own, dict(row)
    return own


def added_rows() -> Mapping[str, Row]:
    """Return the rows of the tasks that a user has added, by id and sorted by id."""
    return {name: row for name, (_, row) in sorted(_OWN.items())}


@cache
def _load(suite: str) -> Mapping[str, Task]:
    text = files("optimus_gym.game.data.suites").joinpath(f"{suite}.json").read_text("utf-8")
    return loads_suite(text, suite, tasks)


@cache
def _all_tasks() -> Mapping[str, Task]:
    return {name: found for suite in SUITES for name, found in tasks(suite).items()}
