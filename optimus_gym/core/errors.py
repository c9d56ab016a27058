"""The package's exceptions; each also inherits from a built-in exception, which callers may catch instead."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import FunctionType
from typing import Any, Final

MOST_NAMES_LISTED = 16
MOST_SHOWN = 100
"""Maximum number of characters of a value's text that an error shows."""
_ADDRESS: Final = re.compile(r"(<[^<>'\"]+) at 0x[0-9a-f]+(?=[ >])")
"""Pattern of an object's address in a `repr`, which differs from run to run."""


def shown(value: object) -> str:
    """Return a value's text for an error: its `repr` without addresses, cut to 100 characters.

    >>> shown("a"), len(shown("a" * 5000)), shown(10**5000)
    ("'a'", 100, 'a number with thousands of digits')
    >>> shown(reason_of), shown(object())
    ('the function optimus_gym.core.errors:reason_of', '<object object>')
    """
    if isinstance(value, FunctionType):
        return f"the function {value.__module__}:{value.__qualname__}"[:MOST_SHOWN]
    if isinstance(value, str | bytes | bytearray | list | tuple):
        value = value[: MOST_SHOWN + 1]  # the rest would be cut off below
    try:
        text = _ADDRESS.sub(r"\1", repr(value))
    except ValueError:  # Python refuses to write more than 4,300 digits
        return "a number with thousands of digits"
    except RecursionError:
        return "a value nested too deeply"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def reason_of(error: BaseException) -> str:
    r"""Return the first line of an error's text that is not blank, else the name of the error's type.

    >>> reason_of(ValueError("\n no file\nat all")), reason_of(EOFError())
    ('no file', 'EOFError')
    """
    lines = (line.strip() for line in str(error).splitlines())
    return next(filter(None, lines), type(error).__name__)


class OptimusError(Exception):
    """Base of every error that this package raises on purpose."""


class BadValue(OptimusError, ValueError):
    """An argument cannot be used; the message holds its name, the expected value and the actual value."""


class BadMemory(BadValue):
    """A memory folder cannot be read or written; the message holds the file and the reason."""


class UnknownName(OptimusError, ValueError):
    """A name is unknown.

    Args:
        kind: the kind of thing that the name stands for ("item", "task", ...).
        name: the unknown name.
        known: the names that exist; the message suggests those that are similar to `name`.

    >>> raise UnknownName("item", "oak_logs", ["oak_log", "stone"])
    Traceback (most recent call last):
    optimus_gym.core.errors.UnknownName: unknown item 'oak_logs'; did you mean 'oak_log'?
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        known = tuple(known)
        super().__init__(f"unknown {kind} {shown(name)}; {hint(name, known)}")
        self.kind = kind
        self.name = name
        self.known = known

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self.known)


class UnknownArgument(BadValue, TypeError):
    """`gym.make` got a keyword argument that the environment does not have; see `unknown_argument`.

    The constructor takes only a message: `gym.make` catches a TypeError and raises the same class again with
    a longer message.
    """


def unknown_argument(name: str, known: Iterable[str]) -> UnknownArgument:
    """Return the error for a keyword argument that does not exist; its text suggests similar names.

    The error's text holds the words of Python's own TypeError for an unexpected keyword argument. A library
    that tries an argument (TorchRL's `GymEnv` tries `frameskip`) looks for Python's words and then calls
    again without the argument.

    Args:
        name: the argument.
        known: the arguments that exist.

    >>> raise unknown_argument("controler", ["controller", "world"])
    Traceback (most recent call last):
    optimus_gym.core.errors.UnknownArgument: __init__() got an unexpected keyword argument 'controler'; \
did you mean 'controller'?
    """
    said = f"__init__() got an unexpected keyword argument {name!r}"
    return UnknownArgument(f"{said}; {hint(name, known)}")


def hint(name: object, known: Iterable[str]) -> str:
    """Return a text that suggests known names similar to a name, or if none is, lists or counts all names.

    >>> hint("stick", ["sticks", "stone"]), hint("x", ["stone"])
    ("did you mean 'sticks'?", "expected one of 'stone'")
    """
    names = sorted(known)
    near = get_close_matches(shown(name).strip("'"), names, n=3, cutoff=0.6)
    if near:
        return "did you mean " + ", ".join(repr(n) for n in near) + "?"
    if len(names) <= MOST_NAMES_LISTED:
        return "expected one of " + ", ".join(repr(n) for n in names)
    return f"none of the {len(names)} known names is similar"


class MissingExtra(OptimusError, ImportError):
    """An optional dependency is not installed; the message holds the pip extra that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f'{what} needs an optional dependency; run in the checkout: pip install -e ".[{extra}]"'
        )
        self.what = what
        self.extra = extra

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.what, self.extra)


class NoReplyUsed(OptimusError, RuntimeError):
    """The agent asked a model but could use no reply, so that the model had no part in the episodes."""


class StalePicture(OptimusError, RuntimeError):
    """A caller asked for a tick's picture after the world had gone on; see `core.situation.Picture`."""


class WorldFailed(OptimusError, RuntimeError):
    """Some worlds broke down: their episodes end as "world_failed", the others go on.

    Args:
        reasons: the reason of each failure, by row; the rows without a failure have completed the call.
    """

    def __init__(self, reasons: Mapping[int, str]) -> None:
        listed = "; ".join(f"row {row}: {reason}" for row, reason in sorted(reasons.items()))
        super().__init__(f"the world failed: {listed}")
        self.reasons = dict(reasons)

    def __reduce__(self) -> tuple[type["WorldFailed"], tuple[dict[int, str]]]:
        return type(self), (self.reasons,)
