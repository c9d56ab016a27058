"""Acts on a block in reach: dig at it, or look at one of its faces to place a block there."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.keys import CAMERA_BINS, pitch_towards, turn, yaw_towards
from optimus_gym.controllers.rays import EYE_HEIGHT, HIT, aim_point, first_block, look_ray
from optimus_gym.core.actions import ATTACK, JUMP, PITCH, YAW
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

TURNING = 0
"""State of an aim at a block while the crosshair still turns towards it."""
READY = 1
"""State of an aim whose crosshair is on the block."""
HIDDEN = 2
"""State of an aim at a block that another block hides."""
OUT_OF_REACH = 3
"""State of an aim at a block out of reach."""
_STEEP = 0.12
"""Horizontal distance in blocks below which a target counts as straight above or below, at any yaw."""
CROSSHAIR = 4.49


@kernel
def look_at(
    worlds: Worlds, i: int, block: tuple[int, int, int], face: int, point: NDArray[np.float64],
    found: NDArray[np.int32], action: NDArray[np.int32],
) -> int:  # fmt: skip
    """Turn towards a face of a block, or towards any face, and return the state of the aim.

    Args:
        worlds: the arrays of the embedded worlds.
        i: the player's row in these arrays.
        block: the block's position x, y, z.
        face: the face to look at: 0 west, 1 east, 2 down, 3 up, 4 north, 5 south; -1 = any face.
        point: float64[3] that gets the point looked at.
        found: int32[4] that gets the block that hides the target, if the result is HIDDEN.
        action: int32[15], whose camera is set.

    Returns:
        TURNING, READY (after this tick's turn the crosshair is on the block), HIDDEN or OUT_OF_REACH.
    """
    p = worlds.players[i]
    eye = (p.x, p.y + EYE_HEIGHT, p.z)
    seen = aim_point(worlds, i, eye, block, face, point, found)
    if seen != HIT:
        return HIDDEN if seen == 0 else OUT_OF_REACH
    dx, dy, dz = point[0] - p.x, point[1] - p.y - EYE_HEIGHT, point[2] - p.z
    flat = np.sqrt(dx * dx + dz * dz)
    yaw = yaw_towards(dx, dz) if flat > _STEEP else p.yaw
    turn(worlds, i, yaw, pitch_towards(dx, dy, dz), action)
    yaw, pitch = p.yaw + CAMERA_BINS[action[YAW]], p.pitch + CAMERA_BINS[action[PITCH]]
    way = look_ray(yaw, min(max(pitch, -90.0), 90.0))
    if not first_block(worlds, i, eye, way, CROSSHAIR, found):
        return TURNING
    x, y, z = block
    on_it = found[0] == x and found[1] == y and found[2] == z
    return READY if on_it and (face < 0 or found[3] == face) else TURNING


@kernel
def dig_at(
    worlds: Worlds, i: int, block: tuple[int, int, int], point: NDArray[np.float64],
    found: NDArray[np.int32], action: NDArray[np.int32],
) -> int:  # fmt: skip
    """Turn towards a block and attack the block once the crosshair is on it; arguments as in `look_at`.

    A swimmer stays afloat; a diver sinks to the ground, where digging is five times faster.
    """
    p = worlds.players[i]
    state = look_at(worlds, i, block, -1, point, found, action)
    if state == READY:
        action[ATTACK] = 1
    if p.in_water and not p.on_ground and not p.head_in_water:
        action[JUMP] = 1
    return state
