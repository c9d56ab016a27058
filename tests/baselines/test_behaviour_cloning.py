import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from optimus_gym.baselines import behaviour_cloning
from optimus_gym.baselines.behaviour_cloning import (
    COMMAND,
    GOES_ON,
    Args,
    Training,
    begun,
    train,
)
from optimus_gym.baselines.recorded_episodes import (
    Episodes,
)
from optimus_gym.baselines.run_folder import training_folder
from optimus_gym.controllers.vpt.checkpoint import load_policy
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.terminal.stopping import INTERRUPTED
from tests.baselines.cloning import (
    MEAN,
    episodes_of,
    given_to,
    graded,
    options,
    rows_of,
    write,
)
from tests.baselines.watching import shown_bars

pytest.importorskip("minari")
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def test_options_fill_the_dataclass():
    short = ["--dataset", "a-v0", "--size", "2x"]
    assert COMMAND.parse(short) == Args(dataset="a-v0", size="2x")
    args = Args(
        dataset="a-v0", model_file="a.model", weights_file="b", goals=True, clip=0.5, batch=3
    )
    assert COMMAND.parse(options(args)) == args


@pytest.mark.parametrize(
    "wrong",
    [
        {"dataset": ""},
        {"size": ""},
        {"model_file": "a.model", "weights_file": "a.weights"},
        {"size": "", "model_file": "a.model"},
        {"size": "", "weights_file": "a.weights"},
        {"training_seed": -1},
        {"updates": 0},
        {"batch": 0},
        {"chunk": 0},
        {"save_every": 0},
        {"threads": 0},
        {"learning_rate": -0.1},
        {"learning_rate": float("nan")},
        {"warm_up": 1.5},
        {"weight_decay": 2.0},
        {"clip": 0.0},
        {"clip": float("nan")},
    ],
)
def test_bad_arguments_are_refused(wrong):
    with pytest.raises(BadValue, match="expected"):
        Args(**{"dataset": "a-v0", "size": "tiny", **wrong})


def test_an_unknown_size_is_refused():
    with pytest.raises(UnknownName, match="unknown size '4x'"):
        Args(dataset="a-v0", size="4x")


def test_the_rate_rises_and_falls_as_a_cosine():
    args = Args(dataset="a-v0", size="tiny", updates=100, warm_up=0.2, learning_rate=0.5)
    rates = [args.rate(k) for k in range(100)]
    assert rates[:20] == pytest.approx([0.5 * (k + 1) / 20 for k in range(20)])
    assert rates[20] == 0.5
    assert rates[60] == pytest.approx(0.25)
    assert 0 < rates[99] < 0.001
    assert sorted(rates[20:], reverse=True) == rates[20:]
    assert Args(dataset="a-v0", size="tiny", warm_up=0.0).rate(0) == 1.81e-4
    assert Args(dataset="a-v0", size="tiny", warm_up=0.0, goals=True).rate(0) == 4e-5
    assert Args(dataset="a-v0", size="tiny", warm_up=1.0, updates=4).rate(3) == 1.81e-4


def test_the_rate_and_the_memory_advance_with_each_update(tmp_path, root):
    write(root, lengths=(20,) * 4)
    args = given_to(tmp_path, warm_up=0.5)
    training = begun(args)
    for update, going in enumerate(training.left()):
        training.update(going)
        rates = {group["lr"] for group in training._optimizer.param_groups}
        assert rates == {args.rate(update)}
        known = training._memory.known.sum(1).tolist()
        assert known == [min(4 * (update % 5 + 1), 16)] * 2
    assert len({args.rate(update) for update in range(6)}) > 3


def test_the_held_out_goals_are_the_same_in_every_evaluation(tmp_path, root):
    write(root, lengths=(20,) * 3 + (120,), change=lambda pov, done: (graded(pov), done))
    training = begun(given_to(tmp_path, goals=True, aligner=MEAN, batch=1, chunk=128))
    before = training.held_out()
    training.done = 5
    assert training.held_out() == before


def test_training_drops_goals_with_the_published_probability(tmp_path, root, monkeypatch):
    write(root)
    asked, visit = [], Episodes.visit

    def noted(episodes, number, draws, stretch=1, aimless=0.0):
        asked.append((number, stretch, aimless))
        return visit(episodes, number, draws, stretch, aimless)

    monkeypatch.setattr(Episodes, "visit", noted)
    train(given_to(tmp_path, goals=True, aligner=MEAN, updates=1))
    assert [entry for entry in asked if entry[0] == 3] == [(3, 1, 0.0)]  # held out
    assert {entry[1:] for entry in asked if entry[0] != 3} == {(40, 0.1)}


