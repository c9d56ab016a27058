"""Simulates sub-goals on a player's things: pieces used up, pieces given, ticks.

| sub-goal | ticks |
| --- | --- |
| mine, kill, shear, milk, fill, grow | looking for the place once, then each batch of the way |
| craft | 1 a batch (functional crafting) |
| smelt | 200 a piece in a furnace, 100 in a blast furnace or a smoker |
| find | `FIND` |
| fight | looking for the creature once, then each creature |
| move | `MOVE` |
| dig_down, dig_up | digging through stone with the best pickaxe held, for each block of height |
| equip, place, use, taking up a station | 1 |

A batch gives its mean number of pieces: if a batch gives 1.5 pieces, three pieces take two batches.
By-products (the sapling of a tree) are left out. A fight gives the mean of each of the creature's drops,
rounded down. A used food is used up.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, inf

from optimus_gym.core.types import SHAFT_ENDS, Failure, Reason, SubGoal
from optimus_gym.game.foods import foods
from optimus_gym.game.recipes import left_behind
from optimus_gym.game.smelting import SMELTING_TICKS, fuels
from optimus_gym.game.sources import STATIONS, Source
from optimus_gym.game.tools import breaking_ticks, cheapest_tool, fastest_tool
from optimus_gym.knowledge.simulate.pack import Pack
from optimus_gym.knowledge.simulate.way_table import WayTable
from optimus_gym.prompts.words import with_article

_STONE = "stone"
"""The block that a shaft leads through."""
FIND = 600.0
"""Ticks that a sub-goal "find" takes: our estimate, half a minute of walking at 4.3 m/s."""
MOVE = 100.0
"""Ticks that a sub-goal "move" takes: our estimate, 21 m at 4.3 m/s."""
SURFACE = 64.0
"""Height (y, in blocks) of a player who is not underground: one block above sea level."""
_STEP = 10.0
"""Ticks of each block of a shaft besides digging it: our estimate, for aiming and falling or jumping."""
FUEL = "coal"
"""The item that a failure names as missing if there is no fuel."""
NO_WAY_TEXTS = {
    "mine": "no known block gives {}",
    "craft": "no recipe makes {}",
    "smelt": "nothing smelts to {}",
}


RecipeBatch = tuple[str, int]
"""The item and the number of pieces that one batch of a recipe has made."""


@dataclass(frozen=True, slots=True)
class DeedResult:
    """The result of a simulated sub-goal: its ticks, its failure, and the way in which the item was got."""

    ticks: float
    failure: Failure | None = None
    way: Source | None = None
    height: float | None = None
    """The height (y, in blocks) that a shaft has led to, or None."""
    batches: tuple[RecipeBatch, ...] = ()
    """The batches that were crafted or smelted, also before a failure."""


def _look(way: Source) -> float:
    return way.first


class Rules:
    """Rules for carrying out sub-goals on a player's things.

    Args:
        ways: the ways to get each item.
        look: returns the ticks of looking for the block or creature of a way.
        height: the player's height (y, in blocks).
    """

    def __init__(
        self,
        ways: WayTable,
        look: Callable[[Source], float] = _look,
        height: float = SURFACE,
    ) -> None:
        self.ways = ways
        self._look = look
        self._height = height

    def do(self, pack: Pack, subgoal: SubGoal, limit: float = inf) -> DeedResult:
        """Carry out a sub-goal on a player's things; a failed sub-goal may have changed the things.

        Args:
            pack: the player's things; changed.
            subgoal: the sub-goal.
            limit: most ticks of the sub-goal; batches that would end later are not begun, and the sub-goal
                then fails by "timeout".
        """
        if subgoal.verb in ("craft", "smelt"):
            make, batches = (
                self._craft if subgoal.verb == "craft" else self._smelt,
                list[RecipeBatch](),
            )
            return replace(make(pack, subgoal, limit, batches), batches=tuple(batches))
        if subgoal.verb in ("equip", "place", "use"):
            return self._handle(pack, subgoal)
        if subgoal.verb in SHAFT_ENDS:
            return self._dig(pack, subgoal, limit)
        if subgoal.verb == "fight":
            return self._fight(pack, subgoal, limit)
        if subgoal.verb == "move":
            pack.take_along()
            return DeedResult(MOVE) if limit >= MOVE else _late(subgoal, 0, limit)
        if subgoal.item in pack.near and subgoal.verb == "mine" and subgoal.count == 1:
            return self._take_up(pack, subgoal.item)
        return self._gather(pack, subgoal, limit)

    def _known(self, subgoal: SubGoal) -> list[Source]:
        """Return the ways to get a sub-goal's item by its verb, the ways at the sub-goal's station first.

        Ways that use up pieces of the sub-goal's own kinds are left out: stripping a log brings no new log.
        """
        kinds = set(subgoal.kinds)
        ways = (
            way
            for kind in subgoal.kinds
            for way in self.ways.to(kind)
            if way.verb == subgoal.verb
            and not any(kinds.intersection(need.choices) for need in way.needs)
        )
        return sorted(ways, key=lambda way: way.station != subgoal.station)

    def _handle(self, pack: Pack, subgoal: SubGoal) -> DeedResult:
        name = next((name for name in subgoal.kinds if pack.held.get(name, 0)), None)
        if name is None:
            return _fail("missing_item", subgoal.item, 1, f"no {subgoal.item} is held")
        if subgoal.verb == "equip":
            pack.equip(name)
        elif subgoal.verb == "use":
            pack.equip(name)
            pack.take((name,), int(name in foods()))
        else:
            pack.take((name,), 1)
            pack.near |= {name} & set(STATIONS)
        return DeedResult(1.0)

    def _dig(self, pack: Pack, subgoal: SubGoal, limit: float) -> DeedResult:
        """Dig a shaft down to a height or up to the surface; a shaft out of time leads part of the way."""
        end = SURFACE if subgoal.verb == "dig_up" else float(subgoal.count)
        deep = max(end - self._height if subgoal.verb == "dig_up" else self._height - end, 0.0)
        each = _STEP + float(breaking_ticks(_STONE, fastest_tool(_STONE, tuple(pack.held))) or 0)
        pack.take_along()
        if (ticks := max(deep * each, 1.0)) <= limit:
            return DeedResult(ticks, height=end if deep else self._height)
        done = limit / each
        rises = done if subgoal.verb == "dig_up" else -done
        return replace(_late(subgoal, 0, limit), height=self._height + rises)

    def _fight(self, pack: Pack, subgoal: SubGoal, limit: float) -> DeedResult:
        """Kill creatures and pick up what they drop."""
        ways = [way for kind in subgoal.kinds for way in self.ways.kills(kind)]
        if not ways:
            return _fail("not_found", subgoal.item, subgoal.count, f"no {subgoal.item} is known")
        way = min(ways, key=self._look)
        pack.take_along()
        ticks = self._look(way) + subgoal.count * way.ticks
        if ticks > limit:
            return _late(subgoal, 0, limit)
        for drop in self.ways.kills(way.creature or ""):
            pack.give(drop.product, int(drop.yields * subgoal.count))
        return DeedResult(ticks, None, way)

    def _take_up(self, pack: Pack, station: str) -> DeedResult:
        needed = cheapest_tool(station)
        if needed is not None and pack.tool_for(needed) is None:
            return _lacks_tool(needed)
        pack.take_along()
        return DeedResult(1.0)

    def _gather(self, pack: Pack, subgoal: SubGoal, limit: float) -> DeedResult:
        ways = self._known(subgoal)
        if subgoal.verb == "find" and not ways:
            pack.take_along()
            return DeedResult(FIND) if limit >= FIND else _late(subgoal, 0, limit)
        if not ways:
            return _unknown(subgoal)
        faults = [self._keeps_from(pack, way, subgoal.count) for way in ways]
        able = [way for way, fault in zip(ways, faults, strict=True) if fault is None]
        if not able:
            return next(fault for fault in faults if fault is not None)
        way = min(able, key=lambda way: self._look(way) + self._batches(way, subgoal) * way.ticks)
        left = limit - self._look(way)
        pack.take_along()
        return self._take_from(pack, subgoal, way, left) if left >= 0 else _late(subgoal, 0, limit)

    def _take_from(self, pack: Pack, subgoal: SubGoal, way: Source, left: float) -> DeedResult:
        """Gather a sub-goal's pieces by one way until all are got, or until ticks or tools run out."""
        wanted = self._batches(way, subgoal)
        planned = done = int(min(wanted, left / way.ticks))
        if way.tool is not None:
            done = pack.use_tool(way.tool, planned)
        for need in way.needs:
            pack.take(need.choices, need.count * done)
        given = int(done * way.yields)
        given = max(subgoal.count, given) if done == wanted else given
        if given:
            pack.give(way.product, given)
        ticks = self._look(way) + done * way.ticks
        if done < planned:
            assert way.tool is not None, "nothing else wears out"
            return DeedResult(ticks, _worn_out(way.tool, done, wanted), way)
        if done < wanted:
            return _late(subgoal, given, self._look(way) + left, way)
        return DeedResult(ticks, None, way)

    @staticmethod
    def _batches(way: Source, subgoal: SubGoal) -> int:
        return ceil(subgoal.count / way.yields)

    def _keeps_from(self, pack: Pack, way: Source, count: int) -> DeedResult | None:
        """Return the failure if gathering by a way lacks a tool or another item, else None."""
        if way.tool is not None and pack.tool_for(way.tool) is None:
            return _lacks_tool(way.tool)
        for name in way.holds:
            if not pack.held.get(name, 0):
                return _fail("missing_item", name, 1, f"no {name} is held")
        return _lacks(pack, way, ceil(count / way.yields))

    def _craft(
        self, pack: Pack, subgoal: SubGoal, limit: float, batches: list[RecipeBatch]
    ) -> DeedResult:
        """Craft pieces of a sub-goal's item, and append each batch to `batches`."""
        ways = self._known(subgoal)
        if not ways:
            return _unknown(subgoal)
        made, ticks = 0.0, 0.0
        while made < subgoal.count:
            faults = [_lacks_station(pack, way) or _lacks(pack, way, 1) for way in ways]
            if all(fault is not None for fault in faults):
                missing = ceil((subgoal.count - made) / ways[0].yields)
                fault = _lacks_station(pack, ways[0]) or _lacks(pack, ways[0], missing)
                assert fault is not None, "more than one batch lacks what one does"
                return DeedResult(ticks + fault.ticks, fault.failure)
            way = ways[faults.index(None)]
            if ticks + way.ticks > limit:
                return _late(subgoal, int(made), limit)
            _use_up(pack, way)
            pack.give(way.product, int(way.yields))
            batches.append((way.product, int(way.yields)))
            made += way.yields
            ticks += way.ticks
        return DeedResult(ticks)

    def _smelt(
        self, pack: Pack, subgoal: SubGoal, limit: float, batches: list[RecipeBatch]
    ) -> DeedResult:
        """Smelt pieces of a sub-goal's item, and append each to `batches`."""
        ways = self._known(subgoal)
        if not ways:
            return _unknown(subgoal)
        lit = [way for way in ways if _lacks_station(pack, way) is None]
        if not lit:
            return _fail_at(ways[0])
        ticks = 0.0
        for made in range(subgoal.count):
            way = next((way for way in lit if _lacks(pack, way, 1) is None), None)
            if way is None:
                fault = _lacks(pack, lit[0], subgoal.count - made)
                assert fault is not None, "no way could be gone"
                return DeedResult(ticks + fault.ticks, fault.failure)
            assert way.station is not None, "what is smelted is smelted in something"
            if ticks + way.ticks > limit:
                return _late(subgoal, made, limit)
            loaded = pack.copy()
            _use_up(loaded, way)
            if not loaded.burn(way.station, way.product):
                fault = _lacks_fuel(subgoal.count - made)
                return DeedResult(ticks + fault.ticks, fault.failure)
            pack.held, pack.fire = loaded.held, loaded.fire
            pack.give(way.product, int(way.yields))
            batches.append((way.product, int(way.yields)))
            ticks += way.ticks
        return DeedResult(ticks)


