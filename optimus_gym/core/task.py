"""What an episode asks for, and what the papers' agents reached at it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from optimus_gym.core.types import SubGoal, Verb

Success = Literal["held", "equipped", "declared"]
SUCCESSES: tuple[Success, ...] = get_args(Success)
"""How a task can be reached: `count` pieces lie in the inventory at once; one is worn or in hand
(JARVIS-1's armour, Table 14); the thing was found and the agent said so (MP5's context-dependent
tasks, section 4.1)."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a paper reports of one agent at a task; None where it reports nothing.

    Attributes:
        success_rate: share of episodes that succeeded, 0 to 1.
        episodes: episodes run.
        subgoals: sub-goals of its plan.
        average_ticks: mean over successes.
        average_seconds: mean over successes, as printed (not always ticks / 20).
    """

    success_rate: float | None = None
    episodes: int | None = None
    subgoals: int | None = None
    average_ticks: float | None = None
    average_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """One task.

    Attributes:
        id: the middle of its environments' names ("Diamond", "CraftStoneSword").
        suite: the suite it belongs to.
        group: the suite's group.
        instruction: the paper's words.
        verb: how the last step to the item is done.
        item: item to get, or the thing to find; of several kinds the one to speak of.
        accepts: items that count as `item` (all planks for planks); empty means the item alone.
        count: pieces of it.
        success: one of `SUCCESSES`.
        budget: ticks an episode may take.
        biomes: where it may start, one drawn an episode; empty = anywhere.
        inventory: what it starts with, pieces by item; not to be changed.
        protocol: rules under which the papers' figures were got.
        headline: whether it is its group's headline.
        figures: the papers', by agent; not to be changed.
    """

    id: str
    suite: str
    group: str
    instruction: str
    verb: Verb
    item: str
    accepts: tuple[str, ...] = ()
    count: int = 1
    success: Success = "held"
    budget: int = 36_000
    biomes: tuple[str, ...] = ()
    inventory: Mapping[str, int] = field(default_factory=dict, hash=False)
    protocol: str = "vanilla"
    headline: bool = False
    figures: Mapping[str, Figures] = field(default_factory=dict, hash=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the items that count for this task, never empty."""
        return self.accepts or (self.item,)

    @property
    def goal(self) -> SubGoal:
        """Return the task as the sub-goal that ends it."""
        if self.success == "held":
            return SubGoal(self.verb, self.item, self.count, self.accepts)
        verb: Verb = "equip" if self.success == "equipped" else "find"
        return SubGoal(verb, self.item, 1, self.accepts)
