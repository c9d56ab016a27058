"""The life of an agent: options that copies keep, parts for one environment, a mind for each episode."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Judge, Outcome, Record, Verdict
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.minds.mind import Mind, Patience


class Attaching:
    """Options, parts and episodes of an agent that follows plans in many rows of one environment.

    A subclass has the method `decide`, and makes its parts in `_make_parts`. The attributes that an agent has
    before its first environment are its options. A deep copy or an unpickled copy has the options alone: it
    is not attached to an environment.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        max_repeats: the agent gives up if a sub-goal fails more often than this for the same reason.

    Attributes:
        minds: the mind of each row's episode, by the row's number.
        patience: the limits after which a mind gives up.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    name = ""
    needs: frozenset[str] = frozenset()
    period: int | None = None
    judge: Judge = "inventory"
    minds: dict[int, Mind]
    patience: Patience

    def __init__(self, max_replans: int, max_repeats: int) -> None:
        self.max_replans = check_count("max_replans", max_replans, 0)
        self.max_repeats = check_count("max_repeats", max_repeats, 0)

    def attach(self, setting: AgentSetting) -> None:
        """Make the parts for an environment, and forget a former environment.

        Raises:
            BadValue: the agent cannot use the environment's memory folder or backbone.
            BadMemory: the memory cannot be used, and an option `on_bad_memory` is "stop".
        """
        self._begin_attaching(setting)
        self._make_parts(setting)

    def _begin_attaching(self, setting: AgentSetting) -> None:
        """Forget a former environment, and keep the new environment's properties."""
        self._detach()
        self.__dict__.setdefault("_options", (*self.__dict__, "_options"))
        self._setting = setting
        self.minds = {}
        self.patience = Patience(self.max_replans, self.max_repeats)

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the parts of a subclass."""

    def _detach(self) -> None:
        """Forget the environment: everything but the options."""
        kept = self.__getstate__()
        self.__dict__.clear()
        self.__dict__.update(kept)

    def __getstate__(self) -> dict[str, Any]:
        options = self.__dict__.get("_options", self.__dict__)
        return {name: value for name, value in self.__dict__.items() if name in options}

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, with the row's goal and without any plan or setback."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return the verdict CONTINUE for every row's sub-goal."""
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended: each row goes on with its plan, or needs another plan."""
        for outcome in outcomes:
            self.minds[outcome.row].take(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        for record in records:
            self.minds.pop(record.row, None)
