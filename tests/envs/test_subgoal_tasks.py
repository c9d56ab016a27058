"""The argument `subgoal`: one sub-goal is the whole task, from any start."""

import gymnasium as gym
import numpy as np
import pytest

from optimus_gym.core.actions import CONTROL_SIZES, DROP, PITCH
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.own_tasks import curriculum
from tests.envs.conftest import make

LOG = {"verb": "mine", "item": "log"}
STICKS = {"verb": "craft", "item": "stick", "count": 4}
PLANKS = {"inventory": {"oak_planks": 4}}


def ended(env, action=0, **reset):
    """Return the total reward, the last step's ends and info, and the number of steps."""
    env.reset(**{"seed": 100_001, **reset})
    total, steps, over = 0.0, 0, False
    while not over:
        _, reward, terminated, truncated, info = env.step(action)
        total, steps, over = total + reward, steps + 1, terminated or truncated
    return total, (terminated, truncated), info, steps


def test_a_reached_subgoal_ends_the_episode_as_success():
    env = make("Optimus-v0", task=None, subgoal=STICKS, world="symbolic", start=PLANKS)
    total, ends, info, steps = ended(env)
    assert (total, ends, steps) == (2.0, (True, False), 1)
    assert info["is_success"]
    assert env.unwrapped.inventory() == {"oak_planks": 2, "stick": 4}


def test_pieces_held_at_the_start_do_not_count():
    start = {"inventory": {"oak_planks": 4, "stick": 8}}
    env = make("Optimus-v0", task=None, subgoal=STICKS, world="symbolic", start=start)
    assert ended(env)[2]["is_success"]
    assert env.unwrapped.inventory()["stick"] == 12


def test_a_failed_subgoal_ends_the_episode_and_says_why():
    env = make("Optimus-v0", task=None, subgoal=STICKS, world="symbolic")
    total, ends, info, steps = ended(env)
    assert (total, ends, steps) == (0.0, (False, True), 1)
    assert info["status"] == "gave_up"
    assert info["reason"].startswith("missing_item: 2 oak_planks")


def test_the_control_view_hands_the_subgoal_to_the_policy():
    env = make("OptimusControl-v0", task=None, subgoal=LOG, start={"biome": "forest"}, ticks=40)
    observation, _ = env.reset(seed=100_001)
    assert observation["subgoal"].sum() > 0
    _, ends, info, steps = ended(env, env.unwrapped.noop())
    assert (ends, steps) == ((False, True), 40)
    assert not info["is_success"]


@pytest.mark.parametrize("reward", ["sparse", "subgoal"])
def test_rewards_pay_for_the_subgoal(reward):
    env = make("Optimus-v0", task=None, subgoal=LOG, start={"biome": "forest"}, reward=reward)
    total, (terminated, _), _, _ = ended(env)
    assert terminated
    assert total == (1.0 if reward == "sparse" else 2.0)


@pytest.mark.parametrize(
    "subgoal",
    [
        {"verb": "dig_down", "item": "height", "count": 50},
        {"verb": "fight", "item": "cow"},
        {"verb": "move", "item": "grass_block"},
    ],
    ids=lambda one: one["verb"],
)
def test_acts_are_subgoals_too(subgoal):
    start = {"biome": "plains", "inventory": {"stone_pickaxe": 1}}
    env = make("Optimus-v0", task=None, subgoal=subgoal, start=start, ticks=4000)
    assert ended(env)[2]["is_success"]


def test_every_task_of_the_curriculum_is_one_subgoal_that_the_oracle_reaches():
    batch = {"vectorization_mode": "vector_entry_point", "autoreset_mode": "Disabled"}
    for name, task in curriculum().items():
        env = gym.make_vec("Optimus-v0", 2, subgoal=name, resolution=(32, 32), **batch)
        env.reset(seed=100_100)
        _, rewards, terminated, _, info = env.step(np.zeros(2, np.int64))
        env.close()
        assert task.success == "reached"
        assert terminated.any(), name
        assert rewards[terminated].tolist() == [2.0] * int(terminated.sum())
        assert (info["ticks"] <= task.budget).all()


def test_a_skill_has_the_vocabulary_of_the_suite():
    """A policy that learned a skill alone loads on the suite's tasks."""
    alone = make("OptimusControl-v0", task=None, subgoal=LOG)
    assert alone.observation_space == make("OptimusControl-Diamond-v0").observation_space


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"verb": "fly", "item": "log"}, "unknown verb 'fly'"),
        ({"verb": "recover", "item": "hurt"}, "unknown verb 'recover'"),
        ({"verb": "mine", "item": "oak_lgo"}, "did you mean 'oak_log'"),
        ({"verb": "craft", "item": "oak_log"}, "one of the verbs mine, grow for oak_log"),
        ({"verb": "mine"}, '"item": name'),
        ({"verb": "mine", "item": "log", "count": 0}, "at least 1, got 0"),
        ({"verb": "mine", "item": "log", "ticks": 5}, '"count": number'),
        ("SkillMineLgo", "SkillMineLog"),
        (5, "got 5"),
    ],
)
def test_bad_subgoals_are_named(bad, told):
    with pytest.raises((BadValue, UnknownName), match=told):
        make("OptimusControl-v0", task=None, subgoal=bad)


def test_a_subgoal_stands_alone():
    with pytest.raises(
        BadValue, match="either a task, a suite or a sub-goal, got task='Wood', sub"
    ):
        make("OptimusControl-Wood-v0", subgoal=LOG)
    with pytest.raises(BadValue, match="the flat view, which has no sub-goals"):
        make("OptimusFlat-v0", task=None, subgoal=LOG)


def test_logs_that_are_dropped_and_picked_up_again_pay_nothing_in_any_subgoal():
    agent = {"name": "one-subgoal", "max_replans": 9, "max_repeats": 99}
    logs, start = {"item": "oak_log", "count": 3}, {"inventory": {"oak_log": 2}}
    env = make("OptimusControl-v0", task=logs, agent=agent, subgoal_ticks=100, start=start)
    env.reset(seed=100_001)
    held, paid = [], 0.0
    for tick in range(260):
        action = env.unwrapped.noop()
        if tick < 20:
            action[PITCH] = CONTROL_SIZES[PITCH] - 1
        action[DROP] = tick in (80, 81, 141, 142)
        paid += env.step(action)[1]
        held.append(env.unwrapped.inventory().get("oak_log", 0))
    changes = [held[k] for k in range(len(held)) if k == 0 or held[k] != held[k - 1]]
    assert (changes[0], min(held), held[-1], env.unwrapped.inventory()) == (2, 0, 2, {"oak_log": 2})
    assert held.count(0) > 20
    assert paid == 0


def test_a_subgoal_that_is_the_task_has_the_episodes_budget():
    diamond = {"verb": "mine", "item": "diamond"}
    given = {
        "task": None,
        "subgoal": diamond,
        "controller": "constant",
        "start": {"biome": "plains"},
    }
    given["start"]["inventory"] = {"iron_pickaxe": 1}
    assert ended(make("Optimus-v0", ticks=6200, **given))[2]["ticks"] == 6200
    assert ended(make("Optimus-v0", ticks=90, subgoal_ticks=30, **given))[2]["ticks"] == 30
