"""Reads a suite's file: checks all rows together, then makes a task of each row.

A file is an object: `protocol`, `groups` and `tasks`, a list of rows. A row has the `REQUIRED` fields, its
`source`, and the `OPTIONAL` fields that differ from their default. As `item`, "#planks" stands for any item
of the tag "planks". A file with `of` instead of protocol and groups chooses tasks of another suite by their
ids.
"""

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import Any

from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.core.plain import read_json
from optimus_gym.core.scaling import MOST_HELD
from optimus_gym.core.task import CONTEXTS, DIGGING_CONTEXTS, SUCCESSES, PaperFigures, Task
from optimus_gym.core.types import ACT_VERBS, RECOVER, SHAFT_ENDS, VERBS
from optimus_gym.game.conditions import DAY_TICKS, WEATHERS
from optimus_gym.game.items import items, most_held
from optimus_gym.game.rows import Row, checked, refuse
from optimus_gym.game.sources import GETTING_VERBS, verbs_for
from optimus_gym.game.tags import tag, tags
from optimus_gym.game.things import things
from optimus_gym.game.tools import tools
from optimus_gym.game.ways import biome_names

FieldKind = type | tuple[type, ...]
REQUIRED: Mapping[str, FieldKind] = MappingProxyType(
    {"id": str, "group": str, "instruction": str, "verb": str, "item": str, "budget": int}
)
OPTIONAL: Mapping[str, FieldKind] = MappingProxyType(
    {
        "count": int,
        "success": str,
        "biomes": list,
        "time": int,
        "weather": str,
        "commands": list,
        "context": dict,
        "inventory": dict,
        "headline": bool,
        "figures": dict,
    }
)
FIGURE_KINDS: Mapping[str, FieldKind] = MappingProxyType(
    {
        "success_rate": (int, float),
        "episodes": int,
        "subgoals": int,
        "average_ticks": (int, float),
        "average_seconds": (int, float),
    }
)
TASK_VERBS = tuple(verb for verb in VERBS if verb not in (RECOVER, *ACT_VERBS))
DECLARED_VERBS = ("find", "mine")
REACHED_VERBS = tuple(verb for verb in VERBS if verb != RECOVER)
"""Verbs of tasks that ask for one sub-goal (success "reached")."""
SUITE_HEAD = ("protocol", "groups", "tasks")
LONGEST_ID = 64
LONGEST_BUDGET = 10**9
"""Maximum budget of a task in ticks (a year and a half of play), and maximum of each of a paper's figures."""
TAG = "#"
_NAMES: Mapping[str, Callable[[], Collection[str]]] = MappingProxyType(
    {"near": things, "tool": tools}
)
"""The names that a condition of a context may have, for conditions whose values are names."""


def loads_suite(
    text: str | bytes, suite: str, others: Callable[[str], Mapping[str, Task]]
) -> Mapping[str, Task]:
    """Return the tasks of a suite's file by id, in the file's order.

    Args:
        text: the file's content.
        suite: the suite's name, for the tasks and the error.
        others: returns the tasks of another suite, for this suite to choose from.

    Raises:
        BadValue: the text is no JSON, or rows have faults; lists every fault of every row.
        UnknownName: the file chooses from an unknown suite.
    """
    table = read_json(text, f"{suite}.json")
    if isinstance(table, dict) and "of" in table:
        _check_head(table, ("of", "tasks"), f"{suite}.json")
        return choose(table, suite, others(table["of"]))
    return tasks_in(table, suite)


def tasks_in(table: object, suite: str, where: str | None = None) -> Mapping[str, Task]:
    """Return a suite's tasks by id, in the file's order.

    Args:
        table: the parsed content of a suite's file.
        suite: the suite's name, for the tasks.
        where: the file's name, for the error; None: the suite's name with ".json".

    Raises:
        BadValue: lists every fault of every row.
    """
    where = f"{suite}.json" if where is None else where
    head = _check_head(table, SUITE_HEAD, where)
    if not isinstance(head["protocol"], str):
        raise BadValue(f"expected protocol of type str, got {shown(head['protocol'])} ({where})")
    groups = head["groups"]
    if not isinstance(groups, list) or not all(isinstance(name, str) for name in groups):
        raise BadValue(f"expected groups as a list of names, got {shown(groups)} ({where})")
    found = checked(head["tasks"], where)
    refuse(_all_faults(found, tuple(groups)), where)
    return MappingProxyType({row["id"]: _task(row, suite, head["protocol"]) for row in found})


