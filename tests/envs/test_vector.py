import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from optimus_gym.core.actions import ACTION_PLACES
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.infos import add_infos, info_of
from tests.envs.conftest import make

IDS = ("Optimus-Wood-v0", "OptimusControl-Wood-v0", "OptimusFlat-Wood-v0")


def make_vec(env_id, count=3, **arguments):
    arguments.setdefault("resolution", (48, 40))
    return gymnasium.make_vec(env_id, count, vectorization_mode="vector_entry_point", **arguments)


def actions_for(env, rng):
    if env.single_action_space.shape:
        return rng.integers(
            0, env.single_action_space.nvec, (env.num_envs, *env.single_action_space.shape)
        )
    return np.zeros(env.num_envs, np.int64)


@pytest.mark.parametrize("env_id", IDS)
def test_rows_play_like_single_environments(env_id):
    vector = make_vec(env_id, 2)
    singles = [make(env_id), make(env_id)]
    seen, _ = vector.reset(seed=11)
    for row, env in enumerate(singles):
        ours, _ = env.reset(seed=11 + row)
        assert all(np.array_equal(ours[key], seen[key][row]) for key in ours)
    rng = np.random.default_rng(0)
    for _ in range(2):
        actions = actions_for(vector, rng)
        seen, rewards, *_ = vector.step(actions)
        for row, env in enumerate(singles):
            ours, reward, *_ = env.step(actions[row])
            assert reward == rewards[row]
            assert all(np.array_equal(ours[key], seen[key][row]) for key in ours)


@pytest.mark.parametrize("env_id", IDS)
def test_batched_observations_lie_in_the_batched_space(env_id):
    env = make_vec(env_id)
    seen, infos = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    assert infos["_ticks"].all()
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP


def ended(env):
    env.reset(seed=0)
    return env.step(actions_for(env, np.random.default_rng(1)))


@pytest.mark.parametrize("env_id", IDS)
def test_next_step_resets_in_the_step_after_the_end(env_id):
    env = make_vec(env_id, 2, ticks=1)
    _, _, _, truncated, _ = ended(env)
    assert truncated.all()
    seen, rewards, terminated, truncated, infos = env.step(
        actions_for(env, np.random.default_rng(2))
    )
    assert not (terminated | truncated).any()
    assert (rewards == 0).all()
    assert (infos["ticks"] == 0).all()
    assert env.observation_space.contains(seen)


@pytest.mark.parametrize("env_id", IDS)
def test_same_step_returns_the_final_observation(env_id):
    env = make_vec(env_id, 2, ticks=1, autoreset_mode="SameStep")
    _, _, _, truncated, infos = ended(env)
    assert truncated.all()
    assert env.single_observation_space.contains(infos["final_obs"][0])
    assert (infos["final_info"]["ticks"] == 1).all()
    assert (infos["ticks"] == 0).all()
    assert not np.array_equal(infos["final_obs"][0]["pov"], infos["final_obs"][1]["pov"])


@pytest.mark.parametrize("env_id", IDS)
def test_disabled_waits_for_a_masked_reset(env_id):
    env = make_vec(env_id, 2, ticks=1, autoreset_mode="Disabled")
    ended(env)
    with pytest.raises(ResetNeeded, match=r"rows \[0, 1\] have ended"):
        env.step(actions_for(env, np.random.default_rng(2)))
    mask = np.array([True, False])
    _, infos = env.reset(seed=[3, None], options={"reset_mask": mask})
    assert infos["_ticks"].tolist() == [True, False]
    with pytest.raises(ResetNeeded, match=r"rows \[1\] have ended"):
        env.step(actions_for(env, np.random.default_rng(2)))


