"""A controller that lets teacher or pupil act, and notes for every tick what would have been right."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.pixel.pixel import PixelController
from optimus_gym.controllers.pixel.senses import SENSED_KEYS, Senses, goal_of
from optimus_gym.controllers.teacher.teacher import TeacherController
from optimus_gym.core.actions import (
    ATTACK,
    CAMERA_STILL,
    CONTROL_LENGTH,
    FORWARD,
    JUMP,
    LEFT,
    PITCH,
    YAW,
    noop,
)
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import Failure, SubGoal

PUPILS_TURN: Final = 20
"""Ticks of a stretch in which either the pupil or the teacher acts."""
SLIP: Final = 8
"""Ticks of a stretch in which the teacher acts well or at random."""


class Notes(NamedTuple):
    """Notes of a sub-goal of n ticks.

    Attributes:
        pictures: uint8[n, 32, 32, 3], the small picture of each tick.
        facts: float32[n, FACT_COUNT].
        labels: int8[n, 13], the teacher's keys.
    """

    pictures: NDArray[np.uint8]
    facts: NDArray[np.float32]
    labels: NDArray[np.int8]


class Tutor:
    """Labels every tick with the teacher's action; acts as the teacher, or as the pupil.

    Without a pupil the teacher acts, with stretches of random keys in between: a pupil's errors will lead to
    such states. With a pupil, the pupil acts or, with the probability `help` in each
    stretch, the teacher (DAgger's mixture, Ross et al. 2011, section 3).

    Args:
        pupil: the file of a network; None: the teacher acts.
        help: probability that the teacher acts in a stretch of the pupil, 0 to 1.
        noise: probability that the teacher acts at random in a stretch, 0 to 1.
    """

    privileged = True
    needs = frozenset({"arrays", "keys"})
    verbs = TeacherController.verbs
    looks_at = SENSED_KEYS
    fixed_batch = False

    def __init__(self, pupil: str | None = None, help: float = 0.0, noise: float = 0.0) -> None:
        self._teacher = TeacherController()
        self._pupil = None if pupil is None else PixelController(pupil)
        self._help, self._noise = help, noise
        self._draws: dict[int, np.random.Generator] = {}
        self._written: dict[int, list[tuple[NDArray[Any], ...]]] = {}
        self._instead: dict[int, NDArray[np.int32] | None] = {}
        self._finished: list[Notes] = []

    def attach(self, setting: ControllerSetting) -> None:
        """Attach teacher and pupil."""
        self._teacher.attach(setting)
        if self._pupil is None:
            self._senses = Senses(setting)
        else:
            self._pupil.attach(setting)
            self._senses = self._pupil.senses

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`."""
        self._teacher.begin_episodes(rows, seeds)
        if self._pupil is not None:
            self._pupil.begin_episodes(rows, seeds)
        for row, seed in zip(rows, seeds, strict=True):
            self._draws[row] = generator(seed, "tutor")

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Finish the rows' former notes, and give each of `rows` a new sub-goal that the network knows."""
        self._teacher.begin_subgoals(rows, subgoals)
        for row, subgoal in zip(rows, subgoals, strict=True):
            self._finish(row)
            goal = goal_of(subgoal)
            assert goal is not None, f"a lesson asks for {subgoal}, which the network does not know"
            self._senses.begin_subgoal(row, goal)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Note the teacher's actions and return those to do (int32[n, 15]), with no failures."""
        pictures, facts = self._senses.sense(rows, observations)
        labels, _ = self._teacher.act(rows, observations, mask)
        keys = labels[:, :CONTROL_LENGTH].astype(np.int8)
        chosen = labels if self._pupil is None else self._pupil.decide(rows, pictures, facts)
        actions = np.stack([self._acted(row, chosen[k], labels[k]) for k, row in enumerate(rows)])
        self._senses.acted(rows, actions)
        for k, row in enumerate(rows):
            self._written.setdefault(row, []).append((pictures[k, 0], facts[k], keys[k]))
        return actions, [None] * len(rows)

    def _acted(
        self, row: int, chosen: NDArray[np.int32], label: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """Return the action that a row does now: the chosen one, or another in some stretches."""
        ticks, draws = len(self._written.get(row, ())), self._draws[row]
        if self._pupil is not None:
            if ticks % PUPILS_TURN == 0:
                self._instead[row] = label if draws.random() < self._help else None
            return chosen if self._instead[row] is None else label
        if ticks % SLIP == 0:
            self._instead[row] = random_keys(draws) if draws.random() < self._noise else None
        instead = self._instead[row]
        return chosen if instead is None else instead

    def _finish(self, row: int) -> None:
        written = self._written.pop(row, None)
        if written:
            pictures, facts, labels = zip(*written, strict=True)
            self._finished.append(Notes(np.stack(pictures), np.stack(facts), np.stack(labels)))

    def notes(self) -> Iterator[Notes]:
        """Yield the notes of all sub-goals so far, and forget them."""
        for row in sorted(self._written):
            self._finish(row)
        while self._finished:
            yield self._finished.pop(0)


def random_keys(draws: np.random.Generator) -> NDArray[np.int32]:
    """Return keys as an untaught player presses them: walking, turning, hitting (int32[15])."""
    action = noop()
    action[FORWARD] = draws.integers(3) * (draws.random() < 0.6)
    action[LEFT] = draws.integers(3) * (draws.random() < 0.3)
    action[JUMP], action[ATTACK] = draws.random() < 0.1, draws.random() < 0.5
    for key, spread in ((PITCH, 1.5), (YAW, 3.0)):
        turn = CAMERA_STILL + round(spread * draws.standard_normal())
        action[key] = min(max(turn, 0), 2 * CAMERA_STILL)
    return action
