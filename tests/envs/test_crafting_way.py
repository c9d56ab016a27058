"""The argument `crafting`: by functions or by mouse, in every view, and what does not fit is refused."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence

from optimus_gym.core.actions import CONTROL_SIZES, INVENTORY, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import FUNCTIONAL_VERBS, SubGoal
from optimus_gym.core.world_powers import UNKNOWN_SCREEN
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.subgoal import SubGoalView
from optimus_gym.game.screens import screen_names
from optimus_gym.testing.small_worlds import MinimalWorld
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.envs.conftest import make

FLAT = "OptimusFlat-Wood-v0"
HERE = "tests.envs.test_crafting_way"


class OnlyMouse(VoxelWorld):
    """An embedded world without functions."""

    can = VoxelWorld.can - {"functions"}


class Unasked(VoxelWorld):
    """A world that fails if the environment asks for its screens during play."""

    def screens(self, rows):
        assert not self.worlds.players["tick"].any(), "the world was asked during play"
        return super().screens(rows)


class Strange(VoxelWorld):
    """A world that does not know which screen is open."""

    def screens(self, rows):
        return np.full(len(rows), UNKNOWN_SCREEN, np.int32)


class ByKeys:
    """A controller that crafts by keys alone."""

    privileged, needs, fixed_batch = False, frozenset({"keys"}), False
    verbs = frozenset({"mine", "craft"})
    looks_at = ()

    def attach(self, setting):
        pass

    def begin_episodes(self, rows, seeds):
        pass

    def begin_subgoals(self, rows, subgoals):
        pass

    def act(self, rows, observations, mask):
        raise AssertionError("no test plays this controller")


def press(env):
    """Press and release the inventory's key; return the info in between."""
    action = env.unwrapped.noop()
    action[INVENTORY] = 1
    *_, info = env.step(action)
    env.step(env.unwrapped.noop())
    return info


@pytest.mark.parametrize(
    ("asked", "world", "way"),
    [
        (None, "voxel", "functional"),
        ("functional", "voxel", "functional"),
        ("gui", "voxel", "gui"),
        (None, f"{HERE}:OnlyMouse", "gui"),
        ("gui", f"{HERE}:OnlyMouse", "gui"),
        (None, "optimus_gym.testing.small_worlds:MinimalWorld", "functional"),
        (None, "symbolic", "functional"),
        ("functional", "symbolic", "functional"),
    ],
)
def test_the_configuration_holds_the_way_that_is_really_used(asked, world, way):
    view = SubGoalView(EnvConfig(task="Wood", world=world, crafting=asked, controller=ByKeys()), 1)
    assert view.config.crafting == view.runtime.config.crafting == way
    assert view.helper_name == ("" if world == "symbolic" else way)
    view.close()


@pytest.mark.parametrize(
    ("way", "world", "message"),
    [
        ("gui", "symbolic", r"crafting: expected for 'gui' .*'mouse' .*, got world 'symbolic'"),
        ("gui", MinimalWorld(1), r"for 'gui' a world with 'mouse' .*, got world 'MinimalWorld'"),
        ("functional", f"{HERE}:OnlyMouse", r"for 'functional' .*'functions' .*, got .*OnlyMouse'"),
    ],
    ids=["gui in a world without a map", "gui in a world without screens", "functions by mouse"],
)
def test_a_way_that_the_world_lacks_is_refused_with_both_names(way, world, message):
    with pytest.raises(BadValue, match=message):
        make("Optimus-Wood-v0", crafting=way, world=world)


def test_the_inventory_key_opens_and_closes_a_screen_by_mouse_alone():
    env = make(FLAT, crafting="gui", info="full")
    _, info = env.reset(seed=0)
    told = [(one["screen"], one["screen_name"]) for one in (info, press(env), press(env))]
    assert told == [(0, ""), (1, "inventory"), (0, "")]
    env = make(FLAT, info="full")
    env.reset(seed=0)
    info = press(env)
    assert (info["screen"], info["screen_name"]) == (0, "")


def test_the_camera_moves_the_cursor_while_a_screen_is_open():
    env = make(FLAT, crafting="gui")
    env.reset(seed=0)
    before = press(env)
    action = env.unwrapped.noop()
    action[12] = 10
    seen, *_, info = env.step(action)
    again, *_ = env.step(action)
    assert (info["yaw"], info["pitch"]) == (before["yaw"], before["pitch"])
    assert not np.array_equal(seen["pov"], again["pov"])


def test_looking_at_the_screen_changes_nothing():
    env = make(FLAT, crafting="gui", info="full").unwrapped
    env.reset(seed=0)
    press(env)
    saved = env.snapshot()
    view = env._view
    first = view.info(0)
    assert data_equivalence(first, view.info(0))
    assert env.snapshot() == saved


def test_worlds_are_asked_for_screens_only_where_players_craft_on_them():
    env = make(FLAT, world=f"{HERE}:Unasked")
    env.reset(seed=0)
    assert press(env)["screen"] == 0
    env = make(FLAT, world=f"{HERE}:Unasked", crafting="gui")
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="asked during play"):
        press(env)


def test_a_screen_of_an_unknown_kind_is_called_unknown():
    env = make(FLAT, world=f"{HERE}:Strange", crafting="gui", info="full")
    _, info = env.reset(seed=0)
    assert (info["screen"], info["screen_name"]) == (UNKNOWN_SCREEN, "unknown")
    assert "unknown" not in screen_names()


