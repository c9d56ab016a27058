"""STEVE-1 plays whole episodes: a tiny model in an evaluation, an official one in the control view."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.record.playing import make_env, played
from optimus_gym.run.record.recording_setup import Recording
from optimus_gym.seeds import VALIDATION
from optimus_gym.vision.clip_towers import Sizes
from tests.controllers.vpt.files import write_steve1
from tests.worlds.malmo.client.served_worlds import address

ROWS = 16
OFFICIAL = {
    "hidsize": 2048, "attention_heads": 16, "impala_width": 8, "n_recurrence_layers": 4,
    "attention_memory_size": 256, "timesteps": 128,
}  # fmt: skip


def steve1(folder):
    return {"name": "steve-1", "source": str(folder)}


def test_a_tiny_model_plays_whole_episodes_in_an_evaluation(tmp_path):
    asked = Evaluation(
        tasks=("Wood",), controller=steve1(write_steve1(tmp_path / "files")), episodes=ROWS,
        seed=VALIDATION.start, settings={"ticks": 30},
    )  # fmt: skip
    rows = list(evaluate(asked, tmp_path / "results", workers=1, rows=ROWS))
    assert sorted(row.seed for row in rows) == list(
        range(VALIDATION.start, VALIDATION.start + ROWS)
    )
    assert {(row.status, row.ticks, row.privileged) for row in rows} == {("budget", 30, False)}


def trail(folder, rows, row):
    """Return a row's positions after each step, through ended sub-goals and a new episode.

    On the CPU: a GPU rounds a batch of another size in another way.
    """
    envs = gym.make_vec(
        "Optimus-Wood-v0", rows, vectorization_mode="vector_entry_point", controller=steve1(folder),
        ticks=40, subgoal_ticks=15, device="cpu",
    )  # fmt: skip
    envs.reset(seed=VALIDATION.start - row)
    told = []
    for _ in range(7):
        *_, truncated, info = envs.step(np.zeros(rows, np.int64))
        told.append((info["ticks"][row], *info["position"][row], info["yaw"][row], truncated[row]))
    envs.close()
    return told


@pytest.mark.slow
def test_a_row_of_64_follows_the_same_path_as_alone(tmp_path):
    folder = write_steve1(tmp_path)
    alone = trail(folder, 1, 0)
    assert any(truncated for *_, truncated in alone[:-1])
    for row in (17, 63):
        assert trail(folder, 64, row) == alone


@pytest.mark.slow
@pytest.mark.parametrize("resolution", [(640, 360), (128, 128)])
def test_a_model_of_official_size_plays_the_control_view(tmp_path, resolution):
    folder = write_steve1(tmp_path, OFFICIAL, Sizes())
    recording = Recording(
        id="OptimusControl-Wood-v0", controller=steve1(folder), episodes=1,
        seed=VALIDATION.start, settings={"resolution": resolution, "ticks": 300},
    )  # fmt: skip
    env = make_env(recording)
    (episode,) = played(recording, env, recording.seeds)
    env.close()
    assert episode.ticks == 300
    assert episode.observations["pov"].shape == (301, *resolution[::-1], 3)
    assert episode.actions.shape == (300, 13)
    assert len(np.unique(episode.actions, axis=0)) > 50, "it draws its actions"


@pytest.mark.slow
def test_a_model_of_official_size_plays_over_the_wire_of_the_real_game(tmp_path):
    folder = write_steve1(tmp_path, OFFICIAL, Sizes())
    env = gym.make(
        "Optimus-Wood-v0", world={"name": "minerl", "address": address()},
        controller=steve1(folder), ticks=300, subgoal_ticks=100,
    )  # fmt: skip
    _, info = env.reset(seed=VALIDATION.start)
    start, turned, truncated = info["position"], set(), False
    while not truncated:
        _, _, _, truncated, info = env.step(0)
        turned.add(float(info["yaw"]))
    env.close()
    assert (info["ticks"], info["status"]) == (300, "budget")
    assert not np.array_equal(info["position"], start), "its keys reach the game"
    assert len(turned) > 1, "its camera reaches the game"
