"""The life of an agent without a memory: its options, and its episodes in many rows of one environment."""

from collections.abc import Sequence
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.deliberation import Judge, Outcome, Record, Verdict
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import AgentSetting
from optimus_gym.core.situation import Situation
from optimus_gym.minds.mind import MAX_REPLANS, Mind, Patience
from optimus_gym.minds.plain_planner import PlainPlanner


class Forgetful:
    """An agent that keeps nothing from one episode to the next.

    A subclass has the method `decide`. A subclass with parts of its own makes them in `_make_parts`. A deep
    copy or an unpickled copy keeps the options and is not attached to an environment.

    Args:
        max_replans: maximum number of new plans of an episode after setbacks.
        recipes: whether requests list the ways to get items that lead to the goal. A language model knows
            recipes by heart; the backbone `rules` knows only the request's text.

    Raises:
        BadValue: an option has a wrong type or value.
    """

    name = ""
    needs: frozenset[str] = frozenset()
    period: int | None = None
    judge: Judge = "inventory"
    minds: dict[int, Mind]
    planner: PlainPlanner

    def __init__(self, max_replans: int = MAX_REPLANS, recipes: bool = True) -> None:
        self.max_replans = check_count("max_replans", max_replans, 0)
        self.recipes = checked_flag("recipes", recipes)
        self.patience = Patience(self.max_replans, self.max_replans)

    def attach(self, setting: AgentSetting) -> None:
        """Make the parts for an environment, and forget a former environment.

        Raises:
            BadValue: the environment has a memory folder, which the agent cannot use.
        """
        if setting.memory is not None:
            raise BadValue(
                f"memory: expected none, as the agent {self.name!r} keeps no memory, "
                f"got {shown(str(setting.memory))}"
            )
        self._detach()
        self.__dict__.setdefault("_options", (*self.__dict__, "_options"))
        self.minds = {}
        self.planner = PlainPlanner(setting, self.recipes)
        self._make_parts(setting)

    def _make_parts(self, setting: AgentSetting) -> None:
        """Make the parts of a subclass."""

    def _detach(self) -> None:
        """Forget the environment: everything but the options."""
        options = self.__dict__.get("_options", self.__dict__)
        for name in [name for name in self.__dict__ if name not in options]:
            del self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._detach()
        return copy.__dict__

    def begin_episodes(self, situations: Sequence[Situation]) -> None:
        """Begin an episode in each given row, without any plan or setback."""
        for situation in situations:
            self.minds[situation.row] = Mind(situation.goal, self.patience)

    def watch(self, situations: Sequence[Situation]) -> list[Verdict]:
        """Return the verdict CONTINUE for every row's sub-goal."""
        return [Verdict() for _ in situations]

    def ended(self, outcomes: Sequence[Outcome]) -> None:
        """Read how sub-goals ended."""
        for outcome in outcomes:
            self.minds[outcome.row].take(outcome)

    def finish(self, records: Sequence[Record]) -> None:
        """Forget episodes that are over."""
        for record in records:
            self.minds.pop(record.row, None)


def checked_flag(name: str, value: object) -> bool:
    """Return a checked switch.

    Raises:
        BadValue: the value is neither True nor False.
    """
    if not isinstance(value, bool):
        raise BadValue(f"{name}: expected True or False, got {shown(value)}")
    return value
