"""Policies are played as they were trained if their files describe the training."""

import json
import zipfile
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
import torch
from gymnasium import spaces
from stable_baselines3 import PPO

import optimus_gym  # noqa: F401
from optimus_gym.baselines.ppo_under_planner import train, worlds
from optimus_gym.baselines.skill_run import ACTIONS, SkillArgs
from optimus_gym.controllers.sb3 import Sb3Controller
from optimus_gym.core.actions import ATTACK, CONTROL_LENGTH, DROP, KEYS, noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import SubGoal
from optimus_gym.seeds import VALIDATION
from tests.controllers.play import SPACE, act, setting_of
from tests.controllers.policies import model_of, space_of
from tests.controllers.test_sb3 import ROWS, rewritten, sample

SEED = VALIDATION[3]
SIDE = 48
TICKS = 200
MINE = SubGoal("mine", "oak_log", 1)
SET = [{"forward": 1, "drop": 1}, {"yaw": 3}, {"attack": 1}, {"hotbar": 4}, {}]


def attached(source, hold=None, rows=ROWS, **options):
    controller = Sb3Controller(str(source), hold=hold, **options)
    controller.attach(setting_of(rows=rows))
    controller.begin_episodes(range(rows), range(rows))
    return controller


def model_with(told, path, **arguments) -> Path:
    model = model_of(**arguments)
    model.optimus_gym = told
    model.save(path / "model.zip")
    return path / "model.zip"


def set_model(path, told=None, **arguments) -> Path:
    """Save a policy that sees the picture and chooses from a set of actions."""
    told = {"actions": SET, "hold": 3} if told is None else told
    discrete = {"space": SPACE["pov"], "policy": "CnnPolicy", "actions": spaces.Discrete(len(SET))}
    return model_with(told, path, **{**discrete, **arguments})


def changed(path, told) -> Path:
    """Change a file's description of its training."""
    with zipfile.ZipFile(path) as archive:
        data = json.loads(archive.read("data"))
    return rewritten(path, data=json.dumps({**data, "optimus_gym": told}))


def args_in(folder) -> SkillArgs:
    """Return the arguments of a training of a few steps with small pictures."""
    return SkillArgs(
        out=str(folder), steps=32, rows=1, steps_an_update=16, batch=16, epochs=1, side=SIDE
    )


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the baseline's model after a few steps, changed so that its actions vary."""
    args = args_in(tmp_path_factory.mktemp("ppo_under_planner"))
    path = Path(train(args, 0)["source"])
    model = PPO.load(path, device="cpu")
    envs = worlds(args)
    envs.reset(seed=SEED)
    steps = [envs.step(np.array([k % len(ACTIONS)]))[0]["pov"] for k in range(21)]
    envs.close()
    net, draws = model.policy.action_net, torch.Generator().manual_seed(1)
    with torch.no_grad():
        net.weight.copy_(torch.randn(net.weight.shape, generator=draws))
        seen = model.policy.obs_to_tensor(np.concatenate(steps))[0]
        net.bias -= model.policy.get_distribution(seen).distribution.logits.mean(0)
        net.bias[list(ACTIONS).index("stand")] -= 1000  # a player who stands sees the same for ever
    model.save(path.with_name("lively.zip"))
    return model, path.with_name("lively.zip"), args


def watched(env):
    """Return a list that collects each tick's picture and action of row 0 of an environment."""
    view, ticks = env.unwrapped, []

    def noted(row):
        if row == 0:
            picture = view._view.observer.look([row], ["pov"])["pov"][0]
            ticks.append((picture.tobytes(), view.latest_action(row).tolist()))

    view.watch(noted)
    return ticks


def played_in_training(model, args) -> list[tuple[bytes, list[int]]]:
    """Return each tick's picture and low-level action in the environment of the training."""
    envs = worlds(args)
    ticks = watched(envs)
    seen, _ = envs.reset(seed=SEED)
    while len(ticks) < TICKS:
        seen, *_ = envs.step(model.predict(seen["pov"], deterministic=True)[0])
    envs.close()
    return ticks[:TICKS]


