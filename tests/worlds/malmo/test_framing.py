"""Messages on a socket arrive whole, or as a fault that says what was wrong."""

import socket
import struct
import threading
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.worlds.malmo.framing import MOST_COMMAND, Channel, PeerGone, WireFault, framed
from tests.worlds.malmo.pairs import channel_pair, raw_pair


@settings(max_examples=40)
@given(payloads=st.lists(st.binary(max_size=200), max_size=5), together=st.booleans())
def test_messages_arrive_as_they_were_sent(payloads, together):
    with channel_pair() as (one, other):
        if together:
            one.send(*payloads)
        else:
            for payload in payloads:
                one.send(payload)
        assert [other.receive() for _ in payloads] == payloads


def test_a_picture_of_many_packets_arrives_whole():
    picture = bytes(range(256)) * 8192
    with channel_pair(most=len(picture)) as (one, other):
        sender = threading.Thread(target=one.send, args=(picture, b"", b"end"))
        sender.start()
        assert other.receive() == picture
        assert [other.receive(), other.receive()] == [b"", b"end"]
        sender.join()


def test_a_message_is_four_bytes_of_length_and_the_payload():
    with raw_pair() as (raw, connection):
        Channel(connection, 10).send(b"ab", b"")
        assert raw.recv(100) == b"\x00\x00\x00\x02ab\x00\x00\x00\x00"
    assert framed(b"x" * 300)[:4] == b"\x00\x00\x01\x2c"


@pytest.mark.parametrize("length", [11, 2**31, 2**32 - 1])
def test_a_longer_message_than_allowed_is_a_fault_before_it_is_read(length):
    with raw_pair() as (raw, connection):
        raw.sendall(struct.pack("!I", length) + b"x" * 11)
        with pytest.raises(WireFault, match=f"a message of at most 10 bytes, got {length}"):
            Channel(connection, 10).receive()


@pytest.mark.parametrize(
    ("sent", "fault"),
    [
        (b"", "a length of 4 bytes, got the connection's end after 0 bytes"),
        (b"\x00\x00", "a length of 4 bytes, got the connection's end after 2 bytes"),
        (b"\x00\x00\x00\x09<Pe", "a message of 9 bytes, got the connection's end after 3 bytes"),
    ],
)
def test_half_a_message_and_then_nothing_names_what_is_missing(sent, fault):
    with raw_pair() as (raw, connection):
        raw.sendall(sent)
        raw.close()
        with pytest.raises(PeerGone, match=fault):
            Channel(connection, 10).receive()


def test_a_connection_that_breaks_down_is_a_peer_that_is_gone():
    with raw_pair() as (raw, connection):
        linger = struct.pack("ii", 1, 0)  # the end becomes a reset
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        raw.close()
        with pytest.raises(PeerGone, match=r"a length of 4 bytes, got .*reset"):
            Channel(connection, 10).receive()
        with pytest.raises(PeerGone, match="expected an open connection, got"):
            Channel(connection, 10).send(b"x")


def test_a_claimed_length_takes_no_memory():
    with raw_pair() as (raw, connection):
        raw.sendall(struct.pack("!I", MOST_COMMAND * 64) + b"x")
        raw.close()
        tracemalloc.start()
        try:
            with pytest.raises(PeerGone):
                Channel(connection, MOST_COMMAND * 64).receive()
            assert tracemalloc.get_traced_memory()[1] < MOST_COMMAND
        finally:
            tracemalloc.stop()


def test_patience_ends_although_single_bytes_come():
    with raw_pair() as (raw, connection):
        channel = Channel(connection, 1000)
        channel.set_patience(0.2)
        stop = threading.Event()

        def dribble():
            raw.sendall(struct.pack("!I", 1000))
            while not stop.wait(0.02):
                raw.sendall(b"x")

        sender = threading.Thread(target=dribble)
        sender.start()
        try:
            with pytest.raises(TimeoutError):
                channel.receive()
        finally:
            stop.set()
            sender.join()


def test_patience_holds_for_sending_and_may_be_taken_back():
    with raw_pair() as (_, connection):
        channel = Channel(connection, 10)
        channel.set_patience(0.05)
        with pytest.raises(TimeoutError):
            channel.send(b"x" * (1 << 25))
    with channel_pair() as (one, other):
        other.set_patience(0.05)
        with pytest.raises(TimeoutError):
            other.receive()
        other.set_patience(None)
        timer = threading.Timer(0.1, one.send, args=(b"late",))
        timer.start()
        assert other.receive() == b"late"
        timer.join()


def test_closing_wakes_a_call_that_waits_in_another_thread():
    with channel_pair() as (one, _):
        ended = []

        def wait():
            with pytest.raises(PeerGone):
                one.receive()
            ended.append(True)

        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(0.05)
        assert waiting.is_alive()
        one.close()
        one.close()
        waiting.join(5)
        assert ended == [True]


def test_small_messages_are_sent_at_once():
    with raw_pair() as (_, connection):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) == 0
        Channel(connection, 10)
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
