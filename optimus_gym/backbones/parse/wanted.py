"""Turn one step of a plan into a sub-goal: its verb, its item and its count."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.counts import task_words
from optimus_gym.backbones.parse.nearness import near_names
from optimus_gym.backbones.parse.values import Members, Value, plain_key
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.types import (
    ACT_VERBS,
    HIGHEST_SHAFT,
    ONCE,
    RECOVER,
    SHAFT_ENDS,
    VERBS,
    SubGoal,
    Verb,
)
from optimus_gym.game.items import HELD_SLOTS
from optimus_gym.game.things import things
from optimus_gym.game.ways import creatures
from optimus_gym.prompts.words import kinds_of, word_for

VERBS_MEANT: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        **dict.fromkeys(("mine", "chop", "dig", "collect", "gather", "punch", "cut"), "mine"),
        **dict.fromkeys(("get", "obtain", "harvest", "break", "acquire", "fetch", "pick"), "mine"),
        **dict.fromkeys(("craft", "make", "create", "build", "assemble", "produce"), "craft"),
        **dict.fromkeys(("construct", "forge"), "craft"),
        **dict.fromkeys(("smelt", "cook", "burn"), "smelt"),
        **dict.fromkeys(("equip", "hold", "wear", "wield"), "equip"),
        **dict.fromkeys(("place", "put"), "place"),
        **dict.fromkeys(("kill", "slay", "hunt", "slaughter"), "kill"),
        "shear": "shear",
        "milk": "milk",
        **dict.fromkeys(("fill", "scoop"), "fill"),
        **dict.fromkeys(("grow", "farm", "plant"), "grow"),
        **dict.fromkeys(("find", "locate"), "find"),
        **dict.fromkeys(("recover", "escape", "leave"), "recover"),
        **dict.fromkeys(("dig_down", "digdown"), "dig_down"),
        **dict.fromkeys(("dig_up", "digup"), "dig_up"),
    }
)
"""Words with which a task may begin, each with the sub-goal's verb that it means."""
ACTS_MEANT: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        **dict.fromkeys(("fight", "attack", "battle"), "fight"),
        **dict.fromkeys(("move to", "move towards", "walk to", "approach", "move"), "move"),
        **dict.fromkeys(("use", "apply"), "use"),
    }
)
"""Words with which a task may begin, each with the act that it means; words of `VERBS_MEANT` come first."""
PHRASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dig down to": "dig_down",
        "dig up to": "dig_up",
        **dict.fromkeys(("chop down", "cut down", "pick up", "dig up", "dig down for"), "mine"),
        **dict.fromkeys(("dig for", "mine for", "mine down for"), "mine"),
        **dict.fromkeys(("look for", "search for"), "find"),
        **dict.fromkeys(("put on", "switch to"), "equip"),
        **dict.fromkeys(("put down", "set down", "set up"), "place"),
        "hunt for": "kill",
        "put together": "craft",
    }
)
"""Phrases with which a task may begin, each with the sub-goal's verb that it means."""
_FILLERS: Final = re.compile(
    r"^(?:first|second|third|then|next|now|finally|lastly|afterwards?|and|please|also|again|just|"
    r"you|we|i|will|should|must|can|need to|needs to|have to|has to|let us|lets|try to|go and|go to|"
    r"go|start by|begin by|use (?:the |a |an )?[\w ]{1,40}? to|continue to|proceed to|the agent|agent|to)"
    r"\b[\s,:]*",
    re.IGNORECASE,
)
"""Words that models put before a verb."""
PREDICAMENTS_MEANT: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: name for name in PREDICAMENTS},
        **dict.fromkeys(("cave", "pit", "hole", "underground"), "drop_down"),
        **dict.fromkeys(("water", "ocean", "river", "lake"), "in_water"),
        **dict.fromkeys(("hunger", "food"), "hungry"),
        **dict.fromkeys(("monster", "monsters", "attack", "enemy", "enemies"), "danger"),
        **dict.fromkeys(("injury", "health", "wounds"), "hurt"),
    }
)
"""Words for a predicament, each with the predicament's name."""

MINED_ITEMS: Final[Mapping[str, str]] = MappingProxyType(
    {"iron": "iron_ore", "gold": "gold_ore", "stone": "cobblestone"}
)
"""Words that mean another item after "mine" than after other verbs, each with the item that "mine" wants."""

MOST_WANTED: Final = HELD_SLOTS * 64
"""Pieces that fill all slots in stacks of 64: the largest count of a sub-goal."""
_HEIGHT: Final = re.compile(
    r"(?:the\s+)?(?:y|height|level|layer|y[ _-]?level|altitude)?\s*[=:]?\s*([0-9]{1,3})",
    re.IGNORECASE,
)
"""Pattern for a height in words, such as "y 11", "y=11", "level 11"."""
_FROM: Final = re.compile(r"^(?:from\s+)?(?:the\s+|an?\s+)?(?:being\s+)?", re.IGNORECASE)


def verb_and_rest(task: str) -> tuple[Verb | None, str]:
    """Return the verb at the beginning of a task's words (None if there is none), and the words after it.

    >>> verb_and_rest("chop down 3 trees"), verb_and_rest("Then, mining coal"), verb_and_rest("fly home")
    (('mine', '3 trees'), ('mine', 'coal'), (None, 'fly home'))
    """
    words = task_words(task).strip(" .:,-")
    for _ in range(4):
        less = _FILLERS.sub("", words)
        if not less or less == words or _verb(words) is not None:
            break
        words = less
    lower = words.lower()
    for phrase, verb in PHRASES.items():
        if lower.startswith(f"{phrase} "):
            return VERBS_MEANT[verb], words[len(phrase) :].strip()
    found = _verb(words)
    return (None, words) if found is None else (found, "".join(words.split(maxsplit=1)[1:]))


def act_and_rest(task: str) -> tuple[Verb | None, str]:
    """Return the act at the beginning of a task's words (None if there is none), and the words after it.

    >>> act_and_rest("move to the cow"), act_and_rest("fly home")
    (('move', 'the cow'), (None, 'fly home'))
    """
    words = task_words(task).strip(" .:,-")
    lower = words.lower()
    for phrase in sorted(ACTS_MEANT, key=len, reverse=True):
        if lower.startswith(f"{phrase} "):
            return ACTS_MEANT[phrase], words[len(phrase) :].strip()
    return None, words


def verb_of(task: str) -> Verb | None:
    """Return the verb at the beginning of a task, None if there is none."""
    return verb_and_rest(task)[0]


def _verb(words: str) -> Verb | None:
    """Return the verb of the first word, also from forms such as "mining" or "mines"."""
    first = words.lower().split(maxsplit=1)[:1]
    word = first[0].strip(":,") if first else ""
    stem = word.removesuffix("ing")
    forms = (word, word.removesuffix("s"), word.removesuffix("es"))
    ending = (stem, f"{stem}e", stem[:-1]) if stem != word else ()
    return next((VERBS_MEANT[form] for form in (*forms, *ending) if form in VERBS_MEANT), None)


def no_verb(task: str) -> str:
    """Return the problem of a task that does not begin with a verb."""
    known = ", ".join(verb for verb in VERBS if verb not in ACT_VERBS)
    return f"expected a task that begins with one of {known}, got {task[:80]!r}"


