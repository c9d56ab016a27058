"""Weather: rain, thunder and strokes of lightning.

Reference: Minecraft Wiki, "Weather", "Rain", "Thunderstorm".
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.clock import storm
from optimus_gym.worlds.voxel.land.precipitation import RAIN, falls_as, is_raining, open_from
from optimus_gym.worlds.voxel.player.vitals import LIGHTNING, hurt
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import CHUNK, Worlds

_RAIN = (12_000, 23_999)
"""Minimum and maximum ticks that one rain lasts."""
_THUNDER = (3_600, 15_599)
"""Minimum and maximum ticks that one thunderstorm lasts."""
_PAUSE = (12_000, 179_999)
"""Minimum and maximum ticks between two rains, and between two thunderstorms."""
_CHANGE = 0.01
"""Change of the strength of rain, and of thunder, in one tick; strengths are 0 to 1."""
_THUNDERS = 0.9
"""Strength of a thunderstorm (rain times thunder, 0 to 1) above which lightning strikes."""

_REACH = 128
"""Distance in blocks from the player within which chunks are active in the game and lightning strikes."""
_STRIKE = (2 * _REACH // CHUNK) ** 2 / 100_000
"""Probability of a lightning strike a tick in the square within `_REACH`: 1 in 100,000 for each chunk."""
_HIT = 3
"""Maximum distance along x and z, in blocks, at which a lightning bolt hits a player."""
_BELOW = 3
"""Blocks below the top of the struck column within which lightning hits a player."""
_ABOVE = 9
"""Blocks above the top of the struck column within which lightning hits a player."""
_BOLT_HURT = 5.0
_SHORTEST_FLASH = 3
"""Minimum ticks for which a lightning bolt lights the sky: one flash of three ticks."""
_LONGEST_FLASH = 9
"""Maximum ticks for which a lightning bolt lights the sky: three flashes of three ticks."""


@kernel
def tick_weather(worlds: Worlds, i: int) -> None:
    """Advance the weather of a world by one tick."""
    sky = worlds.skies[i]
    if not worlds.rules[i].fixed_weather:
        sky.thunder_wait, sky.thundering = _turn(
            worlds, i, sky.thunder_wait, sky.thundering, _THUNDER[0], _THUNDER[1]
        )
        sky.rain_wait, sky.raining = _turn(
            worlds, i, sky.rain_wait, sky.raining, _RAIN[0], _RAIN[1]
        )
    sky.thunder = _followed(sky.thunder, sky.thundering)
    sky.rain = _followed(sky.rain, sky.raining)
    if sky.flash > 0:
        sky.flash -= 1
    if is_raining(worlds, i) and storm(worlds, i) > _THUNDERS and fraction(worlds, i) < _STRIKE:
        _strike(worlds, i)


@kernel
def _turn(worlds: Worlds, i: int, wait: int, active: int, least: int, most: int) -> tuple[int, int]:
    """Return the ticks until rain or thunder next begins or ends, and whether it is active now (1 or 0)."""
    if wait > 0:
        return wait - 1, 1 - active if wait == 1 else active
    if active:
        return roll(worlds, i, least, most), active
    return roll(worlds, i, _PAUSE[0], _PAUSE[1]), active


@kernel
def _followed(strength: float, active: int) -> float:
    way = _CHANGE if active else -_CHANGE
    return min(max(float(strength) + way, 0.0), 1.0)


@kernel
def _strike(worlds: Worlds, i: int) -> None:
    """Let lightning strike a random column around the player; far lightning only lights the sky."""
    p = worlds.players[i]
    dx, dz = roll(worlds, i, -_REACH, _REACH - 1), roll(worlds, i, -_REACH, _REACH - 1)
    if dx * dx + dz * dz >= _REACH * _REACH:
        return
    if max(abs(dx), abs(dz)) <= _HIT:
        x, z = int(np.floor(p.x)) + dx, int(np.floor(p.z)) + dz
        y = open_from(worlds, i, x, z)
        if falls_as(worlds, i, x, y, z) != RAIN:
            return
        if y - _BELOW <= p.y <= y + _ABOVE:
            hurt(worlds, i, LIGHTNING, _BOLT_HURT)
    worlds.skies[i].flash = roll(worlds, i, _SHORTEST_FLASH, _LONGEST_FLASH)
