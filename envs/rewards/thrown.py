"""Keeps account of pieces that a player threw away, so that no reward pays for them again."""

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np

from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.game.items import item_names
from optimus_gym.game.makings import makings

USED_UP: Final = frozenset({"crafted", "smelted", "eaten", "broken", "lost"})
"""Kinds of events that use pieces up; such pieces cannot come back."""
NEWLY_MADE: Final = frozenset({"crafted", "smelted"})
"""Kinds of events whose items are new pieces."""

Pieces = dict[int, int]
"""Numbers of pieces by item id."""


class Thrown:
    """The pieces that the player of one row has given away in the episode, by item id.

    A piece that leaves the inventory counts as given away: dropped, placed, put into a chest, or lost at
    death. Exceptions are pieces that leave while the environment's helper works, and pieces that leave in a
    tick with an event of `USED_UP`. A piece given away that the player gets again is no new piece; a piece
    that is crafted or smelted is. Nothing tells a dropped log from another log, so after a drop the next log
    counts as the dropped one.

    Crafting that can be undone uses nothing up: an ingot that was crafted into nuggets counts as given away,
    and an ingot crafted from nuggets may be the same one again.
    """

    def __init__(self) -> None:
        self._owed: Pieces = {}

    def note(self, change: EpisodeChange) -> Pieces:
        """Note a change, and return how many pieces of each item came back or, below 0, were given away."""
        if change.held is change.before:
            return {}
        difference = change.held - change.before
        made = {(event.kind, event.subject) for event in change.events if event.kind in NEWLY_MADE}
        turned = {subject for kind, subject in made if kind == "crafted" and subject in partners()}
        kept = change.helped or any(event.kind in USED_UP for event in change.events)
        moved: dict[int, int] = {}
        for place in np.flatnonzero(difference < 0).tolist():
            if not kept or not turned.isdisjoint(partners().get(item_names()[place], ())):
                moved[place] = int(difference[place])
        new = {subject for _, subject in made} - turned
        for place in np.flatnonzero(difference > 0).tolist():
            pieces = min(self._owed.get(place, 0), int(difference[place]))
            if pieces and item_names()[place] not in new:
                moved[place] = pieces
        for place, pieces in moved.items():
            self._owed[place] = self._owed.get(place, 0) - pieces
        return moved


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
