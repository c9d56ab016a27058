"""The controller `teacher`: the right action for any state, pursuing only what has been in view."""

from collections.abc import Sequence

from optimus_gym.controllers.oracle.grid import Scratch, make_scratch
from optimus_gym.controllers.script import Script, ScriptController
from optimus_gym.controllers.teacher.pupil import Pupil
from optimus_gym.controllers.teacher.teaching import Guidance
from optimus_gym.core.rng import generator
from optimus_gym.core.types import SubGoal


class TeacherController(ScriptController):
    """Mines and kills by a policy's thirteen keys, and plans again in every tick (privileged).

    `act` may be called without its actions being done: a teacher labels the states that another policy
    visits, as DAgger asks (Ross et al. 2011). The teacher pursues only blocks and creatures that have been in
    view since the sub-goal began. For others it looks about and walks on, and for ores it digs down. Paths
    avoid dangers that the player may not have seen.
    """

    privileged = True
    needs = frozenset({"arrays"})
    verbs = frozenset({"mine", "kill"})

    def _detach(self) -> None:
        super()._detach()
        self._scratch: Scratch | None = None
        self._pupils: dict[int, Pupil] = {}

    def begin_episodes(self, rows: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin episodes in `rows`, with random generators from the seeds."""
        super().begin_episodes(rows, seeds)
        if self._scratch is None:
            self._scratch = make_scratch()
        for row, seed in zip(rows, seeds, strict=True):
            self._pupils[row] = Pupil(self.world, row, self._scratch, generator(seed, "teacher"))

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script of a sub-goal, which never ends and plans again in every tick."""
        return _taught(Guidance(self._pupils[row], subgoal))


def _taught(guidance: Guidance) -> Script:
    while True:
        yield guidance.action()
