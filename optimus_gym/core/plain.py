"""Values that JSON can hold: the plain form of arguments, and a strict reader of JSON texts."""

import json
import os
from collections.abc import Mapping
from enum import Enum
from typing import Any, NoReturn

import numpy as np

from optimus_gym.core.errors import BadValue


def plain_value(where: str, value: object) -> Any:
    """Return a value in the form that JSON can hold, in new lists and dicts.

    Enumerations become their values, numpy's scalars become Python's, paths become texts, and tuples become
    lists.

    Args:
        where: the argument's name, for the message.
        value: the argument's value.

    Raises:
        BadValue: JSON cannot hold the value.

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
        f"{where}: expected a value that JSON can hold (texts, numbers, lists, mappings by name), "
        f"got {value!r:.100}"
    )


def read_json(text: str | bytes, where: str) -> Any:
    """Return the content of a JSON text, in new lists and dicts.

    Args:
        text: the text; bytes are read as UTF-8.
        where: the text's name, for the message.

    Raises:
        BadValue: the text is no whole JSON text, or holds NaN, an object with a key twice, or brackets nested
            deeper or integers longer than Python reads (thousands of levels or digits).

    >>> read_json('{"a": [1, NaN]}', "plan.json")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: expected a whole JSON text: it holds NaN (plan.json)
    """
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        raise BadValue(f"expected a whole JSON text: {error} ({where})") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"it holds {name}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("an object has a key twice")
    return made
