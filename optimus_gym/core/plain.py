"""What JSON can hold: the plain form of what is given as an argument."""

import os
from collections.abc import Mapping
from enum import Enum
from typing import Any

import numpy as np

from optimus_gym.core.errors import BadValue


def plain_value(where: str, value: object) -> Any:
    """Return a value as JSON holds it, in new lists and dicts.

    Enumerations become their values, numpy's scalars Python's, paths texts, tuples lists.

    Args:
        where: the argument's name, for the message.
        value: what was given.

    Raises:
        BadValue: JSON cannot hold it.

    >>> plain_value("resolution", (np.int64(64), 48))
    [64, 48]
    """
    if isinstance(value, Enum):
        return plain_value(where, value.value)
    if isinstance(value, np.generic) and not isinstance(value.item(), np.generic):
        return plain_value(where, value.item())
    if isinstance(value, os.PathLike):
        return plain_value(where, os.fspath(value))
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain_value(where, one) for one in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {str(key): plain_value(where, one) for key, one in value.items()}
    raise BadValue(
        f"{where}: expected what JSON can hold (texts, numbers, lists, mappings by name), "
        f"got {value!r:.100}"
    )
