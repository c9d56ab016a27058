"""Play scenes in the embedded world, and note the reasons why PrismarineJS's track may differ."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.bodies.collision import is_blocked, shifted
from optimus_gym.worlds.voxel.bodies.posture import body
from optimus_gym.worlds.voxel.state.worlds import CROUCHING
from tests.worlds.flat import Flat

A_TURN = 65_536
_NEAR = 1e-3
"""Largest distance in blocks at which a body counts as touching a block."""
_PLACES = {
    "forward": ("forward", 1),
    "back": ("forward", 2),
    "left": ("left", 1),
    "right": ("left", 2),
}

AIR_PACE = "a sprint that begins or ends in the air changes the pace there a tick later"
BOTH_WALLS = "a body stopped along z keeps its speed along x"
AXES = "the longer of two ways to the sides comes first at a corner"
EDGE = "a sneaking body is kept off edges by the ground below its box"
HEIGHT = "a sneaking body is 1.5 blocks high"


def play(scene: dict[str, Any]) -> tuple[NDArray[np.float64], list[set[str]]]:
    """Return the player's position after each tick (float64[ticks, 3]), and the reasons found until then."""
    flat = Flat()
    x, y, z, entry = scene["start"]
    flat.set(x=x, y=y, z=z, yaw=(entry + 0.5) * 360.0 / A_TURN)
    for x0, y0, z0, x1, y1, z1, name, level in scene["blocks"]:
        for cell in np.ndindex(x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1):
            flat.put(x0 + cell[0], y0 + cell[1], z0 + cell[2], name, level)
    track, reasons = [], []
    so_far: set[str] = set()
    for ticks, names in scene["keys"]:
        keys = _keys(names)
        for _ in range(ticks):
            before = flat.worlds.players[0].copy()
            flat.tick(**keys)
            so_far = so_far | _reasons(flat, before)
            track.append((flat.x, flat.y, flat.z))
            reasons.append(so_far)
    return np.array(track), reasons


def _keys(names: str) -> dict[str, int]:
    """Return the fields of an action by name; opposite keys cancel each other."""
    words = set(names.split())
    for pair in ({"forward", "back"}, {"left", "right"}):
        if pair <= words:
            words -= pair
    return dict(_PLACES.get(word, (word, 1)) for word in words)


def _reasons(flat: Flat, before: np.void) -> set[str]:
    """Return the reasons why prismarine-physics differs from the game in a tick."""
    found = set()
    if flat.sprinting != before["sprinting"] and not before["on_ground"]:
        found.add(AIR_PACE)
    if flat.against_wall:
        sides = [
            _touches(flat, (_NEAR, 0.0), (-_NEAR, 0.0)),
            _touches(flat, (0.0, _NEAR), (0.0, -_NEAR)),
        ]
        if all(sides):
            found.add(BOTH_WALLS)
        if abs(before["vz"]) > abs(before["vx"]):
            found.add(AXES)
    if flat.sneaking or before["sneaking"]:
        if _leaves_ground(flat):
            found.add(EDGE)
        if flat.pose == CROUCHING and is_blocked(flat.worlds, 0, _grown(flat)):
            found.add(HEIGHT)
    elif flat.pose == CROUCHING:
        found.add(HEIGHT)
    return found


def _touches(flat: Flat, *ways: tuple[float, float]) -> bool:
    """Return whether the body meets a block if moved slightly to one of the given sides."""
    box = body(flat.worlds, 0)
    return any(is_blocked(flat.worlds, 0, shifted(box, x, 0.0, z)) for x, z in ways)


def _leaves_ground(flat: Flat) -> bool:
    """Return whether a place within 0.3 blocks of the body has no ground below."""
    box = body(flat.worlds, 0)
    return not all(
        is_blocked(flat.worlds, 0, shifted(box, x, -0.5, z))
        for x in (-0.3, 0.0, 0.3)
        for z in (-0.3, 0.0, 0.3)
    )


def _grown(flat: Flat) -> tuple[float, ...]:
    """Return the body's box, extended upwards to the room that a standing body needs in its next tick."""
    x0, y0, z0, x1, _, z1 = body(flat.worlds, 0)
    return x0, y0, z0, x1, y0 + 1.8 + 0.5, z1
