"""The script of a place sub-goal where no block can be read: look about and try, dig and try again."""

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.placing import to_place
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import ATTACK, PITCH, STILL, YAW, Function, camera_bin
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.tools import tool

PITCHES = (35.0, 50.0, 20.0, 65.0, 0.0)
"""Degrees down that are tried: on open ground the first meets it 2.3 blocks ahead."""
TURNS = (0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0)
"""Degrees aside that are tried."""
ASKS = 2
"""Ticks for which placing is asked for at each look."""
TURN_TICKS = 30
REST_TICKS = 30
DIG_TICKS = 200
"""Ticks that a block may take: stone takes 150 by hand (Minecraft Wiki, "Breaking")."""
SIDES = (0.0, 90.0, 180.0, 270.0)
DIGS = (*((side, 0.0) for side in SIDES), *((side, 62.0) for side in SIDES))
"""Yaws and pitches to dig at: the blocks beside the head, then those beside the feet."""


def place_by_trying(hands: Hands, subgoal: SubGoal) -> Script:
    """Put one of the sub-goal's kinds into the world, within reach; it stands when it is held no more."""
    name = to_place(hands, subgoal)
    if isinstance(name, Failure):
        return name
    yield from _rest(hands)
    yaw = float(hands.pose()[3])
    for turn in TURNS:
        if (yield from _try(hands, name, yaw + turn)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    yield from _take_pickaxe(hands)
    for side, pitch in DIGS:
        if (yield from _dig(hands, side, pitch)) and (yield from _try(hands, name, side)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    return Failure("stuck", name, 1, "no place in reach for it")


def _rest(hands: Hands) -> Steps:
    """Let the body come to rest."""
    before = hands.pose()[:3].tolist()
    for _ in range(REST_TICKS):
        yield hands.fresh()
        now = hands.pose()[:3].tolist()
        if now == before:
            return True
        before = now
    return False


def _try(hands: Hands, name: str, yaw: float) -> Steps:
    """Ask for placing at each pitch of a yaw; tell whether the block stands."""
    for pitch in PITCHES:
        yield from _look(hands, yaw, pitch)
        for _ in range(ASKS):
            before = hands.count([name])
            yield hands.call(Function.PLACE, name)
            if hands.count([name]) < before:
                return True
    return False


def _look(hands: Hands, yaw: float, pitch: float) -> Steps:
    """Turn the camera to yaw and pitch (degrees), as near as its bins allow."""
    for _ in range(TURN_TICKS):
        pose = hands.pose()
        aside = (yaw - float(pose[3]) + 180.0) % 360.0 - 180.0
        across, down = camera_bin(aside), camera_bin(pitch - float(pose[4]))
        if across == down == STILL:
            return True
        action = hands.fresh()
        action[YAW], action[PITCH] = across, down
        yield action
    return False


def _take_pickaxe(hands: Hands) -> Steps:
    """Take the best pickaxe that is held in hand, if there is one."""
    held = [name for name in hands.tools() if tool(name).kind == "pickaxe"]
    if held:
        yield hands.call(Function.EQUIP, max(held, key=lambda name: tool(name).tier))
    return bool(held)


def _dig(hands: Hands, yaw: float, pitch: float) -> Steps:
    """Attack what is ahead until it breaks; tell whether it did."""
    yield from _look(hands, yaw, pitch)
    for _ in range(DIG_TICKS):
        action = hands.fresh()
        action[ATTACK] = 1
        yield action
        if hands.has_mined():
            return True
        if not hands.alive():
            return False
    return False
