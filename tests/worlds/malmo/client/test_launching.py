"""Games are found and launched, their logs are kept, and none outlives its world or its Python."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from optimus_gym.core.errors import BadValue, WorldFailed
from optimus_gym.core.types import Setup
from optimus_gym.testing.world_play import tick_idly
from optimus_gym.worlds.malmo.client import launching
from optimus_gym.worlds.malmo.client.finding import (
    JAR,
    MissingGame,
    display_words,
    find_jar,
    find_java,
)
from optimus_gym.worlds.malmo.client.launching import GameProcess, LaunchPlan, launch_command
from optimus_gym.worlds.malmo.client.world import MineRLWorld
from optimus_gym.worlds.malmo.framing import WireFault

ROOT = Path(__file__).resolve().parents[4]
READY = 'echo "***** Start MalmoEnvServer on port 4321"; echo "CLIENT enter state: DORMANT"'
PATIENCE = 10.0


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path, monkeypatch):
    """Keep the logs of failed games out of the system's folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def program(folder, name, text):
    """Write a shell script, and return its path."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def process(tmp_path, text, seconds=PATIENCE):
    return GameProcess(LaunchPlan((program(tmp_path, "game", text),), seconds))


def ends(pid):
    """Return whether a process ends within seconds."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] == "Z":
                return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


def child_in(game):
    """Return the number in the log's line `child N`."""
    return next(int(line.split()[1]) for line in game._lines if line.startswith("child "))


CHILD = "sleep 600 & echo child $!"


def test_a_launched_game_ends_with_its_children(tmp_path):
    game = process(tmp_path, f'{CHILD}; echo "got $*"; {READY}; wait')
    assert (game.address.host, game.address.port) == ("127.0.0.1", 4321)
    assert game.is_running()
    assert "got --envPort=" in game.last_words()
    assert "got --envPort=" in game.log.read_text()
    child = child_in(game)
    game.kill()
    assert ends(child)
    assert not game.log.exists()
    game.kill()
    game.close()


def test_children_end_with_a_game_that_ends_by_itself(tmp_path):
    game = process(tmp_path, f"{CHILD}; {READY}; exit 3")
    assert ends(child_in(game))
    deadline = time.monotonic() + PATIENCE
    while game.is_running() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not game.is_running()
    assert "the game ended with status 3" in game.last_words()
    game.close()


def test_a_game_that_fails_to_start_tells_its_last_lines(tmp_path):
    with pytest.raises(
        WireFault, match=r"got one that ended; the log \((.*)\) ends with: .*no OpenGL"
    ) as told:
        process(tmp_path, "for k in 1 2 3; do echo line $k; done; echo no OpenGL >&2; exit 1")
    log = Path(str(told.value).split("(")[1].split(")")[0])
    assert log.read_text().splitlines()[:4] == ["line 1", "line 2", "line 3", "no OpenGL"]


def test_a_game_that_never_gets_ready_is_a_timeout(tmp_path):
    with pytest.raises(TimeoutError, match=r"ready within 0.3 s; the log"):
        process(tmp_path, "echo loading; sleep 600", 0.3)


def test_a_long_log_stays_small(tmp_path, monkeypatch):
    monkeypatch.setattr(launching, "_LARGEST_LOG", 10_000)
    text = "k=0; while [ $k -lt 2000 ]; do echo line $k; k=$((k+1)); done"
    game = process(tmp_path, f"{text}; printf 'x%.0s' $(seq 3000); echo; {READY}; sleep 600")
    assert len(game._lines) <= launching.LINES_KEPT
    assert max(map(len, game._lines)) <= 500
    assert game.log.stat().st_size <= 10_000
    game.kill()


def test_no_game_outlives_a_python_that_was_killed(tmp_path):
    script = f"""
import os, signal
from optimus_gym.worlds.malmo.client.launching import GameProcess, LaunchPlan
game = GameProcess(LaunchPlan(({program(tmp_path, "game", f"{CHILD}; {READY}; wait")!r},), 20.0))
print([line for line in game._lines if line.startswith("child")][0], game.log.parent, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    assert ends(int(done.stdout.split()[1])), done


def test_no_game_outlives_the_end_of_a_python(tmp_path):
    script = f"""
from optimus_gym.worlds.malmo.client.launching import GameProcess, LaunchPlan
game = GameProcess(LaunchPlan(({program(tmp_path, "game", f"{CHILD}; {READY}; wait")!r},), 20.0))
print([line for line in game._lines if line.startswith("child")][0], game.log.parent, flush=True)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT)
    _, child, folder = done.stdout.split()
    assert ends(int(child))
    assert not Path(folder).exists()


