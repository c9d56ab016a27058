"""Effects of land and sky on creatures: falls, fire, lava, water, walls, daylight.

References: Minecraft Wiki, "Fall damage", "Fire", "Lava", "Drowning", "Suffocation", "Zombie" and
"Skeleton" (burning), "Chicken" (eggs), "Sheep" (grazing).
"""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.bodies.falls import SAFE_FALL, fall_hurt
from optimus_gym.worlds.voxel.bodies.fluids import WATER, is_eye_under
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.harm import hurt_creature
from optimus_gym.worlds.voxel.creatures.kinds import BREATHES, BURNS, EYE, SHEEP
from optimus_gym.worlds.voxel.creatures.population import FULL_AIR, LEAST_EGG, MOST_EGG
from optimus_gym.worlds.voxel.creatures.shade import is_day, sees_sky
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.clock import darkness
from optimus_gym.worlds.voxel.land.light import BRIGHTEST
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.land.precipitation import is_rained_on, is_raining
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import IS_FIRE, OPAQUE
from optimus_gym.worlds.voxel.things.drops import drop_at

_LAVA_HURT, _LAVA_FIRE = 4.0, 300
_SUN_FIRE = 160
"""Ticks that a creature burns after sunlight or a fire has set it alight."""
_FIRE_EVERY, _FIRE_HURT = 20, 1.0
_DROWN_AT, _DROWN_HURT, _BREATHE = -20, 2.0, 4
_SUFFOCATION_HURT, _VOID_HURT, _VOID_BELOW = 1.0, 4.0, -64.0
_LOOK = 4
"""Ticks between two checks for sunlight and fire."""
_GRAZE = 8.0 / 1000.0
"""Chance per eight ticks that a shorn sheep eats the grass that it stands on."""
_EGG = item_named("egg").id
_GRASS, _DIRT = block_named("grass_block").id, block_named("dirt").id


@kernel
def suffer(worlds: Worlds, i: int, k: int, turn: int, plain: bool) -> None:
    """Apply the effects of land and sky to the creature in row k, which has just moved.

    `turn` is the tick's number in the creature's cycle of eight ticks, 0 to 7. `plain` says that the creature
    walked on plain ground (full blocks, not slippery) outside fluids.
    """
    c = worlds.creatures[i, k]
    if c.in_lava or c.in_water or c.fire > 0:
        _burn(worlds, i, k)
    if plain:
        c.air = min(c.air + _BREATHE, FULL_AIR)
    else:
        _feel_land(worlds, i, k)
    if turn % _LOOK == 0:
        if BURNS[c.kind] and _is_in_sun(worlds, i, k):
            c.fire = max(c.fire, _SUN_FIRE)
        _feel_fire(worlds, i, k)
    if c.kind == SHEEP and turn == 0 and c.shorn and fraction(worlds, i) < _GRAZE:
        _graze(worlds, i, k)


@kernel
def _feel_land(worlds: Worlds, i: int, k: int) -> None:
    """Hurt the creature in row k after a fall, without breath under water, in a wall or in the void."""
    c = worlds.creatures[i, k]
    if c.on_ground:
        if c.fall > SAFE_FALL:
            hurt_creature(worlds, i, k, fall_hurt(worlds, i, c.x, c.y, c.z, c.fall, False), False)
        c.fall = 0.0
    eye = c.y + EYE[c.kind]
    if c.in_water and BREATHES[c.kind] and is_eye_under(worlds, i, c.x, eye, c.z, WATER):
        c.air -= 1
        if c.air <= _DROWN_AT:
            c.air = 0
            hurt_creature(worlds, i, k, _DROWN_HURT, False)
    else:
        c.air = min(c.air + _BREATHE, FULL_AIR)
    x, z = int(np.floor(c.x)), int(np.floor(c.z))
    if OPAQUE[block_at(worlds, i, x, int(np.floor(eye)), z) & BLOCK_MASK]:
        hurt_creature(worlds, i, k, _SUFFOCATION_HURT, False)
    if c.y < _VOID_BELOW:
        hurt_creature(worlds, i, k, _VOID_HURT, False)


@kernel
def _burn(worlds: Worlds, i: int, k: int) -> None:
    """Let lava or fire hurt the creature in row k for a tick; let water and rain put out its fire."""
    c = worlds.creatures[i, k]
    if c.in_lava:
        hurt_creature(worlds, i, k, _LAVA_HURT, False)
        c.fire, c.fall = _LAVA_FIRE, c.fall * 0.5
    elif c.in_water or (c.fire > 0 and _is_in_rain(worlds, i, k)):
        c.fire = 0
    if c.fire > 0:
        if c.fire % _FIRE_EVERY == 0:
            hurt_creature(worlds, i, k, _FIRE_HURT, False)
        c.fire -= 1


@kernel
def _is_in_rain(worlds: Worlds, i: int, k: int) -> bool:
    c = worlds.creatures[i, k]
    return is_rained_on(worlds, i, int(np.floor(c.x)), int(np.floor(c.y)), int(np.floor(c.z)))


@kernel
def _feel_fire(worlds: Worlds, i: int, k: int) -> None:
    """Hurt a creature that stands in fire, and set it on fire."""
    c = worlds.creatures[i, k]
    x, y, z = int(np.floor(c.x)), int(np.floor(c.y)), int(np.floor(c.z))
    if IS_FIRE[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
        hurt_creature(worlds, i, k, _FIRE_HURT, False)
        c.fire = max(c.fire, _SUN_FIRE)


@kernel
def _is_in_sun(worlds: Worlds, i: int, k: int) -> bool:
    """Draw whether daylight sets a creature on fire within `_LOOK` ticks; likelier in brighter light."""
    c = worlds.creatures[i, k]
    if c.in_water or not is_day(worlds, i) or is_raining(worlds, i):
        return False
    if not sees_sky(worlds, i, c.kind, c.x, c.y, c.z):
        return False
    part = (BRIGHTEST - darkness(worlds, i)) / BRIGHTEST
    brightness = part / (4.0 - 3.0 * part)
    return bool(fraction(worlds, i) * 30.0 < (brightness - 0.4) * 2.0 * _LOOK)


@kernel
def _graze(worlds: Worlds, i: int, k: int) -> None:
    """Let a shorn sheep eat the grass below, which gives the sheep new wool."""
    c = worlds.creatures[i, k]
    x, y, z = int(np.floor(c.x)), int(np.floor(c.y)) - 1, int(np.floor(c.z))
    if block_at(worlds, i, x, y, z) & BLOCK_MASK == _GRASS:
        set_block(worlds, i, x, y, z, _DIRT)
        note_change(worlds, i, x, y, z, 0)
        c.shorn = 0


@kernel
def brood(worlds: Worlds, i: int, k: int) -> None:
    """Count a tick towards a hen's next egg, and lay the egg when it is due."""
    c = worlds.creatures[i, k]
    c.egg -= 1
    if c.egg <= 0:
        drop_at(worlds, i, c.x, c.y, c.z, _EGG, 1, 0)
        c.egg = roll(worlds, i, LEAST_EGG, MOST_EGG)
