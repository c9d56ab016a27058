import json
import subprocess
import sys
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.baselines import log_gathering
from optimus_gym.baselines.comparison import SPARE
from optimus_gym.baselines.log_gathering import ACTIONS, LogGathering
from optimus_gym.baselines.ppo_flat import (
    Args,
    main,
    parse,
    play_learned,
    train,
    worlds_to_train_on,
)
from optimus_gym.baselines.run_folder import begin_run
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TEST, TRAIN, VALIDATION
from optimus_gym.terminal.stopping import INTERRUPTED
from tests.baselines.watching import shown_bars

GOES_ON = "--resume continues from the saved models"
SMALL = {"steps": 64, "rows": 2, "steps_an_update": 16, "batch": 16, "episodes": 2}


def begin(args):
    begin_run(Path(args.out), args.resume, args.training, asdict(args))


@pytest.fixture
def short(monkeypatch):
    pytest.importorskip("stable_baselines3")
    monkeypatch.setattr(log_gathering, "TICKS", 40)


@pytest.fixture
def begun(monkeypatch):
    """Return the seeds of all episodes, as they begin."""
    seeds = []
    begin = LogGathering._begin

    def noted(gathering, which):
        pictures = begin(gathering, which)
        seeds.extend(gathering._playing[which].tolist())
        return pictures

    monkeypatch.setattr(LogGathering, "_begin", noted)
    return seeds


def weights(model):
    return np.concatenate([values.detach().numpy().ravel() for values in model.policy.parameters()])


def test_options_fill_the_dataclass():
    assert parse([]) == Args()
    assert parse(
        ["--episodes", "50", "--out", "x", "--training-seeds", "4, 5", "--resume"]
    ) == Args(episodes=50, out="x", training_seeds=(4, 5), resume=True)


@pytest.mark.parametrize("name", ["first_world", "seed"])
@pytest.mark.parametrize("seed", [TEST.start, TEST.stop - 1])
def test_test_seeds_are_refused(name, seed):
    with pytest.raises(BadValue, match=f"seed {seed} is a test seed"):
        Args(**{name: seed})


@pytest.mark.parametrize(
    "wrong",
    [
        {"first_world": VALIDATION.start},
        {"seed": TRAIN.start},
        {"seed": VALIDATION.stop - 10, "episodes": 11},
        {"worlds": 0},
        {"worlds": 2**31},
        {"steps": 0},
        {"episodes": 0},
        {"training_seeds": ()},
        {"training_seeds": (1, 1)},
        {"training_seeds": (-1,)},
        {"learning_rate": 0.0},
        {"discount": 1.5},
        {"entropy": -0.1},
        {"entropy": float("nan")},
    ],
)
def test_bad_arguments_are_refused(wrong):
    with pytest.raises(BadValue, match="expected"):
        Args(**wrong)


def test_worlds_are_drawn_from_the_given_training_seeds():
    args = Args(first_world=TRAIN.start + 7, worlds=3)
    drawn = list(islice(worlds_to_train_on(args, 0, 0), 60))
    assert set(drawn) == set(range(TRAIN.start + 7, TRAIN.start + 10))
    assert drawn == list(islice(worlds_to_train_on(args, 0, 0), 60))
    assert drawn != list(islice(worlds_to_train_on(args, 1, 0), 60))
    assert drawn != list(islice(worlds_to_train_on(args, 0, 64), 60))


