"""Checks that many arguments share: switches, whole numbers of Python or numpy, names and paths."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np

from optimus_gym.core.errors import BadValue, UnknownName, shown


def is_whole(value: object) -> TypeGuard[int | np.integer[Any]]:
    """Return whether a value is an integer of Python or numpy; True and False are no integers."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float | np.integer[Any] | np.floating[Any]]:
    """Return whether a value is a real number of Python or numpy; True and False are no numbers."""
    return is_whole(value) or isinstance(value, float | np.floating)


def check_flag(name: str, value: object) -> bool:
    """Return a value that is True or False.

    Raises:
        BadValue: the value is neither True nor False; the message holds the argument's name.

    >>> check_flag("recipes", 1)
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: recipes: expected True or False, got 1
    """
    if not isinstance(value, bool):
        raise BadValue(f"{name}: expected True or False, got {shown(value)}")
    return value


def check_count(name: str, value: object, least: int, most: int | None = None) -> int:
    """Return an integer from `least` to `most` (None: no upper limit) as a Python int.

    Raises:
        BadValue: the value is no integer within the limits; the message holds the argument's name.

    >>> check_count("ticks", np.int64(3), 1)
    3
    """
    if is_whole(value) and value >= least and (most is None or value <= most):
        return int(value)
    expected = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise BadValue(f"{name}: expected an integer {expected}, got {shown(value)}")


def check_name(kind: str, value: object, known: Collection[str]) -> str:
    """Return a name if `known` holds it.

    Raises:
        UnknownName: the name is unknown or no text; the message suggests similar names.

    >>> check_name("item", ["stick"], ("stick", "stone"))
    Traceback (most recent call last):
    optimus_gym.core.errors.UnknownName: unknown item ['stick']; did you mean 'stick'?
    """
    if isinstance(value, str) and value in known:
        return value
    raise UnknownName(kind, value, known)


def check_path(name: str, value: object) -> Path:
    r"""Return a value as a path that the operating system accepts, whether or not the path exists.

    Raises:
        BadValue: the value is no path: it has a wrong type, a character that no path holds, or too great a
            length; the message holds the argument's name.

    >>> check_path("video", "a\0b")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: video: expected a path, got 'a\x00b' (paths have no such character)
    """
    if not isinstance(value, str | os.PathLike):
        raise BadValue(f"{name}: expected a path, got {shown(value)}")
    try:
        os.stat(value)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        pass
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "paths have no such character"
        raise BadValue(f"{name}: expected a path, got {shown(os.fspath(value))} ({why})") from None
    return Path(value)


def check_file(name: str, value: object) -> Path:
    """Return the path of a file that can be read to its end.

    Folders, pipes and devices are rejected; reading a pipe or a device may never end.

    Raises:
        BadValue: the value is no path, or there is no such file; the message holds the argument's name.

    >>> check_file("checkpoint", "no/such.pth")
    Traceback (most recent call last):
    optimus_gym.core.errors.BadValue: checkpoint: expected a file, got 'no/such.pth' (nothing is there)
    """
    path = check_path(name, value)
    if not path.is_file():
        why = "it is not a regular file" if path.exists() else "nothing is there"
        raise BadValue(f"{name}: expected a file, got '{path}' ({why})")
    return path


def check_home_path(name: str, value: object) -> Path:
    """Return a path as `check_path` does; replace a leading `~` or `~user` by that user's home folder.

    A path whose user the system does not know stays as it is.

    Raises:
        BadValue: as in `check_path`.
    """
    return Path(os.path.expanduser(check_path(name, value)))
