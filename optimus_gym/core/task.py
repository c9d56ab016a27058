"""An episode's task, and the papers' figures for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from optimus_gym.core.types import ACT_VERBS, SubGoal, Verb

Success = Literal["held", "equipped", "declared", "reached"]
SUCCESSES: tuple[Success, ...] = get_args(Success)
"""How a task is reached. "held": the inventory holds `count` pieces at once. "equipped": the player wears the
item or has it in hand (JARVIS-1's armour, Table 14). "declared": the agent has found the thing, or dug the
block, and declared it (MP5's context-dependent tasks, section 4.1, and open-ended tasks, section 4.2.3).
"reached": the sub-goal of verb, item and count is reached: `count` pieces were gained, whatever was held at
the start, or the act was done; for training and testing a skill alone."""


CONTEXTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "biome": (),
        "near": (),
        "time": ("day", "night"),
        "weather": ("clear", "rain"),
        "light": ("bright",),
        "tool": (),
        "in": ("water",),
    }
)
"""The conditions of a context-dependent task (MP5, Table 12) and of an open-ended one (4.2.3, F.3), each with
its values; empty = a name. "biome": a word in the name of the player's biome, such as "forest". "near": a
thing that is in view, too. `DIGGING_CONTEXTS`: the tool in hand, and what the player is in, as a block
breaks."""
DIGGING_CONTEXTS = ("tool", "in")
"""The conditions of `CONTEXTS` that hold or fail when a block breaks; the others when the agent declares."""


@dataclass(frozen=True, slots=True)
class PaperFigures:
    """A paper's figures for one agent at a task; None for figures that the paper does not report.

    Attributes:
        success_rate: share of episodes that succeeded, 0 to 1.
        episodes: episodes run.
        subgoals: sub-goals of the plan.
        average_ticks: mean ticks of successful episodes.
        average_seconds: mean seconds of successful episodes, as printed (not always ticks / 20).
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
        id: the middle of the task's environment ids ("Diamond" in "Optimus-Diamond-v0").
        suite: the task's suite.
        group: the task's group in the suite.
        instruction: the task's text, in the words of the paper that describes the task.
        verb: the verb of the plan's last sub-goal, which gets the item.
        item: the item to get or the thing to find; if several items count, the one that texts name.
        accepts: items that count as `item` (all planks for planks); empty means the item alone.
        count: pieces to get.
        success: one of `SUCCESSES`.
        budget: ticks that an episode may take.
        biomes: biomes to start in, one drawn for each episode; empty = anywhere.
        time: time of day at the start, 0 to 23,999 (`game.conditions.DAY_TICKS`); None = the protocol's.
        weather: weather at the start (`game.conditions.WEATHERS`); None = the protocol's.
        commands: chat commands that set the episode up, in order; they count as an assist.
        context: what must hold, besides the thing in view, when the thing is declared: a value for some of
            `CONTEXTS`; read-only.
        inventory: pieces at the start, by item; read-only.
        protocol: name of the protocol (the episode's rules) under which the papers' figures were measured.
        headline: whether the task is the headline (the representative) of its group.
        figures: the papers' figures, by agent; read-only.
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
    time: int | None = None
    weather: str | None = None
    commands: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict, hash=False)
    inventory: Mapping[str, int] = field(default_factory=dict, hash=False)
    protocol: str = "vanilla"
    headline: bool = False
    figures: Mapping[str, PaperFigures] = field(default_factory=dict, hash=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the items that count as the task's item (at least one)."""
        return self.accepts or (self.item,)

    @property
    def is_sought(self) -> bool:
        """Return whether the task asks to find a thing, and not to get an item or dig a block."""
        return self.success == "declared" and self.verb == "find"

    @property
    def is_dug(self) -> bool:
        """Return whether the task asks to dig a block in a context and to declare it (open-ended tasks)."""
        return self.success == "declared" and self.verb == "mine"

    @property
    def is_act(self) -> bool:
        """Return whether the task asks for an act that gets no item, such as to fight or to dig down."""
        return self.success == "reached" and self.verb in (*ACT_VERBS, "find", "place", "equip")

    @property
    def tools(self) -> tuple[str, ...]:
        """Return the tool that the task asks to dig with, if it names one."""
        return tuple(value for name, value in self.context.items() if name == "tool")

    @property
    def goal(self) -> SubGoal:
        """Return the sub-goal that reaches the task."""
        if self.success == "reached":
            return SubGoal(self.verb, self.item, self.count, self.accepts)
        if self.success == "held" or self.is_dug:
            tool = next(iter(self.tools), None)
            return SubGoal(self.verb, self.item, self.count, self.accepts, tool)
        verb: Verb = "equip" if self.success == "equipped" else "find"
        return SubGoal(verb, self.item, 1, self.accepts)
