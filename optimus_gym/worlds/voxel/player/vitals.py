"""Health, breath and damage.

References: Minecraft Wiki, "Damage" (immunity), "Fall damage", "Drowning", "Lava", "Suffocation",
"Void", "Healing" (natural regeneration).
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.exhaustion import HURT_EFFORT, tire
from optimus_gym.worlds.voxel.bodies.falls import fall_hurt
from optimus_gym.worlds.voxel.bodies.posture import eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.player.armour import FROM_FIRE, MEETS_ARMOUR, through_armour
from optimus_gym.worlds.voxel.player.effects import effect_level, softened
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.needs import FIRE_RESISTANCE
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, DIED, HURT, HURT_NAMES, Worlds
from optimus_gym.worlds.voxel.tables.hurt_time import SHOWS, is_immune
from optimus_gym.worlds.voxel.tables.properties import OPAQUE

# Subjects of HURT and DIED: the index in `HURT_NAMES`.
FALL = HURT_NAMES.index("fall")
DROWNING = HURT_NAMES.index("drowning")
LAVA_HURT = HURT_NAMES.index("lava")
SUFFOCATION = HURT_NAMES.index("suffocation")
VOID = HURT_NAMES.index("void")
LIGHTNING = HURT_NAMES.index("lightning")
STARVATION = HURT_NAMES.index("starvation")
FIRE = HURT_NAMES.index("fire")
BURNING = HURT_NAMES.index("burning")
BY_CACTUS = HURT_NAMES.index("cactus")
BY_BUSH = HURT_NAMES.index("sweet_berry_bush")
BY_POISON = HURT_NAMES.index("poison")

MOST_HEALTH = 20.0
"""Full health, half-hearts."""
MOST_FOOD = 20.0
"""Full food, points."""
MOST_AIR = 300
"""Full air, ticks."""
_DROWN_AT, _DROWN_HURT, _BREATHE = -20, 2.0, 4
_LAVA_HURT, _SUFFOCATION_HURT, _VOID_HURT = 4.0, 1.0, 4.0
_VOID_BELOW = -64.0
HEAL_EVERY, HEAL_FROM_FOOD = 80, 18.0


@kernel
def hurt(worlds: Worlds, i: int, kind: int, amount: float) -> bool:
    """Take health from the player, who dies at 0; return whether the hurt was new (met no immunity).

    Immunity, armour and effects reduce the damage. A hurt is new if the player was not immune when it came.

    Args:
        worlds: the worlds.
        i: number of the world.
        kind: the cause, an index of `HURT_NAMES`.
        amount: damage in half-hearts; a creature's blow is already scaled by the difficulty.
    """
    p = worlds.players[i]
    if not p.alive or amount <= 0.0 or (worlds.needs[i].safe > 0 and kind != VOID):
        return False
    if FROM_FIRE[kind] and effect_level(worlds, i, FIRE_RESISTANCE) > 0:
        return False
    new = not is_immune(p.hurt_wait)
    taken = _new_hurt(worlds, i, amount)
    if taken <= 0.0:
        return False
    if MEETS_ARMOUR[kind]:
        taken = through_armour(worlds, i, kind, taken)
    if kind not in (STARVATION, VOID):
        taken = softened(worlds, i, taken)
    if taken > 0.0:
        _lose_health(worlds, i, kind, taken)
    return new


@kernel
def _new_hurt(worlds: Worlds, i: int, amount: float) -> float:
    """Return the damage (half-hearts) that immunity after an earlier hurt lets through, 0 if none."""
    p = worlds.players[i]
    taken = amount
    if is_immune(p.hurt_wait):
        if amount <= p.hurt_last:
            return 0.0
        taken = amount - p.hurt_last
    else:
        p.hurt_wait = SHOWS
    p.hurt_last = amount
    return taken


@kernel
def _lose_health(worlds: Worlds, i: int, kind: int, taken: float) -> None:
    p = worlds.players[i]
    if MEETS_ARMOUR[kind]:
        tire(worlds, i, HURT_EFFORT)
    p.health = max(p.health - taken, 0.0)
    emit(worlds, i, HURT, kind, int(np.ceil(taken)))
    if p.health <= 0.0:
        p.alive = 0
        emit(worlds, i, DIED, kind, 1)


@kernel
def heal(worlds: Worlds, i: int, amount: float) -> None:
    """Give a living player half-hearts back."""
    p = worlds.players[i]
    if p.alive:
        p.health = min(p.health + amount, MOST_HEALTH)


@kernel
def land(worlds: Worlds, i: int) -> None:
    """Hurt a player that has landed, by the height of its fall."""
    p = worlds.players[i]
    if p.on_ground:
        hurt(worlds, i, FALL, fall_hurt(worlds, i, p.x, p.y, p.z, p.fall, p.sneaking != 0))
        p.fall = 0.0


@kernel
def tick_vitals(worlds: Worlds, i: int) -> None:
    """Let the player breathe, be hurt by its surroundings and, in a world without hunger, heal for a tick."""
    p = worlds.players[i]
    if p.hurt_wait > 0:
        p.hurt_wait -= 1
    if p.head_in_water:
        p.air -= 1
        if p.air <= _DROWN_AT:
            p.air = 0
            hurt(worlds, i, DROWNING, _DROWN_HURT)
    else:
        p.air = min(p.air + _BREATHE, MOST_AIR)
    if p.in_lava:
        hurt(worlds, i, LAVA_HURT, _LAVA_HURT)
    eye = int(np.floor(p.y + eye_height(worlds, i)))
    head = block_at(worlds, i, int(np.floor(p.x)), eye, int(np.floor(p.z))) & BLOCK_MASK
    if OPAQUE[head]:
        hurt(worlds, i, SUFFOCATION, _SUFFOCATION_HURT)
    if p.y < _VOID_BELOW:
        hurt(worlds, i, VOID, _VOID_HURT)
    if not worlds.rules[i].survival:
        _heal_without_hunger(worlds, i)


@kernel
def _heal_without_hunger(worlds: Worlds, i: int) -> None:
    """Count a tick towards the next half-heart that a player regains in a world without hunger."""
    p = worlds.players[i]
    if p.alive and p.food >= HEAL_FROM_FOOD and p.health < MOST_HEALTH:
        p.heal_wait += 1
        if p.heal_wait >= HEAL_EVERY:
            p.heal_wait = 0
            heal(worlds, i, 1.0)
    else:
        p.heal_wait = 0
