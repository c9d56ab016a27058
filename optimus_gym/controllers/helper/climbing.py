"""Coming up out of the ground: on blocks that are put beneath, or by stairs that are dug."""

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.digging import dig_cell, is_dangerous, is_in_the_way
from optimus_gym.controllers.helper.steering import (
    SIDES,
    Cell,
    Side,
    feet_of,
    look,
    rest,
    settle,
    step,
    turn_to,
    yaw_of,
)
from optimus_gym.controllers.helper.walking import get_on, is_safe_ahead
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import FUNCTION, ITEM, JUMP, Function
from optimus_gym.core.types import Failure
from optimus_gym.game.items import item
from optimus_gym.game.tools import breaking_ticks, fastest_tool

BLOCKS = (
    "dirt", "coarse_dirt", "netherrack", "granite", "diorite", "andesite", "cobblestone", "stone",
    "gravel", "sand", "red_sand",
)  # fmt: skip
"""Blocks that are put beneath oneself, the least useful first."""
STRAIGHT_DOWN = 90.0
STEEP = 80.0
"""Degrees down from which a block that is put lies beneath the feet."""
RISE_TICKS = 45
"""Ticks that a jump onto a block that is put may take."""
UPWARDS = -60.0
"""Degrees at which one looks at the wall beside the cell above the head."""
HIGH = 0.9
"""Blocks of a jump below which something is overhead."""
MOST_TROUBLES = 12
"""Failed attempts in a row after which it is given up."""
NEVER = 10_000
"""Ticks of a step that cannot be dug, or better is not."""
PATIENCE = 3
"""Steps that lead no higher after which one leaves for one side, whatever is in the way there."""
LONGEST_WALK = 16
"""Steps to a wall."""


def spare_block(hands: Hands) -> str | None:
    """Return a held block to put somewhere, None if there is none to spare."""
    held = hands.counts()
    return next((name for name in BLOCKS if name in held), None)


def climb_out(hands: Hands) -> Script:
    """Come up to where one can walk away under the open sky."""
    way, troubles, vain = 0, 0, 0
    yield from rest(hands)
    highest = feet_of(hands)[1]
    while hands.alive() and "drop_down" in hands.predicaments():
        before = feet_of(hands)
        side = SIDES[way % len(SIDES)]
        if spare_block(hands) is not None:
            if not _is_by_wall(hands):
                yield from _walk_to_wall(hands, side)
            yield from rise(hands)
        if feet_of(hands)[1] <= before[1]:
            yield from stair(hands, _soonest(hands, side) if vain < PATIENCE else side)
        if feet_of(hands) == before and troubles >= len(SIDES):
            yield from get_on(hands, yaw_of(side))
        if feet_of(hands) == before:
            way, troubles = way + 1, troubles + 1
            yield from rest(hands)
        else:
            troubles = 0
        vain = 0 if feet_of(hands)[1] > highest else vain + 1
        highest = max(highest, feet_of(hands)[1])
        if troubles > MOST_TROUBLES:
            return Failure("stuck", detail="no way up by what is held and dug")
    return None


def _is_by_wall(hands: Hands) -> bool:
    """Tell whether there is a wall beside the body; where no block can be read one trusts in it."""
    if not isinstance(hands, Body):
        return True
    x, y, z = feet_of(hands)
    return any(is_in_the_way(hands, (x + dx, y, z + dz)) for dx, dz in SIDES)


def _walk_to_wall(hands: Hands, side: Side) -> Steps:
    """Walk to a side until something is in the way; False if nothing is for long."""
    for _ in range(LONGEST_WALK):
        if _is_by_wall(hands) or not is_safe_ahead(hands, side):
            return True
        if not (yield from step(hands, side, jumps=False)):
            return True
    return False


def rise(hands: Hands) -> Steps:
    """Jump and put a block beneath, digging away what is overhead; False if that cannot be."""
    x, y, z = feet_of(hands)
    name = spare_block(hands)
    if name is None:
        return False
    yield from settle(hands)
    if isinstance(hands, Body) and not (yield from dig_cell(hands, (x, y + 2, z))):
        return False
    if (yield from _jump_onto(hands, name, y)):
        return True
    if feet_of(hands) != (x, y, z) or not (yield from dig_cell(hands, (x, y + 2, z))):
        return False
    done = yield from _jump_onto(hands, name, y)
    return done


