"""Keeps account of pieces that a player threw away, so that no reward pays for them again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from math import ceil
from typing import Final

import numpy as np

from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.types import Event
from optimus_gym.game.items import item, item_names, items
from optimus_gym.game.makings import makings, makings_for
from optimus_gym.game.smelting import smelting

_GONE: Final = frozenset({"eaten", "broken", "lost"})
"""Kinds of events whose own items are gone for good."""
_NEWLY_MADE: Final = frozenset({"crafted", "smelted"})
"""Kinds of events whose items are new pieces, made of ingredients that are gone for good."""

Pieces = Counter[int]
"""Numbers of pieces by item id."""


class Thrown:
    """The pieces that the player of one row has given away in the episode, by item id.

    A piece that leaves the inventory counts as given away: dropped, placed, put into a chest or a furnace, or
    lost at death. Exceptions are pieces that leave while the environment's helper works, and pieces that the
    tick's events use up: a recipe's ingredients, the eaten or broken item itself. A piece in a furnace is
    used up when it has become the product. A piece given away that the player gets again is no new piece; a
    piece that the tick's events made is. Nothing tells a dropped log from another log, so after a drop the
    next log counts as the dropped one.

    Crafting that can be undone uses nothing up: an ingot that was crafted into nuggets counts as given away,
    and an ingot crafted from nuggets may be the same one again.
    """

    def __init__(self) -> None:
        self._owed: Pieces = Counter()

    def note(self, change: EpisodeChange) -> Mapping[int, int]:
        """Note a change, and return how many pieces of each item came back or, below 0, were given away."""
        if change.held is change.before:
            return {}
        difference = change.held - change.before
        left = Counter({k: -int(difference[k]) for k in np.flatnonzero(difference < 0).tolist()})
        given = _turned(change.events, left) if change.helped else left - _used(change.events, left)
        self._owed += given
        if not change.helped:
            self._owed -= _cooked(change.events, self._owed)
        made = _made(change.events)
        back: Pieces = Counter()
        for place in np.flatnonzero(difference > 0).tolist():
            back[place] = min(self._owed[place], max(int(difference[place]) - made[place], 0))
        self._owed -= back
        return {**{place: -pieces for place, pieces in given.items()}, **+back}


def _made(events: Sequence[Event]) -> Pieces:
    """Return the new pieces that events have made; crafting that can be undone makes none."""
    made: Pieces = Counter()
    for event in events:
        undoable = event.kind == "crafted" and event.subject in partners()
        if event.kind in _NEWLY_MADE and not undoable:
            made[item(event.subject).id] += event.count
    return made


def _used(events: Sequence[Event], left: Pieces) -> Pieces:
    """Return the pieces that events have used up, of those that left the inventory."""
    used: Pieces = Counter()
    for event in events:
        if event.kind in _GONE and event.subject in items():
            used += _taken((event.subject,), event.count, left - used)
        elif event.kind == "crafted":
            used += _ingredients(event, left - used)
    return used


def _ingredients(event: Event, left: Pieces) -> Pieces:
    """Return the ingredients of a crafted item among those that left, by the recipe that fits best."""
    best: Pieces = Counter()
    share = 0.0
    for making in makings_for(event.subject):
        batches = ceil(event.count / making.count)
        undoable = partners().get(event.subject, frozenset())
        found: Pieces = Counter()
        for one in making.ingredients:
            choices = [name for name in one.choices if name not in undoable]
            found += _taken(choices, one.count * batches, left - found)
        wanted = batches * sum(one.count for one in making.ingredients)
        if found.total() > share * wanted:
            best, share = found, found.total() / wanted
    return best


def _cooked(events: Sequence[Event], owed: Pieces) -> Pieces:
    """Return the pieces, of those put into furnaces or given away, that have become smelted items."""
    used: Pieces = Counter()
    for event in events:
        if event.kind == "smelted":
            used += _taken(_raw().get(event.subject, ()), event.count, owed - used)
    return used


def _taken(choices: Sequence[str], count: int, pieces: Pieces) -> Pieces:
    """Return at most `count` of some pieces, of the items to choose from."""
    taken: Pieces = Counter()
    for place in (item(name).id for name in choices):
        taken[place] += min(pieces[place], count - taken.total())
    return +taken


def _turned(events: Sequence[Event], left: Pieces) -> Pieces:
    """Return the pieces, of those that left, that were crafted into items that can be crafted back."""
    made = {event.subject for event in events if event.kind == "crafted"}
    return Counter(
        {
            place: pieces
            for place, pieces in left.items()
            if not made.isdisjoint(partners().get(item_names()[place], ()))
        }
    )


@cache
def _raw() -> Mapping[str, Sequence[str]]:
    """Return the items that a furnace turns into an item, by that item."""
    return {row.product: row.choices for row in smelting()}


@cache
def partners() -> Mapping[str, frozenset[str]]:
    """Return the items that an item is crafted from and into, such as the ingot of a nugget, by item."""
    sources: dict[str, set[str]] = {}
    for making in makings():
        kinds = (kind for ingredient in making.ingredients for kind in ingredient.choices)
        sources.setdefault(making.product, set()).update(kinds)
    found = {
        product: frozenset(kind for kind in kinds if product in sources.get(kind, ()))
        for product, kinds in sources.items()
    }
    return {product: kinds for product, kinds in found.items() if kinds}
