"""The base of the Gymnasium vector environments: N worlds in one set of arrays."""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from optimus_gym.core.checks import check_count
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.rng import check_seed
from optimus_gym.core.types import MOST_ROWS, MOST_THREADS
from optimus_gym.envs.config import EnvConfig, plain_arguments
from optimus_gym.envs.infos import Columns, add_infos, infos_of
from optimus_gym.envs.observer import Observation
from optimus_gym.envs.outside import (
    RENDER_SIZE,
    Outside,
    check_shape,
    checked_options,
    say_once_if_privileged,
)
from optimus_gym.envs.view import View
from optimus_gym.seeds import drawn_seed


class BatchEnv(Outside, VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """The base of the vector environments: N worlds in one of the three views.

    Args:
        num_envs: N, 1 to 65,536.
        autoreset_mode: Gymnasium's mode: "NextStep" (the step after an end resets and ignores the
            action), "SameStep" (the last observation goes to `info["final_obs"]`) or "Disabled"
            (call `reset(options={"reset_mask": mask})`).
        threads: threads that tick and draw the worlds, 1 to 1,024; None takes one for each processor that
            the process may use. No more threads run than there are rows. The number of threads changes only
            the speed.
        max_episode_steps: steps after which a row is truncated, at least 1; None: only the tick budget
            counts. `gym.make_vec` passes the `max_episode_steps` of the environment's specification.
        arguments: the arguments of `optimus_gym.envs.config.EnvConfig`.
    """

    metadata: dict[str, Any]
    _view_class: ClassVar[type[View]]
    closed = True
    """True until `__init__` ends: Gymnasium 1.1 closes open environments that Python deletes half-built."""

    def __init__(
        self,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        max_episode_steps: int | None = None,
        **arguments: Any,
    ) -> None:
        num_envs = check_count("num_envs", num_envs, 1, MOST_ROWS)
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {
            "render_modes": ["rgb_array"],
            "render_fps": 20,
            "autoreset_mode": self.autoreset_mode,
        }
        if threads is not None:
            threads = check_count("threads", threads, 1, MOST_THREADS)
        if max_episode_steps is not None:
            max_episode_steps = check_count("max_episode_steps", max_episode_steps, 1)
        self._most_steps = max_episode_steps
        config = EnvConfig.of(_checked_rendering(arguments))
        own = {
            "num_envs": num_envs,
            "autoreset_mode": self.autoreset_mode,
            "threads": threads,
            "max_episode_steps": max_episode_steps,
        }
        self._arguments = plain_arguments({**own, **arguments})
        self._view = self._view_class(config, num_envs, threads)
        say_once_if_privileged(self._view)
        self.num_envs = num_envs
        self.render_mode = self._view.config.render_mode
        self.single_observation_space = self._view.observation_space
        self.single_action_space = self._view.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._ended = np.zeros(num_envs, np.bool_)
        self._begun = np.zeros(num_envs, np.bool_)
        self._steps = np.zeros(num_envs, np.int64)
        self._seen: Observation = {}
        """The observation that was returned last; its arrays never change after the return."""
        self.closed = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin episodes in all rows, or in those of `options["reset_mask"]` (bool[N]).

        A closed environment opens again; its first reset must reset every row.

        An int seeds row i with seed + i. All options but `reset_mask` are those of the single environment and
        go to every row that begins; a `snapshot` begins all these rows in one state. The options hold for the
        episodes of this reset; automatic resets take only the options of the argument `start`.

        Raises:
            BadValue, UnknownName: a seed or an option cannot be used; the random generators are unchanged.
        """
        options = checked_options(options)
        self._reopen()
        mask = self._checked_mask(options.pop("reset_mask", None))
        rows = np.flatnonzero(mask).tolist()
        infos: dict[str, Any] = {}
        before = deepcopy((self._np_random, self._np_random_seed, self._generators))
        try:
            seeds = self._seeds(seed)
            self._begin(rows, [seeds[row] for row in rows], options)
        except BaseException:
            self._np_random, self._np_random_seed, self._generators = before
            raise
        add_infos(infos, self._view.infos(rows), np.flatnonzero(mask), self.num_envs)
        self._seen = self._look_again(self._seen, rows)
        return self._seen, infos

    def _look_again(self, seen: Observation, rows: list[int]) -> Observation:
        """Return `seen` with the present observations of `rows`, in new arrays."""
        fresh = self._view.observer.look(rows)
        if len(rows) == self.num_envs:
            return fresh
        merged = {key: values.copy() for key, values in seen.items()}
        for key, values in fresh.items():
            merged[key][rows] = values
        return merged

    def _begin(self, rows: list[int], seeds: Sequence[int | None], options: dict[str, Any]) -> None:
        """Begin episodes in `rows` together; a row without a seed draws a training seed."""
        chosen = [self._seed_of(row, seed) for row, seed in zip(rows, seeds, strict=True)]
        self._view.begin(rows, chosen, options)
        self._ended[rows], self._begun[rows], self._steps[rows] = False, True, 0

    def _seed_of(self, row: int, seed: int | None) -> int:
        if seed is not None:
            self._generators[row] = np_random(seed)[0]
            return seed
        draws = self._generators[row]
        if draws is None:
            draws = np_random(drawn_seed(self.np_random))[0]
            self._generators[row] = draws
        return drawn_seed(draws)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[
        Observation,
        NDArray[np.float64],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Make one step in every row; a step of the sub-goal view lasts until all sub-goals have ended."""
        self._check_begun("step")
        actions = check_shape(actions, self.single_action_space, self.num_envs)
        resets = self._ended.copy()
        if resets.any() and self.autoreset_mode is AutoresetMode.DISABLED:
            raise ResetNeeded(
                f"the episodes of rows {np.flatnonzero(resets).tolist()} have ended; reset these rows"
            )
        rows = np.flatnonzero(~resets)
        if rows.size:
            self._view.step(rows.tolist(), actions[rows])
        if resets.any():
            again = np.flatnonzero(resets).tolist()
            self._begin(again, [None] * len(again), {})
        infos: dict[str, Any] = {}
        columns = self._view.infos(range(self.num_envs))
        add_infos(infos, columns, np.arange(self.num_envs), self.num_envs)
        rewards = np.zeros(self.num_envs, np.float64)
        terminated = np.zeros(self.num_envs, np.bool_)
        truncated = np.zeros(self.num_envs, np.bool_)
        rewards[rows], terminated[rows], truncated[rows] = self._view.ledger.report(rows.tolist())
        self._steps[rows] += 1
        if self._most_steps is not None:
            truncated[rows] |= self._steps[rows] >= self._most_steps
        seen = self._view.observer.look(range(self.num_envs))
        self._ended[rows] = (terminated | truncated)[rows]
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._ended.any():
            seen = self._begin_again(seen, columns, infos)
        self._seen = seen
        return seen, rewards, terminated, truncated, infos

    def _begin_again(
        self, seen: Observation, columns: Columns, infos: dict[str, Any]
    ) -> Observation:
        """Begin new episodes in rows whose episodes ended; put final observations and infos into `infos`."""
        ended = np.flatnonzero(self._ended)
        rows = ended.tolist()
        last = [{key: values[row].copy() for key, values in seen.items()} for row in rows]
        final = {"final_obs": last, "final_info": infos_of(columns, rows)}
        self._begin(rows, [None] * len(rows), {})
        add_infos(infos, {**final, **self._view.infos(rows)}, ended, self.num_envs)
        return self._look_again(seen, rows)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """Return each row's screen (uint8[360, 640, 3]); None, with a warning, without a render mode."""
        if self.render_mode is None:
            self._warn_of_no_render_mode()
            return None
        self._check_begun("render")
        width, height = RENDER_SIZE
        images = np.empty((self.num_envs, height, width, 3), np.uint8)
        self._view.runtime.world.frames(np.arange(self.num_envs), images)
        return tuple(images)

    def close_extras(self, **_: Any) -> None:
        """Release the worlds, and objects that were given for parts."""
        self._view.close()
        self._begun[:] = False

    def _reopen(self) -> None:
        super()._reopen()
        self.closed = False

    def _checked_mask(self, mask: object) -> NDArray[np.bool_]:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        if (
            not isinstance(mask, np.ndarray)
            or mask.dtype != np.bool_
            or mask.shape != (self.num_envs,)
            or not mask.any()
        ):
            raise BadValue(
                f"reset_mask: expected bool[{self.num_envs}] with a True in it, got {mask!r}"
            )
        if not (self._begun | mask).all():
            raise BadValue("reset_mask: the first reset must take every row")
        return mask

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence | np.ndarray) or isinstance(seed, str):
            first = check_seed(seed)
            check_seed(first + self.num_envs - 1)
            self._np_random, self._np_random_seed = np_random(first)
            return [first + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise BadValue(f"seed: expected {self.num_envs} seeds, got {len(seed)}")
        return [None if one is None else check_seed(one) for one in seed]


def _checked_rendering(arguments: dict[str, Any]) -> dict[str, Any]:
    """Reject render modes that only single environments have.

    Raises:
        BadValue: the mode is a word other than "rgb_array".
    """
    mode = arguments.get("render_mode")
    if isinstance(mode, str) and mode != "rgb_array":
        hint = "; wrap it in gymnasium.wrappers.vector.HumanRendering" if mode == "human" else ""
        raise BadValue(
            f"render_mode: expected None or 'rgb_array' in a vector environment, got {mode!r}{hint}"
        )
    return arguments


def _autoreset_mode(wanted: object) -> AutoresetMode:
    for mode in AutoresetMode:
        if wanted is mode or (isinstance(wanted, str) and wanted in (mode.value, mode.name)):
            return mode
    raise BadValue(
        f"autoreset_mode: expected one of {[mode.value for mode in AutoresetMode]}, "
        f"got {shown(wanted)}"
    )
