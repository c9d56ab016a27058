"""Clients that break the protocol: their connection is closed with one line of the log, the others go on."""

import re
import socket
import struct
import tracemalloc

import pytest

from optimus_gym.serve.game_server import log_to_stderr
from optimus_gym.worlds.malmo.framing import MOST_COMMAND, framed
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.wire_messages import HELLO, PEEK, QUIT, number_message, step_message
from tests.serve.conftest import SMALL, serving
from tests.serve.scripted_game import ScriptedGame

MISSION = write_mission(SMALL, "an-episode")
TOKEN = b"an-episode:0:0:1:true"
BOMB = b'<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">' + b"".join(
    f'<!ENTITY {chr(98 + k)} "{f"&{chr(97 + k)};" * 10}">'.encode() for k in range(9)
)
BOMB = b"<MissionInit>" + BOMB + b"]><MissionInit>&j;</MissionInit>"
DEEP = b"<MissionInit>" + b"<a>" * 35_000 + b"</a>" * 34_000


def raw(*messages):
    return b"".join(map(framed, messages))


BEFORE = {
    "garbage": (b"\x00\x00\x00\x05\xff\xfe\x00<>", r"expected <MalmoEnv0.37.0/>, got '..."),
    "a browser": (b"GET / HTTP/1.1\r\n\r\n", f"at most {MOST_COMMAND} bytes, got 1195725856"),
    "a huge length": (b"\xff\xff\xff\xff", f"at most {MOST_COMMAND} bytes, got 4294967295"),
    "another version": (raw(b"<MalmoEnv0.38.0/>"), "expected version 0.37.0, got '0.38.0'"),
    "no version": (raw(b"<MalmoEnv/>"), "expected <MalmoEnv0.37.0/>"),
    "an empty message": (raw(b""), "expected <MalmoEnv0.37.0/>, got ''"),
    "no greeting": (raw(QUIT), "expected <MalmoEnv0.37.0/>, got '<Quit/>'"),
    "half a length": (b"\x00\x00", "expected a whole message within 0.2 s, got none"),
    "half a greeting": (raw(HELLO)[:-3], "expected a whole message within 0.2 s, got none"),
    "nothing": (b"", "expected a greeting within 0.2 s, got none"),
}
AFTER = {
    "an unknown command": (raw(b"<Fly/>"), "begins with one of <StepClient, .* got '<Fly/>'"),
    "an empty command": (raw(b""), "begins with one of <StepClient, .* got ''"),
    "a second greeting": (raw(HELLO), "expected one greeting, got a second one"),
    "a step before a mission": (raw(step_message("jump 1")), "a mission first, got StepClient"),
    "a look before a mission": (raw(PEEK), "expected a mission first, got Peek"),
    "half a step": (raw(step_message("jump 1"))[:-2], "expected a whole message within 0.2 s"),
    "half a mission": (raw(MISSION)[:-9], "expected a whole message within 0.2 s, got none"),
    "no token": (raw(MISSION), "expected a token within 0.2 s, got none"),
    "a wrong token": (raw(MISSION, b"token"), "expected a token name:role:0:agents:true"),
    "a command for a token": (raw(MISSION, PEEK), "expected a token name:role:0:agents:true"),
    "a huge seed": (raw(MISSION, TOKEN + b":" + b"9" * 9999), "expected a token name:role"),
    "two agents": (raw(MISSION, b"e:0:0:2:true"), "mission: expected one agent, got 2"),
    "depth": (
        raw(write_mission(Mission(width=2, height=2, depth=True), "e"), TOKEN),
        "VideoProducer: expected want_depth false, got true",
    ),
    "a refused mission": (
        raw(write_mission(Mission(biome="nowhere"), "e"), TOKEN),
        "biome: expected a biome, got 'nowhere'",
    ),
    "a mission that breaks the game": (
        raw(write_mission(Mission(biome="broken"), "e"), TOKEN),
        "the game broke down",
    ),
    "no XML": (raw(b"<MissionInit", TOKEN), "mission: expected XML without a DTD"),
    "an XML bomb": (raw(BOMB.removeprefix(b"<MissionInit>"), TOKEN), "begins with one of"),
    "a hidden XML bomb": (raw(BOMB, TOKEN), "mission: expected XML without a DTD"),
    "deep XML": (raw(DEEP, TOKEN), "mission: expected XML without a DTD"),
    "a huge picture": (
        raw(write_mission(Mission(width=1 << 20), "e"), TOKEN),
        "Width: expected a whole number from 1 to 4096",
    ),
}
WITHIN = {
    "a step without an end": (raw(b"<StepClient0>jump 1"), "expected <StepClient0>...</Step"),
    "a camera without numbers": (
        raw(step_message("camera up")),
        "camera: expected two numbers of -180",
    ),
    "a key between 0 and 1": (raw(step_message("jump 0.5")), "jump: expected 0 or 1, got '0.5'"),
    "a fault of the game": (
        raw(step_message("drop 1")),
        "internal error: ZeroDivisionError: a fault of the game",
    ),
    "silence": (b"", r"expected a command within 1.5 s, got none"),
}


