"""What goes between the loop and an agent: decisions, verdicts, outcomes, an episode's record."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from optimus_gym.core.situation import Picture
from optimus_gym.core.task import Task
from optimus_gym.core.types import Failure, Status, SubGoal

Judgement = Literal["CONTINUE", "COMPLETE", "REPLAN"]
"""A reflector's three words (Optimus-1, section 2.2)."""
End = Literal["reached", "failed", "complete", "replan"]
"""How a sub-goal ends: the world shows that it is reached; whoever carried it out failed, or its ticks
were spent; the agent calls it complete; the agent wants another plan."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What an agent decides for a row: its next sub-goal, or that it gives up.

    Attributes:
        subgoal: the next sub-goal; None gives up, which ends the episode ("gave_up", truncated).
        reason: why it gives up, in words.
        plan: all sub-goals of the plan that it follows, for people; may be empty.
        position: index in `plan` of `subgoal`.
        problems: in words, what was wrong with the texts that the plan was read from.
        replanned: whether this follows from a new plan after the first one; these are counted.
        taken_over: whether the backbone's answers could not be used for its plan, so that the rules made
            it; these are counted.
    """

    subgoal: SubGoal | None
    reason: str = ""
    plan: tuple[SubGoal, ...] = ()
    position: int = 0
    problems: tuple[str, ...] = ()
    replanned: bool = False
    taken_over: bool = False

    @property
    def remaining(self) -> tuple[SubGoal, ...]:
        """Return the plan's sub-goals that are still to do, the next one first."""
        return self.plan[self.position :]


@dataclass(frozen=True, slots=True)
class Verdict:
    """An agent's word on a sub-goal that is being carried out."""

    judgement: Judgement = "CONTINUE"
    predicament: str = ""
    """What is wrong, in words; with "REPLAN"."""
    reflection: str = ""
    """What was said, for people; "" where nobody reflected."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sub-goal ended.

    Attributes:
        row: whose.
        subgoal: which.
        end: in which way.
        failure: why it failed ("failed", "replan"), or None.
        ticks: how many it took.
        tick: the episode's tick at its end.
        gained: pieces held more than at its beginning, by item.
        consumed: pieces held less than then, by item.
        batches: batches that were crafted or smelted to an item of its kinds.
        chosen: whether somebody chose it instead of the agent's decision.
        over: whether the episode ended with it.
        pov: the screen in the tick of its end, as the observation has it; None in a world without
            pictures, and in a record.
    """

    row: int
    subgoal: SubGoal
    end: End
    failure: Failure | None = None
    ticks: int = 0
    tick: int = 0
    gained: Mapping[str, int] = field(default_factory=dict)
    consumed: Mapping[str, int] = field(default_factory=dict)
    batches: int = 0
    chosen: bool = False
    over: bool = False
    pov: Picture | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """Say it in words: "reached", "complete" or the failure."""
        return self.end if self.failure is None else str(self.failure)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one reply of a backbone cost."""

    kind: str
    """The request's."""
    model: str
    latency_s: float
    prompt_tokens: int
    completion_tokens: int
    tick: int
    """The episode's tick at which it was asked for."""
    cost: float = 0.0
    faults: tuple[str, ...] = ()
    """What went wrong on the way, in words."""


@dataclass(frozen=True, slots=True)
class Record:
    """An episode that is over.

    Attributes:
        row: whose.
        task: what was asked for.
        status: how it ended, never "running".
        reason: why the agent gave up or the world failed, in words; else "".
        ticks: how long it was.
        outcomes: of its sub-goals, in their order.
        replans: new plans after the first one.
        takeovers: plans that the rules made since the backbone's answers could not be used.
        answers: what was asked of the backbone in it.
        thought: ticks for which the world went on while the backbone answered.
        protocol: the rules that it was played by.
        assists: what made the game easier.
    """

    row: int
    task: Task
    status: Status
    reason: str = ""
    ticks: int = 0
    outcomes: tuple[Outcome, ...] = ()
    replans: int = 0
    takeovers: int = 0
    answers: tuple[Answer, ...] = ()
    thought: int = 0
    protocol: str = "vanilla"
    assists: tuple[str, ...] = ()

    @property
    def success(self) -> bool:
        """Tell whether the task was reached."""
        return self.status == "success"
