"""The script of a place sub-goal where no block can be read: look about and try, then dig and try again."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.digging import dig_ahead, take_pickaxe
from optimus_gym.controllers.helper.placing import to_place
from optimus_gym.controllers.helper.steering import look, rest
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal

PITCHES = (35.0, 50.0, 20.0, 65.0, 0.0)
"""Degrees down to try: the first meets open ground 2.3 blocks ahead."""
TURNS = (0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0)
"""Degrees aside to try."""
ASKS = 2
"""Place actions at each look."""
SIDES = (0.0, 90.0, 180.0, 270.0)
DIGS = (*((side, 0.0) for side in SIDES), *((side, 62.0) for side in SIDES))
"""Yaws and pitches to dig at: blocks around the head, then blocks around the feet."""


def place_by_trying(hands: Hands, subgoal: SubGoal) -> Script:
    """Put one of the sub-goal's kinds into the world, within reach; one piece fewer held means success."""
    name = to_place(hands, subgoal)
    if isinstance(name, Failure):
        return name
    yield from rest(hands)
    yaw = float(hands.pose()[3])
    for turn in TURNS:
        if (yield from _try(hands, name, yaw + turn)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    yield from take_pickaxe(hands)
    for side, pitch in DIGS:
        if (yield from dig_ahead(hands, side, pitch)) and (yield from _try(hands, name, side)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    return Failure("stuck", name, 1, "no place in reach for it")


def _try(hands: Hands, name: str, yaw: float) -> Steps:
    """Try to place the block at each pitch of a yaw; return whether the block stands."""
    for pitch in PITCHES:
        yield from look(hands, yaw, pitch)
        for _ in range(ASKS):
            before = hands.count([name])
            yield hands.call(Function.PLACE, name)
            if hands.count([name]) < before:
                return True
    return False
