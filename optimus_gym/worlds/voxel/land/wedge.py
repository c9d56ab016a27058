"""The part of the map that a picture can show: a wedge between the picture's outermost rays."""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import CHUNK
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine

_TAN_HALF_HEIGHT = 0.7002075382097097
"""Tangent of 35 degrees: half of the 70 degrees that the game shows from top to bottom."""
_TAN_HALF_WIDTH = _TAN_HALF_HEIGHT * 16 / 9

_Edges = tuple[float, float, float, float, float]
"""Inward normals (x, z) of the left and the right edge, and 1 if there are edges."""
ALL_AROUND: _Edges = (0.0, 0.0, 0.0, 0.0, 0.0)
"""Of a view that has no edges."""


@kernel
def view_edges(yaw: float, pitch: float) -> _Edges:
    """Return inward normals (x, z) of the view's left and right edge on the map, and 1 if it has edges.

    The corner rays of the picture's wider end bound what is seen; looking steeply up or down one sees
    all around.
    """
    ahead = cosine(pitch) - _TAN_HALF_HEIGHT * abs(sine(pitch))
    if ahead <= 0.05:
        return ALL_AROUND
    length = np.sqrt(ahead * ahead + _TAN_HALF_WIDTH * _TAN_HALF_WIDTH)
    along, across = ahead / length, _TAN_HALF_WIDTH / length
    fx, fz = -sine(yaw), cosine(yaw)
    return (
        fx * across - fz * along,
        fz * across + fx * along,
        fx * across + fz * along,
        fz * across - fx * along,
        1.0,
    )


@kernel
def may_be_seen(dx: float, dz: float, view_distance: float, margin: float, edges: _Edges) -> bool:
    """Tell whether a chunk can be in view whose corner of least x and z is (dx, dz) from the eye.

    `margin` (blocks) widens the edges.
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
