"""An agent without reflections that notes the facts for a reflection, and the end of each sub-goal.

Each arm of the comparison (no cases, successes, failures, both) gets the same moments of the same episodes.
The agent never acts on its notes, so the moments do not depend on any verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.agents.optimus1.questions import CASE_NAMES, reflection_question
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.core.types import SubGoal
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.retrieval import WantedOutcomes
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.hindsight import SubGoalState, labels_in
from optimus_gym.minds.recall import Recall
from optimus_gym.minds.reflecting import GLANCE_PERIOD, Moment, NoReflector, RowWatch
from optimus_gym.prompts.lines import facts_in
from tools.verdict.places import EVERY, Places

ARMS: Final[tuple[WantedOutcomes, ...]] = ("none", "success", "failure", "both")


@dataclass(slots=True)
class Note:
    """A moment of a sub-goal.

    Attributes:
        seed: the episode's seed.
        facts: facts of a reflection's request, by arm.
        at_end: whether the sub-goal was over.
        look: the number of the look at this moment.
        label: the right situation, known when the sub-goal has ended.
        why: the sub-goal's end: "reached", or the failure's reason and detail.
    """

    seed: int
    facts: dict[str, dict[str, Any]]
    at_end: bool
    look: int
    label: str = ""
    why: str = ""


@dataclass(slots=True)
class Page:
    """Notes on a row's present sub-goal."""

    watch: RowWatch
    subgoal: SubGoal
    looks: Places
    notes: list[Note] = field(default_factory=list)
    outcome: Outcome | None = None


class NotingAgent(Optimus1):
    """Plans as Optimus-1 does, and notes moments.

    Args:
        memory: the memory for cases; None: no cases.
        every: ticks of a sub-goal from one moment to the next, a multiple of 20.
        options: further options of `Optimus1`.

    Attributes:
        notes: notes on finished sub-goals.
    """

    def __init__(self, memory: ExperiencePool | None, every: int = 200, **options: Any) -> None:
        self.notes: list[Note] = []
        self._pages: dict[int, Page] = {}
        self._cases = memory
        super().__init__(every=every, **options)

    def attach(self, setting: AgentSetting) -> None:
        """Meet the environment."""
        super().attach(setting)
        self.reflector = NoReflector()
        self.period = GLANCE_PERIOD
        self._looking = self._screen_eyes()
        self._recalls = {arm: Recall(self._cases, self.knowledge, arm) for arm in ARMS}

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Note the ends of the last sub-goals, and the screens before the next sub-goals."""
        for situation in situations:
            self._close(situation)
        decisions = super().decide(situations)
        for situation, decision in zip(situations, decisions, strict=True):
            if decision.subgoal is not None:
                seen = self._look(situation)
                watch = RowWatch(seen, seen)
                watch.glance_at(situation, 0)
                looks = Places(self.aligner, EVERY // GLANCE_PERIOD)
                looks.add(look_of(situation)._replace(gained={}, used={}), situation.pov)
                self._pages[situation.row] = Page(watch, decision.subgoal, looks)
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Note the facts for a reflection, and let all sub-goals continue."""
        for situation in situations:
            page = self._pages[situation.row]
            page.looks.add(look_of(situation), situation.pov)
            page.watch.ticks += GLANCE_PERIOD
            page.watch.glance_at(situation, GLANCE_PERIOD)
            if page.watch.ticks % self.every == 0:
                page.notes.append(self._note(situation, page, False))
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Label the notes on finished sub-goals."""
        super().ended(outcomes)
        for outcome in outcomes:
            page = self._pages[outcome.row]
            page.watch.ticks = outcome.ticks
            page.outcome = outcome
            labels = labels_in(outcome, page.looks.end(outcome))
            for note in page.notes:
                note.label = CASE_NAMES[labels[note.look].judgement]
                note.why = str(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Store the labelled notes of finished episodes."""
        super().finish(records)
        for record in records:
            page = self._pages.pop(record.row, None)
            if page is not None:
                self.notes += [note for note in page.notes if note.label]

    def _close(self, situation: Situation) -> None:
        """Note the facts at the end of a sub-goal as one further moment."""
        page = self._pages.pop(situation.row, None)
        if page is None or page.outcome is None:
            return
        page.watch.glance_at(situation, page.outcome.ticks % GLANCE_PERIOD)
        note = self._note(situation, page, True)
        note.label = "done" if page.outcome.failure is None else "replan"
        note.why = str(page.outcome)
        self.notes += [*page.notes, note]

    def _look(self, situation: Situation) -> Seen:
        (seen,) = self._looking.look([situation])
        return seen

    def _note(self, situation: Situation, page: Page, at_end: bool) -> Note:
        now, watch = self._look(situation), page.watch
        facts = {}
        for arm, recall in self._recalls.items():
            (cases,) = recall.cases([situation], [now])
            moment = Moment(
                situation.row,
                situation.seed,
                situation.tick,
                page.subgoal.text,
                watch.ticks,
                watch.before,
                watch.last,
                now,
                cases,
                self.pace.usual(page.subgoal),
                watch.change,
                watch.still,
            )
            facts[arm] = facts_in(reflection_question(moment, sees=False).text) or {}
        watch.last = now
        return Note(situation.seed, facts, at_end, watch.ticks // GLANCE_PERIOD)


def look_of(situation: Situation) -> SubGoalState:
    """Return the agent's present knowledge of its sub-goal."""
    return SubGoalState(
        situation.tick,
        situation.gained,
        situation.consumed,
        situation.vitals,
        height=situation.height,
    )
