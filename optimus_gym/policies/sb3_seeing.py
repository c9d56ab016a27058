"""A policy's view of observations: the latest ones stacked, and numbers as `VecNormalize` scales them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import check_home_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import write_whole

SeenArrays = dict[str, NDArray[Any]]
"""SeenArrays (n, ...) by key of the observation."""
_ONE_KEY: Final = "observation"
"""Name in a file of statistics for the single key of an observation that is no Dict."""
_NUMBERS: Final = ("epsilon", "clip_obs")
_LARGEST: Final = 10_000_000
"""Maximum size of a file of statistics in bytes; an observation's vectors have a few thousand numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Scales:
    """The statistics of `VecNormalize`.

    Attributes:
        mean: the mean by key (float64 arrays of an observation's shape, or of a stack's).
        variance: the variance by key.
        epsilon: added to the variance.
        limit: scaled numbers lie between -limit and limit.
    """

    mean: Mapping[str, NDArray[np.float64]]
    variance: Mapping[str, NDArray[np.float64]]
    epsilon: float
    limit: float

    def named(self, shapes: Mapping[str, tuple[int, ...]], stack: int) -> "Scales":
        """Return the statistics under an observation's keys; a single array belongs to the only key.

        Args:
            shapes: the shape of an observation by key.
            stack: number of observations that the policy sees at once.

        Raises:
            BadValue: statistics of a single array or of a key that the policy does not look at, or of another
                shape.
        """
        named = self
        if set(self.mean) == {_ONE_KEY} and len(shapes) == 1:
            (key,) = shapes
            named = replace(
                self, mean={key: self.mean[_ONE_KEY]}, variance={key: self.variance[_ONE_KEY]}
            )
        if not set(named.mean) <= set(shapes):
            raise BadValue(
                f"normalize: expected statistics of some of the policy's keys {list(shapes)}, got "
                f"{list(named.mean)}"
            )
        for key, mean in named.mean.items():
            single = shapes[key]
            if mean.shape not in (single, (*single[:-1], single[-1] * stack)):
                raise BadValue(
                    f"normalize: expected statistics of the shape {single} for the key {key!r}, got "
                    f"{mean.shape}"
                )
        return named

    def scaled(self, seen: SeenArrays) -> SeenArrays:
        """Return observations (or stacks) with each array scaled whose shape the statistics have."""
        return {
            key: self._scaled(key, values) if self._fits(key, values) else values
            for key, values in seen.items()
        }

    def _fits(self, key: str, values: NDArray[Any]) -> bool:
        return key in self.mean and self.mean[key].shape == values.shape[1:]

    def _scaled(self, key: str, values: NDArray[Any]) -> NDArray[np.float32]:
        spread = np.sqrt(self.variance[key] + self.epsilon)
        scaled = np.clip((values - self.mean[key]) / spread, -self.limit, self.limit)
        return scaled.astype(np.float32)


def save_statistics(normalizing: Any, path: str | Path) -> None:
    """Write the statistics of a `VecNormalize` into a file for the controller's option `normalize`.

    stable-baselines3's own `VecNormalize.save` writes a pickle, which this package never reads.

    Args:
        normalizing: stable-baselines3's `VecNormalize`, with normalized observations.
        path: the file to write, as a rule "NAME.npz".

    Raises:
        BadValue: the object has no statistics of observations.
        OSError: the file cannot be written.
    """
    found = getattr(normalizing, "obs_rms", None)
    if found is None or not getattr(normalizing, "norm_obs", False):
        raise BadValue(
            f"normalize: expected a VecNormalize with norm_obs=True, got {shown(normalizing)}"
        )
    by_key = found if isinstance(found, dict) else {_ONE_KEY: found}
    arrays: dict[str, Any] = {
        "epsilon": np.float64(normalizing.epsilon),
        "clip_obs": np.float64(normalizing.clip_obs),
    }
    for key, one in by_key.items():
        arrays[f"mean.{key}"], arrays[f"var.{key}"] = one.mean, one.var
    content = BytesIO()
    np.savez(content, **arrays)
    write_whole(path, content.getvalue())


def read_statistics(path: str) -> Scales:
    """Read a file that `save_statistics` wrote.

    Raises:
        BadValue: the file is missing, is no such file, or holds numbers that are not finite.
    """
    file = check_home_path("normalize", path)
    try:
        if file.stat().st_size > _LARGEST:
            raise BadValue(f"normalize: expected at most {_LARGEST} bytes, got {file}")
        with np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, BadZipFile, EOFError) as error:
        raise BadValue(
            f"normalize: expected a file of `save_statistics`, got {str(path)!r} ({error})"
        ) from error
    keys = [name.removeprefix("mean.") for name in arrays if name.startswith("mean.")]
    wanted = {*_NUMBERS, *(f"{kind}.{key}" for kind in ("mean", "var") for key in keys)}
    if not keys or set(arrays) != wanted:
        raise BadValue(
            f"normalize: expected the arrays epsilon, clip_obs, mean.KEY and var.KEY, got "
            f"{shown(', '.join(arrays))} ({path})"
        )
    for name, array in arrays.items():
        if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
            raise BadValue(f"normalize: expected finite numbers in {name} of {path}")
        alone = name in _NUMBERS
        if (alone or name.startswith("var.")) and (array.min(initial=0) < 0 or alone * array.ndim):
            raise BadValue(
                f"normalize: expected {'a number' if alone else 'numbers'} of at least 0 in {name} of "
                f"{path}"
            )
    for key in keys:
        if arrays[f"mean.{key}"].shape != arrays[f"var.{key}"].shape:
            raise BadValue(f"normalize: expected mean and var of {key} alike in shape in {path}")
    return Scales(
        mean={key: arrays[f"mean.{key}"].astype(np.float64) for key in keys},
        variance={key: arrays[f"var.{key}"].astype(np.float64) for key in keys},
        epsilon=float(arrays["epsilon"]),
        limit=float(arrays["clip_obs"]),
    )


class Seeing:
    """Makes what a policy sees, for many rows.

    Args:
        stack: number of latest observations of an episode that the policy sees at once, the oldest first;
            zeros stand for observations before the episode, as in `VecFrameStack`.
        statistics: the statistics of `VecNormalize`, or None. Scales of the shape of a stack scale
            stacks, others single observations.
    """

    def __init__(self, stack: int, statistics: Scales | None) -> None:
        self._stack = stack
        self._statistics = statistics
        self._kept: dict[int, SeenArrays] = {}
        """Each row's latest stack by key, without a first axis."""

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget what the players of `rows` saw in former episodes."""
        for row in rows:
            self._kept.pop(row, None)

    def see(self, rows: Sequence[int], seen: SeenArrays) -> SeenArrays:
        """Return what the policy sees of new observations of `rows`."""
        if self._statistics is not None:
            seen = self._statistics.scaled(seen)
        if self._stack == 1:
            return seen
        stacks = {
            key: np.stack([self._push(row, key, values[k]) for k, row in enumerate(rows)])
            for key, values in seen.items()
        }
        return stacks if self._statistics is None else self._statistics.scaled(stacks)

    def _push(self, row: int, key: str, values: NDArray[Any]) -> NDArray[Any]:
        """Add an observation to a row's stack along the last axis, and return the stack."""
        length = values.shape[-1]
        kept = self._kept.setdefault(row, {})
        former = kept.get(key)
        if former is None:
            former = np.zeros((*values.shape[:-1], length * self._stack), values.dtype)
        kept[key] = np.concatenate([former[..., length:], values], axis=-1)
        return kept[key]
