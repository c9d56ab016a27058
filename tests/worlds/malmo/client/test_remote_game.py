"""The client begins episodes, steps and ends as MineRL's clients do, and survives every kind of bad game."""

import struct
import time

import numpy as np
import pytest

from optimus_gym.worlds.malmo.client import remote_game
from optimus_gym.worlds.malmo.client.remote_game import Address, RemoteGame
from optimus_gym.worlds.malmo.dialects import MINESTUDIO
from optimus_gym.worlds.malmo.framing import MOST_REPLY, PeerGone, WireFault, framed
from optimus_gym.worlds.malmo.missions import CHAT_HANDLER, Mission, StartStack
from optimus_gym.worlds.malmo.wire_actions import WireAction
from optimus_gym.worlds.malmo.wire_messages import flag_message, number_message
from tests.worlds.malmo.client.small_server import answering, serving
from tests.worlds.malmo.client.toy_game import ToyGame

MISSION = Mission(
    width=8,
    height=4,
    gui_scale=1.0,
    inventory=(StartStack(0, "oak_log", 3),),
    handlers=frozenset({CHAT_HANDLER}),
)
ONE = framed(number_message(1))


def test_an_episode_has_the_same_moments_as_the_game_behind_the_socket():
    with serving(ToyGame) as server:
        game, alone = RemoteGame(server.address, MINESTUDIO, 5.0), ToyGame()
        action = WireAction(
            frozenset({"forward"}), pitch=1.5, yaw=-7.25, voxels=(-1, 1, 0, 0, 0, 0)
        )
        for seed in (3, 4):
            first, wanted = game.begin(MISSION, seed), alone.begin(MISSION, seed)
            for _ in range(3):
                assert (first.picture == wanted.picture).all()
                assert first.report.location == wanted.report.location
                assert first.report.stacks == wanted.report.stacks
                assert first.report.voxels == wanted.report.voxels
                game.send(action)
                alone.send(action)
                first, wanted = game.receive(), alone.receive()
        game.close()
        game.close()
        begun = ["hello", "quit", "mission", "peek", *["step", "step server"] * 3, "disconnect"]
        assert server.heard_all(begun * 2)
    # Nothing answers the last "step server": the next connection may be heard before it.
    assert server.heard[: len(begun) - 2] == begun[:-2]


def test_a_busy_game_is_asked_again_and_its_first_picture_is_waited_for():
    with serving(ToyGame, busy=2, blank=2) as server:
        game = RemoteGame(server.address, MINESTUDIO, 5.0)
        moment = game.begin(MISSION, 0)
        assert moment.picture.shape == (4, 8, 3)
        assert server.heard.count("mission") == 3
        assert server.heard.count("peek") == 3
        game.close()


@pytest.mark.parametrize("flaw", [{"busy": 10**6}, {"blank": 10**6}])
def test_a_game_that_stays_busy_is_a_timeout(flaw):
    with serving(ToyGame, **flaw) as server:
        game = RemoteGame(server.address, MINESTUDIO, 0.05)
        with pytest.raises(TimeoutError, match=r"within 0.25 s"):
            game.begin(MISSION, 0)
        game.close()


PICTURE = framed(bytes(4 * 8 * 3))
GARBAGE = {
    "nothing": (),
    "half a length": (b"\0\0",),
    "no number": (framed(b"no"),),
    "a huge length": (struct.pack("!I", MOST_REPLY + 1),),
    "half a message": (ONE, ONE, struct.pack("!I", 96) + b"\0" * 50),
    "another size": (ONE, ONE, framed(b"\0" * 95), framed(b"{}"), framed(flag_message(False))),
    "no report": (ONE, ONE, PICTURE, framed(b"[1, 2"), framed(flag_message(False))),
    "a wrong report": (
        ONE, ONE, PICTURE, framed(b'{"xpos": "here"}'), framed(flag_message(False))
    ),
    "over at once": (ONE, ONE, PICTURE, framed(b"{}"), framed(flag_message(True))),
    "no flag": (ONE, ONE, PICTURE, framed(b"{}"), framed(b"")),
}  # fmt: skip


