"""Item entities: motion, floating, merging, burning, despawning and pick-up.

References: Minecraft Wiki, "Item (entity)" (throwing), "Drops" (pick-up delay, range, despawning), "Entity".
"""

from typing import Any

import numpy as np

from optimus_gym.game.blocks import block as block_named
from optimus_gym.worlds.voxel.bodies.collision import Box, collide, height_at
from optimus_gym.worlds.voxel.bodies.currents import push
from optimus_gym.worlds.voxel.bodies.fluids import LAVA, WATER, depth_in
from optimus_gym.worlds.voxel.bodies.posture import body, eye_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, PICKED_UP, Worlds
from optimus_gym.worlds.voxel.tables.properties import (
    FIRE_HURTS,
    FIREPROOF,
    SLIPPERINESS,
    STACK_SIZES,
)
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from optimus_gym.worlds.voxel.things.inventory import add_items, take_from_slot

_HALF = 0.125
"""Half the width (blocks) of an item entity's box, which is 0.25 high."""
_TALL = 0.25
DELAY = 10
"""Ticks until the player may pick up an item that a block dropped."""
THROWN_DELAY = 40
"""Ticks until the player may pick up a thrown item."""
LIFETIME = 6000
_BEARS = 5
"""Ticks in fire or at a cactus after which an item is destroyed: its health is 5, and each such tick costs
1."""
_TOUCHES = 0.001
"""Maximum gap in blocks between an item and a cell of fire or cactus that harms it; in this world a cactus
fills its cell."""
_CACTUS = block_named("cactus").id
REACH_SIDE = 1.0
"""Distance in blocks, sideways from the player's box, at which the player picks items up."""
REACH_UP = 0.5
"""Distance in blocks, up or down from the player's box, at which the player picks items up."""
_GRAVITY, _DRAG = 0.04, 0.98
_FLOAT, _FLOAT_LIMIT, _WATER_DRAG = 5e-4, 0.06, 0.99
_FLOATS_FROM = 0.1
"""Depth in water (blocks) above which an item floats."""
_MERGE_SIDE = 0.5
_SCATTER = 0.2
_BELOW_EYE = 0.3
"""Distance in blocks below the player's eye at which a thrown item starts."""
_THROW = 0.3
"""Speed of a thrown item along the view, blocks a tick."""
_THROW_UP = 0.1
"""Upward speed that a throw adds, blocks a tick."""
_THROW_ASIDE = 0.02
"""Largest random speed of a thrown item to the sides, blocks a tick."""
_THROW_ASTRAY = 0.1
"""Largest random speed of a thrown item up or down, blocks a tick."""
_NO_ROW = -1
WAKING_DISTANCE = 24.0
"""Distance in blocks along x and along z from the player within which items are active; farther items
wait."""
_RESTING = 1e-5
"""Square of the horizontal speed (blocks a tick) below which an item that does not rise or fall moves only
every fourth tick."""


@kernel
def _box(worlds: Worlds, i: int, k: int) -> Box:
    drop = worlds.drops[i, k]
    return drop.x - _HALF, drop.y, drop.z - _HALF, drop.x + _HALF, drop.y + _TALL, drop.z + _HALF


@kernel
def _empty_row(worlds: Worlds, i: int) -> int:
    """Return the first row of `Worlds.drops` without an item, `_NO_ROW` if all rows hold items."""
    for k in range(worlds.drops.shape[1]):
        if worlds.drops[i, k].item == 0:
            return k
    return _NO_ROW


@kernel
def _free_row(worlds: Worlds, i: int) -> int:
    """Return a row of `Worlds.drops` for a new item: an empty row, else the row of the oldest item."""
    empty = _empty_row(worlds, i)
    if empty != _NO_ROW:
        return empty
    oldest, age = 0, -1
    for k in range(worlds.drops.shape[1]):
        if worlds.drops[i, k].age > age:
            oldest, age = k, int(worlds.drops[i, k].age)
    return oldest


@kernel
def drop_at(
    worlds: Worlds, i: int, x: float, y: float, z: float, item: int, count: int, damage: int
) -> int:
    """Drop a stack at a point, with the small random jump of an item from a broken block.

    Returns:
        The row of `Worlds.drops` with the (last) dropped item, -1 for an empty stack.
    """
    row = -1
    while count > 0 and item > 0:
        part = min(count, STACK_SIZES[item])
        count -= part
        row = _free_row(worlds, i)
        drop = worlds.drops[i, row]
        drop.item, drop.count, drop.damage = item, part, damage
        drop.age, drop.delay, drop.harmed = 0, DELAY, 0
        drop.x, drop.y, drop.z = x, y, z
        drop.vx = fraction(worlds, i) * _SCATTER - _SCATTER / 2
        drop.vy = _SCATTER
        drop.vz = fraction(worlds, i) * _SCATTER - _SCATTER / 2
    return row


