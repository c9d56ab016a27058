"""MineRL's tasks in the embedded world: what their actions do there, and what they show."""

import numpy as np
import pytest

from optimus_gym.envs.minerl.embedded import EmbeddedGame
from tests.envs.minerl.conftest import make

TASKS = (
    *(("Treechop", None), ("NavigateDense", None), ("ObtainIronPickaxe", None)),
    *(("BasaltCreatePlainsAnimalPen", None), ("BasaltMakeWaterfall", None)),
    ("Treechop", "1.0"),
)


@pytest.fixture
def env(request):
    name, version = request.param
    made = make(f"MineRL/{name}-v0", None, version=version, resolution=(32, 18))
    yield made
    made.close()


def over(env_id, **arguments):
    return make(env_id, None, resolution=(32, 18), **arguments)


@pytest.mark.parametrize("env", TASKS, indirect=True)
def test_a_task_plays_in_the_embedded_world(env):
    first, _ = env.reset(seed=20_003)
    assert env.observation_space.contains(first)
    assert first["pov"].std() > 0
    turned, reward, terminated, truncated, info = env.step({"camera": [0.0, 90.0], "forward": 1})
    assert env.observation_space.contains(turned)
    assert (terminated, truncated) == (False, False)
    assert not np.array_equal(first["pov"], turned["pov"])
    assert "error" not in info
    assert isinstance(reward, float)


def test_the_same_seed_and_actions_give_the_same_episode():
    runs = []
    for _ in range(2):
        env = over("MineRL/ObtainDiamond-v0")
        observation, _ = env.reset(seed=20_004)
        env.action_space.seed(8)
        seen = [observation["pov"]]
        for _ in range(12):
            observation, *_ = env.step(env.action_space.sample())
            seen.append(observation["pov"])
        runs.append(np.array(seen))
        env.close()
    assert np.array_equal(*runs)


@pytest.fixture
def given():
    """A function that makes an environment, and one that gives its player items by a chat command."""
    games = []

    def opened():
        games.append(EmbeddedGame())
        return games[-1]

    def give(item, count):
        games[-1]._own.command(0, f"/give @s {item} {count}")

    envs = []

    def made(env_id, **arguments):
        envs.append(make(env_id, opened, resolution=(32, 18), **arguments))
        return envs[-1]

    yield made, give
    for env in envs:
        env.close()


def test_crafting_by_name_earns_the_rewards_of_the_way_to_a_diamond(given):
    made, give = given
    env = made("MineRL/ObtainDiamond-v0")
    env.reset(seed=20_006)
    give("oak_log", 3)
    rewards = [env.step(action)[1] for action in ({}, {}, *[{"craft": "planks"}] * 3)]
    rewards += [env.step({"craft": item})[1] for item in ("stick", "crafting_table")]
    assert rewards == [1, 0, 2, 0, 0, 4, 4]
    observation, reward, *_ = env.step({"place": "crafting_table", "camera": [40.0, 0.0]})
    for action in ({"place": "crafting_table"}, {"nearbyCraft": "wooden_pickaxe"}):
        observation, reward, *_ = env.step(action)
    assert reward == 8
    observation, *_ = env.step({"equip": "wooden_pickaxe"})
    assert int(observation["inventory"]["wooden_pickaxe"]) == 1
    assert observation["equipped_items"]["mainhand"]["type"] == "wooden_pickaxe"


def test_a_diamond_ends_the_task(given):
    made, give = given
    env = made("MineRL/ObtainDiamond-v0")
    env.reset(seed=20_007)
    give("diamond", 1)
    _, reward, terminated, truncated, _ = env.step({})
    assert (reward, terminated, truncated) == (1024, True, False)


def test_logs_earn_rewards_in_treechop_of_both_versions(given):
    made, give = given
    for version in ("0.4.4", "1.0"):
        env = made("MineRL/Treechop-v0", version=version)
        env.reset(seed=20_008)
        give("birch_log", 5)
        assert env.step({})[1] == 5
        give("dark_oak_log", 59)
        assert env.step({})[1:3] == (59, True)


def test_a_thrown_snowball_ends_basalt(given):
    made, _ = given
    env = made("MineRL/BasaltFindCave-v0", version="0.4.4")
    observation, _ = env.reset(seed=20_009)
    assert observation["equipped_items"]["mainhand"]["type"] == "snowball"
    ends = [env.step({"use": int(tick == 1)})[2] for tick in range(13)]
    assert ends == [False] * 12 + [True]


def test_vitals_and_place_of_the_embedded_player_are_shown():
    env = over("MineRL/HumanSurvival-v0")
    observation, info = env.reset(seed=20_005)
    assert observation["life_stats"]["life"] == 20.0
    assert observation["location_stats"] == info["location_stats"]
    for _ in range(4):  # the player has to stand first
        jumped, *_ = env.step({"jump": 1})
    assert int(jumped["full_stats"]["jump"]) == 1
    assert jumped["location_stats"]["ypos"] > observation["location_stats"]["ypos"]
    env.close()
