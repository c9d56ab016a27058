"""Digging away blocks next to the player: a chosen block if blocks can be read, else the block ahead."""

from collections.abc import Iterable

import numpy as np

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.steering import look, look_at_cell
from optimus_gym.controllers.pose import HIDDEN, OUT_OF_REACH, dig_at, look_at
from optimus_gym.controllers.rays import EYE_HEIGHT
from optimus_gym.controllers.script import Steps
from optimus_gym.core.actions import ATTACK
from optimus_gym.game.tools import breaking_ticks, fastest_tool, tool
from optimus_gym.worlds.voxel.tables.outlines import AIMED
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS

_BLIND_TICKS = 200
"""Maximum digging time in ticks of an unknown block: stone takes 150 by hand (Minecraft Wiki, "Breaking")."""
_KNOWN_TICKS = 400
"""Maximum digging time in ticks of a block whose id the script can read."""
_MOST_FALLS = 8
"""Maximum number of times that sand or gravel may fall into a cell while the player clears it."""
_AROUND = ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
_DANGERS = ("lava", "fire")


def take_pickaxe(hands: Hands) -> Steps:
    """Take the best held pickaxe in hand, if there is one."""
    held = [name for name in hands.tools() if tool(name).kind == "pickaxe"]
    if held:
        yield from hands.hold(max(held, key=lambda name: tool(name).tier))
    return bool(held)


def dig_ahead(hands: Hands, yaw: float, pitch: float) -> Steps:
    """Attack the block in a direction (degrees) until it breaks; return whether it broke."""
    yield from look(hands, yaw, pitch)
    done = yield from _attack(hands)
    return done


def _attack(hands: Hands) -> Steps:
    """Attack the block under the crosshair until it breaks; return whether it broke."""
    for _ in range(_BLIND_TICKS):
        action = hands.fresh()
        action[ATTACK] = 1
        yield action
        if hands.has_mined():
            return True
        if not hands.alive():
            return False
    return False


def dig_cell(hands: Hands, cell: Cell) -> Steps:
    """Dig until a cell near the body is passable; return False if digging fails or is dangerous.

    In a world whose blocks cannot be read, the player attacks the block in the cell's direction.
    """
    if not isinstance(hands, Body):
        yield from take_pickaxe(hands)
        yield from look_at_cell(hands, cell)
        mined = yield from _attack(hands)
        return mined
    for _ in range(_MOST_FALLS):
        if not is_in_the_way(hands, cell):
            return True
        if is_dangerous(hands, (cell,)):
            return False
        yield from clear_sight(hands)
        done = yield from dig_known(hands, cell)
        if not done and not (yield from uncover(hands, cell)):
            return False
        yield hands.fresh()
    return False


def clear_sight(body: Body) -> Steps:
    """Break the plant in the eye's cell, because every line of sight would meet this plant first."""
    player = body.player
    x, z = int(np.floor(player["x"])), int(np.floor(player["z"]))
    y = int(np.floor(player["y"] + EYE_HEIGHT))
    kind = body.block(x, y, z)
    if not AIMED[kind] or COLLISION_HEIGHTS[kind] != 0.0:
        return True
    cleared = yield from dig_known(body, (x, y, z))
    return cleared


def dig_known(body: Body, cell: Cell) -> Steps:
    """Dig away the block at `cell` with the best held tool; return whether the block is gone."""
    kind, name = body.block(*cell), body.block_name(*cell)
    best = fastest_tool(name, body.tools())
    if best is not None and body.hand() != best:
        yield from body.hold(best)
    patience = 3 * (breaking_ticks(name, best) or 0) + 40
    for _ in range(min(patience, _KNOWN_TICKS)):
        if body.block(*cell) != kind:
            return True
        action = body.fresh()
        state = dig_at(body.worlds, body.row, cell, body.point, body.found, action)
        if state in (HIDDEN, OUT_OF_REACH):
            return False
        yield action
    return body.block(*cell) != kind


def uncover(body: Body, cell: Cell) -> Steps:
    """Dig away the block between the eye and a cell, if digging it is harmless."""
    action = body.fresh()
    state = look_at(body.worlds, body.row, cell, -1, body.point, body.found, action)
    cover = (int(body.found[0]), int(body.found[1]), int(body.found[2]))
    if state != HIDDEN or is_dangerous(body, (cover,)):
        return False
    done = yield from dig_known(body, cover)
    return done


def is_in_the_way(body: Body, cell: Cell) -> bool:
    """Return whether a cell holds a block that stops the player's body."""
    return bool(COLLISION_HEIGHTS[body.block(*cell)] > 0.0)


def is_dangerous(body: Body, cells: Iterable[Cell]) -> bool:
    """Return whether any of `cells`, or a neighbour of one of them, holds lava or fire."""
    return any(
        body.block_name(x + dx, y + dy, z + dz) in _DANGERS
        for x, y, z in cells
        for dx, dy, dz in _AROUND
    )
