"""The script of a recover sub-goal: leave a predicament by keys and camera, as a player could."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.climbing import (
    climb_out,
    close_above,
    dig_down,
)
from optimus_gym.controllers.helper.fleeing import run_away
from optimus_gym.controllers.helper.steering import look, stand_still
from optimus_gym.controllers.helper.swimming import Float, swim_ashore
from optimus_gym.controllers.helper.walking import get_on, is_afloat
from optimus_gym.controllers.provisions import HEALS_FROM, provisions
from optimus_gym.controllers.script import Script, Steps, limited
from optimus_gym.core.actions import JUMP, USE
from optimus_gym.core.predicaments import ELSEWHERE, FED, SEEN_BY_WORLD, WELL
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.foods import Food

_DEEP = 3
"""Depth in blocks of the hole in which the player hides."""
_TRIES = 4
"""Maximum number of places in which the player tries to dig the hole to hide in."""
ESCAPES = 4
"""Maximum number of runs from attackers; the player hides after each run that did not shake them off."""
_MOST_TROUBLES = 24
"""Maximum number of failed attempts in a row to walk on, each in another direction, before giving up."""
_LITTLE_AIR = 150.0
"""Ticks of air below which the player leaves a flooded hole."""


def recover(hands: Hands, subgoal: SubGoal) -> Script:
    """Get the player out of the sub-goal's predicament, within the ticks that `_SCRIPTS` allows."""
    predicament = subgoal.item
    if predicament not in _SCRIPTS or (predicament in SEEN_BY_WORLD and not hands.tells()):
        return Failure("no_skill", detail=f"no script recovers from {predicament!r}")
    script, longest = _SCRIPTS[predicament]
    yield hands.fresh()
    outcome = yield from limited(script(hands), longest, predicament)
    return outcome


def _get_well(hands: Hands) -> Script:
    """Eat until wounds can heal, hide, and wait until the wounds have healed."""
    hidden, afloat = False, Float(hands)
    while hands.alive() and hands.vitals()[0] < WELL:
        held = provisions(hands)
        if hands.vitals()[1] < HEALS_FROM:
            if not held:
                return Failure(
                    "missing_item", detail="wounds do not heal without food, and no food is held"
                )
            yield from _eat(hands, held[0])
        elif not hidden:
            hidden = True
            yield from _hide(hands)
        else:
            yield from _wait(hands, afloat)
    return None


def _get_fed(hands: Hands) -> Script:
    """Eat held food."""
    while hands.alive() and hands.vitals()[1] < FED:
        held = provisions(hands)
        if not held:
            return Failure("missing_item", detail="no food is held")
        yield from _eat(hands, held[0])
    return None


def _eat(hands: Hands, food: Food) -> Steps:
    """Eat one piece of a food."""
    before = hands.count([food.item])
    yield from look(hands, float(hands.pose()[3]), 0.0)
    yield from hands.hold(food.item)
    for _ in range(2 * food.ticks):
        if hands.count([food.item]) < before:
            return True
        action = hands.fresh()
        action[USE] = 1
        yield action
    return False


def _go_elsewhere(hands: Hands) -> Script:
    """Turn round and go some blocks, breaking obstacles; turn aside if the way is blocked."""
    start, yaw, troubles = hands.pose()[:3], float(hands.pose()[3]) + 180.0, 0
    while hands.alive() and np.abs(hands.pose()[:3] - start).max() < ELSEWHERE:
        if (yield from get_on(hands, yaw)):
            troubles = 0
        else:
            yaw, troubles = yaw + 90.0, troubles + 1
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way on in any direction")
    return None


def _wait_for_day(hands: Hands) -> Script:
    """Wait in a hole until the night is over, then climb out."""
    yield from _hide(hands)
    afloat = Float(hands)
    while hands.alive() and "night" in hands.predicaments():
        yield from _wait(hands, afloat)
    failure = yield from climb_out(hands)
    return failure


def _get_out_of_danger(hands: Hands) -> Script:
    """Run from attackers; hide after a run if the attackers still follow."""
    for _ in range(ESCAPES):
        if (yield from run_away(hands)):
            return None
        yield from _hide(hands)
    return Failure("stuck", detail="the attackers keep up with the player")


def _hide(hands: Hands) -> Steps:
    """Dig a hole, stand in it and place a block above; return False if the hole stays open."""
    if is_afloat(hands) and (yield from swim_ashore(hands)) is not None:
        return False
    yaw = float(hands.pose()[3])
    yield from stand_still(hands)
    for _ in range(_TRIES):
        if (yield from dig_down(hands, _DEEP)):
            break
        for _ in range(_DEEP):
            yield from get_on(hands, yaw)
    closed = yield from close_above(hands)
    return closed


def _wait(hands: Hands, afloat: Float) -> Steps:
    """Wait for a tick; a player in water stays afloat, and swims ashore when its air runs low."""
    if hands.air() < _LITTLE_AIR and is_afloat(hands):
        yield from swim_ashore(hands)
    action, jumps = hands.fresh(), afloat.jumps()
    action[JUMP] = jumps and is_afloat(hands)
    yield action
    return True


_SCRIPTS: Mapping[str, tuple[Callable[[Hands], Script], int]] = MappingProxyType(
    {
        "in_water": (swim_ashore, 3000),
        "drop_down": (climb_out, 6000),
        "hurt": (_get_well, 6000),
        "hungry": (_get_fed, 1000),
        "stuck": (_go_elsewhere, 6000),
        "night": (_wait_for_day, 12_000),
        "danger": (_get_out_of_danger, 3000),
    }
)
"""For each predicament, the script that ends it, and the ticks after which the script gives up."""
