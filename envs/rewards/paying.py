"""Asks the environment's reward for the reward of each tick."""

from collections.abc import Sequence
from functools import partial
from inspect import isfunction, signature
from math import isfinite
from typing import Any, Final, cast

import numpy as np

from optimus_gym.core.checks import is_number
from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import Reward, RewardSetting
from optimus_gym.core.parts import claim, part_of
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.courses import Course
from optimus_gym.envs.rewards.simple import OfFunction
from optimus_gym.envs.runtime import Runtime

FLAT_REWARD: Final = "milestones"
"""The reward of the flat view unless the argument `reward` names another."""
PLANNED_REWARD: Final = "subgoal"
"""The reward of the control and the sub-goal view unless the argument `reward` names another."""
_PARTS: Final = ("needs_subgoals", "asks_every_tick", "attach", "begin_episodes", "pay")


def make_reward(config: EnvConfig, default: str, owner: object) -> Reward:
    """Make the reward that the argument `reward` names, for the view `owner`.

    Args:
        config: the environment's arguments.
        default: the name of the view's reward if the argument names none.
        owner: the view; an object that was given as the reward serves it alone.

    Raises:
        BadValue, UnknownName: the reward does not exist, lacks a method or rejects an option.
    """
    part = part_of("reward", default) if config.reward is None else config.parts["reward"]
    if part is None:
        given: Any = config.reward
        if not hasattr(given, "pay"):
            if not callable(given):
                raise BadValue(
                    f"reward: expected an object with `pay`, or a function, got {shown(given)}"
                )
            return OfFunction(given)
        claim("reward", given, owner)
        return _whole(given, "given")
    if isfunction(part.maker):
        try:
            signature(part.maker).bind(None, **part.options)
        except TypeError as error:
            raise BadValue(f"reward {part.name!r}: {error}") from error
        return OfFunction(partial(part.maker, **part.options))
    return _whole(part.build(), part.name)


def _whole(reward: object, name: str) -> Reward:
    """Return a reward that has all parts of the protocol `Reward`.

    Raises:
        BadValue: the reward lacks some.
    """
    lacks = [part for part in _PARTS if not hasattr(reward, part)]
    if lacks:
        raise BadValue(
            f"reward {name!r}: expected an object with {', '.join(_PARTS)}, got {shown(reward)} without "
            f"{', '.join(lacks)}; or a function"
        )
    return cast(Reward, reward)


class Payer:
    """Makes the changes of an environment's rows, and asks the reward what each change pays.

    Args:
        config: the environment's arguments.
        reward: the reward, not attached yet.
        runtime: the worlds and episodes.
        courses: each row's course, which the payer reads.
        setting: what the reward gets from the environment.
    """

    def __init__(
        self,
        config: EnvConfig,
        reward: Reward,
        runtime: Runtime,
        courses: Sequence[Course],
        setting: RewardSetting,
    ) -> None:
        self._name = "given" if config.reward is None else config.name_of("reward")
        self._reward = reward
        self._asks_always = reward.asks_every_tick
        self._runtime = runtime
        self._courses = courses
        self._held = [np.zeros(0, np.int32)] * runtime.count
        self._had = [np.zeros(0, np.bool_)] * runtime.count
        self._at = [(0, 0)] * runtime.count
        """The value of `Runtime.changes` and the tick of each row's former change."""
        self._told = [0] * runtime.count
        """How many events of its latest tick each row's former change had."""
        reward.attach(setting)

    def begin(self, rows: Sequence[int]) -> None:
        """Begin episodes in `rows`, whose worlds are reset already."""
        for row in rows:
            self._held[row] = self._copy(row)
            self._had[row] = self._runtime.episode(row).possessed
            self._at[row], self._told[row] = (self._runtime.changes[row], 0), 0
        self._reward.begin_episodes(rows)

    def _copy(self, row: int) -> Any:
        held = self._runtime.counts[row].copy()
        held.setflags(write=False)
        return held

    def pay(self, row: int, reached: float = 0.0, helped: bool = False) -> float:
        """Return the reward of what has changed in a row since the row's former call.

        A second call in one tick, after the agent's word, makes a change of 0 ticks.

        Args:
            row: the row.
            reached: the reached share of the row's current sub-goal, 0 to 1.
            helped: whether the helper carries out the sub-goal.

        Raises:
            BadValue: the reward returns something other than a finite number.
        """
        runtime, course = self._runtime, self._courses[row]
        episode = runtime.episode(row)
        if not self._asks_always and runtime.changes[row] == self._at[row][0] and not episode.over:
            return 0.0
        before, had = self._held[row], self._had[row]
        changes, tick = self._at[row]
        ticks, events = episode.ticks - tick, runtime.happened[row]
        news = events if ticks else events[self._told[row] :]
        held = before if runtime.changes[row] == changes else self._copy(row)
        self._held[row], self._had[row] = held, episode.possessed
        self._at[row], self._told[row] = (runtime.changes[row], episode.ticks), len(events)
        change = EpisodeChange(
            row=row,
            task=episode.task,
            status=episode.status,
            tick=episode.ticks,
            ticks=ticks,
            before=before,
            held=held,
            had=had,
            has=episode.possessed,
            events=news,
            subgoal=None if course.pursuit is None else course.pursuit.subgoal,
            number=course.begun,
            reached=reached,
            helped=helped,
        )
        paid = self._reward.pay(change)
        if not is_number(paid) or not isfinite(paid):
            raise BadValue(
                f"reward {self._name!r}: expected a finite number, got {shown(paid)} "
                f"(row {row}, tick {episode.ticks})"
            )
        return float(paid)
