"""A plan in the making: its decisions, their cost, and the demands that are still open."""

from dataclasses import dataclass
from typing import NamedTuple

from optimus_gym.knowledge.search_options import Option


class Demand(NamedTuple):
    """Pieces of a node's items that a plan still needs.

    Attributes:
        pieces: the number of pieces.
        above: bit set of the options that rest on some of the pieces, by using or holding them.
        eaten: bit set of the items, by their nodes, for which all of the pieces are used up.
        partners: bit set of the items whose whole batches give other pieces of the same demand.
    """

    pieces: int
    above: int = 0
    eaten: int = 0
    partners: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """The batches of one option in a plan.

    Attributes:
        option: the option.
        node: the narrowest node that the option serves.
        pieces: pieces that are wanted of the option.
        batches: number of batches; for gathering the pieces gathered, for burning the pieces burnt.
    """

    option: Option
    node: int
    pieces: int
    batches: int

    @property
    def runs(self) -> float:
        """Return the expected times that the option is carried out."""
        return self.option.runs(self.batches)


@dataclass(slots=True)
class Partial:
    """A plan in the making.

    Attributes:
        cost: expected ticks of the decisions.
        held: pieces of the inventory that are left, by item.
        taken: pieces of the inventory that were used, by item.
        made: options with their batches, by the option's key.
        spare: surplus pieces, by the key of the option that makes them.
        open: the demands that are not met, by node.
        asked: all nodes whose pieces are used up.
        above: bit set of the options that rest on what an option makes, by its key.
        served: keys of the options that serve a node, by node.
        kept: pieces that must be held at one time, by node.
        passed: pieces that are used up, by node.
        wear: uses of a tool, by its name.
        needed: facts that the plan makes true for certain.
        true: facts whose cost is counted already.
        takers: the nodes that took an item from the inventory, by item.
        shared: whether a piece that is held for use, or wanted by name, might have met a demand for
            several kinds; the search does not try that.
        contested: least ticks of each demand that lacks held pieces because a demand for several kinds
            has taken them; the search does not try to give them to the first demand.
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
        """Return a plan that can be taken further without changing this one."""
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
