"""Blocks of loaded land, read and written.

No kernel of this module makes land: a kernel that calls `window.load_chunk` includes the code of the whole
terrain and takes a second longer to compile. Each tick first loads the chunks around the player
(`tick.tick_rows`). The distance field is updated before the next frame (`window.ensure_view`), because only
frames need the field. The light is updated before the next tick and frame (`light.light_rows`).
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.chunks import forget_field, forget_light, is_loaded, note_living
from optimus_gym.worlds.voxel.land.edits import edited_voxel, log_edit
from optimus_gym.worlds.voxel.land.field import is_thin
from optimus_gym.worlds.voxel.land.light_traits import TRAIT_MASK, TRAITS
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, HEIGHT, Worlds
from optimus_gym.worlds.voxel.tables.properties import LIVES


@kernel
def block_at(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the voxel at a block position: air above the world, below 0 the voxel at y 0 (bedrock).

    Where no chunk is loaded, the voxel is that of the position's edit (a change of the seed's land), or air
    if the position has no edit.
    """
    if y >= HEIGHT:
        return 0
    y = max(y, 0)
    if not is_loaded(worlds, i, x >> 4, z >> 4):
        return edited_voxel(worlds, i, x, y, z, 0)
    width = worlds.voxels.shape[1]
    return int(worlds.voxels[i, x % width, z % width, y])


@kernel
def next_column(x: int, z: int, way: int) -> tuple[int, int]:
    """Return the column next to x, z on a side (`way`): 0 west, 1 east, 2 north, 3 south."""
    if way == 0:
        return x - 1, z
    if way == 1:
        return x + 1, z
    if way == 2:
        return x, z - 1
    return x, z + 1


@kernel
def place_of(worlds: Worlds, i: int, x: int, z: int) -> tuple[int, int]:
    """Return the indices of a column in the window (the loaded chunks); -1, -1 if the column is not loaded.

    A loop over a column's cells calls this function once, because each call costs four divisions.
    """
    if not is_loaded(worlds, i, x >> 4, z >> 4):
        return -1, -1
    width = worlds.voxels.shape[1]
    return x % width, z % width


@kernel
def biome_in(worlds: Worlds, i: int, x: int, z: int) -> int:
    """Return the biome (index into BIOMES) of a column of loaded land; 0 where no land is loaded."""
    wx, wz = place_of(worlds, i, x, z)
    return int(worlds.biomes[i, wx, wz]) if wx >= 0 else 0


@kernel
def voxel_in(worlds: Worlds, i: int, place: tuple[int, int], y: int) -> int:
    """Return the voxel at height y of a column found by `place_of`; air if the column is not loaded."""
    wx, wz = place
    if y >= HEIGHT or wx < 0:
        return 0
    return int(worlds.voxels[i, wx, wz, max(y, 0)])


@kernel
def set_block(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Change one block and store the edit (0 <= y < 128); distance field and light are updated later."""
    before = block_at(worlds, i, x, y, z)
    if before == voxel or y < 0 or y >= HEIGHT:
        return
    if not log_edit(worlds, i, x, y, z, voxel) or not is_loaded(worlds, i, x >> 4, z >> 4):
        return
    width = worlds.voxels.shape[1]
    wx, wz = x % width, z % width
    worlds.voxels[i, wx, wz, y] = voxel
    worlds.tops[i, wx, wz] = _top_after(worlds, i, wx, wz, y)
    if LIVES[voxel & BLOCK_MASK]:
        note_living(worlds, i, x >> 4, y, z >> 4)
    if (before == 0) != (voxel == 0) or is_thin(before) != is_thin(voxel):
        _note_repair(worlds, i, x, y, z)
    _note_light(worlds, i, x, y, z, before, voxel)


@kernel
def _top_after(worlds: Worlds, i: int, wx: int, wz: int, y: int) -> int:
    """Return the height above which a column is only air, after the column's block at y has changed."""
    top = int(worlds.tops[i, wx, wz])
    if y < top - 1:
        return top
    top = max(top, y + 1)
    while top > 0 and worlds.voxels[i, wx, wz, top - 1] == 0:
        top -= 1
    return top


@kernel
def _note_light(worlds: Worlds, i: int, x: int, y: int, z: int, before: int, voxel: int) -> None:
    """Record that the light around a changed block needs an update, if the block's effect on light changed.

    If the list of changed blocks is full, the whole light of the chunks around the block is computed again.
    """
    changed = TRAITS[before & TRAIT_MASK] ^ TRAITS[voxel & TRAIT_MASK]
    if changed == 0:
        return
    count = worlds.light_waiting[i]
    if count == worlds.light_changes.shape[1]:
        forget_light(worlds, i, x >> 4, z >> 4)
        return
    row = worlds.light_changes[i, count]
    row[0], row[1], row[2] = x, y, z
    row[3] = 3 if changed >> 4 else 1
    worlds.light_waiting[i] = count + 1


@kernel
def _note_repair(worlds: Worlds, i: int, x: int, y: int, z: int) -> None:
    """List a block around which the distance field is wrong; if the list is full, mark near chunks stale."""
    count = worlds.waiting[i]
    if count < worlds.repairs.shape[1]:
        row = worlds.repairs[i, count]
        row[0], row[1], row[2] = x, y, z
        worlds.waiting[i] = count + 1
        return
    forget_field(worlds, i, x >> 4, z >> 4)
