"""Turns away requests from foreign pages and with large bodies, before a server of tools reads them (ASGI).

A page in a browser can send requests to servers of the same machine. The protocol MCP asks its servers to
check the headers Origin and Host against this (Model Context Protocol, "Transports", security warning). The
same check guards the server for OpenEnv.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

AsgiMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[AsgiMessage]]
Send = Callable[[AsgiMessage], Awaitable[None]]
AsgiApp = Callable[[Mapping[str, Any], Receive, Send], Awaitable[None]]
MOST_BODY: Final = 1 << 20
"""Maximum number of bytes of a request's body and of a WebSocket message; a call takes some hundred bytes."""
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
"""Names of the server for clients of this machine."""
_BODY_S: Final = 30.0
"""Seconds that a client has for a request's body."""
_ALLOWING: Final = "the server's option --allow-host allows a further name"
_WHY: Final[Mapping[int, str]] = MappingProxyType(
    {
        421: f"expected a name of this server in the header Host, got another one or none; {_ALLOWING}",
        403: f"expected a page of this server in the header Origin, got another one; {_ALLOWING}",
        413: "expected a smaller body",
        408: "expected the whole body sooner",
    }
)
"""Text of the answer to a refused request, by its status."""
_REFUSED_SOCKET: Final = 1008
"""Code of a closed WebSocket: policy violation (RFC 6455, section 7.4.1)."""


class DoorGuard:
    """An ASGI application in front of another one, which gets only the requests that may come in.

    Args:
        app: the application behind the guard.
        hosts: the names and addresses that the headers Host and Origin may have, without ports.
        most_body: maximum number of bytes of a request's body.
        body_s: seconds that a client has for a request's body.
    """

    def __init__(
        self,
        app: AsgiApp,
        hosts: Collection[str],
        most_body: int = MOST_BODY,
        body_s: float = _BODY_S,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._most = most_body
        self._body_s = body_s

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it: 421 (Host), 403 (Origin), 413 (size), 408 (body too slow)."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        why = self._refusal(scope["headers"])
        if scope["type"] == "websocket":
            if why:
                await send({"type": "websocket.close", "code": _REFUSED_SOCKET})
            else:
                await self._app(scope, receive, send)
            return
        body: bytes | None = b""
        if not why:
            try:
                body, why = await asyncio.wait_for(self._body(receive), self._body_s)
            except TimeoutError:
                why = 408
        if why:
            await _answer(send, why)
        elif body is not None:
            await self._app(scope, _replayed(body, receive), send)

    def _refusal(self, headers: Collection[tuple[bytes, bytes]]) -> int:
        """Return the status with which a request's headers are refused; 0 if they may come in."""
        hosts = [value for name, value in headers if name.lower() == b"host"]
        if len(hosts) != 1 or _name_in(b"//" + hosts[0]) not in self._hosts:
            return 421
        origins = [value for name, value in headers if name.lower() == b"origin"]
        return 0 if all(_name_in(origin) in self._hosts for origin in origins) else 403

    async def _body(self, receive: Receive) -> tuple[bytes | None, int]:
        """Return a request's body, None if the client left before its end; and 413 if too large, else 0."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None, 0
            body += message.get("body", b"")
            if len(body) > self._most:
                return b"", 413
            if not message.get("more_body", False):
                return bytes(body), 0


def _name_in(url: bytes) -> str | None:
    """Return the host in an address, in lower case and without its port; None if there is none."""
    try:
        return urlsplit(url.decode("ascii")).hostname
    except ValueError:
        return None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives a body that was read already, and then the later messages."""
    given = False

    async def again() -> AsgiMessage:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


async def _answer(send: Send, status: int) -> None:
    told = _WHY[status].encode("ascii") + b"\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(told)).encode("ascii")),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": told})
