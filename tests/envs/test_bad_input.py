from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.feasibility import check_tasks
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.testing.small_worlds import MinimalWorld
from tests.envs.conftest import make


class Pretender:
    """An object with some attributes of a world."""

    can, biomes, count = frozenset({"keys"}), ("forest",), 1


ARGUMENTS = [
    ({"world": "vexel"}, "unknown world 'vexel'; did you mean 'voxel'"),
    ({"agent": "optimus1"}, "unknown agent 'optimus1'; did you mean 'optimus-1'"),
    ({"backbone": "rule"}, "unknown backbone 'rule'; did you mean 'rules'"),
    ({"controller": "orakel"}, "unknown controller 'orakel'; did you mean 'oracle'"),
    ({"protocol": "vanila"}, "unknown protocol 'vanila'; did you mean 'vanilla'"),
    ({"protocol": "optimus-1"}, "unknown protocol 'optimus-1'; did you mean 'optimus-1-code'"),
    ({"protocol": ["vanilla"]}, r"unknown protocol \['vanilla'\]"),
    ({"resolution": (0, 64)}, r"resolution: expected .*got \(0, 64\)"),
    ({"resolution": (True, 64)}, r"resolution: expected .*got \(True, 64\)"),
    ({"resolution": "64x64"}, "resolution: expected .*got '64x64'"),
    ({"render_mode": "ansi"}, "render_mode: expected None, 'rgb_array' or 'rgb_array_list', got"),
    ({"vocabulary": np.array(["all"])}, "vocabulary: expected 'suite', 'task' or 'all', got arr"),
    ({"vocabulary": "some"}, "vocabulary: expected 'suite', 'task' or 'all', got 'some'"),
    ({"discount": 0}, r"discount: expected a number in \(0, 1\], got 0"),
    ({"view_distance": 0}, "view_distance: expected an integer from 16 to 256, got 0"),
    ({"view_distance": 257}, "view_distance: expected an integer from 16 to 256, got 257"),
    ({"view_distance": 64.0}, "view_distance: expected an integer from 16 to 256, got 64.0"),
    ({"biome": "forrest"}, "unknown biome 'forrest'; did you mean 'forest'"),
    ({"biome": 3}, "unknown biome 3"),
    ({"biome": "warped_forest"}, "unknown biome 'warped_forest'; did you mean"),
    ({"discount": 10**5000}, "discount: expected .*got a number with thousands of digits"),
    ({"ticks": -(10**5000)}, "ticks: expected .*got a number with thousands of digits"),
    ({"ticks": 0}, "ticks: expected an integer of at least 1, got 0"),
    ({"memory": "runs/x"}, "memory: expected a folder, got 'runs/x': nothing there"),
    ({"memory": "README.md"}, "memory: expected a folder, got 'README.md': a file"),
    ({"memory": 3}, "memory: expected a path, got 3"),
    (
        {"memory": "a\0b"},
        r"memory: expected a path, got 'a\\x00b' \(paths have no such character",
    ),
    ({"memory": "a" * 5000, "learn": True}, "memory: expected a path, got 'aaa"),
    ({"learn": True}, "learn: expected a memory folder to learn into"),
    ({"learn": "yes"}, "learn: expected True or False, got 'yes'"),
    ({"learn_into": "runs/x"}, "learn_into: expected learn=True with a folder to learn into"),
    (
        {"learn_into": "README.md", "learn": True},
        "learn_into: expected a folder, got 'README.md': a file",
    ),
    ({"crafting": "mouse"}, "crafting: expected None, 'functional' or 'gui', got 'mouse'"),
    ({"crafting": True}, "crafting: expected None, 'functional' or 'gui', got True"),
    (
        {"crafting": "gui", "world": "symbolic"},
        "crafting: expected for 'gui' a world with 'mouse' .*, got world 'symbolic'",
    ),
    ({"messages": 1}, "messages: expected True or False, got 1"),
    (
        {"world": "symbolic", "messages": True},
        r"messages: expected a world with 'messages' \(can show .*\), 'pictures' .*got 'symbolic'",
    ),
    ({"observation": "pixels"}, "observation: expected 'scaled' or 'raw', got 'pixels'"),
    ({"info": "all"}, "info: expected None, 'numbers' or 'full', got 'all'"),
    (
        {"controler": "oracle"},
        "got an unexpected keyword argument 'controler'; did you mean 'contr",
    ),
    ({"agent": {"name": "optimus-1", "max_replan": 3}}, "did you mean 'max_replans'"),
    ({"agent": {"max_replans": 3}}, "agent: expected .*name.*, got"),
    (
        {"controller": None},
        "controller: expected a name, a mapping with a name or a part, got None",
    ),
    (
        {"controller": "oracle:fast"},
        "unknown option of controller 'oracle'|takes no options, got 's",
    ),
    ({"controller": "object:some.module:Mine"}, r"was made with an object \(some.module:Mine\)"),
    ({"world": "tests.envs.conftest:HEADLINES"}, "expected an attribute `can`"),
    ({"task": {"item": "oak_lgo"}}, "unknown item 'oak_lgo'; did you mean 'oak_log'"),
    ({"task": {"item": "cwo", "success": "declared"}}, "unknown thing 'cwo'; did you mean 'cow'"),
    (
        {"task": {"item": "cow", "success": "declared"}, "world": "tests.worlds.broken:Blind"},
        "that shows whether cow is found, got 'tests.worlds.broken:Blind'",
    ),
    ({"task": {"item": "oak_log", "success": "seen"}}, "unknown success 'seen'"),
    ({"task": {"item": "end_rod"}}, "end_rod cannot be obtained: no source of blaze_rod"),
    (
        {"task": {"item": "bone_block"}, "protocol": "jarvis-1-paper"},
        "bone_block cannot be obtained: no source of bone",
    ),
    ({"world": {"name": "voxel", "failures": 0.1}}, "it takes no options, got 'failures'"),
    ({"world": {"name": "symbolic", "failure": 0.1}}, "did you mean 'failures'"),
    ({"world": {"name": "symbolic", "failures": 1}}, r"failures: .* \[0, 1\), got 1"),
    ({"world": {"name": "symbolic", "drop": "all"}}, "unknown value of the option drop 'all'"),
    ({"world": {"name": "symbolic", "drop_after": -1}}, "drop_after: .* got -1"),
    (
        {"task": {"item": "oak_log", "count": 0}},
        "task: count: expected an integer of at least 1, got 0",
    ),
    ({"task": "Diamant"}, "unknown task 'Diamant'; did you mean 'Diamond'"),
    (
        {"task": None, "suite": "optimus-76"},
        "unknown suite 'optimus-76'; did you mean 'optimus-67'",
    ),
    ({"hold": 0}, "hold: expected an integer from 1 to 1200, got 0"),
    ({"task": None}, "expected either a task, a suite or a sub-goal, got task=None, suite=None"),
    (
        {"controller": "no.such:Thing"},
        "controller: there is no module 'no' on Python's path for 'no.such'",
    ),
    ({"backbone": "subprocess:run"}, "a class with the method complete, got 'subprocess:run'"),
    ({"controller": "subprocess:Popen"}, "a class with the method act, got 'subprocess:Popen'"),
    ({"agent": {"name": "os:system", "command": "x"}}, "a class with the method decide"),
    ({"world": "..:x"}, "world: expected 'module:attribute', got '..:x'"),
    ({"world": "os.path:join"}, "world 'os.path:join': expected an attribute `can`"),
    (
        {"world": MinimalWorld},
        "world: expected an object, got its class; make an object, or pass the name 'optimus_gym",
    ),
    ({"world": MinimalWorld(2)}, "world: expected 1 rows, got 2"),
    (
        {"world": Pretender()},
        "world 'Pretender': expected an object with the methods .* this Pretender without",
    ),
    ({"device": 3}, "device: expected a device's name or None, got 3"),
    ({"ticks": np.int64(0)}, "ticks: expected an integer of at least 1, got"),
    ({"ticks": True}, "ticks: expected an integer of at least 1, got True"),
    ({"task": {"item": "oak_log", "note": object()}}, "task: expected a value that JSON can hold"),
    (
        {"agent": {"name": "optimus-1", "max_replans": {3}}},
        r"agent: max_replans: expected a value that JSON can hold.*got \{3\}",
    ),
]


