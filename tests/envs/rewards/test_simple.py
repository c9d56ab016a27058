"""The sparse reward pays for the task alone."""

from optimus_gym.envs.rewards.simple import Sparse
from tests.envs.rewards.changes import Row, attached


def test_only_success_pays():
    reward, row = attached(Sparse()), Row()
    statuses = ("running", "died", "budget", "success")
    assert [reward.pay(row.change(status=one, diamond=1)) for one in statuses] == [0, 0, 0, 1]