def test_biases_and_norms_do_not_decay(tmp_path, root):
    write(root)
    training = begun(given_to(tmp_path, goals=True, aligner=MEAN, weight_decay=0.25))
    names = {id(one): name for name, one in training._policy.named_parameters()}
    decay = {
        names[id(one)]: group["weight_decay"]
        for group in training._optimizer.param_groups
        for one in group["params"]
    }
    assert set(decay.values()) == {0.0, 0.25}
    for name, value in decay.items():
        plain = name.endswith(".bias") or ".norm." in name or "_ln." in name or ".n." in name
        assert value == (0.0 if plain else 0.25), name
    own = [name for name in names.values() if not name.startswith("value_head")]
    assert sorted(decay) == sorted(own)


def test_training_beats_the_most_frequent_action(tmp_path, root, capsys):
    write(root, lengths=(20,) * 6)
    args = given_to(tmp_path, batch=4, updates=45, save_every=15, learning_rate=1e-2, threads=1)
    COMMAND.main(options(args))
    rows = rows_of(args)
    assert [row["update"] for row in rows] == [15, 30, 45]
    assert rows[-1]["ticks"] == 15 * 16
    last = rows[-1]
    assert last["held_out_loss"] < 0.5 < 1.2 < last["rival_loss"] < 1.7
    assert last["held_out_buttons"] == last["held_out_camera"] == 1.0
    assert last["rival_buttons"] < 0.8
    assert rows[0]["loss"] > rows[1]["loss"] > last["loss"]
    printed, shown = capsys.readouterr()
    loss = f"{last['held_out_loss']:.3f}"
    assert printed.splitlines()[2].split() == ["held", "out", loss, "1.000", "1.000"]
    assert "45/45" in shown
    policy = load_policy(args.file("policy.model"), args.file("policy.weights"))
    again = Training(args, policy, episodes_of(tmp_path)).held_out()
    assert again["loss"] == pytest.approx(last["held_out_loss"], rel=1e-5)


def interrupted(monkeypatch, after, how):
    """Call a function within the update that follows a number of updates."""
    update, count = Training.update, []

    def broken(training, going):
        count.append(going)
        if len(count) == after + 1:
            how()
        return update(training, going)

    monkeypatch.setattr(Training, "update", broken)
    return count


