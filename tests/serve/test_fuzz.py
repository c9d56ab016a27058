"""A fuzzer: strangers send mutated conversations, while an honest client plays on undisturbed."""

import random
import struct
import time
import tracemalloc

import pytest

from optimus_gym.serve.sessions import ClientPatience
from optimus_gym.worlds.malmo.framing import framed
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.wire_messages import (
    DISCONNECT,
    EXIT,
    HELLO,
    PEEK,
    QUIT,
    STEP_SERVER,
    step_message,
)
from tests.serve.conftest import serving

BRIEF = ClientPatience(greeting=0.05, message=0.05, silence=1.0, reading=0.2, seat=0.0)
MISSION = write_mission(Mission(width=3, height=2, seconds=9, gui_scale=1.0), "e")
LINES = "forward 1\ncamera 0 1.5\nhotbar.1 1\nchat /time set day\nvoxels -1,1,-1,1,-1,1"
TALK = (HELLO, QUIT, MISSION, b"e:0:0:1:true:5", PEEK, step_message(LINES), STEP_SERVER)
TALK = (*TALK, step_message(LINES), b"<Echo>a</Echo>", b"<Status>", EXIT, b"<Find>", DISCONNECT)
SPICE = (b"<", b">", b"</", b"\0", b"\xff", b"&x;", b"<!DOCTYPE a [", b"nan", b"1e999", b"9" * 99)


def mutated(random_):
    """Return the bytes of a conversation with some faults."""
    talk = list(TALK)
    for _ in range(random_.randrange(4)):
        place = random_.randrange(len(talk))
        match random_.randrange(5):
            case 0:
                del talk[place]
            case 1:
                talk.insert(place, random_.choice(TALK))
            case 2:
                talk[place] = talk[place][: random_.randrange(len(talk[place]) + 1)]
            case 3:
                at = random_.randrange(len(talk[place]) + 1)
                talk[place] = talk[place][:at] + random_.choice(SPICE) + talk[place][at:]
            case _:
                talk[place] = random_.randbytes(random_.randrange(99))
        if not talk:
            talk = [HELLO]
    sent = bytearray(b"".join(map(framed, talk)))
    if random_.random() < 0.3:
        sent[random_.randrange(len(sent))] = random_.randrange(256)
    if random_.random() < 0.2:
        at = random_.randrange(len(sent))
        sent[at:at] = struct.pack("!I", random_.getrandbits(32))
    if random_.random() < 0.3:
        del sent[random_.randrange(len(sent)) :]
    return bytes(sent)


def disturb(served, random_):
    """Let a stranger send a mutated conversation; it waits for the end, or vanishes."""
    player = served.player(greets=False)
    try:
        player.socket.sendall(mutated(random_))
        if random_.random() < 0.3:
            player.is_closed(0.05)
    except OSError:  # the server was quicker
        pass
    player.close()


def check_log(served):
    """Wait until the strangers have gone; check that the log has one line for a fault, and forget the log."""
    assert served.quiet(1), "strangers have all gone"
    numbers = [line.split(":")[0] for line in served.lines if "refused to end" not in line]
    waits = sum("in use" in line for line in served.lines)
    assert len(numbers) - len(set(numbers)) <= waits
    assert not [line for line in served.lines if "internal error" in line]
    served.lines.clear()


def fuzz(seconds, seed):
    """Fuzz a server for some seconds; return the number of strangers."""
    random_ = random.Random(seed)
    with serving(games=3, patience=BRIEF) as served:
        honest = served.player()
        honest.reset(seed=1)
        strangers, tick, end = 0, 0, time.monotonic() + seconds
        tracemalloc.start()
        try:
            while time.monotonic() < end:
                disturb(served, random_)
                strangers += 1
                tick += 1
                assert honest.step()[2].stacks[0].count == 1 + tick
                if tick == 900:
                    check_log(served)
                    honest.reset(seed=1)
                    tick = 0
                for game in served.games:  # a scripted game remembers every action
                    game.actions.clear()
                    game.begun.clear()
            check_log(served)
            assert tracemalloc.get_traced_memory()[1] < 16e6
        finally:
            tracemalloc.stop()
        assert served.thread.is_alive()
        assert len(served.games) <= 3, "no stranger breaks a game"
        assert honest.step()[2].stacks[0].count == 2 + tick
        return strangers


def test_strangers_do_not_disturb_an_honest_client():
    assert fuzz(2.0, seed=1) > 20


@pytest.mark.slow
def test_strangers_do_not_disturb_an_honest_client_for_five_minutes():
    assert fuzz(300.0, seed=2) > 2000
