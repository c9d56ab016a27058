"""Read objects, lists and arguments of calls in models' notation, by recursive descent over tokens.

    value     = object | list | string | words | number
    object    = "{" { member | "," | ";" } "}"        member    = [ key (":" | "=") ] value
    list      = "[" { value | "," | ";" | ":" } "]"   (round brackets do as well, as in Python)
    arguments = "(" { [ name ("=" | ":") ] value | "," | ";" } ")"

The grammar accepts JSON, Python's literals, doubled braces, bare words, missing and trailing commas. Tokens
that fit nowhere are skipped and noted as faults; unfinished values are noted, too.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from optimus_gym.backbones.parse.tokens import Token, number_of, token_at

MOST_VALUE_DEPTH: Final = 40
"""Deepest nesting of values; plans have at most eight levels."""
MOST_FAULTS: Final = 3
"""Maximum number of faults that are stored for one value."""
MOST_QUOTED: Final = 30
"""Maximum number of characters that a fault quotes."""

Value: TypeAlias = "str | int | float | bool | list[Value] | Members | None"
ValuePair: TypeAlias = tuple[str, Value]
CONSTANTS: Final[Mapping[str, Value]] = {"null": None, "none": None, "true": True, "false": False}
CLOSERS: Final[Mapping[str, str]] = {"{": "}", "[": "]", "(": ")"}
_START: Final = re.compile(
    r"\{(?=[\s\\]*+(?:[\"'{\[}]|\w++[\s\\]*+[\"':=]))|\[(?=[\s\\]*+(?:[\"'{\[\](]|-?[0-9]))"
)
"""Pattern for a possible beginning of an object or a list; prose such as `[see above` does not match."""
_TOO_DEEP: Final = re.compile(rf"[{{\[(]{{{MOST_VALUE_DEPTH}}}+(?=[{{\[(])")
"""Pattern for a value that begins with more brackets than may be nested."""
_TOO_DEEP_FAULT: Final = f"expected at most {MOST_VALUE_DEPTH} nested brackets, got more"


@dataclass(frozen=True, slots=True)
class Members:
    """An object's keys and values in their order; a key may come twice or be empty."""

    pairs: tuple[ValuePair, ...]

    def get(self, *names: str) -> Value:
        """Return the first value whose key is one of some lower-case names, None if there is none."""
        for key, value in self.pairs:
            if plain_key(key) in names:
                return value
        return None

    def has(self, *names: str) -> bool:
        """Return whether one of some lower-case names is a key."""
        return any(plain_key(key) in names for key, _ in self.pairs)


class Read(NamedTuple):
    """A value, the index of its end in the text, and its faults in words."""

    value: Value
    end: int
    faults: tuple[str, ...]


class Arguments(NamedTuple):
    """A call's arguments as (name or "", value), their end as an index of the text, and their faults."""

    pairs: tuple[ValuePair, ...]
    end: int
    faults: tuple[str, ...]


@lru_cache(maxsize=256)
def plain_key(word: str) -> str:
    """Return a key in the form in which keys are compared.

    >>> plain_key(" Object Item "), plain_key("yLevel")
    ('object_item', 'ylevel')
    """
    return "_".join(word.lower().replace("-", " ").split())


def values_in(text: str) -> Iterator[Read]:
    """Yield the outermost objects and lists of a text, in their order."""
    at = 0
    while (found := _START.search(text, at)) is not None:
        reader = _Reader(text, found.start())
        read = reader.whole()
        yield read
        at = max(read.end, found.end())


def arguments_at(text: str, at: int, calls: re.Pattern[str]) -> Arguments:
    """Return the arguments after an opening bracket.

    Args:
        text: the text.
        at: the index of the bracket in the text.
        calls: a pattern for the beginning of another call, which ends an unfinished call.
    """
    reader = _Reader(text, at, calls)
    try:
        pairs = reader.arguments()
    except _Unreadable as broken:
        pairs = []
        reader.note(str(broken), at)
    return Arguments(tuple(pairs), reader.at, tuple(reader.faults))


class _Unreadable(Exception):
    """A value cannot be read further; the reader stays at the place of the fault."""


