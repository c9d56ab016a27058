"""Furnaces: three slots, a fire and a clock of their own.

Reference: Minecraft Wiki, "Furnace", "Smelting" (200 ticks an item; fuel; progress is lost twice
as fast as it was made when the fire goes out).
"""

from typing import Any

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.aim import REACH, distance_to, nearest_in_reach
from optimus_gym.worlds.voxel.cells import block_at, set_block
from optimus_gym.worlds.voxel.events import emit
from optimus_gym.worlds.voxel.experience import earn_from_furnace
from optimus_gym.worlds.voxel.inventory import add_items, count_item, remove_items, set_stack
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.recipe_tables import (
    FUEL_ORDER,
    FUEL_TICKS,
    SMELT_CHOICES,
    SMELT_STARTS,
    SMELTS_TO,
)
from optimus_gym.worlds.voxel.state import BLOCK_BITS, BLOCK_MASK, SMELTED, Worlds
from optimus_gym.worlds.voxel.tables import STACK_SIZES

TICKS = 200
"""Ticks that one item cooks."""
_COOLING = 2
_NONE = -1
_FURNACE = block_named("furnace").id
_LAVA_BUCKET, _BUCKET = item_named("lava_bucket").id, item_named("bucket").id


@kernel
def _row_of(worlds: Worlds, i: int, x: int, y: int, z: int, make: bool) -> int:
    """Return the row of the furnace at a position; a new one if asked; -1 = none (or none free)."""
    free = _NONE
    for k in range(worlds.furnaces.shape[1]):
        furnace = worlds.furnaces[i, k]
        if not furnace.used:
            if free == _NONE:
                free = k
        elif furnace.x == x and furnace.y == y and furnace.z == z:
            return k
    if make and free != _NONE:
        furnace = worlds.furnaces[i, free]
        furnace.used, furnace.x, furnace.y, furnace.z = 1, x, y, z
        furnace.burn, furnace.burn_total, furnace.cook = 0, 0, 0
        set_stack(furnace.input, 0, 0, 0)
        set_stack(furnace.fuel, 0, 0, 0)
        set_stack(furnace.output, 0, 0, 0)
        return free
    return _NONE


@kernel
def _can_cook(furnace: Any) -> bool:
    product = SMELTS_TO[furnace.input.item]
    if product == 0:
        return False
    if furnace.output.item == 0:
        return True
    return bool(furnace.output.item == product and furnace.output.count < STACK_SIZES[product])


@kernel
def _show_fire(worlds: Worlds, i: int, furnace: Any, burns: bool) -> None:
    """Set or clear the lit bit of a furnace's block."""
    voxel = block_at(worlds, i, furnace.x, furnace.y, furnace.z)
    lit = 1 << BLOCK_BITS
    shown = voxel | lit if burns else voxel & ~lit
    if voxel & BLOCK_MASK == _FURNACE and shown != voxel:
        set_block(worlds, i, furnace.x, furnace.y, furnace.z, shown)


@kernel
def _light(furnace: Any) -> bool:
    """Burn one piece of fuel; tell whether there was one."""
    ticks = FUEL_TICKS[furnace.fuel.item]
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
    """Let one furnace burn and cook for a tick."""
    furnace = worlds.furnaces[i, k]
    burned = furnace.burn > 0
    if burned:
        furnace.burn -= 1
    can = _can_cook(furnace)
    if furnace.burn == 0 and can:
        _light(furnace)
    if furnace.burn > 0 and can:
        furnace.cook += 1
        if furnace.cook >= TICKS:
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
    """Give finished products to a player in reach, as many as fit."""
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
    """Let every furnace of a world work for one tick; forget those that are cold and empty."""
    for k in range(worlds.furnaces.shape[1]):
        furnace = worlds.furnaces[i, k]
        if not furnace.used:
            continue
        _cook(worlds, i, k)
        if worlds.assists[i].instant_smelting:
            for _ in range(TICKS - 1):
                if _can_cook(furnace) and furnace.burn > 0:
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
def _ingredient(worlds: Worlds, i: int, k: int, product: int) -> int:
    """Return the item to cook: the one already in the furnace, else the one held most; 0 = none."""
    furnace = worlds.furnaces[i, k]
    queued = int(furnace.input.item)
    if queued != 0:
        room = furnace.input.count < STACK_SIZES[queued]
        fits = SMELTS_TO[queued] == product and room and count_item(worlds, i, queued) > 0
        return queued if fits else 0
    best, most = 0, 0
    for c in range(SMELT_STARTS[product], SMELT_STARTS[product + 1]):
        have = count_item(worlds, i, SMELT_CHOICES[c])
        if have > most:
            best, most = SMELT_CHOICES[c], have
    return best


@kernel
def _fuel_to_add(worlds: Worlds, i: int, k: int, ingredient: int) -> tuple[bool, int, int]:
    """Return whether there is heat for one item more, and the fuel (item, pieces) to add for it."""
    furnace = worlds.furnaces[i, k]
    loaded = int(furnace.fuel.item)
    need = (furnace.input.count + 1) * TICKS - furnace.cook
    need -= furnace.burn + furnace.fuel.count * FUEL_TICKS[loaded]
    if need <= 0:
        return True, 0, 0
    for c in range(FUEL_ORDER.size):
        fuel = FUEL_ORDER[c]
        if loaded != 0 and loaded != fuel:
            continue
        have = count_item(worlds, i, fuel) - (1 if fuel == ingredient else 0)
        pieces = (need + FUEL_TICKS[fuel] - 1) // FUEL_TICKS[fuel]
        if pieces <= have and furnace.fuel.count + pieces <= STACK_SIZES[fuel]:
            return True, fuel, pieces
    return False, 0, 0


@kernel
def smelt(worlds: Worlds, i: int, product: int) -> bool:
    """Queue one item for `product` in the nearest furnace in reach; tell whether it was queued.

    Takes along as much fuel as all that is queued still needs; without enough fuel, with another
    item in the furnace or with nothing fitting in the pockets nothing happens.
    """
    if SMELT_STARTS[product] == SMELT_STARTS[product + 1]:
        return False
    found, x, y, z = nearest_in_reach(worlds, i, _FURNACE)
    k = _row_of(worlds, i, x, y, z, True) if found else _NONE
    if k == _NONE:
        return False
    furnace = worlds.furnaces[i, k]
    if furnace.output.item != 0 and furnace.output.item != product:
        return False
    ingredient = _ingredient(worlds, i, k, product)
    if ingredient == 0:
        return False
    enough, fuel, pieces = _fuel_to_add(worlds, i, k, ingredient)
    if not enough:
        return False
    remove_items(worlds, i, ingredient, 1)
    set_stack(furnace.input, ingredient, furnace.input.count + 1, 0)
    if pieces > 0:
        remove_items(worlds, i, fuel, pieces)
        set_stack(furnace.fuel, fuel, furnace.fuel.count + pieces, 0)
    return True
