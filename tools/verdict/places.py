"""Find the environment (biome, cave ...) of each look as an agent with a memory does."""

from collections.abc import Sequence
from typing import Final

from optimus_gym.core.deliberation import Outcome
from optimus_gym.core.situation import Picture
from optimus_gym.minds.diary import is_gone
from optimus_gym.minds.hindsight import FULL_BREATH, SubGoalState, with_environments
from optimus_gym.vision.aligner import Aligner, unit_vectors
from optimus_gym.vision.environments import Environments

EVERY: Final = 200
"""Ticks between two screens that are read."""


class Places:
    """Collects the looks of one sub-goal at a time, and finds the environment on the screens of some of them.

    Args:
        aligner: compares screens with words.
        every: number of looks between two screens that are read.
    """

    def __init__(self, aligner: Aligner, every: int) -> None:
        self._aligner = aligner
        self._environments = Environments(aligner)
        self._every = every
        self._words: dict[int, str] = {}
        self._looks: list[SubGoalState] = []

    def add(self, look: SubGoalState, pov: Picture | None) -> None:
        """Note the next look."""
        if pov is not None and len(self._looks) % self._every == 0:
            self._read(look, pov)
        self._looks.append(look)

    def end(self, outcome: Outcome) -> Sequence[SubGoalState]:
        """Return all looks, the last one at the sub-goal's end, with environments."""
        last = self._looks[-1]._replace(
            tick=outcome.tick, gained=outcome.gained, used=outcome.consumed
        )
        if outcome.pov is not None and not is_gone(outcome):
            self._read(last, outcome.pov)
        return with_environments([*self._looks, last], self._words)

    def _read(self, look: SubGoalState, pov: Picture) -> None:
        """Note the environment on a look's screen."""
        vectors = unit_vectors(self._aligner.frames(pov.look()[None]))
        (odds,) = self._environments.odds(vectors, [look.vitals.air < FULL_BREATH])
        self._words[len(self._looks)] = self._environments.certain(odds)
