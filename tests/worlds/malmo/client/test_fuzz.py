"""A fuzzer of the client: one game answers with faults, dawdles or vanishes, and the other game plays on."""

import time
import tracemalloc
from contextlib import contextmanager

import numpy as np
import pytest

from optimus_gym.core.actions import pressing
from optimus_gym.core.errors import WorldFailed
from optimus_gym.core.types import Setup
from optimus_gym.worlds.malmo.client import remote_game
from optimus_gym.worlds.malmo.client.game_options import MOST_RESTARTS
from optimus_gym.worlds.malmo.client.world import MineRLWorld
from optimus_gym.worlds.malmo.framing import MOST_COMMAND, Channel, PeerGone, framed
from tests.worlds.malmo.client.small_server import SmallServer, serving
from tests.worlds.malmo.client.toy_game import STEP, ToyGame
from tests.worlds.malmo.test_fuzz import change_report
from tools.mutating.changes import change_bytes

SIZE = (16, 9)
PATIENCE = 0.3
"""Seconds that the client waits for an answer."""
MOST_BYTES = 64e6
"""Maximum memory for Python's objects at a time: a few of the longest values that a change puts in."""
HONEST, LIAR = 0, 1
TICKS = 200
"""Ticks of an episode of the honest game."""


class LyingChannel(Channel):
    """A game's end of a connection, which now and then sends something else than the game does."""

    def __init__(self, connection, draws):
        super().__init__(connection, MOST_COMMAND)
        self.connection = connection
        self.draws = draws
        self.share = draws.choice([0.02, 0.2])

    def send(self, *payloads):
        if self.draws.random() >= self.share:
            super().send(*payloads)
            return
        sent = list(payloads)
        place = int(self.draws.integers(len(sent)))
        lie = int(self.draws.integers(40))
        if lie == 0:
            time.sleep(1.5 * PATIENCE)
        elif lie < 4:
            self.connection.close()
            raise PeerGone("expected an open connection, closed it")
        elif lie < 8:
            del sent[place]
        elif lie < 12:
            sent.insert(place, sent[place])
        elif sent[place].startswith(b"{"):
            sent[place] = change_report(sent[place], self.draws)
        elif lie < 30:
            sent[place] = change_bytes(sent[place], self.draws)
        stream = b"".join(map(framed, sent))
        self.send_raw(change_bytes(stream, self.draws) if lie >= 34 else stream)

    def send_raw(self, stream):
        try:
            self.connection.sendall(stream)
        except OSError as error:
            raise PeerGone("expected an open connection") from error


class LyingServer(SmallServer):
    def __init__(self, seed):
        self.draws = np.random.default_rng(seed)
        super().__init__(ToyGame)

    def channel(self, connection):
        return LyingChannel(connection, self.draws)


@contextmanager
def beside_a_liar(seed):
    """Yield a world of an honest game and one that lies."""
    liar = LyingServer(seed)
    try:
        with serving(ToyGame) as server:
            world = MineRLWorld(
                2, address=[str(server.address), str(liar.address)], settle=0, timeout=PATIENCE,
                restarts=MOST_RESTARTS, picture_size=SIZE,
            )  # fmt: skip
            # The honest game gets the time that it needs on a busy machine.
            world.reset(HONEST, Setup(0))
            yield world
            world.close()
    finally:
        liar.close()


def check_answers(world):
    """Hold a world's answers to their ranges, whatever the game told."""
    rows = [HONEST, LIAR]
    assert np.isfinite(world.poses(rows)).all()
    assert (world.counts(rows) >= 0).all()
    equipment, vitals = world.bodies(rows)
    assert (equipment >= 0).all()
    assert np.isfinite(vitals).all()
    world.frames(rows, np.empty((2, 9, 16, 3), np.uint8))
    for row in rows:
        assert all(event.amount >= 0 for event in world.events(row))
        assert len(world.stations(row)) >= 0
        world.biome(row)
        told = world.surroundings(row)
        assert told is None or told.blocks.size <= 27


def reasons(call, *arguments):
    """Call; return the reasons of the rows that failed."""
    try:
        call(*arguments)
    except WorldFailed as failure:
        return failure.reasons
    return {}


def tick_both(world, has_begun):
    """Advance both rows by one tick; return the outcome in the row that lies."""
    if not has_begun:
        failed = reasons(world.reset, LIAR, Setup(1))
        assert set(failed) <= {LIAR}
        if failed:
            return "no episode"
    world.ask_surroundings(LIAR, (-1, 1, -1, 1, -1, 1))
    failed = reasons(world.tick, [HONEST, LIAR], np.stack([pressing({"forward": 1})] * 2))
    assert set(failed) <= {LIAR}
    assert len(failed.get(LIAR, "")) < 1000
    if failed:
        return "breakdown"
    return "tick" if world.alive([LIAR])[0] else "death"


def fuzz(seconds, seed):
    """Advance both rows for some seconds; return the outcomes in the row that lies."""
    seen = set()
    end = time.monotonic() + seconds
    with beside_a_liar(seed) as world:
        start = world.poses([HONEST])[0, 2]
        outcome, ticks = "no episode", 0
        tracemalloc.start()
        try:
            while time.monotonic() < end:
                outcome = tick_both(world, has_begun=outcome == "tick")
                seen.add(outcome)
                if outcome == "no episode":
                    continue
                ticks += 1
                check_answers(world)
                assert world.poses([HONEST])[0, 2] == pytest.approx(start + ticks * STEP)
                if ticks == TICKS:
                    world.reset(HONEST, Setup(0))
                    ticks = 0
            assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
        finally:
            tracemalloc.stop()
    return seen


@pytest.fixture(autouse=True)
def _no_last_chance(monkeypatch):
    """A dawdling game costs as long as the client waits for it, not half a second more."""
    monkeypatch.setattr(remote_game, "_LAST_CHANCE", PATIENCE)


def test_a_game_with_faults_does_not_disturb_another():
    assert fuzz(3.0, seed=50) >= {"no episode", "breakdown", "tick"}


@pytest.mark.slow
def test_a_game_with_faults_does_not_disturb_another_for_five_minutes():
    assert fuzz(300.0, seed=51) == {"no episode", "breakdown", "tick", "death"}
