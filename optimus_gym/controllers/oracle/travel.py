"""Following a path: clear each move's cells, make the move, and give up if the body leaves the path."""

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.keys import press, turn
from optimus_gym.controllers.oracle.digging import clear_cell
from optimus_gym.controllers.oracle.grid import HOT, IS_WATER, PASS, STAND
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.moves import (
    DIG_DOWN,
    PILLAR,
    SINK,
    STEP_DOWN,
    STEP_LEVEL,
    STEP_UP,
    SWIM,
    SWIM_UP,
)
from optimus_gym.controllers.oracle.steps import ARRIVED, OFF_PATH, advance, settle_at
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import JUMP

_PATIENCE = 50
"""Ticks (digging not counted) after which a move of a path counts as stuck; in water: `SLOW_PATIENCE`."""
SLOW_PATIENCE = 120
SHORT_OF_AIR = 120
"""Ticks of air below which a player under water leaves its path to breathe."""
_STRAIGHT_DOWN = 90.0
STEEP_ENOUGH = 80.0
PLACE_FROM = 0.9
"""Height in blocks above a jump's start from which the player tries to place a block beneath its feet."""
PILLAR_PATIENCE = 60


def cells_to_clear(start: Cell, end: Cell, kind: int) -> tuple[Cell, ...]:
    """Return the cells that must be free for a move, in the order to dig them."""
    sx, sy, sz = start
    ex, ey, ez = end
    if kind == STEP_UP:
        return (sx, sy + 2, sz), (ex, ey + 1, ez), (ex, ey, ez)
    if kind == STEP_DOWN:
        return tuple((ex, y, ez) for y in range(sy + 1, ey - 1, -1))
    if kind == DIG_DOWN:
        return ((sx, sy - 1, sz),)
    if kind in (PILLAR, SWIM_UP):
        return ((sx, sy + 2, sz),)
    if kind == SINK:
        return ()
    if sx != ex and sz != ez:
        return ()
    return (ex, ey + 1, ez), (ex, ey, ez)


def follow_path(miner: Miner, wary: bool = False) -> Steps:
    """Walk the path in `miner.path`; return False if the body does not reach the end.

    A `wary` walk stops after a fight, so that the caller can search again.
    """
    alarms = miner.alarms
    length = int(miner.answer[1])
    path = [tuple(row) for row in miner.path[: length + 1].tolist()]
    for n in range(1, length):
        x, y, z, kind = path[n]
        px, py, pz, _ = path[n - 1]
        if wary and miner.alarms > alarms:
            return False
        after = path[n + 1][3] if n + 1 < length else PILLAR
        exact = after in (DIG_DOWN, PILLAR, STEP_DOWN) or kind == DIG_DOWN
        sprint = after == STEP_LEVEL and (
            path[n + 1][0] - x == x - px and path[n + 1][2] - z == z - pz
        )
        done = yield from _move(miner, (px, py, pz), (x, y, z), kind, exact, sprint)
        if not done:
            return False
    return True


def _move(miner: Miner, start: Cell, end: Cell, kind: int, exact: bool, sprint: bool) -> Steps:
    """Clear the cells of one move of a path and make the move; return False if that fails."""
    for cell in cells_to_clear(start, end, kind):
        flags = miner.flags(*cell)
        if flags & HOT:
            return False
        if not flags & (PASS | IS_WATER):
            if kind == DIG_DOWN:
                yield from stand_on(miner, start)
                if not _is_safe_below(miner, start):
                    return False
            done = yield from clear_cell(miner, cell)
            if not done:
                return False
            sprint = False
    if kind == PILLAR:
        done = yield from pillar(miner, start)
        return done
    x, y, z = end
    if kind in (STEP_LEVEL, STEP_UP) and not miner.flags(x, y - 1, z) & STAND:
        return False
    done = yield from _walk(miner, start, end, kind, exact, sprint)
    return done


def _is_safe_below(miner: Miner, feet: Cell) -> bool:
    """Return whether the body falls at most three blocks, and not into harm, if its floor is dug away."""
    x, y, z = feet
    for down in range(2, 5):
        flags = miner.flags(x, y - down, z)
        if flags & IS_WATER or (flags & STAND and not miner.flags(x, y - down + 1, z) & HOT):
            return True
        if flags & HOT or not flags & PASS:
            return False
    return False


def _walk(miner: Miner, start: Cell, end: Cell, kind: int, exact: bool, sprint: bool) -> Steps:
    """Press a move's keys until it is made; return False if the body is off path, stuck or short of air."""
    slow = kind in (SWIM, SWIM_UP, SINK) or bool(miner.player["in_water"])
    for _ in range(SLOW_PATIENCE if slow else _PATIENCE):
        action = miner.fresh()
        worlds, row = miner.worlds, miner.row
        state = advance(worlds, row, start, end, kind, exact, sprint, action)
        if state == ARRIVED:
            return True
        player = worlds.players[row]
        if state == OFF_PATH or (player["air"] < SHORT_OF_AIR and player["head_in_water"]):
            return False
        yield action
    return False


def stand_on(miner: Miner, feet: Cell) -> Steps:
    """Stop the body in the middle of a cell."""
    x, _, z = feet
    for _ in range(30):
        action = miner.fresh()
        if settle_at(miner.worlds, miner.row, x, z, action):
            return True
        yield action
    return False


def pillar(miner: Miner, feet: Cell) -> Steps:
    """Jump and place a block beneath, so that the body stands one block higher."""
    x, y, z = feet
    name = miner.filler()
    if name is None:
        return False
    yield from miner.ready(name)
    yield from stand_on(miner, feet)
    for _ in range(PILLAR_PATIENCE):
        player = miner.player
        placed = bool(miner.flags(x, y, z) & STAND)
        if placed and player["on_ground"] and player["y"] > y + 0.99:
            return True
        action = miner.fresh()
        settle_at(miner.worlds, miner.row, x, z, action)
        turn(miner.worlds, miner.row, float(player["yaw"]), _STRAIGHT_DOWN, action)
        if not placed and player["pitch"] > STEEP_ENOUGH:
            action[JUMP] = 1
            if player["y"] > y + PLACE_FROM:
                miner.put(action, name)
        yield action
    return False


def shake_loose(miner: Miner) -> Steps:
    """Jump and walk in a random direction for half a second, to get out of a corner."""
    angle = miner.random.integers(8)
    dx, dz = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))[angle]
    for _ in range(10):
        action = miner.fresh()
        press(miner.worlds, miner.row, float(dx), float(dz), action)
        action[JUMP] = 1
        yield action
    return True
