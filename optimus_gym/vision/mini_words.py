"""The words of the aligner `mini`: texts to numbers."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, shown

MOST_TEXT_WORDS: Final = 32
"""Maximum number of words of a text that are read."""
NO_WORD = 0
"""The number that stands after the last word of a text that is shorter than others."""
UNKNOWN_WORD = 1
"""The number for each word that is not in the vocabulary."""
FIRST_WORD = 2
"""The number of the vocabulary's first word."""
_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
_ENDINGS: Final = ("s", "es", "ing", "ed")


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, in small letters.

    >>> words_of("Mine 3 iron_ore!")
    ['mine', '3', 'iron', 'ore']
    """
    return _WORD.findall(text.lower())


@cache
def vocabulary() -> dict[str, int]:
    """Return each known word's number."""
    path = files("optimus_gym.vision.data").joinpath("mini_words.txt")
    return numbered(path.read_text(encoding="utf-8").split())


def numbered(words: Sequence[str]) -> dict[str, int]:
    """Return the numbers of words, from `FIRST_WORD` on."""
    return {word: FIRST_WORD + k for k, word in enumerate(words)}


def word_numbers(texts: Sequence[str], known: dict[str, int] | None = None) -> NDArray[np.int64]:
    """Return texts as words' numbers (int64[n, t]), filled up with `NO_WORD`; t is at most 32.

    Args:
        texts: at least one text; no text may be empty.
        known: the words' numbers; None takes the shipped ones.

    Raises:
        BadValue: there is no text, or a text is empty or no text.
    """
    known = vocabulary() if known is None else known
    rows = [_numbers(text, known) for text in texts]
    if not rows:
        raise BadValue("texts: expected at least one text, got none")
    tokens = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for k, row in enumerate(rows):
        tokens[k, : len(row)] = row
    return tokens


def _numbers(text: str, known: dict[str, int]) -> list[int]:
    """Return the numbers of a text's first words; a text in other letters is one unknown word."""
    if not isinstance(text, str) or not text.strip():
        raise BadValue(f"texts: expected a text with words, got {shown(text)}")
    return [_number(word, known) for word in words_of(text)[:MOST_TEXT_WORDS]] or [UNKNOWN_WORD]


def _number(word: str, known: dict[str, int]) -> int:
    """Return the number of a word, or of the word without its ending."""
    for ending in ("", *_ENDINGS):
        number = known.get(word.removesuffix(ending))
        if number is not None:
            return number
    return UNKNOWN_WORD
