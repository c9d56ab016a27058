"""The oracle controller: the ideal executor of sub-goals, which never plans."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from optimus_gym.controllers.helper.scripts import BODY_SCRIPTS
from optimus_gym.controllers.oracle.arming import armed_mine
from optimus_gym.controllers.oracle.grid import Scratch, make_scratch
from optimus_gym.controllers.oracle.guard import guarded
from optimus_gym.controllers.oracle.killing import fight_for_kills, kill
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.rescuing import rescue
from optimus_gym.controllers.oracle.seeking import find, move
from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.verbs import HELPED
from optimus_gym.core.rng import generator
from optimus_gym.core.types import RECOVER, SHAFT_ENDS, SubGoal

OWN_SCRIPTS: Mapping[str, Callable[[Miner, SubGoal], Script]] = MappingProxyType(
    {"mine": armed_mine, "kill": kill, "find": find, "move": move}
)
"""For each verb that the helper lacks, the oracle's script, without its guard."""


class OracleController(ScriptController):
    """Gathers items by low-level actions, with full knowledge of the world (privileged), and stays alive.

    The oracle knows where every block, drop and creature is. A mine sub-goal fails with `missing_tool` if the
    tool is not held, and with `not_found` if no source lies within about 200 blocks or no way leads to one.
    For a kill, fight, find or move sub-goal the oracle goes to the nearest thing that it knows of, and walks
    on in one direction if it knows of none. Craft, smelt, equip, place, use and dig sub-goals run the
    helper's scripts. The oracle interrupts scripts to fight, hide, rest and eat (`guard`). Recover sub-goals
    run the oracle's own scripts (`rescuing`). Before and during mining, the oracle makes a sword in worlds
    with monsters (`arming`) and hunts animals for food (`meals`).
    """

    privileged = True
    needs = frozenset({"arrays", "functions"})
    verbs = frozenset({*OWN_SCRIPTS, "fight"}) | HELPED

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
        """Make the script of a sub-goal; the verbs of the helper but recover use the helper's scripts."""
        return script_of(self._miners[row], subgoal)


def script_of(miner: Miner, subgoal: SubGoal) -> Script:
    """Make the script with which a miner's body carries out a sub-goal."""
    if subgoal.verb in OWN_SCRIPTS:
        return guarded(miner, OWN_SCRIPTS[subgoal.verb](miner, subgoal), stays=False)
    if subgoal.verb == "fight":
        return fight_for_kills(miner, subgoal)  # this script counts the kills of its own guard
    if subgoal.verb == RECOVER and subgoal.item == "danger":
        return rescue(miner, subgoal)  # this script itself deals with monsters
    if subgoal.verb == RECOVER:
        return guarded(miner, rescue(miner, subgoal), stays=False)
    stays = subgoal.verb not in SHAFT_ENDS
    return guarded(miner, BODY_SCRIPTS[subgoal.verb](miner, subgoal), stays=stays)
