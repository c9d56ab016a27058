from dataclasses import replace

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.feasibility import check_tasks
from optimus_gym.game.tasks import task
from tests.envs.conftest import make

ARGUMENTS = [
    ({"world": "vexel"}, "unknown world 'vexel'; did you mean 'voxel'"),
    ({"agent": "optimus1"}, "unknown agent 'optimus1'; did you mean 'optimus-1'"),
    ({"backbone": "rule"}, "unknown backbone 'rule'; did you mean 'rules'"),
    ({"controller": "orakel"}, "unknown controller 'orakel'; did you mean 'oracle'"),
    ({"protocol": "vanila"}, "unknown protocol 'vanila'; did you mean 'vanilla'"),
    ({"protocol": "optimus-1"}, "unknown protocol 'optimus-1'; did you mean 'optimus-1-code'"),
    ({"protocol": ["vanilla"]}, r"unknown protocol \['vanilla'\]"),
    ({"resolution": (0, 64)}, r"resolution: expected .*got \(0, 64\)"),
    ({"resolution": "64x64"}, "resolution: expected .*got '64x64'"),
    ({"render_mode": "ansi"}, "render_mode: expected None or 'rgb_array', got 'ansi'"),
    ({"vocabulary": "some"}, "vocabulary: expected 'task' or 'all'"),
    ({"discount": 0}, r"discount: expected a number in \(0, 1\], got 0"),
    ({"view_distance": 0}, "view_distance: expected an integer from 16 to 256, got 0"),
    ({"view_distance": 257}, "view_distance: expected an integer from 16 to 256, got 257"),
    ({"view_distance": 64.0}, "view_distance: expected an integer from 16 to 256, got 64.0"),
    ({"biome": "forrest"}, "unknown biome 'forrest'; did you mean 'forest'"),
    ({"biome": 3}, "unknown biome 3"),
    ({"ticks": 0}, "ticks: expected an integer of at least 1, got 0"),
    ({"memory": "runs/x"}, "memory: expected None"),
    ({"task": {"item": "oak_lgo"}}, "unknown item 'oak_lgo'; did you mean 'oak_log'"),
    ({"task": {"item": "cwo", "success": "declared"}}, "unknown thing 'cwo'; did you mean 'cow'"),
    ({"task": {"item": "cow", "success": "declared"}}, "that tells when cow is found, got 'voxel'"),
    ({"task": {"item": "oak_log", "success": "seen"}}, "unknown success 'seen'"),
    ({"task": {"item": "end_rod"}}, "end_rod cannot be obtained: no source of blaze_rod"),
    (
        {"task": {"item": "bone_block"}, "protocol": "jarvis-1-paper"},
        "bone_block cannot be obtained: no source of bone",
    ),
    ({"world_options": {"failures": 0.1}}, "world 'voxel' takes none, got 'failures'"),
    ({"world": "symbolic", "world_options": {"failure": 0.1}}, "did you mean 'failures'"),
    ({"world_options": 3}, "world_options: expected a mapping, got 3"),
    ({"world": "symbolic", "world_options": {"failures": 1}}, r"failures: .* \[0, 1\), got 1"),
    ({"world": "symbolic", "world_options": {"drop": "all"}}, "unknown drop 'all'"),
    ({"world": "symbolic", "world_options": {"drop_after": -1}}, "drop_after: .* got -1"),
    ({"task": {"item": "oak_log", "count": 0}}, "expected a count of at least 1, got 0"),
    ({"task": "Diamant"}, "unknown task 'Diamant'; did you mean 'Diamond'"),
    (
        {"task": None, "suite": "optimus-76"},
        "unknown suite 'optimus-76'; did you mean 'optimus-67'",
    ),
    ({"task": None}, "expected either a task or a suite"),
    ({"controller": "no.such:Thing"}, "expected a name or 'module:attribute', got 'no.such:Thing'"),
]


