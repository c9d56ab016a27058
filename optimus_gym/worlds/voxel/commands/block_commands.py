"""Commands on blocks: /setblock and /fill.

Reference: Minecraft Wiki, "Commands/setblock", "Commands/fill", "Block states" (default states).
"""

from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.blocks.loot import take_out
from optimus_gym.worlds.voxel.blocks.updates import feel_changes
from optimus_gym.worlds.voxel.commands.command_scene import (
    CommandScene,
    Lifeless,
    check_in_reach,
    load_surroundings,
)
from optimus_gym.worlds.voxel.commands.command_words import CommandWords, named_block
from optimus_gym.worlds.voxel.commands.coordinates import Coordinates, take_coordinates
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, MOST_EDITS, Worlds
from optimus_gym.worlds.voxel.tables.attachments import AT_WALL
from optimus_gym.worlds.voxel.tables.grounds import ATTACHED_GROUND, GROUNDS, WALL_GROUND
from optimus_gym.worlds.voxel.tables.panels import DOOR, DOOR_FACING
from optimus_gym.worlds.voxel.tables.properties import ACTS, BED, PANELS, STORE
from optimus_gym.worlds.voxel.tables.recipes import OVEN_KINDS
from optimus_gym.worlds.voxel.terrain.tints import TINT_BITS, TINT_MASK

MOST_FILLED: Final = 32_768
"""Maximum number of blocks of one /fill; Minecraft Wiki, "Commands/fill"."""
_NORTH: Final = 2
"""Facing north, the game's default; Minecraft Wiki, "Block states"."""
_AT_ONCE: Final = 64
"""Changed cells after which their neighbours react, so that the list of changes never overflows."""
_PLACE: Final = "replace"
_KEEP: Final = "keep"
_DESTROY: Final = "destroy"
_HOLLOW: Final = "hollow"
_OUTLINE: Final = "outline"

CellTable = NDArray[np.int64]


@cache
def default_voxel(block: int) -> int:
    """Return a block in the game's default state, without a biome's tint: blocks that face, face north."""
    state = 0
    if OVEN_KINDS[block] or ACTS[block] == BED:
        state = _NORTH << 1
    elif PANELS[block] == DOOR:
        state = _NORTH << DOOR_FACING
    elif PANELS[block] or ACTS[block] == STORE or GROUNDS[block] == WALL_GROUND:
        state = _NORTH
    elif GROUNDS[block] == ATTACHED_GROUND:
        state = _NORTH | AT_WALL << 2
    return int(block | state << BLOCK_BITS)


@kernel
def _lay(worlds: Worlds, i: int, cells: NDArray[np.int64], destroys: bool) -> int:
    """Change cells of loaded land, then let the neighbours react; return the number of changed cells.

    Args:
        worlds: the worlds.
        i: number of the world.
        cells: int64[n, 4]: x, y, z and the new voxel.
        destroys: whether a block that goes breaks and drops its loot.
    """
    changed = 0
    for k in range(len(cells)):
        x, y, z, voxel = cells[k, 0], cells[k, 1], cells[k, 2], cells[k, 3]
        before = block_at(worlds, i, x, y, z)
        if before == voxel:
            cells[k, 3] = -1
            continue
        changed += 1
        cells[k, 3] = 0
        if destroys and before != 0:
            cells[k, 3] = take_out(worlds, i, x, y, z)
        set_block(worlds, i, x, y, z, voxel)
    for k in range(len(cells)):
        if cells[k, 3] >= 0:
            note_change(worlds, i, cells[k, 0], cells[k, 1], cells[k, 2], cells[k, 3])
        if worlds.players[i].noted >= _AT_ONCE:
            feel_changes(worlds, i)
    feel_changes(worlds, i)
    return changed


def _lay_block(scene: CommandScene, cells: CellTable, block: int, destroys: bool = False) -> int:
    """Set cells (int64[n, 3]: x, y, z) to a block in its default state; return how many changed."""
    worlds, row = scene.worlds, scene.row
    width = worlds.biomes.shape[1]
    tints = TINT_BITS[worlds.biomes[row, cells[:, 0] % width, cells[:, 2] % width]]
    made = np.empty((len(cells), 4), np.int64)
    made[:, :3] = cells
    made[:, 3] = default_voxel(block) | (tints & TINT_MASK[block])
    if not destroys:
        _empty(worlds, row, cells)
    return int(_lay(worlds, row, made, destroys))


def _empty(worlds: Worlds, row: int, cells: CellTable) -> None:
    """Remove the contents of ovens, chests and barrels that lie in `cells`, as /setblock and /fill do."""
    places = {tuple(cell) for cell in cells.tolist()}
    tables: tuple[Any, ...] = (worlds.furnaces[row], worlds.containers[row])
    for number, table in enumerate(tables):
        for k in np.flatnonzero(table["used"]).tolist():
            if tuple(int(table[name][k]) for name in "xyz") in places:
                table[k] = np.zeros((), table.dtype)
                if number:
                    worlds.stored[row, k] = np.zeros((), worlds.stored.dtype)


