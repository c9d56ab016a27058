"""Where a world's games come from: launched processes, running games, or objects of this process."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, Protocol

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.processors import usable_processors
from optimus_gym.worlds.malmo.client.launching import GameProcess, LaunchPlan
from optimus_gym.worlds.malmo.client.remote_game import Address, RemoteGame
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.games import Game

MOST_PORT: Final = 65_535
_FEWEST_STARTING: Final = 4
"""Games that may start at the same time on any machine; MineStudio 1.1.6 lets as many reset."""


class GameSource(Protocol):
    """Gives each row of a world its game."""

    def game(self, row: int) -> Game:
        """Return the game of `row`; a new one after `drop`. The call may take minutes.

        Raises:
            WireFault, TimeoutError: there is no working game.
        """

    def drop(self, row: int) -> None:
        """Give up the broken game of `row`."""

    def last_words(self, row: int) -> str:
        """Return what the game of `row` last wrote into its log, to be put behind an error, or ""."""

    def close(self) -> None:
        """Release all games; may be called twice."""


class RunningGames:
    """Games that somebody else has started, and that go on at the end.

    Args:
        addresses: where the games listen: one for each row, or one for all rows.
        count: the number of rows.
        dialect: the games' dialect.
        seconds: seconds to wait for an answer.
    """

    def __init__(
        self, addresses: Sequence[Address], count: int, dialect: Dialect, seconds: float
    ) -> None:
        places = list(addresses) * count if len(addresses) == 1 else addresses[:count]
        self._games = [RemoteGame(place, dialect, seconds) for place in places]

    def game(self, row: int) -> Game:
        """Return the game of `row`."""
        return self._games[row]

    def drop(self, row: int) -> None:
        """End the connection; the next episode has a new one."""
        self._games[row].close()

    def last_words(self, row: int) -> str:
        """Return where the game listens: its log is its owner's."""
        return f"; the game at {self._games[row].address} has its own log"

    def close(self) -> None:
        """End all connections."""
        for game in self._games:
            game.close()


