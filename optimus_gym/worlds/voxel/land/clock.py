"""The clock: the time of day, the position of sun and moon, the light of the sky.

Reference: Minecraft Wiki, "Daylight cycle", "Sun", "Moon", "Light" (internal sky light).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import cosine

DAY = 24_000
"""Ticks of a day, which begins at 6 in the morning."""
PHASES = 8
"""Phases of the moon: 0 full, 1 to 3 waning, 4 new, 5 to 7 waxing."""
_NOON = 0.25
"""Part of a day from its beginning to noon, when the sun is highest."""
_WET = 5.0 / 16.0
"""Part of the sky's light that full rain takes; a full thunderstorm takes the same part of the remaining
light."""
_DIMMEST = 0.2
_MOST_DARKNESS = 11.0
_PI = 3.141592653589793


@kernel
def _cosine(part: float) -> float:
    """Return cos(pi * `part`), `part` from 0 to 1, by a series: for the sky, the game uses no sine table."""
    half = 0.5 * _PI * part
    square, total = half * half, 0.0
    for k in range(27, 0, -2):
        total = 1.0 - total * square / ((k + 1) * (k + 2))
    sine = half * total
    return 1.0 - 2.0 * sine * sine


@kernel
def celestial_angle(time: int) -> float:
    """Return the turn of sun, moon and stars as a part of a full turn, [0, 1): 0 at noon, 0.5 at midnight."""
    part = (time % DAY) / DAY - _NOON
    if part < 0.0:
        part += 1.0
    return float(np.float32(2.0 * part + 0.5 - 0.5 * _cosine(part)) / np.float32(3.0))


@kernel
def sun_height(time: int) -> float:
    """Return the sine of the sun's height above the horizon, [-1, 1]."""
    return cosine(360.0 * celestial_angle(time))


@kernel
def moon_phase(time: int) -> int:
    """Return the moon's phase, 0 (full) to 7; the phase changes when a day begins."""
    return time // DAY % PHASES


@kernel
def storm(worlds: Worlds, i: int) -> float:
    """Return the strength of the thunderstorm, [0, 1]; 0 without rain."""
    sky = worlds.skies[i]
    return float(sky.rain) * float(sky.thunder)


@kernel
def _clearness(worlds: Worlds, i: int) -> float:
    """Return the part of the sky's light that rain and thunder leave."""
    return (1.0 - _WET * float(worlds.skies[i].rain)) * (1.0 - _WET * storm(worlds, i))


@kernel
def daylight(worlds: Worlds, i: int) -> float:
    """Return the brightness of the sky's light in the picture, 0.2 (clear night) to 1 (clear noon).

    The result leaves out lightning: while `flash` is above 0, pictures show the land as bright as by day.
    """
    height = sun_height(worlds.skies[i].time)
    light = min(max(2.0 * height + _DIMMEST, 0.0), 1.0)
    return light * _clearness(worlds, i) * (1.0 - _DIMMEST) + _DIMMEST


@kernel
def sun_brightness(worlds: Worlds, i: int) -> float:
    """Return the brightness of the sun for the game's rules, 0 (night) to 1 (clear day)."""
    height = sun_height(worlds.skies[i].time)
    light = 0.5 + 2.0 * min(max(height, -0.25), 0.25)
    return light * _clearness(worlds, i)


@kernel
def darkness(worlds: Worlds, i: int) -> int:
    """Return the levels, 0 to 11, that sky light loses by night and in bad weather, for the game's rules."""
    return int((1.0 - sun_brightness(worlds, i)) * _MOST_DARKNESS)


@kernel
def star_light(worlds: Worlds, i: int) -> float:
    """Return how bright the stars are, 0 (by day, in rain) to 0.5."""
    dark = min(max(0.75 - 2.0 * sun_height(worlds.skies[i].time), 0.0), 1.0)
    return dark * dark * 0.5 * (1.0 - float(worlds.skies[i].rain))
