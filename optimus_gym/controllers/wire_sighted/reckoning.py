"""The body as reckoned from poses of two ticks: its speed, and whether ground or water carries it."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.hands import Hands
from optimus_gym.worlds.voxel.bodies.collision import is_blocked, shifted
from optimus_gym.worlds.voxel.bodies.physics import feel_fluids
from optimus_gym.worlds.voxel.bodies.posture import body
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

_ON_GROUND = 0.546
"""Share of its level speed that a body on the ground keeps in a tick (Minecraft Wiki, "Slipperiness")."""
_IN_AIR = 0.91
"""Share of its level speed that a body in the air keeps in a tick."""
_IN_WATER = 0.8
"""Share of its level speed that a body in water keeps in a tick (Minecraft Wiki, "Water")."""
_SPRINTS = 0.24
"""Level speed in blocks a tick from which a body on the ground counts as sprinting; walking ends at 0.216."""
_RESTS = 1e-6
"""Movement in blocks up or down below which a body counts as carried."""
_TOUCHING = 0.01
"""Distance in blocks below the feet within which the ground carries a body."""
_LEAP = 8.0
"""Distance in blocks from which a movement of one tick counts as a journey, not as speed."""


def reckon(hands: Hands, worlds: Worlds) -> None:
    """Write the player's body into its row of `worlds.players`, from its pose now and one tick before.

    The row must hold what the function wrote for the tick before; a row whose `alive` is 0 counts as new.
    """
    player = worlds.players[hands.row : hands.row + 1]
    before = np.array([player["x"][0], player["y"][0], player["z"][0]])
    pose = hands.pose()
    moved = pose[:3] - before if player["alive"][0] else np.zeros(3)
    if np.abs(moved).max() > _LEAP:
        moved = np.zeros(3)
    player["x"], player["y"], player["z"] = pose[:3]
    player["yaw"], player["pitch"] = pose[3] % 360.0, pose[4]
    player["alive"] = hands.alive()
    player["health"], player["food"] = hands.vitals()
    player["air"] = hands.air()
    player["tick"] += 1
    stood = bool(player["on_ground"][0])
    feel_fluids(worlds, hands.row)
    feel_ground(worlds, hands.row, float(moved[1]))
    _set_speed(player, moved, stood)


def _set_speed(player: NDArray[np.void], moved: NDArray[np.float64], stood: bool) -> None:
    """Set the speed that is left after a tick in which the body moved by `moved` blocks.

    `stood`: whether the body stood on ground before the tick, so that the ground slowed it.
    """
    kept = _IN_AIR
    if player["in_water"][0]:
        kept = _IN_WATER
    elif stood:
        kept = _ON_GROUND
    player["vx"], player["vz"] = moved[0] * kept, moved[2] * kept
    player["vy"] = 0.0 if player["on_ground"][0] else moved[1]
    player["sprinting"] = bool(
        player["on_ground"][0]
        and not player["in_water"][0]
        and np.hypot(moved[0], moved[2]) > _SPRINTS
    )


@kernel
def feel_ground(worlds: Worlds, i: int, rise: float) -> None:
    """Set whether the ground carries the player, who rose by `rise` blocks in the latest tick."""
    p = worlds.players[i]
    below = is_blocked(worlds, i, shifted(body(worlds, i), 0.0, -_TOUCHING, 0.0))
    still = abs(rise) < _RESTS and not p.in_water
    p.on_ground = (below and rise < _RESTS) or still
