"""Play episodes of a recording in one of the three views, with the actions of the controller.

In the sub-goal view the controller acts inside the environment. In the control and flat view the caller of
`env.step` acts. For a recording of the control or flat view, the controller first plays the episode's seed in
a sub-goal view; then the controller's actions are replayed in the recorded view, so that the dataset holds
the recorded view's observations. The controller's episode and the replay must end in the same way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import CONTROL_LENGTH, FUNCTION, ITEM, Function
from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.executors import Executors
from optimus_gym.envs.powers import powers_for
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.game.items import item, item_names
from optimus_gym.run.record.recording_setup import VIEWS, Recording
from optimus_gym.run.results.replies import Replies, replies_of

SAME: Final = ("ticks", "position", "yaw", "pitch", "held")
"""Keys of `info` that must be equal at the end of the controller's episode and of its replay in another
view."""
OWN_REASONS: Final = ("timeout", "died", "world_failed", "judged")
"""Reasons for a sub-goal's failure that the environment or the agent gives, not the controller."""


@dataclass(frozen=True, slots=True)
class PlayedEpisode:
    """A played episode of n steps.

    Attributes:
        seed: the episode's seed.
        success: whether the task was reached.
        ticks: the episode's length in ticks.
        observations: arrays by key, one observation more than steps (shape (n + 1, ...)).
        actions: an action for each step (n, ...).
        rewards: a reward for each step (float64[n]).
        terminated: whether each step terminated the episode (bool[n]).
        truncated: whether each step truncated the episode (bool[n]); the last step always terminates or
            truncates.
        info: the last step's `info`.
        replies: counts of the backbone's usable, unusable and missing replies.
        cut: the controller's act that the recorded view cannot express, at which the episode ends; "" for
            none.
        kept: whether the dataset gets the episode.
    """

    seed: int
    success: bool
    ticks: int
    observations: Mapping[str, NDArray[Any]]
    actions: NDArray[Any]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    info: Mapping[str, Any]
    replies: Replies = field(default_factory=Replies)
    cut: str = ""
    kept: bool = True


def make_env(recording: Recording) -> gym.Env[Any, Any]:
    """Make the environment of a recording, with the recording's tick budget."""
    ticks = recording.settings.get("ticks")
    budget = {} if ticks is None else {"max_episode_steps": ticks}
    return gym.make(recording.id, **budget, **recording.arguments)


def played(
    recording: Recording, env: gym.Env[Any, Any], seeds: Sequence[int]
) -> Iterator[PlayedEpisode]:
    """Play episodes and yield them.

    Args:
        recording: the configuration of the recording.
        env: the environment of `make_env`.
        seeds: a seed for each episode.

    Raises:
        BadValue: a replay ended differently from the controller's episode: the agent is not deterministic.
    """
    if recording.view == VIEWS[0]:
        for seed in seeds:
            episode = _stepped(env, seed, recording.start, _follow(env))
            yield replace(episode, replies=replies_of(episode.info, len(episode.actions)))
        return
    shadow = Shadow(recording)
    try:
        for seed in seeds:
            actions = shadow.play(seed)
            yield shadow.checked(_stepped(env, seed, recording.start, iter(actions)))
    finally:
        shadow.close()


def _follow(env: gym.Env[Any, Any]) -> Iterator[Any]:
    """Yield the sub-goal view's action that follows the plan, without end."""
    while True:
        yield np.int64(0)


def _stepped(
    env: gym.Env[Any, Any], seed: int, options: Mapping[str, Any], actions: Iterator[Any]
) -> PlayedEpisode:
    """Play an episode with `actions`, until the episode or the actions end."""
    observation, info = env.reset(seed=seed, options=dict(options))
    seen, done, rewards, ends, cuts = [observation], [], [], [], []
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        seen.append(observation)
        done.append(action)
        rewards.append(float(reward))
        ends.append(terminated)
        cuts.append(truncated)
        if terminated or truncated:
            break
    if cuts and not ends[-1]:
        cuts[-1] = True
    return PlayedEpisode(
        seed=seed,
        success=bool(info["is_success"]),
        ticks=int(info["ticks"]),
        observations={key: np.stack([one[key] for one in seen]) for key in seen[0]},
        actions=np.array(done, np.int64),
        rewards=np.array(rewards, np.float64),
        terminated=np.array(ends, np.bool_),
        truncated=np.array(cuts, np.bool_),
        info=info,
    )


