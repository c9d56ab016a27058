"""Hunger: exhaustion uses up saturation and food; a well-fed player heals, a player without food starves.

Reference: Minecraft Wiki, "Hunger" (mechanics, effects), "Healing" (natural regeneration), "Difficulty".
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.exhaustion import tire
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.vitals import (
    HEAL_EVERY,
    HEAL_FROM_FOOD,
    MOST_FOOD,
    MOST_HEALTH,
    STARVATION,
    heal,
    hurt,
)
from optimus_gym.worlds.voxel.state.fauna import PEACEFUL
from optimus_gym.worlds.voxel.state.worlds import Worlds

START_SATURATION = 5.0
"""Saturation of a new player."""
A_POINT = 4.0
"""Exhaustion above which the player loses a point of saturation, or of food if saturation is 0."""
_HEAL_COST = 6.0
"""Exhaustion that healing one half-heart costs."""
_FAST = 10
"""Ticks between two healings of a player with full food and some saturation."""
_STARVES_TO = np.array([20.0, 10.0, 1.0, 0.0])
"""Health in half-hearts at which starving stops, by difficulty."""
_PEACEFUL_HEALS = 20
"""Ticks between two half-hearts that a player regains on peaceful difficulty, whatever its food."""
_PEACEFUL_FEEDS = 10
"""Ticks between two points of food that a player regains on peaceful difficulty without eating."""


@kernel
def tick_hunger(worlds: Worlds, i: int) -> None:
    """Advance a living player's hunger by one tick: the player uses up food, and heals or starves."""
    p = worlds.players[i]
    if worlds.rules[i].difficulty == PEACEFUL:
        _rest_in_peace(worlds, i)
    _digest(worlds, i)
    wounded = p.health < MOST_HEALTH
    if wounded and p.food >= MOST_FOOD and p.saturation > 0.0:
        if _is_due(worlds, i, _FAST):
            part = min(float(p.saturation), _HEAL_COST)
            heal(worlds, i, part / _HEAL_COST)
            tire(worlds, i, part)
    elif wounded and p.food >= HEAL_FROM_FOOD:
        if _is_due(worlds, i, HEAL_EVERY):
            heal(worlds, i, 1.0)
            tire(worlds, i, _HEAL_COST)
    elif p.food <= 0.0:
        if _is_due(worlds, i, HEAL_EVERY) and p.health > _STARVES_TO[worlds.rules[i].difficulty]:
            hurt(worlds, i, STARVATION, 1.0)
    else:
        p.heal_wait = 0


@kernel
def _is_due(worlds: Worlds, i: int, ticks: int) -> bool:
    """Count a tick towards the next healing or starving; return whether `ticks` ticks have been counted."""
    p = worlds.players[i]
    p.heal_wait += 1
    if p.heal_wait < ticks:
        return False
    p.heal_wait = 0
    return True


@kernel
def _digest(worlds: Worlds, i: int) -> None:
    """Take a point of saturation or food if exhaustion is above `A_POINT`."""
    p, needs = worlds.players[i], worlds.needs[i]
    if needs.exhaustion <= A_POINT:
        return
    needs.exhaustion = np.float32(needs.exhaustion - A_POINT)
    if p.saturation > 0.0:
        p.saturation = max(p.saturation - 1.0, 0.0)
    elif worlds.rules[i].difficulty != PEACEFUL:
        p.food = max(p.food - 1.0, 0.0)


@kernel
def _rest_in_peace(worlds: Worlds, i: int) -> None:
    """Heal and feed a player on peaceful difficulty."""
    p = worlds.players[i]
    if p.tick % _PEACEFUL_HEALS == 0:
        heal(worlds, i, 1.0)
    if p.tick % _PEACEFUL_FEEDS == 0:
        p.food = min(p.food + 1.0, MOST_FOOD)
