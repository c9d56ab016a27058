"""What one step of a plan wants, as a sub-goal: its verb, its item and how many of it."""

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from optimus_gym.backbones.parse.values import Members, Value, plain
from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.types import ONCE, RECOVER, VERBS, SubGoal, Verb
from optimus_gym.game.items import SLOTS
from optimus_gym.game.things import things
from optimus_gym.game.ways import creatures
from optimus_gym.prompts.words import kinds_of, word_for

VERBS_MEANT: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        **dict.fromkeys(("mine", "chop", "dig", "collect", "gather", "punch", "cut"), "mine"),
        **dict.fromkeys(("get", "obtain", "harvest", "break"), "mine"),
        **dict.fromkeys(("craft", "make", "create", "build"), "craft"),
        **dict.fromkeys(("smelt", "cook", "burn"), "smelt"),
        **dict.fromkeys(("equip", "hold", "wear", "wield"), "equip"),
        **dict.fromkeys(("place", "put"), "place"),
        **dict.fromkeys(("kill", "slay", "hunt"), "kill"),
        "shear": "shear",
        "milk": "milk",
        **dict.fromkeys(("fill", "scoop"), "fill"),
        **dict.fromkeys(("grow", "farm", "plant"), "grow"),
        **dict.fromkeys(("find", "locate"), "find"),
        **dict.fromkeys(("recover", "escape", "leave"), "recover"),
    }
)
"""First words of a task and the verb that they mean."""
PREDICAMENTS_MEANT: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{name: name for name in PREDICAMENTS},
        **dict.fromkeys(("cave", "pit", "hole", "underground"), "drop_down"),
        **dict.fromkeys(("water", "ocean", "river", "lake"), "in_water"),
        **dict.fromkeys(("hunger", "food"), "hungry"),
        **dict.fromkeys(("injury", "health", "wounds"), "hurt"),
    }
)
"""Words for what one recovers from, and the predicament that they mean."""

MINED: Final[Mapping[str, str]] = MappingProxyType(
    {"iron": "iron_ore", "gold": "gold_ore", "stone": "cobblestone"}
)
"""What is meant by mining these."""

MOST_PIECES: Final = SLOTS * 64
"""What all slots hold of an item that stacks to 64: no sub-goal can ask for more."""
MOST_WORDS: Final = 200
"""Characters of a task that are looked at."""

_TAIL: Final = re.compile(r"\s+(?:with|using|at|from|in|on|by|for|to|near)\s.*$|\s*[(;].*$|[.,!]+$")
_FROM: Final = re.compile(r"^(?:from\s+)?(?:the\s+|an?\s+)?(?:being\s+)?", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:an|a|the|some|one)\s+|^x\s*", re.IGNORECASE)


def verb_of(task: str) -> Verb | None:
    """Return the verb that a task begins with, None if it begins with none."""
    words = task[:MOST_WORDS].lower().split(maxsplit=1)
    return VERBS_MEANT.get(words[0]) if words else None


def no_verb(task: str) -> str:
    """Say that a task begins with no verb."""
    known = ", ".join(VERBS)
    return f"expected a task that begins with one of {known}, got {task[:80]!r}"


def subgoal_of(verb: Verb, word: Value, count: Value, said: str) -> SubGoal | str:
    """Return the sub-goal that a verb, an item's word and a count mean, or in words why they mean none.

    What is killed may be named by the creature: its main drop is meant (`drop_of`).

    Args:
        verb: the verb.
        word: the item, in whatever words.
        count: how many, a number or its digits.
        said: how the step was written, for what is said of it.
    """
    number = count_of(count)
    if number is None:
        shown = "an object" if isinstance(count, Members) else repr(str(count)[:40])
        return f"expected a count from 1 to {MOST_PIECES}, got {shown} ({said[:60]})"
    name = "" if isinstance(word, Members | list) else str(word)[:80]
    kinds = kinds_meant(verb, name)
    if not kinds and verb == RECOVER:
        return f"expected one of {', '.join(PREDICAMENTS)}, got {name!r} ({said[:60]})"
    if not kinds:
        return f"expected an item of the game, got {name!r} ({said[:60]})"
    if verb in ONCE:
        number = 1
    accepts = kinds if len(kinds) > 1 else ()
    return SubGoal(verb, kinds[0], number, accepts, text=_text(verb, kinds, number))


def kinds_meant(verb: Verb, word: str) -> tuple[str, ...]:
    """Return the items that a word means where a verb is done to it, empty if it means none.

    >>> kinds_meant("mine", "iron"), kinds_meant("craft", "iron"), kinds_meant("kill", "cows")
    (('iron_ore',), ('iron_ingot',), ('beef',))
    """
    if verb == RECOVER:
        meant = PREDICAMENTS_MEANT.get(plain(_FROM.sub("", word)))
        return () if meant is None else (meant,)
    name = MINED.get(word.strip().lower(), word) if verb == "mine" else word
    kinds = kinds_of(name)
    if not kinds and verb == "find" and name in things():
        return (name,)
    drop = drop_of(name) if not kinds and verb == "kill" else None
    return kinds if drop is None else (drop,)


def drop_of(creature: str) -> str | None:
    """Return what a creature is killed for, None if nothing is known of it.

    That is the item of its own name, or else the one of which it leaves most, of equals the one that its row
    names first.

    >>> drop_of("chicken"), drop_of("Cow"), drop_of("spiders"), drop_of("unicorn")
    ('chicken', 'beef', 'string', None)
    """
    name = creature_of(creature)
    return None if name is None else _drops()[name]


def creature_of(word: str) -> str | None:
    """Return the creature that a word means, None if it means none."""
    name = plain(word.removeprefix("minecraft:"))
    return next((guess for guess in (name, name.removesuffix("s")) if guess in _drops()), None)


def named(rest: str) -> tuple[str, int]:
    """Return the item and the count of "4 oak planks with ..."."""
    rest = _TAIL.sub("", " ".join(rest[:MOST_WORDS].split()))
    match = re.match(r"^([0-9]{1,9})\s*(.*)$", rest)
    count, rest = (int(match[1]), match[2]) if match else (1, rest)
    return _ARTICLE.sub("", rest.strip()), count


def count_of(value: Value) -> int | None:
    """Return a count that can be meant, or None."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_PIECES:
        return None
    return value


@cache
def _drops() -> Mapping[str, str]:
    """Return what each creature is killed for."""
    found = {}
    for creature in creatures():
        best = max(creature.loot, key=lambda drop: (drop.item == creature.name, drop.mean))
        found[creature.name] = best.item
    return MappingProxyType(found)


def _text(verb: str, kinds: tuple[str, ...], count: int) -> str:
    word = word_for(kinds[0], kinds).replace("_", " ")
    return f"{verb} {word}" if verb in ONCE else f"{verb} {count} {word}"
