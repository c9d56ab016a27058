"""Words for items: collective words ("log" for any log), and the items that any other word means."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType

from optimus_gym.game.items import items
from optimus_gym.game.tags import tag, tags

COLLECTIVES: Mapping[str, str] = MappingProxyType(
    {"log": "logs", "planks": "planks", "wool": "wool"}
)
"""Collective words, such as "planks" for planks of any wood, each with the game's item tag that it means."""

SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "wood": "log",
        "tree": "log",
        "plank": "planks",
        "wood_plank": "planks",
        "wooden_planks": "planks",
        "table": "crafting_table",
        "workbench": "crafting_table",
        "iron": "iron_ingot",
        "gold": "gold_ingot",
        "golden_ore": "gold_ore",
        "gold_pickaxe": "golden_pickaxe",
        "cobble": "cobblestone",
        "redstone_dust": "redstone",
        "redstone_ore": "redstone",
        "diamond_ore": "diamond",
        "coal_ore": "coal",
        "stone": "stone",
    }
)
"""Words that models often write, each with the word that they mean; an ore's name may mean the ore's drop."""

HABITS: Mapping[str, str] = MappingProxyType(
    {
        "wood": "wooden",
        "gold": "golden",
        "golden": "gold",
        "pick": "pickaxe",
        "ax": "axe",
        "spade": "shovel",
        "breastplate": "chestplate",
        "legs": "leggings",
        "pants": "leggings",
        "shoes": "boots",
        "bar": "ingot",
    }
)
"""Single words that players write, each with the word that items' names have in its place."""

_REMEMBERED = 4096
"""Most cached words, four for each item: models may write any number of words."""


@lru_cache(_REMEMBERED)
def kinds_of(word: str) -> tuple[str, ...]:
    """Return the items that a word means, the preferred item first; empty if the word means no item.

    >>> kinds_of("Oak Logs"), kinds_of("planks")[:2], kinds_of("bed")[:1], kinds_of("unobtainium")
    (('oak_log',), ('oak_planks', 'spruce_planks'), ('white_bed',), ())
    """
    name = re.sub(r"[\s\-]+", "_", word.strip().lower().removeprefix("minecraft:"))
    name = re.sub(r"[^a-z0-9_]", "", name).strip("_")
    for guess in dict.fromkeys(_guesses(name)):
        if guess in COLLECTIVES:
            return tag(COLLECTIVES[guess])
        if guess in SYNONYMS and SYNONYMS[guess] in COLLECTIVES:
            return tag(COLLECTIVES[SYNONYMS[guess]])
        found = SYNONYMS.get(guess, guess)
        if found in items():
            return (found,)
    return next((tags()[guess] for guess in _guesses(name) if guess in tags()), ())


@lru_cache(_REMEMBERED)
def kinds_within(text: str) -> tuple[str, ...]:
    """Return the items that one name in a longer text means; empty if the text names no item, or several.

    A text names an item if it has all words of the item's name, in any order, or the words of `HABITS` for
    them. A name of more words wins over a shorter name, and a name's own words win over words of `HABITS`.

    >>> kinds_within("I need a pick made of gold"), kinds_within("a furnace or a chest")
    (('golden_pickaxe',), ())
    """
    said = {guess for word in re.findall("[a-z]+", text.lower()) for guess in _guesses(word)}
    meant = said | {HABITS[word] for word in said & HABITS.keys()}
    fits = {
        name: (len(parts), len(parts & said))
        for name, parts in _name_parts().items()
        if parts <= meant
    }
    most = max(fits.values(), default=None)
    best = [name for name, fit in fits.items() if fit == most]
    return kinds_of(best[0]) if len(best) == 1 else ()


@cache
def _name_parts() -> Mapping[str, frozenset[str]]:
    """Return the set of words in each item's name and in each collective word, by that name."""
    return {name: frozenset(name.split("_")) for name in (*items(), *COLLECTIVES)}


@cache
def word_for(item: str, kinds: tuple[str, ...]) -> str:
    """Return the collective word for the items `kinds` if there is one, else the name of `item`.

    >>> word_for("oak_planks", kinds_of("planks")), word_for("coal", ("coal", "charcoal"))
    ('planks', 'coal')
    """
    if len(kinds) > 1:
        for word, name in COLLECTIVES.items():
            if set(kinds) == set(tag(name)):
                return word
    return item


def in_words(name: str) -> str:
    """Return a name with blanks in place of underscores.

    >>> in_words("iron_ore")
    'iron ore'
    """
    return name.replace("_", " ")


def with_article(name: str) -> str:
    """Return a name with "a" or "an" before it.

    >>> with_article("iron_pickaxe"), with_article("stone_pickaxe")
    ('an iron_pickaxe', 'a stone_pickaxe')
    """
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _guesses(name: str) -> list[str]:
    """Return a name and its likely singulars and plurals."""
    guesses = [name]
    if name.endswith(("ches", "shes", "sses", "xes")):
        guesses.append(name[:-2])
    if name.endswith("s"):
        guesses.append(name[:-1])
    guesses.append(name + "s")
    return guesses
