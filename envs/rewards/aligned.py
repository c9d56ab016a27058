"""The sub-goal reward, shaped by how well the picture fits the sub-goal's text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from optimus_gym.core.checks import check_count, is_number
from optimus_gym.core.episode_change import EpisodeChange
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.interfaces import RewardSetting
from optimus_gym.core.parts import part_of
from optimus_gym.envs.courses import TERMINATED
from optimus_gym.envs.rewards.subgoals import SubGoalReward


@dataclass(slots=True)
class _Looked:
    """The latest potential of a row, when it was computed, and for which sub-goal."""

    potential: float = 0.0
    tick: int = 0
    number: int = 0


class AlignedReward(SubGoalReward):
    """The sub-goal reward plus a shaping by the aligner, which leaves the best policies the best.

    The potential of a moment is `weight` times the cosine (-1 to 1) between the aligner's vectors of the
    present frame and of the sub-goal's text. The reward adds `discount ** ticks * new - old` whenever the
    potential is computed: every `period` ticks, in the first tick of a sub-goal, and in the tick that
    terminates the episode, whose potential is 0. Such potential-based shaping changes no optimal policy (Ng,
    Harada and Russell 1999, "Policy invariance under reward transformations").

    Args:
        weight: factor of the cosine, at least 0.
        period: ticks between two computations, at least 1; each draws a frame.
        aligner: the aligner: a name, a mapping with options, or "module:Class".
        options: `progress`, `completion` and `helper` of `SubGoalReward`.

    Raises:
        BadValue, UnknownName: an option cannot be used.
    """

    def __init__(
        self,
        weight: float = 0.5,
        period: int = 20,
        aligner: str | dict[str, Any] = "mini",
        progress: float = 1.0,
        completion: float = 1.0,
        helper: bool = True,
    ) -> None:
        super().__init__(progress, completion, helper)
        if not is_number(weight) or not 0 <= weight < float("inf"):
            raise BadValue(f"reward: weight: expected a number of at least 0, got {shown(weight)}")
        self._weight = float(weight)
        self._period = check_count("reward: period", period, 1)
        part = part_of("aligner", aligner)
        if part is None:
            raise BadValue(f"reward: aligner: expected a name, got {shown(aligner)}")
        self._part = part

    def attach(self, setting: RewardSetting) -> None:
        """Make the aligner.

        Raises:
            BadValue: the world lacks the power "pictures".
            MissingExtra: the aligner needs an extra that is not installed.
        """
        super().attach(setting)
        if setting.frame is None:
            raise BadValue(
                "reward 'subgoal+aligner': expected a world with the power 'pictures', got one without"
            )
        self._frame, self._discount = setting.frame, setting.discount
        self._aligner = self._part.build()
        self._looked: dict[int, _Looked] = {}

    def begin_episodes(self, rows: Sequence[int]) -> None:
        """Forget what has been paid in `rows`; an episode begins with the potential 0."""
        super().begin_episodes(rows)
        self._looked.update((row, _Looked()) for row in rows)

    def pay(self, change: EpisodeChange) -> float:
        """Return the reward of a change, with the change of the potential."""
        return super().pay(change) + self._shaping(change)

    def _shaping(self, change: EpisodeChange) -> float:
        looked = self._looked[change.row]
        ends = change.status in TERMINATED
        begins = change.number != looked.number
        due = change.tick - looked.tick >= self._period
        if change.subgoal is None or not (ends or begins or due):
            return 0.0
        potential = 0.0 if ends else self._potential(change)
        paid = self._discount ** (change.tick - looked.tick) * potential - looked.potential
        self._looked[change.row] = _Looked(potential, change.tick, change.number)
        return paid

    def _potential(self, change: EpisodeChange) -> float:
        assert change.subgoal is not None, "only sub-goals have a potential"
        features = self._aligner.frames(self._frame(change.row)[None])
        (seen,) = self._aligner.videos([features])
        (told,) = self._aligner.texts([change.subgoal.text or str(change.subgoal)])
        return self._weight * float(seen @ told)