def choose(table: Mapping[str, Any], suite: str, tasks: Mapping[str, Task]) -> Mapping[str, Task]:
    """Return the tasks of another suite that the rows of a file name, in the file's order.

    Raises:
        BadValue: lists every row whose id is not in `tasks` or stands in an earlier row.
    """
    where = f"{suite}.json"
    faults: list[str] = []
    chosen: dict[str, Task] = {}
    for number, row in enumerate(checked(table["tasks"], where)):
        name = str(row.get("id"))
        if name not in tasks:
            faults.append(f"row {number}: {UnknownName('task', name, tasks)}")
        elif name in chosen:
            faults.append(
                f"row {number} ({name}): expected a new id, got one that an earlier row has"
            )
        else:
            chosen[name] = tasks[name]
    refuse(faults, where)
    return MappingProxyType(chosen)


def _check_head(table: object, names: tuple[str, ...], where: str) -> dict[str, Any]:
    """Return the parsed object of a suite's file, if its keys are exactly `names`.

    Raises:
        BadValue: the file holds no object, or the object has other keys.
    """
    if isinstance(table, dict) and sorted(table) == sorted(names):
        return table
    came = shown(", ".join(table)) if isinstance(table, dict) else type(table).__name__
    raise BadValue(f"expected an object with the keys {', '.join(names)}, got {came} ({where})")


def _all_faults(found: tuple[Row, ...], groups: tuple[str, ...]) -> list[str]:
    """Return the faults of the rows of a suite's file, each fault with the number of its row."""
    faults: list[str] = []
    seen: set[str] = set()
    for number, row in enumerate(found):
        name = shown(row.get("id", "?")).strip("'")
        own = [*_form_faults(row)]
        if not own:
            own = [*_value_faults(row, groups), *_figure_faults(row.get("figures", {}))]
        if name in seen:
            own.append("expected a new id, got one that an earlier row has")
        seen.add(name)
        faults += [f"row {number} ({name}): {fault}" for fault in own]
    return faults


def _form_faults(row: Row) -> list[str]:
    """Return the faults of a task's fields in a row: missing, unknown or of a wrong type."""
    faults = [f"expected a field {name!r}, got none" for name in REQUIRED if name not in row]
    known = {**REQUIRED, **OPTIONAL}
    faults += [f"expected no field {name!r}" for name in row if name not in {*known, "source"}]
    return faults + [
        f"expected {name} of type {_type_name(kind)}, got {shown(row[name])}"
        for name, kind in known.items()
        if name in row and not _is(row[name], kind)
    ]


def _value_faults(row: Row, groups: tuple[str, ...]) -> list[str]:
    """Return the faults of a task's values in a row whose fields have the right types."""
    faults = []
    success = row.get("success", "held")
    for name, value, allowed in (
        ("group", row["group"], groups),
        ("verb", row["verb"], REACHED_VERBS if success == "reached" else TASK_VERBS),
        ("success", success, SUCCESSES),
    ):
        if value not in allowed:
            faults.append(f"expected {name} to be one of {', '.join(allowed)}, got {shown(value)}")
    if not (row["id"].isalnum() and row["id"].isascii() and len(row["id"]) <= LONGEST_ID):
        faults.append(f"expected an id of letters and digits, got {shown(row['id'])}")
    if not row["instruction"].isprintable():
        faults.append(f"expected a line of text as instruction, got {shown(row['instruction'])}")
    for name, most in (("count", MOST_HELD), ("budget", LONGEST_BUDGET)):
        if not 1 <= row.get(name, 1) <= most:
            faults.append(f"expected {name} of 1 to {most}, got {shown(row[name])}")
    faults += _item_faults(row["item"], success, row["verb"]) or _held_faults(row, success)
    for biome in row.get("biomes", []):
        if not isinstance(biome, str) or biome not in biome_names():
            faults.append(str(UnknownName("biome", biome, biome_names())))
    faults += [*_start_faults(row), *_context_faults(row.get("context", {}), success, row["verb"])]
    for name, count in row.get("inventory", {}).items():
        if name not in items():
            faults.append(str(UnknownName("item", name, items())))
        if not _is(count, int) or not 1 <= count <= MOST_HELD:
            faults.append(f"expected a count of 1 to {MOST_HELD} of {name}, got {shown(count)}")
    return faults


def _start_faults(row: Row) -> list[str]:
    """Return the faults of the time, the weather and the commands of a task's start."""
    faults = []
    if not 0 <= row.get("time", 0) < DAY_TICKS:
        faults.append(f"expected time of 0 to {DAY_TICKS - 1}, got {shown(row['time'])}")
    if row.get("weather", WEATHERS[0]) not in WEATHERS:
        faults.append(str(UnknownName("weather", row["weather"], WEATHERS)))
    if not all(isinstance(text, str) for text in row.get("commands", [])):
        faults.append(f"expected commands as a list of texts, got {shown(row['commands'])}")
    return faults


