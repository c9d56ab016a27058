"""The command trains in rounds, resumes, and measures."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.baselines.imitate import lesson_book as books
from optimus_gym.baselines.imitate import trials
from optimus_gym.baselines.imitate.__main__ import COMMAND, Args, train
from optimus_gym.baselines.imitate.lesson_book import Lesson
from optimus_gym.core.actions import CONTROL_SIZES
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TEST, TRAIN
from optimus_gym.terminal.stopping import INTERRUPTED

torch = pytest.importorskip("torch")
SMALL = {"rounds": 2, "updates": 12, "polish": 0, "batch": 16, "workers": 1}


@pytest.fixture
def short(monkeypatch):
    """Let the lessons be one short one."""
    monkeypatch.setattr(books, "lessons", lambda: (Lesson("SkillMineLog", 30, (2, 2), 0.2, 1.0),))
    monkeypatch.setattr(trials, "SKILLS", ("SkillMineLog",))


def options(given):
    return [
        part
        for name, value in given.items()
        for part in ("--" + name.replace("_", "-"), str(value))
    ]


def test_options_fill_the_dataclass():
    assert COMMAND.parse([]) == Args()
    assert COMMAND.parse(["--rounds", "2", "--scale", "0.5"]) == Args(rounds=2, scale=0.5)


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"scale": 0.0},
        {"updates": 0},
        {"learning_rate": 2.0},
        {"seed": TEST.start},
        {"seed": TRAIN.start},
        {"training_seed": -1},
        {"workers": 0},
    ],
)
def test_bad_arguments_are_refused(wrong):
    with pytest.raises(BadValue):
        Args(**wrong)


def weights(path):
    state = torch.load(path.parent / "state.pt", weights_only=True)["weights"]
    return torch.cat([one.ravel() for one in state.values()])


def test_each_round_adds_notes_and_a_network_and_equal_seeds_train_alike(short, tmp_path):
    runs = [
        train(Args(out=str(tmp_path / name), **{**SMALL, "workers": workers}))
        for name, workers in (("a", 1), ("b", 2))
    ]
    assert [path.name for path in runs[0]] == ["pixel.onnx"] * 2
    assert runs[0][1].read_bytes() == runs[1][1].read_bytes()
    assert (weights(runs[0][1]) == weights(runs[1][1])).all()
    assert not (weights(runs[0][0]) == weights(runs[0][1])).all()
    other = train(Args(out=str(tmp_path / "c"), training_seed=1, **SMALL))
    assert not (weights(other[1]) == weights(runs[0][1])).all()


def test_an_interrupted_training_ends_as_an_undisturbed_one(short, tmp_path, monkeypatch, capsys):
    from optimus_gym.baselines.imitate import imitation

    whole = train(Args(out=str(tmp_path / "whole"), **SMALL))
    batch, made = imitation.Material.batch, []

    def interrupted(material, draws, size):
        made.append(size)
        if len(made) == 18:
            import os

            os.kill(os.getpid(), signal.SIGINT)
        return batch(material, draws, size)

    monkeypatch.setattr(imitation.Material, "batch", interrupted)
    out = ["--out", str(tmp_path / "cut"), "--episodes", "0", *options(SMALL)]
    assert COMMAND.main(out) == INTERRUPTED
    assert "--resume continues" in capsys.readouterr().err
    assert COMMAND.main([*out, "--resume"]) == 0
    assert len(made) == 24
    cut = tmp_path / "cut" / "round_1" / "pixel.onnx"
    assert (weights(cut) == weights(whole[1])).all()


def children(number):
    return {int(one) for one in Path(f"/proc/{number}/task/{number}/children").read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_stopped_training_leaves_no_process(tmp_path):
    command = [sys.executable, "-m", "optimus_gym.baselines.imitate", "--out", str(tmp_path)]
    with subprocess.Popen([*command, "--workers", "2"], stderr=subprocess.PIPE, text=True) as run:
        found = set()
        while run.poll() is None and len(found) < 4:  # two players, the guard, Python's tracker
            found |= children(run.pid)
            time.sleep(0.05)
        time.sleep(1)
        run.terminate()
        told = run.communicate(timeout=30)[1]
    assert run.returncode == 128 + signal.SIGTERM
    assert "--resume continues" in told
    assert "hung" not in told
    end = time.monotonic() + 5
    while any(Path(f"/proc/{one}").exists() for one in found) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [one for one in found if Path(f"/proc/{one}").exists()]


def test_a_resumed_training_of_more_rounds_polishes_again(short, tmp_path):
    given = {**SMALL, "polish": 3}
    out = str(tmp_path)
    first = train(Args(out=out, **{**given, "rounds": 1}))
    more = train(Args(out=out, resume=True, **given))
    assert [path.parent.name for path in first] == ["round_0", "polished_1"]
    assert [path.parent.name for path in more] == ["round_0", "round_1", "polished_2"]
    assert not (weights(first[-1]) == weights(more[-1])).all()


def test_a_training_resumes_with_its_own_arguments_only(short, tmp_path, capsys):
    out = ["--out", str(tmp_path), "--episodes", "0", *options({**SMALL, "rounds": 1})]
    assert COMMAND.main(out) == 0
    assert COMMAND.main([*out, "--resume", "--batch", "17"]) == 2
    assert "batch: expected 16 as in" in capsys.readouterr().err
    assert COMMAND.main([*out, "--training-seed", "1"]) == 2
    assert "expected a folder without a training" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"labels": np.full((1, 13), 99, np.int8)}, "expected a picture, facts and labels of keys"),
        ({"lengths": np.zeros(1, np.int64)}, "expected a picture, facts and labels of keys"),
        ({"stamp": np.array('{"looks": "0", "keys": "0", "senses": "0"}')}, "looks"),
    ],
)
def test_notes_that_do_not_fit_are_refused(short, tmp_path, capsys, changed, told):
    out = ["--out", str(tmp_path), "--episodes", "0", *options({**SMALL, "rounds": 1})]
    assert COMMAND.main(out) == 0
    file = tmp_path / "round_0" / "SkillMineLog.npz"
    with np.load(file) as archive:
        notes = dict(archive)
    np.savez(file, **{**notes, **changed})
    more = ["--rounds", "2"] if "stamp" not in changed else []
    assert COMMAND.main([*out, "--resume", *more]) == 2
    assert told in capsys.readouterr().err


def constant_loss(labels):
    """Return the loss of the best answer that ignores its input: the frequency of each key's values."""
    found = 0.0
    for key, size in enumerate(CONTROL_SIZES):
        share = np.bincount(labels[:, key], minlength=size) / len(labels)
        found -= float((share[share > 0] * np.log(share[share > 0])).sum())
    return found


