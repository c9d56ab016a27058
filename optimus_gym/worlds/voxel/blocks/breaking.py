"""Breaking a block: dropping its loot, and noting the change so that neighbouring blocks react.

References: Minecraft Wiki, "Drops", "Breaking".
"""

from optimus_gym.worlds.voxel.blocks.halves import has_halves, other_half
from optimus_gym.worlds.voxel.blocks.loot import drop_loot, take_out
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, Worlds


@kernel
def break_block(
    worlds: Worlds, i: int, x: int, y: int, z: int, with_loot: bool, tool_kind: int
) -> None:
    """Break a block, and drop its loot if `with_loot`; its neighbours react at the end of the tick."""
    voxel = take_out(worlds, i, x, y, z)
    if with_loot:
        drop_loot(worlds, i, x, y, z, voxel, tool_kind)
    note_change(worlds, i, x, y, z, 0)
    if has_halves(voxel & BLOCK_MASK):
        ox, oy, oz = other_half(x, y, z, voxel)
        note_change(worlds, i, ox, oy, oz, 0)
