"""Searches by reasoning: the meaning of a goal's words, and the goal's sub-goals (JARVIS-1, section 3.3)."""

import re
from functools import lru_cache
from typing import Final

from optimus_gym.backbones.parse.counts import named
from optimus_gym.backbones.parse.wanted import kinds_meant, verb_and_rest
from optimus_gym.game.items import items
from optimus_gym.knowledge.cheapest import Unobtainable
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph, full_graph
from optimus_gym.prompts.words import in_words, kinds_of, kinds_within, word_for

_REMEMBERED: Final = 4096
"""Maximum number of texts whose meaning is cached."""
_AIM: Final = re.compile(r"\b(?:to\s+(?:get|obtain)|until)\s", re.IGNORECASE)


def reasoned_subgoals(item: str, knowledge: KnowledgeGraph) -> tuple[str, ...]:
    """Return the texts of the sub-goals that lead from an empty inventory to an item, in order.

    The result is empty if the knowledge graph shows no way to get the item.

    >>> from optimus_gym.knowledge.knowledge_graph import full_graph
    >>> reasoned_subgoals("wooden_pickaxe", full_graph())[0]
    'mine log'
    """
    if item not in items():
        return ()
    try:
        steps = knowledge.requirements(item).steps
    except Unobtainable:
        return ()
    return tuple(f"{step.verb} {in_words(word_for(step.item, step.kinds))}" for step in steps)


@lru_cache(_REMEMBERED)
def goal_meant(text: str) -> str | None:
    """Return the text of the sub-goal that a goal in people's words means; None if the item is unclear.

    People say "get" and "make" for mining, crafting and smelting; the verb that gets the item in the game
    replaces "get" and "make". If the words after "to get", "to obtain" or "until" name an item, only these
    words count. If "and" joins two verbs, the last verb counts.

    >>> goal_meant("I need a pick made of gold"), goal_meant("get me some rails"), goal_meant("wear shield")
    ('craft golden pickaxe', 'craft rail', 'equip shield')
    >>> goal_meant("chop down a tree to obtain an apple"), goal_meant("a furnace or a chest")
    ('mine apple', None)
    """
    _, *aims = _AIM.split(text)
    aim = goal_meant(aims[-1]) if aims else None
    if aim is not None:
        return aim
    verb, rest = verb_and_rest(text)
    if rest.lower().startswith("and "):
        verb, rest = verb_and_rest(rest)
    if not rest:  # "shears" alone reads as the verb
        verb, rest = None, text
    head = named(rest).word
    whole = kinds_of(head) if verb is None else kinds_meant(verb, head)
    kinds = whole or kinds_within(head) or kinds_within(rest)
    if not kinds:
        return None
    does: str = verb or "get"
    if verb in (None, "mine", "craft"):
        steps = reasoned_subgoals(kinds[0], full_graph())
        does = steps[-1].split()[0] if steps else does
    return f"{does} {in_words(word_for(kinds[0], kinds))}"
