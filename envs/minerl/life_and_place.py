"""Vitals and location as MineRL 1.0's `life_stats` and `location_stats`."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import DTypeLike

from optimus_gym.worlds.malmo.reports import Location, PlayerLife


def scalar(low: float, high: float, dtype: DTypeLike) -> Box:
    """Return the space of one number, an array without dimensions."""
    return Box(low, high, (), np.dtype(dtype).type)


def bounded(value: float, space: Box) -> np.ndarray[Any, Any]:
    """Return a number as an array without dimensions, moved into its space; the array cannot be written.

    >>> bounded(25, scalar(0, 20, np.float64)).tolist()
    20.0
    """
    made = np.array(min(max(value, float(space.low)), float(space.high)), space.dtype)
    made.flags.writeable = False
    return made


_LIFE: Final[Mapping[str, tuple[str, Box]]] = MappingProxyType(
    {
        "air": ("air", scalar(0, 300, np.int64)),
        "food": ("food", scalar(0, 20, np.int64)),
        "is_alive": ("alive", scalar(0, 1, np.bool_)),
        "life": ("health", scalar(0, 20, np.float64)),
        "saturation": ("saturation", scalar(0, 20, np.float64)),
        "score": ("score", scalar(0, 0x7FFFFF, np.int64)),
        "xp": ("experience", scalar(0, 1395, np.int64)),
    }
)
"""Keys of `life_stats`, each with the field of `PlayerLife` and its space; bounds as in MineRL."""
_SHARE: Final = scalar(0, 1, np.float64)
_RATE: Final = scalar(0, 1, np.float32)
_FLAG: Final = scalar(0, 1, np.int64)
_PLACE: Final = scalar(-640000, 640000, np.float64)
_TURN: Final = scalar(-180, 180, np.float64)
_LOCATION: Final[Mapping[str, tuple[str, Box]]] = MappingProxyType(
    {
        "biome_id": ("biome_id", scalar(0, 173, np.int64)),
        "biome_rainfall": ("rainfall", _RATE),
        "biome_temperature": ("temperature", scalar(-1, 2, np.float32)),
        "can_see_sky": ("sees_sky", _FLAG),
        "is_raining": ("rains", _FLAG),
        "light_level": ("light", scalar(0, 15, np.int64)),
        "pitch": ("pitch", _TURN),
        "sea_level": ("sea_level", scalar(0, 255, np.int64)),
        "sky_light_level": ("sky_light", _SHARE),
        "sun_brightness": ("sun", _SHARE),
        "xpos": ("x", _PLACE),
        "yaw": ("yaw", _TURN),
        "ypos": ("y", _PLACE),
        "zpos": ("z", _PLACE),
    }
)
"""Keys of `location_stats`, each with the field of `Location` and its space; bounds as in MineRL, except for
biomes: their numbers reach 173, and temperatures lie between -0.7 and 2 (Minecraft Wiki, "Biome")."""
LIFE_SPACE: Final = Dict({key: space for key, (_, space) in _LIFE.items()})
PLACE_SPACE: Final = Dict({key: space for key, (_, space) in _LOCATION.items()})


def life_of(life: PlayerLife) -> dict[str, Any]:
    """Return vitals as `life_stats`."""
    return {key: bounded(getattr(life, name), space) for key, (name, space) in _LIFE.items()}


def location_of(location: Location) -> dict[str, Any]:
    """Return a location as `location_stats`; the yaw is brought to -180 to 180 degrees."""
    made = {
        key: bounded(getattr(location, name), space) for key, (name, space) in _LOCATION.items()
    }
    made["yaw"] = bounded((location.yaw + 180.0) % 360.0 - 180.0, _TURN)
    return made
