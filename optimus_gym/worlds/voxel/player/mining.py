"""Breaking blocks by holding the attack key.

A press of the attack key at the air swings the arm once; a held key swings the arm only while the player
digs a block.

Reference: Minecraft Wiki, "Breaking" (calculation, pause between blocks), "Durability".
"""

from optimus_gym.worlds.voxel.blocks.breaking import break_block
from optimus_gym.worlds.voxel.bodies.aim import NO_FACE
from optimus_gym.worlds.voxel.bodies.exhaustion import BLOCK_EFFORT, tire
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, MINED, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    HARDNESS,
    HARVESTS,
    SPEEDS,
    TOOL_KIND,
    TOOL_ROW,
    TOOL_WEAR,
)
from optimus_gym.worlds.voxel.things.experience import earn_from_block
from optimus_gym.worlds.voxel.things.inventory import held_item, wear_held

PAUSE = 5
"""Ticks between the breaking of two blocks, unless the first broke in one tick; with the attack key held,
changing to the next block takes one more tick."""
MISS_PAUSE = 10
"""Ticks after a press of the attack key at the air in which the held key does nothing; releasing the key
ends the pause. Sources of the pause: issue 677 of ViaFabricPlus (10 ticks for hitting the air) and issue
1249 of Grim (since 1.8; the pause can be reset)."""
NO_BLOCK = -1
"""Value of `dig_y` while the player digs no block."""
_HINDRANCE = 5.0
"""Divisor of the digging speed, applied if the head is under water, and again if the feet are off the
ground."""
_WITH_DROP, _WITHOUT_DROP = 30.0, 100.0
_FAST = 100.0
"""Factor of the digging speed with the assist `fast_breaking`."""
_ROUNDING = 1e-9
"""Upper bound of the rounding error in a block's digging progress, which grows by an equal part each tick."""
_SWING = 6
"""Ticks of one swing of the arm."""


@kernel
def dig_speed(worlds: Worlds, i: int, block: int) -> float:
    """Return the part of a block (1 = the whole) that the player breaks in one tick with the held item."""
    hardness = HARDNESS[block]
    if hardness < 0.0:
        return 0.0
    player = worlds.players[i]
    row = TOOL_ROW[held_item(worlds, i)]
    speed = SPEEDS[row, block]
    if player.head_in_water:
        speed /= _HINDRANCE
    if not player.on_ground:
        speed /= _HINDRANCE
    if worlds.assists[i].fast_breaking:
        speed *= _FAST
    if hardness == 0.0:
        return 1.0
    return float(speed / hardness / (_WITH_DROP if HARVESTS[row, block] else _WITHOUT_DROP))


@kernel
def swing_arm(worlds: Worlds, i: int) -> None:
    """Begin a swing of the arm unless one has just begun."""
    player = worlds.players[i]
    if player.swing == 0 or player.swing > _SWING // 2:
        player.swing = 1


@kernel
def rest_arm(worlds: Worlds, i: int) -> None:
    """Advance the arm's swing by one tick."""
    player = worlds.players[i]
    if player.swing > 0:
        player.swing = 0 if player.swing >= _SWING else player.swing + 1


@kernel
def _finish(worlds: Worlds, i: int, block: int) -> None:
    """Break the aimed block; add its loot, wear of the tool, exhaustion, experience and a MINED event."""
    player = worlds.players[i]
    tool = held_item(worlds, i)
    player.dig_progress = 0.0
    player.dig_y = NO_BLOCK
    emit(worlds, i, MINED, block, 1)
    loots = HARVESTS[TOOL_ROW[tool], block] != 0
    if loots:
        tire(worlds, i, BLOCK_EFFORT)
        earn_from_block(worlds, i, block)
    if HARDNESS[block] != 0.0:
        wear_held(worlds, i, TOOL_WEAR[tool])
    break_block(worlds, i, player.aim_x, player.aim_y, player.aim_z, loots, TOOL_KIND[tool])


@kernel
def _begin(worlds: Worlds, i: int) -> bool:
    """Begin to dig the aimed block with the held item; return whether the beginning uses the tick up.

    A change of block or tool uses the tick up if the attack key was already down, but not at a new press.
    """
    player = worlds.players[i]
    tool = held_item(worlds, i)
    if (
        player.dig_x == player.aim_x
        and player.dig_y == player.aim_y
        and player.dig_z == player.aim_z
        and player.dig_item == tool
    ):
        return False
    player.dig_progress = 0.0
    player.dig_x, player.dig_y, player.dig_z = player.aim_x, player.aim_y, player.aim_z
    player.dig_item = tool
    return bool(player.dig_held)


@kernel
def attack(worlds: Worlds, i: int, pressed: bool, at_creature: bool) -> None:
    """Dig at the block under the crosshair for one tick; any interruption resets the progress.

    at_creature: whether a creature is under the crosshair, which stops the digging.
    """
    player = worlds.players[i]
    at_air = player.aim_face == NO_FACE and not at_creature
    player.miss_wait = max(player.miss_wait - 1, 0) if pressed else 0
    if at_air and pressed and not player.dig_held:
        player.miss_wait = MISS_PAUSE
        swing_arm(worlds, i)
    digs = pressed and not at_air and not at_creature and player.miss_wait == 0
    if player.dig_wait > 0:
        player.dig_wait -= 1
        player.dig_progress = 0.0
    elif digs:
        swing_arm(worlds, i)
        _dig(worlds, i)
    else:
        player.dig_progress = 0.0
    player.dig_held = pressed


@kernel
def _dig(worlds: Worlds, i: int) -> None:
    player = worlds.players[i]
    block = block_at(worlds, i, player.aim_x, player.aim_y, player.aim_z) & BLOCK_MASK
    costs_the_tick = _begin(worlds, i)
    part = dig_speed(worlds, i, block)
    if part >= 1.0:
        _finish(worlds, i, block)
    elif not costs_the_tick:
        player.dig_progress += part
        if player.dig_progress >= 1.0 - _ROUNDING:
            _finish(worlds, i, block)
            player.dig_wait = PAUSE
