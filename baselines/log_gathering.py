"""The task of the learning baseline: three logs in a forest within 20 seconds, from pixels.

Episodes begin in a forest with a diamond axe in hand, which needs 8 ticks for a log. A trunk's logs lie above
each other, and a policy must aim at the log at the feet or over the head. A policy that only walks and hits
gets one log by luck and seldom a second one, so that no constant action succeeds often.

An action is one of seven (`ACTIONS`) and is held for four ticks. A policy sees only 48x48 pixels. The reward
comes from `info["held"]`: 1 for each log beyond the most that the player has held so far in the episode, up
to three. The reward is for training; only `is_success` judges a policy.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from optimus_gym.core.actions import camera_bin, noop, pressing
from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.envs.vector import BatchEnv
from optimus_gym.game.tags import tag

LOGS: Final = 3
"""Number of logs, of any kinds of wood, that the player must hold at once for success."""
TICKS: Final = 400
"""Length of an episode in ticks."""
SIDE: Final = 48
"""Width and height of the picture, pixels."""
HOLD: Final = 4
"""Number of ticks for which an action is repeated."""
BIOME: Final = "forest"
INVENTORY: Final = MappingProxyType({"diamond_axe": 1})
VIEW_DISTANCE: Final = 32
"""View distance of pictures in blocks; a trunk farther away would hardly be wider than a pixel."""
YAW_DEGREES: Final = 3.2
"""Degrees of a tick's turn to the side; by the nearest camera bin (3.215 degrees) a step turns by 12.9
degrees, about the width of a trunk 4 blocks away."""
PITCH_DEGREES: Final = 5.8
"""Degrees of a tick's turn up or down; two steps turn the view from the horizon to a log at foot level."""

ACTIONS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(
    {
        "forward": {"attack": 1, "forward": 1},
        "forward and jump": {"attack": 1, "forward": 1, "jump": 1},
        "stand": {"attack": 1},
        "turn left": {"attack": 1, "yaw": camera_bin(-YAW_DEGREES)},
        "turn right": {"attack": 1, "yaw": camera_bin(YAW_DEGREES)},
        "look up": {"attack": 1, "pitch": camera_bin(-PITCH_DEGREES)},
        "look down": {"attack": 1, "pitch": camera_bin(PITCH_DEGREES)},
    }
)
"""A policy's actions: values by key of the low-level action. All actions hit (attack is held), since digging
a block takes many ticks without a pause."""


def low_level_actions() -> NDArray[np.int64]:
    """Return `ACTIONS` as actions of the flat view (int64[7, 15])."""
    return np.stack([pressing(keys) for keys in ACTIONS.values()]).astype(np.int64)


def told_to_play() -> dict[str, Any]:
    """Return the entries of a trained model's file that let the controller `sb3` play the model.

    See `controllers.sb3.sb3_training`.
    """
    return {
        "actions": [dict(keys) for keys in ACTIONS.values()],
        "hold": HOLD,
        "view_distance": VIEW_DISTANCE,
        "pov": "drawn",
    }


class LogGathering(VectorEnv[NDArray[np.uint8], NDArray[np.integer[Any]], NDArray[Any]]):
    """The task of gathering logs in several worlds (rows); a row begins its next episode as soon as one ends.

    The class is a Gymnasium vector environment with `autoreset_mode="SameStep"`. An observation is the
    picture (uint8[48, 48, 3]), an action an index of `ACTIONS`.

    Args:
        seeds: yields the seed of each episode, in the order in which the episodes begin.
        rows: the number of worlds, at least 1.
    """

    def __init__(self, seeds: Iterator[int], rows: int) -> None:
        self.num_envs = check_count("rows", rows, 1)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.single_observation_space = gym.spaces.Box(0, 255, (SIDE, SIDE, 3), np.uint8)
        self.single_action_space = gym.spaces.Discrete(len(ACTIONS))
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)
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
        """The seed of each row's episode."""
        self._most = np.zeros(rows)
        """Sum of the rewards of each row's episode so far."""

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin the next episodes in all rows.

        Args:
            seed: ignored, since `seeds` decides the worlds; stable-baselines3 always passes a seed.
            options: None or empty.

        Returns:
            pictures (uint8[rows, 48, 48, 3]) and infos, which are empty.

        Raises:
            BadValue: `options` holds an option.
        """
        if options:
            raise BadValue(f"options: expected none, got {shown(options)}")
        return self._begin(np.ones(self.num_envs, np.bool_)), {}

    def _begin(self, which: NDArray[np.bool_]) -> NDArray[np.uint8]:
        for row in np.flatnonzero(which):
            self._playing[row] = next(self._seeds)
        self._most[which] = 0
        options = {"inventory": dict(INVENTORY), "biome": BIOME, "reset_mask": which}
        seen, _ = self._envs.reset(seed=self._playing.tolist(), options=options)
        pictures: NDArray[np.uint8] = seen["pov"]
        return pictures

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Hold each row's action for four ticks.

        A row whose episode ends within the four ticks stands still in its next episode for the remaining
        ticks.

        Args:
            actions: int[rows], 0 to 6, indices of `ACTIONS`.

        Returns:
            pictures (uint8[rows, 48, 48, 3]), rewards (float64[rows]), masks of terminated and of truncated
            rows (bool[rows] each), infos. The reward of a row that ended belongs to the ended episode, the
            picture to the next. For an ended episode infos hold `final_obs`, the last picture, and
            `final_info`: `seed`, the world's seed; `is_success`, whether the task was reached; `logs`, the
            sum of the episode's rewards, 0 to 3.

        Raises:
            BadValue: `actions` are not one integer from 0 to 6 for each row.
        """
        if not self.action_space.contains(actions):
            raise BadValue(
                f"actions: expected {self.num_envs} integers from 0 to {len(ACTIONS) - 1}, "
                f"got {shown(actions)}"
            )
        held = self._table[actions]
        rewards = np.zeros(self.num_envs)
        terminated = np.zeros(self.num_envs, np.bool_)
        truncated = np.zeros(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        for _ in range(HOLD):
            seen, _, died_or_won, timed_out, info = self._envs.step(held)
            pictures = seen["pov"]
            now = np.minimum(info["held"][:, self._kinds].sum(1), LOGS)
            gained = np.maximum(now - self._most, 0)
            rewards += gained
            self._most += gained
            terminated |= died_or_won
            truncated |= timed_out
            ended = died_or_won | timed_out
            if ended.any():
                for row in np.flatnonzero(ended).tolist():
                    self._add_info(infos, self._final(row, pictures, info), row)
                held[ended] = noop()
                pictures = self._begin(ended)
        return pictures, rewards, terminated, truncated, infos

    def _final(
        self, row: int, pictures: NDArray[np.uint8], info: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the entries of `info` on a row's ended episode: seed, success and number of logs."""
        told = {
            "seed": int(self._playing[row]),
            "is_success": bool(info["is_success"][row]),
            "logs": float(self._most[row]),
        }
        return {"final_obs": pictures[row].copy(), "final_info": told}

    def close_extras(self, **_: Any) -> None:
        """Release the worlds."""
        self._envs.close()
