"""A small server of games for tests of the client: the game's part of the wire, without any mercy."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

from optimus_gym.worlds.malmo import wire_messages as say
from optimus_gym.worlds.malmo.client.remote_game import Address
from optimus_gym.worlds.malmo.dialects import MINESTUDIO
from optimus_gym.worlds.malmo.framing import MOST_COMMAND, Channel, WireFault
from optimus_gym.worlds.malmo.mission_reading import read_mission
from optimus_gym.worlds.malmo.report_json import report_message
from optimus_gym.worlds.malmo.wire_actions import read_action


class SmallServer:
    """Serves a game to each connection.

    Attributes:
        heard: the names of all commands, in order, of all connections.
        busy: how many missions are refused before one is taken.
        blank: how many peeks get no picture.
    """

    def __init__(self, make, dialect=MINESTUDIO, busy=0, blank=0):
        self.make = make
        self.dialect = dialect
        self.busy = busy
        self.blank = blank
        self.heard = []
        self.games = []
        self.ports = socket.create_server(("127.0.0.1", 0))
        self.address = Address(*self.ports.getsockname())
        self.channels = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with suppress(OSError):
            while True:
                connection, _ = self.ports.accept()
                channel = self.channel(connection)
                self.channels.append(channel)
                threading.Thread(target=self.serve, args=(channel,), daemon=True).start()

    def channel(self, connection):
        return Channel(connection, MOST_COMMAND)

    def serve(self, channel):
        game = self.make()
        self.games.append(game)
        try:
            while self.answer(game, channel, channel.receive()):
                pass
        except (WireFault, OSError, RuntimeError):
            pass
        channel.close()

    def answer(self, game, channel, message):
        command = say.command_of(message)
        self.heard.append(command)
        if command in ("quit", "exit"):
            channel.send(say.number_message(1))
        elif command == "mission":
            token = say.read_token(channel.receive())
            self.busy -= 1
            if self.busy < 0:
                self.first = game.begin(read_mission(message), token.seed)
            channel.send(say.number_message(int(self.busy < 0)))
        elif command == "peek":
            self.blank -= 1
            picture, report = self.pieces(self.first)
            channel.send(b"" if self.blank >= 0 else picture, report, say.flag_message(False))
        elif command == "step":
            game.send(read_action(say.lines_in(message)))
            moment = game.receive()
            picture, report = self.pieces(moment)
            channel.send(picture, say.StepReply(moment.reward, moment.done).write(), report)
        return command not in ("disconnect", "exit")

    def pieces(self, moment):
        return moment.picture[::-1].tobytes(), report_message(moment.report, self.dialect)

    def heard_all(self, wanted):
        """Return whether the server hears these commands, in any order, within seconds."""
        deadline = time.monotonic() + 5.0
        while sorted(self.heard) != sorted(wanted) and time.monotonic() < deadline:
            time.sleep(0.005)
        return sorted(self.heard) == sorted(wanted)

    def close(self):
        hang_up(self.ports)
        for channel in self.channels:
            channel.close()


def hang_up(ports):
    """Stop to accept connections, also in a thread that waits for one."""
    with suppress(OSError):
        ports.shutdown(socket.SHUT_RDWR)
    ports.close()


@contextmanager
def serving(make, **options):
    server = SmallServer(make, **options)
    try:
        yield server
    finally:
        server.close()


@contextmanager
def answering(*replies):
    """Accept connections and send raw bytes to each (or call a function); then read until the client goes."""
    ports = socket.create_server(("127.0.0.1", 0))

    def talk(connection):
        with connection, suppress(OSError):
            for reply in replies:
                if callable(reply):
                    reply(connection)
                else:
                    connection.sendall(reply)
            while connection.recv(1 << 16):
                pass

    def accept():
        with suppress(OSError):
            while True:
                threading.Thread(target=talk, args=(ports.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield Address(*ports.getsockname())
    finally:
        hang_up(ports)