def test_learning_lowers_the_loss(short, tmp_path):
    from optimus_gym.baselines.imitate.imitation import Material, learn, ready_network

    args = Args(out=str(tmp_path), rounds=1, updates=1, polish=0, batch=4, workers=1)
    train(args)
    lesson = books.lessons()[0]
    notes = [args.folder(0) / f"{lesson.task}.npz"]
    material = Material([lesson], notes)
    file = tmp_path / "more.pt"
    given = {"round_": 0, "updates": 250, "batch": 32, "rate": 1e-3, "seed": 0}
    loss = learn(ready_network(0), [lesson], notes, file, **given)
    assert loss < 0.9 * constant_loss(material.labels)


def test_the_material_has_all_notes_in_the_files_order(short, tmp_path):
    from optimus_gym.baselines.imitate.imitation import Material
    from optimus_gym.baselines.imitate.practice import read_shard

    args = Args(out=str(tmp_path), **SMALL)
    train(args)
    lesson = books.lessons()[0]
    notes = [args.folder(number) / f"{lesson.task}.npz" for number in (0, 1)]
    material = Material([lesson] * 2, notes)
    for name in ("pictures", "facts", "labels"):
        whole = np.concatenate([getattr(read_shard(file), name) for file in notes])
        assert (getattr(material, name) == whole).all()


def test_the_command_measures_networks_and_floors(short, tmp_path, capsys):
    given = {**SMALL, "rounds": 1, "polish": 3, "episodes": 2}
    assert COMMAND.main(["--out", str(tmp_path), *options(given)]) == 0
    rows = json.loads((tmp_path / "result.json").read_text())["rows"]
    names = [row["policy"] for row in rows]
    assert names == [
        *trials.FLOORS,
        "pixel, last, blind",
        "pixel, round_0",
        "pixel, polished_1",
        *trials.PRIVILEGED,
    ]
    printed = capsys.readouterr().out
    assert all(name in printed for name in names)


def test_a_blind_network_sees_nothing():
    seen = []

    class Probe(trials.Blind):
        def decide(self, rows, pictures, facts):
            seen.append(int(np.ptp(pictures)))
            return super().decide(rows, pictures, facts)

    from optimus_gym.baselines.imitate.practice import play

    play(Probe(), Lesson("SkillMineLog", 10, (1, 1), 0.0, 1.0), range(90_030, 90_031))
    assert set(seen) == {0}
