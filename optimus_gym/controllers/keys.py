"""Steering by keys and the camera's eleven bins: pure functions that fill in an action (int32[15]).

Angles are found with a polynomial instead of libm's `atan2`, so that the same state gives the same
action on every machine.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    CAMERA_DEGREES,
    CAMERA_STILL,
    FORWARD,
    LEFT,
    PITCH,
    SPRINT,
    YAW,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

CAMERA_BINS: NDArray[np.float64] = np.array(CAMERA_DEGREES)
_TAN_EIGHTH = 0.41421356237309503
_DEGREES = 57.29577951308232
_STRIDE = (1, 1, 0, 2, 2, 2, 0, 1)
_ASIDE = (0, 2, 2, 2, 0, 1, 1, 1)
FORWARD_KEYS: NDArray[np.int32] = np.array(_STRIDE, np.int32)
"""Value of the forward/back key for eight directions relative to the view, clockwise from ahead."""
LEFT_KEYS: NDArray[np.int32] = np.array(_ASIDE, np.int32)
"""Value of the left/right key for the eight directions of `FORWARD_KEYS`."""
GROUND_GLIDE = 1.2027
"""Blocks that a body on the ground still glides after the keys are released, divided by its speed in blocks a
tick: .546 / (1 - .546), by the friction of ordinary blocks (Minecraft Wiki, "Slipperiness")."""
AIR_GLIDE = 3.0
WATER_GLIDE = 3.0
CLOSE_ENOUGH = 0.11
"""Distance in blocks at which a target counts as reached: half of the 0.216 blocks
that a key press of one tick moves the body."""


@kernel
def arctangent(y: float, x: float) -> float:
    """Return the angle of the vector (x, y) in degrees, -180 to 180, accurate to 1e-6."""
    a, b = abs(y), abs(x)
    if a == 0.0 and b == 0.0:
        return 0.0
    t = min(a, b) / max(a, b)
    base = 0.0
    if t > _TAN_EIGHTH:
        base = 45.0
        t = (t - 1.0) / (t + 1.0)
    square = t * t
    total = 0.0
    for k in range(19, 0, -2):
        total = 1.0 / k - square * total
    angle = base + t * total * _DEGREES
    if a > b:
        angle = 90.0 - angle
    if x < 0.0:
        angle = 180.0 - angle
    return -angle if y < 0.0 else angle


@kernel
def wrapped(degrees: float) -> float:
    """Return an angle in degrees, wrapped into [-180, 180)."""
    return float(degrees - 360.0 * np.floor((degrees + 180.0) / 360.0))


@kernel
def yaw_towards(dx: float, dz: float) -> float:
    """Return the yaw (degrees) that looks along (dx, dz)."""
    return arctangent(-dx, dz)


@kernel
def pitch_towards(dx: float, dy: float, dz: float) -> float:
    """Return the pitch (degrees, positive down) that looks along (dx, dy, dz)."""
    return arctangent(-dy, np.sqrt(dx * dx + dz * dz))


@kernel
def nearest_bin(degrees: float) -> int:
    """Return the camera bin whose turn is nearest to `degrees`; a tie goes to the bin that does not turn."""
    best, least = CAMERA_STILL, abs(degrees)
    for k in range(11):
        away = abs(CAMERA_BINS[k] - degrees)
        if away < least:
            best, least = k, away
    return best


@kernel
def turn(worlds: Worlds, i: int, yaw: float, pitch: float, action: NDArray[np.int32]) -> float:
    """Turn the camera towards yaw and pitch; return the larger angle left after this tick (degrees)."""
    p = worlds.players[i]
    sideways = wrapped(yaw - p.yaw)
    upright = pitch - p.pitch
    action[YAW] = nearest_bin(sideways)
    action[PITCH] = nearest_bin(upright)
    return float(
        max(abs(sideways - CAMERA_BINS[action[YAW]]), abs(upright - CAMERA_BINS[action[PITCH]]))
    )


@kernel
def press(worlds: Worlds, i: int, dx: float, dz: float, action: NDArray[np.int32]) -> None:
    """Press the walking keys that push nearest to the direction (dx, dz) at the yaw after this tick."""
    p = worlds.players[i]
    facing = p.yaw + CAMERA_BINS[action[YAW]]
    sector = int(np.floor(wrapped(yaw_towards(dx, dz) - facing) / 45.0 + 0.5)) & 7
    action[FORWARD] = FORWARD_KEYS[sector]
    action[LEFT] = LEFT_KEYS[sector]


@kernel
def glide(worlds: Worlds, i: int) -> float:
    """Return how far the body glides without keys, in blocks, divided by its speed in blocks a tick."""
    p = worlds.players[i]
    if p.in_water:
        return WATER_GLIDE
    return GROUND_GLIDE if p.on_ground else AIR_GLIDE


@kernel
def approach(
    worlds: Worlds, i: int, x: float, z: float, stop: bool, action: NDArray[np.int32]
) -> None:
    """Press the keys that bring the feet to (x, z), braking there if `stop`."""
    p = worlds.players[i]
    dx, dz = x - p.x, z - p.z
    if stop:
        coast = glide(worlds, i)
        dx -= p.vx * coast
        dz -= p.vz * coast
        if max(abs(dx), abs(dz)) < CLOSE_ENOUGH:
            action[FORWARD] = 0
            action[LEFT] = 0
            return
    press(worlds, i, dx, dz, action)
    if stop:
        _end_sprint(worlds, i, action)


@kernel
def _end_sprint(worlds: Worlds, i: int, action: NDArray[np.int32]) -> None:
    """Release the forward key for a tick; else the sprint would go on."""
    if worlds.players[i].sprinting and action[FORWARD] == 1:
        action[FORWARD] = 0


@kernel
def walk_to(
    worlds: Worlds, i: int, x: float, z: float, stop: bool, sprint: bool, action: NDArray[np.int32]
) -> float:
    """Walk towards (x, z), with a sprint straight ahead if `sprint`; return the blocks to go (max norm)."""
    p = worlds.players[i]
    dx, dz = x - p.x, z - p.z
    away = max(abs(dx), abs(dz))
    if away > 0.4:
        turn(worlds, i, yaw_towards(dx, dz), 12.0, action)
    approach(worlds, i, x, z, stop, action)
    if not sprint:
        _end_sprint(worlds, i, action)
    elif action[FORWARD] == 1 and action[LEFT] == 0 and not p.in_water:
        action[SPRINT] = 1
    return float(away)
