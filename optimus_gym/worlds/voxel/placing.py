"""Putting blocks into the world.

References: Minecraft Wiki, "Placement", "Torch", "Furnace" (it faces the player), "Log" (axis).
"""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.blocks import block_names
from optimus_gym.game.tags import select
from optimus_gym.worlds.voxel.aim import DOWN, EAST, NO_FACE, NORTH, SOUTH, UP, WEST, take_aim
from optimus_gym.worlds.voxel.cells import biome_in, block_at, set_block
from optimus_gym.worlds.voxel.events import emit
from optimus_gym.worlds.voxel.inventory import held_item, hold, take_from_slot
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.mining import swing_arm
from optimus_gym.worlds.voxel.notes import note_change
from optimus_gym.worlds.voxel.physics import is_in_body
from optimus_gym.worlds.voxel.state import BLOCK_BITS, BLOCK_MASK, HEIGHT, USED, Worlds
from optimus_gym.worlds.voxel.support import is_passable, is_supported
from optimus_gym.worlds.voxel.tables import BLOCKS, LEAF, LIVES, PLACES, REPLACEABLE
from optimus_gym.worlds.voxel.tints import PERSISTENT, tinted

REPEAT = 4
"""Ticks between two uses while the key is held; Minecraft Wiki, "Controls"."""
_FURNACE = block_named("furnace").id
_LADDER = block_named("ladder").id
_VINE = block_named("vine").id


def _wall_forms() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the block that stands for each block on a wall: itself but for torches."""
    forms = np.arange(BLOCKS, dtype=np.int64)
    for kind in ("", "redstone_", "soul_"):
        forms[block_named(f"{kind}torch").id] = block_named(f"{kind}wall_torch").id
    return forms


def _logs() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return 1 for blocks that lie along the face they are put on."""
    table = np.zeros(BLOCKS, np.uint8)
    names = select(["*_log", "*_wood", "*_stem", "*_hyphae"], block_names(), "placing.py")
    for name in names:
        if name not in ("melon_stem", "pumpkin_stem", "mushroom_stem") and "attached" not in name:
            table[block_named(name).id] = 1
    return table


WALL_FORMS = _wall_forms()
LOGS = _logs()
_FACINGS = np.array([1, 3, 0, 0, 2, 0], np.int64)
"""Facing (0 south, 1 west, 2 north, 3 east) of what hangs on each face of a block."""


@kernel
def _placed_voxel(worlds: Worlds, i: int, block: int, face: int, biome: int) -> int:
    """Return the voxel that a block becomes when it is put on a face of another in a biome."""
    state = 0
    if block == _FURNACE:
        ahead = int(np.floor(worlds.players[i].yaw / 90.0 + 0.5)) & 3
        state = ((ahead + 2) & 3) << 1
    elif LIVES[block] == LEAF:
        state = PERSISTENT
    elif block == _VINE and face not in (UP, DOWN):
        state = 1 << _FACINGS[face]
    elif LOGS[block]:
        state = 0 if face in (UP, DOWN) else (1 if face in (WEST, EAST) else 2)
    elif face not in (UP, DOWN) and (WALL_FORMS[block] != block or block == _LADDER):
        block = WALL_FORMS[block]
        state = _FACINGS[face]
    return tinted(block, biome) | state << BLOCK_BITS


@kernel
def target_cell(worlds: Worlds, i: int) -> tuple[int, int, int]:
    """Return the cell that a block put under the crosshair would take: the aim or beside its face."""
    p = worlds.players[i]
    x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    if REPLACEABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
        return x, y, z
    face = p.aim_face
    x += (face == EAST) - (face == WEST)
    y += (face == UP) - (face == DOWN)
    z += (face == SOUTH) - (face == NORTH)
    return x, y, z


@kernel
def place_held(worlds: Worlds, i: int) -> bool:
    """Put the held block at the face under the crosshair; tell whether there was one put."""
    p = worlds.players[i]
    item = held_item(worlds, i)
    block = PLACES[item]
    if block == 0 or p.aim_face == NO_FACE:
        return False
    x, y, z = target_cell(worlds, i)
    if y >= HEIGHT or not is_passable(worlds, i, x, y, z):
        return False
    voxel = _placed_voxel(worlds, i, block, p.aim_face, biome_in(worlds, i, x, z))
    if not is_supported(worlds, i, x, y, z, voxel):
        voxel = block
        if block == _LADDER or not is_supported(worlds, i, x, y, z, voxel):
            return False
    if is_in_body(worlds, i, x, y, z, voxel & BLOCK_MASK):
        return False
    take_from_slot(worlds, i, p.hotbar, 1)
    set_block(worlds, i, x, y, z, voxel)
    note_change(worlds, i, x, y, z, 0)
    emit(worlds, i, USED, item, 1)
    swing_arm(worlds, i)
    return True


@kernel
def use(worlds: Worlds, i: int, pressed: bool) -> bool:
    """Use what is in the hand on the aimed block, at most every fourth tick.

    Tell whether it was tried in vain: then what is in the hand may be used by itself.
    """
    p = worlds.players[i]
    if p.use_wait > 0:
        p.use_wait -= 1
    if not pressed or p.use_wait > 0:
        return False
    p.use_wait = REPEAT
    return not place_held(worlds, i)


@kernel
def place_item(worlds: Worlds, i: int, item: int) -> bool:
    """Take a block into the hand and put it under the crosshair, both in this tick."""
    if PLACES[item] == 0 or not hold(worlds, i, item):
        return False
    take_aim(worlds, i)
    return place_held(worlds, i)
