"""How strongly the movement keys push a player that walks, sneaks, sprints, swims or eats.

The sprint key begins a sprint. A sprint lasts until the forward key is released, food is low or a block stops
the player. A sprint under water is a swim, which walls do not end. References: Minecraft Wiki, "Sprinting",
"Sneaking", "Swimming", "Food"; Minecraft Parkour Wiki, "Sneaking" (speed; since 1.14 a sprint lasts through
sneaking).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import FORWARD, LEFT, SNEAK, SPRINT, USE
from optimus_gym.worlds.voxel.bodies.posture import fits
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CROUCHING, STANDING, SWIMMING, Worlds

_SNEAK = 0.3
"""Factor of the movement keys' push while the player crouches or crawls."""
_EATING = 0.2
"""Factor of the movement keys' push while the player eats; Minecraft Wiki, "Food"."""
_ENOUGH = 0.8
"""Least forward push with which a sprint can begin on land; under water any forward push is enough."""
_LEAST_FOOD_TO_SPRINT = 6.0


@kernel
def set_pace(worlds: Worlds, i: int, action: NDArray[np.int32]) -> tuple[float, float]:
    """Set whether the player sneaks, sprints and swims in this tick.

    The slower pace follows the sneak key a tick later, because the game computes the pace before it reads
    the keys. The rules for edges, ladders and sinking follow the sneak key at once.

    Returns:
        The push to the left and ahead, each -1 to 1.
    """
    p = worlds.players[i]
    under = p.submerged != 0
    p.submerged = p.head_in_water
    p.swimming = p.sprinting != 0 and (p.in_water != 0 if p.swimming else under)
    push = _SNEAK if _is_slow(worlds, i) else 1.0
    eats = is_eating(worlds, i, action)
    if eats:
        push *= _EATING
    p.sneaking = action[SNEAK] == 1
    left, ahead = push * _sign(action[LEFT]), push * _sign(action[FORWARD])
    _sprint(worlds, i, ahead, under, action[SPRINT] == 1 and not eats)
    return left, ahead


@kernel
def _sign(key: int) -> float:
    """Return the direction of a pair of opposite keys: 1, -1 or 0."""
    return 1.0 if key == 1 else (-1.0 if key == 2 else 0.0)


@kernel
def is_eating(worlds: Worlds, i: int, action: NDArray[np.int32]) -> bool:
    """Return whether the player eats in this tick: it has begun a meal and holds the use key."""
    return bool(worlds.needs[i].meal != 0 and action[USE] == 1)


@kernel
def _is_slow(worlds: Worlds, i: int) -> bool:
    """Return whether the player crawls, or crouches (last tick's sneak key, or below a low ceiling)."""
    p = worlds.players[i]
    if p.pose == SWIMMING and not p.in_water:
        return True
    sneaks = p.sneaking != 0
    if p.swimming or (p.pose == STANDING and not sneaks) or not fits(worlds, i, CROUCHING):
        return False
    return sneaks or not fits(worlds, i, STANDING)


@kernel
def _sprint(worlds: Worlds, i: int, ahead: float, under: bool, asked: bool) -> None:
    """Begin or end a sprint.

    Args:
        worlds: the worlds.
        i: number of the world.
        ahead: the push ahead, -1 to 1.
        under: whether the player's eye was under water.
        asked: whether the sprint key is held by a player that may begin a sprint.
    """
    p = worlds.players[i]
    fed = p.food > _LEAST_FOOD_TO_SPRINT
    if not p.sprinting:
        pushes = ahead > 0.0 if under else ahead >= _ENOUGH
        p.sprinting = asked and fed and pushes and (under or not p.in_water)
    if not p.sprinting:
        return
    weary = ahead <= 0.0 or not fed
    if p.swimming:
        if not p.in_water or (weary and not p.on_ground and not p.sneaking):
            p.sprinting = 0
    elif weary or p.against_wall or (p.in_water and not under):
        p.sprinting = 0
