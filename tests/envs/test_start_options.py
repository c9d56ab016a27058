"""Reset options set the time and the weather, and `start` sets them for every reset."""

import gymnasium
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.config import EnvConfig
from optimus_gym.envs.starts import Starts
from tests.envs.conftest import make
from tests.envs.test_bad_input import OPTIONS


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
def test_an_episode_begins_at_the_given_time_and_weather(
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


def test_a_player_begins_with_5_saturation_at_its_spawn_point():
    """Minecraft Wiki, "Hunger": food 20, saturation 5; "Spawn": a dead player returns to its spawn point."""
    env = make("OptimusFlat-Wood-v0").unwrapped
    for options in ({}, {"position": (8.5, 90.0, -3.5)}):
        env.reset(seed=1, options=options)
        worlds = env._view.runtime.world.worlds
        player, home = worlds.players[0], worlds.spawns[0]
        assert (player["food"], player["saturation"]) == (20, 5)
        assert (home["x"], home["y"], home["z"]) == (player["x"], player["y"], player["z"])


@pytest.mark.parametrize("time", [24_000, -1])
def test_a_time_outside_a_days_24000_ticks_is_refused(time):
    env = make("OptimusFlat-Wood-v0")
    with pytest.raises(BadValue, match="option time: expected an integer from 0 to 23999"):
        env.reset(seed=1, options={"time": time})


def test_info_gives_the_share_of_the_wanted_biome_at_the_start():
    """The option, the argument or the task sets the biome; the share stays as it was at the start."""
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


def test_the_symbolic_world_gives_no_share_of_the_biome():
    _, info = make("Optimus-Wood-v0@symbolic").reset(seed=1, options={"biome": "desert"})
    assert "biome_share" not in info


START = {"inventory": {"oak_log": 2}, "time": "noon"}


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_start_applies_to_automatic_resets_and_reset_options_to_one_reset(mode):
    env = gymnasium.make_vec(
        "OptimusFlat-Wood-v0", 2, resolution=(16, 12), ticks=1, start=START, autoreset_mode=mode
    )
    again = gymnasium.make_vec(type(env.spec).from_json(env.spec.to_json()))
    place = env.item_names.index("oak_log")
    for one in (env, again):
        _, infos = one.reset(seed=0, options={"inventory": {"oak_log": 1}})
        assert infos["held"][:, place].tolist() == [1, 1]
        sky = one._view.runtime.world.worlds.skies
        assert sky["time"].tolist() == [6000, 6000]
        for _ in range(1 if mode == "SameStep" else 2):
            *_, infos = one.step(np.stack([one.noop()] * 2))
        assert infos["held"][:, place].tolist() == [2, 2]
        assert sky["time"].tolist() == [6000, 6000]


def test_start_applies_to_every_reset_of_a_single_environment():
    env = make("Optimus-Wood-v0@symbolic", start={"inventory": {"stick": 3}}).unwrapped
    for options, held in (({}, 3), ({"inventory": {"stick": 1}}, 1), (None, 3)):
        env.reset(seed=0, options=options)
        assert env.progress().inventory == {"stick": held}
    env.reset(seed=0, options={"inventory": None})
    assert env.progress().inventory == {}


def test_a_snapshot_in_start_is_read_once_for_all_episodes(tmp_path):
    file = tmp_path / "begun.snapshot"
    first = make("OptimusFlat-Wood-v0").unwrapped
    first.reset(seed=1, options={"time": "dusk", "inventory": {"stick": 3}})
    first.snapshot().save(file)
    env = make("OptimusFlat-Wood-v0", start={"snapshot": str(file)}).unwrapped
    file.unlink()
    for options, held in ((None, {"stick": 3}), ({"time": "noon"}, {}), (None, {"stick": 3})):
        env.reset(seed=2, options=options)
        assert env.progress().inventory == held


@pytest.mark.parametrize(("options", "message"), OPTIONS)
def test_start_is_checked_when_the_environment_is_made(options, message):
    with pytest.raises((BadValue, UnknownName), match=f"{message}|start: "):
        make("OptimusFlat-Wood-v0", start=options)


@pytest.mark.parametrize("start", [5, ["biome"], "biome"])
def test_start_other_than_a_mapping_is_refused(start):
    with pytest.raises(BadValue, match="start: expected a mapping or None, got"):
        make("OptimusFlat-Wood-v0", start=start)


def test_two_values_of_the_biome_are_refused():
    with pytest.raises(
        BadValue, match="biome: expected one value, got biome='forest' and 'plains'"
    ):
        make("OptimusFlat-Wood-v0", biome="forest", start={"biome": "plains"})


def test_reset_options_replace_the_same_options_of_start():
    config = EnvConfig.of({"task": "Wood", "start": {"time": "noon", "biome": "plains"}})
    starts = Starts(config)
    _, setup = starts.of(0, {"biome": "forest"})
    assert (setup.biome, setup.time) == ("forest", 6000)
