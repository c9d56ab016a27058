"""Exhaustion: the cost of effort, which uses up saturation and food (`player.hunger`).

Reference: Minecraft Wiki, "Hunger" (exhaustion level increase).
"""

import numpy as np

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

JUMP_EFFORT, SPRINT_JUMP_EFFORT = 0.05, 0.2
BLOCK_EFFORT = 0.005
"""Exhaustion that breaking a block costs."""
BLOW_EFFORT = 0.1
"""Exhaustion that a blow to a creature costs."""
HURT_EFFORT = 0.1
"""Exhaustion that damage costs, if the damage is of a kind that armour reduces."""
_SPRINT = 0.1
"""Exhaustion for each block that the player sprints on the ground."""
_SWIM = 0.01
"""Exhaustion for each block that the player moves in water."""
_MOST = 40.0
_STEPS = 100.0
"""Number of units of distance in a block: distances count in rounded hundredths of a block, as in the
game."""


@kernel
def tire(worlds: Worlds, i: int, amount: float) -> None:
    """Add `amount` to the player's exhaustion."""
    needs = worlds.needs[i]
    needs.exhaustion = np.float32(min(needs.exhaustion + amount, _MOST))


@kernel
def tire_of_way(worlds: Worlds, i: int, dx: float, dy: float, dz: float) -> None:
    """Add the exhaustion of the player's move of dx, dy, dz blocks in a tick."""
    p = worlds.players[i]
    if not (p.in_water or (p.on_ground and p.sprinting)):
        return
    up = dy if p.head_in_water or p.swimming else 0.0
    way = np.floor(np.sqrt(dx * dx + up * up + dz * dz) * _STEPS + 0.5) / _STEPS
    tire(worlds, i, way * (_SWIM if p.in_water else _SPRINT))