@pytest.mark.filterwarnings("ignore:.*render_mode")
@pytest.mark.parametrize(("arguments", "message"), ARGUMENTS)
def test_arguments_are_refused_when_the_environment_is_made(arguments, message):
    with pytest.raises((BadValue, UnknownName), match=message):
        gymnasium.make("Optimus-v0", **{"task": {"item": "oak_log"}, **arguments})


def test_all_impossible_tasks_are_reported_at_once():
    impossible = [replace(task("Wood"), item=name) for name in ("end_rod", "bone", "leather")]
    check_tasks(impossible[1:], abilities_of("voxel"), {"keys"}, "anyone")
    with pytest.raises(BadValue, match=r"by anyone, got 2 of 3 that cannot\n  end_rod"):
        check_tasks(impossible, abilities_of("voxel", "jarvis-1-paper"), {"keys"}, "anyone")


def test_the_error_for_an_unknown_id_suggests_the_nearest():
    with pytest.raises(gymnasium.error.NameNotFound, match="Optimus-Diamond"):
        gymnasium.make("Optimus-Diamont-v0")


OPTIONS = [
    ({"inventry": {}}, "unknown reset option 'inventry'; did you mean 'inventory'"),
    ({"inventory": {"oak_lgo": 1}}, "unknown item 'oak_lgo'"),
    ({"inventory": {"oak_log": 0}}, "inventory: oak_log: expected an integer of at least 1, got 0"),
    ({"inventory": {"oak_log": 10**30}}, "at most 36 stacks, got 15625000000000000000000000000"),
    (
        {"inventory": {"oak_log": 10**5000}},
        "at most 36 stacks, got a number with thousands of digits",
    ),
    ({"inventory": ["oak_log"]}, "expected a mapping"),
    ({"inventory": {"wooden_pickaxe": 40}}, "at most 36 stacks, got 40"),
    ({"position": (0, 64)}, "option position: expected x, y, z"),
    ({"position": (0, 64, 10**400)}, "option position: expected x, y, z"),
    ({"position": (0, 500, 0)}, "0 <= y <= 127"),
    ({"position": (float("nan"), 64, 0)}, "option position"),
    ({"biome": "forrest"}, "unknown biome 'forrest'; did you mean 'forest'"),
    ({"time": 24_000}, "option time: expected an integer from 0 to 23999 or one of .*'noon'"),
    ({"time": "tea"}, "option time: expected .* got 'tea'"),
    ({"time": True}, "option time: expected .* got True"),
    ({"weather": "hail"}, "option weather: expected one of .*'thunder'.*, got 'hail'"),
    ({"weather": np.array(["rain"])}, "option weather: expected one of"),
    ({"snapshot": "a\0b"}, "snapshot: expected a path, got"),
    ({"weather": ["rain"]}, "option weather: expected one of"),
    ({"task": "Wood"}, "option task: this environment's task"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_an_episode_goes_on_after_refused_reset_options(options, message):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=3)
    with pytest.raises((BadValue, UnknownName), match=message):
        env.reset(seed=4, options=options)
    before = env.render_mode
    observation, *_ = env.step(env.noop())
    assert before is None
    assert observation["vitals"][0] == 1


@pytest.mark.parametrize("seed", [-1, 1.5, True, 2**63, "3", pytest.param(10**5000, id="long")])
def test_bad_seeds_are_refused(seed):
    vector = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, resolution=(16, 12))
    for env in (make("OptimusFlat-Wood-v0").unwrapped, vector):
        with pytest.raises(BadValue, match="seed: expected an integer from 0"):
            env.reset(seed=seed)


