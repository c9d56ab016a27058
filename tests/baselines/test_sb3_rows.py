import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from stable_baselines3.common.vec_env import VecMonitor

from optimus_gym.baselines.log_gathering import Ended, LogGathering
from optimus_gym.baselines.sb3_rows import Sb3Rows

LAST = np.full((48, 48, 3), 9, np.uint8)


class Three:
    """Rows of which, in every step, one succeeds, one dies, one runs out of time and a fourth goes on."""

    rows = 4
    observation_space, action_space = LogGathering.observation_space, LogGathering.action_space
    closed = False

    def begin(self):
        return np.zeros((4, 48, 48, 3), np.uint8)

    def step(self, actions):
        self.actions = actions
        over = {
            row: Ended(row, success=row == 0, died=row == 1, logs=row, picture=LAST)
            for row in range(3)
        }
        return np.ones((4, 48, 48, 3), np.uint8), np.arange(4.0), over

    def close(self):
        self.closed = True


def test_ends_are_told_as_stable_baselines_wants_them():
    gathering = Three()
    environments = VecMonitor(Sb3Rows(gathering))
    assert environments.reset().shape == (4, 48, 48, 3)
    pictures, rewards, dones, infos = environments.step(np.arange(4))
    assert gathering.actions.tolist() == rewards.tolist() == [0, 1, 2, 3]
    assert dones.tolist() == [True, True, True, False]
    assert (pictures == 1).all()
    assert [info["TimeLimit.truncated"] for info in infos[:3]] == [False, False, True]
    assert [info["is_success"] for info in infos[:3]] == [True, False, False]
    assert all((info["terminal_observation"] == LAST).all() for info in infos[:3])
    assert [info["episode"]["r"] for info in infos[:3]] == [0, 1, 2]
    assert infos[3] == {}
    environments.close()
    assert gathering.closed


def test_rows_have_no_attributes_of_their_own():
    rows = Sb3Rows(Three())
    assert rows.render_mode is None
    assert not rows.has_attr("biome")
    for refused in (lambda: rows.set_attr("biome", "plains"), lambda: rows.env_method("jump")):
        with pytest.raises(AttributeError):
            refused()
