"""Parts as specifications and as objects: use by one environment at a time, and copies."""

import copy
import gc
import pickle
import weakref
from pathlib import Path
from types import MappingProxyType

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode

from optimus_gym.agents.optimus1.agent import Optimus1
from optimus_gym.agents.unplanned import Unplanned
from optimus_gym.backbones.rules import RulesBackbone
from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.controllers.random import RandomController
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from optimus_gym.envs.config import EnvConfig
from optimus_gym.testing.small_worlds import MinimalWorld
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.envs.conftest import make

COPIES = (copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)))
each_copy = pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
SMALL = {"resolution": (16, 12), "subgoal_ticks": 20}


def make_vec(view="Optimus", **arguments):
    return gymnasium.make_vec(f"{view}-Wood-v0", 2, **{**SMALL, **arguments})


@each_copy
def test_a_specification_compares_and_hashes_by_its_values(copied):
    looks = ["pov", "vitals"]
    wanted = {"name": "sb3", "source": "model.zip", "looks_at": looks}
    part = part_of("controller", wanted)
    looks.append("subgoal")
    part.options["looks_at"].append("subgoal")
    assert part.options == {"source": "model.zip", "looks_at": ["pov", "vitals"]}
    turned = {"looks_at": ("pov", "vitals"), "source": Path("model.zip"), "name": "sb3"}
    assert part == part_of("controller", turned) == copied(part)
    assert len({part, part_of("controller", turned), copied(part)}) == 1


@each_copy
def test_a_configuration_can_be_copied_unless_it_holds_an_object(copied):
    config = EnvConfig(task="Wood", agent={"name": "optimus-1", "max_replans": 3})
    again = copied(config)
    assert again == config
    assert again.parts == config.parts
    with pytest.raises(
        BadValue, match="agent: expected a name or a specification, to copy the environment"
    ):
        copied(EnvConfig(task="Wood", agent=Optimus1()))


@each_copy
def test_a_copied_environment_has_the_same_arguments(copied):
    vector = make_vec("OptimusFlat", autoreset_mode="SameStep", threads=1, max_episode_steps=7)
    again = copied(vector)
    assert again.autoreset_mode is AutoresetMode.SAME_STEP
    assert (again.num_envs, again._most_steps) == (2, 7)
    single = make("OptimusFlat-Wood-v0", **SMALL).unwrapped
    for one, other in ((vector, again), (single, copied(single))):
        assert other is not one
        assert np.array_equal(one.reset(seed=4)[0]["pov"], other.reset(seed=4)[0]["pov"])
        other.close()
        assert one.reset(seed=5)


@each_copy
def test_later_changes_of_an_argument_do_not_reach_a_copy(copied):
    task = MappingProxyType({"item": "oak_log", "count": np.int64(2)})
    held = dict(task)
    envs = [make("OptimusFlat-v0", **SMALL, task=one).unwrapped for one in (task, held)]
    held["count"] = 5
    for env in envs:
        env.reset(seed=0)
        again = copied(env)
        again.reset(seed=0)
        assert again.progress().task == env.progress().task
        assert again._view.config.task == {"item": "oak_log", "count": 2}


@each_copy
@pytest.mark.parametrize("kind", ["controller", "agent", "backbone", "world"])
def test_an_environment_made_with_an_object_refuses_copying(copied, kind):
    def given(rows):
        made = {
            "controller": RandomController,
            "agent": Optimus1,
            "backbone": RulesBackbone,
            "world": lambda: MinimalWorld(rows),
        }
        return {"controller": "random", kind: made[kind]()}

    for env in (make("Optimus-Wood-v0", **given(1)).unwrapped, make_vec(**given(2))):
        with pytest.raises(BadValue, match=f"{kind}: expected a name or a specification"):
            copied(env)


