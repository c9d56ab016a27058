"""Observations are scaled reversibly, have one space for a suite's tasks and are drawn on demand only."""

import json

import gymnasium
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.scaling import (
    MOST_HELD,
    MOST_LEVELS,
    scale_indices,
    scale_vitals,
    unscale_counts,
    unscale_indices,
    unscale_vitals,
)
from optimus_gym.envs.vocabulary import suite_vocabularies
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.vision.mini_aligner import text_vector
from tests.envs.conftest import make
from tools.vocabularies import PAGE, vocabularies

VIEWS = ("Optimus", "OptimusControl", "OptimusFlat")


@given(
    *(st.floats(0, 20, width=32) for _ in range(3)),
    st.integers(-20, 300),
    st.integers(0, 20),
    st.integers(0, MOST_LEVELS),
)
def test_scaling_of_vitals_can_be_reversed(health, food, saturation, air, armour, level):
    vitals = np.array([health, food, saturation, air, armour, level], np.float32)
    scaled = scale_vitals(vitals)
    assert (scaled >= -0.07).all()
    assert (scaled <= 1).all()
    assert np.allclose(unscale_vitals(scaled), vitals, rtol=1e-5, atol=1e-5)
    assert unscale_vitals(scaled)[5] == level


@given(st.integers(1, 976), st.data())
def test_scaling_of_indices_can_be_reversed(vocabulary, data):
    index = data.draw(st.integers(0, vocabulary + 1))
    scaled = scale_indices(np.array([index], np.float32), vocabulary)
    assert 0 <= scaled[0] <= 1
    assert unscale_indices(scaled, vocabulary)[0] == index


@pytest.mark.parametrize("view", VIEWS)
def test_scaled_and_raw_observations_hold_the_same_values(view):
    start = {"oak_log": 5, "stone_pickaxe": 1, "cobblestone": 64, "dirt": 3}
    seen = {}
    for way in ("scaled", "raw"):
        env = make(f"{view}-Iron-v0", observation=way)
        seen[way], _ = env.reset(seed=4, options={"inventory": start})
        assert env.observation_space.contains(seen[way])
    scaled, raw = seen["scaled"], seen["raw"]
    vocabulary = len(env.unwrapped.item_names)
    assert np.array_equal(unscale_counts(scaled["inventory"]), raw["inventory"])
    held = 56 if view == "OptimusControl" else 64  # the helper has made a furnace of 8
    assert raw["inventory"][env.unwrapped.item_names.index("cobblestone")] == held
    assert np.array_equal(unscale_indices(scaled["equipment"], vocabulary), raw["equipment"])
    assert np.allclose(unscale_vitals(scaled["vitals"]), raw["vitals"], atol=1e-4)
    assert raw["vitals"].tolist()[:4] == [20, 20, 5, 300]
    for key, value in scaled.items():
        if key not in ("pov", "subgoal_text"):
            assert value.min() >= -0.07, key
            assert value.max() <= 1, key
    if "subgoal" in raw:
        assert np.array_equal(scaled["subgoal_text"], raw["subgoal_text"])
        assert np.array_equal(scaled["subgoal"][:-1], raw["subgoal"][:-1])
        assert unscale_counts(scaled["subgoal"][-1:])[0] == raw["subgoal"][-1] > 0


@pytest.mark.parametrize("view", VIEWS)
def test_a_policy_for_one_task_of_a_suite_fits_another(view):
    one, other = make(f"{view}-Wood-v0"), make(f"{view}-Stone-v0")
    assert one.observation_space == other.observation_space
    assert one.action_space == other.action_space
    assert one.unwrapped.item_names == other.unwrapped.item_names
    small = make(f"{view}-Wood-v0", vocabulary="task")
    assert set(small.unwrapped.item_names) < set(one.unwrapped.item_names)
    assert len(make(f"{view}-Wood-v0", vocabulary="all").unwrapped.item_names) == 975


