"""Play episodes in the rows of one environment, one episode in each, and return their results."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import TALLIED, Outcome, Record
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.feasibility import Impossible
from optimus_gym.envs.powers import powers_of, with_way
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.game.items import item_names
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.evaluate.identity import configuration_hash
from optimus_gym.run.evaluate.key_frames import camera_of
from optimus_gym.run.results.row import (
    CRASHED,
    IMPOSSIBLE,
    OVERTIME,
    Death,
    EpisodeRow,
    Pursued,
    shortened,
)

_DIED: Final = "died"
"""The kind of event that reports the player's death."""


@dataclass(slots=True)
class EpisodeNotes:
    """Facts that are collected while an episode is played, for the episode's row of results."""

    job: Job
    possessed: NDArray[np.bool_]
    """Mask of the items that the player has ever held; each change replaces the array
    (`envs.courses.Episode`)."""
    milestones: dict[str, int] = field(default_factory=dict)
    deaths: list[Death] = field(default_factory=list)
    wall_s: float = 0.0


class Stage:
    """The rows of one environment; each row plays one episode or is free.

    Args:
        evaluation: the configuration.
        identity: the values that all rows of the evaluation share (`identity_of`).
        rows: how many episodes are played at once.
        pictures: the picture settings of `Crewing.told`; None keeps no pictures.

    Raises:
        BadValue: the environment cannot be made; `Impossible` if chosen tasks cannot be done.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        identity: Mapping[str, Any],
        rows: int,
        pictures: Mapping[str, Any] | None = None,
    ) -> None:
        self._evaluation = evaluation
        self._identity = identity
        self._stamp = stamp(evaluation, identity)
        self._view, self._impossible = made_view(evaluation, rows)
        self._view.watch(self._note)
        self._camera = camera_of(pictures, self._view)
        self._diaries: dict[int, EpisodeNotes] = {}
        self._rows = rows

    @property
    def has_room(self) -> bool:
        """Return whether another episode can begin."""
        return len(self._diaries) < self._rows

    @property
    def is_empty(self) -> bool:
        """Return whether no episode is being played."""
        return not self._diaries

    def begin(self, job: Job) -> None:
        """Begin an episode in a free row."""
        row = next(row for row in range(self._rows) if row not in self._diaries)
        begun = time.perf_counter()
        self._view.begin([row], [job.seed], {**self._evaluation.start, "task": job.task})
        diary = EpisodeNotes(job, self._view.runtime.episode(row).possessed)
        if self._camera is not None:
            self._camera.begin(row, job)
        diary.wall_s = time.perf_counter() - begun
        self._diaries[row] = diary

    def why_not(self, job: Job) -> EpisodeRow | None:
        """Return the result of an episode whose task is impossible; None if the episode can be played."""
        why = self._impossible.get(job.task)
        if why is None:
            return None
        return unplayed(self._evaluation, self._identity, job, IMPOSSIBLE, why)

    def play(self) -> list[EpisodeRow]:
        """Play on in all rows until at least one episode is over; return the results of finished episodes."""
        rows = sorted(self._diaries)
        begun = time.perf_counter()
        over = self._view.follow(rows)
        share = (time.perf_counter() - begun) / len(rows)
        for diary in self._diaries.values():
            diary.wall_s += share
        return [self._result(row, self._diaries.pop(row)) for row in over]

    def close(self) -> None:
        """Close the camera and the environment."""
        if self._camera is not None:
            self._camera.close()
        self._view.close()

    def _note(self, row: int) -> None:
        """Note the items that the player holds for the first time at this tick, and the player's deaths."""
        diary = self._diaries.get(row)
        if diary is None:
            return
        runtime = self._view.runtime
        episode = runtime.episode(row)
        if episode.possessed is not diary.possessed:
            names = item_names()
            for k in np.flatnonzero(episode.possessed & ~diary.possessed).tolist():
                diary.milestones[names[k]] = episode.ticks
            diary.possessed = episode.possessed
        for event in runtime.happened[row]:
            if event.kind == _DIED:
                diary.deaths.append(Death(str(event.subject), episode.ticks))
        if self._camera is not None:
            self._camera.tick(row)

    def _result(self, row: int, diary: EpisodeNotes) -> EpisodeRow:
        record = self._view.record(row)
        if self._camera is not None:
            self._camera.finish(row, diary.job, record.status)
        return EpisodeRow(
            **self._stamp(diary.job),
            **accounts(record),
            assists=record.assists,
            privileged=bool(self._view.privileged),
            helper=self._view.helper_name,
            budget=self._view.runtime.episode(row).budget,
            milestones=diary.milestones,
            deaths=tuple(diary.deaths),
            wall_s=round(diary.wall_s, 3),
        )


