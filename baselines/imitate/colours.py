"""A script that sees only the colours of pixels: the simplest rival of a network that sees pictures."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.verbs import HELPED, check_verbs
from optimus_gym.core.actions import camera_bin, pressing
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.types import VERBS, Failure, SubGoal

BROWN: Final = (0.43, 0.34, 0.23)
"""Shares of red, green and blue in a pixel of an oak's bark and of a cow's hide."""
CLOSE: Final = 0.035
"""Largest difference of a share of a pixel that counts as the wanted colour."""
DARK: Final = 40
"""Sum of a pixel's three values, 0 to 765, below which the pixel has no colour."""
LEAST: Final = 0.004
"""Share of the picture's pixels that must have the wanted colour."""
VIEW: Final = 70.0
"""Degrees that the picture shows from edge to edge."""
MOST: Final = 10.0
"""Degrees of the largest turn in a tick."""
HELD: Final = (0.35, 0.6)
"""Shares of height and width beyond which the picture shows a held sword, whose handle is brown."""
SWING: Final = 13
"""Ticks between two blows at a creature; a held attack key strikes only once."""
CENTRAL: Final = 10.0
"""Degrees from the middle within which the script walks ahead."""


class ColourController:
    """Turns to the middle of all brown pixels, walks ahead and hits; turns about if there are none.

    To mine anything but wood the script looks down and hits.
    """

    privileged = False
    needs = frozenset({"keys"})
    verbs = frozenset(VERBS) - HELPED
    looks_at = ("pov",)
    fixed_batch = False

    def __init__(self) -> None:
        self._subgoals: dict[int, SubGoal] = {}
        self._ticks: dict[int, int] = {}
        """Ticks of each row's sub-goal so far."""

    def attach(self, setting: ControllerSetting) -> None:
        """Accept any environment."""

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Accept new episodes, which change nothing."""

    def begin_subgoals(self, rows: Sequence[int], subgoals: Sequence[SubGoal]) -> None:
        """Take new sub-goals.

        Raises:
            BadValue: a sub-goal's verb is not one that this controller carries out.
        """
        check_verbs(subgoals, self.verbs)
        self._subgoals.update(zip(rows, subgoals, strict=True))
        self._ticks.update(dict.fromkeys(rows, 0))

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Failure | None]]:
        """Return the script's actions (int32[n, 15]) and no failures."""
        pressed = [
            pressing(self._keys(row, picture))
            for row, picture in zip(rows, observations["pov"], strict=True)
        ]
        return np.stack(pressed), [None] * len(rows)

    def _keys(self, row: int, picture: NDArray[np.uint8]) -> dict[str, int]:
        subgoal = self._subgoals[row]
        self._ticks[row] += 1
        if subgoal.verb == "mine" and "log" not in subgoal.item:
            return {"pitch": camera_bin(MOST), "attack": 1}
        fights = subgoal.verb == "kill"
        keys = way_to_brown(picture, armed=fights)
        if keys is None:
            return {"yaw": camera_bin(MOST), "forward": 1, "jump": 1}
        return {**keys, "attack": int(not fights or self._ticks[row] % SWING == 0)}


def way_to_brown(picture: NDArray[np.uint8], armed: bool) -> dict[str, int] | None:
    """Return the keys that lead to the brown pixels of a picture (uint8[H, W, 3]); None: it has too few.

    Args:
        picture: the picture.
        armed: whether the player holds a sword.
    """
    sums = picture.sum(2, dtype=np.float64)
    shares = picture / np.maximum(sums, 1)[..., None]
    brown = (np.abs(shares - np.array(BROWN)).max(2) < CLOSE) & (sums > DARK)
    if armed:
        high, wide = (int(share * side) for share, side in zip(HELD, brown.shape, strict=True))
        brown[high:, wide:] = False
    if brown.mean() < LEAST:
        return None
    places = np.argwhere(brown).mean(0)
    down, right = (places / picture.shape[:2] - 0.5) * VIEW
    turned = {
        "pitch": camera_bin(float(np.clip(down / 2, -MOST, MOST))),
        "yaw": camera_bin(float(np.clip(right / 2, -MOST, MOST))),
    }
    return {**turned, "forward": 1} if abs(right) < CENTRAL else turned
