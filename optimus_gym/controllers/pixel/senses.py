"""The senses of the controller `pixel`: small pictures of now and before, and facts that a player knows."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.scaling import VITALS_UNIT, unscale_indices
from optimus_gym.core.types import SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import tools

PICTURE_SIDE: Final = 32
"""Height and width of the network's pictures, pixels; larger pictures are averaged down to this size."""
AGES: Final = (0, 3, 20)
"""Ages in ticks of the pictures that the network sees at once: now, just before (how things move), and a
second ago (whether the player is stuck)."""
SENSED_KEYS: Final = ("pov", "equipment", "vitals")
"""Keys of the observation that are sensed."""
KNOWN_GOALS: Final[Mapping[tuple[str, str], tuple[str, ...]]] = {
    ("mine", "logs"): tag("logs"),
    ("mine", "cobblestone"): ("cobblestone", "stone"),
    ("mine", "coal"): ("coal",),
    ("mine", "iron ore"): ("iron_ore",),
    ("mine", "gold ore"): ("gold_ore",),
    ("mine", "redstone"): ("redstone",),
    ("mine", "diamonds"): ("diamond",),
    ("kill", "cows"): ("beef", "leather"),
}
"""The sub-goals that the network knows, by verb and name: the items that each one is about."""
_HANDS: Final = (
    "wooden_pickaxe", "stone_pickaxe", "iron_pickaxe", "golden_pickaxe", "diamond_pickaxe",
    "netherite_pickaxe",
)  # fmt: skip
"""Tools that the network tells apart in the hand; besides: nothing, another tool, another item."""
_LATE: Final = (100.0, 600.0)
"""Ticks since the sub-goal began, at which each of two clocks stops."""
_LONGEST: Final = 6000.0
FACT_COUNT: Final = len(KNOWN_GOALS) + len(_HANDS) + 3 + 2 + len(_LATE) + 1
"""Number of facts: the sub-goal and the hand, one-hot; health and air; two clocks that stop, and one more."""


def goal_of(subgoal: SubGoal) -> int | None:
    """Return the number of a sub-goal among `KNOWN_GOALS`; None if the network does not know the sub-goal.

    >>> goal_of(SubGoal("mine", "oak_log", 3)), goal_of(SubGoal("mine", "obsidian"))
    (0, None)
    """
    for number, ((verb, _), items) in enumerate(KNOWN_GOALS.items()):
        if subgoal.verb == verb and not set(items).isdisjoint(subgoal.kinds):
            return number
    return None


class Senses:
    """Senses the observations of many rows, and keeps each row's latest pictures.

    Args:
        setting: the environment's properties.

    Raises:
        BadValue: the environment's pictures are no multiple of the network's pictures.
    """

    def __init__(self, setting: ControllerSetting) -> None:
        width, height = setting.resolution
        if width != height or width % PICTURE_SIDE:
            raise BadValue(
                f"resolution: expected a square of a multiple of {PICTURE_SIDE} pixels, such as 64x64, for "
                f"the controller 'pixel', got {width}x{height}"
            )
        if setting.pov != "drawn":
            raise BadValue(f"pov: expected 'drawn' for the controller 'pixel', got {setting.pov!r}")
        self._block = width // PICTURE_SIDE
        self._hands, self._items = _hand_places(setting.vocabulary), len(setting.vocabulary)
        highest: Any = setting.observation_space["equipment"]
        self._scaled = bool(highest.high[0] == 1.0)
        self._pictures: dict[int, list[NDArray[np.uint8]]] = {}
        """Each row's latest pictures, the newest last."""
        self._goals: dict[int, int] = {}
        self._ticks: dict[int, int] = {}

    def begin_episodes(self, rows: Iterable[int]) -> None:
        """Forget the rows' pictures."""
        for row in rows:
            self._pictures[row] = []

    def begin_subgoal(self, row: int, goal: int) -> None:
        """Note a row's new sub-goal by its number, and start its clock."""
        self._goals[row], self._ticks[row] = goal, 0

    def sense(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return what the network sees now of each of `rows`.

        Returns:
            pictures (uint8[n, 3, 32, 32, 3]; the second axis has the `AGES`; for pictures before an episode
            stands its first one), and facts (float32[n, FACT_COUNT]).
        """
        small = self._small(observations["pov"])
        seen = np.empty((len(rows), len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3), np.uint8)
        for k, row in enumerate(rows):
            kept = self._pictures[row]
            kept.append(small[k])
            del kept[: -AGES[-1] - 1]
            for place, age in enumerate(AGES):
                seen[k, place] = kept[max(0, len(kept) - 1 - age)]
        return seen, self._facts(rows, observations)

    def _small(self, pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
        if self._block == 1:
            return pictures
        cells = pictures.reshape(
            len(pictures), PICTURE_SIDE, self._block, PICTURE_SIDE, self._block, 3
        )
        small: NDArray[np.uint8] = cells.mean((2, 4), dtype=np.float32).astype(np.uint8)
        return small

    def _facts(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]]
    ) -> NDArray[np.float32]:
        facts = np.zeros((len(rows), FACT_COUNT), np.float32)
        order = np.arange(len(rows))
        facts[order, [self._goals[row] for row in rows]] = 1
        held = observations["equipment"][:, 0]
        places = unscale_indices(held, self._items) if self._scaled else held.astype(np.int64)
        facts[order, len(KNOWN_GOALS) + self._hands[places]] = 1
        vitals = observations["vitals"]
        facts[:, -5:-3] = vitals[:, [0, 3]] if self._scaled else (vitals / VITALS_UNIT)[:, [0, 3]]
        ticks = np.array([self._ticks[row] for row in rows], np.float32)
        facts[:, -3:-1] = np.minimum(ticks[:, None] / np.array(_LATE, np.float32), 1)
        facts[:, -1] = np.log1p(ticks) / np.log1p(_LONGEST)
        for row in rows:
            self._ticks[row] += 1
        return facts


def _hand_places(vocabulary: Sequence[str]) -> NDArray[np.int64]:
    """Return the place among the facts on the hand of each index of the observation's `equipment`."""
    nothing, tool, thing = len(_HANDS), len(_HANDS) + 1, len(_HANDS) + 2
    known = tools()
    places = [
        _HANDS.index(name) if name in _HANDS else tool if name in known else thing
        for name in vocabulary
    ]
    return np.array([nothing, *places, thing])
