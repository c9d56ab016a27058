"""The scripts of craft, smelt and equip sub-goals, which call the world's functions again and again."""

from collections.abc import Mapping

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.items import item
from optimus_gym.game.makings import Making, makings_for
from optimus_gym.game.smelting import (
    SMELTING_TICKS,
    fuel_preference,
    fuels,
    ovens_for,
    smelting_for,
)
from optimus_gym.game.sources import CRAFTING_TABLE

_IDLE_CRAFTS = 3
"""Maximum number of craft actions in a row without effect; after more, the script gives up."""
_SPARE_TICKS = 60
"""Ticks to wait for smelted items beyond the smelting time."""
_EQUIP_TRIES = 5
"""Number of equip actions after which the script gives up."""


def craft_by_function(hands: Hands, subgoal: SubGoal) -> Script:
    """Craft until `subgoal.count` more pieces of the sub-goal's items are held."""
    if not any(makings_for(kind) for kind in subgoal.kinds):
        return Failure("missing_item", subgoal.item, subgoal.count, "no recipe makes it")
    goal = hands.count(subgoal.kinds) + subgoal.count
    idle, made = 0, None
    while (left := goal - hands.count(subgoal.kinds)) > 0:
        if not hands.alive():
            return Failure("died", subgoal.item, left)
        held = hands.counts()
        near = hands.stations()
        kind = _craftable(subgoal.kinds, held, near)
        if kind is None:
            return why_not_crafted(subgoal.kinds, left, held, near)
        before = held.get(kind, 0)
        action = hands.call(Function.CRAFT, kind)
        if made is None:
            hands.swing(action)
        yield action
        made = kind
        idle = idle + 1 if hands.count([kind]) <= before else 0
        if idle > _IDLE_CRAFTS:
            return Failure("stuck", kind, left, "no room in the inventory")
    if made is not None:
        yield from hands.show(made)
    return None


def _craftable(
    kinds: tuple[str, ...], held: Mapping[str, int], near: tuple[str, ...]
) -> str | None:
    """Return the first of the wanted items that can be crafted now, None if none can."""
    for kind in kinds:
        for recipe in makings_for(kind):
            if recipe.station in (None, *near) and not _shortfall(recipe, 1, held):
                return kind
    return None


def _shortfall(recipe: Making, batches: int, held: Mapping[str, int]) -> dict[str, int]:
    """Return the missing items, with their counts, for `batches` batches of a recipe.

    If an ingredient has alternatives, the result names the alternative that the player holds most of. Held
    items go first to the ingredients with the fewest alternatives, as in `voxel/tables/recipes`.
    """
    left = dict(held)
    missing: dict[str, int] = {}
    for part in sorted(recipe.ingredients, key=lambda part: len(part.choices)):
        need = part.count * batches
        for name in sorted(part.choices, key=lambda name: -left.get(name, 0)):
            taken = min(need, left.get(name, 0))
            left[name] = left.get(name, 0) - taken
            need -= taken
        if need:
            name = max(part.choices, key=lambda name: held.get(name, 0))
            missing[name] = missing.get(name, 0) + need
    return missing


