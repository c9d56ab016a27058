"""Moving in a level direction: on foot, by swimming, or by digging through obstacles."""

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import dig_cell, is_dangerous, is_in_the_way
from optimus_gym.controllers.helper.steering import (
    Side,
    feet_of,
    side_of,
    stand_still,
    step_to,
    stop_in_cell,
)
from optimus_gym.controllers.helper.swimming import swim
from optimus_gym.controllers.script import Steps

STROKE = 20
"""Ticks of one stroke of swimming."""


def get_on(hands: Hands, yaw: float) -> Steps:
    """Step, dig or swim to the side nearest to a yaw (degrees); return whether the player moved."""
    before, side = feet_of(hands), side_of(yaw)
    if is_afloat(hands):
        yield from swim(hands, yaw, STROKE)
        return feet_of(hands) != before
    if not is_safe_ahead(hands, side):
        yield from stand_still(hands)
        return False
    for jumps in (False, True):
        if (yield from step_to(hands, side, jumps)):
            return True
    yield from stop_in_cell(hands)
    x, y, z = feet_of(hands)
    for up in (1, 0):
        yield from dig_cell(hands, (x + side[0], y + up, z + side[1]))
    yield from step_to(hands, side, jumps=False)
    return feet_of(hands) != before


def is_afloat(hands: Hands) -> bool:
    """Return whether the player is in the water; False if the world does not report predicaments."""
    return hands.tells() and "in_water" in hands.predicaments()


def is_safe_ahead(hands: Hands, side: Side) -> bool:
    """Return whether a step to a side meets no lava, fire or deep fall; True if blocks cannot be read."""
    if not isinstance(hands, Body):
        return True
    x, y, z = feet_of(hands)
    cells = [(x + side[0], y - down, z + side[1]) for down in range(4)]
    return any(is_in_the_way(hands, cell) for cell in cells) and not is_dangerous(hands, cells[:2])
