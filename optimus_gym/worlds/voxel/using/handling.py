"""Uses of held items other than placing: buckets, hoes, bone meal, flint and steel.

References: Minecraft Wiki, "Bucket", "Hoe" (tilling), "Bone Meal" (crops, saplings), "Flint and Steel" (Java
Edition 1.16).
"""

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.blocks.fire import light_fire
from optimus_gym.worlds.voxel.blocks.growing import grow_at_once
from optimus_gym.worlds.voxel.blocks.support import fire_holds
from optimus_gym.worlds.voxel.bodies.aim import DOWN, NO_FACE
from optimus_gym.worlds.voxel.bodies.fluids import LAVA, WATER
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.player.mining import swing_arm
from optimus_gym.worlds.voxel.state.chance import fraction, roll
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEIGHT, USED, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    BLOCKS,
    CROP,
    LIVES,
    MAX_AGE,
    REPLACEABLE,
    SAPLING,
    TOOL_KIND,
    TOOL_KINDS,
    TWO_HIGH,
    WASHED,
)
from optimus_gym.worlds.voxel.things.drops import drop_from_player
from optimus_gym.worlds.voxel.things.inventory import (
    add_items,
    held_item,
    set_stack,
    take_from_slot,
    wear_held,
)
from optimus_gym.worlds.voxel.using.dipping import aimed_source
from optimus_gym.worlds.voxel.using.placing import faced_cell

_BUCKET, _WATER, _LAVA = (item_named(n).id for n in ("bucket", "water_bucket", "lava_bucket"))
_LIGHTER, _BONE_MEAL = item_named("flint_and_steel").id, item_named("bone_meal").id
_FILLED: NDArray[np.int64] = np.array([0, _WATER, _LAVA])
"""int64[3], by kind of fluid (1 water, 2 lava): item id of the full bucket."""
_FLUID_BLOCKS: NDArray[np.int64] = np.array([0, block_named("water").id, block_named("lava").id])
_HOE = TOOL_KINDS.index("hoe")
_LEAST_GROWTH, _MOST_GROWTH = 2, 5
_SAPLING_CHANCE = 0.45


def _tilled() -> NDArray[np.int64]:
    """Return, by block id, the block that a hoe turns the block into; 0 = none."""
    table = np.zeros(BLOCKS, np.int64)
    for name in ("grass_block", "dirt", "grass_path"):
        table[block_named(name).id] = block_named("farmland").id
    table[block_named("coarse_dirt").id] = block_named("dirt").id
    return table


_TILLED = _tilled()


@kernel
def use_held(worlds: Worlds, i: int) -> bool:
    """Use a held bucket, hoe, flint and steel or bone meal on the land; return whether that succeeded."""
    item = held_item(worlds, i)
    if item == _BUCKET:
        done = _fill_bucket(worlds, i)
    elif item in (_WATER, _LAVA):
        done = _empty_bucket(worlds, i, WATER if item == _WATER else LAVA)
    elif TOOL_KIND[item] == _HOE:
        done = _till(worlds, i)
    elif item == _LIGHTER:
        done = _strike_fire(worlds, i)
    elif item == _BONE_MEAL:
        done = _fertilise(worlds, i)
    else:
        return False
    if done:
        emit(worlds, i, USED, item, 1)
        swing_arm(worlds, i)
    return done


@kernel
def _exchange(worlds: Worlds, i: int, item: int) -> None:
    """Turn one held piece into another item; drop the new item at the feet if it does not fit."""
    held = worlds.slots[i, worlds.players[i].hotbar]
    if held.count == 1:
        set_stack(held, item, 1, 0)
        return
    take_from_slot(worlds, i, worlds.players[i].hotbar, 1)
    if add_items(worlds, i, item, 1, 0) > 0:
        drop_from_player(worlds, i, item, 1, 0)


@kernel
def _fill_bucket(worlds: Worlds, i: int) -> bool:
    """Fill the bucket from the first fluid source under the crosshair, unless a block is in front of it."""
    found, x, y, z, kind = aimed_source(worlds, i)
    if found:
        set_block(worlds, i, x, y, z, 0)
        note_change(worlds, i, x, y, z, 0)
        _exchange(worlds, i, _FILLED[kind])
    return found


@kernel
def _empty_bucket(worlds: Worlds, i: int, kind: int) -> bool:
    """Pour a fluid source into the cell in front of the aimed face, if the cell's block can be replaced."""
    if worlds.players[i].aim_face == NO_FACE:
        return False
    x, y, z = faced_cell(worlds, i)
    voxel = block_at(worlds, i, x, y, z)
    block = voxel & BLOCK_MASK
    if not 0 < y < HEIGHT or not (REPLACEABLE[block] or WASHED[block]):
        return False
    set_block(worlds, i, x, y, z, _FLUID_BLOCKS[kind])
    note_change(worlds, i, x, y, z, voxel if WASHED[block] and not TWO_HIGH[block] else 0)
    _exchange(worlds, i, _BUCKET)
    return True


@kernel
def _till(worlds: Worlds, i: int) -> bool:
    """Till the aimed grass, path or dirt under free air with the held hoe; return whether that succeeded."""
    p = worlds.players[i]
    if p.aim_face in (NO_FACE, DOWN):
        return False
    x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    becomes = _TILLED[block_at(worlds, i, x, y, z) & BLOCK_MASK]
    if becomes == 0 or block_at(worlds, i, x, y + 1, z) != 0:
        return False
    set_block(worlds, i, x, y, z, becomes)
    note_change(worlds, i, x, y, z, 0)
    wear_held(worlds, i, 1)
    return True


@kernel
def _strike_fire(worlds: Worlds, i: int) -> bool:
    """Light a fire in the air in front of the aimed face, if fire can stay in that cell."""
    if worlds.players[i].aim_face == NO_FACE:
        return False
    x, y, z = faced_cell(worlds, i)
    if y >= HEIGHT or block_at(worlds, i, x, y, z) != 0 or not fire_holds(worlds, i, x, y, z):
        return False
    light_fire(worlds, i, x, y, z, 0)
    wear_held(worlds, i, 1)
    return True


@kernel
def _fertilise(worlds: Worlds, i: int) -> bool:
    """Use bone meal on the aimed crop or sapling; return whether a piece was used up."""
    p = worlds.players[i]
    if p.aim_face == NO_FACE:
        return False
    x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    voxel = block_at(worlds, i, x, y, z)
    lives, age = LIVES[voxel & BLOCK_MASK], voxel >> BLOCK_BITS
    oldest = int(MAX_AGE[voxel & BLOCK_MASK])
    if lives == CROP and age < oldest:
        grown = min(age + roll(worlds, i, _LEAST_GROWTH, _MOST_GROWTH), oldest)
        set_block(worlds, i, x, y, z, voxel & BLOCK_MASK | grown << BLOCK_BITS)
    elif lives == SAPLING:
        if fraction(worlds, i) < _SAPLING_CHANCE:
            grow_at_once(worlds, i, x, y, z, voxel)
    else:
        return False
    take_from_slot(worlds, i, p.hotbar, 1)
    return True