class LaunchedGames:
    """A process for each row; the first call of `game` launches all of them, in threads.

    Args:
        plan: how to launch a game.
        count: the number of rows.
        dialect: the games' dialect.
        seconds: seconds to wait for an answer.
    """

    def __init__(self, plan: LaunchPlan, count: int, dialect: Dialect, seconds: float) -> None:
        self._plan = plan
        self._dialect = dialect
        self._seconds = seconds
        self._starts: list[Future[GameProcess] | None] = [None] * count
        self._games: list[RemoteGame | None] = [None] * count
        self._is_open = False
        self._stop = threading.Event()
        self._turn = threading.Semaphore(max(_FEWEST_STARTING, usable_processors() // 2))

    def game(self, row: int) -> Game:
        """Return the game of `row`, launched if necessary.

        Raises:
            BadValue: this system cannot launch games.
            WireFault, TimeoutError: the game does not start.
        """
        if not self._is_open:
            self._is_open, self._stop = True, threading.Event()
            self._starts = [self._start() for _ in self._games]
        start = self._starts[row]
        if start is None:
            start = self._starts[row] = self._start()
        found = self._games[row]
        if found is None:
            address = start.result().address
            found = self._games[row] = RemoteGame(address, self._dialect, self._seconds)
        return found

    def _start(self) -> "Future[GameProcess]":
        """Launch a game in a thread that does not keep Python from ending."""
        start: Future[GameProcess] = Future()

        def launch(stop: threading.Event) -> None:
            try:
                with self._turn:
                    start.set_result(GameProcess(self._plan, stop))
            except BaseException as error:  # noqa: BLE001  the caller of `game` gets it
                start.set_exception(error)

        threading.Thread(target=launch, args=(self._stop,), name="game start", daemon=True).start()
        return start

    def drop(self, row: int) -> None:
        """Kill the process of `row`; the next call of `game` launches a new one."""
        game, self._games[row] = self._games[row], None
        if game is not None:
            game.close()
        process, self._starts[row] = _started(self._starts[row]), None
        if process is not None:
            process.kill(keeps_log=True)

    def last_words(self, row: int) -> str:
        """Return the last lines of the log of `row`; "" if the game never started."""
        process = _started(self._starts[row])
        return "" if process is None else process.last_words()

    def close(self) -> None:
        """Ask all processes to end, and kill those that do not."""
        if not self._is_open:
            return
        self._is_open = False
        self._stop.set()
        for game in self._games:
            if game is not None:
                game.exit()
        for process in map(_started, self._starts):
            if process is not None:
                process.close()
        self._starts = [None] * len(self._starts)
        self._games = [None] * len(self._games)


def _started(start: "Future[GameProcess] | None") -> GameProcess | None:
    """Return the process of a start, once the start has ended; None if there is none."""
    if start is None or start.exception() is not None:
        return None
    return start.result()


class GivenGames:
    """Games that the caller has made, one for each row.

    Args:
        games: the games.
        closes: whether `close` closes the games, too.
    """

    def __init__(self, games: Sequence[Game], closes: bool = True) -> None:
        self._games = tuple(games)
        self._closes = closes

    def game(self, row: int) -> Game:
        """Return the game of `row`."""
        return self._games[row]

    def drop(self, row: int) -> None:
        """Do nothing: the game's next episode shows whether it works again."""

    def last_words(self, row: int) -> str:
        """Return "": such a game has no log."""
        return ""

    def close(self) -> None:
        """Close the games, if they are to be closed."""
        if self._closes:
            for game in self._games:
                game.close()


class MadeGames:
    """Games of this process that are made when a row first needs one.

    Args:
        make: makes a game.
        count: the number of rows.
    """

    def __init__(self, make: Callable[[], Game], count: int) -> None:
        self._make = make
        self._games: list[Game | None] = [None] * count

    def game(self, row: int) -> Game:
        """Return the game of `row`, made if necessary."""
        found = self._games[row]
        if found is None:
            found = self._games[row] = self._make()
        return found

    def drop(self, row: int) -> None:
        """Close the game of `row`; the next call of `game` makes a new one."""
        game, self._games[row] = self._games[row], None
        if game is not None:
            game.close()

    def last_words(self, row: int) -> str:
        """Return "": such a game keeps its own log."""
        return ""

    def close(self) -> None:
        """Close all games."""
        for row in range(len(self._games)):
            self.drop(row)


def read_addresses(value: object, count: int) -> tuple[Address, ...]:
    """Return the addresses that an argument names, at least `count` or exactly one.

    Args:
        value: "host:port", "host:first-last", or several such texts.
        count: the number of rows.

    Raises:
        BadValue: a text is no address, or there are too few.

    >>> [str(place) for place in read_addresses("localhost:9000-9001", 2)]
    ['localhost:9000', 'localhost:9001']
    """
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not texts:
        raise BadValue(f'address: expected "host:port" or several of them, got {shown(value)}')
    places = tuple(place for text in texts for place in _addresses_in(text))
    if len(places) != 1 and len(places) < count:
        raise BadValue(
            f"address: expected an address for each of {count} rows, or one for all, got {len(places)}"
        )
    return places


def _addresses_in(text: object) -> list[Address]:
    """Return the addresses of "host:port" or "host:first-last"."""
    host, colon, ports = text.strip().rpartition(":") if isinstance(text, str) else ("", "", "")
    first, dash, last = ports.partition("-")
    if colon and host and _is_port(first) and (not dash or _is_port(last)):
        numbers = range(int(first), int(last if dash else first) + 1)
        if numbers:
            return [Address(host.strip("[]"), port) for port in numbers]
    raise BadValue(f'address: expected "host:port" or "host:first-last", got {shown(text)}')


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5 and 0 < int(text) <= MOST_PORT


def check_seconds(name: str, value: object, missing: float) -> float:
    """Return a number of seconds above 0; `missing` in place of None.

    Raises:
        BadValue: the value is no such number.
    """
    if value is None:
        return missing
    if (is_whole(value) or isinstance(value, float)) and 0 < value < 1e6:
        return float(value)
    raise BadValue(f"{name}: expected a number of seconds above 0, got {shown(value)}")
