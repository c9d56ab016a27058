"""Messages between the loop of an episode and an agent: decisions, verdicts, outcomes, records."""

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
"""A reflector's three possible verdicts on a sub-goal (Optimus-1, section 2.2)."""
Judge = Literal["inventory", "reflector", "both"]
"""The judge that ends a sub-goal as done (`core.interfaces.Agent.judge`). "inventory": the world, by its
state. "reflector": the agent, by the verdict COMPLETE. "both": whichever of world and agent is first."""
End = Literal["reached", "failed", "complete", "replan"]
"""How a sub-goal ends. "reached": the world shows the success. "failed": the executor failed, or the
sub-goal's ticks were spent. "complete": the agent says that the sub-goal is done. "replan": the agent wants
another plan."""

NO_TEXT: Final = "no text in the answer"


@dataclass(frozen=True, slots=True)
class Decision:
    """An agent's decision for a row: the next sub-goal, or giving up.

    Attributes:
        subgoal: the next sub-goal; None gives up, which ends the episode ("gave_up", truncated).
        reason: why the agent gives up, in words.
        plan: all sub-goals of the plan that the agent follows, for people; may be empty.
        position: index of `subgoal` in `plan`.
        problems: the faults of the texts from which the plan was read, in words.
        replanned: whether this decision begins a new plan that is not the episode's first; `Record.replans`
            counts such decisions.
        planned_by: the author of the plan that begins with this decision: "backbone"; if the backbone's
            answers could not be used, "goal" (a plan for the bare goal: the wanted item, without any
            recipe) or "rules" (the rules made the plan); "" if no plan begins with this decision or the
            agent asked no backbone. `Tally` counts plans by `planned_by`.
        corrections: how often the backbone was asked to correct its answer for this plan; 0 if the agent
            asked for no plan.
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
    """An agent's judgement of a sub-goal that is being carried out."""

    judgement: Judgement = "CONTINUE"
    predicament: str = ""
    """The player's trouble, in words, if the agent wants another plan ("REPLAN"); else ""."""
    reflection: str = ""
    """The reflection's text, for people; "" if the agent did not reflect."""
    judged_by: JudgedBy = ""
    """The author of the verdict: "backbone"; "" without a question to the backbone; or, if the agent could
    use no answer of the backbone and the sub-goal goes on, "nobody"."""
    corrections: int = 0
    """How often the backbone was asked to correct its answer for this verdict."""
    problems: tuple[str, ...] = ()
    """The faults of the backbone's answers, in words."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sub-goal ended.

    Attributes:
        row: the row.
        subgoal: the sub-goal.
        end: how the sub-goal ended: "reached", "failed", "complete" or "replan".
        failure: why the sub-goal was not reached, if `end` is "failed" or "replan"; else None.
        ticks: ticks that the sub-goal took.
        tick: the episode's tick at the sub-goal's end.
        gained: pieces that the inventory gained since the sub-goal began, by item.
        consumed: pieces that the inventory lost since the sub-goal began, by item.
        batches: number of crafted or smelted batches of items that count for the sub-goal.
        tool: the tool with which the pieces were got; None if they needed no tool.
        station: the station at which the pieces were made, or None.
        contradicted: whether the agent called the sub-goal complete although the inventory does not show the
            success.
        chosen: whether the caller of `env.step` chose the sub-goal instead of the agent's decision.
        over: whether the episode ended with the sub-goal.
        pov: the sub-goal's last frame, as the observation's key `pov` has it; None in a world without
            pictures, and in the outcomes of a `Record`.
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
        """Return "reached", "complete" or the failure's text."""
        return self.end if self.failure is None else str(self.failure)


@dataclass(frozen=True, slots=True)
class Answer:
    """A backbone's reply without its text: the kind of request, time, tokens, price and faults."""

    kind: str
    """The request's kind."""
    model: str
    latency_s: float
    prompt_tokens: int
    completion_tokens: int
    tick: int
    """The episode's tick at which the agent asked the backbone."""
    cost: float = 0.0
    faults: tuple[str, ...] = ()
    """The faults of the backbone's failed attempts to answer, in words."""
    answered: bool = True
    """Whether the reply holds a text."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of a backbone's answers in one episode: corrections, and plans and verdicts by their author.

    Attributes:
        corrections: how often the backbone was asked to correct an answer.
        own_plans: plans that were read from the backbone's answers.
        goal_plans: plans for the bare goal (the wanted item, without any recipe) in place of unusable plans.
        rules_plans: plans that the rules made instead of the backbone.
        own_verdicts: readable verdicts of the backbone.
        lost_verdicts: verdicts of the backbone that could not be read.
        fault: the first fault, in words: why a server did not answer, or why an answer was wrong; "" if
            there was no fault.
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
        """Return the tally's counts, in the order of `TALLIED`."""
        plans = self.own_plans, self.goal_plans, self.rules_plans
        return self.corrections, *plans, self.own_verdicts, self.lost_verdicts

    def heard(self, answer: Answer) -> "Tally":
        """Return the tally after a reply; the first reply without a text sets `fault` if `fault` is empty."""
        if self.fault or answer.answered:
            return self
        return replace(self, fault=answer.faults[0] if answer.faults else NO_TEXT)

    def after(self, said: Decision | Verdict) -> "Tally":
        """Return the tally with an agent's decision or verdict added to the counts."""
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
"""Names of the counts that a `Tally` holds."""


@dataclass(frozen=True, slots=True)
class Record:
    """An episode that is over.

    Attributes:
        row: the row.
        task: the episode's task.
        status: how the episode ended, never "running".
        reason: why the agent gave up or the world failed, in words; else "".
        ticks: the episode's length.
        outcomes: the outcomes of the episode's sub-goals, in their order.
        replans: new plans after the first one.
        tally: counts of the backbone's corrections, plans and verdicts.
        answers: the costs of the backbone's replies in the episode.
        thought: ticks for which the world went on while the backbone answered.
        protocol: the episode's rules.
        assists: names of the assists that made the game easier.
        memory_lost: why the agent goes on without its memory, in words; "" if the memory is in use.
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
        """Return whether the task was reached."""
        return self.status == "success"

    @property
    def complete_wrong(self) -> int:
        """Return how many sub-goals the agent called complete without success in the inventory."""
        return sum(outcome.contradicted for outcome in self.outcomes)