@pytest.mark.parametrize("view", ["OptimusFlat", "OptimusControl"])
def test_each_row_of_a_batch_has_its_own_screen(view):
    envs = gymnasium.make_vec(
        f"{view}-Wood-v0", 3, vectorization_mode="vector_entry_point", crafting="gui",
        resolution=(48, 40),
    )  # fmt: skip
    envs.reset(seed=0)
    actions = np.tile(envs.unwrapped.noop(), (3, 1))
    actions[1, INVENTORY] = 1
    *_, infos = envs.step(actions)
    assert infos["screen"].tolist() == [0, 1, 0]
    assert infos["screen"].dtype == np.int64
    envs.close()


def test_the_flat_view_offers_the_keys_alone_by_mouse():
    env = make(FLAT, crafting="gui")
    assert env.action_space.nvec.tolist() == list(CONTROL_SIZES)
    assert len(env.unwrapped.action_meanings) == len(env.unwrapped.noop()) == 13
    env.reset(seed=0)
    with pytest.raises(BadValue, match=r"action: expected 13 integers, got int64 of shape \(15,\)"):
        env.unwrapped.step(make(FLAT).unwrapped.noop())


def test_a_policy_for_the_longer_action_is_refused_with_both_spaces(tmp_path):
    ppo = pytest.importorskip("stable_baselines3").PPO
    longer = make(FLAT)
    model = ppo("MultiInputPolicy", longer, n_steps=8, batch_size=8, device="cpu")
    model.save(tmp_path / "model.zip")
    with pytest.raises(
        ValueError, match=r"MultiDiscrete\(.*5 99\]\) != MultiDiscrete\(.*10 11 11\]\)"
    ):
        ppo.load(tmp_path / "model.zip", env=make(FLAT, crafting="gui"), device="cpu")


@pytest.mark.parametrize(("saved_in", "loaded_in"), [("gui", None), (None, "gui")])
def test_a_snapshot_of_the_other_way_is_refused_and_nothing_changes(saved_in, loaded_in, tmp_path):
    source, env = make(FLAT, crafting=saved_in), make(FLAT, crafting=loaded_in)
    source.reset(seed=1)
    env.reset(seed=2)
    saved, before = source.unwrapped.snapshot(), env.unwrapped.snapshot()
    ways = ("without screens .*, got one with", "with screens .*, got one without")
    with pytest.raises(BadValue, match=f"snapshot: expected a world {ways[loaded_in == 'gui']}"):
        env.reset(options={"snapshot": saved})
    assert env.unwrapped.snapshot() == before
    saved.save(tmp_path / "saved")
    late = make(FLAT, crafting=loaded_in, start={"snapshot": str(tmp_path / "saved")})
    with pytest.raises(BadValue, match="snapshot: expected a world with"):
        late.reset()
    with pytest.raises(ResetNeeded):
        late.unwrapped.snapshot()


def test_an_open_screen_survives_a_snapshot():
    env, other = (make(FLAT, crafting="gui") for _ in range(2))
    env.reset(seed=1)
    press(env)
    _, info = other.reset(options={"snapshot": env.unwrapped.snapshot()})
    assert info["screen"] == 1


def test_a_controller_by_functions_leaves_crafting_to_the_helper_by_mouse():
    """The oracle needs functions; a policy that plays by keys keeps the verbs that it lists."""
    for controller, way, theirs in (
        ("oracle", "functional", FUNCTIONAL_VERBS),
        ("oracle", "gui", frozenset()),
        (ByKeys(), "gui", {"craft"}),
    ):
        config = EnvConfig(task="Wood", controller=controller, crafting=way)
        view = SubGoalView(config, 1)
        assert view.executors.controllers & FUNCTIONAL_VERBS == theirs
        assert "mine" in view.executors.controllers
        assert view.executors.verbs >= FUNCTIONAL_VERBS
        view.close()


def test_the_helper_by_mouse_works_between_two_steps_of_the_control_view():
    env = make("OptimusControl-Wood-v0", crafting="gui")
    _, info = env.reset(seed=0, options={"inventory": {"oak_log": 4}})
    assert info["is_success"]
    assert screen_names()[info["screen"]] == "crafting_table"  # open when the pickaxe is held
    assert info["ticks"] == info["smdp"]["duration"] > 3


@pytest.mark.parametrize("verb", ["mine", "place"])
def test_a_screen_that_is_open_when_a_sub_goal_begins_is_closed_first(verb):
    config = EnvConfig(task="Wood", controller="oracle", crafting="gui")
    view = SubGoalView(config, 1)
    view.begin([0], [0], {"inventory": {"crafting_table": 1}})
    world = view.runtime.world
    action = noop()
    action[INVENTORY] = 1
    for keys in (action, noop()):
        world.tick([0], keys[None])
    assert world.screens([0])[0] == 1
    view.executors.begin_subgoals(
        [0], [SubGoal(verb, {"mine": "dirt"}.get(verb, "crafting_table"))]
    )
    assert not view.executors.waits_for_policy(0)
    pressed = []
    for _ in range(60):
        actions, failures = view.executors.act([0])
        assert failures == [None]
        pressed.append(int(actions[0, INVENTORY]))
        world.tick([0], actions)
        if world.stations(0):
            break
    assert pressed[0] == 1
    assert sum(pressed) == 1
    assert world.screens([0])[0] == 0
    assert bool(world.stations(0)) == (verb == "place")
    view.close()
