"""Climbing out of a pit or cave, on blocks placed beneath the player or by dug stairs."""

from collections.abc import Callable

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import dig_cell, is_dangerous, is_in_the_way
from optimus_gym.controllers.helper.steering import (
    LEVEL_SIDES,
    Side,
    feet_of,
    look,
    stand_still,
    step_to,
    stop_in_cell,
    turn_to,
    yaw_of,
)
from optimus_gym.controllers.helper.walking import get_on, is_safe_ahead
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.actions import JUMP
from optimus_gym.core.types import Failure
from optimus_gym.game.tools import breaking_ticks, fastest_tool

_BLOCKS = (
    "dirt", "coarse_dirt", "netherrack", "granite", "diorite", "andesite", "cobblestone", "stone",
    "gravel", "sand", "red_sand",
)  # fmt: skip
"""Blocks to place beneath the player, the least useful first."""
_STRAIGHT_DOWN = 90.0
_STEEP = 80.0
"""Pitch in degrees beyond which the player looks down steeply enough to place a block beneath its feet."""
RISE_TICKS = 45
"""Ticks that a jump onto a placed block may take."""
_UPWARDS = -60.0
"""Pitch in degrees at which the player looks at the wall next to the cell above its head."""
HIGH = 0.9
"""Height in blocks above a jump's start from which the player places a block beneath its feet."""
_MOST_TROUBLES = 12
"""Maximum number of failed attempts to climb in a row; after more, the script gives up."""
_NEVER = 10_000
"""Digging time in ticks that stands for a block that cannot or should not be dug."""
_PATIENCE = 3
"""Rounds of climbing without gained height, after which the player digs stairs to one fixed side until it
gets stuck, instead of to the side where a step up is dug fastest."""
_OPENED = 4
"""Number of blocks overhead, all in reach, that the player digs away before it looks down again."""
LONGEST_WALK = 16
"""Maximum number of steps that the player walks in search of a wall."""


def _spare_block(hands: Hands) -> str | None:
    """Return the least useful held block to place, None if no block is held."""
    held = hands.counts()
    return next((name for name in _BLOCKS if name in held), None)


def climb_out(hands: Hands) -> Script:
    """Climb to a place under the open sky from which the player can walk away."""
    return climb_until(hands, lambda: "drop_down" not in hands.predicaments())


def climb_until(hands: Hands, is_out: Callable[[], bool]) -> Script:
    """Climb on blocks placed beneath the player, or by dug stairs, until `is_out` returns True."""
    way, troubles, vain = 0, 0, 0
    yield from stand_still(hands)
    highest = feet_of(hands)[1]
    while hands.alive() and not is_out():
        before = feet_of(hands)
        side = LEVEL_SIDES[way % len(LEVEL_SIDES)]
        if _spare_block(hands) is not None:
            if not _is_by_wall(hands):
                yield from _walk_to_wall(hands, side)
            yield from rise(hands)
        if feet_of(hands)[1] <= before[1]:
            yield from stair(hands, _soonest(hands, side) if vain < _PATIENCE else side)
        if feet_of(hands) == before and troubles >= len(LEVEL_SIDES):
            yield from get_on(hands, yaw_of(side))
        if feet_of(hands) == before:
            way, troubles = way + 1, troubles + 1
            yield from stand_still(hands)
        else:
            troubles = 0
        vain = 0 if feet_of(hands)[1] > highest else vain + 1
        highest = max(highest, feet_of(hands)[1])
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way up with the blocks held and dug")
    return None


def _is_by_wall(hands: Hands) -> bool:
    """Return whether a block stands next to the feet; True if blocks cannot be read."""
    if not isinstance(hands, Body):
        return True
    x, y, z = feet_of(hands)
    return any(is_in_the_way(hands, (x + dx, y, z + dz)) for dx, dz in LEVEL_SIDES)


def _walk_to_wall(hands: Hands, side: Side) -> Steps:
    """Walk to a side until a wall is near or danger is ahead; return False after `LONGEST_WALK` steps."""
    for _ in range(LONGEST_WALK):
        if _is_by_wall(hands) or not is_safe_ahead(hands, side):
            return True
        if not (yield from step_to(hands, side, jumps=False)):
            return True
    return False


def rise(hands: Hands) -> Steps:
    """Jump and place a block beneath the feet; dig away a block overhead.

    Returns:
        Whether the body stands one block higher.
    """
    x, y, z = feet_of(hands)
    name = _spare_block(hands)
    if name is None:
        return False
    yield from stop_in_cell(hands)
    if isinstance(hands, Body) and not (yield from _open_above(hands)):
        return False
    if (yield from _jump_onto(hands, name, y)):
        return True
    if feet_of(hands) != (x, y, z) or not (yield from dig_cell(hands, (x, y + 2, z))):
        return False
    done = yield from _jump_onto(hands, name, y)
    return done


