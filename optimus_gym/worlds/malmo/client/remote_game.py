"""The client's part of the wire: a game behind a socket as a `games.Game`."""

import socket
import time
from dataclasses import dataclass
from typing import Final
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.malmo.dialects import Dialect
from optimus_gym.worlds.malmo.framing import MOST_REPLY, Channel, PeerGone, WireFault
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import Mission
from optimus_gym.worlds.malmo.report_json import read_report
from optimus_gym.worlds.malmo.wire_actions import WireAction, write_action
from optimus_gym.worlds.malmo.wire_messages import (
    DISCONNECT,
    EXIT,
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

ACCEPTED: Final = 1
"""The game's answer to a mission that it begins; after any other answer the client asks again."""
BUSY_SHARE: Final = 5.0
"""How many times as long as for any other answer a client waits until a game takes a mission and has a
picture; MineRL 0.4.4 and MineStudio ask for 600 to 3,000 s, and wait 120 to 240 s for other answers."""
_FIRST_PAUSE: Final = 0.02
_LONGEST_PAUSE: Final = 1.0
_EXIT_SECONDS: Final = 1.0
_LAST_CHANCE: Final = 0.5
"""Seconds for an answer that is late already, but may have come while another game was waited for."""


@dataclass(frozen=True, slots=True)
class Address:
    """The host and port at which a game listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class _Pauses:
    """Pauses between questions to a busy game, each twice as long as the last, until a deadline."""

    def __init__(self, seconds: float, what: str) -> None:
        self._deadline = time.monotonic() + seconds
        self._seconds = seconds
        self._what = what
        self._pause = _FIRST_PAUSE

    def wait(self) -> None:
        """Sleep until the next question.

        Raises:
            TimeoutError: the deadline has passed.
        """
        if time.monotonic() >= self._deadline:
            raise TimeoutError(f"expected {self._what} within {self._seconds:g} s")
        time.sleep(self._pause)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)


class RemoteGame:
    """A game that listens on a port, from which it also serves MineRL's and MineStudio's clients.

    Each episode has a connection of its own, as in these clients.

    Args:
        address: where the game listens.
        dialect: the game's dialect.
        seconds: seconds to wait for an answer.
    """

    def __init__(self, address: Address, dialect: Dialect, seconds: float) -> None:
        self.address = address
        self._dialect = dialect
        self._seconds = seconds
        self._channel: Channel | None = None
        self._size = (0, 0)
        self._latest: NDArray[np.uint8] | None = None
        self._due = 0.0

    def begin(self, mission: Mission, seed: int | None) -> WireMoment:
        """Begin an episode in a new connection; `seed` goes before the mission's.

        Raises:
            WireFault, TimeoutError: the game broke down, or stays busy.
        """
        self._hang_up()
        episode = str(uuid4())
        self._size = (mission.height, mission.width)
        self._latest = None
        self._channel = channel = self._connected()
        channel.send(HELLO, QUIT)
        read_number(self._answer(channel, 1)[0])
        text = write_mission(mission, episode)
        token = EpisodeToken(episode, seed=seed).write()
        pauses = _Pauses(BUSY_SHARE * self._seconds, "a game that takes a mission")
        while True:
            channel.send(text, token)
            if read_number(self._answer(channel, 1)[0]) == ACCEPTED:
                return self._first_moment(channel)
            pauses.wait()

    def _connected(self) -> Channel:
        """Return a new connection to the game."""
        place = (self.address.host, self.address.port)
        try:
            connection = socket.create_connection(place, timeout=self._seconds)
        except TimeoutError as error:
            late = f"expected a game at {self.address} within {self._seconds:g} s"
            raise TimeoutError(late) from error
        except OSError as error:
            raise PeerGone(f"expected a game at {self.address}, got {error}") from error
        channel = Channel(connection, MOST_REPLY)
        channel.set_patience(self._seconds)
        return channel

    def _first_moment(self, channel: Channel) -> WireMoment:
        """Ask for the first picture until there is one."""
        pauses = _Pauses(BUSY_SHARE * self._seconds, "a first picture")
        while True:
            channel.send(PEEK)
            picture, report, over = self._answer(channel, 3)
            if read_flag(over):
                raise WireFault("expected an episode that goes on, got one that is over at once")
            if picture and report:
                return WireMoment(self._picture(picture), read_report(report))
            pauses.wait()

    def send(self, action: WireAction) -> None:
        """Begin a tick with an action.

        Raises:
            WireFault, TimeoutError: the game broke down.
        """
        self._open_channel().send(step_message(write_action(action, self._dialect)))
        self._due = time.monotonic() + self._seconds

    def receive(self) -> WireMoment:
        """Return the moment at the end of the tick that `send` began.

        An empty picture means that the game drew none: the latest one is shown again.

        Raises:
            WireFault, TimeoutError: the game broke down.
        """
        channel = self._open_channel()
        picture, reply, report = self._answer(channel, 3, self._due)
        channel.send(STEP_SERVER)
        result = read_step_reply(reply)
        return WireMoment(self._picture(picture), read_report(report), result.reward, result.done)

    def _answer(self, channel: Channel, count: int, due: float = 0.0) -> list[bytes]:
        """Return the messages of an answer.

        Args:
            channel: the connection.
            count: the number of messages.
            due: when the answer is due (`time.monotonic`); 0 = after the usual time.
        """
        due = due or time.monotonic() + self._seconds
        try:
            messages = []
            for _ in range(count):
                channel.set_patience(max(due - time.monotonic(), _LAST_CHANCE))
                messages.append(channel.receive())
        except TimeoutError as error:
            raise TimeoutError(f"expected an answer within {self._seconds:g} s") from error
        return messages

    def _open_channel(self) -> Channel:
        if self._channel is None:
            raise PeerGone("expected an episode that has begun, got no connection")
        return self._channel

    def _picture(self, message: bytes) -> NDArray[np.uint8]:
        """Return a picture with its top row first; on the wire the bottom row comes first.

        Raises:
            WireFault: the picture has another size than the mission asked for.
        """
        height, width = self._size
        if not message and self._latest is not None:
            return self._latest
        if len(message) != height * width * 3:
            raise WireFault(
                f"expected a picture of {width}x{height} pixels of 3 bytes, got {len(message)} bytes"
            )
        self._latest = np.frombuffer(message, np.uint8).reshape(height, width, 3)[::-1]
        return self._latest

    def _hang_up(self) -> None:
        """End the connection, if there is one."""
        channel, self._channel = self._channel, None
        if channel is None:
            return
        channel.set_patience(_EXIT_SECONDS)
        try:
            channel.send(DISCONNECT)
        except (WireFault, TimeoutError):
            pass  # the game is gone already
        finally:
            channel.close()

    def close(self) -> None:
        """End the connection; may be called twice. The game goes on."""
        self._hang_up()

    def exit(self) -> None:
        """Ask the game's process to end; only for processes that the caller launched itself."""
        self._hang_up()
        place = (self.address.host, self.address.port)
        try:
            channel = Channel(socket.create_connection(place, timeout=_EXIT_SECONDS), MOST_REPLY)
        except OSError:
            return  # it is gone already
        channel.set_patience(_EXIT_SECONDS)
        try:
            channel.send(HELLO, EXIT)
            channel.receive()
        except (WireFault, TimeoutError):
            pass  # the launcher kills the process
        finally:
            channel.close()
