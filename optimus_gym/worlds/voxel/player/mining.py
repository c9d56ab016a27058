"""Breaking blocks by holding the attack key.

A press at the air swings the arm once; a key that is held swings it only while a block is dug.

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
"""Ticks after a block that was not broken at once before the next may be begun; with the key held,
turning to the next takes one more."""
MISS_PAUSE = 10
"""Ticks after a press at the air in which the key, as long as it is held, does nothing; letting go ends them.
Sources: issue 677 of ViaFabricPlus (10 ticks for hitting the air) and issue 1249 of Grim (since 1.8, and that
they can be reset)."""
NOTHING = -1
"""Height of no block: nothing is being broken."""
_HINDRANCE = 5.0
"""A head under water and feet off the ground each make digging this much slower."""
_WITH_DROP, _WITHOUT_DROP = 30.0, 100.0
_FAST = 100.0
"""How many times as fast blocks break with the assist `fast_breaking`."""
_ROUNDING = 1e-9
"""Sums of a block's equal parts may miss 1 by this much."""
_SWING = 6
"""Ticks of one swing of the arm."""


@kernel
def dig_speed(worlds: Worlds, i: int, block: int) -> float:
    """Return the part of a block that the player breaks in a tick with what is in the hand."""
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
    """Let a tick of a swing pass."""
    player = worlds.players[i]
    if player.swing > 0:
        player.swing = 0 if player.swing >= _SWING else player.swing + 1


@kernel
def _finish(worlds: Worlds, i: int, block: int) -> None:
    """Break the aimed block: loot, the tool's wear, effort and experience, the event."""
    player = worlds.players[i]
    tool = held_item(worlds, i)
    player.dig_progress = 0.0
    player.dig_y = NOTHING
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
    """Turn to the aimed block and the tool in hand; tell whether that costs the tick.

    It does so while the key stays down, but not when it has just been pressed.
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
    """Dig at the block under the crosshair for one tick; anything else begins anew.

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
