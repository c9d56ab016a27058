"""The hierarchical directed knowledge graph (HDKG): the ways to get items, and a goal's requirements.

Nodes are the game's items. An edge points from an ingredient, a tool or a station to the item that
is made of the ingredient, dug out with the tool, or made at the station (Optimus-1, section 2.1.2 and
appendix E.1.2). The graph holds every alternative, cycles included (ingot and block); a goal's
requirements follow the cheapest way and have no cycles.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import cache, lru_cache
from numbers import Integral
from typing import Any

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.items import item as game_item
from optimus_gym.game.sources import GETTING_VERBS, STATIONS, Source, game_sources
from optimus_gym.game.tags import tag
from optimus_gym.knowledge.cheapest import (
    COALS,
    CheapestWays,
    Unobtainable,
    cheapest_sources,
    missing_for,
)
from optimus_gym.knowledge.cost_bounds import NEVER, Bounds
from optimus_gym.knowledge.guess import Guess
from optimus_gym.knowledge.learning import SeenWay, as_source, spares_tool, understates
from optimus_gym.knowledge.plan_steps import requirements_of
from optimus_gym.knowledge.pockets import can_be_held, check_goal, check_steps
from optimus_gym.knowledge.rehearsal import works_out
from optimus_gym.knowledge.requirements import Requirements, Step
from optimus_gym.knowledge.search import Search
from optimus_gym.knowledge.search_options import Options

POLICIES_KEPT = 64
"""Maximum number of sets of held items for which a graph caches the cheapest ways."""
TABLES_KEPT = 64
"""Maximum number of sets of held items for which a graph caches the tables of the search."""
PLANS_KEPT = 1024
"""Maximum number of plans that are cached."""
MADE = ("craft", "smelt")
"""Verbs of ways that need no search in the world."""
WayKey = tuple[Hashable, ...]
HeldItems = tuple[tuple[str, int], ...]
"""Held items and their counts, sorted by name."""


class KnowledgeGraph:
    """A graph of the known ways to get items, which answers what a goal requires.

    Args:
        sources: the ways to get items; of equally cheap ways the earlier one is taken.
        fixed: whether the graph refuses to learn, because several users share it.
    """

    def __init__(self, sources: Iterable[Source] = (), *, fixed: bool = False) -> None:
        self.sources: list[Source] = []
        self.fixed = fixed
        self._nodes: dict[str, None] = {}
        self._by_item: dict[str, list[Source]] = {}
        self._known: set[WayKey] = set()
        self._policy = lru_cache(POLICIES_KEPT)(self._find_policy)
        self._tables = lru_cache(TABLES_KEPT)(self._find_tables)
        self._goals = lru_cache(PLANS_KEPT)(self._find)
        for source in sources:
            self._add(source)

    @classmethod
    def full(cls) -> "KnowledgeGraph":
        """Return the graph of all ways to get items that survival in the overworld has."""
        return cls(game_sources())

    @classmethod
    def empty(cls) -> "KnowledgeGraph":
        """Return a graph without any way to get an item."""
        return cls()

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return the items of the graph, in the order in which they were added."""
        return tuple(self._nodes)

    def __deepcopy__(self, memo: dict[int, Any]) -> "KnowledgeGraph":
        """Return a separate graph; a fixed graph never changes and returns itself."""
        return self if self.fixed else KnowledgeGraph(self.sources)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what pickle needs: the graph's ways, without the results computed from them."""
        if self is full_graph():
            return full_graph, ()
        return _graph_of, (tuple(self.sources), self.fixed)

    def learn(self, seen: SeenWay) -> bool:
        """Add a way that was seen to work; return whether the way is new.

        The greater of two ways that differ only in how many ingredients a piece needs stays (`understates`).
        The time for adding a way depends on the way's own nodes and edges, not on the size of the graph.

        Raises:
            BadValue: the graph is fixed, or a count or time makes no sense.
            UnknownName: the game has no such verb, item, tool, station, block or creature.
        """
        if self.fixed:
            raise BadValue("learn: expected a graph that may change, got a fixed, shared graph")
        source = as_source(seen)
        alike = self._by_item.get(source.product, [])
        if _way(source) in self._known or any(understates(source, known) for known in alike):
            return False
        for wrong in [known for known in alike if understates(known, source)]:
            self._remove(wrong)
        self._add(source)
        for kept in (self._policy, self._tables, self._goals):
            kept.cache_clear()
        return True

    def merged(self, other: "KnowledgeGraph") -> "KnowledgeGraph":
        """Return a graph with the ways of both graphs, this graph's ways first.

        The greater of two ways that differ only in how many ingredients a piece needs stays (`understates`).
        """
        new = (source for source in other.sources if _way(source) not in self._known)
        both = KnowledgeGraph((*self.sources, *new))
        for source in tuple(both.sources):
            if any(understates(source, known) for known in both.sources_of(source.product)):
                both._remove(source)
        return both

    def _add(self, source: Source) -> None:
        """Add a source; only its own nodes and edges are visited."""
        self._known.add(_way(source))
        self.sources.append(source)
        self._by_item.setdefault(source.product, []).append(source)
        self._nodes[source.product] = None
        for name in source.inputs:
            self._nodes[name] = None

    def _remove(self, source: Source) -> None:
        """Remove a source; its nodes stay."""
        self._known.remove(_way(source))
        self.sources.remove(source)
        self._by_item[source.product].remove(source)

    def within(
        self,
        verbs: Collection[str],
        stations: Collection[str],
        blocks: Collection[str] | None = None,
        creatures: Collection[str] | None = None,
        without: Collection[str] = (),
    ) -> "KnowledgeGraph":
        """Return a graph of the ways that work in a world.

        Args:
            verbs: the verbs that the world has, of `sources.MEANS`.
            stations: the stations that work in the world, of `sources.STATIONS`.
            blocks: the blocks of the world's land; None = all.
            creatures: the creatures that live in the world; None = all.
            without: items that cannot be gathered in the world; they may still be crafted or smelted.

        Raises:
            UnknownName: there is no such verb or station.
        """
        for kind, names, known in (("verb", verbs, GETTING_VERBS), ("station", stations, STATIONS)):
            for name in names:
                if name not in known:
                    raise UnknownName(kind, name, known)
        return KnowledgeGraph(
            source
            for source in self.sources
            if source.verb in verbs
            and (source.station is None or source.station in stations)
            and (blocks is None or source.block is None or source.block in blocks)
            and (creatures is None or source.creature is None or source.creature in creatures)
            and (source.verb in MADE or source.product not in without)
        )

    def leading_to(self, item: str) -> "KnowledgeGraph":
        """Return a graph of the ways that a plan for an item takes, or may take instead (other planks).

        Raises:
            UnknownName: the game has no such item.
            Unobtainable: the graph has no way to the item.

        >>> sorted({way.verb for way in full_graph().leading_to("stick").sources})
        ['craft', 'mine']
        """
        steps = self.requirements(item).steps
        return KnowledgeGraph(
            source for source in self.sources if any(_serves(source, step) for step in steps)
        )

    def sources_of(self, item: str) -> tuple[Source, ...]:
        """Return every known way to get an item.

        Raises:
            UnknownName: the game has no such item; the error suggests similar names.
        """
        return tuple(self._by_item.get(game_item(item).name, ()))

    def vocabulary(self, item: str, inventory: Mapping[str, int] | None = None) -> tuple[str, ...]:
        """Return the items that a plan to get `item` may name: parts, tools, stations and fuel.

        Kinds that serve equally (planks of any wood) are included if they can be had the same way; coal is
        included if anything is smelted. The items stand in the order of the plan's steps; equal
        arguments give the same order.

        Args:
            item: the goal.
            inventory: held items; they may make a goal possible that is impossible from nothing.

        Raises:
            UnknownName: the game has no such item.
            Unobtainable: the item cannot be had.
        """
        names: dict[str, None] = {}
        source = self._policy(()).source
        steps = self.requirements(item, 1, inventory).steps
        for step in steps:
            names[step.item] = None
            alike = (k for k in step.kinds if k in source and source[k].verb == step.verb)
            names |= dict.fromkeys(alike)
        if any(step.verb == "smelt" for step in steps):
            coals = (k for k in tag(COALS) if k in source and source[k].verb == "mine")
            names |= dict.fromkeys(coals)
        return tuple(names)

    def requirements(
        self,
        item: str,
        count: int = 1,
        inventory: Mapping[str, int] | None = None,
        *,
        stations: Collection[str] = (),
    ) -> Requirements:
        """Return the cheapest known plan to hold `count` of `item`.

        The cost of a plan is its expected ticks: one search for each way, and the ticks of each batch
        (`game/data/sources/`; 200 for a smelted piece, one for a crafted batch; loot counts with its mean).
        Walking back, carrying and eating are not counted. A plan does not use by-products: other drops of a
        block or creature than the wanted item, and items that a recipe gives back (the buckets of a cake). A
        plan may get the pieces of one item in several ways. Batches of crafting and smelting are whole; a
        surplus serves other steps. An item that multiplies (a sown carrot) needs a first piece from another
        way. Tools and stations are made once. A plan that wears out a tool makes the same tool again, but
        first uses up better tools that the player holds. Fire comes from coal, charcoal and planks, in whole
        pieces for each stay at a furnace. The last steps may use up tools and stations that earlier steps
        needed. `optimal` of the result says whether the search has proved that no cheaper plan under these
        rules exists.

        Args:
            item: the goal.
            count: how many pieces of the goal must be held.
            inventory: held items, which are deducted.
            stations: stations in reach; they count as held.

        Raises:
            UnknownName: the game has no such item, held item or station.
            BadValue: the count is below 1, or a count of the inventory is no integer of at least 0.
            TooMuch: the goal, or a step on the way, brings more pieces than a player can hold.
            Unobtainable: the item cannot be had; the error names the items without a source.
        """
        held = _checked(item, count, inventory or {}, stations)
        found = self._goals(item, count, held, (), NEVER)
        if found is not None:
            check_steps(found)
            return found
        policy = self._policy(tuple(name for name, _ in held))
        if item in policy.price:  # only held items make the goal possible, and too few are held
            policy = self._policy(())
        raise Unobtainable(item, missing_for(item, self._by_item, policy))

    def detour(
        self,
        item: str,
        count: int,
        inventory: Mapping[str, int],
        *,
        stations: Collection[str] = (),
        avoid: Collection[str],
        most: float,
    ) -> Requirements | None:
        """Return a plan to hold `count` of `item` if the items of `avoid` cannot be found.

        Items of `avoid` may still be crafted or smelted.

        Apart from `avoid` and `most`, plans follow the rules of `requirements`. Return None if the search
        found no plan of less than `most` expected ticks, or if a player cannot hold the pieces of a step at
        once.
        """
        held = _checked(item, count, inventory, stations)
        found = self._goals(item, count, held, tuple(sorted(set(avoid))), most)
        return found if found is not None and can_be_held(found) else None

    def _find(
        self, item: str, count: int, held: HeldItems, avoid: tuple[str, ...], most: float
    ) -> Requirements | None:
        """Return the cheapest plan that seeks no item of `avoid` in the world and takes under `most` ticks.

        The cheapest plan can fail if a step accepts several items (any planks), and the player uses up
        another item than the plan expects. The search prefers a plan that works for a player who uses up the
        most plentiful accepted item (`rehearsal`).
        """
        inventory = dict(held)
        given = tuple(sorted(self._foreign(inventory)))
        policy = self._policy(given, avoid)
        if item not in policy.price:
            return None
        plans = []
        tables, whole = self._tables(given, avoid)
        for careful in (False, True):
            search = Search(tables, inventory, most, careful=careful, whole=whole)
            search.run(item, count)
            if search.best is None and most == NEVER:  # the search was lost in circles
                cheapest = Guess(Bounds(Options(tuple(policy.source.values()), policy)))
                search = Search(cheapest, inventory, careful=careful, whole=False)
                search.run(item, count)
            if search.best is not None:
                plans.append(requirements_of(search, item, count))
                if works_out(plans[-1].steps, inventory):
                    return plans[-1]
        return plans[0] if plans else None

    def _foreign(self, held: Mapping[str, int]) -> list[str]:
        """Return the held items that cannot be got from nothing; only such items add ways to a search."""
        price = self._policy(()).price
        return [name for name in held if name not in price]

    def _find_tables(self, held: tuple[str, ...], avoid: tuple[str, ...]) -> tuple[Guess, bool]:
        """Return the tables of the search, and whether they hold all sources."""
        policy = self._policy(held, avoid)
        known = self._sources_without(avoid)
        kept = tuple(source for source in known if not self._is_spared(source, policy))
        return Guess(Bounds(Options(kept, policy))), len(kept) == len(known)

    def _find_policy(self, held: tuple[str, ...], avoid: tuple[str, ...] = ()) -> CheapestWays:
        return cheapest_sources(self._sources_without(avoid), held)

    def _sources_without(self, avoid: tuple[str, ...]) -> tuple[Source, ...]:
        """Return the sources (ways to get items), except those that find an item of `avoid` in the world."""
        if not avoid:
            return tuple(self.sources)
        return tuple(s for s in self.sources if s.verb in MADE or s.product not in avoid)

    def _is_spared(self, source: Source, policy: CheapestWays) -> bool:
        """Return whether a source has a stronger tool than another source needs, whose tool can be had.

        An agent learns ways with the tool that was in its hand. A search for iron ore with a pickaxe of iron
        would go in circles.
        """
        return any(
            spares_tool(other, source) and (other.tool is None or other.tool in policy.price)
            for other in self._by_item[source.product]
        )