@pytest.fixture
def hears_ctrl_c():
    """Let this process handle Ctrl-C, which background jobs of a shell ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("goals", [False, True])
def test_a_stopped_and_resumed_training_ends_with_the_same_bytes(
    tmp_path, root, monkeypatch, capsys, hears_ctrl_c, goals
):
    write(root, lengths=(6, 25, 5, 9))
    whole = given_to(tmp_path / "a", goals=goals, aligner=MEAN)
    parts = given_to(tmp_path / "b", goals=goals, aligner=MEAN)
    COMMAND.main(options(whole))
    with monkeypatch.context() as patch:
        count = interrupted(patch, 2, lambda: os.kill(os.getpid(), signal.SIGINT))
        assert COMMAND.main(options(parts)) == INTERRUPTED
        assert capsys.readouterr().err.endswith(f"behaviour_cloning: stopped; {GOES_ON}\n")
        assert len(count) == 3
    assert torch.load(parts.file("state.pt"), weights_only=True)["done"] == 3
    shown = shown_bars(monkeypatch, behaviour_cloning)
    COMMAND.main(options(parts))
    assert [task.fields["kept"] for task in shown[0].tasks] == [3]
    for name in ("policy.weights", "metrics.csv", "policy.model"):
        assert parts.file(name).read_bytes() == whole.file(name).read_bytes(), name
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_crashed_training_resumes_from_its_last_row(tmp_path, root, monkeypatch):
    write(root)
    whole, parts = given_to(tmp_path / "a"), given_to(tmp_path / "b")
    train(whole)

    def fault():
        raise RuntimeError("out of memory")

    with monkeypatch.context() as patch:
        interrupted(patch, 5, fault)
        with pytest.raises(RuntimeError, match="out of memory"):
            train(parts)
    assert [(row["update"], row["ticks"]) for row in rows_of(parts)] == [(2, 16), (4, 16)]
    count = interrupted(monkeypatch, 100, fault)
    train(parts)
    assert len(count) == 2
    assert parts.file("policy.weights").read_bytes() == whole.file("policy.weights").read_bytes()
    parts.file("policy.weights").unlink()
    train(parts)
    assert len(count) == 2
    assert parts.file("policy.weights").read_bytes() == whole.file("policy.weights").read_bytes()


def test_a_second_interrupt_stops_at_once(tmp_path, root, monkeypatch):
    write(root)

    def twice():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    interrupted(monkeypatch, 0, twice)
    with pytest.raises(KeyboardInterrupt):
        train(given_to(tmp_path))
    assert not given_to(tmp_path).file("state.pt").exists()


def test_the_training_seed_alone_decides_the_weights(tmp_path, root):
    write(root)
    made = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        torch.manual_seed(len(made))
        args = given_to(tmp_path / name, training_seed=seed, updates=2)
        train(args)
        made.append(args.file("policy.weights").read_bytes())
    assert made[0] == made[1] != made[2]


def test_another_training_in_the_folder_is_refused(tmp_path, root):
    write(root)
    train(given_to(tmp_path, updates=1))
    kept = given_to(tmp_path).file("policy.weights").read_bytes()
    with pytest.raises(BadValue, match=r"batch: expected 2 as in '.*state.pt', got 3"):
        train(given_to(tmp_path, updates=1, batch=3))
    with pytest.raises(BadValue, match="updates: expected 1 as in"):
        train(given_to(tmp_path, updates=9))
    assert given_to(tmp_path).file("policy.weights").read_bytes() == kept


def test_a_loss_that_is_not_finite_stops_the_training(tmp_path, root):
    write(root)
    args = given_to(tmp_path)
    training = begun(args)
    with torch.no_grad():
        training._policy.pi_head.buttons.linear_layer.bias[0] = float("nan")
    before = training._policy.pi_head.camera.linear_layer.weight.clone()
    with pytest.raises(BadValue, match="keeps the loss finite, got a loss of nan in update 1"):
        training.update(next(training.left()))
    assert torch.equal(training._policy.pi_head.camera.linear_layer.weight, before)


def test_the_configuration_is_written(tmp_path, root):
    write(root)
    args = given_to(tmp_path, updates=1)
    assert COMMAND.main(options(args)) == 0
    told = json.loads(args.file("config.json").read_text())
    assert told["arguments"]["updates"] == 1
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        ".lock",
        "config.json",
        "metrics.csv",
        "policy.model",
        "policy.weights",
        "state.pt",
    }


def test_a_folder_of_another_baseline_is_refused(tmp_path, root, capsys):
    write(root)
    args = given_to(tmp_path, updates=1)
    with training_folder("ppo_flat", Path(args.out), False, {}, {"entropy": 0.5}):
        assert COMMAND.main(options(args)) == 2
        assert "another process trains in" in capsys.readouterr().err
    kept = args.file("config.json").read_bytes()
    assert COMMAND.main(options(args)) == 2
    assert "got one of 'ppo_flat'" in capsys.readouterr().err
    assert args.file("config.json").read_bytes() == kept


@pytest.mark.parametrize(("module", "extra"), [("torch", "torch"), ("minari", "record")])
def test_a_missing_extra_is_named(module, extra, tmp_path):
    code = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from optimus_gym.baselines.behaviour_cloning import Args, train\n"
        f"train(Args(dataset='a-v0', size='tiny', out={str(tmp_path)!r}))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 1
    assert f'pip install -e ".[{extra}]"' in run.stderr


def test_the_command_names_a_missing_extra_in_one_line():
    code = (
        "import runpy, sys; sys.modules['torch'] = None\n"
        "runpy.run_module('optimus_gym.baselines.behaviour_cloning', run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    assert line.startswith("behaviour_cloning: ")
    assert line.endswith('pip install -e ".[torch]"')


def test_gradients_are_clipped(tmp_path, root, monkeypatch):
    write(root)
    clipped = []
    clip = torch.nn.utils.clip_grad_norm_

    def noted(parameters, most):
        found = clip(parameters, most)
        clipped.append((found.item(), most))
        after = torch.stack([one.grad.norm() for one in parameters]).norm().item()
        assert after <= most * 1.001
        return found

    monkeypatch.setattr(behaviour_cloning.torch.nn.utils, "clip_grad_norm_", noted)
    train(given_to(tmp_path, updates=1, clip=0.01))
    ((length, most),) = clipped
    assert most == 0.01 < length
