"""Let a policy with VPT's joint actions play an environment of the control or flat view."""

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import MultiDiscrete
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from optimus_gym.core.actions import ACTION_LENGTH, CONTROL_LENGTH, CONTROL_SIZES, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.vpt_actions import UNTURNED, VPT_BUTTONS, VPT_CAMERAS, from_vpt, integers


class VPTActions(
    gym.ActionWrapper[Any, NDArray[np.integer[Any]], NDArray[np.int64]], RecordConstructorArgs
):
    """Take VPT's actions: one of 8641 joint buttons and one of 121 turns of the camera.

    ### Description
    An action is `[buttons, camera]`, as `optimus_gym.core.vpt_actions` reads it. The control view's keys can
    express all joint actions. Joint actions never swap hands, and never sprint and sneak at once. In the flat
    view they never craft, smelt, equip or place by function. Put `FrameSkip` inside this wrapper: `FrameSkip`
    knows which keys to hold.

    ### Version history
    - v0: first version.
    """

    def __init__(self, env: gym.Env[Any, NDArray[np.int64]]) -> None:
        """Wrap `env`, whose actions are the control view's or the flat view's.

        Raises:
            BadValue: the environment's actions are neither the control view's nor the flat view's.
        """
        self._places = places_of_keys("VPTActions", env)
        RecordConstructorArgs.__init__(self)
        gym.ActionWrapper.__init__(self, env)
        self.action_space = MultiDiscrete([VPT_BUTTONS, VPT_CAMERAS])

    def noop(self) -> NDArray[np.int64]:
        """Return the action that does nothing (int64[2])."""
        return np.array([0, UNTURNED], np.int64)

    def action(self, action: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return the wrapped environment's action (int64[13] or int64[15]) for `action` (int[2]).

        Raises:
            BadValue: `action` is no pair of integers, or one is out of range.
        """
        buttons, camera = exactly(2, "buttons and camera", action)
        return with_places(from_vpt(buttons, camera), self._places)


def places_of_keys(wrapper: str, env: gym.Env[Any, Any]) -> int:
    """Return the number of integers in an environment's actions: 13 (control view) or 15 (flat view).

    Args:
        wrapper: the wrapper's name, for the error message.
        env: the environment to wrap.

    Raises:
        BadValue: the environment's actions are neither the control view's nor the flat view's.
    """
    space = env.action_space
    if isinstance(space, MultiDiscrete) and space.shape in ((CONTROL_LENGTH,), (ACTION_LENGTH,)):
        sizes = tuple(space.nvec[:CONTROL_LENGTH].tolist())
        if sizes == CONTROL_SIZES and not space.start.any():
            return len(space.nvec)
    raise BadValue(
        f"{wrapper}: expected actions of the control or flat view, "
        f"{MultiDiscrete(list(CONTROL_SIZES))} alone or followed by function and item, got {space}"
    )


def with_places(keys: NDArray[np.int32], places: int) -> NDArray[np.int64]:
    """Return keys (int32[13]) as an action of 13 or 15 (`places`) integers (int64) that calls no function."""
    made = noop(places).astype(np.int64)
    made[:CONTROL_LENGTH] = keys
    return made


def exactly(count: int, what: str, action: object) -> NDArray[np.integer[Any]]:
    """Return an action as an array of `count` integers.

    Raises:
        BadValue: `action` is not `count` integers; the message says that `what` was expected.
    """
    made = integers("action", action)
    if made.shape != (count,):
        raise BadValue(f"action: expected {count} integers, {what}, got the shape {made.shape}")
    return made