@kernel
def drop_from_block(
    worlds: Worlds, i: int, x: int, y: int, z: int, item: int, count: int, damage: int
) -> None:
    """Drop a stack from a block's cell, at a random point of the cell's middle half."""
    px = x + fraction(worlds, i) * 0.5 + 0.25
    py = y + fraction(worlds, i) * 0.5 + 0.25
    pz = z + fraction(worlds, i) * 0.5 + 0.25
    drop_at(worlds, i, px, py, pz, item, count, damage)


@kernel
def drop_from_player(worlds: Worlds, i: int, item: int, count: int, damage: int) -> None:
    """Drop a stack at the player's feet, for items that do not fit into the inventory."""
    player = worlds.players[i]
    drop_at(worlds, i, player.x, player.y + 0.5, player.z, item, count, damage)


@kernel
def throw_held(worlds: Worlds, i: int) -> bool:
    """Throw one piece of the held stack along the view; return whether a piece was thrown."""
    p = worlds.players[i]
    stack = worlds.slots[i, p.hotbar]
    if stack.item == 0 or not throw(worlds, i, int(stack.item), 1, int(stack.damage)):
        return False
    take_from_slot(worlds, i, p.hotbar, 1)
    return True


@kernel
def throw(worlds: Worlds, i: int, item: int, count: int, damage: int) -> bool:
    """Throw a stack along the view; return whether it was thrown.

    Nothing is thrown if `Worlds.drops` has no free row, because the throw would destroy another item.
    """
    if _empty_row(worlds, i) == _NO_ROW:
        return False
    p = worlds.players[i]
    y = p.y + eye_height(worlds, i) - _BELOW_EYE
    row = drop_at(worlds, i, p.x, y, p.z, item, count, damage)
    drop = worlds.drops[i, row]
    drop.delay = THROWN_DELAY
    flat = _THROW * cosine(p.pitch)
    turn, aside = 360.0 * fraction(worlds, i), _THROW_ASIDE * fraction(worlds, i)
    drop.vx = -sine(p.yaw) * flat + cosine(turn) * aside
    drop.vz = cosine(p.yaw) * flat + sine(turn) * aside
    astray = (fraction(worlds, i) - fraction(worlds, i)) * _THROW_ASTRAY
    drop.vy = _THROW_UP - sine(p.pitch) * _THROW + astray
    return True


@kernel
def _move(worlds: Worlds, i: int, k: int) -> None:
    """Move one item entity by one tick: an item flies, floats or slides."""
    drop = worlds.drops[i, k]
    still = drop.vy == 0.0 and drop.vx * drop.vx + drop.vz * drop.vz < _RESTING
    if still and (drop.age + k) % 4 != 0:
        return
    box = _box(worlds, i, k)
    water = depth_in(worlds, i, box, WATER)
    if water > 0.0:
        dx, dy, dz = push(worlds, i, box, WATER, (drop.vx, drop.vy, drop.vz), True)
        drop.vx, drop.vy, drop.vz = drop.vx + dx, drop.vy + dy, drop.vz + dz
    if water > _FLOATS_FROM:
        drop.vx, drop.vz = drop.vx * _WATER_DRAG, drop.vz * _WATER_DRAG
        if drop.vy < _FLOAT_LIMIT:
            drop.vy += _FLOAT
    else:
        drop.vy -= _GRAVITY
    x, y, z = int(np.floor(drop.x)), int(np.floor(drop.y)), int(np.floor(drop.z))
    height = height_at(worlds, i, x, y, z)
    if drop.y + 1e-6 < y + height:
        # A new block fills the item's place: the item rises to the block's top.
        drop.y = y + height
        drop.vx, drop.vy, drop.vz = 0.0, 0.0, 0.0
        return
    dx, dy, dz = drop.vx, drop.vy, drop.vz
    gx, gy, gz = collide(worlds, i, box, dx, dy, dz)
    drop.x, drop.y, drop.z = drop.x + gx, drop.y + gy, drop.z + gz
    on_ground = gy != dy and dy < 0.0
    drop.vx = dx if gx == dx else 0.0
    drop.vy = dy if gy == dy else 0.0
    drop.vz = dz if gz == dz else 0.0
    friction = _DRAG
    if on_ground:
        below = block_at(worlds, i, x, int(np.floor(drop.y - 0.01)), z) & BLOCK_MASK
        friction = SLIPPERINESS[below] * _DRAG
    drop.vx, drop.vy, drop.vz = drop.vx * friction, drop.vy * _DRAG, drop.vz * friction


