"""The task that learning is shown on: three logs in a forest within 20 seconds, from pixels.

Episodes begin in a forest with a diamond axe in hand, with which a log takes 8 ticks. A trunk's logs lie
above each other, and the one at the feet or over the head must be aimed at: who only walks and hits gets
one by luck and seldom a second one, so that no constant action succeeds often.

An action is held for four ticks and is one of seven (`ACTIONS`). A policy sees 48x48 pixels and
nothing else. The reward is computed from what the environment tells in `info["held"]`: 1 for each log
beyond the most that were held so far, up to three. It is for training; a policy is judged by `is_success`
alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.actions import (
    ATTACK,
    FORWARD,
    JUMP,
    PITCH,
    YAW,
    camera_bin,
    noop,
)
from optimus_gym.core.checks import check_count
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.game.tags import tag

LOGS: Final = 3
"""Pieces that must be held at once, of any kinds of wood."""
TICKS: Final = 400
"""Ticks of an episode."""
SIDE: Final = 48
"""Width and height of the picture, pixels."""
HOLD: Final = 4
"""Ticks that an action is held."""
BIOME: Final = "forest"
INVENTORY: Final = MappingProxyType({"diamond_axe": 1})
VIEW_DISTANCE: Final = 32
"""Blocks that one sees: a trunk farther away is hardly wider than a pixel."""
YAW_DEGREES: Final = 3.2
"""A tick's turn to the side; a step turns by 12.9 degrees, about what a trunk four blocks away fills."""
PITCH_DEGREES: Final = 5.8
"""A tick's turn up or down; two steps go from the horizon to the log at the feet."""

ACTIONS: Final[Mapping[str, Mapping[int, int]]] = MappingProxyType(
    {
        "forward": {FORWARD: 1},
        "forward and jump": {FORWARD: 1, JUMP: 1},
        "stand": {},
        "turn left": {YAW: camera_bin(-YAW_DEGREES)},
        "turn right": {YAW: camera_bin(YAW_DEGREES)},
        "look up": {PITCH: camera_bin(-PITCH_DEGREES)},
        "look down": {PITCH: camera_bin(PITCH_DEGREES)},
    }
)
"""What a policy chooses from: values by place of the low-level action. All of them hit (attack is held),
since digging a block takes many ticks without a pause."""


def low_level_actions() -> NDArray[np.int64]:
    """Return `ACTIONS` as the flat view's own (int64[7, 15])."""
    rows = []
    for places in ACTIONS.values():
        action = noop().astype(np.int64)
        action[ATTACK] = 1
        for place, value in places.items():
            action[place] = value
        rows.append(action)
    return np.stack(rows)


@dataclass(frozen=True, slots=True)
class Ended:
    """An episode that is over.

    Attributes:
        seed: its world's.
        success: whether the task was reached.
        died: whether it ended before its time without success.
        logs: the sum of its rewards, 0 to `LOGS`.
        picture: the last one (uint8[48, 48, 3]).
    """

    seed: int
    success: bool
    died: bool
    logs: float
    picture: NDArray[np.uint8]


class LogGathering:
    """The task in rows of one native batch; a row whose episode is over begins the next one at once.

    Args:
        seeds: gives the seed of each episode, in the order in which they begin.
        rows: how many worlds there are, at least 1.

    Attributes:
        rows: as given.
        observation_space: of one row.
        action_space: of one row.
    """

    observation_space = gym.spaces.Box(0, 255, (SIDE, SIDE, 3), np.uint8)
    action_space = gym.spaces.Discrete(len(ACTIONS))

    def __init__(self, seeds: Iterator[int], rows: int) -> None:
        self.rows = check_count("rows", rows, 1)
        self._seeds = seeds
        envs = gym.make_vec(
            "OptimusFlat-v0",
            rows,
            vectorization_mode="vector_entry_point",
            autoreset_mode="Disabled",
            threads=1,
            task={"item": "#logs", "count": LOGS},
            ticks=TICKS,
            resolution=(SIDE, SIDE),
            view_distance=VIEW_DISTANCE,
        )
        assert isinstance(envs, BatchEnv)
        self._envs = envs
        names = envs.item_names
        self._kinds = [names.index(kind) for kind in tag("logs")]
        self._table = low_level_actions()
        self._playing = np.zeros(rows, np.int64)
        """Each row's seed."""
        self._most = np.zeros(rows)
        """Each row's reward so far."""

    def begin(self) -> NDArray[np.uint8]:
        """Begin an episode in every row; return the pictures (uint8[rows, 48, 48, 3])."""
        return self._begin(np.ones(self.rows, np.bool_))

    def _begin(self, which: NDArray[np.bool_]) -> NDArray[np.uint8]:
        for row in np.flatnonzero(which):
            self._playing[row] = next(self._seeds)
        self._most[which] = 0
        options = {"inventory": dict(INVENTORY), "biome": BIOME, "reset_mask": which}
        seen, _ = self._envs.reset(seed=self._playing.tolist(), options=options)
        return self._pictures(seen)

    @staticmethod
    def _pictures(seen: Mapping[str, Any]) -> NDArray[np.uint8]:
        pictures: NDArray[np.uint8] = seen["pov"]
        return pictures

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64], dict[int, Ended]]:
        """Hold each row's action for four ticks.

        A row whose episode ends meanwhile stands still in its next one for the rest of them.

        Args:
            actions: int[rows], 0 to 6, indices of `ACTIONS`.

        Returns:
            pictures (uint8[rows, 48, 48, 3]), rewards (float64[rows]) and by row the episodes that ended;
            its reward belongs to that one, its picture to the next.
        """
        held = self._table[actions]
        rewards = np.zeros(self.rows)
        over: dict[int, Ended] = {}
        for _ in range(HOLD):
            seen, _, terminated, truncated, info = self._envs.step(held)
            pictures = self._pictures(seen)
            now = np.minimum(info["held"][:, self._kinds].sum(1), LOGS)
            gained = np.maximum(now - self._most, 0)
            rewards += gained
            self._most += gained
            ended = terminated | truncated
            if ended.any():
                for row in np.flatnonzero(ended).tolist():
                    over[row] = self._ended(row, info, bool(terminated[row]), pictures[row])
                held[ended] = noop()
                pictures = self._begin(ended)
        return pictures, rewards, over

    def _ended(
        self, row: int, info: Mapping[str, Any], terminated: bool, picture: NDArray[np.uint8]
    ) -> Ended:
        success = bool(info["is_success"][row])
        return Ended(
            seed=int(self._playing[row]),
            success=success,
            died=terminated and not success,
            logs=float(self._most[row]),
            picture=picture.copy(),
        )

    def close(self) -> None:
        """Let go of the worlds."""
        self._envs.close()
