"""The script of a place sub-goal: find or carve a free cell, look at it and place the block there.

If blocks cannot be read, the player tries to place the block in several directions, then digs and tries
again.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import (
    clear_sight,
    dig_ahead,
    dig_known,
    take_pickaxe,
)
from optimus_gym.controllers.helper.steering import look, stand_still
from optimus_gym.controllers.keys import approach
from optimus_gym.controllers.pose import HIDDEN, OUT_OF_REACH, READY, look_at
from optimus_gym.controllers.rays import EYE_HEIGHT, HIT, aim_point
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.bodies.posture import body as body_box
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.outlines import AIMED
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, REPLACEABLE
from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS

_TRIES = 16
"""Maximum number of cells in which the player tries to place the block."""
_AIM_TICKS = 50
"""Maximum ticks for turning to a block's face and placing a block against it."""
_STILL = 0.03
"""Speed in blocks a tick below which the body counts as at rest."""
_WALLS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Offsets x, z from the feet's cell to its four neighbours on the same level."""
_KEPT = ("lava", "water", "air", "cave_air", "chest", "barrel", *STATION_BLOCKS)
"""Blocks that are never dug away to make room for the placed block."""
_REACH_SIDEWAYS = 3
"""Maximum number of cells sideways from the feet at which a block may be placed."""
_REACH_UPRIGHT = 2
"""Maximum number of cells below or above the feet at which a block may be placed."""
_BEST_DISTANCE = 2.0
"""Preferred horizontal distance in blocks from the player to the placed block."""
_NEIGHBOURS = np.array(
    [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], np.int64
)
"""Offsets to a cell's neighbours; neighbour k touches the cell with its face k (see `rays.aim_point`)."""
_DRIFT = 0.05
"""Margin in blocks around the player's body, which may still drift until the block is placed."""
_PITCHES = (35.0, 50.0, 20.0, 65.0, 0.0)
"""Pitches in degrees at which the player tries to place a block; 35 looks at flat ground 2.3 blocks ahead."""
_TURNS = (0.0, 90.0, -90.0, 180.0, 45.0, -45.0, 135.0, -135.0)
"""Angles in degrees, added to the starting yaw, at which the player tries to place a block."""
_ASKS = 2
"""Number of attempts to place a block at each yaw and pitch."""
_YAWS = (0.0, 90.0, 180.0, 270.0)
"""Yaws in degrees at which the player digs when it could not place a block."""
_DIGS = (*((yaw, 0.0) for yaw in _YAWS), *((yaw, 62.0) for yaw in _YAWS))
"""Yaws and pitches in degrees at which the player digs: first around the head, then around the feet."""


def place(body: Body, subgoal: SubGoal) -> Script:
    """Place one of the sub-goal's items as a block within reach."""
    name = to_place(body, subgoal)
    if isinstance(name, Failure):
        return name
    shunned: list[tuple[int, int, int]] = []
    carved = 0
    yield from _rest(body)
    for _ in range(_TRIES):
        yield from clear_sight(body)
        spot = np.zeros(7, np.int32)
        cells = np.array(shunned, np.int32).reshape(-1, 3)
        if find_spot(body.worlds, body.row, cells, spot, body.point, body.found):
            yield from body.ready(name)
            put = yield from _put(body, name, spot.tolist())
            if put:
                return None
            shunned.append((int(spot[0]), int(spot[1]), int(spot[2])))
            continue
        cut = yield from _carve(body, carved)
        carved += 1
        shunned.clear()
        if not cut and carved > 2 * len(_WALLS):
            break
    return Failure("stuck", name, 1, "no place in reach for it")


def to_place(hands: Hands, subgoal: SubGoal) -> str | Failure:
    """Return the first held item of the sub-goal; a failure if none is held, or if that item is no block."""
    name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
    if name is None:
        return Failure("missing_item", subgoal.item, 1, "no piece is held")
    if item(name).block is None:
        return Failure("missing_item", subgoal.item, 1, f"{name} is not a block")
    return name


def _rest(body: Body) -> Steps:
    """Brake until the body stands still."""
    for _ in range(30):
        player = body.player
        if max(abs(player["vx"]), abs(player["vz"])) < _STILL and (
            player["on_ground"] or player["in_water"]
        ):
            return True
        action = body.fresh()
        approach(body.worlds, body.row, float(player["x"]), float(player["z"]), True, action)
        yield action
    return False


def _put(body: Body, name: str, spot: list[int]) -> Steps:
    """Look at the face in `spot` and place the block; return whether the block fills the cell in `spot`."""
    x, y, z, bx, by, bz, face = spot
    wanted = item(name).block
    waited = 0
    for _ in range(_AIM_TICKS):
        if body.block_name(x, y, z) == wanted:
            return True
        if (yield from body.shut()):
            return False
        action = body.fresh()
        seen = (bx, by, bz)
        state = look_at(body.worlds, body.row, seen, face, body.point, body.found, action)
        if state in (HIDDEN, OUT_OF_REACH):
            return False
        if state == READY:
            body.put(action, name)
            waited += 1
            if waited > 4:
                return body.block_name(x, y, z) == wanted
        yield action
    return False


def _carve(body: Body, turn: int) -> Steps:
    """Dig one block out of a wall next to the body: at head height for `turn` 0 to 3, else at foot height."""
    player = body.player
    dx, dz = _WALLS[turn % len(_WALLS)]
    x, z = int(np.floor(player["x"])) + dx, int(np.floor(player["z"])) + dz
    y = int(np.floor(player["y"] + 0.02)) + (1 if turn < len(_WALLS) else 0)
    name = body.block_name(x, y, z)
    if name in _KEPT or block(name).hardness < 0 or _is_by_fluid(body, x, y, z):
        return False
    dug = yield from dig_known(body, (x, y, z))
    return dug