def why_not_crafted(
    kinds: tuple[str, ...], left: int, held: Mapping[str, int], near: tuple[str, ...]
) -> Failure:
    """Return why no wanted item can be crafted: a missing item or, if none, a missing station.

    The recipe with the fewest missing items gives the reason. Recipes for a stonecutter or smithing table out
    of reach count only if no other recipe makes the item.
    """
    best: tuple[int, Making, dict[str, int]] | None = None
    for kind in kinds:
        ways = makings_for(kind)
        usual = [way for way in ways if way.station in (None, CRAFTING_TABLE, *near)]
        for recipe in usual or ways:
            missing = _shortfall(recipe, -(-left // recipe.count), held)
            once = _shortfall(recipe, 1, held)
            lack = sum(once.values()) or 0
            if best is None or lack < best[0]:
                best = (lack, recipe, missing)
    assert best is not None, "there is a recipe"
    lack, recipe, missing = best
    if lack == 0 and recipe.station is not None and recipe.station not in near:
        detail = f"{recipe.product} needs a {recipe.station} in reach"
        return Failure("missing_station", recipe.station, 1, detail)
    name, count = max(missing.items(), key=lambda entry: entry[1])
    also = ", ".join(f"{n} {what}" for what, n in missing.items())
    return Failure("missing_item", name, count, f"{recipe.product} lacks {also}")


def smelt_by_function(hands: Hands, subgoal: SubGoal) -> Script:
    """Smelt until `subgoal.count` more pieces of the sub-goal's item are held."""
    product = subgoal.item
    inputs = smelting_inputs(product)
    if not inputs:
        return Failure("missing_item", product, subgoal.count, "no smelting recipe makes it")
    goal = hands.count([product]) + subgoal.count
    queued, patience = 0, _SPARE_TICKS
    while (left := goal - hands.count([product])) > 0:
        if not hands.alive():
            return Failure("died", product, left)
        made = subgoal.count - left
        if queued < subgoal.count and queued - made < left:
            before = hands.count(inputs)
            if before or queued <= made:
                action = hands.call(Function.SMELT, product)
                if queued == 0:
                    hands.swing(action)
                yield action
                if hands.count(inputs) < before:
                    queued += 1
                    patience += SMELTING_TICKS
                    continue
                if queued <= made:
                    return why_not_smelted(hands, product, inputs, left)
        patience -= 1
        if patience < 0:
            return why_not_smelted(hands, product, inputs, left)
        yield hands.fresh()
    yield from hands.show(product)
    return None


def smelting_inputs(product: str) -> tuple[str, ...]:
    """Return the items that an oven makes into a product, each once; empty for most products."""
    choices = [name for recipe in smelting_for(product) for name in recipe.choices]
    return tuple(dict.fromkeys(choices))


def why_not_smelted(hands: Hands, product: str, inputs: tuple[str, ...], left: int) -> Failure:
    """Return what smelting lacks: an oven in reach, an ingredient or fuel.

    A world does not report why a function did nothing (`core.interfaces.World`), so the reason comes from
    the items held and the stations in reach.
    """
    furnace = ovens_for(product)[-1]
    if not set(ovens_for(product)) & set(hands.stations()):
        return Failure("missing_station", furnace, 1, f"{product} needs a {furnace} in reach")
    held = hands.count(inputs)
    if held == 0:
        return Failure("missing_item", inputs[0], left, f"to smelt to {product}")
    heat = sum(fuels().get(name, 0) * count for name, count in hands.counts().items())
    fuel = fuel_preference()[0]
    if heat < left * SMELTING_TICKS:
        pieces = -(-(left * SMELTING_TICKS) // fuels()[fuel])
        return Failure("missing_item", fuel, pieces, "fuel")
    return Failure("stuck", product, left, "the oven holds something else")


def equip_by_function(hands: Hands, subgoal: SubGoal) -> Script:
    """Take one of the sub-goal's items in hand, or wear it if it is armour."""
    for _ in range(_EQUIP_TRIES):
        if is_on(hands, subgoal.kinds):
            return None
        name = next((kind for kind in subgoal.kinds if hands.count([kind])), None)
        if name is None:
            return Failure("missing_item", subgoal.item, 1, "not held")
        yield hands.call(Function.EQUIP, name)
    if is_on(hands, subgoal.kinds):
        return None
    return Failure("stuck", subgoal.item, 1, "cannot be taken in hand")


def is_on(hands: Hands, kinds: tuple[str, ...]) -> bool:
    """Return whether one of the items `kinds` is worn, or is in hand and not armour."""
    hand, worn = hands.hand(), hands.worn()
    return any(name in worn or (name == hand and not item(name).armour) for name in kinds)
