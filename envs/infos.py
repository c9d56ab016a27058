"""The `info` of many rows as one, in the form of Gymnasium's vector environments."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def batch_infos(infos: Mapping[int, Mapping[str, Any]], count: int) -> dict[str, Any]:
    """Return what `VectorEnv._add_info` makes of the rows' infos, at once and not row by row.

    Args:
        infos: the info of each row that has one.
        count: how many rows there are.

    Returns:
        For each key an array of `count` values (numbers as such, anything else as objects; a mapping
        becomes a mapping of arrays) and, under the key with a "_" before it, which rows have it.

    >>> batch_infos({1: {"ticks": 3}}, 2)
    {'ticks': array([0, 3]), '_ticks': array([False,  True])}
    """
    columns: dict[str, dict[int, Any]] = {}
    for row, info in infos.items():
        for key, value in info.items():
            columns.setdefault(key, {})[row] = value
    batched: dict[str, Any] = {}
    for key, values in columns.items():
        held = np.zeros(count, np.bool_)
        held[list(values)] = True
        nested = key != "final_obs" and all(isinstance(value, dict) for value in values.values())
        batched[key] = batch_infos(values, count) if nested else _column(values, count)
        batched[f"_{key}"] = held
    return batched


def _column(values: Mapping[int, Any], count: int) -> NDArray[Any]:
    first = next(iter(values.values()))
    if isinstance(first, bool | int | float | np.number | np.ndarray):
        stacked = np.array(list(values.values()))
        column = np.zeros((count, *stacked.shape[1:]), stacked.dtype)
        column[list(values)] = stacked
        return column
    column = np.full(count, None, object)
    for row, value in values.items():
        column[row] = value
    return column
