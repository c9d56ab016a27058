"""An agent without a planner, to measure the worth of planning."""

from collections.abc import Sequence

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, Judge, Outcome, Record, Verdict
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.minds.instead import goal_as_plan
from optimus_gym.minds.mind import MAX_REPEATS, MAX_REPLANS, Mind, Patience


class Unplanned:
    """Hands the whole task to the executors as one sub-goal with the task's text, again after each failure.

    The agent never asks its backbone.

    Args:
        max_replans: maximum number of new tries of the task after failed tries.
        max_repeats: the agent gives up if the task fails more often than this for the same reason.

    Raises:
        BadValue: an argument is no number of at least 0.
    """

    name = "none"
    needs: frozenset[str] = frozenset()
    period: int | None = None
    judge: Judge = "inventory"

    def __init__(self, max_replans: int = MAX_REPLANS, max_repeats: int = MAX_REPEATS) -> None:
        self.max_replans = check_count("max_replans", max_replans, 0)
        self.max_repeats = check_count("max_repeats", max_repeats, 0)
        self._minds: dict[int, Mind] = {}

    def attach(self, setting: AgentSetting) -> None:
        """Attach to an environment, and forget a former environment."""
        self._known = setting.abilities.of(setting.knowledge)
        self._minds = {}

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, with the row's task and without any setback."""
        patience = Patience(self.max_replans, self.max_repeats)
        for situation in situations:
            self._minds[situation.row] = Mind(situation.goal, patience)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's decision: try the task, for the pieces that the player lacks, or give up."""
        decisions = []
        for situation in situations:
            mind = self._minds[situation.row]
            if mind.wants_answer():
                mind.follow(goal_as_plan(situation, self._known, in_words=True))
            decisions.append(mind.next_subgoal())
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return the verdict CONTINUE for every row's sub-goal."""
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read the outcomes of sub-goals."""
        for outcome in outcomes:
            self._minds[outcome.row].take(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        for record in records:
            self._minds.pop(record.row, None)
