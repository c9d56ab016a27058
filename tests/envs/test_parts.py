"""What every registered controller, helper, backbone and agent must keep; a new one is tested by being
registered."""

from copy import deepcopy

import numpy as np
import pytest

from optimus_gym.core.actions import ACTION_LENGTH, CONTROL_SIZES, Function
from optimus_gym.core.registry import load, names
from optimus_gym.core.requests import Reply, Request
from optimus_gym.core.types import VERBS, PlannerView, Setup, SubGoal
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.envs.conftest import make

EXECUTORS = [(kind, name) for kind in ("controller", "helper") for name in sorted(names(kind))]
SUBGOALS = {
    "mine": SubGoal("mine", "oak_log", 1, ("oak_log", "birch_log"), text="mine 1 log"),
    "craft": SubGoal("craft", "oak_planks", 4),
    "smelt": SubGoal("smelt", "iron_ingot", 1, station="furnace"),
    "equip": SubGoal("equip", "stone_pickaxe"),
    "place": SubGoal("place", "crafting_table"),
    "kill": SubGoal("kill", "beef"),
    "shear": SubGoal("shear", "white_wool"),
    "milk": SubGoal("milk", "milk_bucket"),
    "fill": SubGoal("fill", "water_bucket"),
    "grow": SubGoal("grow", "wheat"),
    "find": SubGoal("find", "egg"),
}
HELD = {"oak_log": 2, "stone_pickaxe": 1, "crafting_table": 1}


def play(executor, verb, ticks=60):
    """Let an executor act for a while; return all it did and whether it reported a failure."""
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=1, inventory=HELD))
    executor.attach(world)
    executor.reset(0, 5)
    executor.begin(0, SUBGOALS[verb])
    made, failed = [], []
    for _ in range(ticks):
        seen = make("OptimusControl-Wood-v0").observation_space.sample()
        actions, failures = executor.act([0], [seen])
        made.append(actions.copy())
        failed += failures
        world.tick(np.zeros(1, np.int64), actions)
    return np.concatenate(made), failed


@pytest.mark.parametrize(("kind", "name"), EXECUTORS)
def test_executors_say_what_they_are(kind, name):
    executor = load(kind, name)()
    assert isinstance(executor.privileged, bool)
    assert executor.verbs <= set(VERBS)
    assert executor.verbs


@pytest.mark.parametrize(("kind", "name"), EXECUTORS)
def test_executors_act_within_the_action_space_and_alike_each_time(kind, name):
    for verb in sorted(load(kind, name)().verbs):
        actions, failures = play(load(kind, name)(), verb)
        again, _ = play(load(kind, name)(), verb)
        assert actions.dtype == np.int32
        assert actions.shape == (60, ACTION_LENGTH)
        sizes = (*CONTROL_SIZES, len(Function), len(items()) + 1)
        assert ((actions >= 0) & (actions < sizes)).all()
        assert np.array_equal(actions, again)
        assert all(failure is None or failure.reason for failure in failures)


@pytest.mark.parametrize("name", sorted(names("controller")))
def test_an_instance_is_as_good_as_a_name_and_is_not_shared(name):
    instance = load("controller", name)()
    assert type(deepcopy(instance)) is type(instance)
    given, named = (
        make("Optimus-Wood-v0", controller=instance, ticks=50, subgoal_ticks=50),
        make("Optimus-Wood-v0", controller=name, ticks=50, subgoal_ticks=50),
    )
    assert given.unwrapped._view.hierarchy.executors.controller is not instance
    ends = []
    for env in (given, named):
        env.reset(seed=3)
        ends.append(env.step(0)[4]["ticks"])
    assert ends[0] == ends[1]
    assert given.spec.to_json()


@pytest.mark.parametrize("name", sorted(names("backbone")))
def test_backbones_answer_with_text_and_are_repeatable(name):
    backbone = load("backbone", name)()
    planner = load("agent", "optimus-1")(backbone=Listening(backbone)).planner
    plan = planner.plan(SubGoal("craft", "stone_pickaxe"), PlannerView({}))
    assert plan.subgoals
    assert plan.problems == ()
    for request in planner.backbone.requests:
        first, second = backbone.complete(request), backbone.complete(request)
        assert isinstance(first, Reply)
        assert first.text == second.text


class Listening:
    """A backbone that notes what another one is asked."""

    def __init__(self, backbone):
        self.name = backbone.name
        self.requests: list[Request] = []
        self._backbone = backbone

    def complete(self, request):
        self.requests.append(request)
        return self._backbone.complete(request)


@pytest.mark.parametrize("name", sorted(names("agent")))
def test_agents_plan_for_a_goal(name):
    agent = load("agent", name)(backbone="rules")
    plan = agent.planner.plan(SubGoal("craft", "wooden_pickaxe"), PlannerView({}))
    assert plan.subgoals[-1].item == "wooden_pickaxe"
