"""Events of a tick, from the differences between two reports of the game.

The game counts since the episode's beginning what a player mined, crafted, used and so on; a grown count is
an event. The game tells no source of damage: the events "hurt" and "died" name the likeliest one, and are
left out where none is likely. A used tool is no event, since the game counts each stroke of a tool.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from math import ceil
from typing import Final

from optimus_gym.core.types import Event
from optimus_gym.game.foods import foods
from optimus_gym.game.hurts import hurts
from optimus_gym.game.items import items
from optimus_gym.game.smelting import smelting
from optimus_gym.game.things import things
from optimus_gym.worlds.malmo.reports import Report

_KINDS: Final = {
    "mine_block": "mined",
    "pickup": "picked_up",
    "craft_item": "crafted",
    "use_item": "used",
    "break_item": "broken",
    "kill_entity": "killed",
}
"""For groups of statistics, the kind of event that a grown count is."""
_DAMAGE: Final = "damage_taken"
_DAMAGE_UNIT: Final = 10
"""Parts of a half-heart in which the game counts damage; Minecraft Wiki, "Statistics"."""
_FALL: Final = "fall_one_cm"
_LEAST_FALL: Final = 300
"""Centimetres of the shortest fall that hurts."""
_DEATHS: Final = "deaths"


def has_died(before: Report, after: Report) -> bool:
    """Return whether a player died between two reports, even if the game has revived it."""
    life = after.life
    return not life.alive or life.health <= 0 or _grown("custom", before, after)[_DEATHS] > 0


def events_between(before: Report, after: Report, died: bool) -> tuple[Event, ...]:
    """Return the events between two reports of one episode.

    Args:
        before: the earlier report.
        after: the later report.
        died: whether the player died in between.
    """
    return (*_counted(before, after), *_harm(before, after, died))


def _grown(group: str, before: Report, after: Report) -> "Counter[str]":
    """Return by how much the counts of a group of statistics have grown, by name."""
    old, grown = before.statistics.get(group, {}), Counter[str]()
    for name, count in after.statistics.get(group, {}).items():
        more = count - old.get(name, 0)
        if more > 0:
            grown[name] = more
    return grown


def _counted(before: Report, after: Report) -> Iterator[Event]:
    """Yield the events that the game counts by name."""
    for group, kind in _KINDS.items():
        for name, count in sorted(_grown(group, before, after).items()):
            if name not in _subjects():
                continue
            if kind == "crafted" and name in _smelted():
                yield Event("smelted", name, count)
            elif kind != "used":
                yield Event(kind, name, count)
            elif name in items() and items()[name].max_durability == 0:
                yield Event("used", name, count)
                if name in foods():
                    yield Event("eaten", name, count)


def _harm(before: Report, after: Report, died: bool) -> Iterator[Event]:
    """Yield the events "hurt" and "died"."""
    counted = _grown("custom", before, after)
    half_hearts = counted[_DAMAGE] / _DAMAGE_UNIT or max(
        before.life.health - after.life.health, 0.0
    )
    if half_hearts <= 0 and not died:
        return
    cause = _cause(before, after, counted)
    if cause is None:
        return
    if half_hearts > 0:
        yield Event("hurt", cause, ceil(half_hearts))
    if died:
        yield Event("died", cause, 1)


def _cause(before: Report, after: Report, counted: Mapping[str, int]) -> str | None:
    """Return the likeliest source of damage (`game.hurts`), or None."""
    killers = [
        name for name in sorted(_grown("entity_killed_by", before, after)) if name in hurts()
    ]
    if killers:
        return killers[0]
    if counted.get(_FALL, 0) >= _LEAST_FALL:
        return "fall"
    if before.location.y < 0 or after.location.y < 0:
        return "void"
    if after.life.air <= 0:
        return "drowning"
    return "starvation" if before.life.food <= 0 else None


def merged(first: tuple[Event, ...], second: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events of two lists, those of one kind and subject as one.

    >>> merged((Event("mined", "stone", 1),), (Event("mined", "stone", 2),))
    (Event(kind='mined', subject='stone', count=3),)
    """
    sums = Counter[tuple[str, str]]()
    for event in (*first, *second):
        sums[event.kind, event.subject] += event.count
    return tuple(Event(*key, count) for key, count in sums.items())


@cache
def _subjects() -> frozenset[str]:
    return frozenset(things())


@cache
def _smelted() -> frozenset[str]:
    """Return the items that an oven makes; the game counts them as crafted."""
    return frozenset(recipe.product for recipe in smelting())
