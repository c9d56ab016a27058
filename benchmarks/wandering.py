"""A slow controller that wanders for a while before it gathers."""

from optimus_gym.controllers.oracle.arming import armed_mine
from optimus_gym.controllers.oracle.guard import guarded
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.controllers.script import Script
from optimus_gym.core.actions import CAMERA_STILL, FORWARD, JUMP, PITCH, YAW, noop
from optimus_gym.core.types import SubGoal

STRIDE = 20
"""Ticks that the controller walks in one direction."""


class WanderingController(OracleController):
    """A controller that wanders before each mine sub-goal and then gathers as the oracle does.

    Args:
        ticks: number of ticks to wander.
    """

    def __init__(self, ticks: int) -> None:
        super().__init__()
        self._ticks = ticks

    def script(self, row: int, subgoal: SubGoal) -> Script:
        """Make the script that carries out a sub-goal."""
        if subgoal.verb != "mine":
            return super().script(row, subgoal)
        miner = self._miners[row]
        return guarded(miner, _wander_and_mine(miner, subgoal, self._ticks), stays=False)


def _wander_and_mine(miner: Miner, subgoal: SubGoal, ticks: int) -> Script:
    until = miner.tick() + ticks
    while miner.tick() < until:
        yaw, pitch = miner.random.integers(CAMERA_STILL - 2, CAMERA_STILL + 3, 2).tolist()
        for tick in range(STRIDE):
            action = noop()
            action[FORWARD], action[JUMP] = 1, 1
            action[YAW], action[PITCH] = yaw, pitch if tick < 2 else CAMERA_STILL
            yield action
    outcome = yield from armed_mine(miner, subgoal)
    return outcome
