"""Argument parsers whose help ends with examples and whose errors have the form of the package's own."""

import argparse
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NoReturn

from optimus_gym.core.errors import BadValue, UnknownName, shown

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "expected one argument": "expected a value, got none",
        "expected at least one argument": "expected a value, got none",
        "ignored explicit argument": "expected no value, got",
    }
)
"""Phrases in argparse's errors, each with the package's own phrase that replaces it."""


class Parser(argparse.ArgumentParser):
    """An argument parser without abbreviated options.

    Args:
        examples: whole command lines; the help shows them at its end.
        options: arguments for `argparse.ArgumentParser`.
    """

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        self.examples = tuple(examples)
        if examples:
            lines = (line for example in examples for line in example.splitlines())
            options["epilog"] = "\n".join(("examples:", *(f"  {line}" for line in lines)))
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)

    def error(self, message: str) -> NoReturn:
        """Raise an error of the command line, instead of printing the error and ending the process.

        Raises:
            BadValue: always; the message begins with the argument's name, as in the package's other errors.
        """
        raise BadValue(_plain(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parse arguments; an unknown argument is an error.

        Raises:
            UnknownName: an option or a command is unknown.
            BadValue: an argument is missing, is one too many or cannot be read.
        """
        parsed, rest = super().parse_known_args(args, namespace)
        for text in rest:
            if text.startswith("-"):
                raise UnknownName("option", text.partition("=")[0], self._option_string_actions)
        if rest:
            raise BadValue(f"expected no further argument, got {shown(rest[0])}")
        return parsed, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check that a command or the value of an option with `choices` is known (called by argparse).

        Raises:
            BadValue: the option's value is unknown; the message lists the known values.
            UnknownName: the command is unknown; the message suggests similar names.
        """
        if action.choices is None or value in action.choices:
            return
        if action.option_strings:
            known = ", ".join(map(repr, action.choices))
            raise BadValue(f"{_name_of(action)}: expected one of {known}, got {shown(value)}")
        raise UnknownName(_name_of(action), value, action.choices)


def whole(text: str) -> int:
    """Read an integer.

    Raises:
        argparse.ArgumentTypeError: the text is no integer.
    """
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected an integer, got {shown(text)}") from None


def number(text: str) -> float:
    """Read a number.

    Raises:
        argparse.ArgumentTypeError: the text is no number.
    """
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number, got {shown(text)}") from None


def listed(text: str) -> tuple[str, ...]:
    """Return the entries of a comma-separated text, without blanks around each entry.

    >>> listed("Wood, Stone,,Iron ")
    ('Wood', 'Stone', 'Iron')
    """
    return tuple(part.strip() for part in text.split(",") if part.strip())


def wholes(text: str) -> tuple[int, ...]:
    """Read comma-separated integers.

    Raises:
        argparse.ArgumentTypeError: an entry is no integer.

    >>> wholes("1, 2,3")
    (1, 2, 3)
    """
    return tuple(map(whole, listed(text)))


def _name_of(action: argparse.Action) -> str:
    """Return an argument's name for error messages."""
    if action.option_strings:
        return action.option_strings[-1].lstrip("-")
    return str(action.metavar or action.dest).lower()


def _plain(message: str) -> str:
    """Return an error of argparse in the form of the package's own errors.

    >>> _plain("argument --seed: expected an integer, got 'x'")
    "seed: expected an integer, got 'x'"
    >>> _plain("argument --seed: expected one argument")
    'seed: expected a value, got none'
    >>> _plain("the following arguments are required: ID, DATASET")
    'expected ID, DATASET, got none; --help shows examples'
    """
    missing = message.removeprefix("the following arguments are required: ")
    if missing != message:
        return f"expected {missing}, got none; --help shows examples"
    name, colon, what = message.removeprefix("argument ").removeprefix("--").partition(": ")
    named = name.replace("-", "_") + colon + what
    for theirs, ours in WORDS.items():
        named = named.replace(theirs, ours)
    return named