def made_view(evaluation: Evaluation, rows: int) -> tuple[SubGoalView, Mapping[str, str]]:
    """Return an environment of the feasible tasks, and the reason for each infeasible one by task.

    Raises:
        BadValue: the environment cannot be made. `Impossible`: every task is infeasible, or some
            task is infeasible and the evaluation has only some of the suite's tasks.
    """
    try:
        return SubGoalView(evaluation.config, rows, threads=1), {}
    except Impossible as error:
        left = tuple(name for name in evaluation.tasks if name not in error.faults)
        if not left or not evaluation.is_whole:
            raise
        return SubGoalView(evaluation.config_of(left), rows, threads=1), error.faults


def stamp(evaluation: Evaluation, identity: Mapping[str, Any]) -> Callable[[Job], dict[str, Any]]:
    """Return a function that gives for a job the fields of its result that are known before the episode."""
    config = evaluation.config
    parts = {kind: config.name_of(kind) for kind in ("agent", "backbone", "controller", "world")}
    shared = {
        "suite": evaluation.suite,
        **parts,
        "protocol": evaluation.protocol,
        "thinking": config.thinking,
        "crafting": with_way(config, powers_of(config)).crafting,
        "configuration": configuration_hash(identity),
        "code": identity["code"],
        "memory": identity["memory"],
        "versions": identity["versions"],
    }
    groups = evaluation.groups

    def stamped(job: Job) -> dict[str, Any]:
        own = {
            "task": job.task,
            "group": groups[job.task],
            "episode": job.episode,
            "seed": job.seed,
        }
        return {**own, **shared}

    return stamped


def accounts(record: Record) -> dict[str, Any]:
    """Return the fields of an episode's result that come from the episode's record."""
    answers = record.answers
    return {
        "success": record.success,
        "status": record.status,
        "reason": shortened(record.reason),
        "ticks": record.ticks,
        "subgoals": tuple(_pursued(outcome) for outcome in record.outcomes),
        "replans": record.replans,
        **{name: getattr(record.tally, name) for name in TALLIED},
        "fault": shortened(record.tally.fault),
        "complete_wrong": record.complete_wrong,
        "memory_lost": shortened(record.memory_lost),
        "thought": record.thought,
        "calls": len(answers),
        "unanswered": sum(not answer.answered for answer in answers),
        "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
        "completion_tokens": sum(answer.completion_tokens for answer in answers),
        "latency_s": float(sum(answer.latency_s for answer in answers)),
        "cost": float(sum(answer.cost for answer in answers)),
        "faults": sum(len(answer.faults) for answer in answers),
        "models": tuple(dict.fromkeys(answer.model for answer in answers)),
    }


def _pursued(outcome: Outcome) -> Pursued:
    failure = outcome.failure
    return Pursued(
        subgoal=str(outcome.subgoal),
        end=outcome.end,
        failure="" if failure is None else failure.reason,
        missing="" if failure is None else failure.item or "",
        detail="" if failure is None else shortened(failure.detail),
        ticks=outcome.ticks,
        tick=outcome.tick,
    )


def crashed(evaluation: Evaluation, identity: Mapping[str, Any], job: Job, why: str) -> EpisodeRow:
    """Return the result of an episode that could not be played to its end.

    Args:
        evaluation: the configuration.
        identity: the values that all rows of the evaluation share.
        job: the episode.
        why: the traceback, or how the process ended.
    """
    return unplayed(evaluation, identity, job, CRASHED, why)


def overtime(
    evaluation: Evaluation, identity: Mapping[str, Any], job: Job, limit: float
) -> EpisodeRow:
    """Return the result of an episode that exceeded the time limit.

    Args:
        evaluation: the configuration.
        identity: the values that all rows of the evaluation share.
        job: the episode.
        limit: the time limit in seconds.
    """
    why = f"it took more than {limit:g} s by itself"
    return replace(unplayed(evaluation, identity, job, OVERTIME, why), wall_s=limit)


def unplayed(
    evaluation: Evaluation, identity: Mapping[str, Any], job: Job, status: str, why: str
) -> EpisodeRow:
    """Return the result of an episode that was not measured: only status and reason."""
    return EpisodeRow(
        **stamp(evaluation, identity)(job),
        assists=tuple(evaluation.config.rules.assists),
        privileged=_is_privileged(evaluation.config),
        helper="",
        budget=evaluation.budget_of(job.task),
        success=False,
        status=status,
        reason=why,
        milestones={},
        subgoals=(),
        deaths=(),
    )


def _is_privileged(config: EnvConfig) -> bool:
    """Return whether agent or controller reads the world itself, without building the parts."""
    world, controller, agent = (config.parts[kind] for kind in ("world", "controller", "agent"))
    assert world is not None, "an evaluation holds specifications alone"
    assert controller is not None, "an evaluation holds specifications alone"
    assert agent is not None, "an evaluation holds specifications alone"
    by = getattr(agent.maker, "privileged_by", {})
    if any(agent.options.get(name) == value for name, value in by.items()):
        return True
    acts = (
        "subgoals" not in world.maker.can
    )  # a world with "subgoals" carries out all sub-goals itself
    return acts and bool(getattr(controller.maker, "privileged", False))