def _checked(
    item: str, count: object, inventory: Mapping[str, int], stations: Collection[str]
) -> HeldItems:
    """Return held items and stations in reach; reject unknown names and bad counts."""
    game_item(item)
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise BadValue(f"count: expected an integer of at least 1, got {count!r} ({item})")
    check_goal(item, count)
    held: dict[str, int] = {}
    for name, pieces in inventory.items():
        if isinstance(pieces, bool) or not isinstance(pieces, Integral) or pieces < 0:
            raise BadValue(f"inventory: expected an integer of at least 0, got {pieces!r} ({name})")
        if pieces:
            held[game_item(name).name] = int(pieces)
    for name in set(stations):
        held[game_item(name).name] = held.get(name, 0) + 1
    return tuple(sorted(held.items()))


def _serves(source: Source, step: Step) -> bool:
    """Return whether a way to get an item carries out a step of a plan."""
    return (
        source.verb == step.verb
        and source.product in step.kinds
        and (source.tool, source.station, source.creature)
        == (step.tool, step.station, step.creature)
    )


def _way(source: Source) -> WayKey:
    """Return what tells two ways to get items apart: all but time, yield, place and `holds`."""
    done_to = (source.block, source.creature)
    return source.verb, source.product, source.needs, source.tool, source.station, done_to


def _graph_of(sources: tuple[Source, ...], fixed: bool) -> KnowledgeGraph:
    return KnowledgeGraph(sources, fixed=fixed)


@cache
def full_graph() -> KnowledgeGraph:
    """Return the graph of all ways to get items that the game has; it is made once and cannot learn."""
    return KnowledgeGraph(game_sources(), fixed=True)
