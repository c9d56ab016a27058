"""Random changes of messages in both directions: each is read, or refused with a short text."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

from optimus_gym.worlds.malmo.dialects import DIALECTS, MINERL_0_4, MINESTUDIO
from optimus_gym.worlds.malmo.framing import Channel, WireFault, framed
from optimus_gym.worlds.malmo.mission_reading import read_mission
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import ItemGoal, Mission, Navigation, Placement, StartStack
from optimus_gym.worlds.malmo.report_json import read_report, report_message
from optimus_gym.worlds.malmo.reports import NearBlock, NearCreature, Report, WireStack, Worn
from optimus_gym.worlds.malmo.wire_actions import WireAction, read_action, write_action
from optimus_gym.worlds.malmo.wire_messages import (
    HELLO,
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
from tests.worlds.malmo.pairs import raw_pair
from tools.mutating.changes import change_bytes, change_json

LONGEST_FAULT = 700
"""Maximum characters of a fault's text, which a server writes in one line of its log."""
MOST_SECONDS = 2.0
"""Maximum time to read a message; the machine may be busy."""
MOST = 1 << 16
ACTION = WireAction(
    frozenset({"jump", "use"}), -1.5, 20.0, (("craft", "planks#2"),), "/kill", (-2, 2, -1, 3, -2, 2)
)
REPORT = Report(
    stacks=(WireStack(0, "log", 3, 2), WireStack(9, "stick", 5)),
    worn={"mainhand": Worn("iron_pickaxe", 3, 250)},
    statistics={"mine_block": {"stone": 3}},
    voxels=(NearBlock("stone", 0, -1, 0),),
    mobs=(NearCreature("pig", 1.5, 0.0, -2.0, 10.0),),
    compass=12.5,
)
MISSION = Mission(
    seed=7,
    time=6000,
    seconds=60.0,
    gui_scale=1.0,
    inventory=(StartStack(0, "planks", 5, 2),),
    placement=Placement(1.0, 2.0, 3.0),
    health=5.0,
    food=3,
    handlers=frozenset({"ChatCommands"}),
    possessions=(ItemGoal("log", 1, 1.0),),
    ends_with=(ItemGoal("diamond"),),
    navigation=Navigation("diamond_block", 1, 64),
)


@dataclass(frozen=True)
class Target:
    """A reader with valid messages, and what may change them."""

    read: Callable[[bytes], object]
    samples: tuple[bytes, ...]
    change: Callable[[bytes, np.random.Generator], bytes] = change_bytes


def a_step(message: bytes) -> WireAction:
    return read_action(lines_in(message))


def change_report(data: bytes, draws: np.random.Generator) -> bytes:
    """Return a report with changed bytes or with changed values, also in the texts that hold JSON."""
    if draws.random() < 0.3:
        return change_bytes(data, draws)
    report = json.loads(data)
    hand = report["equipped_items"].get("mainhand")
    if isinstance(hand, str) and draws.random() < 0.3:
        inner = change_json(json.loads(hand), draws).decode("utf-8", "replace")
        report["equipped_items"]["mainhand"] = inner
        return json.dumps(report).encode()
    return change_json(report, draws)


XML_PIECES = (
    *(
        b"<!DOCTYPE x>",
        b'<!ENTITY a "b">',
        b"&a;",
        b"&#0;",
        b"<![CDATA[",
        b"<!--",
        b"<?x?>",
        b"]]>",
    ),
    *(b'="nan"', b'="1e999"', b'="-1"', b">nan<", b"><", b'xmlns="x" ', b"<Item/>", b"<a>" * 999),
)


