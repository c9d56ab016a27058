"""Servers of scripted games, and clients that speak to them."""

import socket
import threading
import time
from contextlib import contextmanager

import pytest

from optimus_gym.serve.game_server import GameServer
from optimus_gym.serve.sessions import ClientPatience
from optimus_gym.worlds.malmo.framing import MOST_REPLY, Channel
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.report_json import read_report
from optimus_gym.worlds.malmo.wire_messages import (
    HELLO,
    PEEK,
    QUIT,
    STEP_SERVER,
    EpisodeToken,
    read_flag,
    read_number,
    read_step_reply,
    step_message,
)
from tests.serve.scripted_game import ScriptedGame

SMALL = Mission(name="Small", width=4, height=3, gui_scale=1.0)
USUAL = ClientPatience(seat=0.05)
QUICK = ClientPatience(greeting=0.2, message=0.2, silence=1.5, reading=0.4, seat=0.05)


class Player:
    """A client's end of a connection, which says the messages of MineRL."""

    def __init__(self, address, greets=True):
        self.socket = socket.create_connection(address, timeout=10)
        self.channel = Channel(self.socket, MOST_REPLY)
        if greets:
            self.channel.send(HELLO)

    def ask(self, message):
        self.channel.send(message)
        return self.channel.receive()

    def begin(self, mission=SMALL, seed=None, agents=1):
        """Return the server's answer to a mission."""
        token = EpisodeToken("an-episode", agents=agents, seed=seed).write()
        self.channel.send(write_mission(mission, "an-episode"), token)
        return read_number(self.channel.receive())

    def peek(self):
        picture, report, flag = self.ask(PEEK), self.channel.receive(), self.channel.receive()
        return picture, read_report(report), read_flag(flag)

    def step(self, lines="forward 1"):
        picture, reply = self.ask(step_message(lines)), self.channel.receive()
        report = read_report(self.channel.receive())
        self.channel.send(STEP_SERVER)
        return picture, read_step_reply(reply), report

    def reset(self, mission=SMALL, seed=None):
        assert read_number(self.ask(QUIT)) == 1
        assert self.begin(mission, seed) == 1
        return self.peek()

    def is_closed(self, seconds=5.0):
        """Return whether the server closes the connection without another word."""
        self.socket.settimeout(seconds)
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True
        except TimeoutError:
            return False

    def close(self):
        self.channel.close()


class Served:
    """A server that runs in a thread, with its log's lines and its games."""

    def __init__(self, games, patience, may_exit, make):
        self.lines, self.games, self.numbers = [], [], []

        def make_game(number):
            self.numbers.append(number)
            self.games.append(make())
            return self.games[-1]

        self.server = GameServer(
            make_game, games, patience=patience, may_exit=may_exit, say=self.lines.append
        )
        self.thread = threading.Thread(target=self.server.serve)
        self.thread.start()

    def player(self, greets=True):
        return Player(self.server.address, greets)

    def quiet(self, connections=0, seconds=5.0):
        """Return whether soon only some connections are left."""
        end = time.monotonic() + seconds
        while self.server.connections > connections and time.monotonic() < end:
            time.sleep(0.01)
        return self.server.connections == connections


@contextmanager
def serving(games=1, patience=USUAL, may_exit=False, make=ScriptedGame):
    served = Served(games, patience, may_exit, make)
    try:
        yield served
    finally:
        served.server.stop()
        served.thread.join(10)
        served.server.close()


@pytest.fixture
def served():
    """A server with one game."""
    with serving() as one:
        yield one


@pytest.fixture
def hurried():
    """A server with one game and little patience."""
    with serving(patience=QUICK) as one:
        yield one
