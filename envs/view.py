"""What the three views share: spaces, observations and the accounts of a step."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from operator import lt
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Dict, Space
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import VERBS
from optimus_gym.envs import vocabulary as vocabularies
from optimus_gym.envs.config import EnvConfig, carries_out_subgoals
from optimus_gym.envs.episode import Episode, Progress
from optimus_gym.envs.feasibility import check_tasks, items_on_the_way
from optimus_gym.envs.infos import Columns, info_of
from optimus_gym.envs.runtime import Runtime
from optimus_gym.envs.spaces import TEXT_LENGTH, observation_space
from optimus_gym.envs.vocabulary import Vocabulary

Observation = dict[str, NDArray[Any]]


class Outcome(NamedTuple):
    """What a step returns beside observation and info, a value for each row."""

    rewards: list[float]
    terminated: list[bool]
    truncated: list[bool]


class View(ABC):
    """One way of stepping through the episodes of a runtime's rows."""

    hierarchical = False
    """Whether planner and reflector run inside."""
    action_space: Space[Any]

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        self.config = config
        self.runtime = Runtime(config, count, threads)
        self.vocabulary = _vocabulary(config, self.runtime)
        self.runtime.list_items(self.vocabulary.ids)
        self.observation_space: Dict = observation_space(
            config.resolution, len(self.vocabulary), self.hierarchical, config.suite is not None
        )

    @abstractmethod
    def begin(self, row: int, seed: int, options: Mapping[str, Any] | None) -> None:
        """Begin an episode."""

    def step(self, rows: Sequence[int], actions: NDArray[Any]) -> None:
        """Make one step in each of `rows`, `actions` having a row for each; `report` tells of it.

        A row whose episode ended in its reset (the goal was held, or the helper reached it) does not
        act: its first step tells of the end.

        Raises:
            BadValue: an action is malformed; nothing has changed.
        """
        checked = self._check(actions)
        live = [k for k, row in enumerate(rows) if not self.runtime.episode(row).over]
        if len(live) == len(rows):
            self._advance(rows, checked)
        elif live:
            self._advance([rows[k] for k in live], checked[live])

    @abstractmethod
    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        """Return the actions as integers, or raise BadValue."""

    @abstractmethod
    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Make one step in each of `rows`, all of which are running; note each tick's reward."""

    def report(self, rows: Sequence[int]) -> Outcome:
        """Return what the step of `rows` came to, and forget it; their infos are asked for before."""
        episodes = [self.runtime.episode(row) for row in rows]
        outcome = Outcome(
            [float(sum(episode.tick_rewards)) for episode in episodes],
            [episode.terminated for episode in episodes],
            [episode.truncated for episode in episodes],
        )
        for episode in episodes:
            episode.reported = episode.over
            episode.events.clear()
            episode.tick_rewards.clear()
        return outcome

    def observe(self, row: int) -> Observation:
        """Return the observation of `row`; every array is new."""
        return {key: values[0] for key, values in self.observe_rows([row]).items()}

    def observe_rows(self, rows: Sequence[int]) -> Observation:
        """Return the observations of `rows`, stacked along a first axis; every array is new."""
        world, vocabulary = self.runtime.world, self.vocabulary
        width, height = self.config.resolution
        episodes = [self.runtime.episode(row) for row in rows]
        chosen = np.array(rows, np.int64)
        equipment, vitals = world.bodies(chosen)
        seen: Observation = {
            "pov": np.empty((len(rows), height, width, 3), np.uint8),
            "inventory": self.runtime.listed.take(chosen, 0),
            "equipment": vocabulary.worn_index.take(equipment),
            "vitals": vitals,
        }
        world.frames(chosen, seen["pov"])
        if self.hierarchical:
            seen["subgoal"] = np.stack([self._subgoal_vector(episode) for episode in episodes])
            seen["subgoal_text"] = np.zeros((len(rows), TEXT_LENGTH), np.float32)
        if self.config.suite is not None:
            goals = np.zeros((len(rows), len(vocabulary)), np.float32)
            for goal, episode in zip(goals, episodes, strict=True):
                for name in episode.task.kinds:
                    if name in vocabulary.index:
                        goal[vocabulary.index[name]] = episode.task.count
            seen["goal"] = goals
        return seen

    def _subgoal_vector(self, episode: Episode) -> NDArray[np.float32]:
        vector = np.zeros(len(VERBS) + len(self.vocabulary) + 1, np.float32)
        pursuit = episode.pursuit
        subgoal = pursuit.subgoal if pursuit else next(iter(episode.remaining), None)
        if subgoal is None:
            return vector
        vector[VERBS.index(subgoal.verb)] = 1
        for name in subgoal.kinds:
            if name in self.vocabulary.index:
                vector[len(VERBS) + self.vocabulary.index[name]] = 1
        done = pursuit.progress * subgoal.count if pursuit else 0.0
        vector[-1] = max(subgoal.count - done, 0.0)
        return vector

    def info(self, row: int) -> dict[str, Any]:
        """Return what is told of `row` beside the observation; nothing depends on the clock.

        `events` are kind, subject and count of what happened since the latest step, as
        `optimus_gym.core.types.Event` describes them.
        """
        return info_of(self.infos([row]), 0)

    def infos(self, rows: Sequence[int]) -> Columns:
        """Return the infos of `rows` by key."""
        episodes = [self.runtime.episode(row) for row in rows]
        return {
            "task": [episode.task.id for episode in episodes],
            "protocol": [self.runtime.protocol.name] * len(rows),
            "assists": [episode.assists for episode in episodes],
            "ticks": [episode.ticks for episode in episodes],
            "success": [episode.status == "success" for episode in episodes],
            "status": [episode.status for episode in episodes],
            "events": [tuple(map(astuple, episode.events)) for episode in episodes],
        }

    def progress(self, row: int) -> Progress:
        """Return a look at the episode of `row` for people."""
        episode = self.runtime.episode(row)
        return Progress(
            task=episode.task.id,
            instruction=episode.task.instruction,
            plan=tuple(str(subgoal) for subgoal in episode.plan.subgoals),
            position=episode.position,
            subgoal=str(episode.pursuit.subgoal) if episode.pursuit else "",
            ticks=episode.ticks,
            budget=episode.budget,
            inventory=self.runtime.inventory(row),
            replans=episode.replans,
        )


