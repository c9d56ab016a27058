"""What the rules know of the game without a knowledge graph: how the first day goes (`data/starter.json`)."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from optimus_gym.prompts.words import kinds_of


@dataclass(frozen=True, slots=True)
class Way:
    """How something is got.

    Attributes:
        item: what, or a word for any of a kind ("log").
        verb: "mine" or "craft".
        gives: pieces of a batch.
        uses: pieces that a batch uses up.
        station: what must be in reach, or None.
        tool: the weakest tool that does it, or None.
    """

    item: str
    verb: str
    gives: int
    uses: Mapping[str, int] = field(default_factory=dict)
    station: str | None = None
    tool: str | None = None


@cache
def starter() -> Mapping[str, Way]:
    """Return what is known by what it gives; each after what it rests on."""
    text = files("optimus_gym.backbones.data").joinpath("starter.json").read_text("utf-8")
    return MappingProxyType({row["item"]: Way(**row) for row in json.loads(text)["ways"]})


def steps_to(
    item: str, count: int, inventory: Mapping[str, int], stations: tuple[str, ...]
) -> tuple[dict[str, Any], ...] | None:
    """Return the rows of steps (`prompts.lines`) to something, or None if nobody told how it is got.

    Args:
        item: its name.
        count: how many must be held.
        inventory: pieces held, by item.
        stations: in reach.

    >>> [(row["verb"], row["count"], row["item"]) for row in steps_to("stick", 4, {"oak_log": 1}, ())]
    [('craft', 2, 'planks'), ('craft', 4, 'stick')]
    """
    ways = starter()
    if item not in ways:
        return None
    wanted = Counter({item: count})
    short: dict[str, int] = {}
    for name in reversed(list(ways)):
        way = ways[name]
        held = sum(inventory.get(kind, 0) for kind in kinds_of(name)) + (name in stations)
        left = wanted[name] - held
        if left <= 0:
            continue
        short[name] = left
        for used, pieces in way.uses.items():
            wanted[used] += pieces * -(-left // way.gives)
        for needed in (way.station, way.tool):
            if needed is not None:
                wanted[needed] = max(wanted[needed], 1)
    return tuple(_row(ways[name], short[name]) for name in ways if name in short)


def _row(way: Way, count: int) -> dict[str, Any]:
    batches = -(-count // way.gives)
    return {
        "verb": way.verb,
        "item": way.item,
        "count": count,
        "tool": way.tool,
        "station": way.station,
        "uses": {name: pieces * batches for name, pieces in way.uses.items()},
        "holds": (),
        "creature": None,
        "place": None,
    }
