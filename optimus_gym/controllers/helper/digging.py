"""Digging at cells beside the body: what is known to be there in the embedded world, else what is ahead."""

from collections.abc import Iterable

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.placing import clear_sight
from optimus_gym.controllers.helper.placing import dig as dig_known
from optimus_gym.controllers.helper.steering import Cell, look, look_at_cell
from optimus_gym.controllers.pose import HIDDEN, look_at
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import ATTACK, Function
from optimus_gym.game.tools import tool
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

DIG_TICKS = 200
"""Ticks that a block may take: stone takes 150 by hand (Minecraft Wiki, "Breaking")."""
MOST_FALLS = 8
"""Times that sand or gravel may fall into a cell."""
AROUND = ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
DANGERS = ("lava", "fire")


def take_pickaxe(hands: Hands) -> Steps:
    """Take the best pickaxe that is held in hand, if there is one."""
    held = [name for name in hands.tools() if tool(name).kind == "pickaxe"]
    if held:
        yield hands.call(Function.EQUIP, max(held, key=lambda name: tool(name).tier))
    return bool(held)


def dig_ahead(hands: Hands, yaw: float, pitch: float) -> Steps:
    """Attack what is in a direction (degrees) until it breaks; tell whether it did."""
    yield from look(hands, yaw, pitch)
    done = yield from _attack(hands)
    return done


def _attack(hands: Hands) -> Steps:
    """Attack what is under the crosshair until it breaks; tell whether it did."""
    for _ in range(DIG_TICKS):
        action = hands.fresh()
        action[ATTACK] = 1
        yield action
        if hands.has_mined():
            return True
        if not hands.alive():
            return False
    return False


def dig_cell(hands: Hands, cell: Cell) -> Steps:
    """Free a cell beside or above the body; False if it is not, or better stays as it is.

    Where no block can be read, whatever lies in its direction is attacked.
    """
    if not isinstance(hands, Body):
        yield from take_pickaxe(hands)
        yield from look_at_cell(hands, cell)
        mined = yield from _attack(hands)
        return mined
    for _ in range(MOST_FALLS):
        if not is_in_the_way(hands, cell):
            return True
        if is_dangerous(hands, (cell,)):
            return False
        yield from clear_sight(hands)
        done = yield from dig_known(hands, cell)
        if not done and not (yield from _uncover(hands, cell)):
            return False
        yield hands.fresh()
    return False


def _uncover(body: Body, cell: Cell) -> Steps:
    """Dig away what hides a cell, if it is harmless to do so."""
    action = body.fresh()
    state = look_at(body.worlds, body.row, cell, -1, body.point, body.found, action)
    cover = (int(body.found[0]), int(body.found[1]), int(body.found[2]))
    if state != HIDDEN or is_dangerous(body, (cover,)):
        return False
    done = yield from dig_known(body, cover)
    return done


def is_in_the_way(body: Body, cell: Cell) -> bool:
    """Tell whether a block stops a body in a cell."""
    return bool(COLLISION_HEIGHTS[body.block(*cell)] > 0.0)


def is_dangerous(body: Body, cells: Iterable[Cell]) -> bool:
    """Tell whether one of some cells in reach, or one beside it, is lava or fire."""
    return any(
        body.block_name(x + dx, y + dy, z + dz) in DANGERS
        for x, y, z in cells
        for dx, dy, dz in AROUND
    )
