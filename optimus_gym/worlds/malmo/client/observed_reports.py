"""Observations of MineRL's and MineStudio's environments as reports of the game.

| environment | its observation |
| --- | --- |
| MineRL 0.4.4 | pictures, counts by item under the names of Minecraft 1.11, the held item |
| MineRL 1.0 | pictures, counts by item, equipment, vitals, location, statistics; Basalt: pictures alone |
| MineStudio 1.1.6 | pictures, stacks by slot, equipment, position, statistics, in `info` |

Source: the handlers of observations of MineRL 0.4.4 and MineStudio 1.1.6.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import shown
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.old_names import new_items
from optimus_gym.worlds.malmo.report_json import read_report
from optimus_gym.worlds.malmo.reports import AIR_NAME, STATISTICS, Report

PICTURE_KEY: Final = "pov"
_PLACES: Final = {"x": "xpos", "y": "ypos", "z": "zpos", "pitch": "pitch", "yaw": "yaw"}
"""Keys of MineStudio's `player_pos`, each with the game's key."""
_MISSING: Final = ("none", "other")
"""Words for what an observation's space has no name for."""


def observed_picture(observed: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Return a copy of the picture (uint8[height, width, 3]) of an observation.

    Raises:
        WireFault: the observation has no such picture.
    """
    picture = np.asarray(observed.get(PICTURE_KEY))
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] < 3 or not picture.size:
        raise WireFault(
            f"observation: expected {PICTURE_KEY}, a picture uint8[height, width, 3], got "
            f"{picture.dtype}{list(picture.shape)}"
        )
    copied: NDArray[np.uint8] = picture[..., :3].copy()
    return copied


def observed_report(observed: Mapping[str, Any], old: bool) -> Report:
    """Return the report that an observation, with its `info`, tells.

    Args:
        observed: the observation's and the info's entries.
        old: whether names are those of Minecraft 1.11.

    Raises:
        WireFault: an entry has another type than these environments give it.
    """
    told: dict[str, Any] = {
        "isGuiOpen": bool(observed.get("isGuiOpen", observed.get("is_gui_open", False))),
        "inventory": _inventory(observed.get("inventory", {}), old),
        "equipped_items": _equipped(observed.get("equipped_items", {}), old),
    }
    for group in ("life_stats", "location_stats"):
        stats = {key: _number(value) for key, value in _entries(group, observed).items()}
        told |= {group: stats} if group == "life_stats" else stats
    position = _entries("player_pos", observed)
    told |= {_PLACES[axis]: _number(position[axis]) for axis in _PLACES if axis in position}
    told |= {key: _number(observed[key]) for key in ("health", "food_level") if key in observed}
    told |= {key: observed[key] for key in ("voxels", "mobs") if key in observed}
    for group in STATISTICS:
        counts = {name: _number(count) for name, count in _entries(group, observed).items()}
        told[group] = {name: count for name, count in counts.items() if count}
    if "compass" in observed:
        told["compassAngle"] = _number(_entries("compass", observed).get("angle", 0.0))
    return read_report(json.dumps(told, default=_plain).encode())


def _plain(value: Any) -> Any:
    """Return an array or a number of numpy as a value of JSON."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise WireFault(f"observation: expected numbers, texts, lists and mappings, got {shown(value)}")


def _entries(key: str, observed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of a mapping in an observation; none if the key is missing."""
    value = observed.get(key, {})
    if not isinstance(value, Mapping):
        raise WireFault(f"{key}: expected a mapping, got {shown(value)}")
    return {str(name): entry for name, entry in value.items()}


def _number(value: Any) -> Any:
    """Return an array of one number as this number, and a one-hot array as the index of its 1."""
    array = np.asarray(value)
    return array.item() if array.size == 1 else int(array.argmax()) if array.size else 0


def _inventory(value: Any, old: bool) -> list[dict[str, Any]]:
    """Return the stacks of an inventory: counts by item, or stacks by slot."""
    made = []
    for key, entry in _entries("inventory", {"inventory": value}).items():
        if isinstance(entry, Mapping):
            name, count = str(entry.get("type")), _number(entry.get("quantity", 0))
            place = {"slot_id": int(key)} if key.isdecimal() else {}
        else:
            name, count, place = key, _number(entry), {}
        if count and name not in (AIR_NAME, *_MISSING):
            made.append({"type": _present(name, old), "quantity": count, **place})
    return made


def _equipped(value: Any, old: bool) -> dict[str, Any]:
    """Return what is held and worn."""
    made = {}
    for place, entry in _entries("equipped_items", {"equipped_items": value}).items():
        told = {key: _number(each) for key, each in _entries(place, {place: entry}).items()}
        name = str(told.get("type", AIR_NAME))
        made[place] = {**told, "type": AIR_NAME if name in _MISSING else _present(name, old)}
    return made


def _present(name: str, old: bool) -> str:
    """Return an item's name in 1.16.5; of several items with one old name, the first."""
    return next(iter(new_items(name)), name) if old else name
