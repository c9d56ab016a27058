"""Free exploration (Optimus-1, section 2.3 and appendix E.2): only the controller is active."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.knowledge_graph import KnowledgeGraph
from optimus_gym.minds.at_hand import is_missing, offered, remedies
from optimus_gym.minds.completion import complete
from optimus_gym.minds.learning_ways import learn_ways
from optimus_gym.minds.remembering import NoDiary, Remembering
from optimus_gym.minds.with_memory import WithMemory

FURTHER_TRIES: Final = 7
"""Default maximum number of tries after an episode's first one: our choice."""


@dataclass(slots=True)
class Outing:
    """One row's exploration.

    Attributes:
        goal: the task's goal.
        draws: the row's random generator.
        open: the tries that wait for others, the present one last.
        tried: the tries of the episode so far.
        count: number of tries begun.
        decision: the present decision; None once the try has ended.
        failure: why the latest try failed; None if it was reached.
    """

    goal: SubGoal
    draws: np.random.Generator
    open: list[SubGoal]
    tried: set[SubGoal] = field(default_factory=set)
    count: int = 0
    decision: Decision | None = None
    failure: Failure | None = None


class Explorer(WithMemory):
    """Tries the task, then whatever is at hand, and remembers what came of it; asks no backbone.

    A failure changes the next try: a missing station in the bag is placed, a missing thing is made or sought
    (`minds.at_hand`), and then the explorer tries again. If nothing helps, the explorer draws another try
    from what the recipe book offers; items whose making it does not know yet come first.

    Args:
        max_replans: maximum number of tries after an episode's first one.
        aligner: compares pictures with words, by name or specification (kind "aligner").
        on_bad_memory: "stop" or "go_on", as for the agent `optimus-1`.

    Raises:
        BadValue: an option has a wrong type or value.
        UnknownName: an option names something unknown.
    """

    name = "explorer"

    def __init__(
        self,
        max_replans: int = FURTHER_TRIES,
        aligner: object = "mini",
        on_bad_memory: str = "stop",
    ) -> None:
        super().__init__(max_replans, 0, None, aligner, on_bad_memory)

    def _make_parts(self, setting: AgentSetting) -> None:
        self._able: KnowledgeGraph = setting.abilities.graph
        self._known: KnowledgeGraph = setting.knowledge
        self._outings: dict[int, Outing] = {}
        no_diary: Remembering | NoDiary = NoDiary()
        self.diary = self.custody.use(lambda: self._new_diary(judged=False), no_diary)
        self.period = self.diary.period

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row: the first try is the task."""
        for situation in situations:
            draws = generator(situation.seed, "explorer")
            goal = situation.goal
            self._outings[situation.row] = Outing(goal, draws, [goal])
        self.diary.begin_episodes(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next try, or give up when nothing is left to try."""
        decisions = [self._decided(situation) for situation in situations]
        self.diary.begin_subgoals(situations, decisions)
        return decisions

    def _decided(self, situation: Situation) -> Decision:
        outing = self._outings[situation.row]
        if outing.decision is None:
            outing.decision = self._next(outing, situation)
            return replace(outing.decision, replanned=outing.count > 1)
        return outing.decision

    def _next(self, outing: Outing, situation: Situation) -> Decision:
        """Return the decision for an outing's next try."""
        held = situation.inventory
        if outing.failure is not None:
            self._react(outing, outing.failure, held)
        if not outing.open:
            self._draw(outing, held)
        if not outing.open:
            return Decision(None, "nothing is left to try")
        if outing.count > self.max_replans:
            return Decision(None, "no try is left")
        outing.tried.add(outing.open[-1])
        outing.count += 1
        chosen = complete(outing.open[-1:], self._known, None, outing.goal)
        return Decision(chosen[0], "", chosen, 0)

    def _react(self, outing: Outing, failure: Failure, held: Mapping[str, int]) -> None:
        """Put a remedy before the failed try, or drop the try and all that waited for it."""
        found = [one for one in remedies(failure, held, self._able) if one not in outing.tried]
        if found:
            outing.open.append(found[0])
        else:
            outing.open.clear()

    def _draw(self, outing: Outing, held: Mapping[str, int]) -> None:
        """Draw a try from what the recipe book offers; what is not known yet comes first.

        If the book offers nothing new, a task that failed for no missing thing is tried again.
        """
        left = [one for one in offered(held, self._able) if one not in outing.tried]
        unknown = [one for one in left if not self._known.sources_of(one.item)]
        if choices := unknown or left:
            outing.open.append(choices[int(outing.draws.integers(len(choices)))])
        elif outing.failure is not None and not is_missing(outing.failure):
            outing.open.append(outing.goal)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Note the frames of running tries; every verdict is CONTINUE."""
        verdicts = [Verdict() for _ in situations]
        self.diary.watch(situations, verdicts)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how tries ended: what was reached is no longer open."""
        for outcome in outcomes:
            outing = self._outings[outcome.row]
            outing.decision, outing.failure = None, outcome.failure
            if outcome.failure is None and outing.open:
                outing.open.pop()
        self.diary.ended(outcomes)

    def finish(self, records: Sequence[Record]) -> None:
        """Store episodes in the pool (AMEP), and ways to get items that worked in the graph (HDKG).

        Raises:
            BadMemory: the memory folder cannot be written, and `on_bad_memory` is "stop".
        """
        for record in records:
            self._outings.pop(record.row, None)
        self.custody.use(lambda: self.diary.keep(records), None)
        self.custody.use(lambda: self._learn(records), None)

    def _learn(self, records: Sequence[Record]) -> None:
        self._known = learn_ways(self._setting, self._known, records) or self._known
