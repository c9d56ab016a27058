"""Repeat an action for several ticks."""

from typing import Any, SupportsFloat

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import FUNCTION, ITEM, Function
from optimus_gym.core.errors import BadValue


class FrameSkip(gym.Wrapper[Any, NDArray[np.int64], Any, NDArray[np.int64]]):
    """Repeat each low-level action for `ticks` ticks and sum their rewards.

    ### Description
    Keys and camera are held in every tick. The function part (craft, smelt, equip, place) is asked
    for in the first tick only, so that one step crafts once. The repetition stops when the episode
    ends. Observation and `info` are those of the last tick.

    ### Arguments
    - `ticks`: how many ticks a step lasts, at least 1.

    ### Version history
    - v0: first version.
    """

    def __init__(self, env: gym.Env[Any, NDArray[np.int64]], ticks: int = 4) -> None:
        """Wrap `env`, whose actions are the control view's or the flat view's.

        Raises:
            BadValue: `ticks` is not a positive integer.
        """
        if isinstance(ticks, bool) or not isinstance(ticks, int) or ticks < 1:
            raise BadValue(f"ticks: expected a positive integer, got {ticks!r} (FrameSkip)")
        super().__init__(env)
        self.ticks = ticks

    def step(
        self, action: NDArray[np.int64]
    ) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Hold `action` (int[9] or int[11]) until `ticks` have passed or the episode has ended."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        total = float(reward)
        held = np.array(action)
        if held.shape[-1:] > (FUNCTION,):
            held[FUNCTION] = Function.NONE
            held[ITEM] = 0
        for _ in range(self.ticks - 1):
            if terminated or truncated:
                break
            observation, reward, terminated, truncated, info = self.env.step(held)
            total += float(reward)
        return observation, total, terminated, truncated, info
