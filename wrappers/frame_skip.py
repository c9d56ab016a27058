"""Repeat an action for several ticks."""

from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from optimus_gym.core.actions import without_presses
from optimus_gym.core.checks import check_count


class FrameSkip(gym.Wrapper[Any, NDArray[np.int64], Any, NDArray[np.int64]], RecordConstructorArgs):
    """Repeat each low-level action for `ticks` ticks and sum the ticks' rewards.

    ### Description
    Each tick holds the keys and turns the camera. Keys that act once (drop, inventory, swap hands) and the
    function (craft, smelt, equip, place) act in the first tick only, so that one step throws one piece and
    crafts once. The repetition stops when the episode ends. Observation and `info` are the last tick's.

    ### Arguments
    - `ticks`: number of ticks in a step, at least 1.

    ### Version history
    - v0: first version.
    """

    def __init__(self, env: gym.Env[Any, NDArray[np.int64]], ticks: int = 4) -> None:
        """Wrap `env`, an environment with the control view's or the flat view's actions.

        Raises:
            BadValue: `ticks` is not a positive integer.
        """
        ticks = check_count("FrameSkip: ticks", ticks, 1)
        RecordConstructorArgs.__init__(self, ticks=ticks)
        gym.Wrapper.__init__(self, env)
        self.ticks = ticks

    @property
    def told(self) -> dict[str, Any]:
        """Return what a policy's file should tell of its training, as the environment's `told` does."""
        inside: dict[str, Any] = self.env.get_wrapper_attr("told")
        return {**inside, "hold": inside["hold"] * self.ticks}

    def step(
        self, action: NDArray[np.int64]
    ) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Hold `action` (int[13] or int[15]) until `ticks` have passed or the episode has ended."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        total = float(reward)
        held = without_presses(action)
        for _ in range(self.ticks - 1):
            if terminated or truncated:
                break
            observation, reward, terminated, truncated, info = self.env.step(held)
            total += float(reward)
        return observation, total, terminated, truncated, info
