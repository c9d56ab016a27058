"""The script of a craft sub-goal, and the reason if the script cannot craft."""

from collections.abc import Mapping

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.makings import Making, makings_for
from optimus_gym.game.sources import CRAFTING_TABLE

IDLE_TRIES = 3
"""Crafting actions without effect after which the script gives up."""


def craft(hands: Hands, subgoal: SubGoal) -> Script:
    """Craft until `subgoal.count` more of its kinds are held."""
    if not any(makings_for(kind) for kind in subgoal.kinds):
        return Failure("missing_item", subgoal.item, subgoal.count, "no recipe makes it")
    goal = hands.count(subgoal.kinds) + subgoal.count
    idle = 0
    while (left := goal - hands.count(subgoal.kinds)) > 0:
        if not hands.alive():
            return Failure("died", subgoal.item, left)
        held = hands.counts()
        near = hands.stations()
        kind = _craftable(subgoal.kinds, held, near)
        if kind is None:
            return why_not(subgoal.kinds, left, held, near)
        before = held.get(kind, 0)
        yield hands.call(Function.CRAFT, kind)
        idle = idle + 1 if hands.count([kind]) <= before else 0
        if idle > IDLE_TRIES:
            return Failure("stuck", kind, left, "no room in the pockets")
    return None


def _craftable(
    kinds: tuple[str, ...], held: Mapping[str, int], near: tuple[str, ...]
) -> str | None:
    """Return the first kind that can be crafted now, None if none can."""
    for kind in kinds:
        for recipe in makings_for(kind):
            if recipe.station in (None, *near) and not shortfall(recipe, 1, held):
                return kind
    return None


def shortfall(recipe: Making, batches: int, held: Mapping[str, int]) -> dict[str, int]:
    """Return the missing items for some batches of a recipe, each named by the choice that is held most.

    Ingredients with fewer choices are served first, as in the game's tables (`voxel/tables/recipes`).
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


def why_not(
    kinds: tuple[str, ...], left: int, held: Mapping[str, int], near: tuple[str, ...]
) -> Failure:
    """Return why some kinds cannot be crafted: the station if only that is missing, else the item.

    The recipe that lacks least decides. Recipes of a stonecutter or smithing table out of reach are skipped
    if there are others.
    """
    best: tuple[int, Making, dict[str, int]] | None = None
    for kind in kinds:
        ways = makings_for(kind)
        usual = [way for way in ways if way.station in (None, CRAFTING_TABLE, *near)]
        for recipe in usual or ways:
            missing = shortfall(recipe, -(-left // recipe.count), held)
            once = shortfall(recipe, 1, held)
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
