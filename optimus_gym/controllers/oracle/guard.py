"""Watching out while a script is carried out: it stops for a fight and goes on where it was."""

import numpy as np

from optimus_gym.controllers.oracle.fighting import (
    BRAWL,
    CLOSE,
    NEAR_CREEPER,
    SAFE_FROM_CREEPER,
    fight,
)
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.meals import eat, meal
from optimus_gym.controllers.oracle.miner import Cell, Miner
from optimus_gym.controllers.oracle.search import FOUND
from optimus_gym.controllers.oracle.survival import is_choking, survive
from optimus_gym.controllers.oracle.threats import Threat, threats
from optimus_gym.controllers.oracle.travel import follow
from optimus_gym.controllers.oracle.walls import dig_in, screen_off, shut_in, spare_block
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure

TRUCE, SHORT_TRUCE = 60, 10
"""Ticks for which monsters are left alone that cannot be got at, unless they hurt; the same if weak."""
BITES = 10
"""Ticks between two looks whether something is to be eaten."""
WEAK, STRONG = 9.0, 16.0
"""Half-hearts at which the player shuts itself in, and with which it comes out again."""
FED = 18
"""Food from which wounds close."""
LONGEST_REST = 2000


def guarded(miner: Miner, script: Script, stays: bool) -> Script:
    """Carry out a script, and fight, hide and rest in between.

    Args:
        miner: the body.
        script: what to do.
        stays: whether it is done in one place, to which one goes back after a fight.
    """
    post: Cell | None = None
    hand: str | None = None
    truce, health, doze, fasts = 0, 0.0, 0, 0
    while True:
        alive, before = bool(miner.player["alive"]), miner.tick()
        quiet = before < truce and float(miner.player["health"]) >= health
        foe = urgent(miner, quiet) if alive else None
        weak = alive and before >= doze and is_weak(miner)
        food = meal(miner) if alive and before >= fasts else None
        if foe is not None or weak or food is not None:
            post, hand = post or miner.feet()[0], hand or miner.hand()
        if foe is not None:
            done = yield from _defend(miner, foe)
            if not done:
                pause = SHORT_TRUCE if is_weak(miner) else TRUCE
                truce, health = miner.tick() + pause, float(miner.player["health"])
        elif alive and is_choking(miner):
            yield from survive(miner)
        elif food is not None:
            yield from eat(miner, food)
            fasts = miner.tick() + BITES
        elif weak:
            yield from recover(miner)
            doze = miner.tick() + TRUCE
        if miner.tick() > before:
            continue
        if hand is not None and alive:
            name, hand = hand, None
            if miner.hand() != name and miner.count([name]):
                yield miner.call(Function.EQUIP, name)
                continue
        if post is not None and stays and alive:
            place, post = post, None
            yield from guarded(miner, _as_script(_go_back(miner, place)), stays=False)
            continue
        try:
            action = next(script)
        except StopIteration as end:
            outcome: Failure | None = end.value
            return outcome
        yield action


def urgent(miner: Miner, quiet: bool = False) -> Threat | None:
    """Return the monster to be seen to first, None if none threatens; if `quiet` only near creepers do."""
    found = threats(miner)
    safe = NEAR_CREEPER if quiet else SAFE_FROM_CREEPER
    for foe in found:
        if foe.kind == "creeper" and (foe.far < safe or foe.fuse > 0):
            return foe
    for foe in found if not quiet else ():
        if foe.kind == "skeleton" or foe.far < CLOSE:
            return foe
    return None


def is_weak(miner: Miner) -> bool:
    """Tell whether the player had better hide than fight."""
    return float(miner.player["health"]) <= WEAK


def _defend(miner: Miner, foe: Threat) -> Steps:
    """See to a monster; who is weak hides from it first."""
    if is_weak(miner) and foe.kind != "creeper" and foe.far > BRAWL:
        hidden = yield from screen_off(miner, (foe.dx, foe.dy, foe.dz))
        if hidden:
            return True
        if spare_block(miner) is None and (yield from dig_in(miner, bold=True)):
            return True
    done = yield from fight(miner, foe)
    return done


def recover(miner: Miner) -> Steps:
    """Shut oneself in and wait until wounds have closed, or a monster comes."""
    if miner.player["in_water"] or miner.player["food"] < FED:
        return False
    yield from shut_in(miner)
    for _ in range(LONGEST_REST):
        now = miner.player
        if now["health"] >= STRONG or now["food"] < FED or not now["alive"] or urgent(miner):
            break
        yield miner.fresh()
    return True


def _go_back(miner: Miner, place: Cell) -> Steps:
    """Walk to a cell."""
    if miner.feet()[0] == place:
        return True
    x, y, z = place
    goal = np.array([(x + 0.5, float(y), z + 0.5, 0.0)])
    if miner.search(goal, TOUCH_DROP, (4.2, 9.0, 5.0), 8_000) != FOUND:
        return False
    done = yield from follow(miner)
    return done


def _as_script(steps: Steps) -> Script:
    """Make a script of steps that cannot fail."""
    yield from steps
    return None
