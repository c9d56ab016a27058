"""The use key: it acts on the block under the crosshair, or else uses the held item.

A sneaking player with something in the hand does not touch the block, as in the game.

References: Minecraft Wiki, "Controls", "Door", "Trapdoor", "Fence Gate" (opening), "Sneaking".
"""

from optimus_gym.worlds.voxel.blocks.halves import SECOND, other_half
from optimus_gym.worlds.voxel.bodies.aim import NO_FACE
from optimus_gym.worlds.voxel.clicking.opening import open_block
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.player.mining import swing_arm
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, Worlds
from optimus_gym.worlds.voxel.tables.panels import DOOR, DOOR_OPEN, GATE, OPEN
from optimus_gym.worlds.voxel.tables.properties import ACTS, OPENS, PANELS, STIFF, STORE
from optimus_gym.worlds.voxel.things.containers import use_store
from optimus_gym.worlds.voxel.things.inventory import held_item
from optimus_gym.worlds.voxel.using.beds import use_bed
from optimus_gym.worlds.voxel.using.handling import use_held
from optimus_gym.worlds.voxel.using.orienting import ahead_of
from optimus_gym.worlds.voxel.using.placing import place_held

REPEAT = 4
"""Ticks between two uses while the key is held; Minecraft Wiki, "Controls"."""


@kernel
def use(worlds: Worlds, i: int, pressed: bool) -> bool:
    """Touch the aimed block or use the held item on the land, at most every fourth tick.

    Return whether the key acted in this tick but found neither a block to touch nor land to use the item on;
    the player may then use the held item alone, for example eat it.
    """
    p = worlds.players[i]
    if p.use_wait > 0:
        p.use_wait -= 1
    if not pressed or p.use_wait > 0:
        return False
    p.use_wait = REPEAT
    return not (_touch_block(worlds, i) or use_held(worlds, i) or place_held(worlds, i))


@kernel
def _touch_block(worlds: Worlds, i: int) -> bool:
    """Open, close or use the aimed block by hand; return whether the block can be used by hand."""
    p = worlds.players[i]
    if p.aim_face == NO_FACE or (p.sneaking and held_item(worlds, i) != 0):
        return False
    x, y, z = int(p.aim_x), int(p.aim_y), int(p.aim_z)
    if worlds.rules[i].screens and open_block(worlds, i, x, y, z):
        swing_arm(worlds, i)
        return True
    voxel = block_at(worlds, i, x, y, z)
    acts = ACTS[voxel & BLOCK_MASK]
    if acts in (0, STIFF):
        return False
    if acts == STORE:
        use_store(worlds, i, x, y, z)
    elif acts == OPENS:
        _swing_panel(worlds, i, x, y, z, voxel)
    else:
        use_bed(worlds, i, x, y, z, voxel)
    swing_arm(worlds, i)
    return True


@kernel
def _swing_panel(worlds: Worlds, i: int, x: int, y: int, z: int, voxel: int) -> None:
    """Open or close a door, trapdoor or gate; a gate opens away from the player."""
    kind = PANELS[voxel & BLOCK_MASK]
    if kind == DOOR:
        turned = voxel ^ DOOR_OPEN << BLOCK_BITS
        ox, oy, oz = other_half(x, y, z, voxel)
        if block_at(worlds, i, ox, oy, oz) & BLOCK_MASK == voxel & BLOCK_MASK:
            set_block(worlds, i, ox, oy, oz, turned ^ SECOND << BLOCK_BITS)
        set_block(worlds, i, x, y, z, turned)
        return
    if kind == GATE and ahead_of(worlds, i) == ((voxel >> BLOCK_BITS) + 2) & 3:
        voxel ^= 2 << BLOCK_BITS
    set_block(worlds, i, x, y, z, voxel ^ OPEN << BLOCK_BITS)
