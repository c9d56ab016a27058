"""Messages on a socket: four bytes of length (big-endian, unsigned), then as many bytes.

Source: MineRL 0.4.4 and MineStudio 1.1.6, `comms.py`.
"""

import socket
import struct
import time
from contextlib import suppress
from itertools import chain
from typing import Final

from optimus_gym.core.errors import OptimusError

MOST_COMMAND: Final = 1 << 18
"""Maximum bytes of a client's message; the longest, a mission, has some thousands."""
MOST_REPLY: Final = 1 << 26
"""Maximum bytes of a game's message: a picture of 4096x4096 pixels with depth."""
_LENGTH: Final = struct.Struct("!I")
_CHUNK: Final = 1 << 16


class WireFault(OptimusError, RuntimeError):
    """The other end broke the protocol; the message holds what was expected and what came."""


class PeerGone(WireFault):
    """The other end closed the connection."""


def framed(payload: bytes) -> bytes:
    r"""Return a payload behind its length.

    >>> framed(b"<Peek/>")
    b'\x00\x00\x00\x07<Peek/>'
    """
    return _LENGTH.pack(len(payload)) + payload


class Channel:
    """One end of a connection; sends and receives whole messages.

    Args:
        connection: a connected TCP socket, which the channel owns from then on.
        most: maximum bytes of a received message.
    """

    def __init__(self, connection: socket.socket, most: int) -> None:
        self._socket = connection
        self._most = most
        self._patience: float | None = None
        # Without this, the system holds small packets back: 21 steps a second instead of thousands.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def set_patience(self, seconds: float | None) -> None:
        """Set how many seconds a call may take; None waits for ever.

        A call that takes longer raises TimeoutError, even if single bytes come; the channel is of no use
        afterwards.
        """
        self._patience = seconds

    def send(self, *payloads: bytes) -> None:
        """Send messages, all in one piece.

        Raises:
            PeerGone: the other end has closed the connection.
            TimeoutError: the other end reads nothing.
        """
        try:
            self._socket.settimeout(self._patience)
            # Each copy of a picture costs 0.7 MB at 640x360: only the join makes one.
            pieces = ((_LENGTH.pack(len(payload)), payload) for payload in payloads)
            self._socket.sendall(b"".join(chain.from_iterable(pieces)))
        except TimeoutError:
            raise
        except OSError as error:
            raise PeerGone(f"expected an open connection, got {error}") from error

    def receive(self) -> bytes:
        """Return the next message.

        Raises:
            PeerGone: the other end closed the connection, perhaps within a message.
            WireFault: the message is longer than allowed; the channel is of no use afterwards.
            TimeoutError: the other end sends nothing.
        """
        end = None if self._patience is None else time.monotonic() + self._patience
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, "a length of 4 bytes", end))
        if length > self._most:
            raise WireFault(f"expected a message of at most {self._most} bytes, got {length}")
        return self._exactly(length, f"a message of {length} bytes", end)

    def _exactly(self, count: int, what: str, end: float | None) -> bytes:
        """Return the next `count` bytes, which must come before the time `end`.

        Memory grows only with the bytes that have come.
        """
        received = bytearray()
        while len(received) < count:
            try:
                self._socket.settimeout(_seconds_until(end))
                piece = self._socket.recv(min(count - len(received), _CHUNK))
            except TimeoutError:
                raise
            except OSError as error:
                raise PeerGone(f"expected {what}, got {error}") from error
            if not piece:
                raise PeerGone(
                    f"expected {what}, got the connection's end after {len(received)} bytes"
                )
            received += piece
        return bytes(received)

    def close(self) -> None:
        """Close the connection; a second call does nothing. A call that waits in another thread ends."""
        with suppress(OSError):  # the other end was quicker
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _seconds_until(end: float | None) -> float | None:
    """Return the seconds until a time of the monotonic clock, None for no time.

    Raises:
        TimeoutError: the time is over.
    """
    if end is None:
        return None
    seconds = end - time.monotonic()
    if seconds <= 0:  # a socket takes 0 for "do not wait"
        raise TimeoutError("timed out")
    return seconds
