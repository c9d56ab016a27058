"""The unmodified MineRL 0.4.4, from the package index, plays in the embedded world in one Python with ours.

The oracle plays each task in the embedded world first. MineRL then plays the oracle's actions.
"""

import threading
from itertools import pairwise

import pytest

from optimus_gym.core.types import Setup
from optimus_gym.serve.embedded_games import embedded_games
from optimus_gym.serve.game_server import GameServer
from optimus_gym.serve.shims import shell_lines, write_shims
from tests.serve.real.oracle_script import SIZE, first_possessions, recorded
from tests.serve.real.own_world import MOVES, random_actions
from tests.serve.real.programs import ends_soon, first_difference, run_player

pytestmark = pytest.mark.slow

LAND = 10_001
OTHER_LAND = 10_002
DIAMOND_REWARDS = {
    "log": 1.0,
    "planks": 2.0,
    "stick": 4.0,
    "crafting_table": 4.0,
    "wooden_pickaxe": 8.0,
    "cobblestone": 16.0,
    "furnace": 32.0,
    "stone_pickaxe": 32.0,
    "iron_ore": 64.0,
    "iron_ingot": 128.0,
    "iron_pickaxe": 256.0,
    "diamond": 1024.0,
}
"""Reward for the first piece of each item; MineRL 0.4.4's documentation, MineRLObtainDiamond-v0."""
LOGS = 64
"""Logs that end Treechop, which rewards each of them by 1."""
CHOPPING = {
    "id": "SixtyFourLogs",
    "item": "#logs",
    "count": LOGS,
    "verb": "mine",
    "instruction": "Chop trees",
    "budget": 8000,
}


def random_steps(count, seed):
    """Return random actions without commands."""
    return [(keys, pitch, yaw, {}) for keys, pitch, yaw in random_actions(count, seed, MOVES)]


def episode(seed, actions, watched=True):
    return {"seed": seed, "actions": actions, "watched": watched}


def played(folder, name, episodes, port="here", lines=()):
    asked = {"port": port, "name": name, "episodes": episodes}
    return run_player("minerl", "minerl_player.py", asked, folder, lines)


def check_pictures(world, notes):
    """Compare what MineRL's player saw with what the recording world drew."""
    assert all(note["size"] == [SIZE, SIZE, 3] for note in notes)
    assert first_difference(world.pictures, [note["picture"] for note in notes]) == ""


def check_end(notes, steps):
    """Check that the episode ended with its last step, and no sooner."""
    assert [number for number, note in enumerate(notes) if note["done"]] == [steps]


def test_a_diamond_is_obtained_by_commands(tmp_path, monkeypatch):
    setup = Setup(
        LAND, time=6000, creatures=True, difficulty="normal", assists=("instant_smelting",)
    )
    world, status = recorded(monkeypatch, setup, id="Optimus-Diamond-v0")
    assert status == "success"
    steps = len(world.actions)
    assert steps >= 2000
    first, second = played(
        tmp_path,
        "MineRLObtainDiamond-v0",
        [episode(LAND, world.actions), episode(OTHER_LAND, random_steps(50, 1))],
    )["episodes"]
    notes = first["notes"]
    check_pictures(world, notes)
    rewards = [note["reward"] for note in notes[1:]]
    assert first_difference(first_possessions(world.held, DIAMOND_REWARDS), rewards) == ""
    assert sum(rewards) == sum(DIAMOND_REWARDS.values())
    for held, note in zip(world.held, notes, strict=True):
        named = {name: count for name, count in held.items() if name in DIAMOND_REWARDS}
        named.pop("diamond", None)  # MineRL's observation has no diamonds
        assert named.items() <= note["held"].items()
    assert notes[-1]["hand"] == "iron_pickaxe"
    check_end(notes, steps)
    assert second["notes"][0]["picture"] != notes[0]["picture"]
    assert second["notes"][0]["held"] == {}


def test_trees_are_chopped_for_a_reward_each(tmp_path, monkeypatch):
    setup = Setup(
        LAND,
        biome="forest",
        inventory={"iron_axe": 1},
        assists=("always_day", "instant_smelting"),
        creatures=True,
        difficulty="normal",
    )
    world, status = recorded(
        monkeypatch, setup, functions=False, id="Optimus-v0", task=dict(CHOPPING)
    )
    assert status == "success"
    (told,) = played(tmp_path, "MineRLTreechop-v0", [episode(LAND, world.actions)])["episodes"]
    notes = told["notes"]
    check_pictures(world, notes)
    logs = [held.get("log", 0) for held in world.held]
    gained = [float(now - before) for before, now in pairwise(logs)]
    assert first_difference(gained, [note["reward"] for note in notes[1:]]) == ""
    assert sum(gained) == LOGS
    check_end(notes, len(world.actions))


@pytest.mark.parametrize("name", ["MineRLNavigateDense-v0", "MineRLBasaltMakeWaterfall-v0"])
def test_other_tasks_play(name, tmp_path):
    (told,) = played(tmp_path, name, [episode(LAND, random_steps(100, 2))])["episodes"]
    assert len(told["notes"]) == 101
    assert len({note["picture"] for note in told["notes"]}) > 20


def test_a_program_plays_without_java(tmp_path, capsys):
    lines = shell_lines(write_shims(tmp_path / "shims"))
    (folder := tmp_path / "job").mkdir()
    episodes = [episode(LAND, random_steps(600, 3), watched=False)]
    answer = played(folder, "MineRLTreechop-v0", episodes, port=None, lines=lines)
    report_rate(capsys, "launched by MineRL", answer["episodes"][0])
    assert len(answer["processes"]) == 1
    assert ends_soon(answer["processes"]) == []


def test_a_client_attaches_to_a_server(tmp_path, capsys):
    with GameServer(embedded_games(print)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            episodes = [episode(LAND, random_steps(600, 3), watched=False)]
            port = server.address[1]
            told = played(tmp_path, "MineRLObtainDiamond-v0", episodes, port=port)["episodes"][0]
        finally:
            server.stop()
            thread.join(30)
    report_rate(capsys, "attached to a server", told)


def report_rate(capsys, how, told):
    rate = told["steps"] / told["seconds"]
    with capsys.disabled():
        print(f"\nMineRL 0.4.4 at {SIZE}x{SIZE}, {how}: {rate:.0f} steps a second")
    assert rate > 30
