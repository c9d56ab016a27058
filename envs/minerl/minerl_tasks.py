"""The table of MineRL's tasks (`data/tasks.json`)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.checks import check_name
from optimus_gym.game.items import item_names
from optimus_gym.worlds.malmo.dialects import Dialect, dialect_named
from optimus_gym.worlds.malmo.missions import (
    BlockGoal,
    ItemGoal,
    Mission,
    Navigation,
    StartStack,
)

VERSIONS: Final = ("0.4.4", "1.0")
"""Versions of MineRL whose tasks the table has."""
_PARTS: Final[Mapping[str, type]] = MappingProxyType(
    {
        "inventory": StartStack,
        "possessions": ItemGoal,
        "ends_with": ItemGoal,
        "ends_crafting": ItemGoal,
        "touched": BlockGoal,
    }
)
"""Fields of a mission that are tuples of objects, with the objects' classes."""


@dataclass(frozen=True, slots=True)
class ItemReward:
    """A reward that the client computes, since MineRL 1.0's game computes none.

    Attributes:
        items: items that count, all together.
        reward: reward for each piece.
        pieces: number of pieces that are rewarded; a piece that was lost and comes back counts once.
        ends: whether the last of these pieces ends the episode.
    """

    items: tuple[str, ...]
    reward: float
    pieces: int = 1
    ends: bool = False


@dataclass(frozen=True, slots=True)
class MineRLTask:
    """A task of one version of MineRL.

    Attributes:
        name: the name without "MineRL" and "-v0" ("ObtainDiamond").
        version: one of `VERSIONS`.
        mission: what the game is asked for.
        keys: names of the keys in the action space.
        source: where the task's values come from.
        ticks: length of an episode, or None.
        inventory: items whose pieces the observation counts; empty: the observation has no inventory.
        worn: names of held and worn stacks in the observation.
        types: items that the observation of a held or worn stack tells apart.
        functions: for each of the wire's words that craft, smelt, equip and place, the items to choose from.
        compass: whether the observation has the compass's angle.
        statistics: whether the observation has vitals, location and statistics.
        tells: whether `info` has MineRL 1.0's monitors.
        rewards: rewards that are computed here.
        ends_by_key: a key that ends the episode, or "".
        ends_without: an item whose throw ends the episode after some ticks, or "".
    """

    name: str
    version: str
    mission: Mission
    keys: tuple[str, ...]
    source: str
    ticks: int | None = None
    inventory: tuple[str, ...] = ()
    worn: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    functions: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    compass: bool = False
    statistics: bool = False
    tells: bool = False
    rewards: tuple[ItemReward, ...] = ()
    ends_by_key: str = ""
    ends_without: str = ""

    @property
    def dialect(self) -> Dialect:
        """The dialect in which the task talks to its game."""
        return dialect_named(f"minerl-{self.version}")

    def sized(self, resolution: tuple[int, int]) -> "MineRLTask":
        """Return the task with pictures of a width and height."""
        width, height = resolution
        return replace(self, mission=replace(self.mission, width=width, height=height))


def minerl_task(name: str, version: str | None = None) -> MineRLTask:
    """Return a task of a version of MineRL; None: the version that the table has first.

    Raises:
        UnknownName: there is no such task, or the version has no such task.

    >>> minerl_task("ObtainDiamond").ticks, minerl_task("BasaltFindCave").version
    (18000, '1.0')
    """
    found = versions_of(name)
    asked = next(iter(found)) if version is None else version
    return found[check_name(f"version of MineRL for {name}", asked, found)]


def versions_of(name: str) -> Mapping[str, MineRLTask]:
    """Return a task's forms by MineRL's version.

    Raises:
        UnknownName: there is no such task.
    """
    return minerl_tasks()[check_name("MineRL task", name, minerl_tasks())]


@cache
def minerl_tasks() -> Mapping[str, Mapping[str, MineRLTask]]:
    """Return all tasks by name, then by version, in the table's order."""
    text = files("optimus_gym.envs.minerl.data").joinpath("tasks.json").read_text("utf-8")
    table = json.loads(text)
    lists = {"all": sorted(item_names()), **table["lists"]}
    made: dict[str, dict[str, MineRLTask]] = {}
    for key in table["tasks"]:
        name, version = key.split(" ")
        fields = _spelled_out(_merged(table["tasks"], key), lists)
        made.setdefault(name, {})[version] = _task(name, version, fields)
    return MappingProxyType({name: MappingProxyType(forms) for name, forms in made.items()})


def _merged(rows: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a row with the fields of the rows that it is like."""
    own = dict(rows[key])
    if "like" not in own:
        return own
    base = _merged(rows, own.pop("like"))
    return {**base, **own, "mission": {**base["mission"], **own.get("mission", {})}}


def _spelled_out(value: Any, lists: Mapping[str, Any]) -> Any:
    """Return a value of the table with lists instead of the names of lists, at the places of lists."""
    if isinstance(value, dict):
        return {
            key: lists[each]
            if key in _LISTS and isinstance(each, str)
            else _spelled_out(each, lists)
            for key, each in value.items()
        }
    return [_spelled_out(each, lists) for each in value] if isinstance(value, list) else value


_LISTS: Final = frozenset(
    (
        *("keys", "inventory", "types", "items", "possessions", "handlers", "rewards"),
        *("place", "equip", "craft", "craftNearby", "smeltNearby"),
    )
)
"""Keys of the table whose values are lists, or names of lists."""


def _task(name: str, version: str, fields: dict[str, Any]) -> MineRLTask:
    fields = dict(fields)
    functions = fields.pop("functions", {})
    rewards = fields.pop("rewards", [])
    mission = _mission(name, fields.pop("mission"))
    plain: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each for key, each in fields.items()
    }
    return MineRLTask(
        name=name,
        version=version,
        mission=mission,
        functions=MappingProxyType({word: tuple(items) for word, items in functions.items()}),
        rewards=tuple(ItemReward(**{**row, "items": tuple(row["items"])}) for row in rewards),
        **plain,
    )


def _mission(name: str, fields: Mapping[str, Any]) -> Mission:
    """Return a mission with the table's fields; MineRL 0.4.4's pictures have 64x64 pixels."""
    made = {"name": f"MineRL{name}-v0", "width": 64, "height": 64, **fields}
    for key, part in _PARTS.items():
        if key in made:
            made[key] = tuple(part(**row) for row in made[key])
    if "navigation" in made:
        made["navigation"] = Navigation(**made["navigation"])
    if isinstance(made.get("land_options"), dict):
        made["land_options"] = json.dumps(made["land_options"])
    if "ends_touching" in made:
        made["ends_touching"] = tuple(made["ends_touching"])
    return Mission(**{**made, "handlers": frozenset(made["handlers"])})
