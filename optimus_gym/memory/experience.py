"""What one episode leaves behind: where and how it began, plan, sub-goals, what was seen, outcome.

Optimus-1, section 2.1.1 and appendix E.1.1: the multimodal experience of a task is made of its sub-goals';
successes and failures are kept alike, and so are the cases of each reflection, with the label that the
sub-goal's end gave it in hindsight.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Judgement

OUTCOMES: Final = ("success", "failure")
"""How an experience ended, as it is retrieved (Optimus-1, Table 3)."""
DIGITS: Final = 32
"""Of an experience's key."""
UNFINISHED: Final = ("running", "abandoned", "world_failed")
"""Statuses of episodes that are neither."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that is kept.

    Attributes:
        tick: of the episode.
        picture: its file's bytes (`memory.pictures`).
        vector: what the aligner made of it, of length 1 (float32[d]).
    """

    tick: int
    picture: bytes
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Pursuit:
    """A sub-goal that was pursued, and what was seen meanwhile.

    Attributes:
        text: verb, count and item.
        end: "reached", "complete", "failed" or "replan".
        failure: why it failed, in words, else "".
        tick: of the episode, at its end.
        ticks: how many it took.
        seen: the frames that were kept; none where they have little to do with the text.
        correlation: of what was seen with the text, by the aligner; None where nothing was.
        vector: of what was seen, as a video (float32[d]); None where nothing was kept.
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
        place: of the sub-goal among those that were pursued, from 0.
        subgoal: its text.
        environment: where it was.
        before: the frame before the sub-goal.
        present: the frame at the reflection.
        predicament: what was wrong, by name (`core.predicaments.PREDICAMENTS`); "" unless the label is
            "REPLAN".
        verdict: what was said; at the end of a sub-goal, how it ended.
        label: what ought to have been said, in hindsight (`minds.hindsight`).
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
        place: how many sub-goals had been pursued before it.
        failed: the text of the sub-goal that had failed.
        reason: why it had, in words.
        plan: the new plan's sub-goals.
        reached: how many sub-goals of it were reached before the next setback or the episode's end.
        worked: whether all of them were, or the task was reached before the next setback.
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
        key: tells it from all others: what is added twice is kept once.
        task: the task's id.
        goal: its instruction.
        environment: where it began.
        start: the agent's first state: inventory, equipment, vitals; what JSON can hold.
        plan: the first plan's sub-goals.
        pursuits: sub-goals in order.
        cases: reflections in order.
        status: how the episode ended (`core.types.STATUSES`).
        ticks: how long it was.
        first: the frame in which it began; None if it was not seen.
        told: further facts, such as protocol and assists; what JSON can hold.
        replans: plans after setbacks, in order.
    """

    key: str
    task: str
    goal: str
    environment: str
    start: Mapping[str, Any]
    plan: tuple[str, ...]
    pursuits: tuple[Pursuit, ...]
    cases: tuple[Case, ...]
    status: str
    ticks: int
    first: Image | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    replans: tuple[Replan, ...] = ()

    @property
    def outcome(self) -> str:
        """Return one of `OUTCOMES`, or "" where nobody played the episode to its end."""
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
    """Return an experience under the key that its content gives: the same episode has the same one."""
    told = replace(experience, key="", first=None, pursuits=(), cases=())
    digest = hashlib.sha256(repr(told).encode())
    images = [image for pursuit in experience.pursuits for image in pursuit.seen]
    for pursuit in experience.pursuits:
        digest.update(repr((pursuit.text, pursuit.end, pursuit.failure, pursuit.tick)).encode())
    for image in (*images, *([experience.first] if experience.first else [])):
        digest.update(hashlib.sha256(image.picture).digest())
    return replace(experience, key=digest.hexdigest()[:DIGITS])
