"""Damage by touching fire, cacti and sweet berry bushes; a player that has caught fire burns on.

References: Minecraft Wiki, "Fire" (burning, extinguishing), "Lava", "Cactus", "Sweet Berries", "Rain".
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.posture import body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import place_of, voxel_in
from optimus_gym.worlds.voxel.land.precipitation import is_rained_on
from optimus_gym.worlds.voxel.player.vitals import BURNING, BY_BUSH, BY_CACTUS, FIRE, hurt
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import FIRE_HURTS, MAX_AGE, PRICKS

FIREPROOF_FOR = 20
"""Ticks that a player must stand in fire before it catches fire."""
_FIRE_LASTS = 160
"""Ticks for which a player burns on after it has left a fire."""
_LAVA_LASTS = 300
"""Ticks for which a player burns on after it has left lava."""
_EVERY, _BURN_HURT = 20, 1.0
_CLOSE = 0.001
"""Tolerance in blocks: a larger overlap counts as inside a block, a smaller gap counts as a touch."""
_MOVES = 0.003
"""Least speed of a player (blocks a tick along x or z) at which berry bushes prick."""


@kernel
def set_alight(worlds: Worlds, i: int, ticks: int) -> None:
    """Let the player burn for at least `ticks` ticks, if the world has survival rules."""
    needs = worlds.needs[i]
    if worlds.rules[i].survival:
        needs.fire = max(needs.fire, ticks)


@kernel
def tick_touch(worlds: Worlds, i: int) -> None:
    """Let fire, cacti and bushes hurt the player for one tick; let water and rain put out its fire."""
    p, needs = worlds.players[i], worlds.needs[i]
    if needs.fire > 0:
        if needs.fire % _EVERY == 0 and not p.in_lava:
            hurt(worlds, i, BURNING, _BURN_HURT)
        needs.fire -= 1
    if p.in_lava:
        needs.fire = max(needs.fire, _LAVA_LASTS)
    flames = _feel_touch(worlds, i)
    if flames > 0:
        needs.fire += 1
        if needs.fire == 0:
            needs.fire = _FIRE_LASTS
        hurt(worlds, i, FIRE, flames)
    elif needs.fire <= 0:
        needs.fire = -FIREPROOF_FOR
    x, y, z = int(np.floor(p.x)), int(np.floor(p.y)), int(np.floor(p.z))
    if needs.fire > 0 and (p.in_water or is_rained_on(worlds, i, x, y, z)):
        needs.fire = -FIREPROOF_FOR


@kernel
def _feel_touch(worlds: Worlds, i: int) -> int:
    """Let cacti and bushes hurt the player; return the damage (half-hearts) of the hottest touched fire."""
    p = worlds.players[i]
    x0, y0, z0, x1, y1, z1 = body(worlds, i)
    moves = abs(p.vx) >= _MOVES or abs(p.vz) >= _MOVES
    flames = 0
    for x in range(int(np.floor(x0 - _CLOSE)), int(np.floor(x1 + _CLOSE)) + 1):
        for z in range(int(np.floor(z0 - _CLOSE)), int(np.floor(z1 + _CLOSE)) + 1):
            place = place_of(worlds, i, x, z)
            within = x1 > x + _CLOSE and x0 < x + 1 - _CLOSE
            within = within and z1 > z + _CLOSE and z0 < z + 1 - _CLOSE
            for y in range(int(np.floor(y0 + _CLOSE)), int(np.floor(y1 - _CLOSE)) + 1):
                voxel = voxel_in(worlds, i, place, y)
                block = voxel & BLOCK_MASK
                if FIRE_HURTS[block] and within:
                    flames = max(flames, int(FIRE_HURTS[block]))
                elif PRICKS[block] and not MAX_AGE[block]:
                    hurt(worlds, i, BY_CACTUS, PRICKS[block])
                elif PRICKS[block] and within and moves and voxel >> BLOCK_BITS:
                    hurt(worlds, i, BY_BUSH, PRICKS[block])
    return flames
