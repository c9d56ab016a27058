"""Watching for danger during a script: a fight interrupts the script, which then resumes."""

from dataclasses import dataclass

import numpy as np

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.cover import take_cover
from optimus_gym.controllers.oracle.fighting import (
    ARCHER,
    CROWD,
    FIGHT_RANGE,
    NEAR_CREEPER,
    SAFE_FROM_CREEPER,
    WALKER,
    fight_monster,
    is_outmatched,
    is_weak,
)
from optimus_gym.controllers.oracle.goals import TOUCH_DROP
from optimus_gym.controllers.oracle.meals import eat_meal, meal
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.path_search import FOUND
from optimus_gym.controllers.oracle.surviving import is_choking, survive
from optimus_gym.controllers.oracle.travel import follow_path
from optimus_gym.controllers.oracle.walls import (
    climb_tower,
    dig_in,
    is_on_tower,
    openings,
    screen_off,
    shut_in,
    spare_block,
)
from optimus_gym.controllers.provisions import HEALS_FROM
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.controllers.threats import Threat, threats
from optimus_gym.core.types import Failure

TRUCE = 60
"""Ticks of a truce: the player, unless hurt, ignores monsters after it could neither fight nor evade one."""
SHORT_TRUCE = 10
"""Ticks of a truce (see `TRUCE`) of a player with little health."""
BITES = 10
"""Ticks after a meal until the next check whether the player should eat."""
STRONG = 16.0
"""Health (half-hearts) at which the player stops healing and leaves its shelter."""
ROOM_TO_BUILD = 1.9
"""Distance (blocks) of a monster beyond which the player has time to place a block in between."""
ROOM_TO_CLIMB = 3.0
"""Distance (blocks) of a monster beyond which the player has time to pillar up."""
LONGEST_REST = 2000


def guarded(miner: Miner, script: Script, stays: bool) -> Script:
    """Carry out a script, with interruptions in which the player fights, hides, rests or eats.

    Args:
        miner: the player's body.
        script: the script to carry out.
        stays: whether the player returns to the script's place after an interruption.
    """
    guard = Guard(miner, stays)
    while True:
        before = miner.tick()
        miner.keep_land()
        if miner.player["alive"]:
            yield from guard.see_to_needs()
            if miner.tick() == before:
                yield from guard.go_back_to_work()
        if miner.tick() > before:
            continue
        try:
            action = next(script)
        except StopIteration as end:
            outcome: Failure | None = end.value
            return outcome
        yield action


class Guard:
    """Interrupts a script when the player must fight, rest or eat, and then takes the player back to work.

    Args:
        miner: the player's body.
        stays: whether the player returns to the script's place after an interruption.
    """

    def __init__(self, miner: Miner, stays: bool) -> None:
        self.miner = miner
        self.stays = stays
        self.post: Cell | None = None
        """Cell in which the script was interrupted."""
        self.hand: str | None = None
        """Item in the hand at the interruption."""
        self.truce = Truce(0, 0.0)
        self.rests_again = 0
        """Tick of the next check whether the player should rest; `eats_again`: whether it should eat."""
        self.eats_again = 0

    def see_to_needs(self) -> Steps:
        """See to the player's most urgent need: safety, air, food or rest; return whether that took time."""
        miner, now = self.miner, self.miner.tick()
        foe = urgent(miner, quiet=self.truce.holds(miner))
        food = meal(miner) if now >= self.eats_again else None
        tired = now >= self.rests_again and (is_weak(miner) or _may_rest(miner))
        if foe is not None or food is not None or tired:
            self.post, self.hand = self.post or miner.feet()[0], self.hand or miner.hand()
        if foe is not None:
            yield from self._defend(foe)
        elif is_choking(miner) or miner.player["in_lava"]:
            yield from survive(miner)
        elif food is not None:
            yield from eat_meal(miner, food)
            self.eats_again = miner.tick() + BITES
        elif tired:
            yield from heal_up(miner)
            self.rests_again = miner.tick() + TRUCE
        return miner.tick() > now

    def _defend(self, foe: Threat) -> Steps:
        """Fight or evade a monster; if neither is possible, ignore monsters for a while (a truce)."""
        miner = self.miner
        done = yield from defend(miner, foe)
        miner.alarms += 1
        if not done:
            pause = SHORT_TRUCE if is_weak(miner) else TRUCE
            self.truce = Truce(miner.tick() + pause, float(miner.player["health"]))
        return done

    def go_back_to_work(self) -> Steps:
        """Equip the script's item again, or return to its cell; return False if nothing is left to do."""
        miner, name, place = self.miner, self.hand, self.post
        self.hand = None
        if name is not None and miner.hand() != name and miner.count([name]):
            yield from miner.hold(name)
            return True
        self.post = None
        if place is None or not self.stays:
            return False
        yield from guarded(miner, _as_script(_go_back(miner, place)), stays=False)
        return True


