"""The oracle's script of a recover sub-goal: get the player out of its predicament."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from optimus_gym.controllers.helper.fleeing import run_away
from optimus_gym.controllers.oracle.escaping import (
    climb_to_open,
    get_ashore,
    go_elsewhere,
    go_to,
    go_to_firm_ground,
    wander,
)
from optimus_gym.controllers.oracle.fighting import best_weapon, is_outmatched
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.guard import defend, heal_up, urgent
from optimus_gym.controllers.oracle.meals import (
    NO_ANIMAL,
    eat_meal,
    edible,
    hunt,
    meats,
    nearest_animal,
)
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.walls import HOLE_DEPTH, openings, shut_in
from optimus_gym.controllers.provisions import HEALS_FROM, is_bad, provisions
from optimus_gym.controllers.script import Script, Steps, limited
from optimus_gym.core.actions import JUMP
from optimus_gym.core.predicaments import FED, SEEN_BY_WORLD, WELL
from optimus_gym.core.types import Failure, SubGoal

HUNTS = 8
"""Maximum number of attempts to hunt an animal, or to find one elsewhere."""
CHASE = 100
"""Duration in ticks; a hunt that fails sooner shows that no way leads to the animal."""
_FAR = 96.0
"""Greatest distance (blocks) of an animal for a hungry player to walk to it."""
_CLOSE_BY = 16.0
"""Greatest distance (blocks) of an animal for a hungry player to begin the hunt."""
_PLACES = 3
"""Maximum number of places in which the player tries to shut itself in."""
COMES_WITHIN = 100
"""Ticks to wait until a monster that sees the player comes near; monsters walk about 10 blocks meanwhile."""
LATER = 200
"""Ticks until the player tries again to shut itself in."""


def rescue(miner: Miner, subgoal: SubGoal) -> Script:
    """Get the player out of the sub-goal's predicament, within the ticks that `_SCRIPTS` allows.

    Ticks of fights and rests that interrupt the script (`guard`) do not count.
    """
    predicament = subgoal.item
    if predicament not in _SCRIPTS or (predicament in SEEN_BY_WORLD and not miner.tells()):
        return Failure("no_skill", detail=f"no script recovers from {predicament!r}")
    miner.kept = {}
    script, longest = _SCRIPTS[predicament]
    yield miner.fresh()
    outcome = yield from limited(script(miner), longest, predicament)
    return outcome


def _get_well(miner: Miner) -> Script:
    """Eat until wounds can heal, then wait behind blocks until the wounds have healed."""
    while _is_hurt(miner):
        before = miner.tick()
        if miner.player["in_water"]:
            failure = yield from get_ashore(miner)
            if failure is not None:
                return failure
        elif float(miner.player["food"]) < HEALS_FROM:
            failure = yield from _dine(miner)
            if failure is not None:
                return failure
        else:
            yield from heal_up(miner)
        if miner.tick() == before:
            yield miner.fresh()
    return None


def _is_hurt(miner: Miner) -> bool:
    return 0.0 < float(miner.player["health"]) < WELL


def _get_fed(miner: Miner) -> Script:
    """Eat held food, or the meat of animals near by."""
    while float(miner.player["food"]) < FED:
        failure = yield from _dine(miner)
        if failure is not None:
            return failure
    return None


def _dine(miner: Miner) -> Script:
    """Eat something: harmless held food, else hunted meat, else any held food."""
    held = provisions(miner)
    if not held or is_bad(held[0]):
        for _ in range(HUNTS):
            if (yield from _go_hunting(miner)):
                return None  # the guard may have eaten the meat already
        held = provisions(miner)
    if not held:
        return Failure("not_found", detail="no food is held, and no animal is near")
    before = miner.tick()
    yield from eat_meal(miner, held[0])
    if miner.tick() == before:
        yield miner.fresh()
    return None


def _go_hunting(miner: Miner) -> Steps:
    """Go to the nearest animal that drops food and kill it; if no animal is near, look elsewhere."""
    worlds, row = miner.worlds, miner.row
    prey = nearest_animal(worlds, row, edible(), _FAR, _FAR)
    if prey == NO_ANIMAL:
        yield from wander(miner)
        return False
    c, p, before = worlds.creatures[row, prey], miner.player, miner.tick()
    kind, place = int(c["kind"]), (float(c["x"]), float(c["y"]), float(c["z"]), 0.0)
    if max(abs(c["x"] - p["x"]), abs(c["z"] - p["z"])) > _CLOSE_BY:
        went = yield from go_to(miner, np.array([place]), ON_FOOT, TOUCH_DROP)
        if not went:
            yield from wander(miner)
        return False
    done = yield from hunt(miner, kind, meats()[kind])
    if not done and miner.tick() < before + CHASE:
        yield from wander(miner)
    return done


def _wait_for_day(miner: Miner) -> Script:
    """Wait in safety, behind blocks if possible, until the night is over."""
    again = 0
    while "night" in miner.predicaments():
        afloat = bool(miner.player["in_water"])
        if miner.tick() >= again and (afloat or openings(miner)):
            yield from get_ashore(miner) if afloat else _shut_in(miner)
            again = miner.tick() + LATER
        action = miner.fresh()
        action[JUMP] = afloat
        yield action
    return None


def _get_out_of_danger(miner: Miner) -> Script:
    """Run away if unarmed or outmatched; else fight monsters that come near, or go elsewhere."""
    waited = 0
    while miner.player["alive"] and "danger" in miner.predicaments():
        before, foe = miner.tick(), urgent(miner)
        if (best_weapon(miner) is None or is_outmatched(miner)) and (yield from run_away(miner)):
            break
        if foe is not None:
            yield from defend(miner, foe)
        elif waited >= COMES_WITHIN:
            yield from wander(miner)
        if miner.tick() > before:
            waited = 0
        else:
            waited += 1
            yield miner.fresh()
    return None


def _shut_in(miner: Miner) -> Steps:
    """Close every side of the player where it stands, else on firm ground near by."""
    for _ in range(_PLACES):
        if (yield from shut_in(miner)):
            return True
        if not (yield from go_to_firm_ground(miner, HOLE_DEPTH)):
            yield from wander(miner)
    return False


_SCRIPTS: Mapping[str, tuple[Callable[[Miner], Script], int]] = MappingProxyType(
    {
        "in_water": (get_ashore, 3000),
        "drop_down": (climb_to_open, 6000),
        "hurt": (_get_well, 6000),
        "hungry": (_get_fed, 6000),
        "stuck": (go_elsewhere, 6000),
        "night": (_wait_for_day, 11_000),
        "danger": (_get_out_of_danger, 3000),
    }
)
"""For each predicament, the script that ends it, and the ticks after which the script gives up."""