def played_by_the_controller(path, args, **given) -> list[tuple[bytes, list[int]]]:
    """Return each tick's picture and low-level action as the package plays the file."""
    env = gym.make(
        "Optimus-v0",
        subgoal=args.skill,
        controller=f"sb3:{path}",
        **{**args.pictures, **given},
    )
    ticks = watched(env)
    env.reset(seed=SEED)
    env.step(0)
    env.close()
    return ticks[:TICKS]


def test_a_policy_plays_as_in_its_training_tick_by_tick(trained):
    model, path, args = trained
    theirs, ours = played_in_training(model, args), played_by_the_controller(path, args)
    assert len(ours) == len(theirs) == TICKS
    for tick, (here, there) in enumerate(zip(ours, theirs, strict=True)):
        assert here[1] == there[1], tick
        assert here[0] == there[0], tick
    assert len({tuple(action) for _, action in ours}) > 2, "it does not choose one action alone"
    assert all(action[ATTACK] for _, action in ours)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"resolution": (64, 36)},
            r"resolution: expected \(48, 48\), .*got the environment's \(64, 36\)",
        ),
        (
            {"view_distance": 64},
            "view_distance: expected 32, as the model was trained with, got .* 64",
        ),
        (
            {"pov": "squeezed"},
            "pov: expected 'drawn', as the model was trained with, got .* 'squeezed'",
        ),
    ],
)
def test_an_environment_with_other_pictures_is_rejected(trained, given, told):
    given = {**trained[2].pictures, **given}
    with pytest.raises(BadValue, match=told):
        gym.make("Optimus-Wood-v0", controller=f"sb3:{trained[1]}", **given).reset(seed=0)


def test_an_action_of_a_set_is_held_but_drops_only_once(tmp_path):
    model = model_of(space=SPACE["pov"], policy="CnnPolicy", actions=spaces.Discrete(len(SET)))
    controller = attached(set_model(tmp_path))
    first, second = sample(["pov"]), {"pov": sample(["pov"])["pov"][::-1].copy()}
    chosen = model.predict(first["pov"], deterministic=True)[0]
    made = [act(controller, range(ROWS), seen)[0] for seen in (first, second, second, second)]
    for row, choice in enumerate(chosen):
        expected = noop()
        for key, value in SET[choice].items():
            expected[KEYS.index(key)] = value
        assert made[0][row].tolist() == expected.tolist()
        expected[DROP] = 0
        assert made[1][row].tolist() == made[2][row].tolist() == expected.tolist()
    fresh = act(attached(tmp_path / "model.zip"), range(ROWS), second)[0]
    assert made[3].tolist() == fresh.tolist()
    assert made[3].tolist() != made[2].tolist()


@pytest.mark.parametrize("border", ["begin_episodes", "begin_subgoals"])
def test_a_new_episode_or_sub_goal_ends_only_its_own_rows_hold(tmp_path, border):
    controller = attached(set_model(tmp_path))
    first, second = sample(["pov"]), {"pov": sample(["pov"])["pov"][::-1].copy()}
    act(controller, range(ROWS), first)
    getattr(controller, border)([0], [7 if border == "begin_episodes" else MINE])
    made = act(controller, range(ROWS), second)[0]
    held = act(attached(tmp_path / "model.zip"), range(ROWS), first)[0]
    fresh = act(attached(tmp_path / "model.zip"), range(ROWS), second)[0]
    held[:, DROP] = 0
    assert made[0].tolist() == fresh[0].tolist()
    assert made[1:].tolist() == held[1:].tolist()
    assert fresh[0].tolist() != held[0].tolist()


def test_drawn_actions_belong_to_the_set(tmp_path):
    rows = range(500)
    controller = attached(set_model(tmp_path), deterministic=False, rows=len(rows))
    seen = {"pov": np.repeat(sample(["pov"], 1)["pov"], len(rows), 0)}
    made = {tuple(action) for action in act(controller, rows, seen)[0].tolist()}
    allowed = {tuple(action) for action in controller._actions.tolist()}
    assert made <= allowed


