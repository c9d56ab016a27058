"""Recall from memory: similar tasks and setbacks, verdicts on similar screens (Optimus-1, section 2.1.1)."""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from optimus_gym.core.situation import Situation
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.memory.experience import Experience
from optimus_gym.memory.pool import CASE_JUDGEMENTS, ExperiencePool, FoundCase, FoundReplan
from optimus_gym.memory.reasoning import goal_meant, reasoned_subgoals
from optimus_gym.memory.retrieval import WANTED, Filters, FoundExperience, WantedOutcomes
from optimus_gym.minds.custody import STOPPING, Custody
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.planning import Ask, Setback
from optimus_gym.minds.pursued import pursued_rows, without_setbacks
from optimus_gym.prompts.materials import kin_of
from optimus_gym.prompts.memories import told_words
from optimus_gym.prompts.words import in_words
from optimus_gym.vision.environments import ENVIRONMENTS

A_KIND: Final = 3
"""Maximum number of remembered successes, and of failures, in a prompt: our choice; Optimus-1's public
code has 1."""
CANDIDATES: Final = 12
"""Number of successes, and of failures, among which recall looks for different ways to a goal: our choice."""
EXPERIENCE_PARTS: Final = ("lessons", "transfer", "avoid", "sight", "replans", "cases", "times")
"""Uses of remembered episodes that an agent may switch on, in this order: results of the same task; results
of similar tasks; failures among these results; ranking of these results by place and picture; plans after
similar setbacks; similar cases of reflections; durations of sub-goals (`minds.durations`)."""
CASES: Final = 3
"""Maximum number of past reflections of each verdict in a request for a reflection: our choice; with
pictures, one of each verdict."""
CASES_LEFT_OUT: Final = (
    "memory: the agent skips the cases in '%s' that the world labelled; only a privileged agent "
    "(labels='truth') reads them."
)
_Rows = tuple[dict[str, Any], ...]
_LOG = logging.getLogger("optimus_gym")