def check_ticks(config: EnvConfig) -> None:
    """Refuse a world that has no ticks for a policy to act in.

    Raises:
        BadValue: names the world and the view that it has.
    """
    if carries_out_subgoals(config.world):
        raise BadValue(
            f"world: expected one with ticks to act in, got {config.world!r}, which carries out whole"
            f" sub-goals (use the sub-goal view, Optimus-<Task>-v0)"
        )


def check_actions(actions: object, sizes: tuple[int, ...]) -> NDArray[np.int32]:
    """Return actions as a new array of int32, checked against the sizes of their places.

    Args:
        actions: integers of shape (..., len(sizes)).
        sizes: k numbers: an action's place j takes 0 to sizes[j] - 1.

    Raises:
        BadValue: wrong shape, not integers, or out of range.
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "iu" or array.shape[-1:] != (len(sizes),):
        raise BadValue(
            f"action: expected {len(sizes)} integers, got {array.dtype} of shape {array.shape}"
        )
    for action in array.reshape(-1, len(sizes)).astype(np.uint64).tolist():
        if not all(map(lt, action, sizes)):  # below 0 is a large number
            most = [size - 1 for size in sizes]
            raise BadValue(f"action: expected 0 to {most} in its places, got {array.tolist()}")
    return array.astype(np.int32)


def _vocabulary(config: EnvConfig, runtime: Runtime) -> Vocabulary:
    check_tasks(runtime.tasks, config.world, config.protocol)
    if config.vocabulary == "all" or config.suite is not None:
        return vocabularies.all_items()
    (task,) = runtime.tasks
    return vocabularies.of_items(items_on_the_way(task, config.world, config.protocol))
