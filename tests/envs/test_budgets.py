"""Limits of episodes: tick budgets, Gymnasium's limit of steps, and feasibility."""

import gymnasium
import numpy as np
import pytest

from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.errors import BadValue
from optimus_gym.core.registration import budgets
from optimus_gym.core.types import FUNCTIONAL_VERBS
from optimus_gym.game.items import item
from optimus_gym.game.tasks import SUITES, task, tasks
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.knowledge.cheapest import Unobtainable
from tests.envs.conftest import make

MINERS = frozenset({"mine"}) | FUNCTIONAL_VERBS
MINER = "tests.run.evaluate.failing:Miner"
"""A controller that can only mine."""


def test_specifications_hold_the_tasks_budgets():
    assert budgets() == {
        name: entry.budget for suite in SUITES for name, entry in tasks(suite).items()
    }
    for name in ("Wood", "Diamond", "JarvisCraftCrossbow"):
        for view in ("Optimus", "OptimusControl", "OptimusFlat"):
            assert gymnasium.spec(f"{view}-{name}-v0").max_episode_steps == task(name).budget


@pytest.mark.parametrize(("most", "ticks", "expected"), [(4, None, 4), (9, 3, 3), (None, 5, 5)])
def test_the_smaller_limit_of_steps_or_ticks_ends_an_episode(most, ticks, expected):
    arguments = {"ticks": ticks, "resolution": (16, 12)}
    if most is not None:
        arguments["max_episode_steps"] = most
    batch = gymnasium.make_vec("OptimusFlat-Wood-v0", 2, **arguments)
    alone = gymnasium.make("OptimusFlat-Wood-v0", **arguments)
    batch.reset(seed=0)
    alone.reset(seed=0)
    still = batch.noop()
    for step in range(1, expected + 1):
        _, _, terminated, truncated, _ = batch.step(np.stack([still, still]))
        assert truncated.tolist() == [step == expected] * 2
        assert alone.step(still)[2:4] == (False, step == expected)
        assert not terminated.any()
    *_, truncated, infos = batch.step(np.stack([still, still]))
    assert not truncated.any()
    assert infos["ticks"].tolist() == [0, 0]


def test_time_aware_observation_wraps_an_environment():
    env = gymnasium.wrappers.TimeAwareObservation(
        gymnasium.make("OptimusFlat-Wood-v0", resolution=(16, 12)), flatten=False
    )
    seen, _ = env.reset(seed=0)
    assert "time" in seen


@pytest.mark.parametrize("env_id", ["OptimusFlat-Wood-v0", "Optimus-Wood-v0"])
def test_later_episodes_of_a_batch_equal_those_of_single_environments(env_id):
    arguments = {"ticks": 2, "resolution": (32, 24), "controller": "random"}
    native = gymnasium.make_vec(env_id, 2, **arguments)
    several = gymnasium.make_vec(env_id, 2, "sync", **arguments)
    noop = np.stack([native.noop()] * 2)
    for env in (native, several):
        env.reset(seed=7)
    for _ in range(6):
        ours, theirs = native.step(noop), several.step(noop)
        assert np.array_equal(ours[0]["pov"], theirs[0]["pov"])
        assert np.array_equal(ours[3], theirs[3])


def planned_by(entry, verbs):
    graph = abilities_of("voxel", "vanilla", verbs).graph
    for kind in entry.kinds:
        try:
            graph.requirements(kind, entry.count, entry.inventory)
        except Unobtainable:
            continue
        return True
    return False


def tasks_beyond(verbs):
    """Return the tasks of all suites that only the lack of verbs keeps from being planned."""
    everything = [entry for suite in SUITES for entry in tasks(suite).values()]
    return [
        entry
        for entry in everything
        if not entry.is_sought
        and not set(entry.kinds) & set(entry.inventory)
        and planned_by(entry, None)
        and not planned_by(entry, verbs)
    ]


def test_no_task_of_any_suite_is_beyond_the_oracle():
    assert tasks_beyond(OracleController.verbs) == []
    assert tasks_beyond(OracleController.verbs - {"kill"}) != []


def test_tasks_beyond_the_executors_are_refused_and_left_to_a_policy():
    beyond = tasks_beyond(MINERS)
    assert len(beyond) == 21
    for entry in beyond:
        with pytest.raises(BadValue, match=r"Miner' and the helper with the verbs craft, dig"):
            make(f"Optimus-{entry.id}-v0", controller=MINER)
    make(f"OptimusControl-{beyond[0].id}-v0", protocol="vanilla")
    make(f"OptimusFlat-{beyond[0].id}-v0", protocol="vanilla")


def test_the_control_view_makes_no_controller():
    env = make("OptimusControl-Wood-v0", controller="tests.envs.test_budgets:Never").unwrapped
    assert env._view.executors.controller is None
    assert env._view.abilities.verbs >= {"kill", "milk", "mine", "craft"}
    env.reset(seed=1)


class Never:
    """A controller that raises when it is made."""

    def __init__(self):
        raise AssertionError("the control view needs no controller")

    def act(self, rows, observations, mask):
        raise AssertionError("never made")


def test_held_items_count_without_an_event():
    env = make("OptimusFlat-v0", task={"item": "iron_ingot"})
    env.reset(seed=2)
    slot = env.unwrapped._view.runtime.world.worlds.slots[0, 20]
    slot["item"], slot["count"] = item("iron_ingot").id, 1
    _, reward, terminated, _, info = env.step(env.unwrapped.noop())
    assert info["event_counts"].sum() == 0
    assert info["held"][env.unwrapped.item_names.index("iron_ingot")] == 1
    assert (reward, terminated, info["is_success"]) == (8.0, True, True)