@dataclass(frozen=True, slots=True)
class Lessons:
    """Lessons from past episodes in a request for a plan (`prompts.lines`).

    Attributes:
        experiences: remembered episodes with similar tasks, successes first.
        replans: remembered plans after similar setbacks; those that worked come first.
    """

    experiences: _Rows = ()
    replans: _Rows = ()


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The player's place and screen, which rank remembered episodes with similar goals.

    Attributes:
        here: the player's biome, or cave, water or night on the screen; None if not known.
        seen: the contents of the screen.
    """

    here: str | None
    seen: Seen


NO_SIGHT: Final = Whereabouts(None, Seen())


class Recall:
    """Finds remembered experience for an agent's requests for plans and verdicts.

    Args:
        pool: the memory; None: there is no memory.
        knowledge: gives a goal's sub-goals, which are queries too (JARVIS-1, section 3.3).
        which: the remembered episodes that are used: successes, failures, both or none.
        pictured: whether past reflections ("cases") are shown as pictures, so that one case of each judgement
            is enough.
        parts: the parts of `EXPERIENCE_PARTS` that are used.
        by_world: whether cases that the world itself has labelled are found; True for privileged agents only.
        custody: decides what happens if the memory cannot be read.
    """

    def __init__(
        self,
        pool: ExperiencePool | None,
        knowledge: KnowledgeGraph,
        which: WantedOutcomes = "both",
        pictured: bool = False,
        parts: Collection[str] = EXPERIENCE_PARTS,
        by_world: bool = False,
        custody: Custody = STOPPING,
    ) -> None:
        self._pool = None if which == "none" else pool
        self._knowledge = knowledge
        self._filters = Filters(which, by_world=by_world)
        self._is_told = by_world
        """Whether the agent need not warn of cases that it skips: it has warned already, or skips none."""
        self._cases = 1 if pictured else CASES
        self._parts = frozenset(parts)
        self._custody = custody

    def lessons(
        self, situations: Sequence[Situation], seen: Sequence[Seen], asks: Sequence[Ask]
    ) -> list[Lessons]:
        """Return for each row the remembered episodes with similar tasks, and plans after similar setbacks.

        Args:
            situations: situations of the rows.
            seen: contents of the rows' screens, which rank the remembered episodes.
            asks: the rows' questions for a plan.

        Raises:
            BadMemory: the memory is damaged or cannot be read, and the option `on_bad_memory` is "stop".
        """
        asked = zip(situations, seen, asks, strict=True)
        return [self._custody.use(partial(self._lessons, *one), Lessons()) for one in asked]

    def cases(
        self, situations: Sequence[Situation], seen: Sequence[Seen]
    ) -> list[tuple[FoundCase, ...]]:
        """Return, by row, the past reflections of each verdict that are most like its sub-goal and screen.

        Raises:
            BadMemory: the memory is damaged or cannot be read, and the option `on_bad_memory` is "stop".
        """
        looks = zip(situations, seen, strict=True)
        return [self._custody.use(partial(self._like, *one), ()) for one in looks]

    def _lessons(self, situation: Situation, seen: Seen, ask: Ask) -> Lessons:
        pool = self._pool
        if pool is None or not len(pool):
            return Lessons()
        with pool.store.look():
            rows = (
                self._experiences(pool, situation, seen, ask.setback)
                if "lessons" in self._parts
                else ()
            )
            if ask.setback is None or "replans" not in self._parts:
                return Lessons(rows)
            return Lessons(rows, self._replans(pool, ask.setback))

    def _experiences(
        self, pool: ExperiencePool, situation: Situation, seen: Seen, setback: Setback | None
    ) -> _Rows:
        """Return remembered episodes with similar tasks, as the switched-on `EXPERIENCE_PARTS` allow."""
        found = self._found(pool, situation, seen)
        if setback is not None:
            found += self._ways_to_lacked(pool, setback, {one.number for one in found})
        rows = []
        for one in found:
            if "avoid" not in self._parts and one.outcome == "failure":
                continue
            experience = pool.outline(one.number)
            if "transfer" in self._parts or _is_same(experience.goal, situation.instruction):
                row = _row(experience, one)
                rows.append(row if "avoid" in self._parts else without_setbacks(row))
        return tuple(rows)

    def _found(
        self, pool: ExperiencePool, situation: Situation, seen: Seen
    ) -> tuple[FoundExperience, ...]:
        """Return experiences of goals like the row's goal; without any, experiences of the goal's sub-goals.

        If no success at the same task is found, experiences of similar items (`kin_of`) replace the found
        ones. Experiences whose goals are similar enough to the row's goal are ranked by their first pictures'
        likeness to the screen (JARVIS-1, sections 3.3 and C.3).
        """
        goal, instruction = situation.goal, situation.instruction
        sight = (
            Whereabouts(whereabouts(situation, seen), seen) if "sight" in self._parts else NO_SIGHT
        )
        found = self._first(pool, instruction, [()], sight)
        if not found:
            parts = reasoned_subgoals(goal.item, self._knowledge)
            found = self._first(pool, instruction, [parts] if parts else [], sight)
        if "transfer" not in self._parts or any(
            one.outcome == "success" and _is_same(pool.outline(one.number).goal, instruction)
            for one in found
        ):
            return found
        kin = [tuple(f"{goal.verb} {in_words(one)}" for one in k) for k in kin_of(goal.item) if k]
        return self._first(pool, instruction, kin, sight) or found

    def _first(
        self, pool: ExperiencePool, text: str, others: Sequence[tuple[str, ...]], sight: Whereabouts
    ) -> tuple[FoundExperience, ...]:
        """Return experiences found by a text and the first tuple of queries in `others` that finds any."""
        for queries in others:
            found = self._candidates(pool, text, queries, sight)
            like = [one for one in found if one.likeness >= pool.aligner.confidence]
            if like:
                return tuple(
                    one
                    for outcome in WANTED[self._filters.which]
                    for one in _different(pool, [one for one in like if one.outcome == outcome])
                )
        return ()

    def _candidates(
        self, pool: ExperiencePool, text: str, queries: Sequence[str], sight: Whereabouts
    ) -> list[FoundExperience]:
        """Return experiences like a goal's text; those that began where the player is now come first.

        Where the player is means: in which biome or cave, under water or in the night. If the screen has no
        vector, the likeness of the goals to the text counts first, and the place only among equally like
        goals.
        """
        screen = sight.seen.screen
        picture = None if screen is None else screen.vector
        limits = [self._filters]
        if sight.here is not None:
            limits.insert(0, replace(self._filters, environment=sight.here))
        found: dict[int, FoundExperience] = {}
        for filters in limits:
            for one in pool.find(text, queries, count=CANDIDATES, filters=filters, picture=picture):
                found.setdefault(one.number, one)
        ranked = list(found.values())
        return sorted(ranked, key=_unlikeness) if picture is None else ranked

    def _ways_to_lacked(
        self, pool: ExperiencePool, setback: Setback, told: Collection[int]
    ) -> tuple[FoundExperience, ...]:
        """Return a success, not listed in `told`, at getting the item that a failed sub-goal lacked."""
        lacked = setback.why.item if setback.why.reason.startswith("missing_") else None
        if lacked is None or "success" not in WANTED[self._filters.which]:
            return ()
        meant = goal_meant(in_words(lacked))
        found = () if meant is None else pool.find(meant, count=1, filters=Filters("success"))
        return tuple(
            one
            for one in found
            if one.likeness >= pool.aligner.confidence and one.number not in told
        )

    def _replans(self, pool: ExperiencePool, setback: Setback) -> _Rows:
        failed = str(setback.failed.text or setback.failed)
        found = pool.replans(failed, str(setback.why), A_KIND, self._filters.which)
        return tuple(_replan_row(one) for one in found)

    def _like(self, situation: Situation, seen: Seen) -> tuple[FoundCase, ...]:
        if self._pool is None or seen.screen is None or "cases" not in self._parts:
            return ()
        subgoal = situation.subgoal
        assert subgoal is not None, "the sub-goal is being carried out"
        found = self._pool.cases(
            str(subgoal.text or subgoal),
            seen.screen.vector,
            count=self._cases,
            filters=self._filters,
        )
        if self._pool.has_world_labels and not self._is_told:
            self._is_told = True
            _LOG.warning(CASES_LEFT_OUT, self._pool.store.path.parent)
        return tuple(case for judgement in CASE_JUDGEMENTS for case in found[judgement])


def whereabouts(situation: Situation, seen: Seen) -> str | None:
    """Return a known biome, else the biome, cave, water or night on the screen; None if uncertain."""
    word = seen.words.get("environment")
    return situation.biome or (word if word in ENVIRONMENTS else None)


def _unlikeness(one: FoundExperience) -> float:
    """Return an experience's negative likeness, rounded so that rounding errors do not decide the order."""
    return -round(one.likeness, 4)