def change_mission(data: bytes, draws: np.random.Generator) -> bytes:
    """Return a mission with changed bytes, a piece of XML put in, or a value replaced."""
    kind = draws.random()
    if kind < 0.4:
        return change_bytes(data, draws)
    piece = XML_PIECES[int(draws.integers(len(XML_PIECES)))]
    if kind < 0.7:
        place = int(draws.integers(len(data) + 1))
        return data[:place] + piece + data[place:]
    parts = data.split(b'"')
    parts[2 * int(draws.integers(len(parts) // 2)) + 1] = piece.replace(b'"', b"").replace(
        b"<", b""
    )
    return b'"'.join(parts)


TARGETS = {
    "commands": Target(command_of, (HELLO, step_message("jump 1"), b"<Quit/>", b"<Find>a</Find>")),
    "greetings": Target(version_in, (HELLO,)),
    "tokens": Target(
        read_token, (EpisodeToken("e0-f1", 0, 1, 7).write(), EpisodeToken("e").write())
    ),
    "step replies": Target(read_step_reply, (StepReply(1.5, done=True).write(),)),
    "numbers": Target(read_number, (number_message(1),)),
    "flags": Target(read_flag, (flag_message(True),)),
    "steps": Target(
        a_step,
        tuple(step_message(write_action(ACTION, each)).strip() for each in DIALECTS.values()),
    ),
    "reports": Target(
        read_report,
        tuple(report_message(REPORT, each) for each in DIALECTS.values()),
        change_report,
    ),
    "missions": Target(
        read_mission, (write_mission(MISSION, "e"), write_mission(Mission(), "e")), change_mission
    ),
}


def changed(target: Target, seed: int, number: int) -> bytes:
    """Return a changed message; equal arguments give equal messages."""
    sample = target.samples[number % len(target.samples)]
    return target.change(sample, np.random.default_rng([seed, number]))


def check_read(target: Target, message: bytes) -> str:
    """Read a message, and return whether it was read or refused; any other error is a finding."""
    begin = time.monotonic()
    text = "read"
    try:
        target.read(message)
    except WireFault as fault:
        text = str(fault)
    assert 0 < len(text) <= LONGEST_FAULT
    assert time.monotonic() - begin < MOST_SECONDS
    return "read" if text == "read" else "refused"


def fuzz(numbers: Iterator[int], seed: int) -> dict[str, set[str]]:
    """Read a changed message of each target for each number; return each target's answers."""
    answers: dict[str, set[str]] = {name: set() for name in TARGETS}
    for number in numbers:
        for name, target in TARGETS.items():
            answers[name].add(check_read(target, changed(target, seed, number)))
    return answers


def for_seconds(seconds: float) -> Iterator[int]:
    """Yield numbers from 0 until the time is over."""
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        yield number
        number += 1


def receive_all(channel: Channel, received: list[bytes]) -> None:
    """Add all messages that come, each behind its length, until a fault ends it."""
    while True:
        received.append(framed(channel.receive()))


def exchange(stream: bytes, draws: np.random.Generator) -> str:
    """Send a stream of bytes in pieces, close, and return how receiving ended."""

    def send(connection: Any) -> None:
        begin = 0
        try:
            while begin < len(stream):
                end = begin + sizes.pop()
                connection.sendall(stream[begin:end])
                begin = end
        except OSError:  # the receiver has refused the stream
            pass
        connection.close()

    sizes = [int(size) for size in draws.integers(1, 2000, len(stream) + 1)]
    with raw_pair() as (raw, connection):
        sender = threading.Thread(target=partial(send, raw))
        sender.start()
        channel = Channel(connection, MOST)
        channel.set_patience(10.0)
        received: list[bytes] = []
        with pytest.raises(WireFault) as caught:
            receive_all(channel, received)
        channel.close()
        sender.join()
    assert 0 < len(str(caught.value)) <= LONGEST_FAULT
    assert stream.startswith(b"".join(received)), "bytes that nobody sent"
    return caught.type.__name__


def fuzz_streams(numbers: Iterator[int], seed: int) -> set[str]:
    """Receive changed streams of messages; return how they ended."""
    whole = b"".join(
        framed(message) for message in (HELLO, b"<Quit/>", b"", bytes(5000), step_message("jump 1"))
    )
    endings = set()
    for number in numbers:
        draws = np.random.default_rng([seed, number])
        endings.add(exchange(change_bytes(whole, draws), draws))
    return endings


def test_every_changed_message_is_read_or_refused():
    answers = fuzz(iter(range(500)), seed=40)
    assert answers == {name: {"read", "refused"} for name in TARGETS}


def test_every_changed_stream_ends_with_a_fault():
    assert fuzz_streams(iter(range(150)), seed=41) == {"PeerGone", "WireFault"}


def test_an_unchanged_message_of_each_target_is_read():
    for name, target in TARGETS.items():
        for sample in target.samples:
            assert check_read(target, sample) == "read", name
    assert a_step(TARGETS["steps"].samples[list(DIALECTS).index(MINESTUDIO.name)]).chat == "/kill"
    assert read_report(report_message(REPORT, MINERL_0_4)).stacks == REPORT.stacks


@pytest.mark.slow
def test_changed_messages_for_minutes():
    """Five minutes of both take no more memory than the first seconds, apart from single large messages."""
    resource = pytest.importorskip("resource")
    fuzz(for_seconds(10), seed=42)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fuzz(for_seconds(240), seed=43)
    fuzz_streams(for_seconds(60), seed=44)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB
