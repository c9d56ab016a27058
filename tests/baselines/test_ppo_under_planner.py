"""PPO trains on a skill under the planner and is compared with floors."""

import json

import numpy as np
import pytest

from optimus_gym.baselines.ppo_under_planner import (
    ACTIONS,
    HOLD,
    Args,
    floors,
    main,
    parse,
    train,
    worlds,
)
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.seeds import TEST, TRAIN, VALIDATION
from tests.baselines.test_ppo_flat import options

pytest.importorskip("stable_baselines3")
SMALL = {
    "steps": 64,
    "rows": 2,
    "steps_an_update": 16,
    "batch": 16,
    "episodes": 3,
    "side": 36,
}


@pytest.fixture
def begun(monkeypatch):
    """Return the seeds of all episodes of batches, as they begin."""
    from optimus_gym.envs.runtime import Runtime

    seeds, begin = [], Runtime.begin

    def noted(runtime, row, seed, told):
        seeds.append(seed)
        return begin(runtime, row, seed, told)

    monkeypatch.setattr(Runtime, "begin", noted)
    return seeds


def test_options_fill_the_dataclass():
    assert parse([]) == Args()
    assert parse(["--skill", "SkillKillCow", "--training-seeds", "4, 5"]) == Args(
        skill="SkillKillCow", training_seeds=(4, 5)
    )


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"skill": "SkillMineLgo"}, UnknownName),
        ({"seed": TEST.start}, BadValue),
        ({"seed": TRAIN.start}, BadValue),
        ({"side": 35}, BadValue),
        ({"steps": 0}, BadValue),
        ({"training_seeds": (1, 1)}, BadValue),
        ({"entropy": 2.0}, BadValue),
        ({"discount": 0.0}, BadValue),
    ],
)
def test_bad_arguments_are_refused(wrong, error):
    with pytest.raises(error):
        Args(**wrong)


def test_the_worlds_pay_the_policys_subgoal_and_hold_its_actions():
    envs = worlds(Args(**SMALL))
    assert envs.single_action_space.n == len(ACTIONS)
    assert envs.told["hold"] == HOLD
    assert envs.told["actions"] == [dict(keys) for keys in ACTIONS.values()]
    envs.reset(seed=TRAIN.start)
    _, _, _, _, infos = envs.step(np.zeros(2, np.int64))
    assert infos["ticks"].tolist() == [HOLD] * 2


def test_training_uses_training_seeds_and_evaluation_validation_seeds(tmp_path, begun):
    args = Args(out=str(tmp_path), **SMALL)
    path = train(args, 0)
    assert begun
    assert all(seed in TRAIN for seed in begun)
    begun.clear()
    policy = {"name": "sb3", "source": str(path), "deterministic": False}
    first = args.trial.successes("policy", policy)
    assert set(begun) - {TRAIN.start} == set(VALIDATION[:3])
    assert len(first) == 3
    assert args.trial.successes("policy", policy).tolist() == first.tolist()


def test_the_same_seed_trains_the_same_policy(tmp_path):
    from optimus_gym.controllers.sb3.sb3_file import read_model

    def weights(name, seed):
        model = read_model(str(train(Args(out=str(tmp_path / name), **SMALL), seed)))
        return np.concatenate([tensor.numpy().ravel() for tensor in model.weights.values()])

    first, again, other = (weights(*one) for one in (("a", 0), ("b", 0), ("c", 1)))
    assert (first == again).all()
    assert not (first == other).all()


def test_a_model_is_never_overwritten_and_a_training_resumes(tmp_path):
    args = Args(out=str(tmp_path), **SMALL)
    train(args, 0)
    with pytest.raises(BadValue, match="expected a folder without a model, or --resume"):
        train(args, 0)
    longer = Args(out=str(tmp_path), resume=True, **{**SMALL, "steps": 96})
    train(longer, 0)
    logs = {path.name for path in args.model(0).parent.glob("log_*")}
    assert logs == {"log_from_0", "log_from_64"}


def test_the_floors_are_random_still_and_each_action():
    names = list(floors())
    assert names == ["random", "no key", *(f"always {name}" for name in ACTIONS)]
    still = Args(**SMALL).trial.successes("no key", floors()["no key"])
    assert not still.any()


def test_the_command_prints_and_writes_the_table(tmp_path, capsys):
    given = {**SMALL, "training_seeds": 0}
    assert main(["--out", str(tmp_path / "run"), *options(given)]) == 0
    table = json.loads((tmp_path / "run" / "result.json").read_text())
    names = [row["policy"] for row in table["policies"]]
    assert names == [*floors(), "PPO, training seed 0"]
    assert table["policies"][-1]["beats"] is False, "64 steps teach nothing"
    printed, bars = capsys.readouterr()
    assert all(name in printed for name in names)
    assert "64/64" in bars
    again = ["--out", str(tmp_path / "run"), *options({**given, "entropy": 0.5}), "--resume"]
    assert main(again) == 2
    assert "entropy: expected 0.01 as in" in capsys.readouterr().err
