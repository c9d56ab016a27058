"""A recurrent torch policy object serves a batch and keeps a state for each row."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make

recurrent = pytest.importorskip("tests.envs.recurrent")
ROWS = 8


def make_vec(policy, **arguments):
    arguments.setdefault("resolution", (32, 24))
    return gymnasium.make_vec("Optimus-Wood-v0", ROWS, controller=policy, **arguments)


def test_each_rows_state_resets_at_subgoals_ends_and_autoresets():
    policy = recurrent.Recurrent()
    env = make_vec(policy, subgoal_ticks=6, ticks=10)
    assert env._view.executors.controller is policy
    env.reset(seed=0)
    assert policy.log == [("reset", row) for row in range(ROWS)]
    env.step(np.zeros(ROWS, np.int64))
    assert policy.begun == [(row, "mine 3 oak_log") for row in range(ROWS)]
    assert policy.frames.tolist() == [6] * ROWS
    _, _, _, truncated, _ = env.step(np.zeros(ROWS, np.int64))
    assert truncated.all()
    assert policy.frames.tolist() == [4] * ROWS
    env.step(np.zeros(ROWS, np.int64))
    assert policy.frames.tolist() == [0] * ROWS
    assert not policy.state.any()
    assert policy.log[ROWS:] == [("reset", row) for row in range(ROWS)]
    assert set(policy.batches) == {(ROWS, ROWS)}


def test_rows_without_a_policy_step_keep_their_state():
    policy = recurrent.Recurrent()
    env = make_vec(policy, subgoal_ticks=5)
    env.reset(seed=0, options={"inventory": {"oak_log": 1}})
    craft = next(k for k, name in enumerate(env.skill_names) if name == "craft oak_planks")
    chosen = np.zeros(ROWS, np.int64)
    chosen[::2] = craft
    env.step(chosen)
    assert set(policy.batches) == {(ROWS, ROWS // 2)}
    assert policy.frames.tolist() == [0, 5] * (ROWS // 2)
    assert (policy.state.abs().sum(1) > 0).tolist() == [False, True] * (ROWS // 2)


def test_a_batch_acts_like_its_rows_alone():
    together = recurrent.Recurrent()
    env = make_vec(together, subgoal_ticks=8)
    env.reset(seed=5)
    env.step(np.zeros(ROWS, np.int64))
    for row in (0, 5):
        alone = recurrent.Recurrent()
        single = make("Optimus-Wood-v0", controller=alone, subgoal_ticks=8, resolution=(32, 24))
        single.reset(seed=5 + row)
        single.step(0)
        assert np.allclose(alone.state[0], together.state[row], atol=1e-6)
        single.close()


class Drawn(recurrent.Recurrent):
    """Has frames drawn into its own array."""

    def attach(self, setting):
        super().attach(setting)
        width, height = setting.resolution
        self.canvas = np.full((setting.rows, height, width, 3), 7, np.uint8)
        setting.draw_into(self.canvas)

    def act(self, rows, observations, mask):
        assert observations["pov"] is self.canvas
        assert (self.canvas[~mask] == 0).all()
        assert (self.canvas[mask].reshape(int(mask.sum()), -1).std(1) > 0).all()
        return super().act(rows, observations, mask)


def test_frames_in_the_controllers_array_equal_the_observations():
    states = []
    for kind in (recurrent.Recurrent, Drawn):
        policy = kind()
        env = make_vec(policy, subgoal_ticks=5)
        env.reset(seed=0, options={"inventory": {"oak_log": 1}})
        craft = next(k for k, name in enumerate(env.skill_names) if name == "craft oak_planks")
        seen = [env.step(np.zeros(ROWS, np.int64))[0]["pov"]]
        kept = seen[0].copy()
        chosen = np.zeros(ROWS, np.int64)
        chosen[1::2] = craft
        env.step(chosen)
        assert (seen[0] == kept).all(), "what the environment returned is its own"
        states.append(policy.state)
    assert np.array_equal(*(state.numpy() for state in states))


@pytest.mark.parametrize(
    ("canvas", "fixed", "told"),
    [
        (np.zeros((ROWS, 24, 32, 3), np.float32), True, r"uint8 \(8, 24, 32, 3\).*got float32"),
        (np.zeros((ROWS, 32, 24, 3), np.uint8), True, r"got uint8 \(8, 32, 24, 3\)"),
        (np.zeros((24, ROWS, 32, 3), np.uint8).transpose(1, 0, 2, 3), True, "in C order"),
        (
            np.zeros((ROWS, 24, 32, 3), np.uint8),
            False,
            "expected fixed_batch=True, since frames are drawn into its array, got False",
        ),
    ],
)
def test_an_array_of_another_shape_or_type_than_the_frames_is_refused(canvas, fixed, told):
    class Wrong(recurrent.Recurrent):
        fixed_batch = fixed

        def attach(self, setting):
            setting.draw_into(canvas)

    with pytest.raises(BadValue, match=told):
        make_vec(Wrong())


def test_an_object_serves_one_environment_and_is_never_copied():
    policy = recurrent.Recurrent()
    env = make("Optimus-Wood-v0", controller=policy)
    with pytest.raises(BadValue, match="controller: this Recurrent serves another environment"):
        make("Optimus-Wood-v0", controller=policy)
    with pytest.raises(BadValue, match="to copy the environment, got an object of class Recurr"):
        copy.deepcopy(env.unwrapped)
    with pytest.raises(BadValue, match="serves another environment already"):
        gymnasium.make_vec(
            "Optimus-Wood-v0", 2, "sync", controller=recurrent.Recurrent(), resolution=(32, 24)
        )
    env.close()
    make("Optimus-Wood-v0", controller=policy).close()


def test_rebuilding_from_a_specification_needs_the_policy_object():
    env = make("Optimus-Wood-v0", controller=recurrent.Recurrent())
    assert env.spec.kwargs["controller"] == "object:tests.envs.recurrent:Recurrent"
    spec = type(env.spec).from_json(env.spec.to_json())
    with pytest.raises(BadValue, match=r"made with an object \(tests.envs.recurrent:Recurrent\)"):
        gymnasium.make(spec)
    other = gymnasium.make(spec, controller=recurrent.Recurrent())
    assert other.observation_space == env.observation_space


def test_each_environment_of_a_specification_makes_its_own_policy():
    named = {"name": "tests.envs.recurrent:Recurrent", "seed": 3}
    env = make("Optimus-Wood-v0", controller=named, subgoal_ticks=5)
    again = gymnasium.make(env.spec)
    copied = pickle.loads(pickle.dumps(env.unwrapped))
    policies = [one.unwrapped._view.executors.controller for one in (env, again, copied)]
    assert len({id(policy) for policy in policies}) == 3
    seen = []
    for one in (env, again, copied):
        one.reset(seed=2)
        seen.append(one.step(0)[0]["pov"])
    assert np.array_equal(seen[0], seen[1])
    assert np.array_equal(seen[0], seen[2])


class Greedy(recurrent.Recurrent):
    """Asks for an unknown key of the observation."""

    looks_at = ("pov", "depth")


class Wide(recurrent.Recurrent):
    """Returns actions of another shape."""

    def act(self, rows, observations, mask):
        return np.zeros((len(rows), 9), np.int32), [None] * len(rows)


class Dancer(recurrent.Recurrent):
    """Has an unknown verb."""

    verbs = frozenset({"mine", "dance"})


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (Greedy, r"controller 'Greedy': expected keys of the observation, equipment, inv"),
        (Dancer, r"controller 'Dancer': expected some of the verbs .*got \['dance'\]"),
    ],
)
def test_a_controller_with_unknown_keys_or_verbs_is_refused_at_once(policy, message):
    given = policy()
    with pytest.raises(BadValue, match=message):
        make("Optimus-Wood-v0", controller=given)
    with pytest.raises(BadValue, match=message):
        make("Optimus-Wood-v0", controller=given)


def test_the_error_for_actions_of_another_shape_gives_both_shapes():
    env = make("Optimus-Wood-v0", controller=Wide())
    env.reset(seed=0)
    with pytest.raises(
        BadValue, match=r"controller 'Wide': expected actions int32\[1, 15\].*\(1, 9\)"
    ):
        env.step(0)
