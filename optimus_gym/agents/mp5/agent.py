"""The agent MP5 on one page (Qin et al. 2024, Figure 2): its five modules, and active perception."""

from collections.abc import Sequence

from optimus_gym.agents.mp5.campaign import Campaign
from optimus_gym.agents.mp5.wiring import WiredMp5
from optimus_gym.core.deliberation import Decision, Outcome, Record, Verdict
from optimus_gym.core.situation import Situation


class Mp5(WiredMp5):
    """MP5: sub-objectives, actions in awareness of the situation, checks at each action, active perception.

    The agent thinks for many rows at once; a row is one world. `WiredMp5` has the options and makes the
    parts: `parser` breaks the task into sub-objectives with the help of the knowledge memory; `planner` makes
    the actions of a sub-objective with the help of the performer memory; `patroller` checks before, while and
    after each action, and questions the percipient about the picture; the campaign of a row is the performer,
    which hands out one action after the other; `diary` stores the sequences that reached sub-objectives.
    """

    name = "mp5"

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, without any sub-objective or action."""
        for situation in situations:
            self.campaigns[situation.row] = self._campaign(situation.goal)
        self.diary.begin_episodes(situations)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's next action; the rows that need an answer ask the backbone together."""
        rows = [(here, self.campaigns[here.row]) for here in situations]
        self.patroller.check_ended([row for row in rows if row[1].ended is not None])
        while any(campaign.is_busy() for _, campaign in rows):
            self._parse([row for row in rows if row[1].lost("objectives")])
            self._plan([row for row in rows if row[1].lost("actions")])
            self.patroller.check_next([row for row in rows if row[1].is_ready()])

        decisions = [campaign.decision() for _, campaign in rows]
        self.diary.begin_subgoals(situations, decisions)
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return the patroller's verdicts on running actions: done, or a search in vain, or go on."""
        verdicts = self.patroller.watch([(here, self.campaigns[here.row]) for here in situations])
        self.diary.watch(situations, verdicts)
        return verdicts

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Keep the outcomes of actions until the patroller judges them."""
        for outcome in outcomes:
            self.campaigns[outcome.row].take(outcome)
        self.diary.ended(outcomes)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over; store the sequences that reached sub-objectives.

        Raises:
            BadMemory: the memory folder cannot be written, and `on_bad_memory` is "stop".
        """
        for record in records:
            if record.row in self.campaigns:
                self.campaigns[record.row].close(record.success)
        self.custody.use(lambda: self.diary.keep(records), None)
        for record in records:
            self.campaigns.pop(record.row, None)

    def _parse(self, rows: Sequence[tuple[Situation, Campaign]]) -> None:
        self.parser.parse([here for here, _ in rows], [campaign for _, campaign in rows])

    def _plan(self, rows: Sequence[tuple[Situation, Campaign]]) -> None:
        """Let the percipient tell the planner what is in view, and the planner plan."""
        seen = self.patroller.look(rows)
        self.planner.plan([here for here, _ in rows], [campaign for _, campaign in rows], seen)