def test_a_missing_extra_is_named(tmp_path):
    code = (
        "import sys; sys.modules['stable_baselines3'] = None\n"
        "from optimus_gym.baselines.ppo_flat import Args, train\n"
        f"train(Args(out={str(tmp_path)!r}), 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert 'pip install -e ".[train]"' in run.stderr


def test_a_damaged_model_is_refused_in_one_line(short, tmp_path, capsys):
    args = Args(out=str(tmp_path), resume=True, **SMALL)
    args.model(0).parent.mkdir()
    args.model(0).write_bytes(b"PK no model")
    assert main(["--out", str(tmp_path), *options(SMALL), "--training-seeds", "0", "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ppo_flat: model: ")


def test_training_uses_training_seeds_and_evaluation_validation_seeds(short, tmp_path, begun):
    args = Args(out=str(tmp_path), **SMALL)
    model = train(args, 0)
    assert len(set(begun)) > args.rows
    assert all(seed in TRAIN for seed in begun)
    begun.clear()
    play_learned(args, 0, model)
    assert set(begun) - {SPARE} == set(VALIDATION[:2])


def test_the_same_seed_trains_the_same_policy(short, tmp_path):
    runs = (("a", 0), ("b", 0), ("c", 1))
    models = [train(Args(out=str(tmp_path / name), **SMALL), seed) for name, seed in runs]
    first, again, other = map(weights, models)
    assert (first == again).all()
    assert not (first == other).all()


def test_a_loaded_model_plays_the_same_actions(short, tmp_path, monkeypatch):
    args = Args(out=str(tmp_path), **SMALL)
    model = train(args, 0)
    step, made = LogGathering.step, []

    def noted(gathering, actions):
        made.append(actions.tolist())
        return step(gathering, actions)

    monkeypatch.setattr(LogGathering, "step", noted)
    play_learned(args, 0, model)
    first = made.copy()
    made.clear()
    play_learned(args, 0, model)
    assert made == first
    assert len(set(map(tuple, first))) > 1


def test_a_model_is_never_overwritten(short, tmp_path):
    args = Args(out=str(tmp_path), **SMALL)
    train(args, 0)
    kept = args.model(0).read_bytes()
    with pytest.raises(BadValue, match="expected a folder without a model, or --resume"):
        train(args, 0)
    assert args.model(0).read_bytes() == kept


def test_an_interrupted_training_resumes(short, tmp_path, monkeypatch, capsys):
    from stable_baselines3 import PPO

    from optimus_gym.baselines import sb3_watch

    args = Args(out=str(tmp_path), **SMALL)
    step, made = LogGathering.step, []

    def interrupted(gathering, actions):
        made.append(actions)
        if len(made) == 21:
            raise KeyboardInterrupt
        return step(gathering, actions)

    monkeypatch.setattr(LogGathering, "step", interrupted)
    assert main(["--out", str(tmp_path), *options(SMALL), "--training-seeds", "0"]) == INTERRUPTED
    assert capsys.readouterr().err.endswith(f"ppo_flat: stopped; {GOES_ON}\n")
    assert PPO.load(args.model(0)).num_timesteps == 40
    resumed = Args(out=str(tmp_path), resume=True, **SMALL)
    shown = shown_bars(monkeypatch, sb3_watch)
    model = train(resumed, 0)
    assert model.num_timesteps >= args.steps
    assert [task.fields["kept"] for task in shown[0].tasks] == [40]
    assert {path.name for path in args.model(0).parent.glob("log_*")} == {
        "log_from_0",
        "log_from_40",
    }
    played = len(made)
    assert (weights(train(resumed, 0)) == weights(model)).all()
    assert len(made) == played


def test_a_training_resumes_with_its_own_arguments_only(tmp_path):
    begin(Args(out=str(tmp_path)))
    begin(Args(out=str(tmp_path), resume=True, episodes=7))
    with pytest.raises(BadValue, match=r"entropy: expected 0.01 as in .*config.json, got 0.5"):
        begin(Args(out=str(tmp_path), resume=True, entropy=0.5))


@pytest.mark.parametrize("content", [b"[", b"[]", b'{"arguments": 3}'])
def test_a_damaged_configuration_is_refused(tmp_path, content):
    (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(BadValue, match=r"config\.json"):
        begin(Args(out=str(tmp_path), resume=True))
    assert (tmp_path / "config.json").read_bytes() == content


def test_a_file_in_place_of_the_folder_is_refused_at_once(tmp_path, capsys):
    out = tmp_path / "run"
    out.write_bytes(b"mine")
    assert main(["--out", str(out)]) == 2
    _, told = capsys.readouterr()
    assert told == f"ppo_flat: out: expected a folder, got the file '{out}'\n"
    assert out.read_bytes() == b"mine"


def options(given):
    return [
        part
        for name, value in given.items()
        for part in ("--" + name.replace("_", "-"), str(value))
    ]


def test_the_command_prints_and_writes_the_table(short, tmp_path, capsys):
    main(["--out", str(tmp_path / "run"), *options(SMALL)])
    table = json.loads((tmp_path / "run" / "result.json").read_text())
    names = [row["policy"] for row in table["policies"]]
    assert names == [
        "random",
        *(f"always {name}" for name in ACTIONS),
        *(f"PPO, training seed {seed}" for seed in (0, 1, 2)),
        "PPO, all training seeds",
    ]
    assert [row["training_seed"] for row in table["differences"]] == [0, 1, 2, None] * 2
    assert table["differences"][0]["rival"] == "random"
    assert table["episodes"] == {"seed": VALIDATION.start, "count": 2}
    printed, bars = capsys.readouterr()
    assert all(name in printed for name in names)
    assert "64/64" in bars
    assert "episodes of always forward" in bars
    assert printed.count("beat it") == 8  # no policy gets three logs in two episodes of 40 ticks
    files = {path.name for path in (tmp_path / "run").iterdir()}
    assert files == {"config.json", "result.json", "seed_0", "seed_1", "seed_2"}


@pytest.mark.slow
def test_ppo_beats_chance_and_the_best_constant_action(tmp_path):
    pytest.importorskip("stable_baselines3")
    given = {"episodes": 60, "training_seeds": 3}
    main(["--out", str(tmp_path), *options(given)])
    table = json.loads((tmp_path / "result.json").read_text())
    rates = {row["policy"]: row["success"] for row in table["policies"]}
    assert [row["beats"] for row in table["differences"]] == [True, True]
    assert rates.pop("PPO, training seed 3") > 0.4
    assert max(rates.values()) < 0.2  # the task is not half solved without looking
