"""Looking for wanted blocks that no told land holds: ask farther, then walk, or dig down to their height."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from types import MappingProxyType

from optimus_gym.controllers.oracle.roaming import Walk
from optimus_gym.controllers.script import Steps
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner
from optimus_gym.core.world_powers import FARTHEST_ASKED
from optimus_gym.game.ores import ore_rules

_NEARBY = ((1, 6, 10), (2, 10, 24))
"""Surveys of the land about the player, in order: chunks around, blocks down, blocks up."""
_DEEP = ((1, FARTHEST_ASKED, 10), (2, FARTHEST_ASKED, 24))
"""Surveys that also see deep into the ground, for blocks of veins."""
_FAR = ((3, 10, 24),)
"""Surveys before the player walks away."""
_SEES = 40
"""Blocks above a vein's greatest height from which a survey of the ground still sees such veins."""


def look_for(
    walk: Walk[SightedMiner], is_seen: Callable[[], bool], sources: Collection[str] = ()
) -> Steps:
    """Ask for more land until a wanted thing is seen, else walk a leg; return False if neither helped.

    Args:
        walk: the player's walk.
        is_seen: a function that returns whether the mirror holds a wanted thing.
        sources: names of the wanted blocks; empty for creatures, which move, so that told land is asked for
            again.
    """
    miner = walk.miner
    heights = vein_heights(sources)
    for radius, down, up in (*_NEARBY, *(_DEEP if heights else ()), *_FAR):
        yield from miner.look_around(radius, down, up, again=not sources)
        if is_seen():
            return True
    below = heights is not None and miner.feet()[0][1] - _SEES > heights[1]
    return (yield from walk.leg(heights[1] if heights is not None and below else None))


def vein_heights(names: Iterable[str]) -> tuple[int, int] | None:
    """Return the least and greatest height of the veins of some blocks; None if one is in no vein.

    >>> vein_heights(["diamond_ore"])
    (0, 15)
    """
    found = [_heights().get(name) for name in names]
    if not found or None in found:
        return None
    known = [pair for pair in found if pair is not None]
    return min(low for low, _ in known), max(high for _, high in known)


@cache
def _heights() -> Mapping[str, tuple[int, int]]:
    """Return the least and greatest height of each block of veins."""
    table: dict[str, tuple[int, int]] = {}
    for rule in ore_rules():
        low, high = table.get(rule.block, (rule.low, rule.high))
        table[rule.block] = min(low, rule.low), max(high, rule.high)
    return MappingProxyType(table)
