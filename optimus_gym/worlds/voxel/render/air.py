"""The medium around the eye: the colours of sky and fog by hour and weather, and the fog in water and lava.

The colours are those of the game's overworld: Minecraft Wiki, "Sky", "Fog", "Daylight cycle".
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel
from optimus_gym.worlds.voxel.land.clock import (
    celestial_angle,
    daylight,
    moon_phase,
    star_light,
    storm,
    sun_height,
)
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.look import GLAZED, LAVA_SHAPE, WATER_SHAPE, Look
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.trigonometry import sine

_FOG_FROM = 0.72
"""Distance at which fog begins, as a share of the view distance; Minecraft Wiki, "Render distance" (linear
fog)."""
_WATER_VIEW = 16.0
"""Range of view in water, blocks; Minecraft Wiki, "Fog"."""
_LAVA_VIEW = 2.0
"""Range of view in lava, blocks; Minecraft Wiki, "Fog"."""

_Colour = tuple[float, float, float]
_HORIZON: _Colour = (192.0, 216.0, 255.0)
"""Colour of the fog at a clear noon (red, green, blue, 0 to 255)."""
_ZENITH: _Colour = (120.0, 167.0, 255.0)
"""Colour of the zenith above plains at a clear noon (red, green, blue, 0 to 255)."""
_NIGHT: _Colour = (4.0, 7.0, 20.0)
"""Colour of the zenith at night (red, green, blue, 0 to 255); the game's zenith is black."""
_NIGHT_FOG: _Colour = (0.06, 0.06, 0.09)
"""Red, green and blue of the fog at night, as shares of the fog's colour by day."""
_FLASH: _Colour = (204.0, 204.0, 255.0)
_FLASH_PART = 0.45
_GLOW_HEIGHT = 0.4
"""Sine of the sun's greatest height above or below the horizon at which the sky glows."""


@ray_kernel
def set_air(
    frame: Frame, worlds: Worlds, i: int, look: Look, voxels: NDArray[np.uint16], view: float
) -> None:
    """Set the colours of sky and fog and the range of view by the eye's medium, time and weather.

    Night vision brightens the fog as `lightmap` brightens the light, but not the zenith.
    """
    f = frame[0]
    f.day = 1.0 if worlds.skies[i].flash > 0 else daylight(worlds, i)
    shape = 0
    if f.eye_cell >= 0:
        voxel = int(voxels[f.eye_cell])
        shape = int(look[0].shapes[voxel])
        if shape in (WATER_SHAPE, LAVA_SHAPE, GLAZED):
            f.eye_block = voxel & BLOCK_MASK
    if shape == WATER_SHAPE:
        day = float(f.day)
        f.reach = min(view, _WATER_VIEW)
        f.low_r, f.low_g, f.low_b = 22.0 * day, 62.0 * day, 140.0 * day
        f.high_r, f.high_g, f.high_b = 40.0 * day, 96.0 * day, 180.0 * day
        f.fog_from, f.fog_rate = 0.0, 1.0 / f.reach
    elif shape == LAVA_SHAPE:
        f.reach = min(view, _LAVA_VIEW)
        f.low_r, f.low_g, f.low_b = 230.0, 90.0, 10.0
        f.high_r, f.high_g, f.high_b = 230.0, 90.0, 10.0
        f.fog_from, f.fog_rate = 0.0, 1.0 / f.reach
    else:
        f.reach = view
        f.fog_from = view * _FOG_FROM
        f.fog_rate = 1.0 / (view - view * _FOG_FROM)
        _colour_sky(frame, worlds, i)
        _place_lights(frame, worlds, i)
    if worlds.assists[i].night_vision:
        gain = 255.0 / max(f.low_r, f.low_g, f.low_b)
        f.low_r, f.low_g, f.low_b = f.low_r * gain, f.low_g * gain, f.low_b * gain


@ray_kernel
def _colour_sky(frame: Frame, worlds: Worlds, i: int) -> None:
    """Set the colours of the sky at horizon and zenith by time and weather."""
    f, sky = frame[0], worlds.skies[i]
    lit = min(max(2.0 * sun_height(sky.time) + 0.5, 0.0), 1.0)
    rain, thunder = float(sky.rain), storm(worlds, i)
    red, green, blue = _HORIZON
    dim = (1.0 - 0.5 * rain) * (1.0 - 0.5 * thunder)
    red *= (lit + (1.0 - lit) * _NIGHT_FOG[0]) * dim
    green *= (lit + (1.0 - lit) * _NIGHT_FOG[1]) * dim
    blue *= (lit + (1.0 - lit) * _NIGHT_FOG[2]) * (1.0 - 0.4 * rain) * (1.0 - 0.5 * thunder)
    f.low_r, f.low_g, f.low_b = _flashed(red, green, blue, sky.flash)
    red = _ZENITH[0] * lit + _NIGHT[0] * (1.0 - lit)
    green = _ZENITH[1] * lit + _NIGHT[1] * (1.0 - lit)
    blue = _ZENITH[2] * lit + _NIGHT[2] * (1.0 - lit)
    red, green, blue = _greyed(red, green, blue, 0.6, 0.75 * rain)
    red, green, blue = _greyed(red, green, blue, 0.2, 0.75 * thunder)
    f.high_r, f.high_g, f.high_b = _flashed(red, green, blue, sky.flash)


@ray_kernel
def _greyed(red: float, green: float, blue: float, light: float, part: float) -> _Colour:
    """Return a colour with a share `part` replaced by grey of `light` times the colour's brightness."""
    grey = (0.3 * red + 0.59 * green + 0.11 * blue) * light * part
    rest = 1.0 - part
    return red * rest + grey, green * rest + grey, blue * rest + grey


@ray_kernel
def _flashed(red: float, green: float, blue: float, flash: int) -> _Colour:
    """Return a colour of the sky, brightened while lightning flashes."""
    if flash <= 0:
        return red, green, blue
    rest = 1.0 - _FLASH_PART
    return (
        red * rest + _FLASH[0] * _FLASH_PART,
        green * rest + _FLASH[1] * _FLASH_PART,
        blue * rest + _FLASH[2] * _FLASH_PART,
    )


@ray_kernel
def _place_lights(frame: Frame, worlds: Worlds, i: int) -> None:
    """Set the direction of sun and moon, and the strength of sun, moon, stars and the horizon's glow."""
    f, sky = frame[0], worlds.skies[i]
    degrees = 360.0 * celestial_angle(sky.time)
    f.sun_x, f.sun_y = -sine(degrees), sun_height(sky.time)
    f.disc = 1.0 - float(sky.rain)
    f.phase = moon_phase(sky.time)
    f.stars = 2.0 * star_light(worlds, i)
    height = sun_height(sky.time)
    if abs(height) < _GLOW_HEIGHT:
        part = 0.5 * height / _GLOW_HEIGHT + 0.5
        strength = 1.0 - (1.0 - sine(180.0 * part)) * 0.99
        f.glow = strength * strength * f.disc
        f.glow_r = 255.0 * (0.3 * part + 0.7)
        f.glow_g = 255.0 * (0.7 * part * part + 0.2)
        f.glow_b = 255.0 * 0.2
