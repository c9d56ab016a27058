"""What was seen to work, as a source: the way in which the knowledge graph grows."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Verb
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.game.sources import CRAFT_TICKS, GATHERING, MEANS, STATIONS, Need, Source
from optimus_gym.game.tools import tool
from optimus_gym.game.ways import creature_names


@dataclass(frozen=True, slots=True)
class Seen:
    """One success: what was got, and what it took.

    Attributes:
        verb: how it was got.
        item: what was got.
        count: pieces got in all, at least 1.
        consumed: pieces used up in all, by item, fuel apart; nothing that was only held.
        times: how often it was done: 2 for eight planks of two logs.
        tool: the tool in hand if it was needed, or None.
        station: the station used, or None.
        block: the block that it was done to, or None.
        creature: the creature that it was done to, or None.
        ticks: how long it took in all, 0 or more; None = not known.
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


def source_of(seen: Seen) -> Source:
    """Return what was seen as a source, for one time: four planks of a log.

    Raises:
        UnknownName: there is no such verb, item, tool, station, block or creature.
        BadValue: a count is below 1 or no multiple of `times`, or the ticks are below 0.
    """
    if seen.verb not in MEANS:
        raise UnknownName("verb", seen.verb, MEANS)
    if seen.station is not None and seen.station not in STATIONS:
        raise UnknownName("station", seen.station, STATIONS)
    if seen.creature is not None and seen.creature not in creature_names():
        raise UnknownName("creature", seen.creature, creature_names())
    counts = ((seen.item, seen.count), *seen.consumed.items(), ("times", seen.times))
    for name, count in counts:
        if name != "times":
            item(name)
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise BadValue(f"{name}: expected a count of at least 1, got {count!r} (learn)")
    ticks = CRAFT_TICKS * seen.times if seen.ticks is None else seen.ticks
    if not isinstance(ticks, int | float) or not 0 <= ticks < float("inf"):
        raise BadValue(f"ticks: expected a number of at least 0, got {seen.ticks!r} (learn)")
    whole = (*seen.consumed.values(), *(() if seen.verb in GATHERING else (seen.count,)))
    if any(count % seen.times for count in whole):
        raise BadValue(
            f"times: expected a divisor of {whole}, got {seen.times} ({seen.item}, learn)"
        )
    return Source(
        verb=seen.verb,
        product=seen.item,
        yields=seen.count / seen.times,
        needs=tuple(Need((n,), c // seen.times) for n, c in sorted(seen.consumed.items())),
        tool=None if seen.tool is None else tool(seen.tool).item,
        station=seen.station,
        block=None if seen.block is None else block(seen.block).name,
        ticks=ticks / seen.times,
        creature=seen.creature,
    )


def covers(known: Source, seen: Source) -> bool:
    """Tell whether a known way says all that a seen one says.

    It may take more kinds (any planks) and name the block or creature where the other names none.
    """
    return (
        (known.verb, known.product) == (seen.verb, seen.product)
        and (known.tool, known.station) == (seen.tool, seen.station)
        and seen.block in (None, known.block)
        and seen.creature in (None, known.creature)
        and _takes(known, seen)
    )


def _takes(known: Source, seen: Source) -> bool:
    """Tell whether a batch of the known way may use up what one of the seen way did."""
    used = {need.choices[0]: need.count for need in seen.needs}
    if not used.keys() <= {name for need in known.needs for name in need.choices}:
        return False
    return all(
        sum(used.get(name, 0) for name in need.choices) == need.count for need in known.needs
    )
