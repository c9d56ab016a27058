"""The `info` of many rows by key, and put together in the form of Gymnasium's vector environments."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, Any]
"""For each key of `info` a list with a value for each row, or, where the value is a mapping, `Columns`."""


def info_of(columns: Columns, place: int) -> dict[str, Any]:
    """Return the info of the row at `place`.

    >>> info_of({"ticks": [3, 5], "smdp": {"duration": [1, 2]}}, 1)
    {'ticks': 5, 'smdp': {'duration': 2}}
    """
    return {
        key: info_of(values, place) if isinstance(values, dict) else values[place]
        for key, values in columns.items()
    }


def infos_of(columns: Columns, places: Sequence[int]) -> Columns:
    """Return the infos of the rows at some places.

    >>> infos_of({"ticks": [3, 5]}, [1])
    {'ticks': [5]}
    """
    return {
        key: infos_of(values, places) if isinstance(values, dict) else [values[k] for k in places]
        for key, values in columns.items()
    }


def add_infos(
    batched: dict[str, Any], columns: Columns, rows: NDArray[np.int64], count: int
) -> None:
    """Put the infos of `rows` into those of a vector environment, as `VectorEnv._add_info` does.

    Each key gets an array of `count` values (numbers as such, anything else as objects; a mapping becomes
    a mapping of arrays) and, under the key with a "_" before it, which rows have it.

    Args:
        batched: what is there already; values of the same rows are replaced.
        columns: as many values as there are rows.
        rows: int64[n], n at least 1.
        count: how many rows the vector environment has.

    >>> batched = {}
    >>> add_infos(batched, {"ticks": [3]}, np.array([1]), 2)
    >>> batched
    {'ticks': array([0, 3]), '_ticks': array([False,  True])}
    """
    for key, values in columns.items():
        if isinstance(values, dict):
            add_infos(batched.setdefault(key, {}), values, rows, count)
        else:
            _fill(batched, key, values, rows, count)
        batched.setdefault(f"_{key}", np.zeros(count, np.bool_))[rows] = True


def _fill(
    batched: dict[str, Any], key: str, values: Sequence[Any], rows: NDArray[np.int64], count: int
) -> None:
    if isinstance(values[0], bool | int | float | np.number | np.ndarray):
        stacked = np.array(values)
        empty = np.zeros((count, *stacked.shape[1:]), stacked.dtype)
    else:
        stacked = np.fromiter(values, object, len(values))
        empty = np.full(count, None, object)
    batched.setdefault(key, empty)[rows] = stacked
