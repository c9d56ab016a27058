"""Colours of light: the colour that each pair of sky light and block light gives a surface.

Reference: Minecraft Wiki, "Light" (light levels and brightness; the light map of 1.16), with MineRL's
brightness setting (`gamma:2.0`): unlit caves are dark grey, not black. With the assist "night vision" every
light keeps its hue and gets the greatest strength (Minecraft Wiki, "Night Vision").
"""

from typing import Any

import numpy as np

from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import inline_ray_kernel, ray_kernel
from optimus_gym.worlds.voxel.land.clock import daylight
from optimus_gym.worlds.voxel.land.light import BRIGHTEST
from optimus_gym.worlds.voxel.render.frame import Frame
from optimus_gym.worlds.voxel.render.optics import Real, Whole
from optimus_gym.worlds.voxel.state.worlds import HEIGHT, Worlds

GAMMA = 2.0
"""MineRL's brightness setting; the game's own slider ends at 1."""
OPEN_SKY = np.int32(BRIGHTEST << 4)
"""Light above the world (sky light << 4 | block light): full sky light, no block light."""
_FLAME = 1.5
"""Factor of the brightness of light from torches and other blocks; each channel of the mixed light is cut
at 1. The factor is constant here, and flickers around 1.5 in the game."""
_GREY, _GREYING = 0.75, 0.04
_SKY_WHITENESS = 0.35
_PER_BYTE = np.float32(1 / 255)


@ray_kernel
def fill_lights(frame: Frame, worlds: Worlds, i: int) -> None:
    """Fill the frame's light map: index sky light << 4 | block light, value red | green << 8 | blue << 16."""
    f = frame[0]
    day, white = _daylights(worlds, i)
    sees = worlds.assists[i].night_vision != 0
    for light in range(256):
        f.lights[light] = _colour(light, day, white, sees)


@ray_kernel
def light_of_eye(worlds: Worlds, i: int) -> Whole:
    """Return the light on player `i`'s held item: red | green << 8 | blue << 16, as in FRAME's lights."""
    p = worlds.players[i]
    eye = p.y + eye_height(worlds, i)
    day, white = _daylights(worlds, i)
    sees = worlds.assists[i].night_vision != 0
    return _colour(_light_at(worlds, i, p.x, eye, p.z), day, white, sees)


@ray_kernel
def light_of_cell(frame: Frame, worlds: Worlds, i: int, x: Real, y: Real, z: Real) -> Whole:
    """Return the colour of the light at a position: red | green << 8 | blue << 16."""
    return frame[0].lights[_light_at(worlds, i, x, y, z)]


@inline_ray_kernel
def _light_at(worlds: Worlds, i: int, x: Real, y: Real, z: Real) -> Whole:
    """Return sky light << 4 | block light at a position in loaded land."""
    if y < 0.0 or y >= HEIGHT:
        return np.int32(OPEN_SKY)
    width = worlds.field.shape[1]
    column = worlds.field[i, int(np.floor(x)) % width, int(np.floor(z)) % width]
    return np.int32(column[int(y)] >> np.uint32(24))


@inline_ray_kernel
def _daylights(worlds: Worlds, i: int) -> tuple[float, float]:
    """Return the strength of the sky's light, and the factor of its red and green, both in [0, 1]."""
    day = daylight(worlds, i)
    white = day * (1.0 - _SKY_WHITENESS) + _SKY_WHITENESS
    return (1.0 if worlds.skies[i].flash > 0 else day * 0.95 + 0.05), white


@inline_ray_kernel
def _colour(light: Whole, day: float, white: float, sees: bool) -> Whole:
    """Return the colour of a light (sky light << 4 | block light); `sees`: the player has night vision."""
    sky = _brightness(light >> 4) * day
    flame = _brightness(light & BRIGHTEST) * _FLAME
    green = flame * ((flame * 0.6 + 0.4) * 0.6 + 0.4)
    blue = flame * (flame * flame * 0.6 + 0.4)
    red, green, blue = (
        _greyed(flame + white * sky),
        _greyed(green + white * sky),
        _greyed(blue + sky),
    )
    if sees:
        gain = 1.0 / max(red, green, blue)
        red, green, blue = red * gain, green * gain, blue * gain
    return np.int32(_byte(red) | _byte(green) << 8 | _byte(blue) << 16)


@inline_ray_kernel
def _brightness(level: Whole) -> float:
    """Return the brightness of a light level, [0, 1]."""
    part = level / float(BRIGHTEST)
    return float(part / (4.0 - 3.0 * part))


@inline_ray_kernel
def _greyed(light: float) -> float:
    """Return one channel of a light after mixing in a little grey, at most 1."""
    return min(light + (_GREY - light) * _GREYING, 1.0)


@inline_ray_kernel
def _byte(light: float) -> Whole:
    """Return the pixel value, 0 to 255, of a light's channel, [0, 1], with the brightness setting GAMMA."""
    dark = 1.0 - light
    raised = 1.0 - dark * dark * dark * dark
    light = min(light + (raised - light) * GAMMA, 1.0)
    light = min(max(light + (_GREY - light) * _GREYING, 0.0), 1.0)
    return np.int32(light * 255.0 + 0.5)


@inline_ray_kernel
def brighter(own: Any, before: Any) -> Whole:
    """Return a surface's sky light << 4 | block light: each is the higher of its levels in two cells.

    `own` is the distance field's word at the surface's cell; `before` is the word at the cell that the ray
    left when it met the surface.
    """
    one, two = np.int32(own >> np.uint32(24)), np.int32(before >> np.uint32(24))
    # Sky light needs no shift: its four high bits are compared in place.
    sky = max(one & OPEN_SKY, two & OPEN_SKY)
    return np.int32(sky | max(one & np.int32(BRIGHTEST), two & np.int32(BRIGHTEST)))


@inline_ray_kernel
def red_of(light: Whole) -> Real:
    """Return the red channel of a light's colour, [0, 1]."""
    return np.float32(np.int32(light & np.int32(255))) * _PER_BYTE


@inline_ray_kernel
def green_of(light: Whole) -> Real:
    """Return the green channel of a light's colour, [0, 1]."""
    return np.float32(np.int32(light >> np.int32(8) & np.int32(255))) * _PER_BYTE


@inline_ray_kernel
def blue_of(light: Whole) -> Real:
    """Return the blue channel of a light's colour, [0, 1]."""
    return np.float32(np.int32(light >> np.int32(16) & np.int32(255))) * _PER_BYTE
