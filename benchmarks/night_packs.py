"""Draw the packs of monsters that the game's rules spawn in loaded land at midnight.

A random place in a chunk has any height up to the chunk's top. If the place is no rock, three packs begin
there. Each pack moves four times by a few columns. After each move a monster spawns if the new place is dark,
has rock below and room; at most four monsters spawn.
Source: Minecraft Wiki, "Spawn" (Java Edition 1.16: spawn cycle, pack spawning), "Light".
"""

from typing import Any

import numpy as np
from night_rules import DARKEST, OPEN_SKY, Pack, chance
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.creatures.living_land import LIT_CHUNKS
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS, FLUIDS, OPAQUE

SAMPLE = 400
"""Number of packs drawn for each world's land."""
_PACKS, _PACK, _SCATTER, _MOST = 3, 4, 5, 4
_SIDE = (2 * LIT_CHUNKS + 1) * CHUNK
_MARGIN = 16
"""Width in columns of the rim of the lit land where no pack begins, since packs hardly wander farther."""


class Land:
    """A world's lit land with the facts that monsters need: arrays [80, 80, 128], a value for each cell."""

    def __init__(self, worlds: Any) -> None:
        """Read the land around the player of the first world."""
        player, width = worlds.players[0], worlds.voxels.shape[1]
        first = [(int(player[f"middle_{axis}"]) - LIT_CHUNKS) * CHUNK for axis in "xz"]
        xs, zs = ((low + np.arange(_SIDE)) % width for low in first)
        blocks = worlds.voxels[0][np.ix_(xs, zs)] & BLOCK_MASK
        light = worlds.field[0][np.ix_(xs, zs)]
        self.tops = worlds.tops[0][np.ix_(xs, zs)]
        self.feet = float(player["y"])
        self.rock = OPAQUE[blocks] > 0
        free = (COLLISION_HEIGHTS[blocks] == 0) & (FLUIDS[blocks] == 0)
        stands = np.zeros_like(self.rock)
        stands[..., 1:-1] = free[..., 1:-1] & free[..., 2:] & self.rock[..., :-2]
        sky = (light >> 28 & 15).astype(np.int64)
        self.passes = np.where(
            stands, chance(sky, (light >> 24 & 15).astype(np.int64), DARKEST), 0.0
        )
        self.open = sky == OPEN_SKY

    def pack(self, rng: np.random.Generator) -> Pack | None:
        """Try one place and return the pack that spawns around it, None if none does."""
        start = rng.integers(_MARGIN, _SIDE - _MARGIN, 2)
        y = int(rng.integers(0, self.tops[tuple(start)] + 2))
        if y < 1 or y >= self.rock.shape[-1] or self.rock[(*start, y)]:
            return None
        come: list[tuple[NDArray[np.int64], int]] = []
        for group in range(_PACKS):
            at = start.copy()
            for _ in range(_PACK):
                at += rng.integers(0, _SCATTER + 1, 2) - rng.integers(0, _SCATTER + 1, 2)
                inside = (at >= 0).all() and (at < _SIDE).all()
                if inside and len(come) < _MOST and rng.random() < self.passes[(*at, y)]:
                    come.append((at.copy(), group))
        if not come:
            return None
        cells = np.array([at for at, _ in come])
        depth = np.full((len(come), 1), self.feet - y)
        return Pack(
            at=np.hstack([cells - start, depth]),
            open=self.open[cells[:, 0], cells[:, 1], y],
            group=np.array([group for _, group in come]),
        )


def packs_of(worlds: Any, seed: int) -> list[Pack]:
    """Return a sample of the packs that spawn in a world's land at midnight."""
    land, rng = Land(worlds), np.random.default_rng(seed)
    found: list[Pack] = []
    while len(found) < SAMPLE:
        pack = land.pack(rng)
        if pack is not None:
            found.append(pack)
    return found
