"""Placing blocks: the cell and the state that a placed block gets, and whether it can stay there.

References: Minecraft Wiki, "Placement", "Torch", "Furnace" (it faces the player), "Log" (axis).
"""

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.blocks import block_names
from optimus_gym.game.tags import select
from optimus_gym.worlds.voxel.blocks.halves import SECOND, has_halves, other_half
from optimus_gym.worlds.voxel.blocks.support import has_ground, is_passable
from optimus_gym.worlds.voxel.bodies.aim import (
    DOWN,
    EAST,
    NO_FACE,
    NORTH,
    SOUTH,
    UP,
    WEST,
    take_aim,
)
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.creatures.population import is_taken
from optimus_gym.worlds.voxel.land.cells import biome_in, block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.player.mining import swing_arm
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, USED, Worlds
from optimus_gym.worlds.voxel.tables.attachments import AT_CEILING, AT_FLOOR, AT_WALL, WALL_FORMS
from optimus_gym.worlds.voxel.tables.grounds import ATTACHED_GROUND, GROUNDS, WALL_GROUND
from optimus_gym.worlds.voxel.tables.properties import (
    ACTS,
    BLOCKS,
    LEAF,
    LIVES,
    PLACES,
    REPLACEABLE,
)
from optimus_gym.worlds.voxel.tables.recipes import OVEN_KINDS
from optimus_gym.worlds.voxel.terrain.tints import PERSISTENT, tinted
from optimus_gym.worlds.voxel.things.inventory import held_item, hold, take_from_slot
from optimus_gym.worlds.voxel.using.dipping import aimed_source
from optimus_gym.worlds.voxel.using.orienting import FACINGS, ahead_of, standing_state

_PAD = block_named("lily_pad").id
_VINE = block_named("vine").id


