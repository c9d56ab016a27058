"""The land that a world has told, kept in arrays like the embedded world's, so that its kernels can read it.

The mirror holds only what the world has told: blocks of boxes, poses, creatures. A block that the world has
not told is `UNSEEN`, which paths never enter or touch.
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.world_powers import Surroundings
from optimus_gym.game.blocks import block
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.creatures.kinds import CHASES
from optimus_gym.worlds.voxel.land.chunks import chunk_key
from optimus_gym.worlds.voxel.state.fauna import MOST_CREATURES
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, NO_CHUNK, Worlds, make_worlds

UNSEEN: int = block("void_air").id
"""Id that stands for a block that the world has not told; the game has `void_air` outside the land only."""
LAND_RADIUS = 4
"""Distance in chunks from the player's chunk within which the mirror keeps land."""
SECTIONS = HEIGHT // CHUNK
"""Sections (cubes of 16 blocks) of a chunk, from the ground up."""
_EDITS = 64
"""Rows for changed blocks, which the mirror does not use; a power of two."""
_KINDS = {name: k for k, name in enumerate(creature_kinds())}

Section = tuple[int, int, int]
"""A cube of 16 blocks: its x, y and z in cubes."""


class Mirror:
    """The told land of N worlds, and their players as far as the worlds tell them.

    Args:
        rows: N, the number of worlds.

    Attributes:
        worlds: arrays that kernels of the embedded world read; the mirror sets voxels, players, creatures
            and the drops that are expected.
    """

    def __init__(self, rows: int) -> None:
        self.worlds: Worlds = make_worlds(rows, CHUNK * LAND_RADIUS, _EDITS)
        side = self.worlds.chunks.shape[1]
        self._told: NDArray[np.bool_] = np.zeros((rows, side, side, SECTIONS), np.bool_)
        self._middles: dict[int, tuple[int, int]] = {}
        """The chunk around which the mirror keeps land, by row."""

    def forget(self, row: int) -> None:
        """Forget all that a world has told."""
        worlds = self.worlds
        worlds.chunks[row] = NO_CHUNK
        self._middles.pop(row, None)
        for array in (worlds.players, worlds.drops, worlds.fauna, worlds.creatures, worlds.slots):
            array[row] = np.zeros((), array.dtype)
        self._told[row] = False

    def keep(self, row: int, x: float, z: float) -> None:
        """Keep the land around a column; land that leaves the window is forgotten, new land is unseen."""
        cx, cz = int(np.floor(x)) >> 4, int(np.floor(z)) >> 4
        if self._middles.get(row) == (cx, cz):
            return
        self._middles[row] = cx, cz
        for kx in range(cx - LAND_RADIUS, cx + LAND_RADIUS + 1):
            for kz in range(cz - LAND_RADIUS, cz + LAND_RADIUS + 1):
                if not self._holds(row, kx, kz):
                    self._clear(row, kx, kz)

    def _place(self, kx: int, kz: int) -> tuple[int, int]:
        side = self.worlds.chunks.shape[1]
        return kx % side, kz % side

    def _holds(self, row: int, kx: int, kz: int) -> bool:
        return bool(self.worlds.chunks[(row, *self._place(kx, kz))] == chunk_key(kx, kz))

    def _clear(self, row: int, kx: int, kz: int) -> None:
        """Give a chunk its place in the window, with nothing but unseen blocks."""
        px, pz = self._place(kx, kz)
        self.worlds.chunks[row, px, pz] = chunk_key(kx, kz)
        self._told[row, px, pz] = False
        self._cells(row, px, pz)[:] = UNSEEN

    def _cells(self, row: int, px: int, pz: int) -> NDArray[np.uint16]:
        """Return the blocks at a chunk's place (a view, uint16[16, 16, 128], by x, z, y)."""
        x, z = px * CHUNK, pz * CHUNK
        return self.worlds.voxels[row, x : x + CHUNK, z : z + CHUNK]

    def take(self, row: int, told: Surroundings) -> None:
        """Note the blocks and creatures of a box; blocks outside the kept land are left out."""
        x0, y0, z0 = told.corner
        sx, sy, sz = told.blocks.shape
        low, high = max(y0, 0), min(y0 + sy, HEIGHT)
        for kx in range(x0 >> 4, (x0 + sx - 1 >> 4) + 1):
            for kz in range(z0 >> 4, (z0 + sz - 1 >> 4) + 1):
                if low >= high or not self._holds(row, kx, kz):
                    continue
                xs = slice(max(x0, kx * CHUNK), min(x0 + sx, (kx + 1) * CHUNK))
                zs = slice(max(z0, kz * CHUNK), min(z0 + sz, (kz + 1) * CHUNK))
                found = told.blocks[
                    xs.start - x0 : xs.stop - x0, low - y0 : high - y0, zs.start - z0 : zs.stop - z0
                ].transpose(0, 2, 1)
                place = self._place(kx, kz)
                cells = self._cells(row, *place)[
                    xs.start - kx * CHUNK : xs.stop - kx * CHUNK,
                    zs.start - kz * CHUNK : zs.stop - kz * CHUNK,
                    low:high,
                ]
                cells[found >= 0] = found[found >= 0]
                if found.shape[:2] == (CHUNK, CHUNK):
                    self._told[(row, *place)][-(-low // CHUNK) : high // CHUNK] = True
        self._take_creatures(row, told)

    def _take_creatures(self, row: int, told: Surroundings) -> None:
        """Note the creatures of a box in place of those that the mirror had in that box."""
        noted = self.worlds.creatures[row]
        old = noted[: self.worlds.fauna["creatures"][row]]
        at = np.stack([old["x"], old["y"], old["z"]], axis=1) - np.array(told.corner)
        kept = old[~((at >= 0) & (at < told.blocks.shape)).all(axis=1)].copy()
        new = [one for one in told.creatures if one.name in _KINDS and one.health > 0.0]
        new = new[: MOST_CREATURES - len(kept)]
        noted[: len(kept)] = kept
        for k, one in enumerate(new, len(kept)):
            creature = noted[k : k + 1]
            creature["kind"], creature["health"], creature["mood"] = (
                _KINDS[one.name],
                one.health,
                CHASES,
            )
            creature["x"], creature["y"], creature["z"] = one.x, one.y, one.z
        self.worlds.fauna["creatures"][row] = len(kept) + len(new)

    def set_cell(self, row: int, cell: tuple[int, int, int], kind: int) -> None:
        """Note one block."""
        x, y, z = cell
        if 0 <= y < HEIGHT and self._holds(row, x >> 4, z >> 4):
            width = self.worlds.voxels.shape[1]
            self.worlds.voxels[row, x % width, z % width, y] = kind

    def is_told(self, row: int, section: Section) -> bool:
        """Return whether the world has told all blocks of a section."""
        kx, ky, kz = section
        if not 0 <= ky < SECTIONS:
            return True
        return self._holds(row, kx, kz) and bool(self._told[(row, *self._place(kx, kz))][ky])
