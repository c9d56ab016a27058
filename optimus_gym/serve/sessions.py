"""The conversation with one client, from its greeting to its end."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from optimus_gym.core.errors import BadValue, OptimusError, UnknownName, reason_of
from optimus_gym.serve.seats import Seats
from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.framing import MOST_COMMAND, Channel, PeerGone, WireFault
from optimus_gym.worlds.malmo.games import Game, WireMoment
from optimus_gym.worlds.malmo.mission_reading import read_mission
from optimus_gym.worlds.malmo.missions import Mission, dialect_of
from optimus_gym.worlds.malmo.report_json import report_message
from optimus_gym.worlds.malmo.wire_actions import read_action
from optimus_gym.worlds.malmo.wire_messages import (
    VERSION,
    StepReply,
    command_of,
    flag_message,
    lines_in,
    number_message,
    read_token,
    version_in,
)

_YES: Final = number_message(1)
_NO: Final = number_message(0)


@dataclass(frozen=True, slots=True)
class ClientPatience:
    """How long a server waits for a client, in seconds.

    Attributes:
        greeting: for the first message.
        message: for the rest of a message that has begun, and for the token behind a mission.
        silence: for the next message.
        reading: for the client to read an answer.
        seat: for a game that another client has to give back first.
    """

    greeting: float = 10.0
    message: float = 30.0
    silence: float = 3600.0
    reading: float = 60.0
    seat: float = 2.0


@dataclass(frozen=True, slots=True)
class House:
    """The parts that all sessions of a server share.

    Attributes:
        seats: lends the games.
        patience: how long the server waits for a client.
        say: prints a line of the log.
        stop: ends the server at a client's command; None: clients may not end the server.
    """

    seats: Seats
    patience: ClientPatience
    say: Callable[[str], None]
    stop: Callable[[], None] | None = None


@dataclass(slots=True)
class _Play:
    """A mission that a client plays: the game, how the client speaks, and what the client saw last."""

    game: Game
    dialect: Dialect
    moment: WireMoment


class ClientSession:
    """One client's connection, which has a thread of its own.

    Args:
        connection: a connected socket, which the session owns from then on.
        number: the connection's number, for the log.
        house: the parts that all sessions share.
    """

    def __init__(self, connection: socket.socket, number: int, house: House) -> None:
        self._socket = connection
        self._channel = Channel(connection, MOST_COMMAND)
        self._number = number
        self._house = house
        self._play: _Play | None = None
        self._game_is_sound = True
        self._was_busy = False
        self._due: tuple[float, str] | None = None
        self._late = ""
        self._ends = False

    def converse(self) -> None:
        """Answer the client until the conversation ends; log one line if it ends by a fault."""
        try:
            self._greet()
            while self._goes_on():
                pass
        except PeerGone as error:
            self._log(self._late or str(error))
        except OptimusError as error:
            self._log(str(error))
        except TimeoutError as error:
            self._log(f"the game took too long ({reason_of(error)})")
        except Exception as error:  # noqa: BLE001  the other connections go on
            self._log(f"internal error: {type(error).__name__}: {reason_of(error)}")
        finally:
            self._channel.close()
            self._leave()

    def expire(self, now: float) -> None:
        """Close the connection if the client has taken too long; another thread calls this.

        Args:
            now: seconds by `time.monotonic`.
        """
        due = self._due
        if due is not None and now > due[0]:
            self._late = due[1]
            self._channel.close()

    def close(self) -> None:
        """Close the connection; the thread of `converse` ends at its next message."""
        self._ends = True
        self._channel.close()

    @contextmanager
    def _within(self, seconds: float, what: str) -> Iterator[None]:
        """Let the client do something within some seconds."""
        self._due = (time.monotonic() + seconds, f"expected {what} within {seconds:g} s, got none")
        try:
            yield
        finally:
            self._due = None

    def _next_message(self, seconds: float, what: str) -> bytes | None:
        """Return the client's next message, None if the client has closed the connection.

        Raises:
            WireFault: the client sends no message in time, or a message that is too long or not whole.
        """
        with self._within(seconds, what):
            try:
                begun = self._socket.recv(1, socket.MSG_PEEK)
            except OSError:  # the client has vanished
                begun = b""
        if not begun:
            if self._late or self._play is not None:  # without <Disconnect/>
                raise PeerGone("expected a command, got the connection's end within an episode")
            return None
        with self._within(self._house.patience.message, "a whole message"):
            return self._channel.receive()

    def _reply(self, *messages: bytes) -> None:
        with self._within(self._house.patience.reading, "a client that reads its answers"):
            self._channel.send(*messages)

    def _greet(self) -> None:
        """Wait for the client's greeting.

        Raises:
            WireFault: the first message is no greeting, or names another version.
        """
        message = self._next_message(self._house.patience.greeting, "a greeting")
        if message is not None and version_in(message) != VERSION:
            raise WireFault(f"expected version {VERSION}, got {version_in(message)!r}")

    def _goes_on(self) -> bool:
        """Wait for a command and answer it; return whether the conversation goes on.

        Raises:
            WireFault: the command cannot be understood, or not at this time.
            BadValue, UnknownName: no game here can play the mission.
        """
        message = self._next_message(self._house.patience.silence, "a command")
        if message is None:
            return False
        match command_of(message):
            case "mission":
                self._begin(message)
            case "peek":
                self._peek()
            case "step":
                self._step(message)
            case "step server":  # the game ticks at "step"; a client expects no answer
                pass
            case "quit":
                self._leave()
                self._reply(_YES)
            case "exit":
                return self._exit()
            case "echo":
                self._reply(b"<Echo>" + message + b"</Echo>")
            case "status":
                self._reply(b"{}")
            case "init" | "close":
                self._reply(_YES)
            case "find" | "interact":  # there is no second player
                self._reply(_NO)
            case "disconnect":
                self._leave()
                return False
            case "hello":
                raise WireFault("expected one greeting, got a second one")
        return True

    def _begin(self, message: bytes) -> None:
        """Begin a mission, or say that all games are in use."""
        token_message = self._next_message(self._house.patience.message, "a token")
        if token_message is None:
            raise PeerGone("expected a token, got the connection's end")
        mission, token = read_mission(message), read_token(token_message)
        if token.agents != 1:
            raise BadValue(f"mission: expected one agent, got {token.agents}")
        if mission.depth:
            raise BadValue("VideoProducer: expected want_depth false, got true")
        self._leave()
        game = self._house.seats.take(self._house.patience.seat)
        if game is None:
            self._tell_busy()
            self._reply(_NO)
            return
        try:
            moment = self._first_moment(game, mission, token.seed)
        except BaseException:
            self._house.seats.give_back(game, self._game_is_sound)
            raise
        self._play = _Play(game, dialect_of(mission), moment)
        self._reply(_YES)

    def _first_moment(self, game: Game, mission: Mission, seed: int | None) -> WireMoment:
        self._game_is_sound = False
        try:
            moment = game.begin(mission, seed)
        except (BadValue, UnknownName):  # the game refuses the mission and has not changed
            self._game_is_sound = True
            raise
        self._game_is_sound = True
        return moment

    def _tell_busy(self) -> None:
        """Log once that this client has to wait."""
        if not self._was_busy:
            self._was_busy = True
            self._log(f"all {self._house.seats.count} worlds are in use; the client has to wait")

    def _peek(self) -> None:
        play = self._playing("Peek")
        self._reply(*self._sight(play), flag_message(play.moment.done))

    def _step(self, message: bytes) -> None:
        play = self._playing("StepClient")
        if play.moment.done:
            raise WireFault("expected a new mission after the episode's end, got StepClient")
        action = read_action(lines_in(message))
        self._game_is_sound = False
        play.game.send(action)
        play.moment = play.game.receive()
        self._game_is_sound = True
        picture, report = self._sight(play)
        result = StepReply(play.moment.reward, play.moment.done).write()
        self._reply(picture, result, report)

    def _playing(self, command: str) -> _Play:
        if self._play is None:
            raise WireFault(f"expected a mission first, got {command}")
        return self._play

    @staticmethod
    def _sight(play: _Play) -> tuple[bytes, bytes]:
        """Return the picture, bottom row first, and the report as the client's dialect has it."""
        picture = play.moment.picture[::-1].tobytes()
        return picture, report_message(play.moment.report, play.dialect)

    def _exit(self) -> bool:
        """End the server, if clients may; return whether the conversation goes on."""
        if self._house.stop is None:
            self._log("refused to end the server, which no client launched")
            self._reply(_NO)
            return True
        self._reply(_YES)
        self._house.stop()
        return False

    def _leave(self) -> None:
        """Give the game back."""
        if self._play is not None:
            game, self._play = self._play.game, None
            self._house.seats.give_back(game, self._game_is_sound)
            self._game_is_sound = True

    def _log(self, line: str) -> None:
        # MineRL shows its user the lines of the game's log that hold "ERROR".
        if not self._ends:
            self._house.say(f"ERROR connection {self._number}: {line}")