def _use_up(pack: Pack, way: Source) -> None:
    """Take the pieces that one batch of a way needs; give back the buckets and bottles of a recipe."""
    for need in way.needs:
        pack.take(need.choices, need.count)
        left = left_behind().get(need.choices[0])
        if left is not None and way.verb == "craft":
            pack.give(left, need.count)


def _lacks_station(pack: Pack, way: Source) -> DeedResult | None:
    return None if way.station is None or way.station in pack.near else _fail_at(way)


def _fail_at(way: Source) -> DeedResult:
    return _fail("missing_station", way.station, 1, f"no {way.station} is in reach")


def _lacks(pack: Pack, way: Source, batches: int) -> DeedResult | None:
    """Return the failure of a way whose ingredients are not all held, or None if they are."""
    for need in way.needs:
        missing = need.count * batches - pack.count(need.choices)
        if missing > 0:
            name = need.choices[0]
            return _fail("missing_item", name, missing, f"{missing} more {name} would be needed")
    return None


def _lacks_fuel(pieces: int) -> DeedResult:
    """Return the failure of smelting `pieces` pieces without fuel; a piece of coal smelts eight."""
    missing = ceil(pieces * SMELTING_TICKS / fuels()[FUEL])
    return _fail(
        "missing_item", FUEL, missing, f"fuel would be needed, such as {missing} more {FUEL}"
    )