VECTOR_ARGUMENTS = [
    ({"num_envs": 0}, "num_envs: expected an integer from 1 to 65536, got 0"),
    ({"num_envs": 10**30}, "num_envs: expected an integer from 1 to 65536"),
    ({"threads": 0}, "threads: expected an integer from 1 to 1024, got 0"),
    ({"threads": 20_000}, "threads: expected an integer from 1 to 1024, got 20000"),
    ({"autoreset_mode": np.array([1, 2])}, "autoreset_mode: expected one of"),
]


@pytest.mark.parametrize(("arguments", "message"), VECTOR_ARGUMENTS)
def test_arguments_of_batches_are_refused(arguments, message):
    with pytest.raises(BadValue, match=message):
        gymnasium.make_vec("OptimusFlat-Wood-v0", **{"num_envs": 2, **arguments})


def test_a_batch_has_at_most_one_thread_a_row():
    vector = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, resolution=(16, 12), threads=1000)
    assert vector.unwrapped._view.runtime.world._workers.threads == 2


ACTIONS = [
    (np.zeros(3, np.int64), "expected 15 integers"),
    (np.zeros(15), "expected 15 integers, got float64"),
    (np.full(15, 100), r"maximum in \[2, 2, 1"),
    (np.full(15, -1), r"maximum in \[2, 2, 1"),
    ("jump", "expected 15 integers"),
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


@pytest.mark.parametrize("view", ["Optimus", "OptimusControl", "OptimusFlat"])
def test_actions_with_an_extra_axis_are_refused(view):
    env = make(f"{view}-Wood-v0").unwrapped
    env.reset(seed=0)
    with pytest.raises(BadValue, match=r"action: expected .*, got int64 of shape \(1"):
        env.step(np.asarray(env.noop())[None])
    vector = gymnasium.make_vec(f"{view}-Wood-v0", 2, resolution=(16, 12))
    vector.reset(seed=0)
    actions = np.stack([vector.noop()] * 2)
    with pytest.raises(BadValue, match=r"actions: expected 2 rows of .* of shape \(2, 1"):
        vector.step(actions[:, None])
    for wrong in (actions[:1], None, [[1], [1, 2]]):
        with pytest.raises(BadValue, match="actions: expected 2 rows of"):
            vector.step(wrong)
    vector.step(actions)


def test_numpy_numbers_are_accepted_as_numbers():
    given = {"ticks": np.int64(9), "view_distance": np.uint8(32), "subgoal_ticks": np.int32(40)}
    config = EnvConfig.of({"task": "Wood", "resolution": tuple(np.array([32, 24])), **given})
    counts = (*config.resolution, config.ticks, config.view_distance, config.subgoal_ticks)
    assert counts == (32, 24, 9, 32, 40)
    assert {type(count) for count in counts} == {int}
    assert EnvConfig.of({"task": "Wood", "discount": np.float32(0.5)}).discount == 0.5
    env = gymnasium.make("Optimus-v0", task={"item": "stick", "count": np.uint8(2)}).unwrapped
    options = {"inventory": {"oak_log": np.int64(3)}, "time": np.int16(500)}
    env.reset(seed=np.uint64(0), options=options)
    assert env.progress(np.int8(0)).inventory == {"oak_log": 3}


@pytest.mark.parametrize("row", [-1, 1, 0.5, True, "0", None])
def test_unknown_rows_are_refused(row):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=0)
    for look in (env.progress, env.snapshot, env.sights, env.latest_action):
        with pytest.raises(BadValue, match="row: expected an integer from 0 to 0, got"):
            look(row)