def check_closed_with_one_line(served, player, told):
    """Check that the server closes a connection with one line, and that another client plays on."""
    assert player.is_closed()
    player.close()
    assert served.quiet()
    (line,) = served.lines
    assert line.startswith("ERROR connection 1: ")
    assert re.search(told, line), line
    other = served.player()
    other.reset(seed=5)
    assert other.step()[2].stacks[0].count == 2
    other.close()


@pytest.mark.parametrize(("sent", "told"), BEFORE.values(), ids=BEFORE)
def test_a_wrong_greeting_ends_the_connection(hurried, sent, told):
    player = hurried.player(greets=False)
    player.socket.sendall(sent)
    check_closed_with_one_line(hurried, player, told.rstrip("."))


@pytest.mark.parametrize(("sent", "told"), AFTER.values(), ids=AFTER)
def test_a_wrong_command_ends_the_connection(hurried, sent, told):
    player = hurried.player()
    player.socket.sendall(sent)
    check_closed_with_one_line(hurried, player, told)


@pytest.mark.parametrize(("sent", "told"), WITHIN.values(), ids=WITHIN)
def test_a_wrong_step_ends_the_connection(hurried, sent, told):
    player = hurried.player()
    player.reset()
    player.socket.sendall(sent)
    check_closed_with_one_line(hurried, player, told)
    broken = "fault of the game" in told
    assert len(hurried.games) == (2 if broken else 1), (
        "a broken game is replaced, a sound one is not"
    )
    assert hurried.games[0].closed == broken


def test_a_step_after_the_end_ends_the_connection():
    with serving(make=lambda: ScriptedGame(length=1)) as served:
        player = served.player()
        player.reset()
        assert player.step()[1].done
        player.socket.sendall(raw(step_message("jump 1")))
        assert player.is_closed()
        assert served.quiet()
        assert "expected a new mission after the episode's end" in served.lines[0]


def test_the_log_shows_no_control_characters(capsys):
    log_to_stderr("ERROR connection 1: got '\x1b[2J\n\r'" + "x" * 9999)
    told = capsys.readouterr().err
    assert told.startswith("ERROR connection 1: got '\\x1b[2J\\n\\r'x")
    assert len(told) == 501


def test_a_client_that_dribbles_is_cut_off(hurried):
    """A byte now and then does not prolong the time that a whole message has."""
    player = hurried.player()
    message = raw(step_message("jump 1"))
    closed = False
    for byte in message[:40]:
        try:
            player.socket.sendall(bytes([byte]))
        except ConnectionError:
            closed = True
            break
        closed = player.is_closed(0.05)
        if closed:
            break
    assert closed
    assert hurried.quiet()
    assert "expected a whole message within 0.2 s" in hurried.lines[0]


@pytest.mark.parametrize("way", ["closes", "resets"])
def test_a_client_that_vanishes_gives_its_game_back(hurried, way):
    player = hurried.player()
    player.reset()
    if way == "resets":
        linger = struct.pack("ii", 1, 0)
        player.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        player.socket.close()
    else:
        player.close()
    assert hurried.quiet()
    (line,) = hurried.lines
    assert "expected a command, got the connection's end within an episode" in line
    hurried.player().reset()
    assert len(hurried.games) == 1


def test_a_client_that_leaves_between_episodes_is_not_logged(hurried):
    hurried.player().close()
    silent = hurried.player(greets=False)
    silent.close()
    assert hurried.quiet()
    assert hurried.lines == []


def test_a_client_that_reads_nothing_is_cut_off(hurried):
    player = hurried.player()
    player.begin(Mission(width=2000, height=2000))
    for _ in range(20):
        try:
            player.socket.sendall(raw(PEEK))
        except ConnectionError:
            break
    assert hurried.quiet()
    assert "expected a client that reads its answers within 0.4 s" in hurried.lines[0]
    hurried.player().reset()


def test_too_many_connections_are_refused():
    with serving(games=1) as served:
        players = [served.player() for _ in range(20)]
        for player in players:
            assert player.ask(QUIT) == number_message(1)
        late = served.player(greets=False)
        assert late.is_closed()
        assert served.lines == ["ERROR connection 21: refused, 20 connections are open"]
        players[0].close()
        assert served.quiet(19)
        assert served.player().ask(QUIT) == number_message(1)


def test_memory_grows_with_what_came_not_with_what_was_announced(hurried):
    """Announced megabytes that do not come cost nothing."""
    players = [hurried.player() for _ in range(12)]
    tracemalloc.start()
    try:
        for player in players:
            player.socket.sendall(struct.pack("!I", MOST_COMMAND) + b"<Step")
        assert all(player.is_closed() for player in players)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * MOST_COMMAND
    assert hurried.quiet()
    assert len(hurried.lines) == 12
