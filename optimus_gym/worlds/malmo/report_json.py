"""Reports as JSON: written for each dialect's client, and read from each dialect's game.

A client ends with an error if a key is missing that it requires, so that a report always has all keys of its
dialect. Source: the handlers of observations of MineRL 0.4.4 and MineStudio 1.1.6, and 0.4.4's own game.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

from optimus_gym.core.errors import reason_of, shown
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.reports import (
    AIR_NAME,
    EQUIPMENT,
    OWN_SLOTS,
    STATISTICS,
    Location,
    NearBlock,
    NearCreature,
    PlayerLife,
    Report,
    Statistics,
    WireStack,
    Worn,
)

_LIFE_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "health": "life",
        "score": "score",
        "food": "food",
        "saturation": "saturation",
        "experience": "xp",
        "alive": "is_alive",
        "air": "air",
    }
)
"""Fields of `PlayerLife`, each with its key; MineRL 0.4.4 reads keys at the top, 1.0 in "life_stats"."""
_LOCATION_KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "x": "xpos",
        "y": "ypos",
        "z": "zpos",
        "yaw": "yaw",
        "pitch": "pitch",
        "biome_id": "biome_id",
        "rainfall": "biome_rainfall",
        "temperature": "biome_temperature",
        "sees_sky": "can_see_sky",
        "rains": "is_raining",
        "light": "light_level",
        "sky_light": "sky_light_level",
        "sun": "sun_brightness",
        "sea_level": "sea_level",
    }
)
"""Fields of `Location`, each with its key."""
_WORN_SLOTS: Final[Mapping[str, int]] = MappingProxyType(
    {"feet": 36, "legs": 37, "chest": 38, "head": 39, "offhand": 40}
)
"""Slots of worn stacks in the inventory of MineRL 0.4.4's game."""
_LAST_SLOT: Final = 40
_NEVER_WEARS: Final = -1
"""Wear of an item that never wears out, in MineRL 0.4.4."""
MOST_REPORT: Final = 1 << 24
"""Maximum bytes of a report; a report on 30,000 blocks has two million."""
_PREFIX: Final = "minecraft:"
_MOST_NUMBER: Final = 1.0e9
_MOST_WHOLE: Final = 2**31
"""Largest count; the game keeps counts in signed numbers of 32 bits."""
_T = TypeVar("_T")


def report_message(report: Report, dialect: Dialect) -> bytes:
    """Return a report as JSON in UTF-8, as the dialect's client wants it.

    MineRL 0.4.4's game tells the wear of an item by the key "currentDamage" alone, and its client reads
    "damage", which is therefore always 0. Our report has both keys.
    """
    life = {key: getattr(report.life, name) for name, key in _LIFE_KEYS.items()}
    told: dict[str, Any] = {
        "isGuiOpen": report.screen_open,
        "inventory": _inventory(report, dialect),
        "equipped_items": {
            name: _worn_value(report.worn.get(name, Worn()), dialect) for name in EQUIPMENT
        },
        "life_stats": life,
        **life,
        **{key: getattr(report.location, name) for name, key in _LOCATION_KEYS.items()},
        # Clients take these two as indices or numbers, not as truth values.
        "can_see_sky": int(report.location.sees_sky),
        "is_raining": int(report.location.rains),
        **{group: dict(report.statistics.get(group, {})) for group in STATISTICS},
    }
    if dialect.near:
        told |= {"health": report.life.health, "food_level": report.life.food}
        told |= _near_objects(report)
    if report.compass is not None:
        told["compassAngle"] = report.compass
    return json.dumps(told, allow_nan=False, separators=(",", ":")).encode()


def _inventory(report: Report, dialect: Dialect) -> list[dict[str, Any]]:
    """Return the inventory's stacks; MineRL 0.4.4's game lists empty slots and worn stacks, too."""
    if not dialect.old_names:
        return [
            {"type": stack.item, "quantity": stack.count}
            | ({"slot_id": stack.slot} if dialect.slots else {})
            for stack in report.stacks
        ]
    held = {stack.slot: (stack.item, stack.count, stack.metadata) for stack in report.stacks}
    for name, slot in _WORN_SLOTS.items():
        worn = report.worn.get(name, Worn())
        held[slot] = (worn.item, int(worn.item != AIR_NAME), worn.metadata)
    told = []
    for slot in range(_LAST_SLOT + 1):
        item, count, metadata = held.get(slot, (AIR_NAME, 0, 0))
        told.append({"type": item, "quantity": count, "metadata": metadata, "index": slot})
    return told


