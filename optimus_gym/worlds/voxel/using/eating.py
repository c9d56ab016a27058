"""Eating and drinking the held item, by holding the use key.

Reference: Minecraft Wiki, "Food" (eating), "Hunger" (food and saturation levels), "Milk Bucket".
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.effects import EFFECTS, end_effect, give_effect
from optimus_gym.worlds.voxel.player.vitals import MOST_FOOD
from optimus_gym.worlds.voxel.state.chance import fraction
from optimus_gym.worlds.voxel.state.events import emit
from optimus_gym.worlds.voxel.state.worlds import EATEN, USED, Worlds
from optimus_gym.worlds.voxel.tables.foods import FOOD_EFFECTS, FOODS
from optimus_gym.worlds.voxel.things.drops import drop_from_player
from optimus_gym.worlds.voxel.things.inventory import (
    add_items,
    held_item,
    set_stack,
    take_from_slot,
)


@kernel
def goes_on_eating(worlds: Worlds, i: int, pressed: bool) -> bool:
    """Return whether the use key is down and the food of the meal still held; if not, end the meal."""
    needs = worlds.needs[i]
    if pressed and needs.meal != 0 and needs.meal == held_item(worlds, i):
        return True
    stop_eating(worlds, i)
    return False


@kernel
def stop_eating(worlds: Worlds, i: int) -> None:
    """End the player's meal, if any, so that the next meal takes its full time again."""
    worlds.needs[i].meal, worlds.needs[i].chewed = 0, 0


@kernel
def eat(worlds: Worlds, i: int) -> None:
    """Eat the held item for one tick, if the player can eat it now."""
    p, needs = worlds.players[i], worlds.needs[i]
    item = held_item(worlds, i)
    food = FOODS[item]
    if needs.meal == 0:
        full = p.food >= MOST_FOOD and not food.always
        if not worlds.rules[i].survival or food.ticks == 0 or full:
            return
        needs.meal = item
    elif p.use_wait > 0:
        p.use_wait -= 1
    needs.chewed += 1
    if needs.chewed >= food.ticks:
        needs.meal, needs.chewed = 0, 0
        _swallow(worlds, i, item)


@kernel
def _swallow(worlds: Worlds, i: int, item: int) -> None:
    """Add food, saturation and effects of one held piece to the player, and use the piece up."""
    p = worlds.players[i]
    food = FOODS[item]
    p.food = min(p.food + food.points, MOST_FOOD)
    p.saturation = min(p.saturation + food.saturation, p.food)
    for effect in range(EFFECTS):
        if food.cures >> effect & 1:
            end_effect(worlds, i, effect)
    for k in range(food.first, food.end):
        row = FOOD_EFFECTS[k]
        if row.chance >= 1.0 or fraction(worlds, i) < row.chance:
            give_effect(worlds, i, row.effect, row.ticks, row.level)
    take_from_slot(worlds, i, p.hotbar, 1)
    if food.left != 0:
        _leave(worlds, i, food.left)
    emit(worlds, i, USED, item, 1)
    emit(worlds, i, EATEN, item, 1)


@kernel
def _leave(worlds: Worlds, i: int, item: int) -> None:
    """Put the bowl, bottle or bucket that a meal leaves into the hand, else a slot, else at the feet."""
    stack = worlds.slots[i, worlds.players[i].hotbar]
    if stack.item == 0:
        set_stack(stack, item, 1, 0)
    elif add_items(worlds, i, item, 1, 0) > 0:
        drop_from_player(worlds, i, item, 1, 0)
