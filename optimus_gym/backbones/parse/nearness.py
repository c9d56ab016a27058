"""Suggest names near to an unknown word in meaning or spelling; the model chooses, the parser never does."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.values import plain_key
from optimus_gym.game.items import items
from optimus_gym.game.rows import checked
from optimus_gym.game.ways import creatures
from optimus_gym.prompts.words import COLLECTIVES

NEAR_WORDS_FILE: Final = "near.json"
MOST_NAMES: Final = 3
LONGEST_NEAR: Final = 40
"""Maximum number of characters of an unknown word for which near names are suggested."""
LIKE: Final = 0.75
"""Least similarity of two names, by `difflib`'s ratio: our choice."""


@lru_cache(512)
def near_names(word: str) -> str:
    """Return words for a message with the names that an unknown word may mean, "" if there are none.

    >>> near_names("twigs"), near_names("oak_lgo"), near_names("warp drive")
    (", near 'stick'", ", near 'oak_log'", '')
    """
    name = plain_key(word)
    if not 2 <= len(name) <= LONGEST_NEAR or not name.isascii():
        return ""
    guesses = (name, name.removesuffix("s"), name.removesuffix("es"))
    meant = next((_meant()[guess] for guess in guesses if guess in _meant()), None)
    last = name.rsplit("_", 1)[-1]
    able = [one for one in _names() if one[0] == name[0] or last in one]
    near = meant or get_close_matches(name, able, MOST_NAMES, LIKE)
    return f", near {' or '.join(repr(one) for one in near)}" if near else ""


@cache
def _names() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*COLLECTIVES, *items(), *(one.name for one in creatures()))))


@cache
def _meant() -> Mapping[str, tuple[str, ...]]:
    """Return common words, each with the names that the word may mean (`data/near.json`)."""
    text = files("optimus_gym.backbones.data").joinpath(NEAR_WORDS_FILE).read_text("utf-8")
    rows = checked(json.loads(text), NEAR_WORDS_FILE)
    return MappingProxyType({word: tuple(row["near"]) for row in rows for word in row["words"]})
