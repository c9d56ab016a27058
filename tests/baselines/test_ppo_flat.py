import json
import subprocess
import sys

import numpy as np
import pytest

from optimus_gym.baselines import ppo_flat
from optimus_gym.baselines.ppo_flat import Args, evaluate, low_level_actions, main, parse
from optimus_gym.core.actions import ATTACK
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TRAIN, VALIDATION


def test_options_are_the_dataclass():
    assert parse([]) == Args()
    assert parse(["--episode-ticks", "50", "--folder", "x"]) == Args(episode_ticks=50, folder="x")


@pytest.mark.parametrize("seed", [0, 9_999])
def test_test_seeds_are_refused(seed):
    with pytest.raises(BadValue, match=f"seed {seed} is a test seed"):
        Args(first_seed=seed)


@pytest.mark.parametrize(
    "wrong", [{"first_seed": 50_000}, {"worlds": 0}, {"worlds": 2**31}, {"ticks": 0}]
)
def test_bad_arguments_are_refused(wrong):
    with pytest.raises(BadValue, match="expected"):
        Args(**wrong)


def test_every_action_digs_and_no_two_are_alike():
    table = low_level_actions(4)
    assert (table[:, ATTACK] == 1).all()
    assert len(np.unique(table, axis=0)) == len(table)


def test_a_missing_extra_is_named(tmp_path):
    code = (
        "import sys; sys.modules['stable_baselines3'] = None\n"
        "from optimus_gym.baselines.ppo_flat import Args, train\n"
        f"train(Args(folder={str(tmp_path)!r}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert "pip install 'optimus-gym[train]'" in run.stderr


def test_evaluation_is_repeatable():
    args = Args(episode_ticks=40, evaluation_episodes=2)
    assert evaluate(args, None) == evaluate(args, None)


@pytest.mark.slow
def test_it_trains_logs_and_saves(tmp_path, capsys):
    pytest.importorskip("stable_baselines3")
    options = {
        "folder": tmp_path / "run",
        "ticks": 512,
        "environments": 2,
        "decisions": 32,
        "batch": 32,
        "episode-ticks": 80,
        "evaluation-episodes": 2,
    }
    main([part for name, value in options.items() for part in (f"--{name}", str(value))])
    files = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"config.json", "progress.csv", "model.zip", "result.json"} <= files
    assert any(name.startswith("events.out.tfevents") for name in files)
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["episodes"] == 2
    assert "learned_mean_reward" in capsys.readouterr().out


def test_it_is_evaluated_on_validation_seeds_and_learns_on_others(monkeypatch):
    ranges = []

    def note(args, seeds, random_seed):
        ranges.append((seeds, random_seed))
        raise StopIteration

    monkeypatch.setattr(ppo_flat, "make_env", note)
    with pytest.raises(StopIteration):
        evaluate(Args(), None)
    ((seeds, _),) = ranges
    assert seeds == VALIDATION
    assert Args().first_seed in TRAIN