def _logs() -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Return, by block id, 1 for logs and similar blocks, whose axis follows the face they are placed on."""
    table = np.zeros(BLOCKS, np.uint8)
    names = select(["*_log", "*_wood", "*_stem", "*_hyphae"], block_names(), "placing.py")
    for name in names:
        if name not in ("melon_stem", "pumpkin_stem", "mushroom_stem") and "attached" not in name:
            table[block_named(name).id] = 1
    return table


LOGS = _logs()


@kernel
def _placed_voxel(worlds: Worlds, i: int, block: int, face: int, x: int, y: int, z: int) -> int:
    """Return the voxel of a block that is placed into a cell, on a face of another block."""
    state = 0
    if OVEN_KINDS[block]:
        state = ((ahead_of(worlds, i) + 2) & 3) << 1
    elif ACTS[block]:
        state = standing_state(worlds, i, block, face, x, y, z)
    elif LIVES[block] == LEAF:
        state = PERSISTENT
    elif block == _VINE and face not in (UP, DOWN):
        state = 1 << FACINGS[face]
    elif LOGS[block]:
        state = 0 if face in (UP, DOWN) else (1 if face in (WEST, EAST) else 2)
    elif GROUNDS[block] == ATTACHED_GROUND:
        state = _attached_state(worlds, i, face)
    elif face not in (UP, DOWN) and (WALL_FORMS[block] != block or GROUNDS[block] == WALL_GROUND):
        block = WALL_FORMS[block]
        state = FACINGS[face]
    return tinted(block, biome_in(worlds, i, x, z)) | state << BLOCK_BITS


@kernel
def _attached_state(worlds: Worlds, i: int, face: int) -> int:
    """Return the state of a lever or button that is placed on a face."""
    if face in (UP, DOWN):
        return ahead_of(worlds, i) | (AT_FLOOR if face == UP else AT_CEILING) << 2
    return int(FACINGS[face]) | AT_WALL << 2


@kernel
def _float_pad(worlds: Worlds, i: int) -> tuple[bool, int, int, int]:
    """Return whether a lily pad may lie above the source or ice under the crosshair, and x, y, z of the pad.

    Lily pads can be placed on a source of water or on ice, below air (Minecraft Wiki, "Lily Pad").
    """
    found, x, y, z, _ = aimed_source(worlds, i)
    p = worlds.players[i]
    if not found:
        x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    fits = found or p.aim_face != NO_FACE
    y += 1
    fits = fits and y < HEIGHT and block_at(worlds, i, x, y, z) == 0
    return bool(fits and has_ground(worlds, i, x, y, z, _PAD)), x, y, z


@kernel
def target_cell(worlds: Worlds, i: int) -> tuple[int, int, int]:
    """Return the cell for a block placed under the crosshair: the aimed cell or its neighbour."""
    p = worlds.players[i]
    x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    if REPLACEABLE[block_at(worlds, i, x, y, z) & BLOCK_MASK]:
        return x, y, z
    return faced_cell(worlds, i)


@kernel
def faced_cell(worlds: Worlds, i: int) -> tuple[int, int, int]:
    """Return the cell in front of the face under the crosshair."""
    p = worlds.players[i]
    x, y, z, face = int(p.aim_x), int(p.aim_y), int(p.aim_z), p.aim_face
    x += (face == EAST) - (face == WEST)
    y += (face == UP) - (face == DOWN)
    z += (face == SOUTH) - (face == NORTH)
    return x, y, z


@kernel
def _fitted(worlds: Worlds, i: int, block: int) -> tuple[bool, int, int, int, int]:
    """Return whether a block can be placed at the aimed face, the cell that it takes, and its voxel."""
    p = worlds.players[i]
    if block == 0 or p.aim_face == NO_FACE:
        return False, 0, 0, 0, 0
    x, y, z = target_cell(worlds, i)
    if y >= HEIGHT or not is_passable(worlds, i, x, y, z):
        return False, x, y, z, 0
    voxel = _placed_voxel(worlds, i, block, p.aim_face, x, y, z)
    if not has_ground(worlds, i, x, y, z, voxel):
        voxel = block
        if GROUNDS[block] == WALL_GROUND or not has_ground(worlds, i, x, y, z, voxel):
            return False, x, y, z, 0
    return True, x, y, z, voxel


@kernel
def place_held(worlds: Worlds, i: int) -> bool:
    """Place the held block at the face under the crosshair; return whether that succeeded."""
    p = worlds.players[i]
    item = held_item(worlds, i)
    block = PLACES[item]
    if block == _PAD:
        fits, x, y, z = _float_pad(worlds, i)
        voxel = block
    else:
        fits, x, y, z, voxel = _fitted(worlds, i, block)
    if not fits:
        return False
    if is_taken(worlds, i, x, y, z, voxel & BLOCK_MASK):
        return False
    if has_halves(block) and not _place_second(worlds, i, x, y, z, voxel):
        return False
    take_from_slot(worlds, i, p.hotbar, 1)
    set_block(worlds, i, x, y, z, voxel)
    note_change(worlds, i, x, y, z, 0)
    emit(worlds, i, USED, item, 1)
    swing_arm(worlds, i)
    return True


@kernel
def _place_second(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> bool:
    """Place the second half of a block next to its first half's cell; return whether it has room."""
    ox, oy, oz = other_half(x, y, z, voxel)
    if oy >= HEIGHT or not is_passable(worlds, i, ox, oy, oz):
        return False
    if is_taken(worlds, i, ox, oy, oz, voxel & BLOCK_MASK):
        return False
    set_block(worlds, i, ox, oy, oz, voxel | SECOND << BLOCK_BITS)
    note_change(worlds, i, ox, oy, oz, 0)
    return True


@kernel
def place_item(worlds: Worlds, i: int, item: int) -> bool:
    """Take a block into the hand and place it under the crosshair; return whether both succeeded."""
    if PLACES[item] == 0 or not hold(worlds, i, item):
        return False
    take_aim(worlds, i)
    return place_held(worlds, i)
