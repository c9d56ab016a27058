"""Policies are played as they were trained if their files describe the training."""

import json
import zipfile
from itertools import repeat
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces

import optimus_gym  # noqa: F401
from optimus_gym.baselines import log_gathering
from optimus_gym.baselines.log_gathering import (
    ACTIONS,
    BIOME,
    INVENTORY,
    LOGS,
    SIDE,
    VIEW_DISTANCE,
    LogGathering,
)
from optimus_gym.baselines.ppo_flat import Args, train
from optimus_gym.controllers.sb3.sb3 import Sb3Controller
from optimus_gym.core.actions import ATTACK, CONTROL_LENGTH, DROP, KEYS, noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import SubGoal
from optimus_gym.seeds import VALIDATION
from tests.controllers.play import SPACE, act, setting_of
from tests.controllers.policies import model_of, space_of
from tests.controllers.sb3.test_sb3 import ROWS, rewritten, sample

SEED = VALIDATION[3]
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


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the baseline's model after a few steps, changed so that its actions vary."""
    import torch

    folder = str(tmp_path_factory.mktemp("ppo_flat"))
    args = Args(out=folder, steps=32, rows=2, steps_an_update=16, batch=16, epochs=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_gathering, "TICKS", 40)
        model = train(args, 0)
    gathering = LogGathering(repeat(SEED), 1)
    gathering.reset()
    pictures = np.concatenate([gathering.step(np.array([k % len(ACTIONS)]))[0] for k in range(21)])
    gathering.close()
    net, draws = model.policy.action_net, torch.Generator().manual_seed(1)
    with torch.no_grad():
        net.weight.copy_(torch.randn(net.weight.shape, generator=draws))
        seen = model.policy.obs_to_tensor(pictures)[0]
        net.bias -= model.policy.get_distribution(seen).distribution.logits.mean(0)
    path = args.model(0).with_name("lively.zip")
    model.save(path)
    return model, path


def played_in_training(model) -> list[tuple[bytes, list[int]]]:
    """Return each tick's picture and low-level action in the environment of the training."""
    gathering = LogGathering(repeat(SEED), 1)
    step, ticks = gathering._envs.step, []

    def noted(actions):
        ticks.append((shown[0].tobytes(), actions[0].tolist()))
        made = step(actions)
        shown[:] = made[0]["pov"]
        return made

    gathering._envs.step = noted
    pictures, _ = gathering.reset()
    shown = pictures.copy()
    while len(ticks) < TICKS:
        pictures, _, terminated, _, _ = gathering.step(
            model.predict(pictures, deterministic=True)[0]
        )
        assert not terminated.any(), "a policy that was hardly trained gets no three logs"
    gathering.close()
    return ticks


def played_by_the_controller(path, **given) -> list[tuple[bytes, list[int]]]:
    """Return each tick's picture and low-level action as the package plays the file."""
    env = gym.make(
        "Optimus-v0",
        task={"item": "#logs", "count": LOGS},
        agent="none",
        controller=f"sb3:{path}",
        ticks=TICKS,
        resolution=(SIDE, SIDE),
        view_distance=VIEW_DISTANCE,
        start={"inventory": dict(INVENTORY), "biome": BIOME},
        **given,
    )
    view, ticks = env.unwrapped, []
    seen, _ = env.reset(seed=SEED)
    shown = [seen["pov"].tobytes()]

    def noted(row):
        ticks.append((shown[0], view.latest_action(row).tolist()))
        shown[0] = view._view.observer.look([row], ["pov"])["pov"][0].tobytes()

    view.watch(noted)
    ended = False
    while not ended:
        *_, terminated, truncated, _ = env.step(0)
        ended = terminated or truncated
    env.close()
    return ticks


def test_ppo_flat_plays_as_in_its_training_tick_by_tick(trained):
    model, path = trained
    theirs, ours = played_in_training(model), played_by_the_controller(path)
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
    given = {"resolution": (SIDE, SIDE), "view_distance": VIEW_DISTANCE, **given}
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
