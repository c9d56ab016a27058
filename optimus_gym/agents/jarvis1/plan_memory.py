"""The multimodal memory (JARVIS-1, section 3.3): backward reasoning, retrieval by text and by sight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from optimus_gym.agents.jarvis1.executed import remembered_calls
from optimus_gym.agents.jarvis1.questions import query_question
from optimus_gym.agents.jarvis1.switches import JarvisSwitches
from optimus_gym.backbones.parse.need_lines import needs_in
from optimus_gym.core.arrays import Vector
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.reasoning import goal_meant
from optimus_gym.memory.retrieval import Filters, FoundExperience
from optimus_gym.minds.cookbook import Cookbook
from optimus_gym.minds.custody import Custody
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.recall import whereabouts
from optimus_gym.prompts.words import in_words, word_for

SEARCH_DEPTH: Final = 3
"""Default number of steps of backward reasoning: our choice; the paper bounds the depth without a number."""
MOST_REFERENCES: Final = 5
"""Default number of remembered plans in a request (top-k): our choice."""
MOST_QUERIES: Final = 24
"""Maximum number of sub-goals that are looked up for one plan."""
_Row = dict[str, Any]


@dataclass(slots=True)
class Lookup:
    """The search for reference plans of one row.

    Attributes:
        situation: the row's situation.
        here: the biome, or the surroundings on the screen; None if not known.
        picture: the screen's vector; None without a screen.
        found: the found episodes' numbers, in the order in which they were found.
        knows_goal: whether an episode of the very same goal was found.
    """

    situation: Situation
    here: str | None
    picture: Vector | None
    found: list[int] = field(default_factory=list)
    knows_goal: bool = False


class PlanMemory:
    """Finds remembered plans for requests.

    Args:
        pool: the memory; None: there is no memory.
        backbone: reasons backward from goals.
        cookbook: the game's ways, which requests for queries state.
        switches: the kind of retrieval.
        custody: decides what happens if the memory cannot be read.
        depth: maximum number of steps of backward reasoning.
        most: maximum number of remembered plans in a request.
    """

    def __init__(
        self,
        pool: ExperiencePool | None,
        backbone: Backbone,
        cookbook: Cookbook,
        switches: JarvisSwitches,
        custody: Custody,
        depth: int,
        most: int,
    ) -> None:
        self._pool = None if switches.retrieval == "none" else pool
        self._backbone = backbone
        self._cookbook = cookbook
        self._switches = switches
        self._custody = custody
        self._depth = depth
        self._most = most

    def references(
        self, situations: Sequence[Situation], seen: Sequence[Seen]
    ) -> list[tuple[_Row, ...]]:
        """Return for each row remembered plans for its task and for parts of it (`prompts.code_plans`).

        Args:
            situations: the rows' situations.
            seen: contents of the rows' screens, which rank plans for equal tasks.

        Raises:
            BadMemory: the memory is damaged or cannot be read, and the option `on_bad_memory` is "stop".
        """
        pool = self._pool
        if pool is None or not situations or not self._custody.use(lambda: len(pool), 0):
            return [()] * len(situations)
        lookups = [self._lookup(*one) for one in zip(situations, seen, strict=True)]
        self._custody.use(lambda: self._find_goals(pool, lookups), None)
        if self._switches.retrieval != "text":
            unknown = [one for one in lookups if not one.knows_goal]
            needs = self._needs(unknown)
            self._custody.use(lambda: self._find_parts(pool, unknown, needs), None)
        return [self._custody.use(partial(self._rows, pool, one), ()) for one in lookups]

    def _lookup(self, situation: Situation, seen: Seen) -> Lookup:
        if self._switches.retrieval != "multimodal":
            return Lookup(situation, None, None)
        picture = None if seen.screen is None else seen.screen.vector
        return Lookup(situation, whereabouts(situation, seen), picture)

    def _find_goals(self, pool: ExperiencePool, lookups: Sequence[Lookup]) -> None:
        """Find episodes of tasks like the rows' tasks, by the tasks' texts."""
        for one in lookups:
            text = one.situation.instruction
            numbers = [found.number for found in self._like(pool, text, one, self._most)]
            goals = [goal_meant(pool.outline(number).goal) for number in numbers]
            one.knows_goal = goal_meant(text) is not None and goal_meant(text) in goals
            one.found += numbers

    def _needs(self, lookups: Sequence[Lookup]) -> list[Mapping[str, tuple[str, ...]]]:
        """Return the items that each goal and its parts need, by the backbone's backward reasoning."""
        if not lookups:
            return []
        questions = [
            query_question(one.situation, self._ways(one.situation), self._depth) for one in lookups
        ]
        return [needs_in(reply.text) for reply in self._backbone.complete(questions)]

    def _ways(self, situation: Situation) -> Any:
        if not self._switches.tells("query"):
            return ()
        return self._cookbook.ways(situation.goal, situation.inventory)

    def _find_parts(
        self,
        pool: ExperiencePool,
        lookups: Sequence[Lookup],
        needs: Sequence[Mapping[str, tuple[str, ...]]],
    ) -> None:
        """Find the best episode for each needed item, from the goal backward, at most `depth` steps.

        The search goes on behind an item only if the memory holds no episode for the item. The found episodes
        come before those of tasks with a like text, which may have nothing in common with the goal.
        """
        for one, needed in zip(lookups, needs, strict=True):
            parts: list[int] = []
            goal = one.situation.goal
            level, asked = [word_for(goal.item, goal.kinds)], {word_for(goal.item, goal.kinds)}
            for _ in range(self._depth):
                items = [name for item in level for name in needed.get(item, ())]
                items = [name for name in dict.fromkeys(items) if name not in asked]
                level = []
                for name in items[: MOST_QUERIES - len(asked)]:
                    asked.add(name)
                    meant = goal_meant(f"get {in_words(name)}") or f"get {in_words(name)}"
                    best = self._like(pool, meant, one, 1)
                    parts += [found.number for found in best]
                    level += [] if best else [name]
            one.found = list(dict.fromkeys((*parts, *one.found)))

    def _like(
        self, pool: ExperiencePool, text: str, lookup: Lookup, count: int
    ) -> list[FoundExperience]:
        """Return successes at tasks whose texts are like enough to a text, the best first.

        Episodes that began in the player's present surroundings come first, then episodes whose first picture
        is most like the screen (equation 2); without both, the likeness of the texts decides.
        """
        limits = [Filters("success")]
        if lookup.here is not None:
            limits.insert(0, Filters("success", environment=lookup.here))
        found: dict[int, FoundExperience] = {}
        for filters in limits:
            for one in pool.find(text, count=count, filters=filters, picture=lookup.picture):
                if one.likeness >= pool.aligner.confidence:
                    found.setdefault(one.number, one)
        return list(found.values())[:count]

    def _rows(self, pool: ExperiencePool, lookup: Lookup) -> tuple[_Row, ...]:
        return tuple(_row(pool, number) for number in lookup.found[: self._most])


def _row(pool: ExperiencePool, number: int) -> _Row:
    experience = pool.outline(number)
    held = experience.start.get("inventory")
    return {
        "goal": experience.goal,
        "environment": experience.environment,
        "inventory": dict(held) if isinstance(held, Mapping) else {},
        "plan": remembered_calls(experience),
    }