@dataclass(frozen=True, slots=True)
class Truce:
    """A time in which the player ignores monsters, until a wound ends the truce.

    Attributes:
        until: the tick at which the truce ends.
        health: the player's health (half-hearts) when the truce began.
    """

    until: int
    health: float

    def holds(self, miner: Miner) -> bool:
        """Return whether the truce lasts: the time is not over, and the player has lost no health."""
        return miner.tick() < self.until and float(miner.player["health"]) >= self.health


def urgent(miner: Miner, quiet: bool = False) -> Threat | None:
    """Return the most urgent monster to fight or evade, None if none threatens.

    If `quiet` (during a truce, in which the player ignores monsters), only creepers that are near or whose
    fuse burns count.
    """
    found = threats(miner)
    safe = NEAR_CREEPER if quiet else SAFE_FROM_CREEPER
    for foe in found:
        if foe.kind == "creeper" and (foe.far < safe or foe.fuse > 0):
            return foe
    for foe in found if not quiet else ():
        if foe.kind == ARCHER or foe.far < FIGHT_RANGE:
            return foe
    return None


def defend(miner: Miner, foe: Threat) -> Steps:
    """Get out of a monster's reach if outmatched, else fight; return False if the player could do neither."""
    if (
        is_outmatched(miner)
        and foe.kind != "creeper"
        and (yield from _get_out_of_reach(miner, foe))
    ):
        return True
    done = yield from fight_monster(miner, foe)
    return done


def _get_out_of_reach(miner: Miner, foe: Threat) -> Steps:
    """Climb a tower if only walking melee monsters come; else hide, place blocks in between, or dig down.

    Returns:
        Whether the player climbed, hid, built or dug.
    """
    found = threats(miner)
    archers = any(other.kind == ARCHER for other in found)
    near = [other for other in found if other.far < CROWD]
    if foe.far > ROOM_TO_CLIMB and not archers and all(other.kind == WALKER for other in near):
        if is_on_tower(miner):
            return False
        if (yield from climb_tower(miner)):
            return True
    if archers and foe.far > ROOM_TO_BUILD and (yield from take_cover(miner)):
        return True
    if foe.far > ROOM_TO_BUILD and (yield from screen_off(miner, (foe.dx, foe.dy, foe.dz))):
        return True
    dug = spare_block(miner) is None and (yield from dig_in(miner, bold=True))
    return bool(dug)


def _may_rest(miner: Miner) -> bool:
    """Return whether the player is wounded, fed and closed in on all sides, and so can heal."""
    player = miner.player
    return player["health"] < STRONG and player["food"] >= HEALS_FROM and not openings(miner)


def heal_up(miner: Miner) -> Steps:
    """Shut the player in and wait until its wounds have healed or a monster comes."""
    if miner.player["in_water"] or miner.player["food"] < HEALS_FROM:
        return False
    shut = yield from shut_in(miner)
    if not shut and threats(miner):
        return False
    for _ in range(LONGEST_REST):
        now = miner.player
        healing = STRONG > now["health"] > 0 and now["food"] >= HEALS_FROM and not now["in_lava"]
        if not healing or urgent(miner):
            break
        yield miner.fresh()
    return True


def _go_back(miner: Miner, place: Cell) -> Steps:
    """Walk back to the cell `place`."""
    if miner.feet()[0] == place:
        return True
    x, y, z = place
    goal = np.array([(x + 0.5, float(y), z + 0.5, 0.0)])
    if miner.search(goal, TOUCH_DROP, ON_FOOT, 8_000) != FOUND:
        return False
    done = yield from follow_path(miner)
    return done


def _as_script(steps: Steps) -> Script:
    """Turn `steps`, a part of a script, into a script that always ends as a success."""
    yield from steps
    return None