class _SharedView(SubGoalView):
    """A sub-goal view whose helper has the same verbs as in the control view."""

    def _make_executors(self) -> Executors:
        return Executors(self.config, self.runtime.can, self._made("controller"), shares=True)


class Shadow:
    """Plays episodes with the controller and stores the low-level actions that replay them in another view.

    The stored actions end at the first act that the recorded view cannot express. The control view can
    express neither functions (craft, smelt, equip, place) nor giving up a sub-goal; the flat view cannot
    express a function with an item outside its vocabulary, and no function at all if players craft by mouse.
    """

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._flat = recording.view == VIEWS[2]
        config: EnvConfig = recording.config
        self._view = (SubGoalView if self._flat else _SharedView)(config, 1, threads=1)
        self._view.watch(self._ticked)
        self._view.watch_ends(self._ended)
        if self._view.executors is None:
            world = config.name_of("world")
            raise BadValue(
                f"record: expected a world that takes low-level actions for {recording.id}, got {world!r}"
            )
        self._has_functions = self._flat and "functions" in powers_for(
            self._view.config.crafting, self._view.runtime.can
        )
        self._verbs = self._view.executors.controllers
        self._places = {item(name).id: k for k, name in enumerate(self._view.vocabulary.names)}
        self._actions: list[NDArray[np.int64]] = []
        self._cut = ""

    def play(self, seed: int) -> list[NDArray[np.int64]]:
        """Play the episode of a seed; return the actions that replay the episode in the recorded view."""
        self._actions, self._cut = [], ""
        self._view.begin([0], [seed], self._recording.start)
        self._view.follow([0])
        return self._actions

    def _ticked(self, row: int) -> None:
        pursuit = self._view.courses[row].pursuit
        assert pursuit is not None, "a tick is a sub-goal's"
        if self._cut or not (self._flat or pursuit.subgoal.verb in self._verbs):
            return
        action = self._view.latest_action(row).astype(np.int64)
        self._cut = self._unsayable(action)
        if self._cut:
            return
        if self._has_functions:
            action[ITEM] = self._places[int(action[ITEM])] if action[FUNCTION] else 0
        self._actions.append(action if self._has_functions else action[:CONTROL_LENGTH])

    def _unsayable(self, action: NDArray[np.int64]) -> str:
        """Return in words an action that the recorded view cannot express: "craft stick"; else ""."""
        function, used = Function(int(action[FUNCTION])), int(action[ITEM])
        if function == Function.NONE or (self._has_functions and used in self._places):
            return ""
        return f"{function.name.lower()} {item_names()[used]}"

    def _ended(self, outcome: Outcome) -> None:
        failure = outcome.failure
        if self._flat or failure is None or failure.reason in OWN_REASONS or self._cut:
            return
        if outcome.subgoal.verb in self._verbs:
            self._cut = f"give up: {failure}"
            if outcome.ticks == 1:
                del self._actions[-1]  # the controller gave up at once and pressed nothing

    def checked(self, episode: PlayedEpisode) -> PlayedEpisode:
        """Compare a replay with the controller's episode; return the replay with `replies` and `cut`.

        Raises:
            BadValue: the replay ended differently from the controller's episode.
        """
        mine = self._view.info(0)
        episode = replace(episode, replies=replies_of(mine, len(self._view.record(0).outcomes)))
        if self._cut:
            return replace(episode, cut=self._cut)
        gave_up = self._flat and mine["status"] == "gave_up"  # policies cannot
        for key in SAME if gave_up else (*SAME, "status_code"):
            if not np.array_equal(mine[key], episode.info[key]):
                raise BadValue(
                    f"record: the replay of seed {episode.seed} in {self._recording.id} differs from the "
                    f"controller's episode: expected {key} {mine[key]}, got {episode.info[key]}; the "
                    "agent must act the same twice"
                )
        return episode

    def close(self) -> None:
        """Close the sub-goal view in which the controller plays."""
        self._view.close()
