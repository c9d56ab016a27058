"""Plans, questions for plans, and setbacks that make another plan necessary."""

from dataclasses import dataclass

from optimus_gym.core.deliberation import PlannedBy
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Failure, SubGoal


@dataclass(frozen=True, slots=True)
class Setback:
    """A sub-goal that was not reached, and why."""

    failed: SubGoal
    why: Failure


@dataclass(frozen=True, slots=True)
class Ask:
    """A row's question for a plan.

    Attributes:
        situation: items held and in reach, and the goal; `goal.count` pieces must be held in the end.
        setback: the setback that makes a new plan necessary; None if no plan has failed.
        vain: predicaments from which the player cannot recover now.
    """

    situation: Situation
    setback: Setback | None = None
    vain: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """Ordered sub-goals, and how they came about.

    Attributes:
        subgoals: sub-goals in the order of doing; an empty plan has its reason in `problems`.
        text: the backbone's text.
        problems: faults of the backbone's answers, in words.
        planned_by: "backbone"; "goal" or "rules" for a plan in place of the backbone's; "" for no plan.
        corrections: the number of requests that corrected an answer.
        stops: the first step that cannot work, if the plan ends before the goal because of it; else None.
    """

    subgoals: tuple[SubGoal, ...]
    text: str = ""
    problems: tuple[str, ...] = ()
    planned_by: PlannedBy = ""
    corrections: int = 0
    stops: Setback | None = None
