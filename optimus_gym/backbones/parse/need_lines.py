"""Reads lines "item: needed item, needed item" of a model's backward reasoning (JARVIS-1, section 3.3)."""

import re
from typing import Final

from optimus_gym.backbones.parse.thoughts import answer_of
from optimus_gym.prompts.words import kinds_of, word_for

MOST_NEED_LINES: Final = 60
"""Maximum number of lines that are read."""
MOST_NEEDS: Final = 12
"""Maximum number of needed items that are read from a line."""
_LINE: Final = re.compile(r"^[\s\-*\d.)]*([A-Za-z][\w ]{0,60}?)\**\s*(?::|<-|needs)\s*(.+)$", re.M)


def needs_in(text: str) -> dict[str, tuple[str, ...]]:
    """Return the items that each item of a text needs, by names or collective words, without unknown words.

    >>> needs_in("1. Stone Pickaxe: cobblestone, 2 sticks, luck")
    {'stone_pickaxe': ('cobblestone', 'stick')}
    """
    found: dict[str, tuple[str, ...]] = {}
    for part in answer_of(text).parts:
        for head, rest in _LINE.findall(part)[:MOST_NEED_LINES]:
            item = _word(head)
            needs = [_word(one) for one in rest.split(",")[:MOST_NEEDS]]
            if item is not None and item not in found:
                found[item] = tuple(dict.fromkeys(one for one in needs if one not in (None, item)))
        if found:
            break
    return found


def _word(text: str) -> str | None:
    """Return the item or the collective word that a text means, without a count; None if it means none."""
    words = re.sub(r"\d+|\(.*?\)|[^\w ]", " ", text).split()
    kinds = kinds_of("_".join(words)[:80]) if words else ()
    return word_for(kinds[0], kinds) if kinds else None
