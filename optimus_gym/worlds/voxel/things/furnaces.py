"""Ovens (furnace, blast furnace, smoker): each has three slots, its own fire and its own cooking time.

The block at the position in a row of `Worlds.furnaces` tells which kind of oven the row describes.

Reference: Minecraft Wiki, "Furnace", "Blast Furnace", "Smoker", "Smelting" (200 ticks an item in a furnace,
half in a blast furnace or smoker, which also burn their fuel in half the time; without fire, cooking progress
falls twice as fast as it rose).
"""

from typing import Any

from optimus_gym.game.items import item as item_named
from optimus_gym.game.smelting import SMELTING_TICKS
from optimus_gym.worlds.voxel.bodies.aim import REACH, distance_to, nearest_in_reach
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, SMELTED, Worlds
from optimus_gym.worlds.voxel.tables.properties import STACK_SIZES
from optimus_gym.worlds.voxel.tables.recipes import (
    FUEL_ORDER,
    FUEL_TICKS,
    OVEN_BLOCKS,
    OVEN_KINDS,
    OVEN_SPEEDS,
    OVEN_TAKES,
    SMELT_CHOICES,
    SMELT_STARTS,
    SMELTS_TO,
)
from optimus_gym.worlds.voxel.things.experience import earn_from_furnace
from optimus_gym.worlds.voxel.things.inventory import add_items, count_item, remove_items, set_stack
from optimus_gym.worlds.voxel.things.placed import NO_ROW, claim_row, row_at

_COOLING = 2
_LAVA_BUCKET, _BUCKET = item_named("lava_bucket").id, item_named("bucket").id


@kernel
def claim_oven(worlds: Worlds, i: int, x: int, y: int, z: int) -> int:
    """Return the row of the oven at a position, a new row if it has none; -1 = no row is free."""
    k = row_at(worlds.furnaces[i], x, y, z)
    if k != NO_ROW:
        return k
    k = claim_row(worlds.furnaces[i], x, y, z)
    if k != NO_ROW:
        furnace = worlds.furnaces[i, k]
        furnace.burn, furnace.burn_total, furnace.cook = 0, 0, 0
        set_stack(furnace.input, 0, 0, 0)
        set_stack(furnace.fuel, 0, 0, 0)
        set_stack(furnace.output, 0, 0, 0)
    return k


@kernel
def _kind_of(worlds: Worlds, i: int, k: int) -> int:
    """Return the kind of the oven in row k (index of OVEN_BLOCKS); a furnace if the oven's block is gone."""
    furnace = worlds.furnaces[i, k]
    block = block_at(worlds, i, furnace.x, furnace.y, furnace.z) & BLOCK_MASK
    return max(int(OVEN_KINDS[block]), 1)


@kernel
def _can_cook(furnace: Any, kind: int) -> bool:
    product = SMELTS_TO[furnace.input.item]
    if not OVEN_TAKES[kind, furnace.input.item]:
        return False
    if furnace.output.item == 0:
        return True
    return bool(furnace.output.item == product and furnace.output.count < STACK_SIZES[product])


@kernel
def _show_fire(worlds: Worlds, i: int, furnace: Any, burns: bool) -> None:
    """Set or clear the state bit "lit" of an oven's block."""
    voxel = block_at(worlds, i, furnace.x, furnace.y, furnace.z)
    lit = 1 << BLOCK_BITS
    shown = voxel | lit if burns else voxel & ~lit
    if OVEN_KINDS[voxel & BLOCK_MASK] and shown != voxel:
        set_block(worlds, i, furnace.x, furnace.y, furnace.z, shown)


@kernel
def _light(furnace: Any, speed: int) -> bool:
    """Burn one piece of fuel; return whether the oven had fuel."""
    ticks = FUEL_TICKS[furnace.fuel.item] // speed
    if ticks == 0:
        return False
    furnace.burn = furnace.burn_total = ticks
    if furnace.fuel.item == _LAVA_BUCKET:
        furnace.fuel.item = _BUCKET
    else:
        set_stack(furnace.fuel, furnace.fuel.item, furnace.fuel.count - 1, 0)
    return True


@kernel
def _cook(worlds: Worlds, i: int, k: int) -> None:
    """Let the oven in row k burn and cook for one tick."""
    furnace = worlds.furnaces[i, k]
    burned = furnace.burn > 0
    if burned:
        furnace.burn -= 1
    kind = _kind_of(worlds, i, k)
    can = _can_cook(furnace, kind)
    if furnace.burn == 0 and can:
        _light(furnace, OVEN_SPEEDS[kind])
    if furnace.burn > 0 and can:
        furnace.cook += 1
        if furnace.cook >= SMELTING_TICKS // OVEN_SPEEDS[kind]:
            furnace.cook = 0
            product = SMELTS_TO[furnace.input.item]
            set_stack(furnace.output, product, furnace.output.count + 1, 0)
            set_stack(furnace.input, furnace.input.item, furnace.input.count - 1, 0)
            emit(worlds, i, SMELTED, product, 1)
    elif furnace.burn > 0 or not can:
        furnace.cook = 0
    else:
        furnace.cook = max(furnace.cook - _COOLING, 0)
    if burned != (furnace.burn > 0):
        _show_fire(worlds, i, furnace, furnace.burn > 0)


