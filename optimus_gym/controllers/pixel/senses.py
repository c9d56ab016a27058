"""The senses of the controller `pixel`: small pictures of now and before, and facts that a player knows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import camera_turns
from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.scaling import VITALS_UNIT, unscale_indices
from optimus_gym.core.types import SubGoal
from optimus_gym.game.tags import tag
from optimus_gym.game.tools import tools

PICTURE_SIDE: Final = 32
"""Height and width of the network's pictures, pixels; larger pictures are averaged down to this size."""
MIDDLE: Final = 112.0
"""Mean of a network's picture: pictures are shifted and stretched, so that a tunnel shows as much as day."""
CONTRAST: Final = 48.0
"""Standard deviation of a network's picture."""
LIT_LINES: Final = 24
"""Lines of a small picture that mean and spread are taken of; bright hearts and the hotbar lie below."""
FAINTEST: Final = 1.5
"""Standard deviation of a picture that is not stretched further."""
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
_STEEPEST: Final = 90.0
"""Degrees of pitch beyond which a player cannot look up or down."""
SENSED_FACTS: Final = (
    ("the sub-goal, one-hot", len(KNOWN_GOALS)),
    ("the hand, one-hot", len(_HANDS) + 3),
    ("health and air, of their maximum", 2),
    ("mean and spread of the newest picture, of 255", 2),
    ("own turns of pitch and yaw since each older picture, in right angles", 2 * (len(AGES) - 1)),
    ("own turns of pitch since the sub-goal began, in right angles", 1),
    ("two clocks that stop, and one more", len(_LATE) + 1),
)
"""The facts in their order: what they are, and how many numbers they have."""
FACT_COUNT: Final = sum(count for _, count in SENSED_FACTS)


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
    """Senses the observations of many rows, and keeps each row's latest pictures and turns.

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
        self._turns: dict[int, list[tuple[float, float]]] = {}
        """Where each row looked at these pictures: the sums of its own turns of pitch and yaw, in degrees."""
        self._goals: dict[int, int] = {}
        self._ticks: dict[int, int] = {}

    def begin_subgoal(self, row: int, goal: int) -> None:
        """Note a row's new sub-goal by its number, start its clock, and forget its pictures and turns."""
        self._goals[row], self._ticks[row] = goal, 0
        self._pictures[row], self._turns[row] = [], [(0.0, 0.0)]

    def sense(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return what the network sees now of each of `rows`.

        The caller tells `acted` after each call what the rows did.

        Returns:
            pictures (uint8[n, 3, 32, 32, 3]; the second axis has the `AGES`; for pictures before a sub-goal
            stands its first one), and facts (float32[n, FACT_COUNT], see `SENSED_FACTS`).
        """
        small, light = _evened(self._small(observations["pov"]))
        seen = np.empty((len(rows), len(AGES), PICTURE_SIDE, PICTURE_SIDE, 3), np.uint8)
        for k, row in enumerate(rows):
            kept = self._pictures[row]
            kept.append(small[k])
            del kept[: -AGES[-1] - 1]
            for place, age in enumerate(AGES):
                seen[k, place] = kept[max(0, len(kept) - 1 - age)]
        facts = np.concatenate(
            [
                self._goal_and_hand(rows, observations),
                self._vitals(observations),
                light,
                self._turned(rows),
                self._clocks(rows),
            ],
            1,
        )
        return seen, facts.astype(np.float32)

    def acted(self, rows: Sequence[int], actions: NDArray[np.int32]) -> None:
        """Note what `rows` do now, actions (int32[n, 15]), and advance their clocks by a tick."""
        for row, (down, right) in zip(rows, camera_turns(actions).tolist(), strict=True):
            pitch, yaw = self._turns[row][-1]
            pitch = min(max(pitch + down, -_STEEPEST), _STEEPEST)
            self._turns[row].append((pitch, yaw + right))
            del self._turns[row][: -AGES[-1] - 1]
            self._ticks[row] += 1

    def _small(self, pictures: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return pictures averaged to the network's size, 0 to 255."""
        block = self._block
        small = np.zeros((len(pictures), PICTURE_SIDE, PICTURE_SIDE, 3), np.float32)
        for down in range(block):
            for right in range(block):
                small += pictures[
                    :, down::block, right::block
                ]  # many times faster than a mean by axes
        return small / np.float32(block**2)

    def _goal_and_hand(
        self, rows: Sequence[int], observations: Mapping[str, NDArray[Any]]
    ) -> NDArray[np.float64]:
        held = observations["equipment"][:, 0]
        places = unscale_indices(held, self._items) if self._scaled else held.astype(np.int64)
        goals = np.eye(len(KNOWN_GOALS))[[self._goals[row] for row in rows]]
        return np.concatenate([goals, np.eye(len(_HANDS) + 3)[self._hands[places]]], 1)

    def _vitals(self, observations: Mapping[str, NDArray[Any]]) -> NDArray[np.float64]:
        vitals = observations["vitals"] if self._scaled else observations["vitals"] / VITALS_UNIT
        return np.asarray(vitals[:, [0, 3]], np.float64)

    def _turned(self, rows: Sequence[int]) -> NDArray[np.float64]:
        """Return the own turns since each older picture and of pitch in all, in right angles."""
        told = []
        for row in rows:
            turns = self._turns[row]
            older = [turns[max(0, len(turns) - 1 - age)] for age in AGES[1:]]
            since = [now - then for old in older for now, then in zip(turns[-1], old, strict=True)]
            told.append([*since, turns[-1][0]])
        return np.array(told) / 90.0

    def _clocks(self, rows: Sequence[int]) -> NDArray[np.float64]:
        ticks = np.array([self._ticks[row] for row in rows], np.float64)[:, None]
        stopping = np.minimum(ticks / np.array(_LATE), 1)
        return np.concatenate([stopping, np.log1p(ticks) / np.log1p(_LONGEST)], 1)


def _evened(pictures: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """Give pictures the same mean and spread above the HUD.

    Args:
        pictures: float32[n, 32, 32, 3], 0 to 255.

    Returns:
        the pictures (uint8[n, 32, 32, 3]), and the mean and spread that they had above the HUD, of 255
        (float64[n, 2]).
    """
    above = pictures[:, :LIT_LINES].reshape(len(pictures), -1).astype(np.float64)
    mean, spread = above.mean(1), above.std(1)
    stretch = CONTRAST / np.maximum(spread, FAINTEST)
    shift = MIDDLE - mean * stretch
    scale = np.stack([stretch, shift], 1).astype(np.float32)[:, :, None, None, None]
    evened = np.clip(pictures * scale[:, 0] + scale[:, 1], 0, 255).astype(np.uint8)
    return evened, np.stack([mean, spread], 1) / 255


def _hand_places(vocabulary: Sequence[str]) -> NDArray[np.int64]:
    """Return the place among the facts on the hand of each index of the observation's `equipment`."""
    nothing, tool, thing = len(_HANDS), len(_HANDS) + 1, len(_HANDS) + 2
    known = tools()
    places = [
        _HANDS.index(name) if name in _HANDS else tool if name in known else thing
        for name in vocabulary
    ]
    return np.array([nothing, *places, thing])
