"""The package's exceptions; each is also a built-in one, so that callers need not import ours."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

MOST_NAMES_LISTED = 12
MOST_SHOWN = 100
"""Characters of a value that an error shows."""


def shown(value: object) -> str:
    """Return how an error shows a value: as `repr` does, cut to 100 characters.

    >>> shown("a"), len(shown("a" * 5000)), shown(10**5000)
    ("'a'", 100, 'a number of thousands of digits')
    """
    if isinstance(value, str | bytes | bytearray | list | tuple):
        value = value[: MOST_SHOWN + 1]  # more would be written out only to be cut off
    try:
        text = repr(value)
    except ValueError:  # Python writes no number of more than 4,300 digits
        return "a number of thousands of digits"
    except RecursionError:
        return "a value nested too deeply"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def reason_of(error: BaseException) -> str:
    r"""Return the first line of an error's text that says anything, else the name of its type.

    >>> reason_of(ValueError("\n no file\nat all")), reason_of(EOFError())
    ('no file', 'EOFError')
    """
    lines = (line.strip() for line in str(error).splitlines())
    return next(filter(None, lines), type(error).__name__)


class OptimusError(Exception):
    """Base of every error that this package raises on purpose."""


class BadValue(OptimusError, ValueError):
    """An argument has a value that cannot be used: what was expected, what came, and where."""


class UnknownName(OptimusError, ValueError):
    """A name stands in no table.

    Args:
        kind: what is named ("item", "task", ...).
        name: what came.
        known: the names that exist; the nearest are suggested.

    >>> raise UnknownName("item", "oak_logs", ["oak_log", "stone"])
    Traceback (most recent call last):
    optimus_gym.core.errors.UnknownName: unknown item 'oak_logs'; did you mean 'oak_log'?
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        names = sorted(known)
        near = get_close_matches(shown(name).strip("'"), names, n=3, cutoff=0.6)
        if near:
            hint = "did you mean " + ", ".join(repr(n) for n in near) + "?"
        elif len(names) <= MOST_NAMES_LISTED:
            hint = "expected one of " + ", ".join(repr(n) for n in names)
        else:
            hint = f"none of the {len(names)} known names is near"
        super().__init__(f"unknown {kind} {shown(name)}; {hint}")
        self.kind = kind
        self.name = name


class MissingExtra(OptimusError, ImportError):
    """An optional dependency is not installed; names the extra that brings it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional dependency: pip install 'optimus-gym[{extra}]'")


class StalePicture(OptimusError, RuntimeError):
    """A picture of a tick was asked for after the world had gone on; see `core.situation.Picture`."""


class WorldFailed(OptimusError, RuntimeError):
    """Some worlds broke down: their episodes end as "world_failed", the others go on.

    Args:
        reasons: why, by row. Every row that is not named has done what it was asked for.
    """

    def __init__(self, reasons: Mapping[int, str]) -> None:
        listed = "; ".join(f"row {row}: {reason}" for row, reason in sorted(reasons.items()))
        super().__init__(f"the world failed: {listed}")
        self.reasons = dict(reasons)

    def __reduce__(self) -> tuple[type["WorldFailed"], tuple[dict[int, str]]]:
        return type(self), (self.reasons,)
