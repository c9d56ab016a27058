"""Find places to look from: a body can stand there and has many of the wanted blocks ahead."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, OPAQUE

CHUNKS = 3
"""Radius in chunks, around the player's own chunk, of the search for places."""
AHEAD = 9
"""Length in blocks of the box ahead where wanted blocks are counted."""
BESIDE = 4
"""Blocks to each side of the player in the box where wanted blocks are counted."""
BELOW = 2
"""Blocks below the player's feet in the box where wanted blocks are counted."""
ABOVE = 3
"""Blocks above the player's feet in the box where wanted blocks are counted."""
CLEAR = 3
"""Number of cells ahead of a place that must be as free as the place itself."""
YAWS = {(0, 1): 0.0, (-1, 0): 90.0, (0, -1): 180.0, (1, 0): 270.0}
"""Yaw in degrees by view direction, given as the signs of x and z."""


@dataclass(frozen=True)
class Spot:
    """A place to look from: position of the feet's middle, and yaw in degrees."""

    position: tuple[float, float, float]
    yaw: float


def find_spot(
    worlds: Worlds, row: int, low: int, high: int, near: list[str], body: str = "air"
) -> Spot:
    """Return the place under a roof with the most wanted blocks ahead.

    Args:
        worlds: the arrays; land around the player of `row` is loaded.
        row: index of the world.
        low: least y of the feet.
        high: greatest y of the feet.
        near: names of the blocks wanted ahead.
        body: the block in which the body stands, "air" or "water".

    Raises:
        LookupError: no place within 56 blocks fits.
    """
    cells, x0, z0 = _land(worlds, row)
    wanted = np.isin(cells, [block(name).id for name in near])
    stands = _standing(cells, block(body).id)
    stands[:, :, : max(low, 1)] = stands[:, :, high + 1 :] = False
    best, spot = 0, None
    for (dx, dz), yaw in YAWS.items():
        free = stands.copy()
        for step in range(1, CLEAR + 1):
            free &= np.roll(_bodies(cells, block(body).id), (-dx * step, -dz * step), (0, 1))
        score = np.where(free, _ahead(wanted, dx, dz), 0)
        x, z, y = np.unravel_index(score.argmax(), score.shape)
        if score[x, z, y] > best:
            best = int(score[x, z, y])
            spot = Spot((x0 + float(x) + 0.5, float(y), z0 + float(z) + 0.5), yaw)
    if spot is None:
        raise LookupError(f"no place at y {low} to {high} with {', '.join(near)} ahead")
    return spot


def _land(worlds: Worlds, row: int) -> tuple[NDArray[np.uint16], int, int]:
    """Return the block ids (uint16[x, z, y]) around a player and the least x and z."""
    player = worlds.players[row]
    x, z = float(player["x"]), float(player["z"])
    ensure_area(worlds, row, x, z, CHUNKS)
    xs = np.arange(((int(x) >> 4) - CHUNKS) * 16, ((int(x) >> 4) + CHUNKS + 1) * 16)
    zs = np.arange(((int(z) >> 4) - CHUNKS) * 16, ((int(z) >> 4) + CHUNKS + 1) * 16)
    width = worlds.voxels.shape[1]
    cells = worlds.voxels[row][np.ix_(xs % width, zs % width)] & np.uint16(BLOCK_MASK)
    return cells, int(xs[0]), int(zs[0])


def _bodies(cells: NDArray[np.uint16], inside: int) -> NDArray[np.bool_]:
    """Return for each cell whether it and the cell above are the block that surrounds the body."""
    here = cells == inside
    above = np.zeros_like(here)
    above[:, :, :-1] = here[:, :, 1:]
    return here & above


def _standing(cells: NDArray[np.uint16], inside: int) -> NDArray[np.bool_]:
    """Return for each cell whether feet can be there: on solid ground, under a roof or in water."""
    solid = np.asarray(COLLISION_HEIGHTS)[cells] == 1.0
    ground = np.zeros_like(solid)
    ground[:, :, 1:] = solid[:, :, :-1]
    stands = _bodies(cells, inside) & ground
    if inside == block("air").id:
        opaque = np.asarray(OPAQUE)[cells] != 0
        roofs = np.logical_or.accumulate(opaque[:, :, ::-1], axis=2)[:, :, ::-1]
        stands &= roofs
    margin = AHEAD + 1
    stands[:margin] = stands[-margin:] = False
    stands[:, :margin] = stands[:, -margin:] = False
    return stands


def _ahead(wanted: NDArray[np.bool_], dx: int, dz: int) -> NDArray[np.int64]:
    """Return how many wanted cells lie in the box ahead of each cell."""
    pad = AHEAD + 1
    sums = np.pad(wanted, pad).astype(np.int64).cumsum(0).cumsum(1).cumsum(2)
    bounds = []
    for way in (dx, dz):
        low, high = (-BESIDE, BESIDE) if way == 0 else ((2, AHEAD) if way > 0 else (-AHEAD, -2))
        bounds.append((low, high))
    bounds.append((-BELOW, ABOVE))
    total = np.zeros(wanted.shape, np.int64)
    for corner in range(8):
        part, sign = [], 1
        for axis, (low, high) in enumerate(bounds):
            top = corner >> axis & 1
            start = pad + (high if top else low - 1)
            part.append(slice(start, start + wanted.shape[axis]))
            sign = sign if top else -sign
        total += sign * sums[tuple(part)]
    return total
