"""A suite's file: its rows checked all together, then made into tasks.

A file is an object: `protocol`, `groups` and `tasks`, a list of rows. A row has the `REQUIRED`
fields, its `source`, and those of `OPTIONAL` that differ from their default. An item written "#planks"
is any of that tag. A file with `of` in the place of protocol and groups chooses tasks of another suite
by their ids.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.task import SUCCESSES, Figures, Task
from optimus_gym.core.types import VERBS
from optimus_gym.game.items import items, most_held
from optimus_gym.game.rows import Row, checked, refuse
from optimus_gym.game.sources import verbs_for
from optimus_gym.game.tags import tag, tags
from optimus_gym.game.things import things
from optimus_gym.game.ways import biome_names

Kind = type | tuple[type, ...]
REQUIRED: Mapping[str, Kind] = MappingProxyType(
    {"id": str, "group": str, "instruction": str, "verb": str, "item": str, "budget": int}
)
OPTIONAL: Mapping[str, Kind] = MappingProxyType(
    {
        "count": int,
        "success": str,
        "biomes": list,
        "inventory": dict,
        "headline": bool,
        "figures": dict,
    }
)
FIGURES: Mapping[str, Kind] = MappingProxyType(
    {
        "success_rate": (int, float),
        "episodes": int,
        "subgoals": int,
        "average_ticks": (int, float),
        "average_seconds": (int, float),
    }
)
HEAD = ("protocol", "groups", "tasks")
TAG = "#"


def parse(table: object, suite: str) -> Mapping[str, Task]:
    """Return a suite's tasks by id, in the file's order.

    Args:
        table: the parsed content of a suite's file.
        suite: the suite's name, for the tasks and the error.

    Raises:
        BadValue: lists every fault of every row.
    """
    where = f"{suite}.json"
    if not isinstance(table, dict) or sorted(table) != sorted(HEAD):
        came = ", ".join(table) if isinstance(table, dict) else type(table).__name__
        raise BadValue(f"expected an object of {', '.join(HEAD)}, got {came} ({where})")
    for name, kind in (("protocol", str), ("groups", list)):
        if not isinstance(table[name], kind):
            raise BadValue(
                f"expected {name} of type {kind.__name__}, got {table[name]!r} ({where})"
            )
    found = checked(table["tasks"], where)
    refuse(_all_faults(found, tuple(table["groups"])), where)
    return MappingProxyType({row["id"]: _task(row, suite, table["protocol"]) for row in found})


def choose(table: Mapping[str, Any], suite: str, tasks: Mapping[str, Task]) -> Mapping[str, Task]:
    """Return the tasks of another suite that a file's rows name, in the file's order.

    Raises:
        BadValue: lists every row without an id of `tasks`, or with one used before.
    """
    where = f"{suite}.json"
    faults: list[str] = []
    chosen: dict[str, Task] = {}
    for number, row in enumerate(checked(table["tasks"], where)):
        name = str(row.get("id"))
        if name not in tasks:
            faults.append(f"row {number}: {UnknownName('task', name, tasks)}")
        elif name in chosen:
            faults.append(f"row {number} ({name}): expected an id of its own, got a second one")
        else:
            chosen[name] = tasks[name]
    refuse(faults, where)
    return MappingProxyType(chosen)


def _all_faults(found: tuple[Row, ...], groups: tuple[str, ...]) -> list[str]:
    """Return what is wrong with the rows of a file, each fault with its row."""
    faults: list[str] = []
    seen: set[object] = set()
    for number, row in enumerate(found):
        name = row.get("id", "?")
        own = [*_form_faults(row)]
        if not own:
            own = [*_value_faults(row, groups), *_figure_faults(row.get("figures", {}))]
        if name in seen:
            own.append("expected an id of its own, got one that was used before")
        seen.add(name)
        faults += [f"row {number} ({name}): {fault}" for fault in own]
    return faults


def _form_faults(row: Row) -> list[str]:
    """Return which fields of a row are missing, unknown or of a wrong type."""
    faults = [f"expected a field {name!r}, got none" for name in REQUIRED if name not in row]
    known = {**REQUIRED, **OPTIONAL}
    faults += [f"expected no field {name!r}" for name in row if name not in {*known, "source"}]
    return faults + [
        f"expected {name} of type {_type_name(kind)}, got {row[name]!r}"
        for name, kind in known.items()
        if name in row and not _is(row[name], kind)
    ]


def _value_faults(row: Row, groups: tuple[str, ...]) -> list[str]:
    """Return the values of a well-formed row that cannot be."""
    faults = []
    success = row.get("success", "held")
    for name, value, allowed in (
        ("group", row["group"], groups),
        ("verb", row["verb"], VERBS),
        ("success", success, SUCCESSES),
    ):
        if value not in allowed:
            faults.append(f"expected {name} of {', '.join(allowed)}, got {value!r}")
    if not row["id"].isalnum():
        faults.append(f"expected an id of letters and digits, got {row['id']!r}")
    for name in ("count", "budget"):
        if row.get(name, 1) < 1:
            faults.append(f"expected {name} of at least 1, got {row[name]}")
    faults += _item_faults(row["item"], success) or _held_faults(row, success)
    for biome in row.get("biomes", []):
        if biome not in biome_names():
            faults.append(str(UnknownName("biome", biome, biome_names())))
    for name, count in row.get("inventory", {}).items():
        if name not in items():
            faults.append(str(UnknownName("item", name, items())))
        if not _is(count, int) or count < 1:
            faults.append(f"expected a count of at least 1 of {name}, got {count!r}")
    return faults


def _item_faults(name: str, success: str) -> list[str]:
    """Return why a row's item is none: a tag, an item, or, if it is to be found, any thing."""
    if name.startswith(TAG):
        kind, known, name = "tag", tuple(tags()), name[len(TAG) :]
    elif success == "declared":
        kind, known = "thing", things()
    else:
        kind, known = "item", tuple(items())
    return [] if name in known else [str(UnknownName(kind, name, known))]


def _held_faults(row: Row, success: str) -> list[str]:
    """Return why a row's item, which there is, cannot be got by its verb, or not so often be held."""
    if success != "held":
        return []
    name, verb, count = row["item"], row["verb"], row.get("count", 1)
    kinds = tag(name[len(TAG) :]) if name.startswith(TAG) else (name,)
    faults = []
    verbs = dict.fromkeys(verb for kind in kinds for verb in verbs_for(kind))
    if verbs and verb not in verbs:
        faults.append(f"expected verb of {', '.join(verbs)} for {name}, got {verb!r}")
    most = max(most_held(kind) for kind in kinds)
    if count > most:
        faults.append(f"expected count of at most {most} (all slots full), got {count}")
    return faults


def _figure_faults(figures: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the papers' figures of a row."""
    faults = []
    for agent, row in figures.items():
        if not isinstance(row, dict) or not set(row) <= set(FIGURES):
            faults.append(f"expected figures of {', '.join(FIGURES)}, got {row!r} ({agent})")
            continue
        faults += [
            f"expected {name} as a number of at least 0, got {value!r} ({agent})"
            for name, value in row.items()
            if not _is(value, FIGURES[name]) or value < 0
        ]
        rate = row.get("success_rate", 0)
        if _is(rate, (int, float)) and rate > 1:
            faults.append(f"expected success_rate of at most 1, got {rate} ({agent})")
    return faults


def _is(value: object, kind: Kind) -> bool:
    """Tell whether a value is of a type; True and False are no numbers."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _type_name(kind: Kind) -> str:
    """Return how an error calls a type."""
    return " or ".join(k.__name__ for k in kind) if isinstance(kind, tuple) else kind.__name__


def _task(row: Row, suite: str, protocol: str) -> Task:
    """Return a checked row as a task."""
    own: dict[str, Any] = {name: row[name] for name in (*REQUIRED, *OPTIONAL) if name in row}
    if row["item"].startswith(TAG):
        own["accepts"] = tags()[row["item"][len(TAG) :]]
        own["item"] = own["accepts"][0]
    own["biomes"] = tuple(row.get("biomes", ()))
    own["inventory"] = dict(row.get("inventory", {}))
    own["figures"] = {agent: Figures(**f) for agent, f in row.get("figures", {}).items()}
    return Task(suite=suite, protocol=protocol, **own)
