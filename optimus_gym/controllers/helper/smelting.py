"""The script of a smelt sub-goal: queue everything, wait, and report what is missing."""

from collections.abc import Iterator

from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import Function
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.game.smelting import fuel_preference, fuels, ovens_for, smelting_for

TICKS = 200
"""Ticks that one item takes (Minecraft Wiki, "Smelting")."""
GRACE = 60
"""Ticks to wait beyond the smelting time."""


def smelt(hands: Hands, subgoal: SubGoal) -> Script:
    """Smelt until `subgoal.count` more of its item are held."""
    product = subgoal.item
    inputs = tuple(dict.fromkeys(_inputs(product)))
    if not inputs:
        return Failure("missing_item", product, subgoal.count, "nothing smelts to it")
    goal = hands.count([product]) + subgoal.count
    queued, patience = 0, GRACE
    while (left := goal - hands.count([product])) > 0:
        if not hands.alive():
            return Failure("died", product, left)
        made = subgoal.count - left
        if queued < subgoal.count and queued - made < left:
            before = hands.count(inputs)
            if before or queued <= made:
                yield hands.call(Function.SMELT, product)
                if hands.count(inputs) < before:
                    queued += 1
                    patience += TICKS
                    continue
                if queued <= made:
                    return _why_not(hands, product, inputs, left)
        patience -= 1
        if patience < 0:
            return _why_not(hands, product, inputs, left)
        yield hands.fresh()
    return None


def _inputs(product: str) -> Iterator[str]:
    for recipe in smelting_for(product):
        yield from recipe.choices


def _why_not(hands: Hands, product: str, inputs: tuple[str, ...], left: int) -> Failure:
    """Return why smelting does not go on: oven, ingredient or fuel.

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
    if heat < left * TICKS:
        pieces = -(-(left * TICKS) // fuels()[fuel])
        return Failure("missing_item", fuel, pieces, "fuel")
    return Failure("stuck", product, left, "the oven holds something else")
