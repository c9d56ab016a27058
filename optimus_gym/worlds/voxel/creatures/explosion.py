"""Explosions: the blocks they break, the loot of those blocks, and the bodies they hurt.

Reference: Minecraft Wiki, "Explosion" (rays, blast resistance, exposure, damage, drops).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import blocks
from optimus_gym.worlds.voxel.blocks.loot import drop_loot, take_out
from optimus_gym.worlds.voxel.bodies.collision import Box
from optimus_gym.worlds.voxel.bodies.posture import body, eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.harm import by_difficulty, hurt_creature, hurt_player
from optimus_gym.worlds.voxel.creatures.kinds import EYE
from optimus_gym.worlds.voxel.creatures.population import box_of
from optimus_gym.worlds.voxel.creatures.sight import is_clear
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.notes import has_room, note_change
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import BLOCKS, FLUIDS

_RAYS = 16
"""Cells along an edge of a cube around an explosion; one ray leads to each cell on the cube's faces."""
_PACE = 0.3
"""Length of a step of an explosion's ray, blocks."""
_LOSS = 0.22500001
"""Strength that an explosion's ray loses with each step."""
_FLUID_RESISTANCE = 100.0
_GRID = 24
"""Cells along an edge of the box in which an explosion can break blocks; the strongest ray ends inside the
box."""


def _resistances() -> NDArray[np.float64]:
    """Return the strength that each block takes from a ray in one step, 0 for air."""
    table = np.zeros(BLOCKS)
    for entry in blocks().values():
        resistance = max(entry.resistance, _FLUID_RESISTANCE if FLUIDS[entry.id] else 0.0)
        table[entry.id] = (resistance + _PACE) * _PACE
    for name in ("air", "cave_air", "void_air"):
        table[blocks()[name].id] = 0.0
    return table


_TAKES = _resistances()


@kernel
def explode(
    worlds: Worlds, i: int, x: float, y: float, z: float, power: float, source: int
) -> None:
    """Explode at x, y, z with a power (a creeper's is 3); the event HURT names `source` as the cause."""
    broken = np.zeros((_GRID, _GRID, _GRID), np.uint8)
    low_x, low_y, low_z = _corner(x), _corner(y), _corner(z)
    _mark_broken(worlds, i, x, y, z, power, low_x, low_y, low_z, broken)
    _hurt_around(worlds, i, x, y, z, 2.0 * power, source)
    for kx in range(_GRID):
        for ky in range(_GRID):
            for kz in range(_GRID):
                if broken[kx, ky, kz] and has_room(worlds, i):
                    _blow_up(worlds, i, low_x + kx, low_y + ky, low_z + kz, power)


@kernel
def _corner(middle: float) -> int:
    return int(np.floor(middle)) - _GRID // 2


@kernel
def _mark_broken(
    worlds: Worlds,
    i: int,
    x: float,
    y: float,
    z: float,
    power: float,
    low_x: int,
    low_y: int,
    low_z: int,
    broken: NDArray[np.uint8],
) -> None:
    """Follow an explosion's rays and mark the blocks that the rays break."""
    last = _RAYS - 1
    for a in range(_RAYS):
        for b in range(_RAYS):
            for c in range(_RAYS):
                # Only cells on the cube's faces have rays.
                if 0 < a < last and 0 < b < last and 0 < c < last:
                    continue
                dx, dy, dz = 2.0 * a / last - 1.0, 2.0 * b / last - 1.0, 2.0 * c / last - 1.0
                length = np.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx / length * _PACE, dy / length * _PACE, dz / length * _PACE
                strength = power * (0.7 + 0.6 * fraction(worlds, i))
                px, py, pz = x, y, z
                while strength > 0.0:
                    cx, cy, cz = int(np.floor(px)), int(np.floor(py)), int(np.floor(pz))
                    block = block_at(worlds, i, cx, cy, cz) & BLOCK_MASK
                    strength -= _TAKES[block]
                    if strength > 0.0 and _TAKES[block] > 0.0 and 0 < cy < HEIGHT:
                        broken[cx - low_x, cy - low_y, cz - low_z] = 1
                    px, py, pz = px + dx, py + dy, pz + dz
                    strength -= _LOSS


@kernel
def _blow_up(worlds: Worlds, i: int, x: int, y: int, z: int, power: float) -> None:
    """Break a block, which drops its loot with a chance of 1 / `power`."""
    if block_at(worlds, i, x, y, z) & BLOCK_MASK == 0:
        return
    voxel = take_out(worlds, i, x, y, z)
    if fraction(worlds, i) < 1.0 / power:
        drop_loot(worlds, i, x, y, z, voxel, 0)
    note_change(worlds, i, x, y, z, 0)


@kernel
def _exposure(worlds: Worlds, i: int, x: float, y: float, z: float, box: Box) -> float:
    """Return the share of a body's box that is visible from x, y, z, [0, 1]."""
    x0, y0, z0, x1, y1, z1 = box
    across = int(2.0 * (x1 - x0) + 1.0) + 1
    high = int(2.0 * (y1 - y0) + 1.0) + 1
    seen, total = 0, 0
    for a in range(across):
        for b in range(high):
            for c in range(across):
                px = x0 + (x1 - x0) * (a + 0.5) / across
                py = y0 + (y1 - y0) * (b + 0.5) / high
                pz = z0 + (z1 - z0) * (c + 0.5) / across
                total += 1
                if is_clear(worlds, i, px, py, pz, x, y, z):
                    seen += 1
    return seen / total


@kernel
def _blow(
    worlds: Worlds, i: int, x: float, y: float, z: float, reach: float, feet: float, box: Box
) -> float:
    """Return an explosion's impact on a body, [0, 1]; `feet` is the distance in blocks to the body's feet."""
    if feet >= reach:
        return 0.0
    return (1.0 - feet / reach) * _exposure(worlds, i, x, y, z, box)


@kernel
def _hurt_of(blow: float, reach: float) -> float:
    return float(int((blow * blow + blow) / 2.0 * 7.0 * reach + 1.0)) if blow > 0.0 else 0.0


@kernel
def _hurt_around(
    worlds: Worlds, i: int, x: float, y: float, z: float, reach: float, source: int
) -> None:
    """Hurt and push the player and the creatures within `reach` blocks of an explosion."""
    p = worlds.players[i]
    dx, dy, dz = p.x - x, p.y - y, p.z - z
    feet = np.sqrt(dx * dx + dy * dy + dz * dz)
    blow = _blow(worlds, i, x, y, z, reach, feet, body(worlds, i))
    if blow > 0.0 and p.alive:
        hurt_player(worlds, i, source, by_difficulty(worlds, i, _hurt_of(blow, reach)), x, z)
        up = dy + eye_height(worlds, i)
        length = max(np.sqrt(dx * dx + up * up + dz * dz), 1e-6)
        p.vx += dx / length * blow
        p.vy += up / length * blow
        p.vz += dz / length * blow
    for k in range(worlds.fauna[i].creatures):
        c = worlds.creatures[i, k]
        dx, dy, dz = c.x - x, c.y - y, c.z - z
        feet = np.sqrt(dx * dx + dy * dy + dz * dz)
        if c.health <= 0.0 or feet >= reach:
            continue
        blow = _blow(worlds, i, x, y, z, reach, feet, box_of(worlds, i, k))
        hurt_creature(worlds, i, k, _hurt_of(blow, reach), False)
        up = dy + EYE[c.kind]
        length = max(np.sqrt(dx * dx + up * up + dz * dz), 1e-6)
        c.vx += dx / length * blow
        c.vy += up / length * blow
        c.vz += dz / length * blow
