"""Recurrent PPO in plain torch: its parts are right, and its policy plays as a controller."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.baselines.skill_run import ACTIONS, SkillArgs
from optimus_gym.core.errors import BadValue
from optimus_gym.seeds import TRAIN, VALIDATION
from optimus_gym.terminal.stopping import INTERRUPTED
from tests.baselines.test_skill_run import SMALL, begun, options  # noqa: F401

pytest.importorskip("tensorboard")
import torch

from optimus_gym.baselines import ppo_vec
from optimus_gym.baselines.ppo_vec import (
    COMMAND,
    TRACE,
    UNITS,
    Collector,
    Rollout,
    learn,
    new_network,
    train,
)
from optimus_gym.baselines.vec_controller import VecController

SIDE = SMALL["side"]


def rollout(rewards, values, begins):
    steps = torch.tensor(rewards, dtype=torch.float32)[:, None]
    empty = torch.zeros_like(steps)
    return Rollout(
        torch.zeros(len(steps), 1, SIDE, SIDE, 3, dtype=torch.uint8),
        torch.tensor(begins, dtype=torch.float32)[:, None],
        empty.long(),
        empty,
        torch.tensor(values, dtype=torch.float32)[:, None],
        steps,
        torch.zeros(1, UNITS),
    )


def test_advantages_are_those_of_generalised_advantage_estimation():
    rewards, values, discount = [0.0, 1.0, 0.5], [0.2, 0.4, 0.1], 0.9
    found = rollout(rewards, values, [1, 0, 0]).advantages(
        discount, torch.zeros(1), torch.tensor([0.3])
    )
    errors = [0.9 * 0.4 - 0.2, 1 + 0.9 * 0.1 - 0.4, 0.5 + 0.9 * 0.3 - 0.1]
    share = discount * TRACE
    wanted = [errors[0] + share * (errors[1] + share * errors[2]), errors[1] + share * errors[2]]
    assert found[:, 0].tolist() == pytest.approx([*wanted, errors[2]])


@pytest.mark.parametrize(("begins", "next_begins"), [([1, 0, 1], 0), ([1, 0, 0], 1)])
def test_no_value_flows_back_over_an_episodes_end(begins, next_begins):
    found = rollout([0.0, 1.0, 0.5], [0.0, 0.0, 7.0], begins).advantages(
        0.9, torch.tensor([float(next_begins)]), torch.tensor([50.0])
    )
    if next_begins:
        assert found[2, 0] == pytest.approx(0.5 - 7)
    else:
        assert found[1, 0] == pytest.approx(1.0)


def test_the_memory_is_empty_at_an_episodes_beginning():
    network, draws = new_network(SIDE, 0), np.random.default_rng(0)
    shape = (4, 2, SIDE, SIDE, 3)
    pictures = torch.from_numpy(draws.integers(0, 256, shape, np.uint8))
    begins = torch.tensor([[1.0, 1], [0, 0], [1, 0], [0, 0]])
    with torch.no_grad():
        whole, _, _ = network(pictures, begins, torch.ones(2, UNITS))
        late, _, _ = network(pictures[2:], begins[2:], torch.zeros(2, UNITS))
    assert torch.allclose(whole[2:, 0], late[:, 0], atol=1e-6)
    assert not torch.allclose(whole[2:, 1], late[:, 1], atol=1e-6)


def test_a_new_network_leaves_torchs_generator_unchanged():
    torch.manual_seed(5)
    wanted = torch.rand(1)
    torch.manual_seed(5)
    new_network(SIDE, 0)
    assert torch.rand(1) == wanted


def test_updates_make_rewarded_actions_likelier():
    args = SkillArgs(**{**SMALL, "rows": 4, "epochs": 8})
    network = new_network(SIDE, 0)
    collector = Collector(args, TRAIN.start)
    found = collector.collect(network)
    collector.close()
    found.rewards = (found.actions == 3).float()
    gained = found.rewards - found.rewards.mean()

    def chance():
        with torch.no_grad():
            scores, _, _ = network(found.pictures, found.begins, found.state)
        return torch.softmax(scores, 2)[..., 3].mean().item()

    before = chance()
    optimizer = torch.optim.Adam(network.parameters(), 1e-3)
    learn(args, network, optimizer, found, gained, np.random.default_rng(0))
    assert chance() > before + 0.02


def test_a_step_that_a_time_limit_ends_is_worth_the_last_pictures_value(monkeypatch):
    args = SkillArgs(**SMALL)
    collector, network = Collector(args, TRAIN.start), new_network(SIDE, 0)
    step = collector._worlds.step

    def cut_off(actions):
        seen, rewards, terminated, _, infos = step(actions)
        last = [{"pov": seen["pov"][0]}, None]
        infos |= {"final_obs": last, "final_info": {"is_success": np.array([False, False])}}
        return seen, rewards, terminated, np.array([True, False]), infos

    monkeypatch.setattr(collector._worlds, "step", cut_off)
    with torch.no_grad():
        network.valuing.bias.fill_(10)
        paid = collector._step(network, np.zeros(2, np.int64))
    assert paid[0] > 9
    assert paid[1] < 1
    assert collector.begins.tolist() == [1, 0]


def test_training_uses_training_seeds_and_evaluation_validation_seeds(tmp_path, begun):  # noqa: F811
    args = SkillArgs(out=str(tmp_path), **SMALL)
    policy = train(args, 0)
    assert begun
    assert all(seed in TRAIN for seed in begun)
    begun.clear()
    first = args.trial.successes("policy", policy)
    assert set(begun) - {TRAIN.start} == set(VALIDATION[:3])
    assert args.trial.successes("policy", policy).tolist() == first.tolist()


def test_the_same_seed_trains_the_same_policy(tmp_path):
    def weights(name, seed):
        args = SkillArgs(out=str(tmp_path / name), **SMALL)
        state = ppo_vec.read_state(Path(train(args, seed)["source"]), ppo_vec.STATE)
        return torch.cat([tensor.ravel() for tensor in state["weights"].values()])

    first, again, other = (weights(*one) for one in (("a", 0), ("b", 0), ("c", 1)))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


def test_a_state_is_never_overwritten_and_a_training_resumes(tmp_path):
    args = SkillArgs(out=str(tmp_path), **SMALL)
    file = Path(train(args, 0)["source"])
    with pytest.raises(BadValue, match="expected a folder without a model, or --resume"):
        train(args, 0)
    kept = file.read_bytes()
    train(SkillArgs(out=str(tmp_path), resume=True, **SMALL), 0)
    assert file.read_bytes() == kept, "a finished training is not repeated"
    train(SkillArgs(out=str(tmp_path), resume=True, **{**SMALL, "steps": 96}), 0)
    assert ppo_vec.read_state(file, ppo_vec.STATE)["steps"] == 96
    assert {one.name for one in file.parent.glob("log_*")} == {"log_from_0", "log_from_64"}


def test_an_interrupted_training_is_saved(tmp_path, monkeypatch, capsys):
    import signal

    learned = ppo_vec.learn

    def interrupted(*given):
        signal.raise_signal(signal.SIGINT)
        return learned(*given)

    monkeypatch.setattr(ppo_vec, "learn", interrupted)
    given = ["--out", str(tmp_path), *options(SMALL), "--training-seeds", "0"]
    assert COMMAND.main(given) == INTERRUPTED
    assert capsys.readouterr().err.endswith("--resume continues from the saved models\n")
    assert ppo_vec.read_state(tmp_path / "seed_0" / "state.pt", ppo_vec.STATE)["steps"] == 32


def test_the_controller_acts_as_the_network_with_a_memory(tmp_path):
    args = SkillArgs(out=str(tmp_path), **SMALL)
    policy = train(args, 0)
    env = gym.make("Optimus-v0", controller=policy, subgoal=args.skill, **args.pictures)
    env.reset(seed=VALIDATION[0])
    controller = env.unwrapped._view.executors.controller
    assert isinstance(controller, VecController)
    controller.begin_episodes([0, 1], [3, 3])
    pictures = np.random.default_rng(0).integers(0, 256, (9, 2, SIDE, SIDE, 3), np.uint8)
    mask = np.ones(2, np.bool_)
    for tick in range(9):
        controller.act([0, 1], {"pov": pictures[tick]}, mask)
    state = controller._states[1]
    assert not torch.equal(controller._states[0], state)
    begins = torch.zeros(3, 2)
    with torch.no_grad():
        wanted = controller._network(
            torch.from_numpy(pictures[::4]), begins, torch.zeros(2, UNITS)
        )[2]
    assert torch.allclose(state, wanted[1], atol=1e-6), "an action is held for four ticks"
    env.close()
    for copied in (copy.deepcopy(controller), pickle.loads(pickle.dumps(controller))):
        assert not hasattr(copied, "_states")


def test_drawn_actions_have_the_networks_probabilities(tmp_path):
    args = SkillArgs(out=str(tmp_path), **SMALL)
    env = gym.make("Optimus-v0", controller=train(args, 0), subgoal=args.skill, **args.pictures)
    env.reset(seed=VALIDATION[0])
    controller = env.unwrapped._view.executors.controller
    with torch.no_grad():
        controller._network.acting.weight.zero_()
        chances = np.arange(1, 8) / 28
        controller._network.acting.bias.copy_(torch.from_numpy(np.log(chances)))
    rows = list(range(3000))
    controller.begin_episodes(rows, rows)
    pictures = np.zeros((len(rows), SIDE, SIDE, 3), np.uint8)
    chosen = controller._choose(rows, pictures)
    table = controller._actions.tolist()
    counts = np.bincount([table.index(one) for one in chosen.tolist()], minlength=len(ACTIONS))
    assert np.abs(counts / len(rows) - chances).max() < 0.04
    env.close()


@pytest.mark.parametrize(
    ("made", "match"),
    [
        (lambda file: None, "expected the file state.pt"),
        (lambda file: file.write_bytes(b"x"), "state: .*delete the file to start again"),
    ],
)
def test_a_file_that_is_no_state_is_refused(made, match, tmp_path):
    file = tmp_path / "state.pt"
    made(file)
    part = {"name": "optimus_gym.baselines.vec_controller:VecController", "source": str(file)}
    with pytest.raises(BadValue, match=match):
        gym.make("Optimus-Wood-v0", controller=part, resolution=(36, 36)).reset(seed=0)


def test_pictures_of_another_size_are_refused(tmp_path):
    policy = train(SkillArgs(out=str(tmp_path), **SMALL), 0)
    with pytest.raises(BadValue, match=r"resolution: expected \(36, 36\)"):
        gym.make("Optimus-Wood-v0", controller=policy, resolution=(64, 64)).reset(seed=0)


def test_the_command_writes_the_table_and_the_log(tmp_path):
    given = ["--out", str(tmp_path), *options({**SMALL, "training_seeds": 0})]
    assert COMMAND.main(given) == 0
    table = json.loads((tmp_path / "result.json").read_text())
    assert table["policies"][-1]["policy"] == "recurrent PPO, training seed 0"
    assert list((tmp_path / "seed_0" / "log_from_0").glob("events*"))


def test_a_missing_extra_is_named_in_one_line():
    code = (
        "import sys, runpy; sys.modules['torch'] = None\n"
        "runpy.run_module('optimus_gym.baselines.ppo_vec', run_name='__main__')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert 'pip install -e ".[train]"' in run.stderr