def _context_faults(context: Mapping[str, object], success: str, verb: str) -> list[str]:
    """Return the faults of a task's context: unknown conditions, and values that a condition cannot have."""
    faults = []
    if context and success != "declared":
        faults.append(f"expected a context only with the success 'declared', got {shown(success)}")
    if success == "declared" and verb not in DECLARED_VERBS:
        faults.append(
            f"expected the verb of a declared task to be one of {', '.join(DECLARED_VERBS)}, "
            f"got {shown(verb)}"
        )
    if verb == "find" and not set(context).isdisjoint(DIGGING_CONTEXTS):
        faults.append(f"expected {' and '.join(DIGGING_CONTEXTS)} only with the verb 'mine'")
    for name, value in context.items():
        if name not in CONTEXTS:
            faults.append(str(UnknownName("condition", name, CONTEXTS)))
            continue
        known = CONTEXTS[name] or _NAMES.get(name, lambda: None)()
        if not isinstance(value, str) or (known is not None and value not in known):
            listed = f"one of {', '.join(tuple(known)[:8])}" if known else "a biome's name"
            faults.append(f"expected {name} to be {listed}, got {shown(value)}")
    return faults


def _item_faults(name: str, success: str, verb: str) -> list[str]:
    """Return the fault if a task's item is unknown as a tag ("#..."), as a thing, or as an item."""
    if name.startswith(TAG):
        kind, known, name = "tag", tuple(tags()), name[len(TAG) :]
    elif success == "declared" or verb in ACT_VERBS:
        kind, known = "thing", (*things(), *SHAFT_ENDS.values())
    else:
        kind, known = "item", tuple(items())
    return [] if name in known else [str(UnknownName(kind, name, known))]


def _held_faults(row: Row, success: str) -> list[str]:
    """Return the faults of an item to hold: the verb cannot get it, or the slots cannot hold `count`."""
    if success != "held" and (success != "reached" or row["verb"] not in GETTING_VERBS):
        return []
    name, verb, count = row["item"], row["verb"], row.get("count", 1)
    kinds = tag(name[len(TAG) :]) if name.startswith(TAG) else (name,)
    faults = []
    verbs = dict.fromkeys(verb for kind in kinds for verb in verbs_for(kind))
    if verbs and verb not in verbs:
        faults.append(f"expected one of the verbs {', '.join(verbs)} for {name}, got {verb!r}")
    most = max(most_held(kind) for kind in kinds)
    if count > most:
        faults.append(f"expected count of at most {most} (all slots full), got {count}")
    return faults


def _figure_faults(figures: Mapping[str, object]) -> list[str]:
    """Return the faults of the papers' figures in a row."""
    faults = []
    for agent, row in figures.items():
        if not isinstance(row, dict) or not set(row) <= set(FIGURE_KINDS):
            faults.append(
                f"expected an object with some of {', '.join(FIGURE_KINDS)}, got {shown(row)} ({agent})"
            )
            continue
        faults += [
            f"expected {name} as a number of at least 0, got {shown(value)} ({agent})"
            for name, value in row.items()
            if not _is(value, FIGURE_KINDS[name]) or not 0 <= value <= LONGEST_BUDGET
        ]
        rate = row.get("success_rate", 0)
        if _is(rate, (int, float)) and rate > 1:
            faults.append(f"expected success_rate of at most 1, got {shown(rate)} ({agent})")
    return faults


def _is(value: object, kind: FieldKind) -> bool:
    """Return whether a value is of a type; True and False are no numbers."""
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _type_name(kind: FieldKind) -> str:
    """Return the name of a type for errors."""
    return " or ".join(k.__name__ for k in kind) if isinstance(kind, tuple) else kind.__name__


def _task(row: Row, suite: str, protocol: str) -> Task:
    """Return the task of a row that has been checked."""
    own: dict[str, Any] = {name: row[name] for name in (*REQUIRED, *OPTIONAL) if name in row}
    if row["item"].startswith(TAG):
        own["accepts"] = tags()[row["item"][len(TAG) :]]
        own["item"] = own["accepts"][0]
    own["biomes"] = tuple(row.get("biomes", ()))
    own["commands"] = tuple(row.get("commands", ()))
    own["context"] = dict(row.get("context", {}))
    own["inventory"] = dict(row.get("inventory", {}))
    own["figures"] = {agent: PaperFigures(**f) for agent, f in row.get("figures", {}).items()}
    return Task(suite=suite, protocol=protocol, **own)
