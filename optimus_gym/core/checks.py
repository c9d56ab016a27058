"""Checks that many arguments share: whole numbers, whoever's they are, and paths."""

import os
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from optimus_gym.core.errors import BadValue

MOST_SHOWN = 100
"""Characters of a value that an error shows."""


def shown(value: object) -> str:
    """Return how an error shows a value: as `repr` does, cut to 100 characters.

    >>> shown("a"), len(shown("a" * 5000)), shown(10**5000)
    ("'a'", 100, 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def is_whole(value: object) -> TypeGuard[int | np.integer[Any]]:
    """Tell whether a value is an integer, Python's or numpy's; True and False are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float | np.integer[Any] | np.floating[Any]]:
    """Tell whether a value is a real number, Python's or numpy's; True and False are none."""
    return is_whole(value) or isinstance(value, float | np.floating)


def check_count(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an integer of `least` to `most` (None: no upper limit) as Python's.

    Raises:
        BadValue: it is none; says the argument's name.

    >>> check_count("ticks", np.int64(3), 1)
    3
    """
    if is_whole(value) and value >= least and (most is None or value <= most):
        return int(value)
    expected = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise BadValue(f"{name}: expected an integer {expected}, got {shown(value)}")


def check_path(name: str, value: object) -> Path:
    r"""Return a path that the system can be asked for, whether or not something is there.

    Raises:
        BadValue: it is no path: of another type, with a character that no path holds, or too long; says
            the argument's name.

    >>> check_path("video", "a\0b")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: video: expected a path, got 'a\x00b' (embedded null byte)
    """
    if not isinstance(value, str | os.PathLike):
        raise BadValue(f"{name}: expected a path, got {shown(value)}")
    try:
        os.stat(value)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise BadValue(f"{name}: expected a path, got {shown(os.fspath(value))} ({why})") from None
    return Path(value)
