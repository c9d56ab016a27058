"""Worlds declare their abilities, which decide the views and parts that fit them."""

import gymnasium
import numpy as np
import pytest

from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.errors import BadValue
from optimus_gym.testing.small_worlds import MinimalWorld
from tests.envs.conftest import make

HIDDEN = "optimus_gym.testing.small_worlds:MinimalWorld"


class Guide(OracleController):
    """A script of this test that knows the world behind the hidden world."""

    needs = frozenset({"keys"})
    verbs = frozenset({"mine"})

    def attach(self, setting):
        hidden = setting.world
        super().attach(
            type(setting)(
                setting.rows,
                setting.observation_space,
                setting.action_space,
                setting.vocabulary,
                setting.resolution,
                world=lambda: hidden()._MinimalWorld__world,
            )
        )


@pytest.mark.parametrize("seed", [3, 7, 11])
def test_a_script_reaches_wood_through_the_protocols_methods_alone(seed):
    env = make("Optimus-Wood-v0", world=HIDDEN, controller=Guide())
    env.reset(seed=seed)
    over = False
    while not over:
        _, _, terminated, truncated, info = env.step(0)
        over = terminated or truncated
    assert info["is_success"], info
    env.close()


def test_a_controller_that_needs_arrays_is_refused_in_a_world_without():
    with pytest.raises(
        BadValue,
        match=r"controller 'oracle': expected a world with 'arrays' .*, got '.*MinimalWorld'",
    ):
        make("Optimus-Wood-v0", world=HIDDEN, controller="oracle")


def test_an_agent_that_needs_pictures_is_refused_in_a_world_without():
    with pytest.raises(
        BadValue, match=r"agent .*: expected a world with 'pictures' .*, got 'symbolic'"
    ):
        make("Optimus-Wood-v0", world="symbolic", agent={"name": "optimus-1", "sees": True})


@pytest.mark.parametrize("view", ["OptimusControl", "OptimusFlat"])
def test_a_world_without_keys_has_no_control_or_flat_view(view):
    with pytest.raises(BadValue, match="got 'symbolic' without 'keys'"):
        make(f"{view}-Wood-v0", world="symbolic")


class Bare(MinimalWorld):
    """A world without functions and without screens, for which no helper exists."""

    can = frozenset({"keys", "pictures"})


def test_a_world_without_a_helper_has_a_flat_view_without_functions_only():
    here = "tests.envs.test_worlds:Bare"
    with pytest.raises(BadValue, match="for helper 'gui'"):
        make("Optimus-Wood-v0", world=here, controller="random")
    env = make("OptimusFlat-Wood-v0", world=here)
    assert env.action_space.shape == (13,)
    env.reset(seed=0)
    env.step(env.unwrapped.noop())


def test_a_protocol_with_respawn_needs_a_world_that_respawns_players():
    with pytest.raises(
        BadValue, match="'optimus-1-code': expected a world that respawns players, got"
    ):
        make("OptimusFlat-Wood-v0", world="tests.envs.test_worlds:Bare", protocol="optimus-1-code")


def test_a_world_object_serves_one_environment_at_a_time():
    world = MinimalWorld(1)
    env = make("OptimusFlat-Wood-v0", world=world)
    env.reset(seed=1)
    assert env.unwrapped._view.runtime.world is world
    with pytest.raises(BadValue, match="serves another environment"):
        make("OptimusFlat-Wood-v0", world=world)
    env.close()
    with pytest.raises(BadValue, match="world: expected 1 rows, got 2"):
        make("OptimusFlat-Wood-v0", world=MinimalWorld(2))


@pytest.mark.parametrize("view", ["Optimus", "OptimusControl", "OptimusFlat"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_world_failure_ends_its_rows_episode_and_the_other_rows_go_on(view, mode):
    broken = {"name": "optimus_gym.testing.small_worlds:FailingWorld", "row": 1, "tick": 5}
    env = gymnasium.make_vec(
        f"{view}-Wood-v0", 3, world=broken, controller="random", subgoal_ticks=4, info="full",
        autoreset_mode=mode, resolution=(16, 12), ticks=60,
    )  # fmt: skip
    env.reset(seed=0)
    noop = np.stack([env.noop()] * 3)
    for _ in range(12):
        seen, _, terminated, truncated, infos = env.step(noop)
        if truncated.any():
            break
    assert truncated.tolist() == [False, True, False]
    assert not terminated.any()
    last = infos["final_info"] if mode == "SameStep" else infos
    assert last["status"][1] == "world_failed"
    assert last["reason"][1]
    final = infos["final_obs"][1] if mode == "SameStep" else {k: v[1] for k, v in seen.items()}
    assert env.single_observation_space.contains(final)
    for _ in range(3):
        _, _, _, truncated, _ = env.step(noop)
        assert not truncated[[0, 2]].any()


def test_the_first_step_reports_a_world_that_fails_at_once():
    broken = {"name": "optimus_gym.testing.small_worlds:FailingWorld", "row": 0, "tick": 1}
    env = make("Optimus-Wood-v0", world=broken, controller="random", subgoal_ticks=4)
    env.reset(seed=0)
    *_, terminated, truncated, info = env.step(0)
    assert (terminated, truncated) == (False, True)
    assert info["failure"][0] == "world_failed"
    assert (info["ticks"], info["smdp"]["duration"]) == (0, 0)
