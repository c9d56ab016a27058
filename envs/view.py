"""The base of the three views: worlds, abilities, vocabulary, observations and the rewards of a step."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from gymnasium.spaces import Dict, Space
from numpy.typing import NDArray

from optimus_gym.core.actions import without_presses
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import RewardSetting
from optimus_gym.core.parts import claim, release
from optimus_gym.envs import vocabulary as vocabularies
from optimus_gym.envs.asking import situations_of
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.courses import Course, Ledger, Progress
from optimus_gym.envs.feasibility import check_tasks, depths_on_the_way, items_on_the_way
from optimus_gym.envs.infos import Columns, info_of, joined_columns, numbers, word_columns
from optimus_gym.envs.observer import Observation, Observer
from optimus_gym.envs.powers import check_powers
from optimus_gym.envs.rewards.paying import Payer, make_reward
from optimus_gym.envs.runtime import Runtime
from optimus_gym.envs.situation_text import course_lines, end_line, situation_lines
from optimus_gym.envs.vocabulary import Vocabulary
from optimus_gym.game.tasks import SUITE
from optimus_gym.knowledge.abilities import Abilities, abilities_of


class View(ABC):
    """The base of the views; a view says what one action and one step of an environment are.

    Args:
        config: the environment's arguments.
        count: the number of rows.
        threads: the number of threads for the worlds.

    Attributes:
        runtime: the worlds and episodes.
        abilities: the part of the game that world, protocol and executors allow; never changes.
        vocabulary: the items of observations and actions.
        observer: makes observations.
        courses: each row's notes on its episode (decision, sub-goal, costs of answers).
        ledger: the rewards of each row's ticks in the present step.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    """Powers that the world must have."""
    has_agent: ClassVar[bool] = False
    """Whether an agent runs inside the view."""
    full_info: ClassVar[bool] = False
    """Whether info is "full" by default."""
    action_space: Space[Any]
    action_meanings: tuple[tuple[str, ...], ...] = ()
    """The meaning of each value of each entry of a low-level action; empty in the sub-goal view."""
    skill_names: tuple[str, ...] = ()
    """The meanings of the sub-goal view's actions, by number; empty in the control and the flat view."""
    privileged: tuple[str, ...] = ()
    """Class names of the controller and of the agent, if these are privileged (read the world itself)."""

    def __init__(self, config: EnvConfig, count: int, threads: int | None = None) -> None:
        self._threads = threads
        self.runtime = Runtime(config, count, threads)
        self.config = config = self.runtime.config
        self.courses = [Course() for _ in range(count)]
        self.ledger = Ledger(count, self.runtime.episode)
        check_powers(config, self.runtime.can, self.name, self.needs)
        if config.parts["world"] is None:
            claim("world", config.world, self)
        try:
            self._assemble()
        except BaseException:
            release(self)
            raise

    def _assemble(self) -> None:
        """Make the view's components, once; reject components that do not fit together."""
        verbs, actors = self._actors()
        self.abilities = _abilities(self.config, verbs)
        check_tasks(self.runtime.tasks, self.abilities, self.runtime.can, actors)
        self.vocabulary = _vocabulary(self.config, self.runtime, self.abilities)
        self.observer = Observer(
            self.config, self.runtime, self.courses, self.vocabulary, self.has_agent
        )

    def _actors(self) -> tuple[frozenset[str] | None, str]:
        """Return the verbs of the executors (None: all verbs), and the executors' name for messages."""
        return None, "the policy"

    def _payer(self, default: str) -> Payer:
        """Make the environment's reward (the reward `default` unless the arguments name one) and its payer.

        Raises:
            BadValue, UnknownName: the reward does not exist, does not fit the view, or rejects an option.
        """
        reward = make_reward(self.config, default, self)
        if reward.needs_subgoals and not self.has_agent:
            raise BadValue(
                f"reward: expected one without sub-goals in the {self.name} view, such as 'milestones', got "
                f"{self.config.name_of('reward')!r}"
            )
        setting = RewardSetting(
            rows=self.runtime.count,
            discount=self.config.discount,
            depths=partial(depths_on_the_way, abilities=self.abilities),
            frame=self.observer.frame if "pictures" in self.runtime.can else None,
        )
        return Payer(self.config, reward, self.runtime, self.courses, setting)

    @property
    def observation_space(self) -> Dict:
        """Return the space of one row's observation."""
        return self.observer.space

    @abstractmethod
    def begin(
        self, rows: Sequence[int], seeds: Sequence[int], options: Mapping[str, Any] | None
    ) -> None:
        """Begin episodes."""

    def step(self, rows: Sequence[int], actions: NDArray[Any]) -> None:
        """Make one step in each of `rows`, with one entry of `actions` for each; `ledger` notes the rewards.

        A step of several ticks (`hold`) ends for a row when its episode ends or another sub-goal begins. A
        row whose episode ended during reset (the goal was held, or the helper reached it) does not act: its
        first step reports the end.

        Raises:
            BadValue: an action is malformed; nothing has changed.
        """
        held = self._check(actions)
        if self.config.hold == 1:
            self._advance_live(rows, held, [self.runtime.episode(row).over for row in rows])
            return
        begun = [self.courses[row].begun for row in rows]
        for tick in range(self.config.hold):
            done = [
                self.runtime.episode(row).over or self.courses[row].begun != then
                for row, then in zip(rows, begun, strict=True)
            ]
            self._advance_live(rows, held, done)
            if tick == 0:
                held = np.stack([without_presses(action) for action in held])

    def _advance_live(
        self, rows: Sequence[int], actions: NDArray[np.int32], done: Sequence[bool]
    ) -> None:
        """Advance those of `rows` that are not done."""
        if True not in done:
            self._advance(rows, actions)
            return
        live = [k for k, over in enumerate(done) if not over]
        if live:
            self._advance([rows[k] for k in live], actions[live])

    @abstractmethod
    def _check(self, actions: NDArray[Any]) -> NDArray[np.int32]:
        """Return the actions as integers, or raise BadValue."""

    @abstractmethod
    def _advance(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Make one step in each of `rows`, whose episodes run; note each tick's reward."""

    def observe(self, row: int) -> Observation:
        """Return the observation of `row`; every array is new."""
        return {key: values[0] for key, values in self.observer.look([row]).items()}

    def info(self, row: int) -> dict[str, Any]:
        """Return the info of `row` (`envs.infos`)."""
        return info_of(self.infos([row]), 0)

    def infos(self, rows: Sequence[int]) -> Columns:
        """Return the infos of `rows` by key."""
        told = numbers(self.runtime, rows, self.observer.held(rows))
        if not self.tells_all:
            return told
        return joined_columns(
            told, {**word_columns(self.runtime, rows), "situation": self.texts(rows)}
        )

    def texts(self, rows: Sequence[int], plan: bool = True) -> list[str]:
        """Return the situations of `rows` as texts; a row of a failed world gets its status alone.

        Args:
            rows: the rows.
            plan: whether the texts have the lines on latest sub-goal, plan and possible actions.
        """
        runtime = self.runtime
        sound = [row for row in rows if runtime.episode(row).status != "world_failed"]
        seen = situations_of(runtime, self.courses, self.observer.glances, sound)
        texts = {
            situation.row: [
                *situation_lines(situation),
                *(self._further_lines(situation.row) if plan else ()),
            ]
            for situation in seen
        }
        return ["\n".join([end_line(runtime.episode(row)), *texts.get(row, ())]) for row in rows]

    def _further_lines(self, row: int) -> list[str]:
        """Return a situation's lines on the plan and, if the view has skills, on the actions."""
        return course_lines(self.courses[row]) if self.has_agent else []

    @property
    def tells_all(self) -> bool:
        """Return whether info is "full": names, plans and texts besides numbers."""
        return self.full_info if self.config.info is None else self.config.info == "full"

    def watch(self, callback: Callable[[int], None]) -> None:
        """Call `callback(row)` after each tick of a row's world, or after each sub-goal done by the world."""
        self.runtime.watchers.append(callback)

    def latest_action(self, row: int) -> NDArray[np.int32]:
        """Return the row's latest low-level action (int32[15], the item as item id), a copy."""
        action: NDArray[np.int32] = self.runtime.latest[row].copy()
        return action

    def progress(self, row: int) -> Progress:
        """Return the task and progress of the episode of `row`, for people."""
        episode, course = self.runtime.episode(row), self.courses[row]
        decision = course.decision
        return Progress(
            task=episode.task.id,
            instruction=episode.task.instruction,
            plan=tuple(str(subgoal) for subgoal in decision.plan),
            position=decision.position,
            subgoal="" if course.pursuit is None else str(course.pursuit.subgoal),
            ticks=episode.ticks,
            budget=episode.budget,
            inventory=self.runtime.inventory(row),
            replans=course.replans,
        )

    def reopened(self) -> Self:
        """Return a new open view with this view's configuration and with its callbacks of `watch`.

        Raises:
            BadValue: another environment uses an object that was given for a part.
        """
        view = type(self)(self.config, self.runtime.count, self._threads)
        view.runtime.watchers = self.runtime.watchers
        return view

    def close(self) -> None:
        """Release the worlds, and objects that were given for parts; may be called twice."""
        self.runtime.close()
        release(self)


def check_actions(actions: object, sizes: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Check that actions are integers in range, and return them as a new array of int32.

    Args:
        actions: integers of shape (..., k).
        sizes: uint64[k]: entry j of an action takes 0 to sizes[j] - 1.

    Raises:
        BadValue: the actions have a wrong shape, are no integers, or are out of range.
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "iu" or array.shape[-1:] != (len(sizes),):
        raise BadValue(
            f"action: expected {len(sizes)} integers, got {array.dtype} of shape {array.shape}"
        )
    if np.count_nonzero(array.astype(np.uint64) >= sizes):  # a negative number becomes a large one
        most = (sizes - 1).tolist()
        raise BadValue(
            f"action: expected integers from 0 to their maximum in {most}, got {array.tolist()}"
        )
    return array.astype(np.int32)


def _abilities(config: EnvConfig, verbs: Collection[str] | None) -> Abilities:
    part = config.parts["world"]
    name = config.name_of("world") if part is None else part.name
    return abilities_of(name, config.protocol, None if verbs is None else frozenset(verbs))


def _vocabulary(config: EnvConfig, runtime: Runtime, abilities: Abilities) -> Vocabulary:
    if config.vocabulary == "all":
        return vocabularies.all_items()
    suites = {config.suite or task.suite for task in runtime.tasks}
    known = vocabularies.suite_vocabularies()
    if config.subgoal is not None and runtime.tasks[0].item in known[SUITE].names:
        suites = {SUITE}  # so that a skill that was learned alone plays in the suite's tasks
    if config.vocabulary == "suite" and len(suites) == 1 and suites <= set(known):
        return known[suites.pop()]
    return vocabularies.of_items(
        name for task in runtime.tasks for name in items_on_the_way(task, abilities)
    )
