"""MP5's knowledge memory: how items are got, found by the likeness of words (MP5, appendix B.2.1).

The paper's entries come from a wiki, from recipes and from players' tips, and people add what is missing. Our
entries are the game's tables: for each item the ways that lead to it, with tool, station and place.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from optimus_gym.core.arrays import Vector
from optimus_gym.core.types import SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.prompts.code_plans import Call
from optimus_gym.prompts.words import COLLECTIVES, in_words, kinds_of, word_for
from optimus_gym.vision.aligner import Aligner


class KnowledgeMemory:
    """Finds the entry whose item's words are most like those of a wanted item.

    Args:
        graph: the game's ways that the environment allows.
        aligner: returns the aligner, which makes vectors of words that are no item's name.
    """

    def __init__(self, graph: KnowledgeGraph, aligner: Callable[[], Aligner]) -> None:
        self._graph = graph
        self._aligner = aligner
        self._cookbook = Cookbook(graph)

    @cached_property
    def _items(self) -> tuple[str, ...]:
        """The entries' items: collective words first, then every item that some way gets."""
        return tuple(dict.fromkeys((*COLLECTIVES, *(one.product for one in self._graph.sources))))

    @cached_property
    def _vectors(self) -> Vector:
        return self._aligner().texts([in_words(name) for name in self._items])

    def nearest(self, words: str) -> str | None:
        """Return the item whose words are most like some words; None if none is like enough."""
        name = words.replace(" ", "_")
        if name in self._items:
            return name
        likeness = self._vectors @ self._aligner().texts([words])[0]
        best = int(np.argmax(likeness))
        return self._items[best] if likeness[best] >= self._aligner().confidence else None

    def about(self, wanted: SubGoal) -> tuple[Call, ...]:
        """Return the ways that lead to a wanted item (the fact `ways`); empty without an entry."""
        name = self.nearest(in_words(word_for(wanted.item, wanted.kinds)))
        if name is None:
            return ()
        kinds = kinds_of(name) or (name,)
        if not set(kinds) & set(wanted.kinds):
            verbs = (one.verb for kind in kinds for one in self._graph.sources_of(kind))
            wanted = SubGoal(next(verbs, wanted.verb), kinds[0], wanted.count, kinds)
        return self._cookbook.ways(wanted)
