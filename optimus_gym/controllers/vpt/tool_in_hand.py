"""Keeps the best tool for a sub-goal in hand, for a policy that may not choose the tool itself."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from optimus_gym.core.actions import FUNCTION, ITEM, Function, noop
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.scaling import unscale_indices
from optimus_gym.core.types import SubGoal
from optimus_gym.game.items import item
from optimus_gym.game.tools import able_tools

LOOKS_AT: Final = ("inventory", "equipment")
"""Keys of the observation that show the held tools and the item in hand."""
TOOL_NEEDS: Final = frozenset({"functions"})
"""Powers that the world must have, because the function "equip" takes the tool in hand."""


class ToolInHand:
    """Equips the strongest held tool that fits a row's sub-goal.

    The hand stays as it is if the sub-goal names no tool, or if no such tool is held. Tools outside the
    observations' vocabulary of items are ignored.

    Args:
        setting: the environment's setting, with the vocabulary and the observation space.
    """

    def __init__(self, setting: ControllerSetting) -> None:
        self._vocabulary = {name: k for k, name in enumerate(setting.vocabulary)}
        worn = cast(Box, setting.observation_space["equipment"])
        self._scaled = bool(worn.high.max() <= 1)
        self._wanted: dict[int, list[str]] = {}

    def begin(self, row: int, subgoal: SubGoal) -> None:
        """Begin a row's new sub-goal, whose tools `equip` then takes in hand."""
        able = able_tools(subgoal.tool) if subgoal.tool else ()
        self._wanted[row] = [name for name in reversed(able) if name in self._vocabulary]

    def equip(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        actions: NDArray[np.int32],
    ) -> None:
        """Replace a row's action by one that equips the sub-goal's tool if another item is in hand.

        Args:
            rows: the rows, in the order of the arrays.
            observations: `inventory` (float32[n, V]) and `equipment` (float32[n, 6]).
            actions: the rows' actions (int32[n, 15]), which are changed in place.
        """
        hands = observations["equipment"][:, 0]
        if self._scaled:
            hands = unscale_indices(hands, len(self._vocabulary))
        for place, row in enumerate(rows):
            held = observations["inventory"][place]
            tool = next(
                (name for name in self._wanted.get(row, ()) if held[self._vocabulary[name]] > 0),
                None,
            )
            if tool is not None and hands[place] != self._vocabulary[tool] + 1:
                actions[place] = noop()
                actions[place, [FUNCTION, ITEM]] = Function.EQUIP, item(tool).id
