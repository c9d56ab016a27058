"""`optimus-gym serve` and `optimus-gym shims` through real processes."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.run.cli import main
from optimus_gym.worlds.malmo.missions import Mission, StartStack
from optimus_gym.worlds.malmo.wire_messages import EXIT, read_number
from tests.serve.conftest import Player, serving

ROOT = Path(__file__).resolve().parents[2]
OPTIMUS = (sys.executable, "-m", "optimus_gym.run.cli")
MISSION = Mission(
    width=64,
    height=48,
    gui_scale=1.0,
    inventory=(StartStack(0, "oak_log", 3),),
    handlers=frozenset({"ChatCommands"}),
)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--port", "65536"), "port: expected an integer from 0 to 65535, got 65536"),
        (("--port", "x"), "port: expected an integer, got 'x'"),
        (("--worlds", "0"), "worlds: expected an integer from 1 to 256, got 0"),
        (("--host", "192.0.2.1"), "address: expected a free address to listen on, got 192.0.2.1:9"),
    ],
)
def test_wrong_arguments_of_serve_are_refused_in_one_line(arguments, told, capfd):
    assert main(["serve", *arguments]) == 2
    out, line = capfd.readouterr()
    assert out == ""
    assert line.startswith(f"optimus-gym: {told}")
    assert line.count("\n") == 1


def test_a_port_in_use_is_refused(capfd):
    with serving() as served:
        _, port = served.server.address
        assert main(["serve", "--port", str(port)]) == 2
    assert f"got 127.0.0.1:{port} ([Errno" in capfd.readouterr().err


def test_a_server_is_ready_serves_two_clients_and_ends_at_a_signal():
    command = [*OPTIMUS, "serve", "--port", "0", "--worlds", "2"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            words, address = process.stdout.readline().rsplit(" ", 1)
            assert words == "ready on"
            host, port = address.split(":")
            players = [Player((host, int(port))) for _ in range(2)]
            for player in players:
                picture, report, _ = player.reset(MISSION, seed=7)
                assert len(picture) == 64 * 48 * 3
                assert len(np.unique(np.frombuffer(picture, np.uint8))) > 8
                assert [(each.item, each.count) for each in report.stacks] == [("oak_log", 3)]
            turned = [player.step("forward 1\ncamera 0 30")[2].location.yaw for player in players]
            assert turned[0] == turned[1] != report.location.yaw
            process.send_signal(signal.SIGTERM)
            out, told = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 128 + signal.SIGTERM
    assert out == ""
    assert told == ""
    assert all(player.is_closed() for player in players)


def test_shims_start_the_embedded_world_as_a_client_launches_it(tmp_path, capfd):
    """A shell reads the lines that the command prints, then launches the game as MineStudio's script does."""
    assert main(["shims", str(tmp_path / "shims")]) == 0
    jar = "$MINESTUDIO_DIR/engine/build/libs/mcprec-6.13.jar"
    launch = f"xvfb-run -a java -Xmx2G -jar {jar} --envPort=0"
    script = f"{capfd.readouterr().out}\ntest -f {jar} && {launch}"
    with subprocess.Popen(
        ["sh", "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            begin = "***** Start MalmoEnvServer on port "
            line = process.stdout.readline()
            assert line.startswith(begin)
            assert process.stdout.readline() == "CLIENT enter state: DORMANT\n"
            player = Player(("127.0.0.1", int(line.removeprefix(begin))))
            player.reset(MISSION, seed=7)
            assert [each.count for each in player.step()[2].stacks] == [3]
            assert read_number(player.ask(EXIT)) == 1
            assert process.wait(30) == 0
        finally:
            process.kill()


def test_shims_never_overwrite_a_program(tmp_path, capfd):
    (tmp_path / "java").write_text("mine")
    assert main(["shims", str(tmp_path)]) == 2
    assert capfd.readouterr().err == (
        f"optimus-gym: folder: expected no file {tmp_path}/java, got one of other content\n"
    )
    assert (tmp_path / "java").read_text() == "mine"
