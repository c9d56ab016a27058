"""`env.unwrapped.command` and the reset option `commands` carry out chat commands in all views."""

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.types import Event
from optimus_gym.game.protocols import protocols
from tests.envs.conftest import make

RESPAWNING = next(
    name for name, one in protocols().items() if one.death == "respawn" and one.difficulty
)
ENDING = next(name for name, one in protocols().items() if one.death == "episode_over")


def begun(view_id, **arguments):
    env = make(view_id, info="full", **arguments).unwrapped
    env.reset(seed=1)
    return env


def give_goal(env):
    task = env._view.runtime.episode(0).task
    env.command(f"/give @s {task.kinds[0]} {task.count}")


def test_a_command_shows_in_inventory_observation_and_assists(seen_id):
    env = begun(seen_id)
    assert "commands" not in env._view.info(0)["assists"]
    assert env.command("/give @s minecraft:stick 3") == "Gave 3 [Stick] to Player"
    assert env.inventory()["stick"] == 3
    info = env._view.info(0)
    assert "commands" in info["assists"]
    assert dict(info["inventory"])["stick"] == 3
    env.command("/time set midnight")
    assert env._view.runtime.world.worlds.skies["time"][0] == 18_000


def test_a_refused_command_changes_nothing(seen_id):
    env = begun(seen_id)
    before, info = env.snapshot(), env._view.info(0)
    with pytest.raises(UnknownName, match="did you mean 'stick'"):
        env.command("/give @s stik")
    assert env.snapshot() == before
    assert env._view.info(0)["assists"] == info["assists"]


def test_a_world_without_the_power_refuses_by_name():
    env = begun("Optimus-Wood-v0@symbolic")
    with pytest.raises(BadValue, match="world 'symbolic' lacks the power 'commands'"):
        env.command("/time set day")
    with pytest.raises(BadValue, match="world 'symbolic' lacks the power 'commands'"):
        env.reset(seed=1, options={"commands": ("/time set day",)})
    env.reset(seed=1, options={"commands": ()})


def test_commands_need_a_running_episode_and_an_existing_row():
    env = make("OptimusFlat-Wood-v0").unwrapped
    with pytest.raises(ResetNeeded, match="before its first command"):
        env.command("/time set day")
    env.reset(seed=1)
    with pytest.raises(BadValue, match="row"):
        env.command("/time set day", 1)
    give_goal(env)
    with pytest.raises(ResetNeeded, match=r"the episode is over \(success\)"):
        env.command("/time set day")
    assert env.step(env.noop())[2]


def test_a_given_goal_ends_the_episode_with_the_assist_in_its_record(seen_id):
    env = begun(seen_id)
    give_goal(env)
    _, _, terminated, _, info = env.step(env.noop())
    assert terminated
    assert info["status"] == "success"
    assert "commands" in info["assists"]


def test_assists_that_a_command_switches_on_stay_in_the_episodes_list():
    env = begun("OptimusFlat-Wood-v0", protocol=RESPAWNING)
    env.command("/gamerule doDaylightCycle false")
    env.command("/gamerule doDaylightCycle true")
    told = env._view.info(0)["assists"]
    assert {"always_day", "commands"} <= set(told)


def test_a_killed_player_comes_back_by_the_protocol_and_its_subgoal_fails():
    env = begun("OptimusFlat-Wood-v0", protocol=RESPAWNING)
    env.command("/tp @s ~30 ~ ~")
    assert env.command("/kill @s") == "Killed Player"
    runtime = env._view.runtime
    spawn = runtime.world.worlds.spawns[0]
    assert runtime.world.alive([0])[0]
    assert runtime.world.poses([0])[0, 0] == pytest.approx(spawn["x"], abs=16)
    assert Event("died", "void", 1) in runtime.episode(0).events
    env.step(env.noop())
    assert runtime.died[0]
    env.step(env.noop())
    assert not runtime.died[0]


def test_a_killed_player_ends_the_episode_where_the_protocol_says_so():
    env = begun("OptimusFlat-Wood-v0", protocol=ENDING)
    env.command("/kill")
    _, _, terminated, _, info = env.step(env.noop())
    assert terminated
    assert info["status"] == "died"


def test_the_reset_option_carries_commands_out_in_order(seen_id):
    env = begun(seen_id)
    commands = ("/clear", "/give @s stick 2", "/give @s stick 3", "/time set 77")
    _, info = env.reset(seed=2, options={"commands": commands})
    assert dict(info["inventory"]) == {"stick": 5}
    assert "commands" in info["assists"]
    assert env._view.runtime.world.worlds.skies["time"][0] == 77
    _, info = env.reset(seed=2)
    assert "commands" not in info["assists"]


def test_commands_of_the_argument_start_hold_for_every_episode_and_follow_a_snapshot():
    env = begun("OptimusFlat-Wood-v0", start={"commands": ["/give @s stick 2"]})
    assert env.inventory() == {"stick": 2}
    saved = env.snapshot()
    env.reset(seed=3, options={"snapshot": saved})
    assert env.inventory() == {"stick": 4}
    env.reset(seed=3, options={"commands": None})
    assert env.inventory() == {}


@pytest.mark.parametrize("bad", ["/give @s stick", 5, {"a": 1}, (5,)])
def test_a_wrong_option_is_refused(bad):
    env = begun("OptimusFlat-Wood-v0")
    before = env.snapshot()
    with pytest.raises(BadValue, match="option commands: expected a tuple of texts, got"):
        env.reset(seed=1, options={"commands": bad})
    assert env.snapshot() == before


def test_a_refused_command_of_a_reset_leaves_the_former_episode():
    env = begun("OptimusFlat-Wood-v0")
    for _ in range(3):
        env.step(env.noop())
    before, ticks = env.snapshot(), env.progress().ticks
    with pytest.raises(UnknownName, match="unknown creature of this world 'ghast'"):
        env.reset(seed=5, options={"commands": ("/give @s stick", "/summon ghast")})
    assert env.snapshot() == before
    assert env.progress().ticks == ticks
    env.step(env.noop())


def test_a_vector_environment_commands_one_row():
    envs = gymnasium.make_vec("OptimusFlat-Wood-v0", num_envs=2, resolution=(48, 40)).unwrapped
    envs.reset(seed=1)
    envs.command("/give @s stick 2", 1)
    assert (envs.inventory(0), envs.inventory(1)) == ({}, {"stick": 2})
    seen = envs.step(np.stack([envs.noop()] * 2))[0]
    place = envs.item_names.index("stick")
    assert (seen["inventory"][:, place] > 0).tolist() == [False, True]
    envs.close()
