"""Mishaps that befall a player of the embedded world: a throw into water, or a fall into a pit."""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.oracle.scan import chunks_of_ring
from optimus_gym.game.blocks import block, block_names
from optimus_gym.worlds.voxel.blocks.breaking import break_block
from optimus_gym.worlds.voxel.bodies.fluids import SOURCE
from optimus_gym.worlds.voxel.bodies.fluids import WATER as WATER_KIND
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, CHUNK, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    COLLISION_HEIGHTS,
    FALLS,
    FLUIDS,
    HARDNESS,
    IS_FLUID_BLOCK,
)

INTO_WATER = "water"
"""The mishap that moves a player into water."""
INTO_PIT = "pit"
"""The mishap that moves a player into a pit."""
_KINDS = (INTO_WATER, INTO_PIT)
"""Kinds of mishaps."""
WATER_RANGE = 48
"""Blocks from the feet within which to look for water."""
PIT_DEPTH = 5
"""Depth of a pit in blocks; the fall costs two half-hearts (Minecraft Wiki, "Fall damage")."""

_IS_AIR = np.isin(block_names(), ("air", "cave_air", "void_air"))
"""Whether a block is air, by block id (bool[763])."""
_HOLDS = (COLLISION_HEIGHTS == 1.0) & (FLUIDS == 0)
"""Whether a block is a whole cube, which may be a pit's wall or bottom, by block id (bool[1024])."""
_IS_DUG = _HOLDS & (HARDNESS >= 0.0)
"""Whether a pit may be dug in a block, by block id (bool[1024])."""
# Broken ice would leave water in the pit.
_IS_DUG[[block(name).id for name in block_names() if name.endswith("ice")]] = False
_SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))


def befall(worlds: Worlds, row: int, kind: str) -> str | None:
    """Throw a row's player into water, or turn the ground below the player into a pit.

    The player falls, or floats, from the next tick on. The function changes only those arrays of
    `worlds` that a tick may change. The caller must let a tick follow, in which the neighbours of removed
    blocks react.

    Args:
        worlds: the arrays of the embedded worlds.
        row: number of the player's world.
        kind: `INTO_PIT`, or `INTO_WATER`, which becomes a pit if no water is within `WATER_RANGE`.

    Returns:
        The kind of the mishap; None if the player is dead or in bed, or if a pit's walls or bottom would be
        wet or hollow. If the result is None, the world is unchanged.
    """
    if not worlds.players["alive"][row] or worlds.sleeps["ticks"][row] > 0:
        return None
    if kind == INTO_WATER:
        place = nearest_water(worlds, row)
        if place is not None:
            x, y, z = place
            _put(worlds, row, x, y - 1, z)
            return INTO_WATER
    return INTO_PIT if _dig_pit(worlds, row) else None


def nearest_water(worlds: Worlds, row: int) -> tuple[int, int, int] | None:
    """Return the nearest cell (x, y, z) of still water with air above and still water below, or None.

    The middle of the cell's floor is at most `WATER_RANGE` blocks from the feet. The search includes land
    that is not loaded.
    """
    player = worlds.players[row]
    middle = np.array([player["x"] - 0.5, player["y"], player["z"] - 0.5])
    best, nearest = (0, 0, 0), np.inf
    for ring in range(WATER_RANGE // CHUNK + 1):
        if nearest <= (ring - 1) * CHUNK:
            break
        for (cx, cz), blocks in chunks_of_ring(worlds, row, ring):
            cells = _surface(blocks) + np.array([cx * CHUNK, 0, cz * CHUNK])
            away = np.sqrt(((cells - middle) ** 2).sum(1))
            if len(away) and away.min() < nearest:
                k = int(away.argmin())
                best, nearest = tuple(cells[k].tolist()), float(away[k])
    return best if nearest <= WATER_RANGE else None


def _surface(blocks: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return a chunk's surface cells of water two blocks deep (int64[n, 3]: x, y, z).

    The chunk's `blocks` are uint16[16, 16, 128], by x, z, y. Plants that only grow in water count as water
    below the surface.
    """
    kinds, states = blocks & BLOCK_MASK, blocks >> BLOCK_BITS
    blocks_of_water = IS_FLUID_BLOCK[kinds] != 0
    still = (FLUIDS[kinds] == WATER_KIND) & (~blocks_of_water | (states == SOURCE))
    above, below = _IS_AIR[kinds[:, :, 2:]], still[:, :, :-2]
    xs, zs, ys = np.nonzero(still[:, :, 1:-1] & blocks_of_water[:, :, 1:-1] & above & below)
    return np.stack([xs, ys + 1, zs], axis=1)


def _dig_pit(worlds: Worlds, row: int) -> bool:
    """Dig a pit and put the player over its middle; return whether the ground allows it."""
    player = worlds.players[row]
    x, y, z = (int(np.floor(player[axis] + 0.01 * (axis == "y"))) for axis in "xyz")

    def kind_at(dx: int, dy: int, dz: int) -> int:
        return block_at(worlds, row, x + dx, y + dy, z + dz) & BLOCK_MASK

    bottom = kind_at(0, -PIT_DEPTH - 1, 0)
    if y <= PIT_DEPTH or not _HOLDS[bottom] or FALLS[bottom]:
        return False
    if any(
        COLLISION_HEIGHTS[kind_at(0, up, 0)] > 0.0 or FLUIDS[kind_at(0, up, 0)] for up in (0, 1)
    ):
        return False
    for down in range(1, PIT_DEPTH + 1):
        if not _IS_DUG[kind_at(0, -down, 0)]:
            return False
        if not all(_HOLDS[kind_at(dx, -down, dz)] for dx, dz in _SIDES):
            return False
    for down in range(1, PIT_DEPTH + 1):
        break_block(worlds, row, x, y - down, z, False, 0)
    _put(worlds, row, x, y, z)
    return True


def _put(worlds: Worlds, row: int, x: int, y: int, z: int) -> None:
    """Move the player to the middle of a cell's floor, at rest and not marked as standing on ground."""
    player = worlds.players[row : row + 1]
    player["x"], player["y"], player["z"] = x + 0.5, float(y), z + 0.5
    for name in ("vx", "vy", "vz", "fall", "on_ground", "against_wall"):
        player[name] = 0
