"""Requirements of a goal, in the order of doing: the answer of the knowledge graph."""

from collections.abc import Mapping
from dataclasses import dataclass

from optimus_gym.core.types import Verb
from optimus_gym.game.ways import Place


@dataclass(frozen=True, slots=True)
class Use:
    """Pieces that a step uses up: `count` pieces of any of `kinds`; the plan expects the kind `item`."""

    item: str
    kinds: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: an item to get, and everything that getting it takes.

    Attributes:
        verb: the verb that gets the item.
        item: the item that the plan gets.
        kinds: items that serve as well, `item` among them.
        count: pieces to get beyond the held ones.
        batches: craft or smelt batches (a surplus may remain); for gathering, pieces.
        tool: the weakest tool that must be in hand, or None.
        station: the block that must be in reach, or None.
        uses: pieces that all batches use up, fuel included.
        ticks: expected ticks.
        holds: items that must be held and are not used up.
        creature: the creature that the verb is done to, or None.
        place: biomes and heights; None = anywhere.
    """

    verb: Verb
    item: str
    kinds: tuple[str, ...]
    count: int
    batches: int
    tool: str | None = None
    station: str | None = None
    uses: tuple[Use, ...] = ()
    ticks: float = 0.0
    holds: tuple[str, ...] = ()
    creature: str | None = None
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Requirements:
    """All that a goal requires.

    Attributes:
        item: the goal's item.
        count: how many pieces of the item must be held at the end.
        steps: the steps, in an order in which each step finds what it needs.
        amounts: all pieces needed of each item, the held pieces included.
        ticks: expected ticks of all steps.
        optimal: whether the search has proved that no plan takes fewer ticks; if False, the search
            returned the best plan that it had found.
    """

    item: str
    count: int
    steps: tuple[Step, ...]
    amounts: Mapping[str, int]
    ticks: float
    optimal: bool = True

    def step(self, item: str) -> Step | None:
        """Return the step that gets `item` or a kind that serves as well; None if no step does."""
        exact = [step for step in self.steps if step.item == item]
        return next((s for s in (*exact, *self.steps) if item in s.kinds), None)