def test_a_python_ends_although_a_game_is_still_starting(tmp_path):
    jar = tmp_path / "game.jar"
    jar.touch()
    java = program(tmp_path, "java", f"{CHILD} >{tmp_path}/child; wait")
    script = f"""
import threading, time
from pathlib import Path
from optimus_gym.core.types import Setup
from optimus_gym.worlds.malmo.client.world import MineRLWorld
world = MineRLWorld(2, jar={str(jar)!r}, java={java!r}, headless=False)
threading.Thread(target=world.reset, args=(0, Setup(0)), daemon=True).start()
while not Path("{tmp_path}/child").is_file() or not Path("{tmp_path}/child").read_text().strip():
    time.sleep(0.02)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, timeout=30
    )
    assert done.returncode == 0, done.stderr
    assert ends(int((tmp_path / "child").read_text().split()[1]))


def java_in(tmp_path):
    """Return the path of a program that stands for Java."""
    return program(
        tmp_path,
        "java",
        f'cd {ROOT} && exec {sys.executable} -m tests.worlds.malmo.client.toy_java "$@"',
    )


def test_a_world_launches_its_games_together_and_replaces_a_killed_one(tmp_path):
    jar = tmp_path / "mcprec-6.13.jar"
    jar.touch()
    world = MineRLWorld(
        2, jar=str(jar), java=java_in(tmp_path), headless=False, settle=0, restarts=1, memory="1G"
    )
    for row in (0, 1):
        world.reset(row, Setup(row))
    games = [start.result() for start in world._source._starts]
    assert games[0].address != games[1].address
    assert f"loading -Xmx1G -jar {jar}" in games[0].last_words()
    tick_idly(world, (0, 1))
    games[1]._process.kill()
    os.killpg(games[1]._process.pid, signal.SIGKILL)
    with pytest.raises(WorldFailed, match=r"row 1: .*; the log \(.*game.log\) ends with: loading"):
        tick_idly(world, (0, 1))
    world.reset(1, Setup(5))
    tick_idly(world, (0, 1))
    assert world.poses([1])[0, 0] == 5.5
    fresh = [start.result() for start in world._source._starts]
    assert fresh[0] is games[0]
    started = time.monotonic()
    world.close()
    assert not any(game.is_running() for game in (*games, *fresh))
    assert time.monotonic() - started < launching.ENDING_SECONDS
    world.close()


def test_a_row_fails_if_its_game_does_not_start(tmp_path):
    jar = tmp_path / "game.jar"
    jar.touch()
    java = program(tmp_path, "java", "echo no such display; exit 1")
    world = MineRLWorld(1, jar=jar, java=java, headless=False, restarts=1)
    for _ in range(2):
        with pytest.raises(
            WorldFailed, match=r"row 0: expected a game that starts.*no such display"
        ):
            world.reset(0, Setup(0))
    with pytest.raises(WorldFailed, match="all restarts are used up"):
        world.reset(0, Setup(0))
    world.close()


def test_the_jar_is_found_below_a_home_and_in_mine_studio(tmp_path, monkeypatch):
    for below in ("", "engine", "MCP-Reborn"):
        home = tmp_path / (below or "alone")
        jar = (home if not below else home / below) / JAR
        jar.parent.mkdir(parents=True)
        jar.touch()
        assert find_jar(None, str(home), "minerl") == jar
    monkeypatch.setenv("MINESTUDIO_DIR", str(tmp_path / "engine"))
    assert find_jar(None, None, "minestudio") == tmp_path / "engine" / "engine" / JAR
    assert find_jar(str(jar), str(tmp_path / "nowhere"), "minerl") == jar
    with pytest.raises(BadValue, match=r"home: expected .*MineStudio.* \(docs/minerl.md\)"):
        find_jar(None, str(tmp_path / "nowhere"), "minerl")
    with pytest.raises(BadValue, match="jar: expected a file"):
        find_jar(str(tmp_path / "no.jar"), None, "minerl")


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("MINESTUDIO_DIR", str(tmp_path))
    for name in ("JAVA_HOME", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(MissingGame, match=r"install MineStudio .*address=.* \(docs/minerl.md\)"):
        MineRLWorld(1)
    with pytest.raises(MissingGame, match=r"install MineRL 1.0"):
        find_jar(None, None, "minerl")
    with pytest.raises(MissingGame, match=r"install Java 8, or give java= \(docs/minerl.md\)"):
        find_java(None)
    with pytest.raises(BadValue, match="java: expected a program, got 'jawa'"):
        find_java("jawa")
    with pytest.raises(BadValue, match="java: expected a program's path"):
        find_java(8)
    with pytest.raises(MissingGame, match="install xvfb"):
        display_words(None)
    assert display_words(False) == ()
    xvfb = program(tmp_path, "xvfb-run", "")
    assert display_words(True) == (xvfb, "-a")
    java = program(tmp_path, "java", "")
    assert find_java(None) == find_java("java") == java
    assert launch_command((xvfb, "-a"), java, "2G", Path("g.jar"))[-2:] == ("-jar", "g.jar")