def _open_above(body: Body) -> Steps:
    """Dig away the blocks overhead if the next one bars a jump; return whether a jump is free."""
    x, y, z = feet_of(body)
    if not is_in_the_way(body, (x, y + 2, z)):
        return True
    for up in range(_OPENED):
        if not (yield from dig_cell(body, (x, y + 2 + up, z))):
            break
    return not is_in_the_way(body, (x, y + 2, z))


def _jump_onto(hands: Hands, name: str, level: int) -> Steps:
    """Jump and place a block beneath; return whether the body then stands one block higher."""
    yield from hands.ready(name)
    before = hands.pose()
    for _ in range(RISE_TICKS):
        pose = hands.pose()
        if pose[1] > level + 0.99 and pose[1] == before[1]:
            return True
        action = hands.fresh()
        turn_to(hands, float(pose[3]), _STRAIGHT_DOWN, action)
        if pose[4] > _STEEP:
            action[JUMP] = 1
            if pose[1] > level + HIGH:
                hands.put(action, name)
        before = pose
        yield action
    return False


def _soonest(hands: Hands, side: Side) -> Side:
    """Return the side where a step up is dug fastest; `side` if blocks cannot be read or no wall is near."""
    if not isinstance(hands, Body):
        return side
    x, y, z = feet_of(hands)
    rising = [way for way in LEVEL_SIDES if is_in_the_way(hands, (x + way[0], y, z + way[1]))]
    return min(rising, key=lambda way: (_ticks_of_stair(hands, way), way != side), default=side)


def _ticks_of_stair(body: Body, side: Side) -> int:
    """Return the estimated ticks to dig a step up to a side."""
    held, total = body.tools(), 0
    for cell in _cells_of_stair(feet_of(body), side):
        name = body.block_name(*cell)
        if is_in_the_way(body, cell):
            ticks = breaking_ticks(name, fastest_tool(name, held))
            total += _NEVER if ticks is None or is_dangerous(body, (cell,)) else ticks
    return total


def _cells_of_stair(feet: Cell, side: Side) -> tuple[Cell, Cell, Cell]:
    """Return the cells that must be free for a step up to a side, in the order to dig them."""
    (x, y, z), (dx, dz) = feet, side
    return (x, y + 2, z), (x + dx, y + 2, z + dz), (x + dx, y + 1, z + dz)


def stair(hands: Hands, side: Side) -> Steps:
    """Dig a step one block up to a side and climb onto it; return False if that fails."""
    yield from stop_in_cell(hands)
    before = feet_of(hands)
    if not isinstance(hands, Body) and (yield from step_to(hands, side, jumps=True)):
        return True
    if not is_safe_ahead(hands, side):
        return False
    for cell in _cells_of_stair(before, side):
        freed = yield from dig_cell(hands, cell)
        if not freed and isinstance(hands, Body):
            return False
    yield from step_to(hands, side, jumps=True)
    return feet_of(hands) != before


def dig_down(hands: Hands, deep: int) -> Steps:
    """Dig a hole `deep` blocks deep beneath the player and fall into it; return False if that fails."""
    for _ in range(deep):
        x, y, z = feet_of(hands)
        if isinstance(hands, Body) and not _is_firm(hands, (x, y - 1, z)):
            return False
        yield from stop_in_cell(hands)
        yield from dig_cell(hands, (x, y - 1, z))
        yield from stand_still(hands)
        if feet_of(hands)[1] >= y:
            return False
    return True


def _is_firm(body: Body, floor: Cell) -> bool:
    """Return whether the player can dig away the block at `floor`, then stand one block lower and dry."""
    x, y, z = floor
    wet = any(body.block_name(x + dx, y, z + dz) == "water" for dx, dz in ((0, 0), *LEVEL_SIDES))
    return is_in_the_way(body, (x, y - 1, z)) and not wet and not is_dangerous(body, (floor,))


def close_above(hands: Hands) -> Steps:
    """Place a block in the cell above the head, against a wall; return False if no block was placed."""
    name = _spare_block(hands)
    if name is None:
        return False
    yield from stop_in_cell(hands)
    yield from hands.ready(name)
    for side in LEVEL_SIDES:
        yield from look(hands, yaw_of(side), _UPWARDS)
        before = hands.count([name])
        action = hands.fresh()
        hands.put(action, name)
        yield action
        yield from hands.shut()
        if hands.count([name]) < before:
            return True
    return False
