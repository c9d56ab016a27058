"""The reward for sub-goals: their progress and completion, and nothing that could be farmed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from optimus_gym.core.checks import check_flag, is_number
from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import RewardSetting
from optimus_gym.core.types import RECOVER, SubGoal
from optimus_gym.envs.rewards.thrown import Thrown
from optimus_gym.game.items import item, items
from optimus_gym.game.sources import GETTING_VERBS


@dataclass(slots=True)
class _Account:
    """The payments of one row's episode."""

    thrown: Thrown = field(default_factory=Thrown)
    number: int = 0
    """The sub-goal that `back` and `best` are about, as `EpisodeChange.number` counts."""
    back: int = 0
    """Pieces of the sub-goal's item that came back since it began, less those given away since."""
    reached: bool = False
    """Whether the sub-goal was reached; it then pays no more."""
    best: float = 0.0
    """The largest share of the sub-goal that has been paid, 0 to 1."""
    acts: dict[tuple[str, str], float] = field(default_factory=dict)
    """The largest share paid of each kind of sub-goal that gets no item, by verb and item."""


class SubGoalReward:
    """Pays for the progress of the current sub-goal, and for its completion.

    A tick pays `progress` times the growth of the reached share beyond the best share so far; the tick that
    reaches the sub-goal also pays `completion`. The rules below keep the reward from being farmed:

    - Pieces that the player gave away pay nothing when they come back (`Thrown`); the completion is paid by
      the share of the sub-goal's pieces that were new.
    - A sub-goal that gets no item (equip, place, find, move, fight, dig) pays once an episode for each verb
      and item.
    - "recover" pays nothing, since a player can bring itself into any predicament.

    Args:
        progress: reward for a sub-goal's whole progress.
        completion: reward for reaching a sub-goal.
        helper: whether sub-goals that the environment's helper carries out pay, too.

    Raises:
        BadValue: a reward is no number of at least 0, or `helper` is neither True nor False.
    """

    needs_subgoals = True
    asks_every_tick = True

    def __init__(self, progress: float = 1.0, completion: float = 1.0, helper: bool = True) -> None:
        for name, value in (("progress", progress), ("completion", completion)):
            if not is_number(value) or not 0 <= value < float("inf"):
                raise BadValue(
                    f"reward: {name}: expected a number of at least 0, got {shown(value)}"
                )
        self._progress, self._completion = float(progress), float(completion)
        self._helper = check_flag("reward: helper", helper)
        self._accounts: dict[int, _Account] = {}

    def attach(self, setting: RewardSetting) -> None:
        """Forget all episodes."""
        self._accounts = {}

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget what has been paid in `rows`."""
        self._accounts.update((row, _Account()) for row in rows)

    def pay(self, change: EpisodeChange) -> float:
        """Return the reward of a change."""
        account = self._accounts[change.row]
        moved = account.thrown.note(change)
        subgoal = change.subgoal
        if subgoal is None or subgoal.verb == RECOVER:
            return 0.0
        gets = subgoal.verb in GETTING_VERBS and subgoal.verb != "find"
        kind = subgoal.verb, subgoal.item
        if change.number != account.number:
            account.number, account.back, account.reached = change.number, 0, False
            account.best = 0.0 if gets else account.acts.get(kind, 0.0)
        fresh = change.reached
        if gets:
            account.back += sum(moved.get(place, 0) for place in _ids(subgoal)) if moved else 0
            fresh = max(fresh - max(account.back, 0) / subgoal.count, 0.0)
        if account.reached:
            return 0.0
        account.reached = change.reached >= 1
        gain = max(fresh - account.best, 0.0)
        account.best = max(account.best, fresh)
        if not gets:
            account.acts[kind] = account.best
        if gain == 0 or (change.helped and not self._helper):
            return 0.0
        done = fresh if account.reached else 0.0
        return self._progress * gain + self._completion * done


def _ids(subgoal: SubGoal) -> list[int]:
    return [item(name).id for name in subgoal.kinds if name in items()]
