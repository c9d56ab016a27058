"""The stand-ins for java and xvfb-run through real processes, with a scripted game and made-up callers."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from optimus_gym.serve.shims import write_shims
from optimus_gym.worlds.malmo.wire_messages import EXIT, read_number
from tests.serve.conftest import Player

ROOT = Path(__file__).resolve().parents[2]
SCRIPTED = """
import signal
import sys
from optimus_gym.serve import embedded_games, stand_in
from tests.serve.scripted_game import ScriptedGame
embedded_games.embedded_games = lambda say, first_seed: lambda number: ScriptedGame()
embedded_games.prepare_embedded_games = lambda: None
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have told its jobs to ignore it
sys.exit(stand_in.stand_in(sys.argv[1:]))
"""
"""The program of a shim, with a scripted game in place of the embedded world."""
GAME = ("-Xmx2G", "-jar", "mcprec-6.13.jar", "--envPort=0")


@pytest.fixture(scope="module")
def shims(tmp_path_factory):
    return write_shims(tmp_path_factory.mktemp("shims"))


@pytest.fixture
def others(tmp_path):
    """A folder of programs `java`, `xvfb-run` and `train` that print their name and arguments."""
    for name in ("java", "xvfb-run", "train"):
        path = tmp_path / name
        path.write_text(f'#!/bin/sh\necho the other {name} "$@" "$PYTHONPATH"\n')
        path.chmod(0o755)
    return tmp_path


def run(command, *folders, **variables):
    path = os.pathsep.join(map(str, (*folders, "/usr/bin", "/bin")))
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={"PATH": path, **variables}
    )


def test_java_prints_a_version_if_no_other_java_is_there(shims):
    done = subprocess.run(
        [shims / "java", "-version"], capture_output=True, text=True, env={"PATH": str(shims)}
    )
    assert done.returncode == 0
    assert done.stderr.splitlines()[0] == 'openjdk version "1.8.0_0"'
    assert "optimus-gym" in done.stderr


def test_java_refuses_what_it_cannot_do(shims):
    done = subprocess.run(
        [shims / "java", "-jar", "a.jar"], capture_output=True, text=True, env={"PATH": str(shims)}
    )
    assert done.returncode == 127
    assert done.stderr == (
        "java: expected a launch of MineRL's or MineStudio's game, got '-jar a.jar'; "
        "no other java is on the path\n"
    )


@pytest.mark.parametrize("arguments", [("-version",), ("-jar", "a b.jar")])
def test_java_hands_other_calls_on(shims, others, arguments):
    done = run(["java", *arguments], shims, shims / "bin", others, PYTHONPATH="theirs")
    assert done.stdout == f"the other java {' '.join(arguments)} theirs\n"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("xvfb-run -a train 1 2", "the other xvfb-run -a train 1 2"),
        ("xvfb-run -a -s x java -version", "the other java -version"),
        ("xvfb-run --help", "the other xvfb-run --help"),
    ],
)
def test_xvfb_run_gives_a_display_to_other_programs_alone(shims, others, command, told):
    assert run(command.split(), shims, others).stdout.strip() == told


def test_xvfb_run_runs_programs_without_a_display_if_no_other_is_there(shims, others):
    (others / "xvfb-run").unlink()
    done = subprocess.run(
        [shims / "xvfb-run", "-a", "train", "1"],
        capture_output=True, text=True, env={"PATH": f"{shims}:{others}"},
    )  # fmt: skip
    assert done.stdout.strip() == "the other train 1"
    missing = run(["xvfb-run", "no-such-program"], shims)
    assert missing.returncode == 127
    assert missing.stderr.startswith("no-such-program: ")


@contextmanager
def launched(*before, stdout=subprocess.PIPE):
    """Launch a game as a client does; yield the process and the address that the game tells."""
    command = [*before, sys.executable, "-c", SCRIPTED, "java", *GAME]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=stdout, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            lines = [process.stdout.readline() for _ in range(2)]
            assert lines[1] == "CLIENT enter state: DORMANT\n", lines
            begin = "***** Start MalmoEnvServer on port "
            assert lines[0].startswith(begin)
            yield process, ("127.0.0.1", int(lines[0].removeprefix(begin)))
        finally:
            process.kill()


def test_a_client_plays_in_the_game_that_it_launches_and_ends_it():
    with launched() as (process, address):
        for seed in (1, 2):
            player = Player(address)
            player.reset(seed=seed)
            assert player.step()[2].stacks[0].count == 2
            player.close()
        assert read_number(Player(address).ask(EXIT)) == 1
        assert process.wait(10) == 0
        told = process.stdout.read()
        assert told.count("ERROR connection") == told.count("\n") == 2, "two vanished clients"


def test_a_port_in_use_is_replaced_by_a_free_one(served):
    _, port = served.server.address
    command = [sys.executable, "-c", SCRIPTED, "java", "-jar", "a.jar", f"--envPort={port}"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        told = int(process.stdout.readline().rpartition(" ")[2])
        assert told != port
        assert read_number(Player(("127.0.0.1", told)).ask(EXIT)) == 1
        assert process.wait(10) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_game(number):
    with launched() as (process, address):
        player = Player(address)
        player.reset()
        process.send_signal(number)
        assert process.wait(10) == 128 + number
        assert player.is_closed()
        assert process.stdout.read() == ""


def ends(address, seconds=10.0):
    """Return whether the game at an address takes no more connections after some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            Player(address).close()
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_the_game_ends_when_the_client_no_longer_reads_its_output():
    with launched() as (process, address):
        process.stdout.close()
        assert ends(address)
        process.wait(10)


def test_the_game_ends_when_its_client_has_gone_and_the_script_lives_on(tmp_path):
    """The client's launching script waits for the game; only the client itself vanishes."""
    client = (
        "import subprocess, sys, time\n"
        "subprocess.Popen(['sh', '-c', '\"$@\"; true', 'sh', *sys.argv[1:]])\n"
        "time.sleep(60)"
    )
    with launched(sys.executable, "-c", client) as (process, address):
        assert not ends(address, 0.5)
        process.kill()
        assert ends(address)
