"""The task suites: what an episode asks for, how long it may take, what the paper reached."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from optimus_gym.core.errors import UnknownName
from optimus_gym.core.types import Verb
from optimus_gym.game.items import items
from optimus_gym.game.source import Row, refuse, rows

SUITE = "optimus-67"
GROUPS = ("wood", "stone", "iron", "gold", "diamond", "redstone", "armor")
SUCCESSES = ("held",)
FIELDS: Mapping[str, type | tuple[type, ...]] = MappingProxyType(
    {
        "id": str,
        "group": str,
        "headline": bool,
        "instruction": str,
        "verb": str,
        "item": str,
        "count": int,
        "success": str,
        "budget": int,
        "biome": (str, type(None)),
        "inventory": dict,
        "figures": dict,
    }
)
FIGURES = ("subgoals", "success_rate", "average_ticks", "average_seconds", "episodes")


@dataclass(frozen=True, slots=True)
class Figures:
    """What the paper reports for a task.

    Attributes:
        subgoals: sub-goals of its plan.
        success_rate: share of episodes that succeeded, 0 to 1.
        average_ticks: mean over successes.
        average_seconds: mean over successes, as printed (not always ticks / 20).
        episodes: episodes run.
    """

    subgoals: int
    success_rate: float
    average_ticks: float
    average_seconds: float
    episodes: int


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        id: the middle of its environments' names ("Diamond", "CraftStoneSword").
        suite: the suite it belongs to.
        group: the suite's group.
        instruction: the paper's words.
        item: item to get.
        count: pieces of it.
        success: "held" = that many lie in the inventory at once.
        budget: ticks an episode may take.
        biome: where it starts; None = anywhere.
        inventory: what it starts with, pieces by item; not to be changed.
        headline: whether it is its group's headline.
        verb: "craft", "smelt" or "mine".
        figures: the paper's; None where it has none.
    """

    id: str
    suite: str
    group: str
    instruction: str
    item: str
    count: int = 1
    success: str = "held"
    budget: int = 36_000
    biome: str | None = None
    inventory: Mapping[str, int] = field(default_factory=dict, hash=False)
    headline: bool = False
    verb: Verb = "craft"
    figures: Figures | None = None


@cache
def tasks() -> Mapping[str, Task]:
    """Return the 67 tasks of Optimus-1 by id, in the paper's order.

    Source: `data/optimus-67.json`; Optimus-1, Tables 5 and 8-14.

    Raises:
        BadValue: lists every fault of the file.
    """
    return parse(rows(SUITE), SUITE)


def task(name: str) -> Task:
    """Return one task.

    Raises:
        UnknownName: no such task; the error names the nearest.
    """
    found = tasks().get(name)
    if found is None:
        raise UnknownName("task", name, tasks())
    return found


def headline_tasks() -> tuple[Task, ...]:
    """Return the seven groups' headline tasks, in the groups' order."""
    return tuple(found for found in tasks().values() if found.headline)


def parse(table: tuple[Row, ...], suite: str) -> Mapping[str, Task]:
    """Return a suite's rows as tasks by id, after checking all of them.

    Args:
        table: the rows of a task file.
        suite: the suite's name, for the tasks and the error.

    Raises:
        BadValue: lists every fault of every row.
    """
    faults: list[str] = []
    seen: set[str] = set()
    for number, row in enumerate(table):
        where = f"row {number} ({row.get('id', '?')})"
        found = _faults(row)
        if row.get("id") in seen:
            found.append("expected an id of its own, got one that was used before")
        seen.add(str(row.get("id")))
        faults += [f"{where}: {fault}" for fault in found]
    refuse(faults, f"{suite}.json")
    return MappingProxyType({row["id"]: _task(row, suite) for row in table})


def _faults(row: Row) -> list[str]:
    """Return what is wrong with one row of a task file."""
    faults = []
    for name, kind in FIELDS.items():
        value = row.get(name)
        if name not in row:
            faults.append(f"expected a field {name!r}, got none")
        elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            faults.append(f"expected {name} of type {_type_name(kind)}, got {value!r}")
    faults += [f"expected no field {name!r}" for name in row if name not in {*FIELDS, "source"}]
    return faults or _value_faults(row)


def _value_faults(row: Row) -> list[str]:
    """Return the values of a well-formed row that cannot be."""
    faults = []
    if row["group"] not in GROUPS:
        faults.append(f"expected a group of {', '.join(GROUPS)}, got {row['group']!r}")
    if row["success"] not in SUCCESSES:
        faults.append(f"expected success of {', '.join(SUCCESSES)}, got {row['success']!r}")
    if not row["id"].isalnum():
        faults.append(f"expected an id of letters and digits, got {row['id']!r}")
    for name in ("count", "budget"):
        if row[name] < 1:
            faults.append(f"expected {name} of at least 1, got {row[name]}")
    for name in (row["item"], *row["inventory"]):
        if name not in items():
            faults.append(str(UnknownName("item", name, items())))
    for name, count in row["inventory"].items():
        if not isinstance(count, int) or isinstance(count, bool) or count < 1:
            faults.append(f"expected a count of at least 1 of {name}, got {count!r}")
    return faults + _figure_faults(row["figures"])


def _figure_faults(figures: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the paper's figures of a row; they may be absent as a whole."""
    if not figures:
        return []
    if sorted(figures) != sorted(FIGURES):
        return [f"expected figures {', '.join(FIGURES)}, got {', '.join(figures)}"]
    faults = [
        f"expected {name} as a number of at least 0, got {value!r}"
        for name, value in figures.items()
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0
    ]
    rate = figures["success_rate"]
    if not faults and isinstance(rate, int | float) and rate > 1:
        faults.append(f"expected success_rate of at most 1, got {rate}")
    return faults


def _type_name(kind: type | tuple[type, ...]) -> str:
    """Return how an error calls a type."""
    return " or ".join(k.__name__ for k in kind) if isinstance(kind, tuple) else kind.__name__


def _task(row: Row, suite: str) -> Task:
    """Return a checked row as a task."""
    own: dict[str, Any] = {name: row[name] for name in FIELDS}
    own["inventory"] = dict(row["inventory"])
    own["figures"] = Figures(**row["figures"]) if row["figures"] else None
    return Task(suite=suite, **own)