@pytest.mark.parametrize("replies", GARBAGE.values(), ids=GARBAGE)
def test_garbage_is_a_fault_or_a_timeout(replies):
    with answering(*replies) as address:
        game = RemoteGame(address, MINESTUDIO, 0.1)
        with pytest.raises((WireFault, TimeoutError), match=r"expected|timed out"):
            game.begin(MISSION, 0)
        game.close()


BEGUN = (ONE, ONE, PICTURE, framed(b"{}"), framed(flag_message(False)))
STEPS = {
    "nothing": (),
    "a short reply": (PICTURE, framed(b"\0" * 9), framed(b"{}")),
    "another size": (framed(b"\1"), framed(b"\0" * 10), framed(b"{}")),
    "no report": (PICTURE, framed(b"\0" * 10), framed(b"\xff\xfe")),
}


@pytest.mark.parametrize("replies", STEPS.values(), ids=STEPS)
def test_a_garbled_step_is_a_fault_or_a_timeout(replies):
    with answering(*BEGUN, *replies) as address:
        game = RemoteGame(address, MINESTUDIO, 0.1)
        game.begin(MISSION, 0)
        game.send(WireAction())
        with pytest.raises((WireFault, TimeoutError), match="expected"):
            game.receive()
        game.close()


def test_a_step_without_a_picture_shows_the_latest_one():
    seen = np.arange(96, dtype=np.uint8)
    begun = (ONE, ONE, framed(seen.tobytes()), *BEGUN[3:])
    with answering(*begun, framed(b""), framed(b"\0" * 10), framed(b"{}")) as address:
        game = RemoteGame(address, MINESTUDIO, 1.0)
        game.begin(MISSION, 0)
        game.send(WireAction())
        assert (game.receive().picture == seen.reshape(4, 8, 3)[::-1]).all()
        game.close()


def test_a_refused_connection_is_a_fault():
    with serving(ToyGame) as server:
        address = server.address
    game = RemoteGame(address, MINESTUDIO, 1.0)
    with pytest.raises(PeerGone, match=f"expected a game at {address}"):
        game.begin(MISSION, 0)
    game.close()
    game.exit()


def test_a_step_before_an_episode_is_a_fault():
    game = RemoteGame(Address("127.0.0.1", 1), MINESTUDIO, 1.0)
    with pytest.raises(PeerGone, match="expected an episode that has begun"):
        game.send(WireAction())


def test_a_game_that_vanishes_is_a_fault():
    with serving(ToyGame) as server:
        game = RemoteGame(server.address, MINESTUDIO, 5.0)
        game.begin(MISSION, 0)
        game.send(WireAction(chat="/say break"))
        with pytest.raises(PeerGone, match="connection's end"):
            game.receive()
        game.close()


def test_exit_says_hello_and_exit_on_a_new_connection():
    with serving(ToyGame) as server:
        game = RemoteGame(server.address, MINESTUDIO, 5.0)
        game.begin(MISSION, 0)
        game.exit()
        assert server.heard_all(["hello", "quit", "mission", "peek", "disconnect", "hello", "exit"])


def test_a_game_that_dribbles_is_a_timeout():
    """Bytes that come one by one, each in time, make no answer in time."""

    def dribble(connection):
        connection.sendall(b"".join(BEGUN) + struct.pack("!I", 96))
        for _ in range(96):
            time.sleep(0.02)
            connection.sendall(b"\0")

    with answering(dribble) as address:
        game = RemoteGame(address, MINESTUDIO, 0.2)
        game.begin(MISSION, 0)
        game.send(WireAction())
        started = time.monotonic()
        with pytest.raises(TimeoutError, match=r"an answer within 0.2 s"):
            game.receive()
        assert time.monotonic() - started < 1.2
        game.close()


def test_late_answers_are_still_read(monkeypatch):
    """An answer that came in time counts, however long the client was busy with other games."""
    monkeypatch.setattr(remote_game, "_LAST_CHANCE", 0.3)
    with serving(ToyGame) as server:
        game = RemoteGame(server.address, MINESTUDIO, 0.05)
        game.begin(MISSION, 0)
        game.send(WireAction())
        time.sleep(0.1)
        assert game.receive().report.location.x == 0.5
        game.close()
