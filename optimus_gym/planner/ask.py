"""What a planner is asked, and what a planner is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Failure, Plan, SubGoal


@dataclass(frozen=True, slots=True)
class Setback:
    """A sub-goal that was not reached, and why."""

    failed: SubGoal
    why: Failure


@dataclass(frozen=True, slots=True)
class Ask:
    """A row's question for a plan.

    Attributes:
        situation: what is held and in reach, and the goal; `goal.count` is what must be held in the end.
        setback: what makes a new plan necessary; None where no plan has failed.
    """

    situation: Situation
    setback: Setback | None = None


class Planner(Protocol):
    """Makes plans for many rows at once and keeps none of them in mind."""

    def plan(self, asks: Sequence[Ask]) -> Sequence[Plan]:
        """Return the sub-goals that lead to each row's goal.

        A goal that cannot be reached gives an empty plan whose `problems` say why, one that is
        reached already an empty plan without a word.
        """