def _worn_value(worn: Worn, dialect: Dialect) -> Any:
    told: dict[str, Any] = {
        "type": worn.item,
        "damage": worn.damage,
        "maxDamage": worn.most_damage,
    }
    if not dialect.nested:
        return json.dumps(told)
    if worn.item == AIR_NAME:
        return {}
    told |= {"metadata": worn.metadata, "currentDamage": worn.damage}
    if worn.most_damage == 0:
        told |= {"currentDamage": _NEVER_WEARS, "maxDamage": _NEVER_WEARS}
    return told


def _near_objects(report: Report) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if report.voxels is not None:
        told["voxels"] = [
            {"type": near.name, "x": near.x, "y": near.y, "z": near.z} for near in report.voxels
        ]
    if report.mobs is not None:
        told["mobs"] = [
            {"type": near.name, "x": near.x, "y": near.y, "z": near.z, "health": near.health}
            for near in report.mobs
        ]
    return told


def read_report(message: bytes) -> Report:
    """Return the report that a game's JSON tells, in any dialect.

    Missing keys take the values of a player who has just spawned, as the clients take them. MineRL 1.0 does
    not tell slots: its stacks get the numbers from 0 on, in the order in which they come. Names lose the
    prefix "minecraft:".

    Raises:
        WireFault: the message is no JSON object or longer than `MOST_REPORT`, or a value has another type
            than the game's.
    """
    if len(message) > MOST_REPORT:
        raise WireFault(f"report: expected at most {MOST_REPORT} bytes, got {len(message)}")
    told = _object("report", _json("report", message))
    return Report(
        screen_open=_read(told, "isGuiOpen", False, _truth),
        stacks=_stacks(told),
        worn=_worn(told.get("equipped_items", {})),
        life=_life(told),
        location=Location(**_fields(Location(), _LOCATION_KEYS, told)),
        statistics=_statistics(told),
        voxels=_voxels(told),
        mobs=_mobs(told),
        compass=_number("compassAngle", told["compassAngle"]) if "compassAngle" in told else None,
    )


