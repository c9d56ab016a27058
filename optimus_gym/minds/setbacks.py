"""Plans after setbacks, and how far they led, from the notes on an episode."""

from collections.abc import Sequence
from dataclasses import dataclass

from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.types import RECOVER, Status
from optimus_gym.memory.experience import Replan


@dataclass(frozen=True, slots=True)
class LaterPlan:
    """A plan that followed a setback.

    Attributes:
        place: how many sub-goals of the episode had been pursued before the plan.
        plan: the texts of the plan's sub-goals.
    """

    place: int
    plan: tuple[str, ...]


def replans_of(
    made: Sequence[LaterPlan], outcomes: Sequence[Outcome], texts: Sequence[str], status: Status
) -> tuple[Replan, ...]:
    """Return the plans that were made after a sub-goal had failed, and how far they led.

    A plan is left out if the plan before it ended without a failed sub-goal.

    Args:
        made: the plans after the first one, in order.
        outcomes: outcomes of all sub-goals that have ended, in order.
        texts: texts of these sub-goals.
        status: how the episode ended.
    """
    found = []
    begun = 0
    for later in made:
        failed = _failed(outcomes, begun, later.place)
        begun = later.place
        if failed is None or not later.plan:
            continue
        reached, met = _led(outcomes, texts, later)
        over = reached == len(later.plan) or (status == "success" and not met)
        reason = str(outcomes[failed].failure)
        found.append(Replan(later.place, texts[failed], reason, later.plan, reached, over))
    return tuple(found)


def _failed(outcomes: Sequence[Outcome], begun: int, end: int) -> int | None:
    """Return the index in `outcomes` of the sub-goal whose failure ended a plan, or None.

    If several sub-goals of the plan failed, the last failed one is returned. A failed recovery counts only if
    no other sub-goal of the plan failed: an agent that recovers after a failure makes its new plan because of
    the failure.
    """
    failed = [k for k in range(begun, end) if outcomes[k].failure is not None]
    others = [k for k in failed if outcomes[k].subgoal.verb != RECOVER]
    return next(reversed(others or failed), None)


def _led(outcomes: Sequence[Outcome], texts: Sequence[str], later: LaterPlan) -> tuple[int, bool]:
    """Return how many of a plan's sub-goals were reached before the first failure, and whether one failed."""
    reached = 0
    for outcome, text in zip(outcomes[later.place :], texts[later.place :], strict=True):
        if outcome.failure is not None:
            return reached, True
        if reached < len(later.plan) and text == later.plan[reached]:
            reached += 1
    return reached, False
