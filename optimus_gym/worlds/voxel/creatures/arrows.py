"""Arrows: they fly, stick, vanish with age and hurt the player.

References: Minecraft Wiki, "Arrow" (motion, damage, despawning), "Skeleton", "Entity".
"""

import numpy as np

from optimus_gym.worlds.voxel.bodies.posture import body, player_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.harm import hurt_player
from optimus_gym.worlds.voxel.creatures.kinds import DAMAGE, EYE, HURT_BY, SKELETON
from optimus_gym.worlds.voxel.creatures.living_land import living_land
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS

_SPEED = 1.6
_GRAVITY, _DRAG, _WATER_DRAG = 0.05, 0.99, 0.6
_LIFETIME = 1200
_LOB = 0.2
"""Blocks that a skeleton aims higher for each block of horizontal distance to the player."""
_BELOW_EYE = 0.1
_SPREAD = 0.0075
_WIDER = 0.3
"""Blocks added to the player's box on each side when an arrow is tested against the box."""
_STEP = 0.2
"""Maximum length in blocks of an arrow's flight between two tests for a hit."""


@kernel
def _gauss(worlds: Worlds, i: int) -> float:
    """Draw a number with mean 0 and standard deviation 1: the sum of twelve uniform draws, less 6."""
    total = -6.0
    for _ in range(12):
        total += fraction(worlds, i)
    return total


@kernel
def _new_arrow(worlds: Worlds, i: int) -> int:
    """Return a free row of the array of arrows, else the row of the oldest arrow."""
    fauna = worlds.fauna[i]
    if fauna.arrows < worlds.arrows.shape[1]:
        fauna.arrows += 1
        return int(fauna.arrows) - 1
    oldest = 0
    for k in range(fauna.arrows):
        if worlds.arrows[i, k].age > worlds.arrows[i, oldest].age:
            oldest = k
    return oldest


@kernel
def shoot(worlds: Worlds, i: int, k: int) -> None:
    """Let the skeleton in row k shoot at the player."""
    c, p = worlds.creatures[i, k], worlds.players[i]
    difficulty = worlds.rules[i].difficulty
    x, y, z = c.x, c.y + EYE[c.kind] - _BELOW_EYE, c.z
    dx, dz = p.x - x, p.z - z
    dy = p.y + player_height(worlds, i) / 3.0 - y + np.sqrt(dx * dx + dz * dz) * _LOB
    length = max(np.sqrt(dx * dx + dy * dy + dz * dz), 1e-6)
    spread = _SPREAD * (14 - 4 * difficulty)
    arrow = worlds.arrows[i, _new_arrow(worlds, i)]
    arrow.x, arrow.y, arrow.z = x, y, z
    arrow.vx = (dx / length + _gauss(worlds, i) * spread) * _SPEED
    arrow.vy = (dy / length + _gauss(worlds, i) * spread) * _SPEED
    arrow.vz = (dz / length + _gauss(worlds, i) * spread) * _SPEED
    arrow.damage = DAMAGE[SKELETON] + _gauss(worlds, i) * 0.25 + difficulty * 0.11
    arrow.age, arrow.stuck = 0, 0


@kernel
def _is_in_block(worlds: Worlds, i: int, x: float, y: float, z: float) -> bool:
    cell = int(np.floor(y))
    voxel = block_at(worlds, i, int(np.floor(x)), cell, int(np.floor(z)))
    return bool(cell + COLLISION_HEIGHTS[voxel & BLOCK_MASK] > y)


@kernel
def _fly(worlds: Worlds, i: int, k: int) -> bool:
    """Move an arrow for a tick; return whether the arrow has hit the player and is spent."""
    arrow, p = worlds.arrows[i, k], worlds.players[i]
    if _is_in_block(worlds, i, arrow.x, arrow.y, arrow.z):
        arrow.stuck = 1
        return False
    arrow.stuck = 0
    speed = np.sqrt(arrow.vx * arrow.vx + arrow.vy * arrow.vy + arrow.vz * arrow.vz)
    steps = int(speed / _STEP) + 1
    x0, y0, z0, x1, y1, z1 = body(worlds, i)
    from_x, from_z = arrow.x - arrow.vx, arrow.z - arrow.vz
    for _ in range(steps):
        arrow.x += arrow.vx / steps
        arrow.y += arrow.vy / steps
        arrow.z += arrow.vz / steps
        if (
            p.alive
            and x0 - _WIDER < arrow.x < x1 + _WIDER
            and y0 - _WIDER < arrow.y < y1 + _WIDER
            and z0 - _WIDER < arrow.z < z1 + _WIDER
        ):
            amount = np.ceil(speed * max(arrow.damage, 0.0))
            hurt_player(worlds, i, HURT_BY[SKELETON], amount, from_x, from_z)
            return True
        if _is_in_block(worlds, i, arrow.x, arrow.y, arrow.z):
            arrow.stuck = 1
            return False
    voxel = block_at(
        worlds, i, int(np.floor(arrow.x)), int(np.floor(arrow.y)), int(np.floor(arrow.z))
    )
    drag = _WATER_DRAG if FLUIDS[voxel & BLOCK_MASK] else _DRAG
    arrow.vx, arrow.vz = arrow.vx * drag, arrow.vz * drag
    arrow.vy = arrow.vy * drag - _GRAVITY
    return False


@kernel
def tick_arrows(worlds: Worlds, i: int) -> None:
    """Move and age for a tick every arrow in the land where creatures move (`living_land`)."""
    fauna = worlds.fauna[i]
    x0, x1, z0, z1 = living_land(worlds, i)
    for k in range(fauna.arrows - 1, -1, -1):
        arrow = worlds.arrows[i, k]
        if not (x0 <= arrow.x < x1 and z0 <= arrow.z < z1):
            continue
        arrow.age += 1
        spent = arrow.age >= _LIFETIME or arrow.y < -64.0
        if not spent and (not arrow.stuck or (arrow.age & 7) == 0):
            spent = _fly(worlds, i, k)
        if spent:
            fauna.arrows -= 1
            worlds.arrows[i, k] = worlds.arrows[i, fauna.arrows]
