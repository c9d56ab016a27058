"""Chains a request's ways backwards from wanted items to what the player holds: steps that get the items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from optimus_gym.game.sources import STATIONS
from optimus_gym.game.tools import able_tools, tools
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.words import kinds_of

GATHERED: Final = ("mine", "kill", "shear", "milk", "fill", "grow", "find")
"""Verbs of ways whose pieces come one by one."""
_NOT_FOUND: Final = "not_found"
"""Beginning of a failure that says that a search found nothing."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One step of a chain: pieces of an item to get, and all that the step takes.

    Attributes:
        verb: the verb that gets the item.
        item: the item's word, as the request has it.
        count: pieces that the step gives.
        uses: pieces that the step uses up, fuel included, by the item's word.
        tool: the weakest tool that must be in hand, or None.
        station: the station that must be in reach, or None.
        holds: items that must be held and are not used up.
    """

    verb: str
    item: str
    count: int
    uses: Mapping[str, int] = field(default_factory=dict)
    tool: str | None = None
    station: str | None = None
    holds: tuple[str, ...] = ()

    @property
    def lasting(self) -> tuple[str, ...]:
        """Return tool, station and held items: things that the step needs and does not use up."""
        named = (self.tool, self.station, *self.holds)
        return tuple(name for name in named if name is not None)


class Known:
    """The ways in a request that its verbs allow, and the player's things as the request lists them.

    Args:
        facts: the facts of a request (`prompts.lines`). Without the fact `inventory` the player holds
            nothing; without the fact `stations` no station is in reach; without the fact `ways` no way is
            known; without the fact `fuel` nothing burns; without the fact `verbs` no way is allowed. A way
            of the fact `failed_step` comes last if the fact `failure` says that nothing was found.
    """

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._ways: dict[str, Call] = {}
        is_vain = facts.get("failure", "").startswith(_NOT_FOUND)
        vain = facts.get("failed_step", ())[:2] if is_vain else ()
        for way in sorted(facts.get("ways", ()), key=lambda way: (way.verb, way.item) == vain):
            if way.verb in facts.get("verbs", ()):
                self._ways.setdefault(way.item, way)
        self._fuel: Mapping[str, int] = facts.get("fuel", {})
        self.held: Mapping[str, int] = facts.get("inventory", {})
        self.near: Sequence[str] = facts.get("stations", ())

    def way(self, word: str) -> Call | None:
        """Return the first way to get an item, or another item that the word means; None if none is known."""
        if word in self._ways:
            return self._ways[word]
        meant = set(kinds_of(word))
        fits = (way for name, way in self._ways.items() if meant & set(kinds_of(name)))
        return next(fits, None)

    def count(self, word: str) -> int:
        """Return how many pieces the player holds of all items that a word means."""
        return sum(self.held.get(name, 0) for name in {word, *kinds_of(word)})

    def has(self, thing: str) -> bool:
        """Return whether the player holds a lasting thing, or a better tool, or has the station in reach."""
        if thing in self.near:
            return True
        fits = able_tools(thing) if thing in tools() else (thing,)
        return any(self.count(name) for name in fits)

    def step(self, word: str, pieces: int) -> ChainStep:
        """Return the step that gets at least some pieces of an item by its known way.

        Without a known way, a station or a tool is crafted, and any other item is mined.
        """
        way = self.way(word)
        if way is None:
            made = word in STATIONS or word in tools()
            return ChainStep("craft" if made else "mine", word, pieces)
        batch = max(way.count, 1)
        runs = ceil(pieces / batch)
        uses = {name: count * runs for name, count in way.materials.items()}
        if way.verb == "smelt" and self._fuel:
            name = self._fire()
            uses[name] = uses.get(name, 0) + ceil(runs * batch / self._fuel[name])
        count = pieces if way.verb in GATHERED else runs * batch
        tool, station = (None, way.tool) if way.tool in STATIONS else (way.tool, None)
        return ChainStep(way.verb, way.item, count, uses, tool, station, tuple(way.holds))

    def _fire(self) -> str:
        """Return the first fuel that the player holds, else the first with a known way, else the first."""
        held = (name for name in self._fuel if self.count(name))
        known = (name for name in self._fuel if self.way(name) is not None)
        return next(held, None) or next(known, None) or next(iter(self._fuel))


def chain(known: Known, wanted: Mapping[str, int]) -> list[ChainStep]:
    """Return the steps, in the order of doing, after which the player holds the wanted pieces.

    Each item gets one step for all its pieces. The pieces of an item are counted after all steps that use the
    item, so that a batch's surplus serves other steps. Held pieces are used first.

    Args:
        known: known ways and the player's things.
        wanted: pieces to hold in the end, by the item's word.
    """
    order = list(_ingredients_first(known, wanted))
    need = _Need(dict(wanted))
    steps: dict[str, ChainStep] = {}
    for word in reversed(order):
        lacking = need.of(word, known)
        if lacking > 0:
            steps[word] = known.step(word, lacking)
            need.add(steps[word])
    return [steps[word] for word in order if word in steps]


@dataclass(slots=True)
class _Need:
    """Pieces that a chain's steps use up, and things that they need and do not use up."""

    used: dict[str, int]
    lasting: set[str] = field(default_factory=set)

    def of(self, word: str, known: Known) -> int:
        """Return how many pieces of an item are still to get."""
        lasts = word in self.lasting
        if lasts and word not in self.used:
            return 0 if known.has(word) else 1
        placed = int(lasts and word in known.near)
        return self.used.get(word, 0) + int(lasts) - placed - known.count(word)

    def add(self, step: ChainStep) -> None:
        """Add what a step takes."""
        for name, count in step.uses.items():
            self.used[name] = self.used.get(name, 0) + count
        self.lasting.update(step.lasting)


def _ingredients_first(known: Known, wanted: Iterable[str]) -> Iterator[str]:
    """Yield the wanted items and everything that their ways take, each item after its ingredients."""
    done: set[str] = set()

    def visit(word: str) -> Iterator[str]:
        if word in done:
            return
        done.add(word)
        step = known.step(word, 1)
        for name in (*step.uses, *step.lasting):
            yield from visit(name)
        yield word

    for word in wanted:
        yield from visit(word)
