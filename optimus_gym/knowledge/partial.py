"""A plan in the making: what was decided, what it costs, which demands are still open."""

from dataclasses import dataclass
from typing import NamedTuple

from optimus_gym.knowledge.options import Option


class Demand(NamedTuple):
    """Pieces that are wanted of a node.

    Attributes:
        pieces: how many.
        above: bit set of the options that rest on some of them: they are used or held for it.
        eaten: bit set of the items, by their nodes, that every one of them is used up for.
        beside: bit set of the items that whole batches give others of the wanted pieces.
    """

    pieces: int
    above: int = 0
    eaten: int = 0
    beside: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """What one option makes in a plan.

    Attributes:
        option: the option.
        node: the narrowest node that it serves.
        pieces: pieces that are wanted of it.
        batches: batches; pieces of what is gathered, and of burning the pieces burnt.
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
        cost: expected ticks of what was decided.
        held: pieces of the inventory that are left, by item.
        taken: pieces of the inventory that were used, by item.
        made: what is made, by the option's key.
        spare: surplus pieces, by the key of the option that makes them.
        open: the demands that are not met, by node.
        asked: all nodes of which pieces were used up.
        above: bit set of the options that rest on what an option makes, by its key.
        served: keys of the options that a node is served by.
        kept: pieces that must be held at one time, by node.
        passed: pieces that are used up, by node.
        wear: uses of a tool, by its name.
        needed: facts that the plan makes true for certain.
        true: facts whose cost is counted already.
        takers: the nodes that took an item from the inventory, by item.
        shared: whether a piece that is held for use, or wanted by name, might have met a demand for
            several kinds, which is not tried.
        contested: ticks that each demand costs at least which lacks held pieces because one for several
            kinds has taken them; to give them to that one is not tried.
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
    """Return the plan in which nothing is decided and all of an inventory is left."""
    return Partial(0.0, inventory.copy(), {}, {}, {}, {}, set(), {}, {}, {}, {}, {}, 0, 0, {})
