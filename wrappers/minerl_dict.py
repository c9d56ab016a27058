"""Wrappers between MineRL 1.0's actions and those of this package's environments, in both directions."""

from collections.abc import Mapping
from typing import Any, TypeGuard

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Space
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from optimus_gym.core.actions import CAMERA_DEGREES, CONTROL_LENGTH, CONTROL_SIZES, MEANINGS, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.minerl_actions import (
    MINERL_BUTTONS,
    MINERL_CAMERA,
    MINERL_KEYS,
    MOST_DEGREES,
    UNUSED,
    from_minerl,
    to_minerl,
)
from optimus_gym.wrappers.vpt_joint import exactly, places_of_keys, with_places


def minerl_space() -> Dict:
    """Return the action space of MineRL 1.0's human survival: 23 buttons and the camera's degrees.

    >>> minerl_space().contains(to_minerl(noop()))
    True
    """
    camera = Box(-MOST_DEGREES, MOST_DEGREES, (2,), np.float32)
    return Dict({key: camera if key == MINERL_CAMERA else Discrete(2) for key in MINERL_KEYS})


class MineRLActions(
    gym.ActionWrapper[Any, Mapping[str, Any], NDArray[np.int64]], RecordConstructorArgs
):
    """Take MineRL's actions: a dict of 23 buttons and the camera's degrees.

    ### Description
    `optimus_gym.core.minerl_actions` translates the actions: turns become the camera's eleven bins, at most
    10 degrees a tick; `ESC` and `pickItem` do nothing; missing buttons are not pressed. In the flat view
    these actions never craft, smelt, equip or place by function.

    ### Version history
    - v0: first version.
    """

    def __init__(self, env: gym.Env[Any, NDArray[np.int64]]) -> None:
        """Wrap `env`, whose actions are the control view's or the flat view's.

        Raises:
            BadValue: the environment's actions are neither the control view's nor the flat view's.
        """
        self._places = places_of_keys("MineRLActions", env)
        RecordConstructorArgs.__init__(self)
        gym.ActionWrapper.__init__(self, env)
        self.action_space = minerl_space()

    def noop(self) -> dict[str, int | NDArray[np.float32]]:
        """Return the action that does nothing."""
        return to_minerl(noop())

    def action(self, action: Mapping[str, Any]) -> NDArray[np.int64]:
        """Return the wrapped environment's action (int64[13] or int64[15]) for MineRL's `action`.

        Raises:
            BadValue: a key or a value is not MineRL's.
        """
        return with_places(from_minerl(action), self._places)


class KeyActions(
    gym.ActionWrapper[Any, NDArray[np.integer[Any]], dict[str, Any]], RecordConstructorArgs
):
    """Let a policy with the control view's actions play an environment with MineRL's actions.

    ### Description
    The action is that of the control view. The wrapper takes any Gymnasium environment with MineRL's action
    space. The wrapper never presses `ESC` and `pickItem`, which the control view lacks; the space may lack
    them, too.

    ### Version history
    - v0: first version.
    """

    action_meanings = MEANINGS
    """For each of an action's 13 numbers, the meaning of each value."""

    def __init__(self, env: gym.Env[Any, dict[str, Any]]) -> None:
        """Wrap `env`, whose actions are MineRL's.

        Raises:
            BadValue: the environment's actions are not MineRL's; the message shows both action spaces.
        """
        space = env.action_space
        if not _is_minerl(space):
            raise BadValue(f"KeyActions: expected MineRL's actions, {minerl_space()}, got {space}")
        self._keys = tuple(space.spaces)
        RecordConstructorArgs.__init__(self)
        gym.ActionWrapper.__init__(self, env)
        self.action_space = MultiDiscrete(list(CONTROL_SIZES))

    def noop(self) -> NDArray[np.int64]:
        """Return the action that does nothing (int64[13])."""
        return noop(CONTROL_LENGTH).astype(np.int64)

    def action(self, action: NDArray[np.integer[Any]]) -> dict[str, Any]:
        """Return MineRL's action, a dict with the wrapped environment's keys, for `action` (int[13]).

        Raises:
            BadValue: `action` is not 13 integers in range.
        """
        made = to_minerl(exactly(CONTROL_LENGTH, "our keys", action))
        return {key: made[key] for key in self._keys}


def _is_minerl(space: Space[Any]) -> TypeGuard[Dict]:
    """Return whether a space is MineRL's, perhaps without the buttons that the control view does not have."""
    keys = set(MINERL_KEYS)
    if not isinstance(space, Dict) or not keys - UNUSED <= set(space) <= keys:
        return False
    camera = space[MINERL_CAMERA]
    return (
        isinstance(camera, Box)
        and camera.shape == (2,)
        and np.can_cast(np.float32, camera.dtype)
        and bool((camera.low <= min(CAMERA_DEGREES)).all())
        and bool((camera.high >= max(CAMERA_DEGREES)).all())
        and all(space[name] == Discrete(2) for name in MINERL_BUTTONS if name in space.spaces)
    )
