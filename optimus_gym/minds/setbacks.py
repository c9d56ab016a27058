"""Plans after setbacks, and their ends, from the diary of an episode."""

from collections.abc import Sequence
from dataclasses import dataclass

from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.types import RECOVER, Status
from optimus_gym.memory.experience import Replan


@dataclass(frozen=True, slots=True)
class Anew:
    """A plan that followed a setback.

    Attributes:
        place: how many sub-goals had been pursued before it.
        plan: the texts of its sub-goals.
    """

    place: int
    plan: tuple[str, ...]


def replans_of(
    made: Sequence[Anew], outcomes: Sequence[Outcome], texts: Sequence[str], status: Status
) -> tuple[Replan, ...]:
    """Return the plans that were made after a sub-goal had failed, and how far they led.

    A plan that was made because the last one ended before the goal is none of them: nothing had failed.

    Args:
        made: the plans after the first one, in order.
        outcomes: of all sub-goals that have ended, in order.
        texts: of these sub-goals.
        status: how the episode ended.
    """
    found = []
    begun = 0
    for anew in made:
        failed = _failed(outcomes, begun, anew.place)
        begun = anew.place
        if failed is None or not anew.plan:
            continue
        reached, met = _led(outcomes, texts, anew)
        over = reached == len(anew.plan) or (status == "success" and not met)
        reason = str(outcomes[failed].failure)
        found.append(Replan(anew.place, texts[failed], reason, anew.plan, reached, over))
    return tuple(found)


def _failed(outcomes: Sequence[Outcome], begun: int, end: int) -> int | None:
    """Return the place of the sub-goal whose failure ended a plan.

    It is the last one that failed since that plan, and a recovery only where nothing else failed: who
    recovers after a failure plans because of that failure.
    """
    failed = [k for k in range(begun, end) if outcomes[k].failure is not None]
    others = [k for k in failed if outcomes[k].subgoal.verb != RECOVER]
    return next(reversed(others or failed), None)


def _led(outcomes: Sequence[Outcome], texts: Sequence[str], anew: Anew) -> tuple[int, bool]:
    """Return how many of a plan's sub-goals were reached in its order, and whether a setback came then."""
    reached = 0
    for outcome, text in zip(outcomes[anew.place :], texts[anew.place :], strict=True):
        if outcome.failure is not None:
            return reached, True
        if reached < len(anew.plan) and text == anew.plan[reached]:
            reached += 1
    return reached, False
