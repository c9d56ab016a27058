"""A plan in the making: its decisions, their cost, and the pieces that it still lacks (open demands)."""

from dataclasses import dataclass
from typing import NamedTuple

from optimus_gym.knowledge.search_options import Option


class Demand(NamedTuple):
    """Pieces that a plan in the making still needs of a node (an item, or items that serve equally).

    Attributes:
        pieces: the number of pieces.
        above: bit set of the plan's options (ways) that need some of the pieces, used up or held.
        eaten: bit set of the products for which all of these pieces are used up, directly or on the way.
        partners: bit set of the items whose whole batches give the other pieces of the same demand.
    """

    pieces: int
    above: int = 0
    eaten: int = 0
    partners: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """The batches of one option (way to get an item) in a plan in the making.

    Attributes:
        option: the option.
        node: the node that the option serves, the narrowest one if there are several.
        pieces: pieces that the plan uses of those that the option gives.
        batches: number of batches; for gathering the pieces gathered, for burning the pieces burnt.
    """

    option: Option
    node: int
    pieces: int
    batches: int

    @property
    def runs(self) -> float:
        """Return how often the option is carried out on average."""
        return self.option.runs(self.batches)


@dataclass(slots=True)
class Partial:
    """A plan in the making.

    Attributes:
        cost: expected ticks of the decisions.
        held: pieces of the inventory that are left, by item.
        taken: pieces of the inventory that were used, by item.
        made: batches of each option (way to get an item) that the plan takes, by the option's key.
        spare: surplus pieces, by the key of the option that makes them.
        open: the demands that are not met yet, by node.
        asked: all nodes whose pieces the plan uses up.
        above: for each option's key, the bit set of the options that need the option's product.
        served: for each node, the keys of the options that give its pieces.
        kept: for each node, the pieces that must be held at one time.
        passed: for each node, the pieces that are used up.
        wear: uses of each tool, by the tool's name.
        needed: bit set of the one-time costs ("facts": searches, tools, stations) that the plan has for
            certain.
        true: bit set of the facts whose cost is counted already.
        takers: the nodes that took an item from the inventory, by item.
        shared: whether a piece that is held for use, or wanted by name, might have met a demand for several
            kinds instead, which the search does not try.
        contested: least ticks of each demand for an item whose held pieces went to another demand, for any of
            several kinds; the search does not try other divisions of the held pieces.
    """

    cost: float
    held: dict[str, int]
    taken: dict[str, int]
    made: dict[int, Made]
    spare: dict[int, int]
    open: dict[int, Demand]
    asked: set[int]
    above: dict[int, int]
    served: dict[int, tuple[int, ...]]
    kept: dict[int, int]
    passed: dict[int, int]
    wear: dict[str, int]
    needed: int
    true: int
    takers: dict[str, frozenset[int]]
    shared: bool = False
    contested: tuple[float, ...] = ()

    def copy(self) -> "Partial":
        """Return a copy of the plan in the making, which can be changed separately."""
        return Partial(
            self.cost,
            self.held.copy(),
            self.taken.copy(),
            self.made.copy(),
            self.spare.copy(),
            self.open.copy(),
            self.asked.copy(),
            self.above.copy(),
            self.served.copy(),
            self.kept.copy(),
            self.passed.copy(),
            self.wear.copy(),
            self.needed,
            self.true,
            self.takers.copy(),
            contested=self.contested,
        )


def nothing_decided(inventory: dict[str, int]) -> Partial:
    """Return a plan without decisions, in which no piece of the inventory is used yet."""
    return Partial(0.0, inventory.copy(), {}, {}, {}, {}, set(), {}, {}, {}, {}, {}, 0, 0, {})