def _late(subgoal: SubGoal, got: int, limit: float, way: Source | None = None) -> DeedResult:
    """Return the result of a sub-goal that had `got` pieces when its ticks were used up."""
    missing = max(subgoal.count - got, 1)
    detail = f"{got} of {subgoal.count} in {limit:.0f} ticks"
    return DeedResult(limit, Failure("timeout", subgoal.item, missing, detail), way)


def _lacks_tool(needed: str) -> DeedResult:
    return _fail("missing_tool", needed, 1, f"needs at least {with_article(needed)}, none is held")


def _worn_out(needed: str, done: int, wanted: int) -> Failure:
    tool = with_article(needed)
    detail = f"needs at least {tool}, the last one breaks after {done} of {wanted} uses"
    return Failure("missing_tool", needed, 1, detail)


def _unknown(subgoal: SubGoal) -> DeedResult:
    words = NO_WAY_TEXTS.get(subgoal.verb, f"no known way to {subgoal.verb} {{}}")
    return _fail("not_found", subgoal.item, subgoal.count, words.format(subgoal.item))


def _fail(reason: Reason, item: str | None, count: int, detail: str) -> DeedResult:
    """Return the result of a sub-goal that fails at once, after one tick."""
    return DeedResult(1.0, Failure(reason, item, count, detail))
