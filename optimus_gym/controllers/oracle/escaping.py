"""Leaving a bad place: going ashore, up under the open sky, or to any other place."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.oracle.goals import STAND_IN
from optimus_gym.controllers.oracle.grid import BY_WATER, DIG, HOT, LOOSE, MOST_GOALS, STAND
from optimus_gym.controllers.oracle.havens import find_dry, find_open, find_room, surface_above
from optimus_gym.controllers.oracle.miner import ON_FOOT, Miner
from optimus_gym.controllers.oracle.moves import PILLAR_TICKS, SWIM_TICKS, UP_TICKS
from optimus_gym.controllers.oracle.path_search import FOUND, NO_WAY
from optimus_gym.controllers.oracle.surviving import breathe
from optimus_gym.controllers.oracle.travel import follow_path, shake_loose
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.predicaments import ELSEWHERE
from optimus_gym.core.types import Failure
from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.state.worlds import CHUNK

_RINGS = (3, 8)
"""Radii in chunks of the first search for dry land, and of the second if the first finds no land."""
OPEN_REACH = 48
"""Distance in blocks sideways within which the player looks for a place under the open sky."""
_BUDGETS = (30_000, 250_000)
"""Maximum numbers of cells for the first path search, and for the second if the first finds no way."""
_MOST_TROUBLES = 12
"""Maximum number of attempts in a row without progress; after more, the script gives up."""
SOMEWHERE = 12
"""Distance in blocks sideways within which the player looks for another place to stand."""
RISE = 6
"""Distance in blocks up and down within which the player looks for another place to stand."""
MOST_ROOMS = 4096
DIRECTIONS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
"""Directions (x, z) from which a random direction is drawn for a player that must leave a place."""
FAR_OFF = 32
"""Distance in blocks from the player to the random target of `wander`."""
NEAR_THERE = 4
"""Distance in blocks from a random target within which any place to stand counts as the target."""
SOUNDINGS = 200
"""Maximum number of places that are checked for ground in which a hole can be dug."""
_MIDDLE: NDArray[np.float64] = np.array((0.5, 0.0, 0.5))
"""Offset from a cell's corner to the middle of its floor."""
HASTE = 0.3
"""Factor on a path search's estimated ticks of each block upwards, because caves shorten the way up."""


def get_ashore(miner: Miner) -> Script:
    """Swim to the nearest dry land; fail with `not_found` if no land is within about 130 blocks."""
    shunned: list[Cell] = []
    troubles = 0
    while miner.player["alive"] and (miner.player["in_water"] or miner.player["head_in_water"]):
        yield from breathe(miner)
        goals = _shores(miner, shunned)
        if not len(goals):
            return Failure("not_found", detail=f"no land within {_RINGS[-1] * CHUNK} blocks")
        done = yield from go_to(miner, goals, (SWIM_TICKS, UP_TICKS, SWIM_TICKS))
        troubles = 0 if done else troubles + 1
        if not done:
            yield from _give_way(miner, goals, shunned)
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way to any land")
    return None


def _shores(miner: Miner, shunned: list[Cell]) -> NDArray[np.float64]:
    """Return the nearest dry cells as goals of a path search (float64[n, 4])."""
    x, y, z = miner.feet()[0]
    surface = surface_above(miner.worlds, miner.row, miner.ground, x, y, z)
    found, avoided = np.zeros((MOST_GOALS, 3), np.int32), np.array(shunned, np.int32).reshape(-1, 3)
    for rings in _RINGS:
        count = find_dry(miner.worlds, miner.row, miner.ground, surface, avoided, rings, found)
        if count:
            return _as_goals(miner, found[:count])
    return np.zeros((0, 4))


def climb_to_open(miner: Miner) -> Script:
    """Climb to open sky where the player can walk on; fail with `not_found` if no such place is near."""
    shunned: list[Cell] = []
    troubles = 0
    while miner.player["alive"] and "drop_down" in miner.predicaments():
        goals = _clearings(miner, shunned)
        if not len(goals):
            return Failure("not_found", detail=f"no open ground within {OPEN_REACH} blocks")
        done = yield from go_to(miner, goals, _climbing(miner))
        troubles = 0 if done else troubles + 1
        if "drop_down" in miner.predicaments() and (not done or _is_at(miner, goals)):
            yield from _give_way(miner, goals, shunned)
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way up")
    return None


def _clearings(miner: Miner, shunned: list[Cell]) -> NDArray[np.float64]:
    """Return the nearest cells under the open sky as goals of a path search (float64[n, 4])."""
    found, avoided = np.zeros((MOST_GOALS, 3), np.int32), np.array(shunned, np.int32).reshape(-1, 3)
    count = find_open(miner.worlds, miner.row, miner.ground, OPEN_REACH, avoided, found)
    return _as_goals(miner, found[:count])


def _climbing(miner: Miner) -> tuple[float, float, float]:
    """Return the estimated ticks that climbing needs for each block sideways, up and down."""
    stone = float(miner.ground.ticks[block("stone").id])
    up = PILLAR_TICKS + stone if miner.fillers() else UP_TICKS + 2 * stone
    return ON_FOOT[0], max(ON_FOOT[1], HASTE * up), ON_FOOT[2]


