"""Health, breath and what hurts.

References: Minecraft Wiki, "Damage" (immunity), "Fall damage", "Drowning", "Lava", "Suffocation",
"Void", "Hunger" (natural regeneration). Hunger, fire and armour come with a later version.
"""

import numpy as np

from optimus_gym.worlds.voxel.cells import block_at
from optimus_gym.worlds.voxel.events import emit
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.physics import eye_height
from optimus_gym.worlds.voxel.state import BLOCK_MASK, DIED, HURT, Worlds
from optimus_gym.worlds.voxel.tables import OPAQUE

FALL, DROWNING, LAVA_HURT, SUFFOCATION, VOID, LIGHTNING = range(6)
"""Subjects of HURT and DIED, in the order of `state.HURT_NAMES`."""
MOST_HEALTH, MOST_AIR = 20.0, 300
IMMUNE = 10
"""Ticks after a hurt in which only the excess of a greater one counts."""
SAFE_FALL = 3.0
_FALL_ROUNDING = 1e-6
"""Blocks that summed steps of a fall may exceed its true height by."""
_DROWN_AT, _DROWN_HURT, _BREATHE = -20, 2.0, 4
_LAVA_HURT, _SUFFOCATION_HURT, _VOID_HURT = 4.0, 1.0, 4.0
_VOID_BELOW = -64.0
_HEAL_EVERY, _HEAL_FROM_FOOD = 80, 18.0


@kernel
def hurt(worlds: Worlds, i: int, kind: int, amount: float) -> None:
    """Take half-hearts from the player, within the rule of immunity; the last one kills."""
    if worlds.players[i].alive and amount > 0.0:
        lose_health(worlds, i, kind, new_hurt(worlds, i, amount))


@kernel
def new_hurt(worlds: Worlds, i: int, amount: float) -> float:
    """Return what counts of a hurt (half-hearts, above 0) by the rule of immunity, 0 if nothing."""
    p = worlds.players[i]
    taken = amount
    if p.hurt_wait > 0:
        if amount <= p.hurt_last:
            return 0.0
        taken = amount - p.hurt_last
    else:
        p.hurt_wait = IMMUNE
    p.hurt_last = amount
    return taken


@kernel
def lose_health(worlds: Worlds, i: int, kind: int, taken: float) -> None:
    """Take half-hearts from a living player; the last one kills."""
    p = worlds.players[i]
    if taken <= 0.0:
        return
    p.health = max(p.health - taken, 0.0)
    emit(worlds, i, HURT, kind, int(np.ceil(taken)))
    if p.health <= 0.0:
        p.alive = 0
        emit(worlds, i, DIED, kind, 1)


@kernel
def land(worlds: Worlds, i: int) -> None:
    """Hurt a player that has come to the ground by how far it fell."""
    p = worlds.players[i]
    if p.on_ground:
        hurt(worlds, i, FALL, np.ceil(p.fall - SAFE_FALL - _FALL_ROUNDING))
        p.fall = 0.0


@kernel
def tick_vitals(worlds: Worlds, i: int) -> None:
    """Let the player breathe, burn, suffocate and heal for one tick."""
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
    if p.alive and p.food >= _HEAL_FROM_FOOD and p.health < MOST_HEALTH:
        p.heal_wait += 1
        if p.heal_wait >= _HEAL_EVERY:
            p.heal_wait = 0
            p.health = min(p.health + 1.0, MOST_HEALTH)
    else:
        p.heal_wait = 0
