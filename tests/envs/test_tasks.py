"""The oracle solves every headline task; random actions and agents without plans do not."""

import logging

import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.actions import FUNCTION, ITEM, Function
from optimus_gym.core.registration import environment_ids
from optimus_gym.game.tasks import headline_tasks, task, tasks
from tests.envs.conftest import make

TASKS = [entry.id for entry in headline_tasks()]


def play(env, seed):
    env.reset(seed=seed)
    reward, over = 0.0, False
    while not over:
        _, gained, terminated, truncated, info = env.step(0)
        reward += gained
        over = terminated or truncated
    return reward, terminated, info


def test_every_headline_task_has_its_three_ids():
    for name in TASKS:
        for view in ("Optimus", "OptimusControl", "OptimusFlat"):
            assert f"{view}-{name}-v0" in environment_ids()


@pytest.mark.parametrize("name", TASKS)
def test_the_oracle_solves_a_headline_task_within_the_papers_budget(name):
    _, terminated, info = play(make(f"Optimus-{name}-v0"), seed=0)
    assert info["is_success"]
    assert terminated
    assert info["ticks"] <= task(name).budget
    assert info["events"]


@pytest.mark.parametrize("name", TASKS)
def test_random_actions_do_not_solve_a_headline_task(name):
    env = make(f"Optimus-{name}-v0", controller="random", ticks=400, subgoal_ticks=200)
    _, _, info = play(env, seed=0)
    assert not info["is_success"]
    assert info["status"] == "budget"


def test_an_agent_without_plans_makes_no_stone_pickaxe():
    env = make("Optimus-Stone-v0", agent="none", ticks=2000)
    for seed in range(20):
        _, _, info = play(env, seed)
        assert not info["is_success"]
        assert info["outcome"].startswith(("missing_item", "missing_station", "missing_tool"))


def test_replans_are_capped():
    env = make("Optimus-Stone-v0", agent={"name": "none", "max_replans": 3})
    _, _, info = play(env, 0)
    assert info["status"] == "gave_up"
    assert info["reason"].startswith("missing_")
    assert info["replans"] == 3


def test_the_subgoal_views_reward_is_the_undiscounted_sum_of_its_ticks():
    env = make("Optimus-Wood-v0", discount=0.9)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(0)
    smdp = info["smdp"]
    assert reward == pytest.approx(sum(smdp["rewards"]))
    assert reward == pytest.approx(2.0)
    assert smdp["duration"] == len(smdp["rewards"]) == info["ticks"]
    assert smdp["discounted_reward"] == pytest.approx(
        sum(gained * 0.9**k for k, gained in enumerate(smdp["rewards"]))
    )


def test_a_chosen_skill_is_pursued_without_counting_a_replan():
    env = make("Optimus-Wood-v0")
    _, info = env.reset(seed=1, options={"inventory": {"oak_log": 2}})
    skills = env.unwrapped._view.skills
    sticks = next(k for k, skill in enumerate(skills, 1) if skill.item == "crafting_table")
    assert not info["action_mask"][sticks]
    _, _, _, _, info = env.step(sticks)
    assert info["outcome"].startswith("missing_item")
    assert info["ticks"] == 1
    assert info["replans"] == 0
    planks = next(k for k, skill in enumerate(skills, 1) if skill.item == "oak_planks")
    assert info["action_mask"][planks]
    assert env.unwrapped.action_masks()[planks]
    _, _, _, _, info = env.step(planks)
    assert info["outcome"] == "reached"
    assert info["plan"]


def test_the_flat_view_rewards_first_possessions_once():
    env = make("OptimusFlat-Wood-v0")
    env.reset(seed=1, options={"inventory": {"oak_log": 2}})
    action = env.unwrapped.noop()
    action[FUNCTION] = Function.CRAFT
    action[ITEM] = env.unwrapped.item_names.index("oak_planks")
    rewards = [env.step(action)[1] for _ in range(3)]
    assert rewards == [2.0, 0.0, 0.0]


def test_a_suite_draws_a_task_for_each_episode():
    env = make("OptimusFlat-v0", task=None, suite="optimus-67", observation="raw", info="full")
    seen = set()
    for seed in range(8):
        observation, info = env.reset(seed=seed)
        seen.add(info["task"])
        assert observation["goal"].sum() == task(info["task"]).count
    assert len(seen) > 4
    _, info = env.reset(seed=0, options={"task": "CraftBucket"})
    assert info["task"] == "CraftBucket"


def test_an_episode_begins_with_its_tasks_and_the_resets_inventory():
    given = next(t for t in tasks("jarvis-190").values() if t.inventory)
    env = make(f"OptimusFlat-{given.id}-v0").unwrapped
    env.reset(seed=1)
    assert env.progress().inventory == dict(given.inventory)
    env.reset(seed=1, options={"inventory": {"dirt": 3}})
    assert env.progress().inventory == {**given.inventory, "dirt": 3}


def test_the_control_view_pays_the_rewards_of_the_helpers_subgoals():
    env = make("OptimusControl-Wood-v0", info="full")
    _, info = env.reset(seed=2, options={"inventory": {"oak_log": 3}})
    assert info["status"] == "success"
    subgoals = 5
    _, reward, terminated, _, info = env.step(env.action_space.sample())
    assert terminated
    assert reward == pytest.approx(2 * subgoals)
    assert info["smdp"]["duration"] == info["ticks"]
    with pytest.raises(ResetNeeded, match="success"):
        env.step(env.action_space.sample())


@pytest.mark.parametrize("view", ["Optimus", "OptimusControl", "OptimusFlat"])
def test_a_goal_held_at_the_start_ends_the_episode_with_the_first_step(view):
    env = make(f"{view}-Wood-v0")
    env.reset(seed=2, options={"inventory": {"wooden_pickaxe": 1}})
    _, _, terminated, truncated, info = env.step(env.action_space.sample())
    assert terminated
    assert not truncated
    assert info["ticks"] == 0


def test_armour_must_be_worn_in_the_embedded_world_too():
    env = make("Optimus-JarvisEquipIronBoots-v0")
    _, info = env.reset(seed=1, options={"inventory": {"iron_boots": 1}})
    assert info["plan"] == ("equip 1 iron_boots",)
    assert info["status"] == "running"
    *_, terminated, _, info = env.step(0)
    assert terminated
    assert info["is_success"]


def test_the_embedded_worlds_executors_cannot_milk():
    asked = ScriptedBackbone(["1. milk 1 milk_bucket"] * 3)
    agent = {"name": "optimus-1", "max_replans": 0, "switches": {"knowledge": False}}
    env = make("Optimus-Wood-v0", backbone=asked, agent=agent)
    env.reset(seed=1)
    *_, info = env.step(0)
    assert info["outcome"] == "no_skill: 1 milk_bucket (no executor can milk)"
    assert info["status"] == "gave_up"


def test_the_warning_about_privilege_names_agent_and_controller(caplog, monkeypatch):
    from optimus_gym.envs import outside

    monkeypatch.setattr(outside, "_SAID", set())
    make("Optimus-Wood-v0", agent={"name": "optimus-1", "labels": "truth"})
    told = [record.getMessage().split(" is ")[0] for record in caplog.records]
    assert told == ["OracleController", "Optimus1"]


def test_the_warning_about_a_privileged_controller_comes_once(caplog, monkeypatch):
    from optimus_gym.envs import outside

    monkeypatch.setattr(outside, "_SAID", set())
    with caplog.at_level(logging.WARNING, logger="optimus_gym"):
        for _ in range(3):
            make("Optimus-Wood-v0")
        make("OptimusFlat-Wood-v0")
    assert [record.message.split(":")[0] for record in caplog.records] == [
        "OracleController is privileged"
    ]
