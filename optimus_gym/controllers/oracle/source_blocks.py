"""Which blocks drop an item, and which tool these blocks need."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.game.loot import drops_of, sources_of
from optimus_gym.game.tools import cheapest_tool, harvests, tool, tools

RARE = 0.4
"""Mean number of dropped pieces below which a block is a source only if no better block drops the item."""
FURTHER_IF_RARE = 8.0
"""Extra distance in blocks for each further block that must be dug, on average, to get one piece."""


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A block that drops a wanted item."""

    block: str
    mean: float
    """Expected number of pieces of the wanted items from one block."""


@cache
def source_blocks(kinds: tuple[str, ...]) -> tuple[SourceBlock, ...]:
    """Return the blocks that drop given items when dug by hand or the cheapest tool, best yield first."""
    means: dict[str, float] = {}
    for kind in kinds:
        for name in sources_of(kind):
            needed = cheapest_tool(name)
            mean = sum(
                drop.mean
                for drop in drops_of(name, tool(needed).kind if needed else None)
                if drop.item == kind
            )
            if mean > 0.0:
                means[name] = means.get(name, 0.0) + mean
    found = [SourceBlock(name, mean) for name, mean in means.items()]
    return tuple(sorted(found, key=lambda source: (-source.mean, block(source.block).id)))


def diggable(kinds: tuple[str, ...], held: Iterable[str]) -> tuple[SourceBlock, ...]:
    """Return the blocks that drop the given items when dug with a held tool or the hand, best yield first."""
    names = (None, *held)
    return tuple(s for s in source_blocks(kinds) if any(harvests(s.block, name) for name in names))


def needed_tool(kinds: tuple[str, ...]) -> str | None:
    """Return the weakest tool that gets the given items from any block, None if the hand is enough."""
    able = [cheapest_tool(source.block) for source in source_blocks(kinds)]
    if not able or None in able:
        return None
    return min((name for name in able if name), key=lambda name: (tool(name).tier, name))


def is_held(wanted: str, held: Iterable[str]) -> bool:
    """Return whether a tool as good as `wanted` is among the items held."""
    known = tools()
    if wanted not in known:
        return wanted in set(held)
    least = known[wanted]
    return any(
        known[name].kind == least.kind and known[name].tier >= least.tier
        for name in held
        if name in known
    )


def wanted_blocks(found: tuple[SourceBlock, ...]) -> NDArray[np.float64]:
    """Return the array `wanted` for `scan.find_blocks`.

    Blocks that drop fewer pieces than `RARE` on average are left out, unless all blocks drop fewer.
    """
    table = np.zeros(1024)
    common = tuple(source for source in found if source.mean >= RARE) or found
    for source in common:
        table[block(source.block).id] = 0.01 + FURTHER_IF_RARE * max(0.0, 1.0 / source.mean - 1.0)
    return table