def test_a_policy_with_frame_skip_is_held_by_the_option_or_the_file(tmp_path):
    """The controller holds keys like `FrameSkip`; file and option must agree."""
    told = model_with({"hold": 4}, tmp_path, space=space_of(("pov", "vitals")))
    silent = tmp_path / "silent.zip"
    model = model_of(space=space_of(("pov", "vitals")))
    model.save(silent)
    seen, other = sample(("pov", "vitals")), sample(("pov", "vitals"))
    other = {key: values[::-1].copy() for key, values in other.items()}
    chosen = model.predict(seen, deterministic=True)[0]
    for controller in (attached(told), attached(silent, hold=4), attached(told, hold=4)):
        made = [act(controller, range(ROWS), shown)[0] for shown in (seen, other, other, other)]
        assert made[0][:, :CONTROL_LENGTH].tolist() == chosen.tolist()
        for later in made[1:]:
            chosen[:, [7, 8, 9]] = 0
            assert later[:, :CONTROL_LENGTH].tolist() == chosen.tolist()
        chosen = model.predict(seen, deterministic=True)[0]
    assert act(attached(silent), range(ROWS), other)[0].tolist() != made[1].tolist()
    with pytest.raises(BadValue, match=r"hold: expected 4, as the model .* got 2"):
        attached(told, hold=2)
    for wrong in (0, 1201, 1.5, True):
        with pytest.raises(BadValue, match="hold: expected an integer from 1 to"):
            Sb3Controller(str(silent), hold=wrong)


@pytest.mark.parametrize(
    ("told", "error", "match"),
    [
        ([], BadValue, r"expected the attribute optimus_gym of .* to be a mapping, got \[\]"),
        ({"holds": 4}, UnknownName, r"unknown key in optimus_gym of the model .* did you mean 'hold'"),
        ({"actions": {}}, BadValue, "actions: expected a list of 1 to 10000 actions, got {}"),
        ({"actions": []}, BadValue, "actions: expected a list of 1 to 10000 actions, got"),
        ({"actions": [{}] * 10_001}, BadValue, "actions: expected a list of 1 to .* 10001 long"),
        ({"actions": [3] * 5}, BadValue, r"actions\[0\]: expected a mapping from keys to values, got 3"),
        ({"actions": [{"jmp": 1}] * 5}, UnknownName, r"key of .*actions\[0\] 'jmp'; did you mean 'jump'"),
        ({"actions": [{}, {"jump": 2}] * 2}, BadValue, r"actions\[1\]\['jump'\]: .*from 0 to 1"),
        ({"actions": [{}, {"yaw": -1}] * 2}, BadValue, r"actions\[1\]\['yaw'\]: .*from 0 to 10"),
        ({"actions": [{"craft": 1}]}, UnknownName, "'craft'"),
        ({"actions": [{}] * 4}, BadValue, r"expected 5 entries in `actions`, .* got 4"),
        ({"hold": 2}, BadValue, r"a set of 5 actions of its own \(Discrete\)"),
        ({"actions": SET, "hold": 0}, BadValue, "hold: expected an integer from 1 to 1200, got 0"),
        ({"actions": SET, "hold": 10**30}, BadValue, "hold: expected an integer from 1 to 1200, got 1"),
        ({"actions": SET, "stack": 65}, BadValue, "stack: expected an integer from 1 to 64, got 65"),
        ({"actions": SET, "view_distance": "far"}, BadValue, "view_distance: expected an integer from 16"),
        ({"actions": SET, "pov": "painted"}, UnknownName, "pov 'painted'"),
    ],
)  # fmt: skip
def test_a_bad_description_of_the_training_is_rejected_in_one_line(tmp_path, told, error, match):
    path = changed(set_model(tmp_path), told)
    with pytest.raises(error, match=match) as raised:
        attached(path)
    assert "\n" not in str(raised.value)
    assert "model.zip" in str(raised.value)


def test_a_set_that_the_action_space_does_not_contain_is_rejected(tmp_path):
    path = model_with({"actions": SET}, tmp_path)
    with pytest.raises(BadValue, match="names actions that its action space does not have"):
        attached(path)
