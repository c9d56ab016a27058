"""The game's ways to get a goal's items, as calls of code: what a large model knows by heart.

A request that lists these ways lets a backbone plan that knows no recipes. The ways have no amounts that the
goal takes and no order of doing: these come from the knowledge graph, which is Optimus-1's mechanism.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import items
from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.sources import Need, Source
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.pockets import TooMuch
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.minds.completion import place_in_words
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.words import COLLECTIVES, in_words, kinds_of, word_for

OTHER_WAYS: Final = 1
"""Maximum number of further ways to each item in a request: our choice."""
SLOWEST_WAY: Final = 6_000.0
"""Expected ticks of a piece above which a further way is left out: our choice, five minutes."""
SCARCE: Final = 0.2
"""Mean yield below which a further way is left out (sticks from leaves): our choice."""
COMMON_FUELS: Final = ("planks", "coal", "charcoal")
"""Fuels in requests; a collective word stands for its first item."""
_FUEL_ITEMS: Final[Mapping[str, str]] = {"planks": "oak_planks"}
NO_PIECES: Final[Mapping[str, int]] = MappingProxyType({})
_KEPT: Final = 256


class Cookbook:
    """Tells the ways to a goal's items that an environment allows.

    Args:
        graph: the game's ways that the environment allows.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph
        self._ways = lru_cache(_KEPT)(self._find)

    def ways(self, goal: SubGoal, held: Mapping[str, int] = NO_PIECES) -> tuple[Call, ...]:
        """Return the ways on the cheapest way from nothing to a goal, and quick other ways to its items.

        If empty hands cannot reach the goal, the ways lead from the held pieces to it. The result is empty if
        no way leads to the goal.

        Args:
            goal: the goal.
            held: pieces held, by item.
        """
        return self._ways(goal.kinds) or self._find(goal.kinds, goal.count, held)

    @staticmethod
    def fuel(ways: Sequence[Call]) -> dict[str, int]:
        """Return how many pieces one piece of each common fuel smelts; empty if no way smelts."""
        if not any(way.verb == "smelt" for way in ways):
            return {}
        ticks = ((name, fuels()[_FUEL_ITEMS.get(name, name)]) for name in COMMON_FUELS)
        return {name: int(burns // SMELTING_TICKS) for name, burns in ticks}

    def _find(
        self, kinds: tuple[str, ...], count: int = 1, held: Mapping[str, int] = NO_PIECES
    ) -> tuple[Call, ...]:
        found = (self._needed(kind, count, held) for kind in kinds)
        needed = [one for one in found if one is not None]
        if not needed:
            return ()
        steps = min(needed, key=lambda one: one.ticks).steps
        names = {word_for(step.item, step.kinds) for step in steps}
        ways = [self._way_of(step, names) for step in steps]
        for name in COMMON_FUELS if any(step.verb == "smelt" for step in steps) else ():
            if all(way.item != name for way in ways):
                ways += self._others(name, (name,), ways)
        for step in steps:
            ways += self._others(word_for(step.item, step.kinds), step.kinds, ways)
        return tuple(ways)

    def _needed(self, kind: str, count: int, held: Mapping[str, int]) -> Requirements | None:
        if kind not in items():
            return None
        try:
            return self._graph.requirements(kind, count, held)
        except (Unobtainable, TooMuch):
            return None

    def _way_of(self, step: Step, names: Collection[str]) -> Call:
        """Return the way of a step of the cheapest plan."""
        sources = [one for one in self._graph.sources_of(step.item) if _is_of(one, step)]
        used = {kind for use in step.uses for kind in use.kinds}
        fits = (one for one in sources if all(used & {*need.choices} for need in one.needs))
        word = word_for(step.item, step.kinds)
        return _way(next(fits, sources[0]), word, names, is_any=len(step.kinds) > 1)

    def _others(self, word: str, kinds: tuple[str, ...], known: Sequence[Call]) -> Iterator[Call]:
        """Yield quick ways to an item that are not known yet and whose inputs are known or lie around."""
        names = {way.item for way in known}
        sources = (one for kind in kinds for one in self._graph.sources_of(kind))
        told = 0
        for source in sorted(sources, key=_price):
            way = _way(source, word, names, is_any=len(kinds) > 1)
            if told == OTHER_WAYS or _price(source) > SLOWEST_WAY or word in way.inputs:
                return
            if source.yields < SCARCE or any(_is_like(way, one) for one in known):
                continue
            missing = [name for name in way.inputs if name not in names]
            around = [self._gathered(name) for name in missing]
            if all(one is not None for one in around):
                told += 1
                yield way
                yield from (one for one in around if one is not None)

    def _gathered(self, item: str) -> Call | None:
        """Return the quickest way to gather an item with bare hands, None if there is none."""
        if item not in items():
            return None
        bare = [one for one in self._graph.sources_of(item) if one.gathered and not one.inputs]
        best = min(bare, key=_price, default=None)
        return None if best is None or _price(best) > SLOWEST_WAY else _way(best, item)


def _is_of(source: Source, step: Step) -> bool:
    same = (source.tool, source.station, source.creature)
    return source.verb == step.verb and same == (step.tool, step.station, step.creature)


def _is_like(way: Call, other: Call) -> bool:
    """Return whether two ways differ in nothing but the kind of ingredient or the place."""
    if (way.verb, way.item, way.tool) != (other.verb, other.item, other.tool):
        return False
    return len(way.materials) == len(other.materials)


def _price(source: Source) -> float:
    return source.first + source.ticks / source.yields


def _way(source: Source, word: str, names: Collection[str] = (), is_any: bool = False) -> Call:
    """Return a source as a call for one batch.

    Args:
        source: the way to get an item.
        word: the item, or the collective word for it.
        names: the words of the plan's steps, which the materials take over.
        is_any: whether the word means items of several kinds, so that the block is left out.
    """
    count = 1 if source.gathered else max(int(source.yields), 1)
    place = place_in_words(source.place)
    thing = source.creature or ("" if is_any else source.block or "")
    note = f"from {in_words(thing)}" if thing else ""
    note += f", {place}" if note and place is not None else ""
    materials = {_word(need, is_any, names): need.count for need in source.needs}
    holds = dict.fromkeys(source.holds, 1)
    return Call(source.verb, word, count, materials, source.tool or source.station, holds, note)


def _word(need: Need, is_any: bool, names: Collection[str]) -> str:
    """Return the word for a need's items: a word of the plan's steps, or else a collective word.

    Args:
        need: the need.
        is_any: whether the product is any of several kinds, and so the need, too (any log for any planks).
        names: the words of the plan's steps.
    """
    first = need.choices[0]
    words = [
        word
        for word in COLLECTIVES
        if first in kinds_of(word) and (is_any or len({*kinds_of(word)} & {*need.choices}) > 1)
    ]
    known = (name for name in (*words, *need.choices) if name in names)
    return next(known, next(iter(words), word_for(first, need.choices)))
