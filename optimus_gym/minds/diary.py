"""Diary: an episode's sub-goals with frames and verdicts, until the memory stores them."""

from dataclasses import dataclass, field
from typing import Final

from optimus_gym.core.deliberation import Outcome, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, SubGoal
from optimus_gym.memory.experience import PastPursuit
from optimus_gym.memory.summary import Film, Glimpse, Roll
from optimus_gym.minds.hindsight import SubGoalState
from optimus_gym.minds.setbacks import LaterPlan

_ENDS_WITHOUT_PLACE: Final = ("died", "world_failed")
"""Reasons of a sub-goal's failure after which the world cannot say where the player was."""


@dataclass(slots=True)
class Reflection:
    """A verdict on a sub-goal; the right verdict is known only when the sub-goal has ended.

    Attributes:
        present: the frame at the verdict.
        verdict: the verdict.
        look: the index in `Scene.looks` of the sub-goal's state at the verdict.
    """

    present: Glimpse
    verdict: Verdict
    look: int


@dataclass(slots=True)
class Scene:
    """A running or ended sub-goal of an episode, with its frames and verdicts.

    Attributes:
        film: the sub-goal's frames.
        before: the frame before the sub-goal.
        looks: what the agent saw of the player: before the sub-goal, at each frame, at the end.
        reflections: reflections on the sub-goal.
        outcome: how the sub-goal ended; None while it is pursued.
    """

    film: Film
    before: Glimpse
    looks: list[SubGoalState]
    reflections: list[Reflection] = field(default_factory=list)
    outcome: Outcome | None = None


@dataclass(slots=True)
class Diary:
    """Notes on the episode of one row.

    Attributes:
        begun: the episode's first situation, without pictures.
        roll: the episode's pictures.
        plan: texts of the first plan's sub-goals.
        scenes: the sub-goals that were begun, in order.
        later: the plans after the first one.
    """

    begun: Situation
    roll: Roll = field(default_factory=Roll)
    plan: tuple[str, ...] = ()
    scenes: list[Scene] = field(default_factory=list)
    later: list[LaterPlan] = field(default_factory=list)


def text_of(subgoal: SubGoal) -> str:
    """Return a sub-goal's prompt, or the sub-goal in words if the prompt is empty."""
    return subgoal.text or str(subgoal)


def verdict_of_end(outcome: Outcome) -> Verdict:
    """Return the verdict that matches the end of a sub-goal."""
    if outcome.failure is None:
        return Verdict("COMPLETE")
    return Verdict("REPLAN", str(outcome.failure))


def is_gone(outcome: Outcome) -> bool:
    """Return whether the world cannot say at a sub-goal's end where the player was."""
    return outcome.failure is not None and outcome.failure.reason in _ENDS_WITHOUT_PLACE


def keeps_frames(outcome: Outcome) -> bool:
    """Return whether frames of a sub-goal are stored even if the frames do not match the sub-goal's text."""
    return outcome.failure is not None or outcome.subgoal.verb in (RECOVER, "place")


def pursuit_of(scene: Scene) -> PastPursuit:
    """Return the memory's record of a sub-goal that has ended, with its stored frames."""
    outcome = scene.outcome
    assert outcome is not None, "the sub-goal has ended"
    return PastPursuit(
        text=text_of(outcome.subgoal),
        end=outcome.end,
        failure="" if outcome.failure is None else str(outcome.failure),
        tick=outcome.tick,
        ticks=outcome.ticks,
        seen=scene.film.seen,
        correlation=scene.film.correlation,
        vector=scene.film.vector,
    )