@kernel
def _perishes(worlds: Worlds, i: int, k: int) -> bool:
    """Return whether lava, fire or a cactus destroys the item in this tick."""
    drop, box = worlds.drops[i, k], _box(worlds, i, k)
    if not FIREPROOF[drop.item] and depth_in(worlds, i, box, LAVA) > 0.0:
        return True
    drop.harmed += _is_harmed(worlds, i, box, bool(FIREPROOF[drop.item]))
    return bool(drop.harmed >= _BEARS)


@kernel
def _is_harmed(worlds: Worlds, i: int, box: Box, fireproof: bool) -> bool:
    """Return whether an item's box is in harmful fire, or touches a cactus."""
    y = int(np.floor(box[1]))
    for x in range(int(np.floor(box[0] - _TOUCHES)), int(np.floor(box[3] + _TOUCHES)) + 1):
        for z in range(int(np.floor(box[2] - _TOUCHES)), int(np.floor(box[5] + _TOUCHES)) + 1):
            block = block_at(worlds, i, x, y, z) & BLOCK_MASK
            if block == _CACTUS or (FIRE_HURTS[block] and not fireproof):
                return True
    return False


@kernel
def _take_away(drop: Any) -> None:
    """Empty a row of `Worlds.drops`: item, count and damage become 0."""
    drop.item, drop.count, drop.damage = 0, 0, 0


@kernel
def _merge(worlds: Worlds, i: int, k: int) -> None:
    """Join the dropped stack in row k with dropped stacks of the same item within half a block."""
    here = worlds.drops[i, k]
    limit = STACK_SIZES[here.item]
    if here.count >= limit:
        return
    for j in range(k + 1, worlds.drops.shape[1]):
        other = worlds.drops[i, j]
        if other.item != here.item or other.damage != here.damage:
            continue
        near = (
            abs(other.x - here.x) < 2 * _HALF + _MERGE_SIDE
            and abs(other.z - here.z) < 2 * _HALF + _MERGE_SIDE
            and abs(other.y - here.y) < _TALL
        )
        if near and other.count + here.count <= limit:
            here.count += other.count
            here.delay = max(here.delay, other.delay)
            here.age = min(here.age, other.age)
            _take_away(other)


@kernel
def _pick_up(worlds: Worlds, i: int, k: int) -> None:
    """Give the dropped stack in row k to a player in reach, as many pieces as fit."""
    drop = worlds.drops[i, k]
    x0, y0, z0, x1, y1, z1 = body(worlds, i)
    ax, ay, az, bx, by, bz = _box(worlds, i, k)
    touches = (
        bx > x0 - REACH_SIDE
        and ax < x1 + REACH_SIDE
        and by > y0 - REACH_UP
        and ay < y1 + REACH_UP
        and bz > z0 - REACH_SIDE
        and az < z1 + REACH_SIDE
    )
    if not touches:
        return
    before = int(drop.count)
    left = add_items(worlds, i, int(drop.item), before, int(drop.damage))
    if left < before:
        emit(worlds, i, PICKED_UP, int(drop.item), before - left)
    drop.count = left
    if left == 0:
        _take_away(drop)


@kernel
def tick_drops(worlds: Worlds, i: int) -> None:
    """Advance every item entity of a world by one tick."""
    player = worlds.players[i]
    for k in range(worlds.drops.shape[1]):
        drop = worlds.drops[i, k]
        if drop.item == 0:
            continue
        if abs(drop.x - player.x) > WAKING_DISTANCE or abs(drop.z - player.z) > WAKING_DISTANCE:
            continue
        drop.age += 1
        if drop.delay > 0:
            drop.delay -= 1
        _move(worlds, i, k)
        if drop.age >= LIFETIME or drop.y < -64.0 or _perishes(worlds, i, k):
            _take_away(drop)
            continue
        if (drop.age + k) % 4 == 0:
            _merge(worlds, i, k)
        if drop.delay == 0 and player.alive:
            _pick_up(worlds, i, k)
