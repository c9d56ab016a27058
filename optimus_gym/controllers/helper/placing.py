"""The script of a place sub-goal: find a spot, or carve one, look at it and put the block."""

import numpy as np

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.spots import find_spot
from optimus_gym.controllers.motion import approach
from optimus_gym.controllers.pose import AWAY, HIDDEN, READY, dig_at, look_at
from optimus_gym.controllers.script import Script, Steps
from optimus_gym.controllers.sight import EYE
from optimus_gym.core.actions import FUNCTION, ITEM, Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.tools import breaking_ticks, fastest_tool
from optimus_gym.worlds.voxel.tables.outlines import AIMED
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS

TRIES = 16
AIM_TICKS = 50
"""Ticks that turning to a face and placing a block may take."""
STILL = 0.03
"""Blocks a tick below which the body counts as at rest."""
CARVE_TICKS = 400
SIDES = ((1, 0), (0, 1), (-1, 0), (0, -1))
KEPT = ("lava", "water", "air", "cave_air", "chest", "barrel", *STATION_BLOCKS)
"""Blocks that are never carved away for a spot."""


def place(body: Body, subgoal: SubGoal) -> Script:
    """Put one of the sub-goal's kinds into the world, within reach."""
    name = to_place(body, subgoal)
    if isinstance(name, Failure):
        return name
    shunned: list[tuple[int, int, int]] = []
    carved = 0
    yield from _rest(body)
    for _ in range(TRIES):
        yield from clear_sight(body)
        spot = np.zeros(7, np.int32)
        cells = np.array(shunned, np.int32).reshape(-1, 3)
        if find_spot(body.worlds, body.row, cells, spot, body.point, body.found):
            put = yield from _put(body, name, spot.tolist())
            if put:
                return None
            shunned.append((int(spot[0]), int(spot[1]), int(spot[2])))
            continue
        cut = yield from _carve(body, carved)
        carved += 1
        shunned.clear()
        if not cut and carved > 2 * len(SIDES):
            break
    return Failure("stuck", name, 1, "no place in reach for it")


def to_place(hands: Hands, subgoal: SubGoal) -> str | Failure:
    """Return the item to place, the first held one of the sub-goal's kinds, else a failure."""
    name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
    if name is None:
        return Failure("missing_item", subgoal.item, 1, "nothing to place")
    if item(name).block is None:
        return Failure("missing_item", subgoal.item, 1, f"{name} is no block")
    return name


def _rest(body: Body) -> Steps:
    """Brake until the body stands still."""
    for _ in range(30):
        player = body.player
        if max(abs(player["vx"]), abs(player["vz"])) < STILL and (
            player["on_ground"] or player["in_water"]
        ):
            return True
        action = body.fresh()
        approach(body.worlds, body.row, float(player["x"]), float(player["z"]), True, action)
        yield action
    return False


def _put(body: Body, name: str, spot: list[int]) -> Steps:
    """Look at the spot's face and place the block until it stands there."""
    x, y, z, bx, by, bz, face = spot
    wanted = item(name).block
    waited = 0
    for _ in range(AIM_TICKS):
        if body.block_name(x, y, z) == wanted:
            return True
        action = body.fresh()
        seen = (bx, by, bz)
        state = look_at(body.worlds, body.row, seen, face, body.point, body.found, action)
        if state in (HIDDEN, AWAY):
            return False
        if state == READY:
            action[FUNCTION], action[ITEM] = Function.PLACE, item(name).id
            waited += 1
            if waited > 4:
                return body.block_name(x, y, z) == wanted
        yield action
    return False


def _carve(body: Body, turn: int) -> Steps:
    """Dig a hole into a wall next to the body: first at the head's height, then at the feet's."""
    player = body.player
    dx, dz = SIDES[turn % len(SIDES)]
    x, z = int(np.floor(player["x"])) + dx, int(np.floor(player["z"])) + dz
    y = int(np.floor(player["y"] + 0.02)) + (1 if turn < len(SIDES) else 0)
    name = body.block_name(x, y, z)
    if name in KEPT or block(name).hardness < 0 or _is_by_fluid(body, x, y, z):
        return False
    dug = yield from dig(body, (x, y, z))
    return dug


def clear_sight(body: Body) -> Steps:
    """Break the plant around the eye: every look would meet the plant first."""
    player = body.player
    x, z = int(np.floor(player["x"])), int(np.floor(player["z"]))
    y = int(np.floor(player["y"] + EYE))
    kind = body.block(x, y, z)
    if not AIMED[kind] or COLLISION_HEIGHTS[kind] != 0.0:
        return True
    cleared = yield from dig(body, (x, y, z))
    return cleared


def dig(body: Body, cell: tuple[int, int, int]) -> Steps:
    """Dig a block away with the best held tool; return whether the block is gone."""
    kind, name = body.block(*cell), body.block_name(*cell)
    tool = fastest_tool(name, body.tools())
    if tool is not None and body.hand() != tool:
        yield body.call(Function.EQUIP, tool)
    patience = 3 * (breaking_ticks(name, tool) or 0) + 40
    for _ in range(min(patience, CARVE_TICKS)):
        if body.block(*cell) != kind:
            return True
        action = body.fresh()
        state = dig_at(body.worlds, body.row, cell, body.point, body.found, action)
        if state in (HIDDEN, AWAY):
            return False
        yield action
    return body.block(*cell) != kind


def _is_by_fluid(body: Body, x: int, y: int, z: int) -> bool:
    """Return whether a fluid touches a cell."""
    return any(
        body.block_name(x + dx, y + dy, z + dz) in ("water", "lava")
        for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    )
