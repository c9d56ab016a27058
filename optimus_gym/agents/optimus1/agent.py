"""The agent Optimus-1 on one page (Li et al. 2024, Figures 2 to 4): look, recall, plan, reflect, remember."""

from collections.abc import Sequence

from optimus_gym.agents.optimus1.wiring import Wired
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.situation import Situation
from optimus_gym.minds.mind import Mind


class Optimus1(Wired):
    """Optimus-1: plans with knowledge and memory, judges sub-goals from frames, recovers, remembers episodes.

    The agent thinks for many rows at once; a row is one world. The loop of the episodes calls
    `begin_episodes` at their start, `decide` before each sub-goal, `watch` every `period` ticks of a
    sub-goal, `ended` after each sub-goal, and `finish` when episodes are over. `Wired` has the options and
    makes the parts: `eyes` read the frames, `planner` asks the backbone for plans with the knowledge graph
    (HDKG), `reflector` asks the backbone for verdicts, `memory` reads the pool of experience (AMEP), which
    `diary` writes, and `learn` adds ways to get items to the knowledge graph.
    """

    name = "optimus-1"

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, with the row's goal and without any plan or setback."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience)
        self.diary.begin_episodes(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next decision; the rows that need a plan ask the backbone together."""
        lost = [situation for situation in situations if self.minds[situation.row].wants_answer()]
        seen = self.eyes.look(lost)
        asks = [self.minds[situation.row].question(situation) for situation in lost]
        lessons = self.memory.lessons(lost, seen, asks)
        plans = self.planner.plan(asks, seen, lessons) if asks else []
        for situation, plan in zip(lost, plans, strict=True):
            self.minds[situation.row].follow(plan)

        decisions = [self.minds[situation.row].next_subgoal() for situation in situations]
        sights = {situation.row: sight for situation, sight in zip(lost, seen, strict=True)}
        self.reflector.begin_subgoals(situations, decisions, sights)
        self.diary.begin_subgoals(situations, decisions)
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return a verdict on each row's sub-goal; if no reflection is due, the verdict is CONTINUE."""
        due = self.reflector.due(situations, self.period)
        seen = self.reflector.look(due)
        cases = self.memory.cases(due, seen)
        said = self.reflector.judge(due, seen, cases)
        verdicts = [said.get(situation.row, Verdict()) for situation in situations]
        self.diary.watch(situations, verdicts, said)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended: each row goes on with its plan, or recovers and needs another plan."""
        for outcome in outcomes:
            self.minds[outcome.row].take(outcome)
        self.diary.ended(outcomes)

    def finish(self, records: Sequence[Record]) -> None:
        """Store finished episodes in the pool (AMEP), and ways to get items that worked in the graph (HDKG).

        Raises:
            BadMemory: the memory folder cannot be written, and `on_bad_memory` is "stop".
        """
        for record in records:
            self.minds.pop(record.row, None)
            self.reflector.forget(record.row)
        self.custody.use(lambda: self.diary.keep(records), None)
        self.custody.use(lambda: self.learn(records), None)