def test_a_batchs_results_do_not_depend_on_its_threads():
    runs = []
    for threads in (1, 3):
        env = make_vec("OptimusFlat-Wood-v0", 9, ticks=20, threads=threads)
        env.reset(seed=5)
        rng = np.random.default_rng(7)
        for _ in range(50):
            last = env.step(actions_for(env, rng))
        runs.append(last)
    assert data_equivalence(runs[0][0], runs[1][0])
    assert np.array_equal(runs[0][1], runs[1][1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"autoreset_mode": "Sometimes"}, "autoreset_mode: expected one of"),
        ({"threads": 0}, "threads: expected an integer from 1 to 1024, got 0"),
        ({"threads": "two"}, "threads: expected an integer from 1 to 1024, got 'two'"),
        ({"view_distance": 0}, "view_distance: expected an integer from 16 to 256, got 0"),
        ({"count": 0}, "num_envs: expected an integer from 1 to 65536, got 0"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(BadValue, match=message):
        make_vec("OptimusFlat-Wood-v0", **arguments)


@pytest.mark.parametrize("env_id", IDS)
def test_a_half_built_batch_may_be_closed(env_id):
    """Gymnasium 1.1 closes every deleted batch, even a batch that failed in its constructor."""
    half_built = type(make_vec(env_id)).__new__(type(make_vec(env_id)))
    half_built.close()
    whole = make_vec(env_id)
    whole.close()
    with pytest.raises(ResetNeeded, match="closed"):
        whole.step(actions_for(whole, np.random.default_rng(0)))


def test_bad_masks_and_seeds_are_refused():
    env = make_vec("OptimusFlat-Wood-v0", 2)
    with pytest.raises(BadValue, match="the first reset must take every row"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(BadValue, match="expected 2 seeds, got 3"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(BadValue, match="got 9223372036854775808"):
        env.reset(seed=2**63 - 1)
    env.reset(seed=0)
    with pytest.raises(BadValue, match=r"reset_mask: expected bool\[2\]"):
        env.reset(options={"reset_mask": np.array([False, False])})
    with pytest.raises(BadValue, match="expected 2 rows"):
        env.step(np.zeros((3, 15), np.int64))


def test_returned_observations_are_never_overwritten():
    env = make_vec("OptimusFlat-Wood-v0", 2, ticks=2, autoreset_mode="SameStep")
    seen, _ = env.reset(seed=0)
    mask = np.array([True, False])
    rng = np.random.default_rng(0)
    for k in range(6):
        kept = {key: values.copy() for key, values in seen.items()}
        if k == 3:
            later, _ = env.reset(seed=4, options={"reset_mask": mask})
        else:
            later, *_ = env.step(actions_for(env, rng))
        for key, values in seen.items():
            assert np.array_equal(values, kept[key])
            assert not np.shares_memory(values, later[key])
        seen = later


def test_infos_are_batched_as_gymnasium_does():
    columns = {"a": [1, 2], "b": [True, False], "c": {"d": [0.5, 1.5], "e": [(), (1, 2)]}}
    infos = {0: info_of(columns, 0), 2: info_of(columns, 1)}
    infos[2] |= {"g": np.arange(3), "final_obs": {"h": 1}}
    env = make_vec("OptimusFlat-Wood-v0", 3)
    expected = {}
    for row, info in infos.items():
        expected = env._add_info(expected, info, row)
    ours = {}
    add_infos(ours, columns, np.array([0, 2]), 3)
    add_infos(ours, {"g": [np.arange(3)], "final_obs": [{"h": 1}]}, np.array([2]), 3)
    assert ours.keys() == expected.keys()
    assert data_equivalence(ours, expected)


@pytest.mark.parametrize("env_id", IDS)
def test_a_rebuilt_batch_plays_the_same(env_id):
    env = make_vec(env_id, 2)
    again = gymnasium.make_vec(type(env.spec).from_json(env.spec.to_json()))
    assert (again.num_envs, type(again)) == (2, type(env))
    runs = []
    for one in (env, again):
        rng = np.random.default_rng(3)
        runs.append([one.reset(seed=4), *(one.step(actions_for(one, rng)) for _ in range(3))])
    assert data_equivalence(*runs)


def test_a_batch_may_be_closed_twice():
    env = make_vec("OptimusFlat-Wood-v0", 2)
    env.reset(seed=0)
    env.close()
    env.close()


@pytest.mark.parametrize("env_id", IDS)
def test_a_closed_batch_opens_with_a_full_reset(env_id):
    env = make_vec(env_id, 2)
    first, _ = env.reset(seed=0)
    env.close()
    assert env.closed
    with pytest.raises(BadValue, match="the first reset must take every row"):
        env.reset(options={"reset_mask": np.array([True, False])})
    again, _ = env.reset(seed=0)
    assert not env.closed
    assert data_equivalence(first, again)
    env.step(actions_for(env, np.random.default_rng(0)))


def test_rendering_without_a_mode_warns():
    env = make_vec("OptimusFlat-Wood-v0", 2)
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render mode"):
        assert env.render() is None


def test_final_observation_and_info_belong_to_their_episode_and_row():
    """Each row's last observation and info equal those of a single environment with the same seed."""
    env = make_vec("OptimusFlat-Wood-v0", 2, ticks=3, autoreset_mode="SameStep")
    singles = [make("OptimusFlat-Wood-v0", ticks=3) for _ in range(2)]
    env.reset(seed=5)
    for row, single in enumerate(singles):
        single.reset(seed=5 + row)
    action = singles[0].unwrapped.noop()
    action[ACTION_PLACES.index("forward")] = 1
    for _ in range(3):
        *_, infos = env.step(np.stack([action] * 2))
        last = [single.step(action) for single in singles]
    for row, (seen, *_, info) in enumerate(last):
        for key, values in seen.items():
            assert np.array_equal(infos["final_obs"][row][key], values), key
        assert np.array_equal(infos["final_info"]["position"][row], info["position"])
    assert not np.array_equal(infos["final_info"]["position"], infos["position"])


def test_every_new_episode_has_its_own_seed():
    env = make_vec("OptimusFlat-Wood-v0", 2, ticks=1, autoreset_mode="SameStep")
    places = [env.reset(seed=5)[1]["position"]]
    for _ in range(3):
        *_, infos = env.step(actions_for(env, np.random.default_rng(0)))
        places.append(infos["position"])
    begun = {tuple(place) for row in np.array(places) for place in row}
    assert len(begun) == 8


def test_the_limit_of_steps_counts_from_each_episodes_start():
    env = gymnasium.make_vec(
        "OptimusFlat-Wood-v0",
        1,
        vectorization_mode="vector_entry_point",
        resolution=(16, 16),
        ticks=100,
        max_episode_steps=3,
    )
    env.reset(seed=1)
    action = np.zeros_like(env.action_space.sample())
    ends = [bool(env.step(action)[3][0]) for _ in range(9)]
    assert ends == [False, False, True, False, False, False, True, False, False]
