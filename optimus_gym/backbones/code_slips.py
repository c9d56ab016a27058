"""Errors that the backbone `fallible` makes in plans that are calls of code (`prompts.code_plans`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeVar

import numpy as np

from optimus_gym.core.types import ONCE
from optimus_gym.game.sources import CRAFTING_TABLE, FURNACE
from optimus_gym.game.tools import tools
from optimus_gym.prompts.code_plans import Call

TIERS: Final = ("wooden", "stone", "iron", "diamond", "netherite")
OTHER_STATION: Final[Mapping[str, str]] = MappingProxyType(
    {CRAFTING_TABLE: FURNACE, FURNACE: CRAFTING_TABLE}
)
"""The station that an error puts in place of a station."""
Calls = tuple[Call, ...]
_Thing = TypeVar("_Thing")


def with_one_changed(
    things: Sequence[_Thing],
    fits: Callable[[_Thing], bool],
    change: Callable[[_Thing], _Thing],
    chance: np.random.Generator,
) -> list[_Thing]:
    """Return a list with one random thing changed, among the things that `fits` accepts."""
    places = [n for n, thing in enumerate(things) if fits(thing)]
    if not places:
        return list(things)
    chosen = places[int(chance.integers(len(places)))]
    return [change(thing) if n == chosen else thing for n, thing in enumerate(things)]


def other_count(count: int, chance: np.random.Generator) -> int:
    """Return a random count from 1 to twice a count (at least 2), but never the count itself."""
    new = int(chance.integers(1, 2 * count))
    return new + (new >= count)


def lower_tool(item: str) -> str | None:
    """Return the same kind of tool one tier lower, None if there is no such tool.

    >>> lower_tool("iron_axe"), lower_tool("golden_axe"), lower_tool("wooden_axe")
    ('stone_axe', None, None)
    """
    material, _, kind = item.partition("_")
    if item not in tools() or material not in TIERS[1:]:
        return None
    return f"{TIERS[TIERS.index(material) - 1]}_{kind}"


def _lower_call(call: Call) -> Call:
    """Return a call that crafts or uses a tool one tier lower; other calls stay unchanged."""
    made = lower_tool(call.item) if call.verb in ("craft", "equip") else None
    if made is not None:
        return replace(call, item=made)
    used = None if call.tool is None else lower_tool(call.tool)
    return call if used is None else replace(call, tool=used)


def _calls_with_lower_tool(calls: Calls, chance: np.random.Generator) -> Calls:
    def fits(call: Call) -> bool:
        return _lower_call(call) != call

    return tuple(with_one_changed(calls, fits, _lower_call, chance))


def _calls_with_other_station(calls: Calls, chance: np.random.Generator) -> Calls:
    def fits(call: Call) -> bool:
        return call.tool in OTHER_STATION

    def change(call: Call) -> Call:
        assert call.tool is not None, "only calls at a station are changed"
        return replace(call, tool=OTHER_STATION[call.tool])

    return tuple(with_one_changed(calls, fits, change, chance))


def _calls_with_other_count(calls: Calls, chance: np.random.Generator) -> Calls:
    def change(call: Call) -> Call:
        return replace(call, count=other_count(call.count, chance))

    return tuple(with_one_changed(calls, lambda call: call.verb not in ONCE, change, chance))


def _calls_without_one(calls: Calls, chance: np.random.Generator) -> Calls:
    gone = int(chance.integers(len(calls)))
    return calls[:gone] + calls[gone + 1 :]


CODE_SLIPS: Final[Mapping[str, Callable[[Calls, np.random.Generator], Calls]]] = MappingProxyType(
    {
        "tier": _calls_with_lower_tool,
        "station": _calls_with_other_station,
        "count": _calls_with_other_count,
        "missing": _calls_without_one,  # comes last, so that the other errors see the whole plan
    }
)
"""The errors of a plan in code, by the error's name: each changes one call, or leaves one out."""