def test_the_stored_vocabularies_fit_the_suites_tasks_and_only_grow():
    table = json.loads(PAGE.read_text("utf-8"))["suites"]
    assert list(table) == list(SUITES)
    fresh = vocabularies({})
    for suite, names in vocabularies(table).items():
        assert names == table[suite]
        assert set(names) == set(fresh[suite])
        assert tuple(names) == suite_vocabularies()[suite].names
        held = [task for task in tasks(suite).values() if not task.is_sought]
        assert all(set(task.kinds) <= set(names) for task in held)


def test_the_flat_views_reward_does_not_depend_on_the_vocabulary():
    start = {"oak_planks": 8, "crafting_table": 1}
    for vocabulary, item, expected in (("all", "chest", 0.0), ("suite", "stick", 3.0)):
        env = make("OptimusFlat-Wood-v0", vocabulary=vocabulary)
        env.reset(seed=1, options={"inventory": start})
        action = env.unwrapped.noop()
        action[-2], action[-1] = 1, env.unwrapped.item_names.index(item)
        assert env.step(action)[1] == expected


def test_only_used_pictures_are_drawn(monkeypatch):
    from optimus_gym.worlds.voxel.world import VoxelWorld

    drawn, frames = [], VoxelWorld.frames

    def counted(self, rows, images):
        drawn.append(images.shape)
        frames(self, rows, images)

    monkeypatch.setattr(VoxelWorld, "frames", counted)
    for eyes, looked in (("none", []), ("screen", [(1, 360, 640, 3)])):
        agent = {"name": "optimus-1", "eyes": eyes, "switches": {"reflection": False}}
        env = make("Optimus-Wood-v0", controller="random", subgoal_ticks=20, agent=agent)
        env.reset(seed=1)
        drawn.clear()
        env.step(0)
        assert drawn == [
            *looked,
            (1, 40, 48, 3),
        ]  # for the plan after a failure, and the observation


def test_most_held_is_the_capacity_of_the_slots():
    assert MOST_HELD == (36 + 4 + 1) * 64


def test_public_names_give_the_meanings_of_the_numbers():
    env = make("OptimusFlat-Wood-v0").unwrapped
    assert [len(values) for values in env.action_meanings] == env.action_space.nvec.tolist()
    assert env.action_meanings[7] == ("none", "drop")
    assert env.action_space.contains(env.noop())
    assert make("Optimus-Wood-v0").unwrapped.noop() == 0
    assert make("Optimus-Wood-v0").unwrapped.skill_names[:2] == ("follow the plan", "mine oak_log")
    control = gymnasium.make_vec("OptimusControl-Wood-v0", 2, resolution=(16, 12))
    assert control.noop().tolist() == [0] * 11 + [5, 5]
    assert control.skill_names == ()


def test_noop_turns_nothing_and_zeros_turn_the_camera():
    env = make("OptimusFlat-Wood-v0").unwrapped
    _, before = env.reset(seed=1)
    for _ in range(3):
        *_, after = env.step(env.noop())
    assert (after["yaw"], after["pitch"]) == (before["yaw"], before["pitch"])
    *_, turned = env.step(env.noop() * 0)
    assert turned["yaw"] != after["yaw"]


def test_subgoal_text_is_the_vector_of_the_subgoals_prompt():
    env = make("Optimus-Wood-v0", world="symbolic", resolution=(1, 1))
    observation, _ = env.reset(seed=0)
    subgoal = env.unwrapped._view.courses[0].decision.subgoal
    assert observation["subgoal_text"].dtype == np.float32
    assert np.array_equal(observation["subgoal_text"], text_vector(subgoal.text))
    assert np.linalg.norm(observation["subgoal_text"]) == pytest.approx(1, abs=0.01)
    before, over = observation["subgoal_text"], False
    observation, _, over, *_ = env.step(0)
    assert not np.allclose(observation["subgoal_text"], before, atol=0.05)
    while not over:
        observation, _, over, *_ = env.step(0)
    assert not observation["subgoal_text"].any()
