"""An environment plays by the given protocol and names it in `info`."""

from dataclasses import replace

import pytest

from optimus_gym.core.actions import noop
from optimus_gym.envs import config
from optimus_gym.game.conditions import TIMES
from optimus_gym.game.creatures import DIFFICULTIES
from optimus_gym.game.protocols import protocol, protocols
from tests.envs.conftest import make

PAPER = protocol("optimus-1-paper")


@pytest.mark.parametrize("name", protocols())
def test_info_names_the_protocol_and_its_assists(seen_id, name):
    env = make(seen_id, protocol=name, info="full")
    _, info = env.reset(seed=1)
    assert (info["protocol"], info["assists"]) == (name, protocol(name).assists)
    info = env.step(env.unwrapped.noop())[4]
    assert (info["protocol"], info["assists"]) == (name, protocol(name).assists)


def test_the_default_protocol_is_vanilla_without_assists(seen_id):
    info = make(seen_id, info="full").reset(seed=1)[1]
    assert (info["protocol"], info["assists"]) == ("vanilla", ())


def test_the_symbolic_world_has_no_assists():
    info = make("Optimus-Wood-v0@symbolic", protocol=PAPER.name).reset(seed=1)[1]
    assert (info["protocol"], info["assists"]) == (PAPER.name, ())


def test_a_snapshot_restores_its_assists():
    assisted = make("OptimusFlat-Wood-v0", protocol=PAPER.name).unwrapped
    assisted.reset(seed=1)
    saved = assisted.snapshot()
    plain = make("OptimusFlat-Wood-v0", info="full").unwrapped
    _, info = plain.reset(seed=1, options={"snapshot": saved})
    assert (info["protocol"], info["assists"]) == ("vanilla", PAPER.assists)
    assert plain.reset(seed=1)[1]["assists"] == ()


def fall_out_of_the_world(env):
    """Kill the player in the next ticks and return the last step's outcome, with all events."""
    world = env.unwrapped._view.runtime.world
    world.worlds.players["y"], world.worlds.players["health"] = -100, 1
    world.worlds.needs["safe"] = 0
    events, still = [], noop()
    for _ in range(3):
        _, _, terminated, _, info = env.step(still)
        events += info["events"]
        if terminated:
            break
    return terminated, info, events


def test_the_protocol_decides_whether_death_ends_the_episode():
    env = make("OptimusFlat-Diamond-v0", protocol="vanilla", info="full")
    env.reset(seed=1)
    terminated, info, events = fall_out_of_the_world(env)
    assert (terminated, info["status"]) == (True, "died")
    assert "died" in [kind for kind, _, _ in events]
    env = make("OptimusFlat-Diamond-v0", protocol="optimus-1-code", info="full")
    env.reset(seed=1, options={"inventory": {"dirt": 5}})
    terminated, info, events = fall_out_of_the_world(env)
    assert (terminated, info["status"]) == (False, "running")
    assert "died" in [kind for kind, _, _ in events]
    assert env.unwrapped._view.runtime.inventory(0) == {"dirt": 5}


@pytest.mark.parametrize(("ticks", "expected"), [(None, 40), (25, 25)])
def test_the_protocols_budget_overrides_the_tasks_and_ticks_overrides_both(
    monkeypatch, ticks, expected
):
    short = replace(PAPER, name="short", budget=40)
    monkeypatch.setattr(config, "protocol", lambda _name: short)
    env = make("OptimusFlat-Wood-v0", ticks=ticks)
    env.reset(seed=1)
    still = noop()
    for _ in range(expected - 1):
        assert env.step(still)[2:4] == (False, False)
    assert env.step(still)[2:4] == (False, True)


@pytest.mark.parametrize("name", protocols())
def test_the_protocol_sets_the_start_and_reset_options_override_it(name):
    rules = protocol(name)
    env = make("OptimusFlat-Wood-v0", protocol=name).unwrapped
    env.reset(seed=1)
    worlds = env._view.runtime.world.worlds
    peaceful = "peaceful" in rules.assists
    assert worlds.rules["difficulty"][0] == (0 if peaceful else DIFFICULTIES.index("normal"))
    assert (worlds.rules["creatures"][0], worlds.rules["survival"][0]) == (1, 1)
    assert worlds.skies["time"][0] == rules.time
    env.reset(seed=1, options={"time": "midnight", "weather": "rain"})
    assert worlds.skies["time"][0] == TIMES["midnight"]
    assert worlds.skies["raining"][0]


@pytest.mark.parametrize("name", protocols())
def test_death_ends_the_episode_or_the_player_goes_on_at_its_spawn_point(name):
    env = make("OptimusFlat-Wood-v0", protocol=name, info="full").unwrapped
    env.reset(seed=1, options={"inventory": {"diamond": 3}})
    worlds = env._view.runtime.world.worlds
    still = noop()
    begun = worlds.players[["x", "y", "z"]][0].tolist()
    worlds.needs["safe"], worlds.players["y"], worlds.players["health"] = 0, -70.0, 1.0
    _, _, terminated, _, info = env.step(still)
    assert "died" in [kind for kind, _, _ in info["events"]]
    goes_on = protocol(name).death == "respawn"
    assert (terminated, info["status"]) == ((False, "running") if goes_on else (True, "died"))
    kept = "keep_inventory" in protocol(name).assists
    assert env._view.runtime.inventory(0).get("diamond", 0) == (3 if kept else 0)
    if goes_on:
        assert worlds.players[["x", "y", "z"]][0].tolist() == pytest.approx(begun)
        assert env.step(still)[2:4] == (False, False)
