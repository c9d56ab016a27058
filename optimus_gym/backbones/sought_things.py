"""The things and conditions that a task asks to see: thing, neighbour, biome, time (MP5, Table 11)."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.wanted import creature_of
from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.things import things
from optimus_gym.prompts.words import in_words, kinds_of

ASPECTS: Final = ("object", "mob", "ecology", "time", "weather", "brightness")
"""Aspects of environmental information (MP5, Table 11)."""
_BESIDE: Final = (
    re.compile(r"\bnear (?:an? |the )?(\w+)"),
    re.compile(r"\bwith (?:an? |the )?(\w+) (?:next to|beside) it"),
)
_WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "time": {
            **dict.fromkeys(("night", "nighttime"), "night"),
            **dict.fromkeys(("daytime", "daylight"), "day"),
        },
        "weather": {
            **dict.fromkeys(("sunny", "clear"), "clear"),
            **dict.fromkeys(("rain", "rainy", "raining"), "rain"),
        },
        "brightness": dict.fromkeys(("bright", "brightness"), "bright"),
    }
)
"""Words of a task, each with the value that it asks for, by aspect."""


def aspect_of(thing: str) -> str:
    """Return the aspect of a thing: "mob" for a creature, else "object".

    >>> aspect_of("pig"), aspect_of("water")
    ('mob', 'object')
    """
    return "object" if creature_of(thing) is None else "mob"


def sought_in(task: str, thing: str) -> list[tuple[str, str]]:
    """Return (aspect, value) of all that a task asks to see, the thing first.

    The conditions of the task hold for the thing that the task names first, and not for another thing that
    is looked for on the way.

    >>> sought_in("Find a pig near a grass in the plains during the daytime", "pig")
    [('mob', 'pig'), ('object', 'grass'), ('ecology', 'plains'), ('time', 'day')]
    >>> sought_in("Find a grass near a pig", "pig")
    [('mob', 'pig')]
    """
    found = [(aspect_of(thing), thing)]
    text = task.lower()
    if not _is_first(text, thing):
        return found
    for pattern in _BESIDE:
        found += [(aspect_of(word), word) for word in pattern.findall(text) if word in things()]
    biomes = [name for name in BIOMES if re.search(rf"\b{in_words(name)}\b", text)]
    found += [("ecology", name) for name in biomes if not _is_within(name, biomes)]
    words = re.findall("[a-z]+", text)
    for aspect, meant in _WORDS.items():
        found += [(aspect, value) for value in dict.fromkeys(map(meant.get, words)) if value]
    return found


def is_yes(answer: str, thing: str) -> bool:
    """Return whether an answer of the percipient says that a thing is in view.

    >>> is_yes("pig: yes", "pig"), is_yes("pig: no", "pig")
    (True, False)
    """
    name, _, said = answer.partition(":")
    same = name == thing or bool(set(kinds_of(name)) & set(kinds_of(thing)))
    return same and said.strip().startswith("yes")


def _is_first(text: str, thing: str) -> bool:
    """Return whether a task's text names the given thing first; a text without things fits."""
    for word in re.findall("[a-z_]+", text):
        kinds = kinds_of(word)
        if kinds or creature_of(word) is not None:
            meant = creature_of(word) or word
            return meant == thing or bool(set(kinds) & set(kinds_of(thing)))
    return True


def _is_within(name: str, others: list[str]) -> bool:
    """Return whether a biome's name is a part of another found name, as "forest" of "birch_forest"."""
    return any(name != other and name in other for other in others)
