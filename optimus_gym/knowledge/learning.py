"""Turns observed successes into sources (ways to get items), which a knowledge graph adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimus_gym.core.checks import check_count, check_name, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.types import Verb
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.sources import CRAFT_TICKS, GATHERING, GETTING_VERBS, STATIONS, Need, Source
from optimus_gym.game.tools import able_tools, tool
from optimus_gym.game.ways import creature_names

MOST_SOURCE_TICKS = 1e12
"""Maximum ticks that a source may take: a thousand years of play; a higher number is a mistake."""
MOST_USED = 1_000_000
"""Maximum number of pieces that a success gives, or uses up of one kind."""


@dataclass(frozen=True, slots=True)
class SeenWay:
    """One success: the item that was got, and the things that were needed.

    Attributes:
        verb: how the item was got.
        item: the item that was got.
        count: pieces got in all, at least 1.
        consumed: all pieces used up, by item, without fuel and items that were only held.
        times: how often the verb was done: two batches, for instance, to craft eight planks of two logs.
        tool: the tool in hand if it was needed, or None.
        station: the station used, or None.
        block: the block that the verb was done to, or None.
        creature: the creature that the verb was done to, or None.
        ticks: ticks of the whole success, 0 or more; None = not known.
    """

    verb: Verb
    item: str
    count: int = 1
    consumed: Mapping[str, int] = field(default_factory=dict)
    times: int = 1
    tool: str | None = None
    station: str | None = None
    block: str | None = None
    creature: str | None = None
    ticks: float | None = None


def as_source(seen: SeenWay) -> Source:
    """Return a success as a source of one batch: eight planks of two logs become four planks of one log.

    Raises:
        UnknownName: there is no such verb, item, tool, station, block or creature.
        BadValue: a count is below 1, above `MOST_USED` or no multiple of `times`; the ticks are below 0
            or above `MOST_SOURCE_TICKS`; `consumed` is no mapping.
    """
    check_name("verb", seen.verb, GETTING_VERBS)
    for kind, name, known in (
        ("station", seen.station, STATIONS),
        ("creature", seen.creature, creature_names()),
    ):
        if name is not None:
            check_name(kind, name, known)
    if not isinstance(seen.consumed, Mapping):
        raise BadValue(
            f"consumed: expected a mapping from items to pieces, got {shown(seen.consumed)} (learn)"
        )
    used = {name: _count(item(name).name, count) for name, count in seen.consumed.items()}
    got, times = _count(item(seen.item).name, seen.count), _count("times", seen.times)
    ticks = CRAFT_TICKS * times if seen.ticks is None else seen.ticks
    if not is_number(ticks) or not 0 <= ticks <= MOST_SOURCE_TICKS:
        raise BadValue(
            f"ticks: expected a number of 0 to {MOST_SOURCE_TICKS:g}, got {shown(ticks)} (learn)"
        )
    whole = (*used.values(), *(() if seen.verb in GATHERING else (got,)))
    if any(count % times for count in whole):
        raise BadValue(f"times: expected a divisor of {whole}, got {times} ({seen.item}, learn)")
    return Source(
        verb=seen.verb,
        product=seen.item,
        yields=got / times,
        needs=tuple(Need((name,), count // times) for name, count in sorted(used.items())),
        tool=None if seen.tool is None else tool(seen.tool).item,
        station=seen.station,
        block=None if seen.block is None else block(seen.block).name,
        ticks=float(ticks) / times,
        creature=seen.creature,
    )


def _count(name: str, value: object) -> int:
    return check_count(f"{name} (learn)", value, 1, MOST_USED)


def covers(known: Source, seen: Source) -> bool:
    """Return whether a known way already includes a seen way, so that the graph need not add the seen way.

    The known way may take more kinds (any planks), and name a block or creature where the seen way
    names none.
    """
    return (
        (known.verb, known.product) == (seen.verb, seen.product)
        and (known.tool, known.station) == (seen.tool, seen.station)
        and seen.block in (None, known.block)
        and seen.creature in (None, known.creature)
        and _takes(known, seen)
    )


def spares_tool(known: Source, other: Source) -> bool:
    """Return whether a known way does the same as another way, which names a stronger tool than needed."""
    return (
        (known.verb, known.product, known.needs) == (other.verb, other.product, other.needs)
        and (known.station, known.creature) == (other.station, other.creature)
        and other.block in (None, known.block)
        and other.tool is not None
        and known.tool != other.tool
        and (known.tool is None or other.tool in able_tools(known.tool))
    )


def understates(one: Source, other: Source) -> bool:
    """Return whether a way to craft an item seems to need fewer pieces for each than another way of the kind.

    A player that picks up an ingredient in the tick in which it crafts seems to use up less of it. Nothing
    makes a player seem to use up more. Several batches at once need as much for each piece as one batch.
    """
    return (
        one.verb == "craft"
        and (one.verb, one.product, one.station) == (other.verb, other.product, other.station)
        and _used(one) * other.yields < _used(other) * one.yields
        and all(
            any(
                set(need.choices) <= set(whole.choices)
                and need.count * other.yields <= whole.count * one.yields
                for whole in other.needs
            )
            for need in one.needs
        )
    )


def _used(source: Source) -> int:
    return sum(need.count for need in source.needs)


def _takes(known: Source, seen: Source) -> bool:
    """Return whether a batch of the known way may use up the same pieces as the seen way."""
    used = {need.choices[0]: need.count for need in seen.needs}
    if not used.keys() <= {name for need in known.needs for name in need.choices}:
        return False
    return all(
        sum(used.get(name, 0) for name in need.choices) == need.count for need in known.needs
    )