def _jump_onto(hands: Hands, name: str, level: int) -> Steps:
    """Jump and put a block beneath; tell whether the body stands higher."""
    before = hands.pose()
    for _ in range(RISE_TICKS):
        pose = hands.pose()
        if pose[1] > level + 0.99 and pose[1] == before[1]:
            return True
        action = hands.fresh()
        turn_to(hands, float(pose[3]), STRAIGHT_DOWN, action)
        if pose[4] > STEEP:
            action[JUMP] = 1
            if pose[1] > level + HIGH:
                action[FUNCTION], action[ITEM] = Function.PLACE, item(name).id
        before = pose
        yield action
    return False


def _soonest(hands: Hands, side: Side) -> Side:
    """Return the side to which a step up is dug soonest, as far as blocks can be read; if none, `side`."""
    if not isinstance(hands, Body):
        return side
    x, y, z = feet_of(hands)
    rising = [way for way in SIDES if is_in_the_way(hands, (x + way[0], y, z + way[1]))]
    return min(rising, key=lambda way: (_ticks_of_stair(hands, way), way != side), default=side)


def _ticks_of_stair(body: Body, side: Side) -> int:
    """Return the ticks that digging a step up to a side takes, about."""
    held, total = body.tools(), 0
    for cell in _cells_of_stair(feet_of(body), side):
        name = body.block_name(*cell)
        if is_in_the_way(body, cell):
            ticks = breaking_ticks(name, fastest_tool(name, held))
            total += NEVER if ticks is None or is_dangerous(body, (cell,)) else ticks
    return total


def _cells_of_stair(feet: Cell, side: Side) -> tuple[Cell, Cell, Cell]:
    """Return the cells that must be free for a step up to a side, in the order to dig them."""
    (x, y, z), (dx, dz) = feet, side
    return (x, y + 2, z), (x + dx, y + 2, z + dz), (x + dx, y + 1, z + dz)


def stair(hands: Hands, side: Side) -> Steps:
    """Dig a step up to a side and take it; False if that cannot be."""
    yield from settle(hands)
    before = feet_of(hands)
    if not isinstance(hands, Body) and (yield from step(hands, side, jumps=True)):
        return True
    if not is_safe_ahead(hands, side):
        return False
    for cell in _cells_of_stair(before, side):
        freed = yield from dig_cell(hands, cell)
        if not freed and isinstance(hands, Body):
            return False
    yield from step(hands, side, jumps=True)
    return feet_of(hands) != before


def dig_down(hands: Hands, deep: int) -> Steps:
    """Dig a hole and fall into it; False if it is not as deep as it should be."""
    for _ in range(deep):
        x, y, z = feet_of(hands)
        if isinstance(hands, Body) and not _is_firm(hands, (x, y - 1, z)):
            return False
        yield from settle(hands)
        yield from dig_cell(hands, (x, y - 1, z))
        yield from rest(hands)
        if feet_of(hands)[1] >= y:
            return False
    return True


def _is_firm(body: Body, floor: Cell) -> bool:
    """Tell whether one can dig a floor away and stand one lower, and stay dry."""
    x, y, z = floor
    wet = any(body.block_name(x + dx, y, z + dz) == "water" for dx, dz in ((0, 0), *SIDES))
    return is_in_the_way(body, (x, y - 1, z)) and not wet and not is_dangerous(body, (floor,))


def close_above(hands: Hands) -> Steps:
    """Put a block over one's head, against a wall beside it; False if none was put."""
    name = spare_block(hands)
    if name is None:
        return False
    yield from settle(hands)
    for side in SIDES:
        yield from look(hands, yaw_of(side), UPWARDS)
        before = hands.count([name])
        yield hands.call(Function.PLACE, name)
        if hands.count([name]) < before:
            return True
    return False