@kernel
def _hand_over(worlds: Worlds, i: int, k: int) -> None:
    """Give an oven's finished products and empty buckets to a player in reach, as many as fit.

    A player with screens takes them out by mouse.
    """
    if worlds.rules[i].screens:
        return
    furnace = worlds.furnaces[i, k]
    if furnace.output.count == 0 or not worlds.players[i].alive:
        return
    if distance_to(worlds, i, furnace.x, furnace.y, furnace.z) > REACH:
        return
    left = add_items(worlds, i, furnace.output.item, furnace.output.count, furnace.output.damage)
    earn_from_furnace(worlds, i, furnace.output.item, furnace.output.count - left)
    set_stack(furnace.output, furnace.output.item, left, furnace.output.damage)
    if furnace.fuel.item == _BUCKET:
        left = add_items(worlds, i, _BUCKET, furnace.fuel.count, 0)
        set_stack(furnace.fuel, _BUCKET, left, 0)


@kernel
def tick_furnaces(worlds: Worlds, i: int) -> None:
    """Let every oven of a world work for one tick; free the rows of cold empty ovens."""
    for k in range(worlds.furnaces.shape[1]):
        furnace = worlds.furnaces[i, k]
        if not furnace.used:
            continue
        _cook(worlds, i, k)
        if worlds.assists[i].instant_smelting:
            kind = _kind_of(worlds, i, k)
            for _ in range(SMELTING_TICKS // OVEN_SPEEDS[kind] - 1):
                if _can_cook(furnace, kind) and furnace.burn > 0:
                    _cook(worlds, i, k)
        _hand_over(worlds, i, k)
        if (
            furnace.burn == 0
            and furnace.input.count == 0
            and furnace.fuel.count == 0
            and furnace.output.count == 0
        ):
            furnace.used = 0


@kernel
def _ingredient(worlds: Worlds, i: int, k: int, product: int, kind: int) -> int:
    """Return the item to cook: the one already in the oven, else the one held in most pieces; 0 = none."""
    furnace = worlds.furnaces[i, k]
    queued = int(furnace.input.item)
    if queued != 0:
        room = furnace.input.count < STACK_SIZES[queued]
        fits = SMELTS_TO[queued] == product and room and count_item(worlds, i, queued) > 0
        return queued if fits else 0
    best, most = 0, 0
    for c in range(SMELT_STARTS[product], SMELT_STARTS[product + 1]):
        if not OVEN_TAKES[kind, SMELT_CHOICES[c]]:
            continue
        have = count_item(worlds, i, SMELT_CHOICES[c])
        if have > most:
            best, most = SMELT_CHOICES[c], have
    return best


@kernel
def _fuel_to_add(
    worlds: Worlds, i: int, k: int, ingredient: int, speed: int
) -> tuple[bool, int, int]:
    """Return whether an oven can get enough fuel for one more item, and the fuel (item, pieces) to add."""
    furnace = worlds.furnaces[i, k]
    loaded = int(furnace.fuel.item)
    need = (furnace.input.count + 1) * (SMELTING_TICKS // speed) - furnace.cook
    need -= furnace.burn + furnace.fuel.count * (FUEL_TICKS[loaded] // speed)
    if need <= 0:
        return True, 0, 0
    for c in range(FUEL_ORDER.size):
        fuel = FUEL_ORDER[c]
        if loaded != 0 and loaded != fuel:
            continue
        have = count_item(worlds, i, fuel) - (1 if fuel == ingredient else 0)
        ticks = FUEL_TICKS[fuel] // speed
        pieces = (need + ticks - 1) // ticks
        if pieces <= have and furnace.fuel.count + pieces <= STACK_SIZES[fuel]:
            return True, fuel, pieces
    return False, 0, 0


@kernel
def _queue(worlds: Worlds, i: int, k: int, product: int, kind: int) -> bool:
    """Put one item for `product`, and its fuel, into an oven; return whether that succeeded."""
    furnace = worlds.furnaces[i, k]
    if furnace.output.item != 0 and furnace.output.item != product:
        return False
    ingredient = _ingredient(worlds, i, k, product, kind)
    if ingredient == 0:
        return False
    enough, fuel, pieces = _fuel_to_add(worlds, i, k, ingredient, OVEN_SPEEDS[kind])
    if not enough:
        return False
    remove_items(worlds, i, ingredient, 1)
    set_stack(furnace.input, ingredient, furnace.input.count + 1, 0)
    if pieces > 0:
        remove_items(worlds, i, fuel, pieces)
        set_stack(furnace.fuel, fuel, furnace.fuel.count + pieces, 0)
    return True


@kernel
def smelt(worlds: Worlds, i: int, product: int) -> bool:
    """Queue one item for `product` in a suitable oven in reach; return whether that succeeded.

    The nearest blast furnace or smoker is tried before the nearest furnace. The oven also gets the fuel that
    all its queued items still need. Nothing happens if fuel or ingredients are missing in the pockets, or if
    the oven holds another item.
    """
    if SMELT_STARTS[product] == SMELT_STARTS[product + 1]:
        return False
    for kind in range(len(OVEN_BLOCKS) - 1, 0, -1):
        if not _cooks(product, kind):
            continue
        found, x, y, z = nearest_in_reach(worlds, i, OVEN_BLOCKS[kind])
        k = claim_oven(worlds, i, x, y, z) if found else NO_ROW
        if k != NO_ROW and _queue(worlds, i, k, product, kind):
            return True
    return False


@kernel
def _cooks(product: int, kind: int) -> bool:
    """Return whether a kind of oven can make the item `product`."""
    for c in range(SMELT_STARTS[product], SMELT_STARTS[product + 1]):
        if OVEN_TAKES[kind, SMELT_CHOICES[c]]:
            return True
    return False
