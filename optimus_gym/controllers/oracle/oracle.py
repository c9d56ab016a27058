"""The oracle controller: the ideal executor of mine, kill and recover sub-goals, which never plans."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS
from optimus_gym.controllers.oracle.arming import armed_mine
from optimus_gym.controllers.oracle.grid import Scratch, make_scratch
from optimus_gym.controllers.oracle.guard import guarded
from optimus_gym.controllers.oracle.killing import kill
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.rescuing import rescue
from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.rng import generator
from optimus_gym.core.types import RECOVER, SubGoal

OWN_SCRIPTS: Mapping[str, Callable[[Miner, SubGoal], Script]] = MappingProxyType(
    {"mine": armed_mine, "kill": kill}
)
"""For each verb that the helper lacks, the oracle's script."""


class OracleController(ScriptController):
    """Gathers items by low-level actions, with full knowledge of the world (privileged), and stays alive.

    The oracle knows where every block, drop and creature is. A mine sub-goal fails with `missing_tool` if the
    tool is not held, and with `not_found` if no source lies within about 200 blocks or no way leads to one.
    For a kill sub-goal the oracle goes to the nearest creature that drops the item, and walks on in one
    direction if it knows of none.
    Craft, smelt, equip and place sub-goals run the helper's scripts. The oracle interrupts scripts to fight,
    hide, rest and eat (`guard`). Recover sub-goals run the oracle's own scripts (`rescuing`). Before and
    during mining, the oracle makes a sword in worlds with monsters (`arming`) and hunts animals for food
    (`meals`).
    """

    privileged = True
    needs = frozenset({"arrays", "functions"})
    verbs = frozenset(OWN_SCRIPTS) | HELPED

    def _detach(self) -> None:
        super()._detach()
        self._miners: dict[int, Miner] = {}
        self._scratch: Scratch | None = None

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Forget the rows' previous episodes and make the rows' random generators from the seeds."""
        super().begin_episodes(rows, seeds)
        if self._scratch is None:
            self._scratch = make_scratch()
        for row, seed in zip(rows, seeds, strict=True):
            self._miners[row] = Miner(self.world, row, self._scratch, generator(seed, "oracle"))

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal; craft, smelt, equip and place use the helper's scripts."""
        return script_of(self._miners[row], subgoal)


def script_of(miner: Miner, subgoal: SubGoal) -> Script:
    """Make the script with which a miner's body carries out a sub-goal."""
    if subgoal.verb in OWN_SCRIPTS:
        return guarded(miner, OWN_SCRIPTS[subgoal.verb](miner, subgoal), stays=False)
    if subgoal.verb == RECOVER and subgoal.item == "danger":
        return rescue(miner, subgoal)  # this script itself deals with monsters
    if subgoal.verb == RECOVER:
        return guarded(miner, rescue(miner, subgoal), stays=False)
    return guarded(miner, BODY_SCRIPTS[subgoal.verb](miner, subgoal), stays=True)
