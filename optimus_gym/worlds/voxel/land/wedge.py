"""The part of the map that a picture can show: a wedge between the picture's outermost rays."""

from typing import Any

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.tables.hurt_time import view_roll
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_TAN_HALF_HEIGHT = 0.7002075382097097
"""Tangent of 35 degrees: half of the 70 degrees that the game shows from top to bottom."""
_TAN_HALF_WIDTH = _TAN_HALF_HEIGHT * 16 / 9

_Edges = tuple[float, float, float, float, float]
"""Inward normals (x, z) of the left and the right edge of a view, and 1 if the view has edges, else 0."""
ALL_AROUND: _Edges = (0.0, 0.0, 0.0, 0.0, 0.0)
"""Edges of a view that shows all around."""


@kernel
def view_edges(player: Any) -> _Edges:
    """Return inward normals (x, z) of the view's left and right edge on the map, and 1 if it has edges.

    The picture's outermost corner rays bound the view; a steep look up or down shows all around.
    `player` is a record of the dtype PLAYER.
    """
    roll = view_roll(player.hurt_wait)
    left, left_ahead = _corner(player.pitch, roll, -1.0)
    right, right_ahead = _corner(player.pitch, roll, 1.0)
    if min(left_ahead, right_ahead) <= 0.05:
        return ALL_AROUND
    long_left = np.sqrt(left_ahead * left_ahead + left * left)
    long_right = np.sqrt(right_ahead * right_ahead + right * right)
    fx, fz = -sine(player.yaw), cosine(player.yaw)
    return (
        (-fx * left - fz * left_ahead) / long_left,
        (-fz * left + fx * left_ahead) / long_left,
        (fx * right + fz * right_ahead) / long_right,
        (fz * right - fx * right_ahead) / long_right,
        1.0,
    )


@kernel
def _corner(pitch: float, roll: float, side: float) -> tuple[float, float]:
    """Return how far right and how far ahead on the map the outermost corner ray of a side points.

    `side` is -1 for the left and 1 for the right; a corner ray that does not point ahead counts as the
    outermost.
    """
    sin_roll, cos_roll = sine(roll), cosine(roll)
    across, ahead = 0.0, 1.0
    for half in range(2):
        up = _TAN_HALF_HEIGHT if half else -_TAN_HALF_HEIGHT
        corner_right = side * _TAN_HALF_WIDTH * cos_roll - up * sin_roll
        corner_up = side * _TAN_HALF_WIDTH * sin_roll + up * cos_roll
        corner_ahead = cosine(pitch) + corner_up * sine(pitch)
        if corner_ahead <= 0.05 or side * (corner_right * ahead - across * corner_ahead) > 0.0:
            across, ahead = corner_right, corner_ahead
        if ahead <= 0.05:
            break
    return across, ahead


@kernel
def may_be_seen(dx: float, dz: float, view_distance: float, margin: float, edges: _Edges) -> bool:
    """Return whether a chunk can be in view; its corner of least x and z is (dx, dz) from the eye.

    `margin` (blocks) widens the view at its edges.
    """
    near_x = max(dx, min(0.0, dx + CHUNK))
    near_z = max(dz, min(0.0, dz + CHUNK))
    if near_x * near_x + near_z * near_z > view_distance * view_distance:
        return False
    ax, az, bx, bz, bounded = edges
    if bounded == 0.0:
        return True
    inside_a = max(dx * ax, (dx + CHUNK) * ax) + max(dz * az, (dz + CHUNK) * az)
    inside_b = max(dx * bx, (dx + CHUNK) * bx) + max(dz * bz, (dz + CHUNK) * bz)
    return inside_a >= -margin and inside_b >= -margin