def _blocks_in(scene: CommandScene, cells: CellTable) -> CellTable:
    """Return the block ids of cells of loaded land (int64[n])."""
    width = scene.worlds.voxels.shape[1]
    x, y, z = cells[:, 0] % width, cells[:, 1], cells[:, 2] % width
    found = scene.worlds.voxels[scene.row, x, z, y] & BLOCK_MASK
    return np.asarray(found, np.int64)


@dataclass(frozen=True)
class SetBlock(Lifeless):
    """/setblock <position> <block> [destroy|keep|replace]."""

    place: Coordinates
    block: int
    mode: str

    def check(self, scene: CommandScene) -> int:
        """Check that the cell lies in loaded land.

        Raises:
            BadValue: the cell lies elsewhere.
        """
        check_in_reach(scene, *self.place.cell(scene.here))
        return 1

    def run(self, scene: CommandScene) -> str:
        """Set the block; its neighbours react."""
        load_surroundings(scene)
        x, y, z = self.place.cell(scene.here)
        cells = np.array([[x, y, z]], np.int64)
        if self.mode == _KEEP and _blocks_in(scene, cells)[0] != 0:
            return "Could not set the block"
        if not _lay_block(scene, cells, self.block, self.mode == _DESTROY):
            return "Could not set the block"
        return f"Changed the block at {x}, {y}, {z}"


def read_setblock(words: CommandWords) -> SetBlock:
    """Read the words after "setblock".

    Raises:
        BadValue, UnknownName: the words are no /setblock of this world.
    """
    place, block = take_coordinates(words), named_block(words.take("a block"))
    modes = (_DESTROY, _KEEP, _PLACE)
    mode = words.take_choice("mode of /setblock", modes) if words.left else _PLACE
    return SetBlock(place, block, mode)


@dataclass(frozen=True)
class Fill(Lifeless):
    """/fill <from> <to> <block> [destroy|hollow|keep|outline|replace [filter]].

    Attributes:
        first: a corner of the box.
        second: the opposite corner.
        block: id of the new block.
        mode: one of the modes above.
        only: id of the block that is replaced; None for any block.
    """

    first: Coordinates
    second: Coordinates
    block: int
    mode: str
    only: int | None = None

    def _box(self, scene: CommandScene) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Return the lowest and the highest cell of the box."""
        a, b = self.first.cell(scene.here), self.second.cell(scene.here)
        low = (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))
        return low, (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))

    def check(self, scene: CommandScene) -> int:
        """Check the size of the box, and that the box lies in loaded land.

        Raises:
            BadValue: the box is too large, or reaches beyond the loaded land.
        """
        low, high = self._box(scene)
        size = prod(b - a + 1 for a, b in zip(low, high, strict=True))
        if size > MOST_FILLED:
            raise BadValue(
                f"fill: too many blocks in the box: expected at most {MOST_FILLED}, got {size}"
            )
        check_in_reach(scene, *low)
        check_in_reach(scene, *high)
        return size

    def run(self, scene: CommandScene) -> str:
        """Fill the box; the neighbours of changed blocks react."""
        load_surroundings(scene)
        low, high = self._box(scene)
        axes = [np.arange(a, b + 1) for a, b in zip(low, high, strict=True)]
        cells = np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, 3).astype(np.int64)
        rim = ((cells == low) | (cells == high)).any(1)
        here = _blocks_in(scene, cells)
        changed = 0
        if self.mode == _HOLLOW:
            changed += _lay_block(scene, cells[~rim], 0)
        if self.mode in (_HOLLOW, _OUTLINE):
            cells = cells[rim]
        elif self.mode == _KEEP:
            cells = cells[here == 0]
        elif self.only is not None:
            cells = cells[here == self.only]
        changed += _lay_block(scene, cells, self.block, self.mode == _DESTROY)
        return f"Successfully filled {changed} blocks" if changed else "No blocks were filled"


def read_fill(words: CommandWords) -> Fill:
    """Read the words after "fill".

    Raises:
        BadValue, UnknownName: the words are no /fill of this world.
    """
    first, second = take_coordinates(words), take_coordinates(words)
    block = named_block(words.take("a block"))
    modes = (_DESTROY, _HOLLOW, _KEEP, _OUTLINE, _PLACE)
    mode = words.take_choice("mode of /fill", modes) if words.left else _PLACE
    only = named_block(words.take("a block")) if mode == _PLACE and words.left else None
    return Fill(first, second, block, mode, only)


def check_edits(scene: CommandScene, changes: int) -> None:
    """Check that the world can store further changed blocks.

    Raises:
        BadValue: the world would hold more changed blocks than a snapshot may.
    """
    used = int(scene.player["edits"])
    if used + changes > MOST_EDITS:
        raise BadValue(
            f"blocks: expected at most {MOST_EDITS} changed blocks in a world, got {used} and "
            f"{changes} more"
        )