@dataclass(slots=True)
class _Reader:
    text: str
    at: int
    calls: re.Pattern[str] | None = None
    faults: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    """The closing marks of all open brackets, the innermost last."""
    ahead: tuple[int, Token] | None = None
    """The token that was last read ahead, with the place in the text from which it was read."""

    def whole(self) -> Read:
        """Read one value."""
        start = self.at
        try:
            self._check_depth()
            value = self._value()
        except _Unreadable as broken:
            value = None
            self.note(str(broken), start)
        return Read(value, self.at, tuple(self.faults))

    def arguments(self) -> list[ValuePair]:
        """Read the arguments between a call's brackets."""
        pairs: list[ValuePair] = []
        for token in self._parts(self._next(), ",;"):
            if token.text in (":", "=") and token.kind == "mark":
                self._stray(self._next())
                continue
            value = self._value()
            if isinstance(value, str) and self._peek_mark(":="):
                self._next()
                pairs.append((value, self._value_or_none()))
            else:
                pairs.append(("", value))
        return pairs

    def note(self, fault: str, at: int) -> None:
        """Store a fault of the text, and quote the text where the fault is."""
        if len(self.faults) < MOST_FAULTS:
            said = " ".join(self.text[at : at + MOST_QUOTED].split())
            self.faults.append(f"{fault} at {said!r}")

    def _check_depth(self) -> None:
        """Skip a long run of opening brackets at once: a text of such runs alone would take too long."""
        deep = _TOO_DEEP.match(self.text, self.at)
        if deep is not None:
            self.at = deep.end()
            raise _Unreadable(_TOO_DEEP_FAULT)

    def _value(self) -> Value:
        token = self._peek()
        if token.kind == "mark" and token.text in CLOSERS:
            if len(self.opened) >= MOST_VALUE_DEPTH:
                raise _Unreadable(_TOO_DEEP_FAULT)
            return self._object() if token.text == "{" else self._list()
        if token.kind in ("string", "broken"):
            self._next()
            if token.kind == "broken":
                self.note("expected a string with an end", token.start)
            return token.text
        return self._words()

    def _object(self) -> Value:
        """Read an object; an object with only values and no keys becomes a list of the values."""
        pairs: list[ValuePair] = []
        for token in self._parts(self._next(), ",;"):
            if token.text in (":", "=") and token.kind == "mark":
                self._stray(self._next())
                continue
            value = self._value()
            if isinstance(value, Members | list):
                pairs.append(("", value))
            elif self._peek_mark(":="):
                self._next()
                pairs.append((str(value), self._value_or_none()))
            elif self._peek_mark("{["):
                pairs.append((str(value), self._value()))
            else:
                self._stray(token)
        if pairs and not any(key for key, _ in pairs):
            return pairs[0][1] if len(pairs) == 1 else [value for _, value in pairs]
        return Members(tuple(pairs))

    def _list(self) -> Value:
        return [self._value() for _ in self._parts(self._next(), ",;:=")]

    def _parts(self, opening: Token, between: str) -> Iterator[Token]:
        """Yield the first token of each part of an object or list; the caller reads the whole part."""
        closer = CLOSERS[opening.text]
        self.opened.append(closer)
        while True:
            token = self._peek()
            if token.kind == "end":
                self.note(f"expected {closer!r} before the end of the text", opening.start)
                self.at = token.end
                break
            if token.kind == "mark" and token.text in between:
                self._next()
            elif token.kind == "mark" and token.text in "}])":
                if token.text == closer:
                    self._next()
                    break
                if token.text in self.opened:
                    self.note(f"expected {closer!r}", token.start)
                    break
                self._stray(self._next())
            else:
                yield token
        self.opened.pop()

    def _value_or_none(self) -> Value:
        token = self._peek()
        if token.kind == "end" or (token.kind == "mark" and token.text not in CLOSERS):
            self.note("expected a value", token.start)
            return None
        return self._value()

    def _words(self) -> Value:
        """Read unquoted words up to the end of their line; a lone number or constant becomes its value."""
        tokens = [self._next()]
        while True:
            token = self._peek()
            if (
                token.kind not in ("word", "number")
                or "\n" in self.text[tokens[-1].end : token.start]
            ):
                break
            tokens.append(self._next())
        (first, *more), said = tokens, " ".join(token.text for token in tokens)
        if more or first.kind == "word":
            return CONSTANTS.get(said.lower(), said)
        return number_of(first.text)

    def _stray(self, token: Token) -> None:
        self.note("expected nothing", token.start)

    def _peek(self) -> Token:
        ahead = self.ahead
        if ahead is not None and ahead[0] == self.at:
            return ahead[1]
        token = token_at(self.text, self.at)
        if (
            self.calls is not None
            and token.kind == "word"
            and self.calls.match(self.text, token.start)
        ):
            raise _Unreadable("expected ')' before the next call")
        self.ahead = (self.at, token)
        return token

    def _peek_mark(self, marks: str) -> bool:
        token = self._peek()
        return token.kind == "mark" and token.text in marks

    def _next(self) -> Token:
        ahead = self.ahead
        token = ahead[1] if ahead is not None and ahead[0] == self.at else self._peek()
        self.at = token.end
        return token
