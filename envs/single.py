"""The base of Gymnasium environments of one world; `flat`, `control`, `subgoal` hold its subclasses."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from optimus_gym.core.rng import check_seed
from optimus_gym.envs.config import EnvConfig, plain_arguments
from optimus_gym.envs.observer import Observation
from optimus_gym.envs.outside import (
    RENDER_SIZE,
    Outside,
    check_shape,
    checked_options,
    say_once_if_privileged,
)
from optimus_gym.envs.view import View
from optimus_gym.seeds import drawn_seed


class SingleEnv(Outside, gymnasium.Env[Observation, Any]):
    """The base of the environments with one world; each subclass has one of the three views."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": ["rgb_array", "rgb_array_list"],
        "render_fps": 20,
    }
    _view_class: ClassVar[type[View]]

    def __init__(self, **arguments: Any) -> None:
        config = EnvConfig.of(arguments)
        self._arguments = plain_arguments(arguments)
        self._view = self._view_class(config, 1)
        self.render_mode = self._view.config.render_mode
        self._frames: list[NDArray[np.uint8]] = []
        self._renders_brightly = False
        if self.render_mode == "rgb_array_list":
            self._view.watch(self._keep_frame)
        self.observation_space: gymnasium.Space[Any] = self._view.observation_space
        self.action_space = self._view.action_space
        say_once_if_privileged(self._view)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; a closed environment opens again.

        Args:
            seed: decides terrain and all draws; None draws a training seed.
            options: some of `task` (with several tasks), `inventory` {item: count}, `position`
                (x, y, z), `biome` (`info["biome_share"]` gives the share of the land around that has the
                biome), `time` (ticks since 6 in the morning, 0 to 23999, or "sunrise", "dawn", "day", "noon",
                "sunset", "dusk", "night", "midnight"), `weather` ("clear", "rain" or "thunder"; the
                protocol decides a missing time or weather), `snapshot` (from `snapshot()`, or the path
                of its saved file), and `commands` (a tuple of chat commands, carried out in order after the
                start, see `command`). A snapshot brings the whole world and excludes all other options but
                `task` and `commands`; its world resumes in the same way under any seed. With a snapshot, too,
                task, ticks, first possessions, plan and replans are those of a new episode. The options given
                to `reset` hold for one episode; the options in the argument `start` hold for every episode.

        Raises:
            BadValue, UnknownName: the seed or an option cannot be used; nothing has changed.
        """
        wanted = checked_options(options)
        self._reopen()
        if seed is None:
            draws = deepcopy(self.np_random)
            self._begin(drawn_seed(draws), wanted)
            self.np_random.bit_generator.state = draws.bit_generator.state
        else:
            self._begin(check_seed(seed), wanted)
            super().reset(seed=int(seed))
        return self._view.observe(0), self._view.info(0)

    def _begin(self, seed: int, options: dict[str, Any]) -> None:
        """Begin an episode; with "rgb_array_list", begin a new list of frames with at least one frame."""
        former, self._frames = self._frames, []
        try:
            self._view.begin([0], [seed], options)
        except BaseException:
            self._frames = former
            raise
        if self.render_mode == "rgb_array_list" and not self._frames:
            self._keep_frame(0)

    def _keep_frame(self, row: int) -> None:
        self._frames.append(self._view.runtime.frame(row, RENDER_SIZE))

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make one step.

        Returns:
            observation, reward, terminated (task reached, or a death that ends the episode by the protocol),
            truncated (tick budget spent, the agent gave up, or the world failed), info.

        Raises:
            ResetNeeded: the call comes before the first reset, or after the episode's end or `close`.
            BadValue: the action is malformed.
        """
        self._check_begun("step")
        if self._view.ledger.has_told_the_end(0):
            status = self._view.runtime.episode(0).status
            raise ResetNeeded(f"the episode is over ({status}); reset before the next step")
        made = check_shape(action, self.action_space)
        self._view.step([0], made[None])
        info = self._view.info(0)
        (reward,), (terminated,), (truncated,) = self._view.ledger.report([0])
        return self._view.observe(0), reward, terminated, truncated, info

    def render(self) -> NDArray[np.uint8] | list[Any] | None:
        """Return the picture of the screen, or a list of pictures; the world does not change.

        Returns:
            with "rgb_array" the screen (uint8[360, 640, 3]); with "rgb_array_list" the screens of the reset
            and of every tick since the latest `render()`, in every view (0.7 MB a tick: render often); None,
            with a warning, without a render mode.
        """
        if self.render_mode is None:
            self._warn_of_no_render_mode()
            return None
        self._check_begun("render")
        if self.render_mode == "rgb_array_list":
            frames, self._frames = self._frames, []
            return frames
        if self._renders_brightly:
            return self._view.runtime.bright_frame(0, RENDER_SIZE)
        return self._view.runtime.frame(0, RENDER_SIZE)

    @contextmanager
    def bright_render(self) -> Iterator[None]:
        """Let `render` with "rgb_array" draw as with night vision inside a `with` block, for videos.

        Observations, infos and the world do not change.

        Raises:
            BadValue: the world lacks the power "night_vision" (see `powers`); `render` raises the error.
        """
        former, self._renders_brightly = self._renders_brightly, True
        try:
            yield
        finally:
            self._renders_brightly = former

    def close(self) -> None:
        """Release the world; may be called twice. A reset opens the environment again."""
        self._view.close()
