"""Split any text of a model into tokens: punctuation marks, strings, numbers and words.

Blanks, backticks, asterisks, backslashes and comments (`# ...`, `// ...`) are skipped. A string ends at the
first quote after which a value can end, so that a quote inside the string does no harm. A string without a
closing quote ends with its line.
"""

import re
from typing import Final, Literal, NamedTuple

TokenKind = Literal["mark", "string", "broken", "number", "word", "end"]
"""Kinds of tokens; "broken" is a string without an end."""
MARKS: Final = ",:;=(){}[]"
EXACT_DIGITS: Final = 15
"""Maximum number of digits of a number that is read exactly; a number with more digits becomes a float."""
MOST_LINES: Final = 4000
"""Maximum number of characters of a string that goes over several lines."""

_SKIPPED: Final = re.compile(r"(?:[\s`*]|\\[^\n{}\[\]()]?+|#[^\n]*|//[^\n]*)*+")
_NUMBER: Final = re.compile(r"[-+]?[0-9]++(?:\.[0-9]*+)?(?:[eE][-+]?[0-9]++)?(?![\w.])")
_WORD: Final = re.compile(r"[^\s,:{}\[\]()\"'=;#`*\\]++")
_AFTER: Final = r"(?:\s*[,:}\]);=]|[ \t]*(?:[{\[\"'0-9\n#]|//|$))"
_ONE_LINE: Final = {
    quote: re.compile(rf"{quote}((?:[^{quote}\\\n]|\\.|{quote}(?!{_AFTER}))*+){quote}")
    for quote in "\"'"
}
_LINES: Final = {
    quote: re.compile(
        rf"{quote}((?:[^{quote}\\]|\\.){{0,{MOST_LINES}}}+){quote}(?=\s*[,:}}\]])", re.DOTALL
    )
    for quote in "\"'"
}
_REST: Final = re.compile(r".([^\n]*)", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)


class Token(NamedTuple):
    """One token: its kind, its text without quotes, and the indices of its start and end in the text."""

    kind: TokenKind
    text: str
    start: int
    end: int


def token_at(text: str, at: int) -> Token:
    """Return the first token at or after an index of the text; a token of kind "end" if none is left.

    >>> [token_at('{"log": 3}', at).text for at in (0, 1, 6, 7)]
    ['{', 'log', ':', '3']
    """
    if at < len(text) and text[at] in MARKS:  # the quick way for long runs of brackets
        return Token("mark", text[at], at, at + 1)
    skipped = _SKIPPED.match(text, at)
    start = at if skipped is None else skipped.end()
    if start >= len(text):
        return Token("end", "", len(text), len(text))
    first = text[start]
    if first in MARKS:
        return Token("mark", first, start, start + 1)
    if first in _ONE_LINE:
        return _string(text, start, first)
    number = _NUMBER.match(text, start)
    if number is not None:
        return Token("number", number[0], start, number.end())
    word = _WORD.match(text, start)
    end = start + 1 if word is None else word.end()
    return Token("word", text[start:end], start, end)


def number_of(text: str) -> int | float:
    """Return the value of a number token; a long number becomes a float, which may be infinite."""
    digits = text.lstrip("+-")
    return int(text) if digits.isdecimal() and len(digits) <= EXACT_DIGITS else float(text)


def _string(text: str, start: int, quote: str) -> Token:
    found = _ONE_LINE[quote].match(text, start) or _LINES[quote].match(text, start)
    if found is not None:
        return Token("string", _ESCAPED.sub(_meant, found[1]), start, found.end())
    rest = _REST.match(text, start)
    end = len(text) if rest is None else rest.end()
    return Token("broken", text[start + 1 : end], start, end)


def _meant(escaped: re.Match[str]) -> str:
    return " " if escaped[1] in "nrt" else escaped[1]
