"""Names near to a word that means no item, for the model to choose from: nothing is played by a guess."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.values import plain
from optimus_gym.game.items import items
from optimus_gym.game.rows import checked
from optimus_gym.game.ways import creatures
from optimus_gym.prompts.words import COLLECTIVES

FILE: Final = "near.json"
MOST_NAMES: Final = 3
LONGEST: Final = 40
"""Characters of a word that can be near to a name."""
LIKE: Final = 0.75
"""How alike two names must be, as `difflib` counts it: our choice."""


@lru_cache(512)
def near_names(word: str) -> str:
    """Return in words which names may be meant by a word, "" if none is near.

    >>> near_names("twigs"), near_names("oak_lgo"), near_names("warp drive")
    (", near 'stick'", ", near 'oak_log'", '')
    """
    name = plain(word)
    if not 2 <= len(name) <= LONGEST or not name.isascii():
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
    """Return the names that people's words may mean (`data/near.json`)."""
    text = files("optimus_gym.backbones.data").joinpath(FILE).read_text("utf-8")
    rows = checked(json.loads(text), FILE)
    return MappingProxyType({word: tuple(row["near"]) for row in rows for word in row["words"]})
