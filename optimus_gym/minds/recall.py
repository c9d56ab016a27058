"""Recall: what came of like tasks, and what like screens have meant (Optimus-1, section 2.1.1)."""

from collections.abc import Sequence
from typing import Any, Final

from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.pool import JUDGEMENTS, ExperiencePool, FoundCase
from optimus_gym.memory.reasoning import subgoals_of
from optimus_gym.memory.search import Filters, Found, Wanted
from optimus_gym.minds.eyes import Seen

A_KIND: Final = 1
"""Successes, and failures, that a prompt tells of: our choice; Optimus-1's public code tells of one."""
CASES: Final = 3
"""Cases of each situation that are compared with: our choice; one of each goes along as pictures."""
Lessons = tuple[dict[str, Any], ...]
"""Rows of `experiences` (`prompts.lines`)."""


class Recall:
    """Finds what is remembered.

    Args:
        pool: the memory; None: nothing is remembered.
        knowledge: says what a goal takes, so that its sub-goals are queries too (JARVIS-1, section 3.3).
        which: successes, failures, both or none.
        pictured: whether cases are shown as pictures, so that one of each situation is enough.
    """

    def __init__(
        self,
        pool: ExperiencePool | None,
        knowledge: KnowledgeGraph,
        which: Wanted = "both",
        pictured: bool = False,
    ) -> None:
        self._pool = None if which == "none" else pool
        self._knowledge = knowledge
        self._filters = Filters(which)
        self._cases = 1 if pictured else CASES

    def lessons(self, situations: Sequence[Situation]) -> list[Lessons]:
        """Return for each row what came of the tasks that are most like its own."""
        return [self._lessons(situation) for situation in situations]

    def cases(
        self, situations: Sequence[Situation], seen: Sequence[Seen]
    ) -> list[tuple[FoundCase, ...]]:
        """Return for each row the cases of each situation that are most like its sub-goal and screen."""
        return [self._like(one, sight) for one, sight in zip(situations, seen, strict=True)]

    def _lessons(self, situation: Situation) -> Lessons:
        if self._pool is None or not len(self._pool):
            return ()
        subgoals = subgoals_of(situation.goal.item, self._knowledge)
        found = self._pool.find(
            situation.instruction, subgoals, count=A_KIND, filters=self._filters
        )
        least = self._pool.aligner.confidence
        return tuple(_row(self._pool, one) for one in found if one.likeness >= least)

    def _like(self, situation: Situation, seen: Seen) -> tuple[FoundCase, ...]:
        if self._pool is None or seen.screen is None:
            return ()
        subgoal = situation.subgoal
        assert subgoal is not None, "it is being carried out"
        found = self._pool.cases(
            str(subgoal.text or subgoal),
            seen.screen.vector,
            count=self._cases,
            filters=self._filters,
        )
        return tuple(case for judgement in JUDGEMENTS for case in found[judgement])


def _row(pool: ExperiencePool, found: Found) -> dict[str, Any]:
    experience = pool.get(found.number)
    failed = experience.outcome == "failure"
    return {
        "outcome": experience.outcome,
        "goal": " ".join(experience.goal.split()),
        "environment": experience.environment.replace(":", " "),
        "plan": tuple(" ".join(text.replace(";", ",").split()) for text in experience.plan),
        "end": experience.status if failed else "",
    }
