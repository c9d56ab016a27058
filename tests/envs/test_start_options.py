"""Reset options that set the hour and the weather."""

import pytest

from optimus_gym.core.errors import BadValue
from tests.envs.conftest import make


@pytest.mark.parametrize(
    ("options", "time", "rain", "thunder"),
    [
        ({}, 0, 0, 0),
        ({"time": 17_999}, 17_999, 0, 0),
        ({"time": "noon", "weather": "rain"}, 6_000, 1, 0),
        ({"time": "dusk", "weather": "thunder"}, 12_000, 1, 1),
        ({"weather": "clear"}, 0, 0, 0),
    ],
)
def test_an_episode_begins_at_the_hour_and_in_the_weather_asked_for(
    options: dict, time: int, rain: int, thunder: int
) -> None:
    env = make("OptimusFlat-Wood-v0").unwrapped
    env.reset(seed=1, options={"time": "midnight", "weather": "thunder"})
    env.reset(seed=1, options=options)
    sky = env._view.runtime.world.worlds.skies[0]
    assert (sky["time"], sky["rain"], sky["thunder"]) == (time, rain, thunder)
    assert (sky["raining"], sky["thundering"]) == (rain, thunder)
    env.step(env.noop())
    sky = env._view.runtime.world.worlds.skies[0]
    assert sky["time"] == time + 1
    assert 12_000 <= sky["rain_wait"] <= (24_000 if rain else 180_000)


def test_a_player_begins_with_the_published_saturation_and_is_at_home_where_it_begins():
    """Minecraft Wiki, "Hunger": food 20, saturation 5; "Spawn": the dead come back where they began."""
    env = make("OptimusFlat-Wood-v0").unwrapped
    for options in ({}, {"position": (8.5, 90.0, -3.5)}):
        env.reset(seed=1, options=options)
        worlds = env._view.runtime.world.worlds
        player, home = worlds.players[0], worlds.spawns[0]
        assert (player["food"], player["saturation"]) == (20, 5)
        assert (home["x"], home["y"], home["z"]) == (player["x"], player["y"], player["z"])


@pytest.mark.parametrize("time", [24_000, -1])
def test_a_day_has_24000_ticks(time):
    env = make("OptimusFlat-Wood-v0")
    with pytest.raises(BadValue, match="option time: expected an integer from 0 to 23999"):
        env.reset(seed=1, options={"time": time})


def test_info_says_how_much_of_the_land_is_the_biome_asked_for():
    """By option, by argument and by task; it is told of the start, and does not follow the player."""
    env = make("OptimusFlat-Wood-v0", biome="savanna")
    _, begun = env.reset(seed=10_001)
    assert env.unwrapped._view.runtime.world.biome(0) == "savanna"
    assert 0.8 <= begun["biome_share"] <= 1.0
    _, other = env.reset(seed=10_001, options={"biome": "flower_forest"})
    assert 0.8 <= other["biome_share"] <= 1.0
    _, far = env.reset(seed=10_001, options={"position": (3000.5, 100.0, 77.5)})
    *_, later = env.step(env.unwrapped.noop())
    assert later["biome_share"] == far["biome_share"] != other["biome_share"]
    asked = make("OptimusFlat-v0", suite="jarvis-190", task=None)
    for seed in range(10_000, 10_005):
        _, info = asked.reset(seed=seed, options={"task": "JarvisMineOakLog"})
        assert info["biome_share"] >= 0.8


def test_a_world_without_places_says_nothing_of_the_land():
    _, info = make("Optimus-Wood-v0@symbolic").reset(seed=1, options={"biome": "desert"})
    assert "biome_share" not in info
