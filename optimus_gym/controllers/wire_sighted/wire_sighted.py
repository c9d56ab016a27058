"""The wire-sighted controller: carries out sub-goals by what a wire protocol tells, such as MineStudio's."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.controllers.compile_oracle import compile_controllers
from optimus_gym.controllers.oracle.grid import Scratch, make_scratch
from optimus_gym.controllers.oracle.guard import guarded
from optimus_gym.controllers.script import Action, Script, ScriptController
from optimus_gym.controllers.wire_sighted.finding_by_sight import find_by_sight
from optimus_gym.controllers.wire_sighted.hunting_by_sight import kill_by_sight
from optimus_gym.controllers.wire_sighted.mining_by_sight import mine_by_sight
from optimus_gym.controllers.wire_sighted.mirror import Mirror
from optimus_gym.controllers.wire_sighted.sighted import SightedMiner
from optimus_gym.core.interfaces import ControllerSetting
from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal

SCRIPTS: Mapping[str, Callable[[SightedMiner, SubGoal], Script]] = {
    "mine": mine_by_sight,
    "kill": kill_by_sight,
    "find": find_by_sight,
}
"""For each verb, its script."""


class WireSightedController(ScriptController):
    """Gathers items in a world that tells the blocks around its player on request.

    The controller asks for boxes of blocks (power "surroundings"), a box a tick at most, and reads poses,
    items, vitals and events. A mine sub-goal fails with `missing_tool` if the tool is not held, and with
    `not_found` if no walk comes upon a source.
    """

    privileged = True
    needs = frozenset({"keys", "mouse", "surroundings"})
    verbs = frozenset(SCRIPTS)

    def _detach(self) -> None:
        super()._detach()
        self._miners: dict[int, SightedMiner] = {}
        self._scratch: Scratch | None = None
        self._mirror: Mirror | None = None
        self._rows = 0

    def attach(self, setting: ControllerSetting) -> None:
        """Attach the controller to an environment, and forget the previous environment.

        Raises:
            BadValue: `setting.world` is None.
        """
        super().attach(setting)
        self._rows = setting.rows

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Forget the rows' previous episodes and lands, and make their random generators from the seeds."""
        super().begin_episodes(rows, seeds)
        if self._mirror is None or self._scratch is None:
            compile_controllers()
            self._mirror, self._scratch = Mirror(self._rows), make_scratch()
        for row, seed in zip(rows, seeds, strict=True):
            self._mirror.forget(row)
            draws = generator(seed, "wire-sighted")
            self._miners[row] = SightedMiner(self.world, row, self._mirror, self._scratch, draws)

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal."""
        miner = self._miners[row]
        miner.wake()
        return guarded(miner, SCRIPTS[subgoal.verb](miner, subgoal), stays=False)

    def act(
        self,
        rows: Sequence[int],
        observations: Mapping[str, NDArray[Any]],
        mask: NDArray[np.bool_],
    ) -> tuple[NDArray[np.int32], list[Any]]:
        """Return each row's next action (int32[n, 15]) and failure; see `interfaces.Controller`."""
        for row in rows:
            if not self.has_ended(row):
                self._miners[row].notice()
        return super().act(rows, observations, mask)

    def _advance(self, row: int) -> Action:
        action = super()._advance(row)
        if not self.has_ended(row):
            self._miners[row].ask(action)
        return action
