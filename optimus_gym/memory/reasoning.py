"""Queries by reasoning: what a goal takes, by the knowledge graph (JARVIS-1, section 3.3)."""

from optimus_gym.game.items import items
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.knowledge.policy import Unobtainable
from optimus_gym.prompts.words import in_words, word_for


def subgoals_of(item: str, knowledge: KnowledgeGraph) -> tuple[str, ...]:
    """Return the texts of the sub-goals that it takes to hold an item from nothing, in the order of doing.

    None are known where the graph has no way to it.

    >>> from optimus_gym.knowledge.knowledge_graph import full_graph
    >>> subgoals_of("wooden_pickaxe", full_graph())[0]
    'mine log'
    """
    if item not in items():
        return ()
    try:
        steps = knowledge.requirements(item).steps
    except Unobtainable:
        return ()
    return tuple(f"{step.verb} {in_words(word_for(step.item, step.kinds))}" for step in steps)
