"""Two ends of a TCP connection on loopback."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from optimus_gym.worlds.malmo.framing import Channel


@contextmanager
def raw_pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """Yield both ends of a connection, and close them afterwards."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        one = socket.create_connection(listener.getsockname())
        other, _ = listener.accept()
    try:
        yield one, other
    finally:
        one.close()
        other.close()


@contextmanager
def channel_pair(most: int = 1000) -> Iterator[tuple[Channel, Channel]]:
    """Yield channels at both ends of a connection, and close them afterwards."""
    with raw_pair() as (one, other):
        yield Channel(one, most), Channel(other, most)
