"""Tries with the things at hand, and remedies after a failure.

The game's recipe book offers a recipe as soon as the player holds one of its ingredients; the explorer does
not read the other ingredients. A failure names the missing thing, and so the next thing to try.
"""

from collections.abc import Mapping
from typing import Final

from optimus_gym.core.types import Failure, SubGoal, Verb
from optimus_gym.game.smelting import OVENS
from optimus_gym.game.sources import GATHERING
from optimus_gym.game.unlocks import unlocks
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph

_COOKS: Final = frozenset(oven.name for oven in OVENS)
_TAKEN_OUT: Final[Mapping[str, Verb]] = {"missing_station": "place", "missing_tool": "equip"}
"""The verb that makes use of a thing in the bag, by the failure that names the thing as missing."""


def offered(inventory: Mapping[str, int], able: KnowledgeGraph) -> tuple[SubGoal, ...]:
    """Return sub-goals for one piece of each item that the recipe book offers, in the book's order.

    Args:
        inventory: pieces held, by item.
        able: all ways to get items that the environment allows.
    """
    held = {name for name, count in inventory.items() if count}
    found: dict[tuple[Verb, str], None] = {}
    for one in unlocks():
        verb: Verb = "smelt" if one.station in _COOKS else "craft"
        if not held.isdisjoint(one.needs) and _is_able(verb, one.product, able):
            found[verb, one.product] = None
    return tuple(SubGoal(verb, product) for verb, product in found)


def sought(item: str, able: KnowledgeGraph) -> tuple[SubGoal, ...]:
    """Return sub-goals that seek a piece of an item in the world, each verb once."""
    verbs = dict.fromkeys(way.verb for way in able.sources_of(item) if way.verb in GATHERING)
    return tuple(SubGoal(verb, item) for verb in verbs)


def is_missing(failure: Failure) -> bool:
    """Return whether a failure says that a thing is missing."""
    return failure.reason in ("missing_item", "missing_tool", "missing_station")


def remedies(
    failure: Failure,
    inventory: Mapping[str, int],
    able: KnowledgeGraph,
) -> tuple[SubGoal, ...]:
    """Return what may provide the thing that a failure names, the likeliest first.

    A missing station that is in the bag is placed, a missing tool taken in hand. Other things are made if
    the recipe book offers them, or else sought.
    """
    item = failure.item
    if item is None or not is_missing(failure):
        return ()
    if failure.reason in _TAKEN_OUT and inventory.get(item):
        return (SubGoal(_TAKEN_OUT[failure.reason], item),)
    made = tuple(one for one in offered(inventory, able) if one.item == item)
    return made or sought(item, able)


def _is_able(verb: Verb, item: str, able: KnowledgeGraph) -> bool:
    return any(way.verb == verb for way in able.sources_of(item))