def go_elsewhere(miner: Miner) -> Script:
    """Go some blocks away in a random direction; dig if there is no other way."""
    start = miner.player[["x", "y", "z"]].tolist()
    home = miner.feet()[0]
    troubles = 0
    while miner.player["alive"] and not _is_elsewhere(miner, start):
        digs = troubles % 4 == 3
        goals = _places(miner, home, digs)
        done = False
        if len(goals):
            done = yield from go_to(miner, goals, ON_FOOT)
        troubles = 0 if done else troubles + 1
        if not done:
            yield from shake_loose(miner)
        if troubles > _MOST_TROUBLES:
            return Failure("stuck", detail="no way to any other place")
    return None


def _is_elsewhere(miner: Miner, start: tuple[float, float, float]) -> bool:
    """Return whether the player has left the place where it was stuck."""
    here = miner.player[["x", "y", "z"]].tolist()
    return bool(max(abs(a - b) for a, b in zip(here, start, strict=True)) >= ELSEWHERE)


def _places(miner: Miner, home: Cell, digs: bool) -> NDArray[np.float64]:
    """Return places to stand in a random direction from `home` (if none: in any) as goals (float64[n, 4])."""
    found = np.zeros((MOST_ROOMS, 3), np.int32)
    count = find_room(
        miner.worlds,
        miner.row,
        miner.ground,
        home,
        int(ELSEWHERE) + 1,
        SOMEWHERE,
        RISE,
        digs,
        found,
    )
    rooms = found[:count]
    dx, dz = DIRECTIONS[miner.random.integers(len(DIRECTIONS))]
    ahead = rooms[(rooms[:, 0] - home[0]) * dx + (rooms[:, 2] - home[2]) * dz > ELSEWHERE]
    return _drawn(miner, ahead if len(ahead) else rooms)


def _drawn(miner: Miner, rooms: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return a random sample of cells as goals of a path search (float64[n, 4])."""
    return _as_goals(miner, rooms[miner.random.permutation(len(rooms))[:MOST_GOALS]])


def wander(miner: Miner) -> Steps:
    """Go about `FAR_OFF` blocks in a random direction to see other land; return False if there is no way."""
    (x, y, z), _ = miner.feet()
    dx, dz = DIRECTIONS[miner.random.integers(len(DIRECTIONS))]
    there = (x + FAR_OFF * dx, y, z + FAR_OFF * dz)
    found = np.zeros((MOST_ROOMS, 3), np.int32)
    count = find_room(
        miner.worlds, miner.row, miner.ground, there, 0, NEAR_THERE, 2 * RISE, False, found
    )
    goals = _drawn(miner, found[:count])
    if not len(goals):
        return False
    done = yield from go_to(miner, goals, ON_FOOT)
    return done


def go_to_firm_ground(miner: Miner, deep: int) -> Steps:
    """Go to ground near by where a hole `deep` blocks deep stays dry; return False if none is reached."""
    found = np.zeros((MOST_ROOMS, 3), np.int32)
    home = miner.feet()[0]
    count = find_room(miner.worlds, miner.row, miner.ground, home, 2, SOMEWHERE, RISE, False, found)
    drawn = miner.random.permutation(count)[:SOUNDINGS]
    firm = [k for k in drawn.tolist() if _is_firm(miner, found[k].tolist(), deep)]
    if not firm:
        return False
    done = yield from go_to(miner, _as_goals(miner, found[firm[:MOST_GOALS]]), ON_FOOT)
    return done


def _is_firm(miner: Miner, feet: list[int], deep: int) -> bool:
    """Return whether the `deep` blocks below a cell are all diggable, firm, dry and harmless."""
    x, y, z = feet
    below = [miner.flags(x, y - down, z) for down in range(1, deep + 2)]
    return all(flags & (STAND | DIG | BY_WATER | HOT | LOOSE) == STAND | DIG for flags in below)


def _as_goals(miner: Miner, cells: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return the harmless ones among `cells` as goals of a path search (float64[n, 4])."""
    safe = [cell for cell in cells.tolist() if not miner.flags(*cell) & HOT]
    goals = np.zeros((len(safe), 4))
    goals[:, :3] = np.array(safe).reshape(-1, 3) + _MIDDLE
    return goals


def go_to(
    miner: Miner,
    goals: NDArray[np.float64],
    weights: tuple[float, float, float],
    mode: int = STAND_IN,
) -> Steps:
    """Go to one of the goals, or nearer to one; return False if the body made no progress."""
    for budget in _BUDGETS:
        reach = miner.search(goals, mode, weights, budget)
        if reach == FOUND:
            break
    if reach == NO_WAY:
        return False
    before, alarms = miner.feet()[0], miner.alarms
    arrived = yield from follow_path(miner, wary=True)
    after = miner.feet()[0]
    moved = max(abs(a - b) for a, b in zip(before, after, strict=True))
    return miner.alarms > alarms or moved > 1 or (arrived and reach == FOUND and moved > 0)


def _is_at(miner: Miner, goals: NDArray[np.float64]) -> bool:
    """Return whether the feet are in the cell of a goal."""
    here = miner.feet()[0] + _MIDDLE
    return bool((goals[:, :3] == here).all(1).any())


def _give_way(miner: Miner, goals: NDArray[np.float64], shunned: list[Cell]) -> Steps:
    """Add the first goal's cell to `shunned`, then move at random to get out of a corner."""
    x, y, z = np.floor(goals[0, :3]).astype(int).tolist()
    shunned.append((x, y, z))
    yield from shake_loose(miner)
    return True
