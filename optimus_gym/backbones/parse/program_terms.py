"""Conditions, sums and arguments in a line of a program (`backbones.parse.programs`)."""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from optimus_gym.game.sources import STATIONS
from optimus_gym.prompts.words import kinds_of

LARGEST: Final = 100_000
"""Largest number in a program: our choice."""
MOST_TERMS: Final = 200
"""Maximum number of names, numbers and signs in a line: our choice."""
MOST_BRACKETS: Final = 8
"""Maximum number of brackets inside each other in a line: our choice; a bracket may be read twice."""
_TOKEN: Final = re.compile(r"""\s*(\d+|"[^"]*"|'[^']*'|\w+|<=|>=|==|!=|[-+*<>(),=])""")
_COMPARED: Final[Mapping[str, Callable[[int, int], bool]]] = MappingProxyType(
    {
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "==": operator.eq,
        "!=": operator.ne,
    }
)


class ProgramFault(Exception):
    """A fault of a program's text, in words."""


class Things(Protocol):
    """The player's things that a program can ask about."""

    def count(self, kinds: tuple[str, ...]) -> int:
        """Return how many pieces of some items are held."""

    def near(self, station: str) -> int:
        """Return 1 if a station is in reach, else 0."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A number, a question about the player's things, or two sums with a sign between them.

    Attributes:
        sign: "+", "-" or "*"; "count" or "near" for a question; "" for a number.
        number: the number.
        kinds: the items that the question is about.
        sides: the sums on both sides of the sign.
    """

    sign: str = ""
    number: int = 0
    kinds: tuple[str, ...] = ()
    sides: "tuple[Sum, ...]" = ()

    def value(self, things: Things) -> int:
        """Return the sum's value, from `-LARGEST` to `LARGEST`."""
        if not self.sides:
            if self.sign == "near":
                return things.near(self.kinds[0])
            return things.count(self.kinds) if self.sign else self.number
        one, other = (side.value(things) for side in self.sides)
        made = {"+": one + other, "-": one - other, "*": one * other}[self.sign]
        return max(-LARGEST, min(made, LARGEST))


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of two sums, or conditions joined by "and", "or" or "not"."""

    word: str
    sums: tuple[Sum, ...] = ()
    parts: "tuple[Condition, ...]" = ()

    def holds(self, things: Things) -> bool:
        """Return whether the condition is true."""
        if self.word == "not":
            return not self.parts[0].holds(things)
        if self.word in ("and", "or"):
            join = all if self.word == "and" else any
            return join(part.holds(things) for part in self.parts)
        one, other = (side.value(things) for side in self.sums)
        return _COMPARED[self.word](one, other)


class Terms:
    """Reads the terms of one line.

    Args:
        text: the text after the line's first word, or between a call's brackets.
        line: the line's name in problems.
    """

    def __init__(self, text: str, line: str) -> None:
        self._line = line
        self._said = text.strip()
        self._tokens = self._split(text)
        self._at = 0

    def whole_condition(self) -> Condition:
        """Return the line's condition.

        Raises:
            ProgramFault: the line is no condition.
        """
        read = self._condition()
        self._expect_end()
        return read

    def whole_sum(self) -> Sum:
        """Return the line's sum.

        Raises:
            ProgramFault: the line is no sum.
        """
        read = self._sum()
        self._expect_end()
        return read

    def arguments(self) -> tuple[str, Sum, str]:
        """Return a call's arguments: item, pieces, and tool or station ("" for none).

        Raises:
            ProgramFault: the line holds other arguments.
        """
        item, pieces, aid = self._string(), Sum(number=1), ""
        while self._take(","):
            if self._tokens[self._at + 1 : self._at + 2] == ["="]:
                self._at += 2  # the name of an argument
            if self._next[:1] in ('"', "'"):
                aid = self._string()
            elif not self._take("None"):
                pieces = self._sum()
        self._expect_end()
        return item, pieces, aid

    def _split(self, text: str) -> list[str]:
        found: list[str] = []
        at, depth, text = 0, 0, text.rstrip()
        while at < len(text):
            token = _TOKEN.match(text, at)
            if token is None:
                raise self._fault("expected numbers, names in quotes and signs")
            found.append(token[1])
            at = token.end()
            depth += (token[1] == "(") - (token[1] == ")")
            if depth > MOST_BRACKETS:
                raise self._fault(f"expected at most {MOST_BRACKETS} brackets inside each other")
            if len(found) > MOST_TERMS:
                raise self._fault(f"expected at most {MOST_TERMS} terms")
        return found

    @property
    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, *words: str) -> str:
        """Go on if the next token is one of some words; return the word, or "" if it is another token."""
        if self._next not in words:
            return ""
        self._at += 1
        return self._tokens[self._at - 1]

    def _expect(self, word: str) -> None:
        if not self._take(word):
            raise self._fault(f"expected {word!r}")

    def _expect_end(self) -> None:
        if self._next:
            raise self._fault(f"expected the end of the line before {self._next[:20]!r}")

    def _condition(self) -> Condition:
        return self._joined("or", lambda: self._joined("and", self._negated))

    def _joined(self, word: str, read: Callable[[], Condition]) -> Condition:
        parts = [read()]
        while self._take(word):
            parts.append(read())
        return parts[0] if len(parts) == 1 else Condition(word, (), tuple(parts))

    def _negated(self) -> Condition:
        if self._take("not"):
            return Condition("not", (), (self._negated(),))
        at = self._at
        if self._take("("):
            try:
                read = self._condition()
                self._expect(")")
            except ProgramFault:
                self._at = at  # the bracket belongs to a sum
            else:
                if self._next not in _COMPARED:
                    return read
                self._at = at
        return self._comparison()

    def _comparison(self) -> Condition:
        one = self._sum()
        word = self._take(*_COMPARED)
        if not word:
            raise self._fault('expected a comparison such as count("log") < 3')
        return Condition(word, (one, self._sum()))

    def _sum(self) -> Sum:
        return self._signed(("+", "-"), lambda: self._signed(("*",), self._atom))

    def _signed(self, signs: Sequence[str], read: Callable[[], Sum]) -> Sum:
        made = read()
        while sign := self._take(*signs):
            made = Sum(sign, sides=(made, read()))
        return made

    def _atom(self) -> Sum:
        if self._take("("):
            read = self._sum()
            self._expect(")")
            return read
        if asked := self._take("count", "near"):
            self._expect("(")
            kinds = self._kinds(asked)
            self._expect(")")
            return Sum(asked, kinds=kinds)
        if not self._next.isdecimal() or int(self._next[:9]) > LARGEST:
            raise self._fault(
                f'expected a number up to {LARGEST}, count("item") or near("station")'
            )
        self._at += 1
        return Sum(number=int(self._tokens[self._at - 1]))

    def _kinds(self, asked: str) -> tuple[str, ...]:
        word = self._string()
        kinds = kinds_of(word[:80])
        if not kinds or (asked == "near" and kinds[0] not in STATIONS):
            wanted = "a station" if asked == "near" else "an item of the game"
            raise self._fault(f"expected {wanted}, got {word[:40]!r}")
        return kinds

    def _string(self) -> str:
        if self._next[:1] not in ('"', "'"):
            raise self._fault("expected a name in quotes")
        self._at += 1
        return self._tokens[self._at - 1][1:-1]

    def _fault(self, expected: str) -> ProgramFault:
        return ProgramFault(f"{self._line}: {expected} ({self._said[:60]})")
