"""The agent JARVIS-1 on one page (Wang et al. 2023, Figures 3 to 5): describe, plan, check, explain."""

from collections.abc import Sequence

from optimus_gym.agents.jarvis1.wiring import WiredJarvis
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.minds.mind import Mind


class Jarvis1(WiredJarvis):
    """JARVIS-1: plans in code from situation and memory, checks plans, explains failures, remembers.

    The agent thinks for many rows at once; a row is one world. The loop of the episodes calls
    `begin_episodes` at their start, `decide` before each sub-goal, `ended` after each sub-goal, and `finish`
    when episodes are over. `WiredJarvis` has the options and makes the parts: `describer` says in sentences
    what the screens show, `memory` finds plans that worked (query generation, retrieval), `planner` asks the
    backbone for plans, for corrections of the flaws that the self-check finds, and for explanations of
    failures, `wordings` chooses the texts that the controller gets, and `diary` stores successful episodes.
    """

    name = "jarvis-1"

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, with the row's goal and without any plan or setback."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience)
            self.wordings.forget(situation.row)
        self.diary.begin_episodes(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next decision; the rows that need a plan ask the backbone together."""
        lost = [situation for situation in situations if self.minds[situation.row].wants_answer()]
        seen = self.describer.look(lost)
        asks = [self.minds[situation.row].question(situation) for situation in lost]
        whys = self.planner.explain(asks)
        references = self.memory.references(lost, seen)
        plans = self.planner.plan(asks, seen, whys, references) if asks else []
        for situation, plan in zip(lost, plans, strict=True):
            self.minds[situation.row].follow(plan)

        decisions = [self.minds[situation.row].next_subgoal() for situation in situations]
        self.diary.begin_subgoals(situations, decisions)
        return self.wordings.worded(situations, decisions)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return the verdict CONTINUE for every row's sub-goal: JARVIS-1 judges no running sub-goal."""
        verdicts = [Verdict() for _ in situations]
        self.diary.watch(situations, verdicts)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended: each row goes on with its plan, or needs another plan."""
        plain = self.wordings.ended(outcomes)
        for outcome in plain:
            self.minds[outcome.row].take(outcome)
        self.diary.ended(plain)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over; store the successful ones with their plans, as they were executed.

        Raises:
            BadMemory: the memory folder cannot be written, and `on_bad_memory` is "stop".
        """
        for record in records:
            self.minds.pop(record.row, None)
            self.wordings.forget(record.row)
        self.custody.use(lambda: self.diary.keep(records), None)