def _is_by_fluid(body: Body, x: int, y: int, z: int) -> bool:
    """Return whether a fluid touches the cell (x, y, z)."""
    return any(
        body.block_name(x + dx, y + dy, z + dz) in ("water", "lava")
        for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    )


def place_by_trying(hands: Hands, subgoal: SubGoal) -> Script:
    """Place one of the sub-goal's items in reach; a block counts as placed if one piece fewer is held."""
    name = to_place(hands, subgoal)
    if isinstance(name, Failure):
        return name
    yield from stand_still(hands)
    yaw = float(hands.pose()[3])
    for turn in _TURNS:
        if (yield from _try(hands, name, yaw + turn)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    yield from take_pickaxe(hands)
    for side, pitch in _DIGS:
        if (yield from dig_ahead(hands, side, pitch)) and (yield from _try(hands, name, side)):
            return None
        if not hands.alive():
            return Failure("died", name, 1)
    return Failure("stuck", name, 1, "no place in reach for it")


def _try(hands: Hands, name: str, yaw: float) -> Steps:
    """Try to place the block at a yaw and each pitch of `_PITCHES`; return whether a block was placed."""
    yield from hands.ready(name)
    for pitch in _PITCHES:
        yield from look(hands, yaw, pitch)
        for _ in range(_ASKS):
            before = hands.count([name])
            action = hands.fresh()
            hands.put(action, name)
            yield action
            yield from hands.shut()
            if hands.count([name]) < before:
                return True
    return False


@kernel
def _is_in_the_way(worlds: Worlds, i: int, x: int, y: int, z: int) -> bool:
    x0, y0, z0, x1, y1, z1 = body_box(worlds, i)
    return (
        x1 + _DRIFT > x
        and x0 - _DRIFT < x + 1
        and z1 + _DRIFT > z
        and z0 - _DRIFT < z + 1
        and y1 + _DRIFT > y
        and y0 - 1e-4 < y + 1
    )


@kernel
def find_spot(
    worlds: Worlds, i: int, shunned: NDArray[np.int32], spot: NDArray[np.int32],
    point: NDArray[np.float64], found: NDArray[np.int32],
) -> bool:  # fmt: skip
    """Find the best cell in reach to place a block in, and the block and face that the player must look at.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        shunned: int32[n, 3]: cells where placing has failed.
        spot: int32[7] that gets the cell, the block to look at and the face to look at (-1 = any face).
        point: float64[3], working memory for the ray's end.
        found: int32[4], working memory for the block that the ray meets.

    Returns:
        Whether a cell was found.
    """
    p = worlds.players[i]
    eye = (p.x, p.y + EYE_HEIGHT, p.z)
    fx, fy, fz = int(np.floor(p.x)), int(np.floor(p.y + 0.02)), int(np.floor(p.z))
    best = 1e9
    for x in range(fx - _REACH_SIDEWAYS, fx + _REACH_SIDEWAYS + 1):
        for z in range(fz - _REACH_SIDEWAYS, fz + _REACH_SIDEWAYS + 1):
            for y in range(max(fy - _REACH_UPRIGHT, 1), min(fy + _REACH_UPRIGHT, HEIGHT - 1) + 1):
                kind = block_at(worlds, i, x, y, z) & BLOCK_MASK
                away = np.sqrt((x + 0.5 - p.x) ** 2 + (z + 0.5 - p.z) ** 2)
                score = abs(away - _BEST_DISTANCE) + 1.5 * abs(y - fy)
                if score >= best or REPLACEABLE[kind] == 0 or _is_in_the_way(worlds, i, x, y, z):
                    continue
                if _is_shunned(shunned, x, y, z):
                    continue
                ground = block_at(worlds, i, x, y - 1, z) & BLOCK_MASK
                if COLLISION_HEIGHTS[ground] != 1.0:
                    score += 3.0
                if score >= best:
                    continue
                if AIMED[kind]:
                    if aim_point(worlds, i, eye, (x, y, z), -1, point, found) == HIT:
                        best = score
                        _note(spot, x, y, z, x, y, z, -1)
                    continue
                for face in range(6):
                    bx, by, bz = (
                        x + _NEIGHBOURS[face, 0],
                        y + _NEIGHBOURS[face, 1],
                        z + _NEIGHBOURS[face, 2],
                    )
                    near = block_at(worlds, i, bx, by, bz) & BLOCK_MASK
                    if COLLISION_HEIGHTS[near] != 1.0:
                        continue
                    if aim_point(worlds, i, eye, (bx, by, bz), face, point, found) == HIT:
                        best = score
                        _note(spot, x, y, z, bx, by, bz, face)
                        break
    return best < 1e9


@kernel
def _note(
    spot: NDArray[np.int32], x: int, y: int, z: int, bx: int, by: int, bz: int, face: int
) -> None:
    spot[0], spot[1], spot[2] = x, y, z
    spot[3], spot[4], spot[5], spot[6] = bx, by, bz, face


@kernel
def _is_shunned(shunned: NDArray[np.int32], x: int, y: int, z: int) -> bool:
    for k in range(shunned.shape[0]):
        if shunned[k, 0] == x and shunned[k, 1] == y and shunned[k, 2] == z:
            return True
    return False
