"""Replaces each word of a text by its number in a vocabulary, for the aligner `mini`."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue, shown

MOST_TEXT_WORDS: Final = 32
"""Maximum number of a text's words that the aligner reads."""
NO_WORD = 0
"""The number that pads a text with fewer words than other texts."""
UNKNOWN_WORD = 1
"""The number for each word that is not in the vocabulary."""
FIRST_WORD = 2
"""The number that stands for the vocabulary's first word."""
_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
_ENDINGS: Final = ("s", "es", "ing", "ed")


def words_of(text: str) -> list[str]:
    """Return the words and integers in a text, in lower case.

    >>> words_of("Mine 3 iron_ore!")
    ['mine', '3', 'iron', 'ore']
    """
    return _WORD.findall(text.lower())


@cache
def vocabulary() -> dict[str, int]:
    """Return the number of each word that the aligner `mini` knows."""
    path = files("optimus_gym.vision.data").joinpath("mini_words.txt")
    return numbered(path.read_text(encoding="utf-8").split())


def numbered(words: Sequence[str]) -> dict[str, int]:
    """Number words in their order, from `FIRST_WORD` on; return each word's number."""
    return {word: FIRST_WORD + k for k, word in enumerate(words)}


def word_numbers(texts: Sequence[str], known: dict[str, int] | None = None) -> NDArray[np.int64]:
    """Return the numbers that stand for texts' words (int64[n, t], padded with `NO_WORD`); t is at most 32.

    Args:
        texts: at least one text; no text may be empty.
        known: the number of each known word; None takes `vocabulary()`.

    Raises:
        BadValue: the list is empty, or an entry is empty or no string.
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
    """Return the numbers of a text's first 32 words; a text without a-z or 0-9 is one unknown word."""
    if not isinstance(text, str) or not text.strip():
        raise BadValue(f"texts: expected a text with words, got {shown(text)}")
    return [_number(word, known) for word in words_of(text)[:MOST_TEXT_WORDS]] or [UNKNOWN_WORD]


def _number(word: str, known: dict[str, int]) -> int:
    """Return the number of a word, or of the word without an ending such as "s" or "ing"."""
    for ending in ("", *_ENDINGS):
        number = known.get(word.removesuffix(ending))
        if number is not None:
            return number
    return UNKNOWN_WORD