def _json(what: str, text: bytes | str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WireFault(f"{what}: expected JSON, got {shown(text)} ({reason_of(error)})") from None


def _fields(defaults: PlayerLife | Location, keys: Mapping[str, str], told: dict[str, Any]) -> Any:
    """Return the values of a dataclass's fields by name, each checked by the type of its default."""
    readers: dict[type, Callable[[str, Any], Any]] = {bool: _truth, int: _whole, float: _number}
    return {
        name: _read(told, key, getattr(defaults, name), readers[type(getattr(defaults, name))])
        for name, key in keys.items()
    }


def _life(told: dict[str, Any]) -> PlayerLife:
    """Return the vitals: MineRL 1.0 nests them, MineStudio has only two of them, under other names."""
    renamed = {"life": "health", "food": "food_level"}
    life = {key: told[other] for key, other in renamed.items() if other in told}
    life |= told | _object("life_stats", told.get("life_stats", {}))
    if "life" in life:
        life.setdefault("is_alive", _number("life", life["life"]) > 0)
    return PlayerLife(**_fields(PlayerLife(), _LIFE_KEYS, life))


def _stacks(told: dict[str, Any]) -> tuple[WireStack, ...]:
    """Return the stacks of the inventory without empty slots and without what is worn."""
    made = []
    for k, entry in enumerate(_list("inventory", told.get("inventory", []))):
        where = f"inventory[{k}]"
        stack = _object(where, entry)
        item = _name(f"{where}.type", stack.get("type"))
        key = "slot_id" if "slot_id" in stack else "index"
        slot = _whole(f"{where}.{key}", stack.get(key, min(k, OWN_SLOTS - 1)))
        if not 0 <= slot <= _LAST_SLOT:
            raise WireFault(f"{where}.{key}: expected 0 to {_LAST_SLOT}, got {slot}")
        if item == AIR_NAME or slot >= OWN_SLOTS:
            continue
        count = _whole(f"{where}.quantity", stack.get("quantity"))
        metadata = _whole(f"{where}.metadata", stack.get("metadata", 0))
        made.append(WireStack(slot, item, count, metadata))
    return tuple(made)


def _worn(value: Any) -> Mapping[str, Worn]:
    """Return held and worn stacks by name; each is a JSON object, or a text that holds one."""
    made = {}
    for name, entry in _object("equipped_items", value).items():
        if name not in EQUIPMENT:
            continue
        where = f"equipped_items.{name}"
        told = _object(where, _json(where, entry) if isinstance(entry, str) else entry)
        worn = told.get("damage", told.get("currentDamage", 0))
        made[name] = Worn(
            item=_name(f"{where}.type", told.get("type", AIR_NAME)),
            damage=max(0, _whole(f"{where}.damage", worn)),
            most_damage=max(0, _whole(f"{where}.maxDamage", told.get("maxDamage", 0))),
            metadata=_whole(f"{where}.metadata", told.get("metadata", 0)),
        )
    return MappingProxyType(made)


def _statistics(told: dict[str, Any]) -> Statistics:
    """Return the groups of statistics that the game tells, without empty groups."""
    groups = {}
    for group in STATISTICS:
        counts = _object(group, told.get(group, {}))
        if counts:
            groups[group] = {
                name.removeprefix(_PREFIX): _whole(f"{group}.{name[:40]}", count)
                for name, count in counts.items()
            }
    return MappingProxyType(groups)


def _voxels(told: dict[str, Any]) -> tuple[NearBlock, ...] | None:
    if "voxels" not in told:
        return None
    made = []
    for k, entry in enumerate(_list("voxels", told["voxels"])):
        near = _object(f"voxels[{k}]", entry)
        x, y, z = (_whole(f"voxels[{k}].{axis}", near.get(axis)) for axis in "xyz")
        made.append(NearBlock(_name(f"voxels[{k}].type", near.get("type")), x, y, z))
    return tuple(made)


def _mobs(told: dict[str, Any]) -> tuple[NearCreature, ...] | None:
    if "mobs" not in told:
        return None
    made = []
    for k, entry in enumerate(_list("mobs", told["mobs"])):
        near = _object(f"mobs[{k}]", entry)
        x, y, z = (_number(f"mobs[{k}].{axis}", near.get(axis)) for axis in "xyz")
        name = _name(f"mobs[{k}].type", near.get("type"))
        health = _number(f"mobs[{k}].health", near.get("health", 0.0))
        made.append(NearCreature(name, x, y, z, health))
    return tuple(made)


def _read(told: dict[str, Any], key: str, missing: _T, reader: Callable[[str, Any], _T]) -> _T:
    return reader(key, told[key]) if key in told else missing


def _object(where: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise WireFault(f"{where}: expected an object, got {shown(value)}")
    return value


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise WireFault(f"{where}: expected a list, got {shown(value)}")
    return value


def _name(where: str, value: Any) -> str:
    if not isinstance(value, str):
        raise WireFault(f"{where}: expected a name, got {shown(value)}")
    return value.removeprefix(_PREFIX)


def _number(where: str, value: Any) -> float:
    if _is_number(value) and abs(value) <= _MOST_NUMBER:  # False for NaN
        return float(value)
    raise WireFault(f"{where}: expected a number, got {shown(value)}")


def _whole(where: str, value: Any) -> int:
    """Return a whole number; the game writes some of them as 3.0."""
    if _is_number(value) and abs(value) <= _MOST_WHOLE and value == int(value):
        return int(value)
    raise WireFault(f"{where}: expected a whole number, got {shown(value)}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _truth(where: str, value: Any) -> bool:
    if value not in (True, False):  # 1 and 0, too
        raise WireFault(f"{where}: expected true or false, got {shown(value)}")
    return bool(value)
