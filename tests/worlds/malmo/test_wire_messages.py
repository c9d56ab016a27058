"""Commands, tokens and short answers: written, read, and refused."""

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.wire_messages import (
    DISCONNECT,
    EXIT,
    HELLO,
    PEEK,
    QUIT,
    STEP_SERVER,
    EpisodeToken,
    StepReply,
    command_of,
    flag_message,
    lines_in,
    number_message,
    read_flag,
    read_number,
    read_step_reply,
    read_token,
    step_message,
    version_in,
)

SEEDS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (b"<MalmoEnv0.37.0/>", "hello"),
        (b"<Quit/>", "quit"),
        (b'<MissionInit xmlns="http://ProjectMalmo.microsoft.com">', "mission"),
        (b"<Peek/>", "peek"),
        (b"<StepClient0>jump 1</StepClient0 >", "step"),
        (b"<StepServer></StepServer>", "step server"),
        (b"<Find>e:1:0</Find>", "find"),
        (b"<Disconnect/>", "disconnect"),
        (b"<Exit>NOW</Exit>", "exit"),
        (b"<Interact>127.0.0.1:1</Interact>", "interact"),
        (b"<Init>", "init"),
        (b"<Close>", "close"),
        (b"<Status>", "status"),
        (b"<Echo>", "echo"),
    ],
)
def test_a_command_is_known_by_its_beginning(message, name):
    assert command_of(message) == name


def test_the_constants_are_the_bytes_that_clients_send():
    """As MineRL 0.4.4 sends them in `_multiagent.py` and `malmo.py`."""
    assert (HELLO, QUIT, PEEK) == (b"<MalmoEnv0.37.0/>", b"<Quit/>", b"<Peek/>")
    assert (STEP_SERVER, DISCONNECT) == (b"<StepServer></StepServer>", b"<Disconnect/>")
    assert EXIT == b"<Exit>NOW</Exit>"


@pytest.mark.parametrize("message", [b"", b"GET / HTTP/1.1", b"\xff" * 100_000, b" <Quit/>"])
def test_an_unknown_command_is_quoted_shortly(message):
    with pytest.raises(WireFault, match=r"begins with one of <StepClient, .* got") as caught:
        command_of(message)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("version", ["0.37.0", "0.36.0", "1.0"])
def test_a_greeting_names_its_version(version):
    assert version_in(f"<MalmoEnv{version}/>".encode()) == version


@pytest.mark.parametrize(
    "message", [b"", b"<MalmoEnv/>", b"<MalmoEnv" + b"1" * 99 + b"/>", b"<MalmoEnv0.37.0/>\n"]
)
def test_another_greeting_is_a_fault(message):
    with pytest.raises(WireFault, match=r"expected <MalmoEnv0\.37\.0/>, got"):
        version_in(message)


@given(lines=st.text(st.characters(exclude_categories=["Cs"])))
def test_the_lines_of_a_step_come_back(lines):
    assert lines_in(step_message(lines)) == lines


def test_a_step_is_written_with_the_clients_blank_and_read_with_any_digit():
    assert step_message("jump 1") == b"<StepClient0>jump 1</StepClient0 >"
    assert lines_in(b"<StepClient2>jump 1</StepClient2>") == "jump 1"
    assert lines_in(b"<StepClient0></StepClient0 >\r\n") == ""


@pytest.mark.parametrize(
    "message", [b"<StepClient0>jump 1", b"<StepClient>a</StepClient >", b"<StepClientx>"]
)
def test_a_step_without_its_end_is_a_fault(message):
    with pytest.raises(WireFault, match=r"expected <StepClient0>\.\.\.</StepClient0 >, got"):
        lines_in(message)


@given(
    token=st.builds(
        EpisodeToken,
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=50).filter(
            lambda name: ":" not in name
        ),
        st.integers(0, 9999),
        st.integers(0, 9999),
        st.none() | SEEDS,
    )
)
def test_a_token_comes_back(token):
    assert read_token(token.write()) == token


def test_a_token_reads_as_minerl_writes_it():
    """`_get_token` and `_send_mission` of MineRL 0.4.4: name, role, resets, agents, synchronous, seed."""
    assert read_token(b"0d3c:0:0:1:true:7") == EpisodeToken("0d3c", 0, 1, 7)
    assert read_token(b"0d3c:1:0:2:true") == EpisodeToken("0d3c", 1, 2, None)


@pytest.mark.parametrize(
    "message",
    [
        *(b"", b"::::", b"e:0:0:1", b"e:0:0:1:true:7:8", b"e:x:0:1:true", b"e:0:0:1:maybe"),
        *(b"e:0:0:1:true:1.5", b"e:0:0:1:true:nan", b"e:-1:0:1:true", b"e:0:0:1_0:true"),
        *(b"e:0:0:1:true:" + b"9" * 5000, b"e" * 1000 + b":0:0:1:true", b"\xff:0:0:1:true:\xff"),
    ],
)
def test_no_token_is_a_fault(message):
    with pytest.raises(WireFault, match="expected a token name:role:0:agents:true") as caught:
        read_token(message)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_a_seed_beyond_64_bits_is_a_fault(seed):
    with pytest.raises(WireFault, match=r"a seed of -2\*\*63 to 2\*\*63 - 1"):
        read_token(f"e:0:0:1:true:{seed}".encode())


@given(st.floats(allow_nan=False, allow_infinity=False), st.booleans())
def test_a_reward_and_an_end_come_back(reward, done):
    assert read_step_reply(StepReply(reward, done).write()) == StepReply(reward, done)


def test_a_step_reply_is_the_clients_struct():
    assert struct.unpack("!dbb", StepReply(0.5, done=True).write()) == (0.5, 1, 1)


@pytest.mark.parametrize("message", [b"", b"x" * 9, b"x" * 11])
def test_a_step_reply_of_another_length_is_a_fault(message):
    with pytest.raises(WireFault, match=f"expected 10 bytes of reward and end, got {len(message)}"):
        read_step_reply(message)


@pytest.mark.parametrize("reward", [math.nan, math.inf, -math.inf])
def test_a_reward_that_is_no_number_is_a_fault(reward):
    with pytest.raises(WireFault, match=r"expected a finite reward, got -?(nan|inf)"):
        read_step_reply(struct.pack("!dbb", reward, 0, 1))


@given(st.integers(0, 2**32 - 1))
def test_a_number_comes_back(number):
    assert read_number(number_message(number)) == number
    assert struct.unpack("!I", number_message(number)) == (number,)


@pytest.mark.parametrize("flag", [True, False])
def test_a_flag_comes_back(flag):
    assert read_flag(flag_message(flag)) is flag
    assert struct.unpack("!b", flag_message(flag)) == (flag,)


@pytest.mark.parametrize("message", [b"", b"12345"])
def test_numbers_and_flags_of_another_length_are_faults(message):
    with pytest.raises(WireFault, match=f"a number of 4 bytes, got {len(message)} bytes"):
        read_number(message)
    with pytest.raises(WireFault, match=f"a flag of 1 byte, got {len(message)} bytes"):
        read_flag(message)
