"""Environments over the symbolic world: the planner alone reaches every task of every suite."""

import gymnasium
import numpy as np
import pytest

from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.backbones.scripted import ScriptedBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.envs.asking import situations_of
from optimus_gym.game.tasks import SUITES, tasks
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.planning import Ask
from tests.envs.conftest import make
from tests.minds.plans import planner_of, plans_by

ONE_PLAN = {"name": "optimus-1", "max_replans": 0}


def symbolic(name, **arguments):
    arguments.setdefault("world", "symbolic")
    return make(f"Optimus-{name}-v0" if name else "Optimus-v0", **arguments)


def play(env, seed=0, options=None):
    _, info = env.reset(seed=seed, options=options)
    steps, over = [], False
    while not over:
        _, reward, terminated, truncated, info = env.step(0)
        steps.append((info["subgoal"], info["outcome"], reward, info["smdp"]["duration"]))
        over = terminated or truncated
    return steps, info


SHOWN = {"mp5-context-16", "mp5-open-2"}
"""Suites whose things a world must show; the symbolic world shows none."""


@pytest.mark.parametrize("suite", sorted(set(SUITES) - SHOWN))
def test_the_first_plan_reaches_every_task_within_its_budget(suite):
    for name, task in tasks(suite).items():
        _, info = play(symbolic(name, resolution=(1, 1)))
        assert info["is_success"], name
        assert info["replans"] == 0, name
        assert info["problems"] == (), name
        assert info["ticks"] <= task.budget, name


@pytest.mark.parametrize(
    ("noise", "least"),
    [({"failures": 0.2}, 1.0), ({"drop": "material"}, 1.0)],
)
def test_replanning_reaches_the_tasks_despite_failures_and_losses(noise, least):
    outcomes = [
        play(symbolic(name, world={"name": "symbolic", **noise}, resolution=(1, 1)))[1]
        for name in tasks("mp5-process-25")
    ]
    assert np.mean([info["is_success"] for info in outcomes]) >= least
    assert sum(info["replans"] for info in outcomes) > 10


def test_an_agent_without_replanning_gives_up_at_a_failure():
    for seed in range(20):
        _, info = play(
            symbolic("Diamond", world={"name": "symbolic", "failures": 0.5}, agent=ONE_PLAN),
            seed=seed,
        )
        assert info["status"] == "gave_up"


@pytest.mark.parametrize("suite", ["optimus-ablation-18", "mp5-process-25"])
def test_a_plan_made_midway_equals_the_rest_of_the_first_plan(suite):
    planner = planner_of(RulesBackbone(), full_graph())
    for name in tasks(suite):
        env = symbolic(name, resolution=(1, 1))
        _, info = env.reset(seed=0)
        over = False
        while not over:
            _, _, over, _, info = env.step(0)
            view = env.unwrapped._view
            (situation,) = situations_of(view.runtime, view.courses, view.observer.glances, [0])
            again = () if over else plans_by(planner, [Ask(situation)])[0].subgoals
            assert tuple(str(subgoal) for subgoal in again) == info["plan"], name


def test_a_failure_names_the_missing_tool():
    backbone = ScriptedBackbone(["1. mine 3 iron ore"] * 3)
    env = symbolic("Iron", backbone=backbone, agent={**ONE_PLAN, "switches": {"checks": False}})
    env.reset(seed=0)
    info = env.step(0)[4]
    assert info["failure"] == ("missing_tool", "stone_pickaxe", 1)
    assert info["outcome"].startswith("missing_tool: 1 stone_pickaxe")


def test_a_step_lasts_as_long_as_its_subgoal():
    steps, info = play(symbolic("Wood"))
    assert [step[1] for step in steps] == ["reached"] * len(steps)
    assert [step[2] for step in steps] == [2.0] * len(steps)
    assert sum(step[3] for step in steps) == info["ticks"]


def test_the_budget_ends_an_episode():
    _, info = play(symbolic("Diamond", ticks=500))
    assert info["status"] == "budget"
    assert info["ticks"] == 500


def test_armour_must_be_worn_not_held():
    env = symbolic("JarvisEquipIronBoots")
    _, info = env.reset(seed=0, options={"inventory": {"iron_boots": 1}})
    assert info["status"] == "running"
    assert info["plan"] == ("equip 1 iron_boots",)
    *_, terminated, _, info = env.step(0)
    assert terminated
    assert info["is_success"]


def test_a_thing_is_found_and_declared():
    env = symbolic("", task={"item": "cow", "success": "declared"})
    steps, info = play(env)
    assert [step[0] for step in steps] == ["find 1 cow"]
    assert info["is_success"]
    assert ("found", "cow", 1) in info["events"]


def test_any_bed_reaches_the_task():
    env = symbolic("DepsCraftBed")
    env.reset(seed=0, options={"inventory": {"lime_bed": 1}})
    assert env.step(0)[4]["is_success"]


def test_a_suites_tasks_are_drawn_and_the_goal_shows_all_accepted_items():
    env = make("Optimus-v0", task=None, suite="deps-50", world="symbolic")
    seen = {}
    for seed in range(30):
        observation, info = env.reset(seed=seed)
        seen[info["task"]] = int((observation["goal"] > 0).sum())
    assert len(seen) > 15
    assert seen.get("DepsCraftBed", 16) == 16
    assert min(seen.values()) == 1


def test_an_episode_starts_in_one_of_the_tasks_biomes():
    env = symbolic("JarvisCraftWoodenAxe")
    biomes = set()
    for seed in range(20):
        env.reset(seed=seed)
        biomes.add(env.unwrapped._view.runtime.world.biome(0))
    assert biomes == {"plains", "forest"}


@pytest.mark.parametrize("view", ["OptimusControl", "OptimusFlat"])
def test_views_with_keys_are_refused(view):
    with pytest.raises(BadValue, match="got 'symbolic' without 'keys'"):
        make(f"{view}-Wood-v0", world="symbolic")


def test_a_batch_follows_plans_and_chosen_skills():
    env = gymnasium.make_vec("Optimus-Wood-v0", 3, world="symbolic", resolution=(4, 4))
    env.reset(seed=0)
    _, _, _, _, infos = env.step(np.array([0, 1, 0]))
    assert set(infos["outcome"]) == {"reached"}
