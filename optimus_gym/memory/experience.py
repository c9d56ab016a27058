"""Experience of one episode: where and how it began, plan, sub-goals, pictures, outcome.

Optimus-1, section 2.1.1 and appendix E.1.1: the multimodal experience of a task is made of its sub-goals'
experience. Successes and failures are stored alike. Each reflection is stored as a case, with a label: the
judgement that the sub-goal's end showed to be right.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Judgement

OUTCOMES: Final = ("success", "failure")
"""Outcomes of experiences, as searches name them (Optimus-1, Table 3)."""
KEY_DIGITS: Final = 32
"""Number of hexadecimal digits of an experience's key."""
UNFINISHED: Final = ("running", "abandoned", "world_failed")
"""Statuses of episodes that are neither successes nor failures."""


@dataclass(frozen=True, slots=True)
class Image:
    """A stored picture.

    Attributes:
        tick: tick of the episode at which the picture was seen.
        picture: bytes of the picture's file (`memory.pictures`).
        vector: the aligner's vector of the picture, of length 1 (float32[d]).
    """

    tick: int
    picture: bytes
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PastPursuit:
    """A sub-goal that was pursued, and its frames.

    Attributes:
        text: the sub-goal's text: verb, count and item.
        end: "reached", "complete", "failed" or "replan".
        failure: reason of the failure, in words, else "".
        tick: tick of the episode at which the sub-goal ended.
        ticks: duration of the sub-goal, ticks.
        seen: the stored frames; empty if the frames have little to do with the text.
        correlation: correlation of the frames with the text, by the aligner; None without frames.
        vector: vector of the frames as a video (float32[d]); None if no frame is stored.
    """

    text: str
    end: str
    failure: str
    tick: int
    ticks: int
    seen: tuple[Image, ...] = ()
    correlation: float | None = None
    vector: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A reflection.

    Attributes:
        place: index of the sub-goal among the episode's pursued sub-goals, from 0.
        subgoal: the sub-goal's text.
        environment: the environment at the reflection: a biome, "cave", "under_water" or "night".
        before: the frame before the sub-goal.
        present: the frame at the reflection.
        predicament: name of the predicament (`core.predicaments.PREDICAMENTS`); "" unless the label is
            "REPLAN".
        verdict: the judgement that the agent gave; for the case at a sub-goal's end, how the sub-goal ended.
        label: the judgement that hindsight shows to be right (`minds.hindsight`).
    """

    place: int
    subgoal: str
    environment: str
    before: Image
    present: Image
    predicament: str
    verdict: Judgement
    label: Judgement


@dataclass(frozen=True, slots=True)
class Replan:
    """A plan that was made after a setback, and how far it led.

    Attributes:
        place: how many sub-goals had been pursued before the plan.
        failed: the text of the sub-goal that had failed.
        reason: reason of the failure, in words.
        plan: the new plan's sub-goals.
        reached: how many of the plan's sub-goals were reached before the next setback or the episode's end.
        worked: whether all sub-goals, or the task itself, were reached before the next setback.
    """

    place: int
    failed: str
    reason: str
    plan: tuple[str, ...]
    reached: int
    worked: bool


@dataclass(frozen=True, slots=True)
class Experience:
    """An episode.

    Attributes:
        key: unique key; an experience that is added twice is stored once.
        task: the task's id.
        goal: the task's instruction.
        environment: the environment at the start, such as a biome or "cave".
        start: the agent's first state (inventory, equipment, vitals), as values that JSON can hold.
        plan: the first plan's sub-goals.
        pursuits: sub-goals in order.
        cases: reflections in order.
        status: how the episode ended (`core.types.STATUSES`).
        ticks: duration of the episode, ticks.
        first: the first frame; None if the agent did not see it.
        told: further facts, such as protocol and assists, as values that JSON can hold.
        replans: plans after setbacks, in order.
    """

    key: str
    task: str
    goal: str
    environment: str
    start: Mapping[str, Any]
    plan: tuple[str, ...]
    pursuits: tuple[PastPursuit, ...]
    cases: tuple[Case, ...]
    status: str
    ticks: int
    first: Image | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    replans: tuple[Replan, ...] = ()

    @property
    def outcome(self) -> str:
        """Return one of `OUTCOMES`, or "" if the episode was not played to its end."""
        if self.status in UNFINISHED:
            return ""
        return OUTCOMES[self.status != "success"]

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the goal and the sub-goals' texts, each once."""
        subgoals = [pursuit.text for pursuit in self.pursuits]
        subgoals += [case.subgoal for case in self.cases]
        return tuple(dict.fromkeys([self.goal, *subgoals, *(one.failed for one in self.replans)]))


def keyed(experience: Experience) -> Experience:
    """Return an experience whose key is a hash of its content: equal episodes have equal keys."""
    told = replace(experience, key="", first=None, pursuits=(), cases=())
    digest = hashlib.sha256(repr(told).encode())
    images = [image for pursuit in experience.pursuits for image in pursuit.seen]
    for pursuit in experience.pursuits:
        digest.update(repr((pursuit.text, pursuit.end, pursuit.failure, pursuit.tick)).encode())
    for image in (*images, *([experience.first] if experience.first else [])):
        digest.update(hashlib.sha256(image.picture).digest())
    return replace(experience, key=digest.hexdigest()[:KEY_DIGITS])
