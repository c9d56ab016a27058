"""The baselines of a skill share arguments, floors, table and command."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.baselines import ppo_flat, ppo_under_planner
from optimus_gym.baselines.dqn_subgoals import Args
from optimus_gym.baselines.run_folder import training_folder
from optimus_gym.baselines.skill_run import ACTIONS, HOLD, TRAINING, SkillArgs, floors
from optimus_gym.baselines.skill_trials import validation_seeds
from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName
from optimus_gym.envs.own_tasks import subgoal_task
from optimus_gym.policies.sb3_file import read_model
from optimus_gym.seeds import TEST, TRAIN, VALIDATION
from optimus_gym.terminal.stopping import INTERRUPTED
from tests.baselines.watching import shown_bars

pytest.importorskip("stable_baselines3")
SMALL = {"steps": 64, "rows": 2, "steps_an_update": 16, "batch": 16, "episodes": 3, "side": 36}
PAGES = {"ppo_under_planner": ppo_under_planner, "ppo_flat": ppo_flat}
each_page = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


def options(given):
    return [
        part
        for name, value in given.items()
        for part in ("--" + name.replace("_", "-"), str(value))
    ]


def begin(args, baseline="ppo_flat"):
    with begun_training(args, baseline):
        pass


def begun_training(args, baseline="ppo_flat"):
    training = {name: getattr(args, name) for name in TRAINING}
    return training_folder(baseline, Path(args.out), args.resume, training, asdict(args))


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


@each_page
def test_options_fill_the_dataclass(page):
    assert page.COMMAND.parse([]) == SkillArgs(out=f"runs/{page.NAME}")
    given = ["--skill", "SkillKillCow", "--training-seeds", "4, 5", "--out", "x"]
    assert page.COMMAND.parse(given) == SkillArgs("x", skill="SkillKillCow", training_seeds=(4, 5))


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"skill": "SkillMineLgo"}, UnknownName),
        ({"seed": TEST.start}, BadValue),
        ({"seed": TRAIN.start}, BadValue),
        ({"seed": VALIDATION.stop - 10, "episodes": 11}, BadValue),
        ({"side": 35}, BadValue),
        ({"steps": 0}, BadValue),
        ({"training_seeds": ()}, BadValue),
        ({"training_seeds": (1, 1)}, BadValue),
        ({"training_seeds": (-1,)}, BadValue),
        ({"learning_rate": 0.0}, BadValue),
        ({"entropy": 2.0}, BadValue),
        ({"entropy": float("nan")}, BadValue),
        ({"discount": 0.0}, BadValue),
    ],
)
def test_bad_arguments_are_refused(wrong, error):
    with pytest.raises(error):
        SkillArgs(**wrong)


def test_an_empty_folder_name_is_refused(capsys):
    assert ppo_flat.COMMAND.main(["--out", ""]) == 2
    assert capsys.readouterr().err == "ppo_flat: out: expected a folder, got ''\n"


def test_policies_are_compared_on_validation_seeds_alone():
    assert validation_seeds(VALIDATION.start, 2) == VALIDATION[:2]
    for first, episodes in ((TEST.stop - 1, 2), (TRAIN.start, 1), (VALIDATION.start, 0)):
        with pytest.raises(BadValue):
            validation_seeds(first, episodes)


@each_page
def test_the_worlds_hold_the_policys_actions(page):
    envs = page.worlds(SkillArgs(**SMALL))
    assert envs.single_action_space.n == len(ACTIONS)
    assert envs.told["hold"] == HOLD
    assert envs.told["actions"] == [dict(keys) for keys in ACTIONS.values()]
    envs.reset(seed=TRAIN.start)
    _, _, _, _, infos = envs.step(np.zeros(2, np.int64))
    assert infos["ticks"].tolist() == [HOLD] * 2
    envs.close()


def test_the_flat_view_has_the_skills_start_and_budget_but_no_sub_goal():
    envs = ppo_flat.worlds(SkillArgs(skill="SkillMineCobblestone", **SMALL))
    seen, _ = envs.reset(seed=TRAIN.start)
    assert "subgoal" not in seen
    assert (seen["equipment"][:, 0] > 0).all(), "the wooden pickaxe is in hand"
    envs.close()


def test_the_flat_view_refuses_a_skill_of_held_items(monkeypatch):
    held = replace(subgoal_task("SkillMineLog"), inventory={"oak_log": 1})
    monkeypatch.setattr(ppo_flat, "subgoal_task", lambda name: held)
    with pytest.raises(BadValue, match="whose items the player lacks"):
        ppo_flat.held_task("SkillMineLog")


@each_page
def test_training_uses_training_seeds_and_evaluation_validation_seeds(page, tmp_path, begun):
    args = SkillArgs(out=str(tmp_path), **SMALL)
    policy = page.train(args, 0)
    assert begun
    assert all(seed in TRAIN for seed in begun)
    begun.clear()
    first = args.trial.successes("policy", policy)
    assert set(begun) - {TRAIN.start} == set(VALIDATION[:3])
    assert len(first) == 3
    assert args.trial.successes("policy", policy).tolist() == first.tolist()


@each_page
def test_the_same_seed_trains_the_same_policy(page, tmp_path):
    from optimus_gym.policies.sb3_file import read_model

    def weights(name, seed):
        policy = page.train(SkillArgs(out=str(tmp_path / name), **SMALL), seed)
        tensors = read_model(policy["source"]).weights.values()
        return np.concatenate([tensor.numpy().ravel() for tensor in tensors])

    first, again, other = (weights(*one) for one in (("a", 0), ("b", 0), ("c", 1)))
    assert (first == again).all()
    assert not (first == other).all()


def test_a_model_is_never_overwritten_and_a_training_resumes(tmp_path):
    args = SkillArgs(out=str(tmp_path), **SMALL)
    path = Path(ppo_under_planner.train(args, 0)["source"])
    kept = path.read_bytes()
    with pytest.raises(BadValue, match="expected a folder without a model, or --resume"):
        ppo_under_planner.train(args, 0)
    assert path.read_bytes() == kept
    longer = SkillArgs(out=str(tmp_path), resume=True, **{**SMALL, "steps": 96})
    ppo_under_planner.train(longer, 0)
    logs = {one.name for one in path.parent.glob("log_*")}
    assert logs == {"log_from_0", "log_from_64"}


def test_a_training_resumes_no_model_of_another_algorithm(tmp_path):
    from stable_baselines3 import A2C, DQN, PPO

    args = SkillArgs(out=str(tmp_path), **SMALL)
    path = Path(ppo_under_planner.train(args, 0)["source"])
    space = PPO.load(path).observation_space
    again = replace(args, resume=True)
    for kind, actions, told in (
        (A2C, len(ACTIONS), "expected a model of PPO in .*, got another one"),
        (DQN, len(ACTIONS), "expected a model of PPO in .*, got another one"),
        (PPO, 3, r"expected the action_space Discrete\(7\) in .*, got one with \{'n': '3'\}"),
    ):
        kind("CnnPolicy", Worldless(space, actions), device="cpu").save(path)
        kept = path.read_bytes()
        with pytest.raises(BadValue, match=told):
            ppo_under_planner.train(again, 0)
        assert path.read_bytes() == kept


def test_resuming_executes_no_code_of_the_file(tmp_path):
    from stable_baselines3 import PPO

    args = SkillArgs(out=str(tmp_path), **SMALL)
    path = Path(ppo_under_planner.train(args, 0)["source"])
    model = PPO.load(path, device="cpu")
    model.trap = Trap(str(tmp_path / "trapped"))
    model.save(path)
    before = read_model(str(path))
    ppo_under_planner.train(replace(args, resume=True, steps=160), 0)
    assert not (tmp_path / "trapped").exists()
    after = read_model(str(path))
    assert (before.words["num_timesteps"], after.words["num_timesteps"]) == (64, 160)
    near = [float((after.weights[name] - one).abs().max()) for name, one in before.weights.items()]
    assert 0 < max(near) < 0.1, "the training goes on from the saved weights"


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


class Worldless(gym.Env):
    """An environment of spaces alone, from which models can be made."""

    def __init__(self, space, actions):
        self.observation_space, self.action_space = space, gym.spaces.Discrete(actions)


def test_an_interrupted_training_resumes(tmp_path, monkeypatch, capsys):
    from stable_baselines3 import PPO

    from optimus_gym.baselines import sb3_watch
    from optimus_gym.wrappers.key_set import KeySet

    step, made = KeySet.step, []

    def interrupted(keys, actions):
        made.append(actions)
        if len(made) == 21:
            raise KeyboardInterrupt
        return step(keys, actions)

    monkeypatch.setattr(KeySet, "step", interrupted)
    given = ["--out", str(tmp_path), *options(SMALL), "--training-seeds", "0"]
    assert ppo_flat.COMMAND.main(given) == INTERRUPTED
    told = capsys.readouterr().err
    assert told.endswith("ppo_flat: stopped; --resume continues from the saved models\n")
    path = tmp_path / "seed_0" / "model.zip"
    assert PPO.load(path).num_timesteps == 40
    shown = shown_bars(monkeypatch, sb3_watch)
    ppo_flat.train(SkillArgs(out=str(tmp_path), resume=True, **SMALL), 0)
    assert PPO.load(path).num_timesteps >= 64
    assert [task.fields["kept"] for task in shown[0].tasks] == [40]


def test_a_training_resumes_with_its_own_arguments_only(tmp_path):
    begin(SkillArgs(out=str(tmp_path)))
    begin(SkillArgs(out=str(tmp_path), resume=True, episodes=7))
    with pytest.raises(BadValue, match=r"entropy: expected 0.01 as in .*config.json, got 0.5"):
        begin(SkillArgs(out=str(tmp_path), resume=True, entropy=0.5))
    with pytest.raises(
        BadValue, match=r"expected a training of 'ppo_vec' in .*got one of 'ppo_flat'"
    ):
        begin(SkillArgs(out=str(tmp_path), resume=True), "ppo_vec")


def test_a_training_takes_no_folder_of_another_one(tmp_path):
    begin(SkillArgs(out=str(tmp_path)))
    kept = (tmp_path / "config.json").read_bytes()
    with pytest.raises(BadValue, match=r"out: expected a folder without a training, or --resume"):
        begin(SkillArgs(out=str(tmp_path), entropy=0.5))
    assert (tmp_path / "config.json").read_bytes() == kept


def test_two_trainings_share_no_folder(tmp_path):
    args = SkillArgs(out=str(tmp_path))
    with begun_training(args), pytest.raises(BadValue, match="out: another process trains in"):
        begin(replace(args, resume=True))
    begin(replace(args, resume=True))


@pytest.mark.parametrize("content", [b"[", b"[]", b'{"arguments": 3}'])
def test_a_damaged_configuration_is_refused(tmp_path, content):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(BadValue, match=r"config\.json"):
        begin(SkillArgs(out=str(tmp_path), resume=True))
    assert (tmp_path / "config.json").read_bytes() == content


@each_page
def test_a_damaged_model_is_refused_in_one_line(page, tmp_path, capsys):
    (tmp_path / "seed_0").mkdir()
    (tmp_path / "seed_0" / "model.zip").write_bytes(b"PK no model")
    given = ["--out", str(tmp_path), *options(SMALL), "--training-seeds", "0", "--resume"]
    assert page.COMMAND.main(given) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{page.NAME}: model: ")


@each_page
def test_a_file_in_place_of_the_folder_is_refused_at_once(page, tmp_path, capsys):
    out = tmp_path / "run"
    out.write_bytes(b"mine")
    assert page.COMMAND.main(["--out", str(out)]) == 2
    told = capsys.readouterr().err
    assert told == f"{page.NAME}: out: expected a folder, got the file '{out}'\n"
    assert out.read_bytes() == b"mine"


@pytest.mark.parametrize("name", PAGES)
def test_a_missing_extra_is_named(name, tmp_path):
    code = (
        "import sys; sys.modules['stable_baselines3'] = None\n"
        f"from optimus_gym.baselines.{name} import SkillArgs, train\n"
        f"train(SkillArgs(out={str(tmp_path)!r}), 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert 'pip install -e ".[train]"' in run.stderr


def test_the_floors_are_random_still_and_each_action():
    names = list(floors())
    assert names == ["random", "no key", *(f"always {name}" for name in ACTIONS)]
    still = SkillArgs(**SMALL).trial.successes("no key", floors()["no key"])
    assert not still.any()


def test_the_command_prints_and_writes_the_table(tmp_path, capsys):
    given = {**SMALL, "training_seeds": 0}
    main = ppo_under_planner.COMMAND.main
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


@pytest.mark.slow
@each_page
def test_a_policy_beats_all_floors(page, tmp_path):
    given = {"episodes": 100, "training_seeds": 3}
    assert page.COMMAND.main(["--out", str(tmp_path), *options(given)]) == 0
    table = json.loads((tmp_path / "result.json").read_text())
    assert table["policies"][-1]["beats"]
    assert table["policies"][-1]["success"] > 0.75


def test_a_missing_extra_leaves_the_folder_to_the_next_training(tmp_path):
    args = SkillArgs(out=str(tmp_path))
    with pytest.raises(MissingExtra), begun_training(args):
        raise MissingExtra("baselines.ppo_flat", "train")
    begin(args)
    again = replace(args, resume=True)
    with pytest.raises(MissingExtra), begun_training(again):
        raise MissingExtra("baselines.ppo_flat", "train")
    begin(again)


@pytest.mark.parametrize("baseline", [SkillArgs, Args])
def test_trainings_stay_within_the_training_seeds(baseline):
    most = (TRAIN.stop - TRAIN.start) // 1000 - 1
    baseline(steps=1000, training_seeds=(most,))
    with pytest.raises(BadValue, match=f"training_seeds: expected an integer from 0 to {most}"):
        baseline(steps=1000, training_seeds=(most + 1,))


@pytest.mark.parametrize("given", [{"batch": 1}, {"rows": 1, "steps_an_update": 1}])
def test_a_single_step_is_no_minibatch(given):
    with pytest.raises(BadValue, match="expected an integer of at least 2"):
        SkillArgs(**given)
