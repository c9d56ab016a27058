"""An agent without a planner: shows what planning is worth."""

from collections.abc import Sequence

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Decision, Judge, Outcome, Record, Verdict
from optimus_gym.core.protocols import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.minds.following import MAX_REPEATS, MAX_REPLANS, Mind, Patience
from optimus_gym.minds.instead import goal_as_plan


class Unplanned:
    """Hands the task, in its own words, to the executors, again and again.

    Its backbone is never asked.

    Args:
        max_replans: new tries of the task after a setback, at most.
        max_repeats: failures for the same reason, at most.

    Raises:
        BadValue: one is no number of at least 0.
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
        """Meet the environment, and forget a former one."""
        self._known = setting.abilities.of(setting.knowledge)
        self._minds = {}

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin episodes with an empty mind."""
        patience = Patience(self.max_replans, self.max_repeats)
        for situation in situations:
            self._minds[situation.row] = Mind(situation.goal, patience)

    def decide(self, situations: Sequence[Situation]) -> list[Decision]:
        """Return each row's task, less what is held, or that it gives up."""
        decisions = []
        for situation in situations:
            mind = self._minds[situation.row]
            if mind.wants_answer():
                mind.follow(goal_as_plan(situation, self._known, in_words=True))
            decisions.append(mind.next_subgoal())
        return decisions

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Let every sub-goal go on."""
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Take in how sub-goals ended."""
        for outcome in outcomes:
            self._minds[outcome.row].take(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        for record in records:
            self._minds.pop(record.row, None)
