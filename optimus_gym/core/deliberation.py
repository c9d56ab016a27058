"""What goes between the loop and an agent: decisions, verdicts, outcomes, an episode's record."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final, Literal

from optimus_gym.core.situation import Picture
from optimus_gym.core.task import Task
from optimus_gym.core.types import Failure, Status, SubGoal

PlannedBy = Literal["", "backbone", "goal", "rules"]
"""The author of a plan (`Decision.planned_by`)."""
JudgedBy = Literal["", "backbone", "nobody"]
"""The author of a verdict (`Verdict.judged_by`)."""
Judgement = Literal["CONTINUE", "COMPLETE", "REPLAN"]
"""A reflector's three words (Optimus-1, section 2.2)."""
Judge = Literal["inventory", "reflector", "both"]
"""Whose word ends a sub-goal as done (`core.protocols.Agent.judge`): the world's, which shows it; the
agent's COMPLETE; whichever of both comes first."""
End = Literal["reached", "failed", "complete", "replan"]
"""How a sub-goal ends: the world shows that it is reached; whoever carried it out failed, or its ticks
were spent; the agent calls it complete; the agent wants another plan."""

NO_TEXT: Final = "no text in the answer"


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
        planned_by: who made the plan that begins with this decision: "backbone", in its own words; "goal"
            or "rules", the bare goal or the rules in its place, since its answers could not be used. ""
            where no plan begins with it, or no backbone was asked for one. Plans are counted by it.
        corrections: how often the backbone was told, for this plan, what was wrong with its answer; 0 where
            no plan was asked for.
    """

    subgoal: SubGoal | None
    reason: str = ""
    plan: tuple[SubGoal, ...] = ()
    position: int = 0
    problems: tuple[str, ...] = ()
    replanned: bool = False
    planned_by: PlannedBy = ""
    corrections: int = 0

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
    judged_by: JudgedBy = ""
    """Whose word it is: "backbone"; "nobody" where the backbone was asked and its answers could not be used,
    so that the sub-goal goes on; "" where no backbone was asked."""
    corrections: int = 0
    """How often the backbone was told, for this verdict, what was wrong with its answer."""
    problems: tuple[str, ...] = ()
    """In words, what was wrong with its answers."""


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
        tool: the tool by which the pieces were got, or None: it needed none.
        station: the station that they were made at, or None.
        contradicted: whether the agent called it complete and the inventory does not show it.
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
    tool: str | None = None
    station: str | None = None
    contradicted: bool = False
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
    answered: bool = True
    """Whether it holds a text at all."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The fate of a backbone's answers in an episode: whose plans and verdicts count.

    Attributes:
        corrections: how often the backbone was told what was wrong with its answer.
        own_plans: plans in its own words.
        goal_plans: plans in whose place the bare goal was handed out.
        rules_plans: plans that the rules made in its place.
        own_verdicts: verdicts of it that could be read.
        lost_verdicts: verdicts that it was asked for and that could not be read.
        fault: what went wrong first, in words: why a server did not answer, or what was wrong with an
            answer; "" for nothing.
    """

    corrections: int = 0
    own_plans: int = 0
    goal_plans: int = 0
    rules_plans: int = 0
    own_verdicts: int = 0
    lost_verdicts: int = 0
    fault: str = ""

    @property
    def counts(self) -> tuple[int, ...]:
        """Return its counts, in the order of `TALLIED`."""
        plans = self.own_plans, self.goal_plans, self.rules_plans
        return self.corrections, *plans, self.own_verdicts, self.lost_verdicts

    def heard(self, answer: Answer) -> "Tally":
        """Return the counts after a reply: one without a text may be the first fault."""
        if self.fault or answer.answered:
            return self
        return replace(self, fault=answer.faults[0] if answer.faults else NO_TEXT)

    def after(self, said: Decision | Verdict) -> "Tally":
        """Return the counts after what the agent says."""
        by = said.planned_by if isinstance(said, Decision) else said.judged_by
        if not by and not said.corrections and not said.problems:
            return self
        kind = "plans" if isinstance(said, Decision) else "verdicts"
        owner = {"backbone": "own", "nobody": "lost"}.get(by, by)
        counted = {f"{owner}_{kind}": getattr(self, f"{owner}_{kind}") + 1} if by else {}
        fault = self.fault or next(iter(said.problems), "")
        corrections = self.corrections + said.corrections
        return replace(self, corrections=corrections, fault=fault, **counted)


TALLIED: Final = tuple(one.name for one in fields(Tally) if one.type is int)
"""The names of a tally's counts."""


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
        tally: the fate of the backbone's answers.
        answers: what was asked of the backbone in it.
        thought: ticks for which the world went on while the backbone answered.
        protocol: the rules that it was played by.
        assists: what made the game easier.
        memory_lost: why the agent goes on without its memory, in words; "" if it does not.
    """

    row: int
    task: Task
    status: Status
    reason: str = ""
    ticks: int = 0
    outcomes: tuple[Outcome, ...] = ()
    replans: int = 0
    tally: Tally = Tally()
    answers: tuple[Answer, ...] = ()
    thought: int = 0
    protocol: str = "vanilla"
    assists: tuple[str, ...] = ()
    memory_lost: str = ""

    @property
    def success(self) -> bool:
        """Tell whether the task was reached."""
        return self.status == "success"

    @property
    def complete_wrong(self) -> int:
        """Return how many sub-goals the agent called complete that the inventory does not show."""
        return sum(outcome.contradicted for outcome in self.outcomes)