@pytest.mark.filterwarnings("ignore:.*render_mode")
@pytest.mark.parametrize(("arguments", "message"), ARGUMENTS)
def test_arguments_are_refused_when_the_environment_is_made(arguments, message):
    with pytest.raises((BadValue, UnknownName), match=message):
        gymnasium.make("Optimus-v0", **{"task": {"item": "oak_log"}, **arguments})


def test_all_tasks_that_cannot_be_done_are_told_at_once():
    impossible = [replace(task("Wood"), item=name) for name in ("end_rod", "bone", "leather")]
    check_tasks(impossible[1:], "voxel", "vanilla")
    with pytest.raises(BadValue, match=r"'jarvis-1-paper', got 2 of 3 that cannot\n  end_rod"):
        check_tasks(impossible, "voxel", "jarvis-1-paper")


def test_an_unknown_id_is_refused_with_the_nearest():
    with pytest.raises(gymnasium.error.NameNotFound, match="Optimus-Diamond"):
        gymnasium.make("Optimus-Diamont-v0")


OPTIONS = [
    ({"inventry": {}}, "unknown reset option 'inventry'; did you mean 'inventory'"),
    ({"inventory": {"oak_lgo": 1}}, "unknown item 'oak_lgo'"),
    ({"inventory": {"oak_log": 0}}, "expected a count of at least 1"),
    ({"inventory": ["oak_log"]}, "expected a mapping"),
    ({"inventory": {"wooden_pickaxe": 40}}, "at most 36 stacks, got 40"),
    ({"position": (0, 64)}, "option position: expected x, y, z"),
    ({"position": (0, 500, 0)}, "0 <= y <= 127"),
    ({"position": (float("nan"), 64, 0)}, "option position"),
    ({"biome": "forrest"}, "unknown biome 'forrest'; did you mean 'forest'"),
    ({"time": 24_000}, "option time: expected an integer from 0 to 23999 or one of .*'noon'"),
    ({"time": "tea"}, "option time: expected .* got 'tea'"),
    ({"time": True}, "option time: expected .* got True"),
    ({"weather": "hail"}, "option weather: expected one of .*'thunder'.*, got 'hail'"),
    ({"weather": ["rain"]}, "option weather: expected one of"),
    ({"task": "Wood"}, "option task: this environment's task"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_reset_options_are_refused_and_the_episode_goes_on(options, message):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=3)
    with pytest.raises((BadValue, UnknownName), match=message):
        env.reset(seed=4, options=options)
    action = np.zeros(11, np.int64)
    action[7:9] = 5
    before = env.render_mode
    observation, *_ = env.step(action)
    assert before is None
    assert observation["vitals"][0] == 20


@pytest.mark.parametrize("seed", [-1, 1.5, True, 2**63])
def test_bad_seeds_are_refused(seed):
    env = make("OptimusFlat-Wood-v0").unwrapped
    with pytest.raises(BadValue, match="seed: expected an integer from 0"):
        env.reset(seed=seed)


ACTIONS = [
    (np.zeros(3, np.int64), "expected 11 integers"),
    (np.zeros(11), "expected 11 integers, got float64"),
    (np.full(11, 100), r"expected 0 to \[2, 2, 1"),
    (np.full(11, -1), r"expected 0 to \[2, 2, 1"),
    ("jump", "expected 11 integers"),
]


@pytest.mark.parametrize(("action", "message"), ACTIONS)
def test_malformed_flat_actions_are_refused(action, message):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=0)
    with pytest.raises(BadValue, match=message):
        env.step(action)


@pytest.mark.parametrize("action", [-1, 10_000, 0.5, "follow", [0, 1]])
def test_malformed_subgoal_actions_are_refused(action):
    env = make("Optimus-Wood-v0").unwrapped
    env.reset(seed=0)
    with pytest.raises(BadValue, match="action: expected an integer from 0"):
        env.step(action)