@pytest.mark.parametrize(
    ("kind", "maker"),
    [("controller", OracleController), ("agent", Optimus1), ("agent", Unplanned)],
)
def test_a_used_object_acts_like_a_new_object(kind, maker):
    part = maker()
    ends = []
    for _ in range(2):
        env = make("Optimus-Wood-v0", **SMALL, **{kind: part})
        env.reset(seed=1)
        env.step(0)
        ends.append(env.step(0)[0]["pov"])
        env.close()
    assert np.array_equal(*ends)


def test_closing_an_environment_leaves_a_given_world_open():
    world = MinimalWorld(1)
    seen = []
    for _ in range(2):
        env = make("OptimusFlat-Wood-v0", world=world, **SMALL)
        seen.append(env.reset(seed=1)[0]["pov"])
        env.close()
        env.close()
    assert np.array_equal(*seen)
    assert np.array_equal(env.reset(seed=1)[0]["pov"], seen[0])


def test_a_closed_environment_opens_again_unless_its_object_serves_another():
    world = MinimalWorld(1)
    first = make("OptimusFlat-Wood-v0", world=world, **SMALL)
    first.reset(seed=1)
    first.close()
    second = make("OptimusFlat-Wood-v0", world=world, **SMALL)
    with pytest.raises(BadValue, match="serves another environment already"):
        first.reset(seed=1)
    second.close()
    first.reset(seed=1)


@pytest.mark.parametrize("view", ["Optimus", "OptimusControl", "OptimusFlat"])
def test_objects_are_freed_with_their_environment(view):
    given = {"controller": OracleController(), "agent": Optimus1(), "world": VoxelWorld(1)}
    env = make(f"{view}-Wood-v0", **SMALL, **given)
    env.reset(seed=0)
    gone = [weakref.ref(env.unwrapped), *map(weakref.ref, given.values())]
    del env, given
    gc.collect()
    assert [one() for one in gone] == [None] * 4


class Weakless:
    """A backbone that takes no weak reference."""

    takes_pictures = False

    __slots__ = ("name",)

    def __init__(self):
        self.name = "weakless"

    def complete(self, requests):
        return RulesBackbone().complete(requests)


@pytest.mark.parametrize("maker", [RulesBackbone, Weakless])
def test_an_object_can_be_used_again_after_its_environment_is_deleted(maker):
    part = maker()
    env = make("Optimus-Wood-v0", backbone=part)
    with pytest.raises(BadValue, match="serves another environment already"):
        make("Optimus-Wood-v0", backbone=part)
    del env
    gc.collect()
    make("Optimus-Wood-v0", backbone=part)


def test_unused_objects_may_serve_another_environment():
    agent, backbone, controller = Optimus1(), RulesBackbone(), RandomController()
    given = {"agent": agent, "backbone": backbone, "controller": controller}
    envs = [make("OptimusFlat-Wood-v0", **given) for _ in range(2)]
    envs.append(make("OptimusControl-Wood-v0", **given))
    envs.append(make("Optimus-Wood-v0", world="symbolic", controller=controller))
    envs.append(make("Optimus-Wood-v0", controller=controller))
    for kind in given:
        with pytest.raises(BadValue, match=f"{kind}: this .* serves another environment already"):
            make("Optimus-Wood-v0", **{kind: given[kind]})


def test_specifications_with_unusual_types_survive_json(tmp_path):
    env = make_vec(
        autoreset_mode=AutoresetMode.SAME_STEP,
        ticks=np.int64(50),
        resolution=tuple(np.array([16, 12])),
        memory=tmp_path,
        agent={"name": "optimus-1", "max_replans": np.int8(3)},
    )
    written = env.spec.to_json()
    spec = EnvSpec.from_json(written)
    assert spec.kwargs == env.spec.kwargs
    assert spec.kwargs["autoreset_mode"] == "SameStep"
    assert spec.kwargs["memory"] == str(tmp_path)
    again = gymnasium.make_vec(spec)
    assert again.autoreset_mode is AutoresetMode.SAME_STEP
    assert again.single_observation_space == env.single_observation_space