def subgoal_of(verb: Verb, word: Value, count: Value, said: str) -> SubGoal | str:
    """Return the sub-goal of a verb, an item's word and a count, or a problem in words.

    After "kill" a word for a creature means the creature's main drop (`drop_of`).

    Args:
        verb: the verb.
        word: the item, in any words.
        count: the count, as a number or in digits.
        said: the step as it was written, which messages about problems quote.
    """
    number = count_of(count)
    if number is None:
        shown = "an object" if isinstance(count, Members) else repr(str(count)[:40])
        return f"expected a count from 1 to {MOST_WANTED}, got {shown} ({said[:60]})"
    name = "" if isinstance(word, Members | list) else str(word)[:80]
    if verb in SHAFT_ENDS:
        return _shaft(verb, name, number, said)
    kinds = kinds_meant(verb, name)
    if not kinds and verb == RECOVER:
        return f"expected one of {', '.join(PREDICAMENTS)}, got {name!r} ({said[:60]})"
    if not kinds and verb == "fight":
        return f"expected a creature of the game, got {name!r} ({said[:60]})"
    if not kinds:
        return f"expected an item of the game, got {name!r}{near_names(name)} ({said[:60]})"
    if verb in ONCE:
        number = 1
    accepts = kinds if len(kinds) > 1 else ()
    return SubGoal(verb, kinds[0], number, accepts, text=_text(verb, kinds, number))


def _shaft(verb: Verb, word: str, number: int, said: str) -> SubGoal | str:
    """Return the sub-goal that digs up to the sky, or down to the height that is named, or a problem."""
    if verb == "dig_up":
        return SubGoal(verb, SHAFT_ENDS[verb], text="dig up to the sky")
    found = _HEIGHT.fullmatch(word.strip()) or _HEIGHT.fullmatch(f"{word.strip()} {number}")
    if found is None or not 1 <= int(found[1]) <= HIGHEST_SHAFT:
        return f"expected a height from y 1 to y {HIGHEST_SHAFT}, got {word!r} ({said[:60]})"
    height = int(found[1])
    return SubGoal(verb, SHAFT_ENDS[verb], height, text=f"dig down to y {height}")


def kinds_meant(verb: Verb, word: str) -> tuple[str, ...]:
    """Return the items that a word means after a verb, empty if it means none.

    >>> kinds_meant("mine", "iron"), kinds_meant("craft", "iron"), kinds_meant("kill", "cows")
    (('iron_ore',), ('iron_ingot',), ('beef',))
    """
    if verb == RECOVER:
        meant = PREDICAMENTS_MEANT.get(plain_key(_FROM.sub("", word)))
        return () if meant is None else (meant,)
    if verb == "fight":
        foe = creature_of(word)
        return () if foe is None else (foe,)
    name = MINED_ITEMS.get(word.strip().lower(), word) if verb == "mine" else word
    kinds = kinds_of(name)
    if not kinds and verb in ("find", "move"):
        name = creature_of(name) or name
        return (name,) if name in things() else ()
    drop = drop_of(name) if not kinds and verb == "kill" else None
    return kinds if drop is None else (drop,)


def drop_of(creature: str) -> str | None:
    """Return the main drop of a creature, None if the creature is unknown.

    The main drop is the item with the creature's own name, or else the drop with the highest mean count.
    Among drops with an equal mean count, the main drop is the one that the data lists first for the creature.

    >>> drop_of("chicken"), drop_of("Cow"), drop_of("spiders"), drop_of("unicorn")
    ('chicken', 'beef', 'string', None)
    """
    name = creature_of(creature)
    return None if name is None else _drops()[name]


def creature_of(word: str) -> str | None:
    """Return the creature that a word means, None if there is none."""
    name = plain_key(word.removeprefix("minecraft:"))
    return next((guess for guess in (name, name.removesuffix("s")) if guess in _drops()), None)


def count_of(value: Value) -> int | None:
    """Return a value as a count from 1 to `MOST_WANTED`, or None."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_WANTED:
        return None
    return value


@cache
def _drops() -> Mapping[str, str]:
    """Return the main drop of each creature."""
    found = {}
    for creature in creatures():
        best = max(creature.loot, key=lambda drop: (drop.item == creature.name, drop.mean))
        found[creature.name] = best.item
    return MappingProxyType(found)


def _text(verb: str, kinds: tuple[str, ...], count: int) -> str:
    word = word_for(kinds[0], kinds).replace("_", " ")
    return f"{verb} {word}" if verb in ONCE else f"{verb} {count} {word}"
