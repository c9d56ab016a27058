"""Sun and shade: creatures under the open sky by day, and paths that stay out of the sun.

References: Minecraft Wiki, "Skeleton" (1.16: behavior by day), "Daylight cycle" (burning mobs).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import EYE
from optimus_gym.worlds.voxel.land.cells import place_of
from optimus_gym.worlds.voxel.land.clock import darkness
from optimus_gym.worlds.voxel.state.worlds import Worlds

_DAY = 4
"""Number of light levels that the sky must lose before the day ends for creatures."""


@kernel
def is_day(worlds: Worlds, i: int) -> bool:
    """Return whether it is day for creatures; a thunderstorm ends the day, rain alone does not."""
    return darkness(worlds, i) < _DAY


@kernel
def sees_sky(worlds: Worlds, i: int, kind: int, x: float, y: float, z: float) -> bool:
    """Return whether only sky is above the eyes of a kind of creature whose feet are at x, y, z."""
    wx, wz = place_of(worlds, i, int(np.floor(x)), int(np.floor(z)))
    return bool(wx >= 0 and worlds.tops[i, wx, wz] <= y + EYE[kind])


@kernel
def keep_in_shade(worlds: Worlds, i: int, k: int) -> None:
    """By day, cut the path of the creature in row k off before its first step out of the shade."""
    c = worlds.creatures[i, k]
    if not is_day(worlds, i) or sees_sky(worlds, i, c.kind, c.x, c.y, c.z):
        return
    x, y, z = int(c.step_x), int(c.step_y), int(c.step_z)
    for step in range(c.steps):
        if step > 0:
            x, y, z = x + c.way[step, 0], y + c.way[step, 1], z + c.way[step, 2]
        if sees_sky(worlds, i, c.kind, float(x), float(y), float(z)):
            c.steps, c.arrives = step, 0
            return
