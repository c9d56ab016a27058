"""Wordings: many texts for one meaning, some of them held out for measuring.

The words are in `wordings.json`. A meaning is a sub-goal's verb, item and creature, an environment, or a
thing that is in sight or held.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from optimus_gym.core.predicaments import PREDICAMENTS
from optimus_gym.core.types import RECOVER, VERBS
from optimus_gym.game.biomes import ALIASES
from optimus_gym.game.blocks import block_names
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item_names
from optimus_gym.game.tasks import tasks
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.memory.reasoning import reasoned_subgoals
from optimus_gym.vision.environments import prompts
from optimus_gym.vision.mini_words import words_of

MOST_COUNTED: Final = 64


class Meaning(NamedTuple):
    """The meaning of a sub-goal, without its count."""

    verb: str
    what: str
    """The sub-goal's item, or the predicament of a recover sub-goal, in words."""
    creature: str = ""


@cache
def wordings() -> Mapping[str, Any]:
    """Return the table of words."""
    table: Mapping[str, Any] = json.loads(
        Path(__file__).with_name("wordings.json").read_text(encoding="utf-8")
    )
    return table


@cache
def subgoal_meanings() -> tuple[Meaning, ...]:
    """Return the meanings of all sub-goals in the tasks of `optimus-67`, and of all recoveries."""
    texts = dict.fromkeys(
        text for task in tasks().values() for text in reasoned_subgoals(task.item, full_graph())
    )
    tasks_ask = [Meaning(*text.split(" ", 1)) for text in texts]
    return (*tasks_ask, *(Meaning(RECOVER, _in_words(name)) for name in PREDICAMENTS))


def told(
    meaning: Meaning,
    count: int,
    random: np.random.Generator,
    held_out: bool = False,
    failed: bool = False,
) -> str:
    """Return a wording of a sub-goal.

    Args:
        meaning: the sub-goal's meaning.
        count: the sub-goal's count.
        random: draws the wording.
        held_out: whether to take a wording that is never used in training.
        failed: whether the wording says that the sub-goal failed.
    """
    table = wordings()
    orders = ("held_" if held_out else "") + ("hunts" if meaning.creature else "orders")
    said = str(random.choice(table[orders])).format(
        do=random.choice(table["verbs"].get(meaning.verb, [meaning.verb])),
        what=random.choice(_names(meaning.what)),
        creature=meaning.creature,
        count=count,
    )
    return str(random.choice(table["failures"])).format(said=said) if failed else said


@cache
def _names(what: str) -> Sequence[str]:
    """Return names of an item, such as "iron pickaxe" and "pickaxe of iron"."""
    table = wordings()
    names = list(table["items"].get(what, [what]))
    material, _, thing = what.partition(" ")
    if thing and material in table["materials"]:
        given = {"thing": thing, "material": table["materials"][material]}
        names += [way.format(**given) for way in table["made of"]]
    return names


def environment_told(environment: int, random: np.random.Generator) -> str:
    """Return a wording of an environment."""
    table, name = wordings(), prompts()[environment]
    names = [*table["environment names"].get(name, [name]), *_aliases().get(name, ())]
    return str(random.choice(table["environments"])).format(e=random.choice(names))


@cache
def _aliases() -> Mapping[str, Sequence[str]]:
    """Return other names of biomes, in words."""
    made: dict[str, list[str]] = {}
    for alias, biome in ALIASES.items():
        made.setdefault(_in_words(biome), []).append(_in_words(alias))
    return made


def thing_told(thing: str, is_held: bool, random: np.random.Generator) -> str:
    """Return a wording of a thing in sight or in the hotbar."""
    ways = wordings()["held" if is_held else "sights"]
    return str(random.choice(ways)).format(s=_in_words(thing))


def _in_words(name: str) -> str:
    return name.replace("_", " ")


def vocabulary() -> tuple[str, ...]:
    """Return all words in training texts, sorted."""
    texts = [*item_names(), *block_names(), *creature_kinds(), *prompts(), *ALIASES, *VERBS]
    texts += [str(count) for count in range(1, MOST_COUNTED + 1)]
    texts += _leaves({k: v for k, v in wordings().items() if not k.startswith("held_")})
    return tuple(sorted({word for text in texts for word in words_of(text)}))


def _leaves(value: Any) -> list[str]:
    """Return all texts in a table, keys included."""
    if isinstance(value, str):
        return [value.translate(str.maketrans("{}", "  "))]
    if isinstance(value, Mapping):
        return [*value, *(text for part in value.values() for text in _leaves(part))]
    return [text for part in value for text in _leaves(part)]


def meaning_of(row: Mapping[str, Any]) -> Meaning:
    """Return the meaning of a sub-goal from its verb, count, creature and text."""
    verb, creature = str(row["verb"]), _in_words(row["creature"] or "")
    text = str(row["text"]).removeprefix(f"{verb} ")
    if creature:
        text = text.removeprefix(f"{creature} for ")
    return Meaning(verb, text.removeprefix(f"{row['count']} "), creature)
