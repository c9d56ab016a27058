import copy

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from optimus_gym.core.actions import FUNCTION, ITEM, Function
from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make

STEPS = {
    "Optimus-Wood-v0": 2,
    "OptimusControl-Wood-v0": 30,
    "OptimusFlat-Wood-v0": 30,
    "Optimus-Wood-v0@symbolic": 2,
    "OptimusFlat-Wood-v0+gui": 30,
}


def steps(env, count, draws):
    """Return observations and rewards of seeded actions, until the episode ends."""
    rng = np.random.default_rng(draws)
    seen = []
    for _ in range(count):
        space = env.action_space
        action = rng.integers(0, space.nvec) if space.shape else 0
        observation, reward, terminated, truncated, _ = env.step(action)
        seen.append((observation, reward))
        if terminated or truncated:
            break
    return seen


def test_an_episode_begins_in_a_saved_state(view_id, tmp_path):
    env = make(view_id).unwrapped
    env.reset(seed=5)
    steps(env, STEPS[view_id], 0)
    saved = env.snapshot()
    saved.save(tmp_path / "state")
    runs = []
    for other, state in ((env, saved), (make(view_id).unwrapped, tmp_path / "state")):
        first, info = other.reset(seed=9, options={"snapshot": state})
        assert info["ticks"] == 0 or not view_id.startswith("OptimusFlat")
        runs.append([first, info, *steps(other, STEPS[view_id], 1)])
    assert data_equivalence(*runs)


def test_the_flat_view_continues_from_a_snapshot_with_the_same_observations():
    env, other = (make("OptimusFlat-Diamond-v0").unwrapped for _ in range(2))
    env.reset(seed=6, options={"inventory": {"oak_log": 3}})
    steps(env, 40, 2)
    other.reset(options={"snapshot": env.snapshot()})
    for (ours, _), (theirs, _) in zip(steps(env, 40, 3), steps(other, 40, 3), strict=True):
        assert data_equivalence(ours, theirs)


def test_items_held_in_a_snapshot_are_no_first_possession():
    env = make("OptimusFlat-Diamond-v0").unwrapped
    env.reset(seed=1, options={"inventory": {"oak_log": 2}})
    craft = env.noop()
    craft[FUNCTION], craft[ITEM] = Function.CRAFT, env.item_names.index("oak_planks")
    assert env.step(craft)[1] == 2
    _, info = env.reset(options={"snapshot": env.snapshot()})
    assert info["ticks"] == 0
    assert env.step(craft)[1] == 0
    assert env.progress().inventory == {"oak_planks": 8}


def test_a_state_that_holds_the_goal_ends_the_episode_at_once():
    env = make("OptimusFlat-Diamond-v0").unwrapped
    env.reset(seed=1, options={"inventory": {"diamond": 1}})
    _, info = make("OptimusFlat-Diamond-v0").unwrapped.reset(options={"snapshot": env.snapshot()})
    assert info["is_success"]


def test_rows_of_a_batch_begin_in_a_saved_state():
    env = gymnasium.make_vec(
        "OptimusFlat-Wood-v0", 3, vectorization_mode="vector_entry_point", resolution=(48, 40)
    )
    env.reset(seed=0)
    saved = env.snapshot(2)
    mask = np.array([True, True, False])
    seen, _ = env.reset(seed=7, options={"reset_mask": mask, "snapshot": saved})
    for values in seen.values():
        assert np.array_equal(values[0], values[2])
        assert np.array_equal(values[1], values[2])
    env.close()


OPTIONS = [
    ({"snapshot": 3}, "option snapshot: expected a Snapshot or a path, got 3"),
    ({"snapshot": "no/such/file"}, "cannot read 'no/such/file'"),
    ({"position": (0, 64, 0)}, "the snapshot decides the position"),
    ({"inventory": {"stone": 1}}, "the snapshot decides the inventory"),
    ({"biome": "plains"}, "the snapshot decides the biome"),
]


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_the_episode_goes_on_after_a_refused_snapshot(options, message):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=3)
    saved = env.snapshot()
    with pytest.raises(BadValue, match=message):
        env.reset(options={"snapshot": saved, **options})
    assert env.snapshot() == saved
    steps(env, 1, 0)


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-9] + data[-8:]])
def test_the_episode_goes_on_after_a_damaged_file(damage, tmp_path):
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=3)
    saved = env.snapshot()
    path = tmp_path / "state"
    path.write_bytes(damage(saved.to_bytes()))
    with pytest.raises(BadValue, match=r"truncated|edited or damaged"):
        env.reset(options={"snapshot": path})
    assert env.snapshot() == saved
    steps(env, 1, 0)


def test_a_snapshot_before_the_first_reset_is_refused():
    with pytest.raises(ResetNeeded, match="before its first snapshot"):
        make("OptimusFlat-Wood-v0").unwrapped.snapshot()


def test_a_copied_environment_needs_a_reset_and_takes_a_snapshot():
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=4)
    other = copy.deepcopy(env)
    with pytest.raises(ResetNeeded, match="first snapshot"):
        other.snapshot()
    other.reset(options={"snapshot": env.snapshot()})
    assert other.snapshot() == env.snapshot()
