"""The unmodified simulator of MineStudio 1.1.6, from the package index, plays in the embedded world."""

import shlex
import threading

import pytest

from optimus_gym.core.types import Setup
from optimus_gym.serve.embedded_games import embedded_games
from optimus_gym.serve.game_server import GameServer
from optimus_gym.serve.shims import shell_lines, write_shims
from tests.serve.real.mouse_script import pickaxe_script
from tests.serve.real.own_world import HANDS, MOVES, OwnWorld, random_actions, rounded
from tests.serve.real.programs import ends_soon, first_difference, run_player

pytestmark = pytest.mark.slow

SIZE = (640, 360)
EMPTY_TICKS = 20
"""Ticks without keys that the simulator plays in each reset."""
LANDS = (10_001, 10_002)
STACKS = {"0": {"type": "oak_log", "quantity": 3}, "1": {"type": "stone_pickaxe", "quantity": 1}}
HELD = {"0": ["oak_log", 3], "1": ["stone_pickaxe", 1]}


@pytest.fixture(scope="module")
def port():
    """The port of a server in this process."""
    with GameServer(embedded_games(print)) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        yield server.address[1]
        server.stop()
        thread.join(30)


@pytest.fixture
def job_folder(tmp_path):
    """A folder with the empty jar file that the simulator's check wants."""
    jar = tmp_path / "engine" / "build" / "libs" / "mcprec-6.13.jar"
    jar.parent.mkdir(parents=True)
    jar.touch()
    return tmp_path


def job(port, episodes, inventory=STACKS, biome="plains", render_size=SIZE, obs_size=(128, 128)):
    return {
        "port": port,
        "render_size": render_size,
        "obs_size": obs_size,
        "inventory": inventory,
        "biome": biome,
        "episodes": episodes,
    }


def episode(seed, actions, watched=True):
    return {"seed": seed, "actions": actions, "watched": watched}


def attached(port, folder, episodes, **options):
    """Play in a simulator that finds a running game; return the episodes."""
    answer = run_player(
        "minestudio",
        "minestudio_player.py",
        job(port, episodes, **options),
        folder,
        [f"export MINESTUDIO_DIR={shlex.quote(str(folder))}"],
    )
    assert answer["processes"] == []
    return answer["episodes"]


def own_notes(seed, actions):
    """Return what a player of the embedded world sees and has, as the simulator's notes have it."""
    own = OwnWorld(SIZE)
    inventory = {name: count for name, count in HELD.values()}
    own.begin(
        Setup(
            seed,
            biome="plains",
            inventory=inventory,
            creatures=True,
            difficulty="hard",
            screens=True,
            messages=True,
        )
    )
    notes = []
    for number, (keys, pitch, yaw) in enumerate([([], 0.0, 0.0)] * EMPTY_TICKS + actions, 1):
        own.tick(keys, pitch, yaw)
        if number >= EMPTY_TICKS:
            notes.append((own.picture(), own.pose(), own.stacks()))
    own.close()
    return notes


def test_an_attached_simulator_sees_what_the_embedded_world_shows(port, job_folder):
    scripts = [random_actions(2000, 1, MOVES + HANDS), random_actions(100, 2, MOVES + HANDS)]
    played = attached(
        port, job_folder, [episode(*pair) for pair in zip(LANDS, scripts, strict=True)]
    )
    for seed, script, told in zip(LANDS, scripts, played, strict=True):
        notes = told["notes"]
        assert len(notes) == len(script) + 1, f"the player died in tick {len(notes)}"
        theirs = [(note["picture"], rounded(note["pose"]), note["stacks"]) for note in notes]
        assert first_difference(own_notes(seed, script), theirs) == ""
        assert notes[0]["stacks"] == HELD
        assert notes[0]["size"] == [SIZE[1], SIZE[0], 3]
        assert notes[0]["image"] == [128, 128, 3]
        assert len({note["picture"] for note in notes}) > len(notes) / 2
    assert played[0]["notes"][0]["picture"] != played[1]["notes"][0]["picture"]


def test_a_pickaxe_is_made_by_mouse(port, job_folder):
    logs = {"0": {"type": "oak_log", "quantity": 3}}
    (told,) = attached(port, job_folder, [episode(LANDS[0], pickaxe_script())], inventory=logs)
    last = told["notes"][-1]
    assert last["stacks"] == {
        "0": ["oak_planks", 3],
        "2": ["stick", 2],
        "3": ["wooden_pickaxe", 1],
    }
    assert not last["screen"]
    assert any(note["screen"] for note in told["notes"])
    made = {"oak_planks": 12, "crafting_table": 1, "stick": 4, "wooden_pickaxe": 1}
    assert told["statistics"]["craft_item"] == made
    assert told["statistics"]["use_item"] == {"crafting_table": 1}


@pytest.mark.parametrize("size", [(640, 360), (128, 128)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_simulator_that_launches_its_game_plays_without_java(size, tmp_path, capsys):
    lines = shell_lines(write_shims(tmp_path / "shims"))
    (folder := tmp_path / "job").mkdir()
    asked = job(None, [episode(7, random_actions(600, 3, MOVES), watched=False)], render_size=size)
    answer = run_player("minestudio", "minestudio_player.py", asked, folder, lines)
    (told,) = answer["episodes"]
    rate = told["steps"] / told["seconds"]
    with capsys.disabled():
        print(f"\nMineStudio at {size[0]}x{size[1]}: {rate:.0f} steps a second")
    assert told["notes"][0]["stacks"] == HELD
    assert rate > 10
    assert len(answer["processes"]) == 1
    assert ends_soon(answer["processes"]) == []
