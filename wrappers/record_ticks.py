"""Film episodes tick by tick, in the sub-goal, control and flat view."""

import os
import weakref
from collections.abc import Callable
from functools import partial
from typing import Any, SupportsFloat

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.wrappers.exposure import exposure_of, labelled
from optimus_gym.wrappers.video import VideoWriter


class RecordTicks(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Write a video of each episode with a picture of every tick.

    ### Description
    Gymnasium's `RecordVideo` takes one picture a step, but a step of the sub-goal view lasts for many ticks,
    and a step of the control view may, too. This wrapper takes a picture of every tick, the helper's ticks
    during a reset included, so that a video runs at the speed of the game. Pictures are written to the file
    as they come; memory holds only the latest picture. `episode-<number>.mp4` appears when the episode is
    over, when a reset cuts the episode off, or when the environment is closed; the last picture stays for a
    second. An environment that is never closed ends its video when Python collects it or exits; a killed
    process leaves no video. A deep copy or pickle of the wrapper films its own episodes, counted from 0.

    If the player's own frame is dark and the world has the power "night_vision", the picture is drawn as with
    night vision and says "picture brightened" in its corner (`wrappers.exposure`). Observations, infos and
    the world do not change.

    ### Arguments
    - `folder`: the folder for the videos, which the wrapper makes if it is missing.
    - `every`: ticks from one picture to the next; with 4, the video runs four times as fast as the game.
    - `episode_trigger`: function from an episode's number (from 0) to whether to film it; None films all.
    - `true_light`: whether every picture is the player's own frame, even in the dark.

    ### Version history
    - v0: first version.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        folder: str | os.PathLike[str],
        every: int = 1,
        episode_trigger: Callable[[int], bool] | None = None,
        true_light: bool = False,
    ) -> None:
        """Film `env`, an environment of one world made with `render_mode="rgb_array"`.

        Raises:
            BadValue: `env` has another render mode, or is no environment of this package; `every` is no
                integer of at least 1; the folder cannot be made.
        """
        if env.render_mode != "rgb_array":
            raise BadValue(
                f"RecordTicks: expected render_mode='rgb_array', got {env.render_mode!r}"
            )
        if not hasattr(env.unwrapped, "watch"):
            raise BadValue(f"RecordTicks: expected an environment of optimus-gym, got {env}")
        RecordConstructorArgs.__init__(
            self,
            folder=os.fspath(folder),
            every=every,
            episode_trigger=episode_trigger,
            true_light=true_light,
        )
        gym.Wrapper.__init__(self, env)
        self._folder = check_path("RecordTicks: folder", folder)
        self._every = check_count("RecordTicks: every", every, 1)
        self._films = episode_trigger or _every_episode
        self._true_light = true_light
        self._exposure = exposure_of(env, true_light)
        self._episode = -1
        self._ticks = 0
        self._is_shown = False
        self._filming = False
        self._writer: VideoWriter | None = None
        self._unclosed: weakref.finalize[[], RecordTicks] | None = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadValue(f"RecordTicks: cannot make the folder {folder!r}: {error}") from error
        env.unwrapped.watch(self._tick)

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.env, self._folder, self._every, self._films, self._true_light)
        return type(self), arguments

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and the episode's video."""
        self._end()
        self._episode += 1
        self._ticks = 0
        self._exposure = exposure_of(self.env, self._true_light)
        self._filming = self._films(self._episode)
        try:
            begun = self.env.reset(seed=seed, options=options)
        except BaseException:
            self._end()
            raise
        if self._filming and self._ticks == 0:
            self._take()
        return begun

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Make a step, and end the video if the step ends the episode."""
        made = self.env.step(action)
        if made[2] or made[3]:
            if self._filming and not self._is_shown:
                self._take()
            self._end()
        return made

    def close(self) -> None:
        """End the video and close the environment."""
        self._end()
        self.env.close()

    def _tick(self, _: int) -> None:
        """Add a picture of the present tick to the video if a picture is due."""
        self._is_shown = False
        if self._filming and self._ticks % self._every == 0:
            self._take()
        self._ticks += 1

    def _take(self) -> None:
        picture = self._exposure.draw()
        if self._exposure.is_brightened:
            picture = labelled(picture)
        if self._writer is None:
            height, width = picture.shape[:2]
            path = self._folder / f"episode-{self._episode}.mp4"
            self._writer = VideoWriter(path, width, height)
            self._unclosed = weakref.finalize(self, partial(_finish, self._writer))
        self._writer.add(picture)
        self._is_shown = True

    def _end(self) -> None:
        """End the current video, if any."""
        self._filming = False
        unclosed, self._unclosed, self._writer = self._unclosed, None, None
        if unclosed is not None:
            unclosed()


def _finish(writer: VideoWriter) -> None:
    """Repeat the last picture of a video for a second, and end the video."""
    writer.hold()
    writer.close()


def _every_episode(_: int) -> bool:
    return True
