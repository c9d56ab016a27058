"""A TCP server that plays the game's part for MineRL's and MineStudio's clients."""

import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Final

from optimus_gym.core.errors import BadValue
from optimus_gym.serve.seats import Seats
from optimus_gym.serve.sessions import ClientPatience, ClientSession, House
from optimus_gym.terminal.printing import printable
from optimus_gym.worlds.malmo.games import Game

THIS_MACHINE: Final = "127.0.0.1"
_MOST_LINE: Final = 500
"""Maximum number of characters of a line of the log."""
_PULSE_S: Final = 0.05
"""Seconds between two looks at clients that take too long."""
_ENDING_S: Final = 2.0
"""Seconds that sessions have for their last tick when the server ends."""


def log_to_stderr(line: str) -> None:
    """Print a line of the log to the error stream, if the stream is still open."""
    with suppress(OSError, ValueError):
        sys.stderr.write(printable(line)[:_MOST_LINE] + "\n")
        sys.stderr.flush()


class GameServer:
    """Listens on a port; each connection has a thread, and each client that plays has a game.

    Args:
        make_game: makes a game by its number, from 0 on; several threads may call it at once.
        games: maximum number of games; further clients have to wait.
        host: address to listen on; the default takes connections of this machine alone.
        port: port to listen on; 0 takes a free one.
        may_exit: whether a client may end the server.
        patience: how long the server waits for clients; None: the usual times.
        say: prints a line of the log; several threads call it.

    Raises:
        BadValue: the server cannot listen on the address.
    """

    def __init__(
        self,
        make_game: Callable[[int], Game],
        games: int = 1,
        host: str = THIS_MACHINE,
        port: int = 0,
        *,
        may_exit: bool = False,
        patience: ClientPatience | None = None,
        say: Callable[[str], None] = log_to_stderr,
    ) -> None:
        self._listener = _listening(host, port)
        self._stopped = threading.Event()
        stop = self._stopped.set if may_exit else None
        self._house = House(Seats(games, make_game), patience or ClientPatience(), say, stop)
        self._most = 4 * games + 16
        self._count = 0
        self._threads: dict[ClientSession, threading.Thread] = {}

    @property
    def address(self) -> tuple[str, int]:
        """Return the server's host and port."""
        host, port = self._listener.getsockname()[:2]
        return str(host), int(port)

    @property
    def connections(self) -> int:
        """Return the number of open connections."""
        return len(self._threads)

    def serve(self) -> None:
        """Serve clients until `stop` is called or a client ends the server."""
        self._listener.settimeout(_PULSE_S)
        while not self._stopped.is_set():
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                pass
            except OSError as error:  # too many open files, or a client that has gone already
                if self._stopped.is_set():
                    break
                self._house.say(f"ERROR cannot take a connection: {error}")
                time.sleep(_PULSE_S)
            else:
                self._welcome(connection)
            self._look_after()

    def _welcome(self, connection: socket.socket) -> None:
        """Start the thread of a new connection, or refuse it if there are too many."""
        self._count += 1
        self._look_after()
        if len(self._threads) >= self._most:
            self._house.say(
                f"ERROR connection {self._count}: refused, {self._most} connections are open"
            )
            connection.close()
            return
        connection.settimeout(None)
        try:
            session = ClientSession(connection, self._count, self._house)
        except OSError:  # the client has gone already
            connection.close()
            return
        name = f"optimus-gym connection {self._count}"
        thread = threading.Thread(target=session.converse, name=name, daemon=True)
        self._threads[session] = thread
        thread.start()

    def _look_after(self) -> None:
        """Forget the sessions that have ended, and close the connections of clients that take too long."""
        now = time.monotonic()
        for session, thread in list(self._threads.items()):
            if thread.is_alive():
                session.expire(now)
            else:
                del self._threads[session]

    def stop(self) -> None:
        """Let `serve` return soon; any thread may call this."""
        self._stopped.set()

    def close(self) -> None:
        """End all connections and games; may be called twice."""
        self.stop()
        self._listener.close()
        for session in self._threads:
            session.close()
        end = time.monotonic() + _ENDING_S
        for thread in self._threads.values():
            thread.join(max(0.0, end - time.monotonic()))
        self._threads.clear()
        self._house.seats.close()

    def __enter__(self) -> "GameServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        BadValue: the system does not allow it.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # The clients speak IPv4 alone, but a system may name the other address of "localhost" first.
        kind, _, _, _, place = min(found, key=lambda one: one[0] != socket.AF_INET)
        return socket.create_server(place[:2], family=kind, backlog=128)
    except (OSError, UnicodeError, OverflowError) as error:
        raise BadValue(
            f"address: expected a free address to listen on, got {host}:{port} ({error})"
        ) from None
