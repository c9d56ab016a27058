"""Diary: an episode's sub-goals as they were seen and judged, until the memory keeps them."""

from dataclasses import dataclass, field
from typing import Final

from optimus_gym.core.deliberation import Outcome, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import RECOVER, SubGoal
from optimus_gym.memory.experience import Pursuit
from optimus_gym.memory.summary import Film, Glimpse, Roll
from optimus_gym.minds.hindsight import Look
from optimus_gym.minds.setbacks import Anew

GONE: Final = ("died", "world_failed")
"""Reasons of failures after which the world cannot say where the player was."""


@dataclass(slots=True)
class Reflection:
    """What was seen and said of a sub-goal; what ought to have been said is known when it has ended.

    Attributes:
        present: the frame at that moment.
        verdict: what was said.
        look: the number of the look at that moment.
    """

    present: Glimpse
    verdict: Verdict
    look: int


@dataclass(slots=True)
class Scene:
    """A sub-goal that is pursued, or was.

    Attributes:
        film: what was seen.
        before: the frame before it.
        looks: what was known before it, at each frame since then, and at its end.
        reflections: on it.
        outcome: how it ended.
    """

    film: Film
    before: Glimpse
    looks: list[Look]
    reflections: list[Reflection] = field(default_factory=list)
    outcome: Outcome | None = None


@dataclass(slots=True)
class Diary:
    """What is noted of a row's episode.

    Attributes:
        begun: its first situation, without pictures.
        roll: its pictures.
        plan: the first plan's sub-goals.
        scenes: sub-goals in order.
        anew: plans that were made after it.
    """

    begun: Situation
    roll: Roll = field(default_factory=Roll)
    plan: tuple[str, ...] = ()
    scenes: list[Scene] = field(default_factory=list)
    anew: list[Anew] = field(default_factory=list)


def text_of(subgoal: SubGoal) -> str:
    """Return a sub-goal's prompt, or else its words."""
    return subgoal.text or str(subgoal)


def verdict_of_end(outcome: Outcome) -> Verdict:
    """Return the verdict that ends a sub-goal as it has ended."""
    if outcome.failure is None:
        return Verdict("COMPLETE")
    return Verdict("REPLAN", str(outcome.failure))


def is_gone(outcome: Outcome) -> bool:
    """Return whether the world cannot say at a sub-goal's end where the player was."""
    return outcome.failure is not None and outcome.failure.reason in GONE


def keeps_frames(outcome: Outcome) -> bool:
    """Return whether frames of a sub-goal are kept, however little they show what its text says."""
    return outcome.failure is not None or outcome.subgoal.verb in (RECOVER, "place")


def pursuit_of(scene: Scene) -> Pursuit:
    """Return what the memory keeps of a sub-goal that has ended, and of its film."""
    outcome = scene.outcome
    assert outcome is not None, "it has ended"
    return Pursuit(
        text=text_of(outcome.subgoal),
        end=outcome.end,
        failure="" if outcome.failure is None else str(outcome.failure),
        tick=outcome.tick,
        ticks=outcome.ticks,
        seen=scene.film.seen,
        correlation=scene.film.correlation,
        vector=scene.film.vector,
    )