def _different(pool: ExperiencePool, found: Sequence[FoundExperience]) -> list[FoundExperience]:
    """Return the best of some episodes: first one episode for each set of reached (or failed) sub-goals.

    The episodes are all successes or all failures. Successes with the same reached sub-goals, and failures
    with the same failed sub-goals, count as alike; all but the best of alike episodes move to the end.
    """
    if len(found) <= A_KIND:
        return list(found)
    ways: set[frozenset[str]] = set()
    first: list[FoundExperience] = []
    again: list[FoundExperience] = []
    for one in found:
        wanted = one.outcome == "success"
        pursued = pool.outline(one.number).pursuits
        way = frozenset(step.text for step in pursued if (step.failure == "") is wanted)
        (again if way in ways else first).append(one)
        ways.add(way)
    return [*first, *again][:A_KIND]


def _is_same(goal: str, other: str) -> bool:
    """Return whether two goals in words are the same, or mean the same sub-goal."""
    meant = goal_meant(goal)
    return goal == other or (meant is not None and meant == goal_meant(other))


def _row(experience: Experience, found: FoundExperience) -> dict[str, Any]:
    failed = found.outcome == "failure"
    reason = experience.told.get("reason")
    why = f": {reason}" if isinstance(reason, str) and reason else ""
    return {
        "outcome": found.outcome,
        "goal": told_words(experience.goal),
        "environment": told_words(experience.environment).replace(":", " "),
        "plan": pursued_rows(experience),
        "end": told_words(f"{experience.status}{why}") if failed else "",
    }


def _replan_row(found: FoundReplan) -> dict[str, Any]:
    replan = found.replan
    return {
        "outcome": "success" if replan.worked else "failure",
        "failed": told_words(replan.failed),
        "why": told_words(replan.reason),
        "plan": tuple(told_words(text) for text in replan.plan),
        "reached": replan.reached,
    }