def test_options_other_than_a_mapping_are_refused():
    vector = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, resolution=(16, 12))
    for env in (make("OptimusFlat-Wood-v0").unwrapped, vector):
        with pytest.raises(BadValue, match="options: expected a mapping or None, got 5"):
            env.reset(seed=0, options=5)


def test_a_refused_reset_leaves_the_random_state_unchanged():
    vector = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, resolution=(16, 12))
    for env in (make("OptimusFlat-Wood-v0").unwrapped, vector):
        env.reset(seed=3)
        expected, _ = env.reset()
        env.reset(seed=3)
        for seed in (7, None):
            with pytest.raises(UnknownName, match="biome"):
                env.reset(seed=seed, options={"biome": "forrest"})
            assert env.np_random_seed == 3
        seen, _ = env.reset()
        assert np.array_equal(seen["pov"], expected["pov"])


def test_a_batch_refuses_to_render_before_a_reset_and_after_close():
    env = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, resolution=(16, 12), render_mode="rgb_array")
    with pytest.raises(ResetNeeded, match="reset the environment before its first render"):
        env.render()
    env.reset(seed=0)
    assert env.render()[1].shape == (360, 640, 3)
    env.close()
    for look in (env.render, env.progress, env.snapshot, env.sights):
        with pytest.raises(ResetNeeded, match="the environment is closed; reset it before a"):
            look()
    with pytest.raises(ResetNeeded, match="closed"):
        env.step(np.zeros((2, 15), np.int64))
