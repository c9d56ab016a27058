"""What came of tasks that are like a present one, for the planner (Optimus-1, section 2.1.1)."""

from collections.abc import Sequence
from typing import Any, Final

from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.reasoning import subgoals_of
from optimus_gym.memory.search import Filters, Found, Wanted

A_KIND: Final = 1
"""Successes, and failures, that a prompt tells of: our choice; Optimus-1's public code tells of one."""


class Experiences:
    """Finds what is told of like tasks.

    Args:
        pool: the memory.
        knowledge: says what a goal takes, so that its sub-goals are queries too (JARVIS-1, section 3.3).
        which: successes, failures or both.
    """

    def __init__(self, pool: ExperiencePool, knowledge: KnowledgeGraph, which: Wanted) -> None:
        self._pool = pool
        self._knowledge = knowledge
        self._filters = Filters(which)

    def of(self, situations: Sequence[Situation]) -> list[tuple[dict[str, Any], ...]]:
        """Return for each row what came of the tasks that are most like its own (`prompts.lines`)."""
        return [self._of(situation) for situation in situations]

    def _of(self, situation: Situation) -> tuple[dict[str, Any], ...]:
        if not len(self._pool):
            return ()
        subgoals = subgoals_of(situation.goal.item, self._knowledge)
        found = self._pool.find(
            situation.instruction, subgoals, count=A_KIND, filters=self._filters
        )
        least = self._pool.aligner.confidence
        return tuple(self._row(one) for one in found if one.likeness >= least)

    def _row(self, found: Found) -> dict[str, Any]:
        experience = self._pool.get(found.number)
        failed = experience.outcome == "failure"
        return {
            "outcome": experience.outcome,
            "goal": " ".join(experience.goal.split()),
            "environment": experience.environment.replace(":", " "),
            "plan": tuple(" ".join(text.replace(";", ",").split()) for text in experience.plan),
            "end": experience.status if failed else "",
        }
