"""Collision of bodies: bodies that touch push each other aside, but a body never blocks another.

Reference: Minecraft Wiki, "Entity" (collision between entities).
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.posture import PLAYER_HALF_WIDTH, player_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, TALL
from optimus_gym.worlds.voxel.state.worlds import Worlds

EVERY = 4
"""Ticks between two pushes of bodies that touch; one push equals the sum of the game's pushes in these
ticks."""
_PUSH = 0.05 * EVERY
_LEAST = 0.01


@kernel
def push_aside(worlds: Worlds, i: int, k: int) -> None:
    """Push the creature in row k and the bodies that it touches (also the player's) away from each other."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    half, tall = HALF_WIDTH[c.kind], TALL[c.kind]
    for j in range(worlds.fauna[i].creatures):
        o = worlds.creatures[i, j]
        dx, dz = c.x - o.x, c.z - o.z
        reach = half + HALF_WIDTH[o.kind]
        if j == k or abs(dx) >= reach or abs(dz) >= reach or o.health <= 0.0:
            continue
        if c.y < o.y + TALL[o.kind] and o.y < c.y + tall:
            px, pz = _push(dx, dz)
            c.vx, c.vz = c.vx + px, c.vz + pz
            o.vx, o.vz = o.vx - px, o.vz - pz
    dx, dz = c.x - p.x, c.z - p.z
    reach = half + PLAYER_HALF_WIDTH
    if not p.alive or abs(dx) >= reach or abs(dz) >= reach:
        return
    if c.y < p.y + player_height(worlds, i) and p.y < c.y + tall:
        px, pz = _push(dx, dz)
        c.vx, c.vz = c.vx + px, c.vz + pz
        p.vx, p.vz = p.vx - px, p.vz - pz


@kernel
def _push(dx: float, dz: float) -> tuple[float, float]:
    """Return the change of speed, at most `_PUSH` per axis, of a body at dx, dz from another body."""
    far = max(abs(dx), abs(dz))
    if far < _LEAST:
        return 0.0, 0.0
    root = np.sqrt(far)
    gain = _PUSH / root * min(1.0 / root, 1.0)
    return dx * gain, dz * gain
