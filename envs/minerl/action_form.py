"""Converts actions of MineRL's tasks to actions on the wire, and back."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from optimus_gym.core.checks import check_name
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.minerl_actions import (
    MINERL_CAMERA,
    MOST_DEGREES,
    is_button_pressed,
    minerl_turns,
)
from optimus_gym.envs.minerl.enum_space import EnumSpace
from optimus_gym.envs.minerl.minerl_tasks import MineRLTask
from optimus_gym.worlds.malmo.wire_actions import FUNCTIONS, NO_ITEM, WireAction

_NOTHING: Final = frozenset((NO_ITEM, "other"))
"""Items with which a function does nothing; MineRL's data names items outside the list "other"."""
MineRLAction = Mapping[str, Any]
"""An action of a task: each key 0 or 1, `camera` float32[2], and each function the name of an item."""


class MineRLActionSpace(Dict):
    """A task's action space, with MineRL's method `noop`."""

    def noop(self) -> dict[str, Any]:
        """Return the action that does nothing.

        >>> space = MineRLActionSpace({"jump": Discrete(2), "craft": EnumSpace(("none", "planks"), "none")})
        >>> space.noop()
        {'craft': 'none', 'jump': 0}
        """
        return {key: _still(space) for key, space in self.spaces.items()}

    no_op = noop
    """The name of `noop` in MineRL 1.0."""


def _still(space: Any) -> Any:
    if isinstance(space, EnumSpace):
        return space.default
    return 0 if isinstance(space, Discrete) else np.zeros(space.shape, space.dtype)


class ActionForm:
    """The actions of a task: their space, and their conversion.

    Attributes:
        space: keys `Discrete(2)`, `camera` `Box(-180, 180, (2,))` (turns of pitch, positive downwards, and of
            yaw, degrees), and for each function an `EnumSpace` of items.
    """

    def __init__(self, task: MineRLTask) -> None:
        self._keys = task.keys
        self._functions = {FUNCTIONS[word]: word for word in task.functions}
        self.space = MineRLActionSpace(
            {
                **{key: Discrete(2) for key in task.keys},
                MINERL_CAMERA: Box(-MOST_DEGREES, MOST_DEGREES, (2,), np.float32),
                **{
                    FUNCTIONS[word]: EnumSpace(items, default=NO_ITEM)
                    for word, items in task.functions.items()
                },
            }
        )

    def wire_action(self, action: MineRLAction) -> WireAction:
        """Return an action as the wire has it; a missing key is not pressed.

        Raises:
            BadValue: the action is no mapping, or a value lies outside its space.
            UnknownName: the space has no such key.
        """
        if not isinstance(action, Mapping):
            raise BadValue(
                f"action: expected a mapping such as env.action_space.noop(), got {shown(action)}"
            )
        for key in action:
            check_name("key of an action", key, self.space.spaces)
        pitch, yaw = minerl_turns(action.get(MINERL_CAMERA, (0.0, 0.0)))
        chosen = {word: self._item(key, action) for key, word in self._functions.items()}
        return WireAction(
            keys=frozenset(k for k in self._keys if is_button_pressed(k, action.get(k, 0))),
            pitch=pitch,
            yaw=yaw,
            functions=tuple((word, item) for word, item in chosen.items() if item not in _NOTHING),
        )

    def _item(self, key: str, action: MineRLAction) -> str:
        """Return the item that a function is asked for."""
        space = self.space.spaces[key]
        item = action.get(key, NO_ITEM)
        if isinstance(item, np.ndarray) and item.shape == ():
            item = item.item()
        if not space.contains(item):
            known = ", ".join(getattr(space, "values", ()))
            raise BadValue(f"action[{key!r}]: expected one of {known}, got {shown(item)}")
        return str(item)

    def minerl_action(self, action: WireAction) -> dict[str, Any]:
        """Return an action on the wire as the task has it; what the task lacks is left out."""
        chosen = dict(action.functions)
        made: dict[str, Any] = {key: int(key in action.keys) for key in self._keys}
        made[MINERL_CAMERA] = np.array((action.pitch, action.yaw), np.float32)
        made |= {key: chosen.get(word, NO_ITEM) for key, word in self._functions.items()}
        return made
