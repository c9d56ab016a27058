"""Functions of MineRL 0.4.4 (craft, smelt, equip, place by name) as functions of a world.

A world carries out one function in a tick. If a step has several, the first possible one counts, in the
order of `wire_actions.FUNCTIONS`. A name of Minecraft 1.11 may mean several items ("planks"): the first that
is possible counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from optimus_gym.core.actions import Function
from optimus_gym.game.items import item
from optimus_gym.game.recipes import recipes_for
from optimus_gym.game.smelting import smelting_for
from optimus_gym.worlds.malmo.hosting.meant_names import meant_items
from optimus_gym.worlds.malmo.reports import AIR_NAME
from optimus_gym.worlds.malmo.wire_actions import FUNCTIONS

_TABLE: Final = "crafting_table"
_FURNACE: Final = "furnace"
_MEANINGS: Final = {
    "place": Function.PLACE,
    "equip": Function.EQUIP,
    "craft": Function.CRAFT,
    "craftNearby": Function.CRAFT,
    "smeltNearby": Function.SMELT,
}
"""For each word of `FUNCTIONS`, the function of worlds."""


@dataclass(frozen=True, slots=True)
class Means:
    """The means of a player for functions: pieces by item, and the stations in reach."""

    held: Mapping[str, int]
    stations: Sequence[str]


def chosen_function(
    functions: tuple[tuple[str, str], ...], means: Means
) -> tuple[Function, int] | None:
    """Return the function and the item id that a tick carries out; None if nothing is possible.

    >>> means = Means({"birch_log": 1}, ())
    >>> function, wanted = chosen_function((("craft", "planks"),), means)
    >>> function.name, wanted == item("birch_planks").id
    ('CRAFT', True)
    """
    wanted = dict(functions)
    for word in FUNCTIONS:
        for name in meant_items(wanted.get(word, AIR_NAME), old=True):
            if _is_possible(word, name, means):
                return _MEANINGS[word], item(name).id
    return None


def wants_bare_hand(functions: tuple[tuple[str, str], ...]) -> bool:
    """Return whether a step asks for an empty hand, which the game gives by an empty slot.

    >>> wants_bare_hand((("equip", "air"),))
    True
    """
    return dict(functions).get("equip") == AIR_NAME


def _is_possible(word: str, name: str, means: Means) -> bool:
    """Return whether a player can carry out a function on an item of 1.16 with what is there."""
    if word in ("place", "equip"):
        return means.held.get(name, 0) > 0
    if word == "craftNearby" and _TABLE not in means.stations:
        return False
    if word == "smeltNearby":
        return _FURNACE in means.stations and any(
            means.held.get(choice, 0) for way in smelting_for(name) for choice in way.choices
        )
    return any(
        (not recipe.table or _TABLE in means.stations)
        and all(
            sum(means.held.get(choice, 0) for choice in part.choices) >= part.count
            for part in recipe.ingredients
        )
        for recipe in recipes_for(name)
    )
