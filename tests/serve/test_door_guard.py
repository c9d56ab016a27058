"""Requests of foreign pages and large bodies do not come in."""

import asyncio

import pytest

from optimus_gym.serve.door_guard import LOOPBACK_NAMES, DoorGuard


class Behind:
    """An application that answers with the body that it got."""

    def __init__(self):
        self.seen = []

    async def __call__(self, scope, receive, send):
        self.seen.append(scope["type"])
        if scope["type"] == "http":
            message = await receive()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": message["body"]})
            assert (await receive())["type"] == "http.disconnect"


def asked(headers=(("host", "127.0.0.1:8000"),), parts=(b"hi",), kind="http", hosts=(), **limits):
    """Return the status, the body and what the application behind the guard has seen."""
    behind, sent = Behind(), []
    messages = [
        {"type": "http.request", "body": part, "more_body": k + 1 < len(parts)}
        for k, part in enumerate(parts)
    ] + [{"type": "http.disconnect"}]

    async def receive():
        if not messages:
            await asyncio.sleep(3600)
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    guard = DoorGuard(behind, (*LOOPBACK_NAMES, *hosts), **limits)
    pairs = [(name.encode(), value.encode()) for name, value in headers]
    asyncio.run(guard({"type": kind, "headers": pairs}, receive, send))
    return sent, behind.seen


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "[::1]:80", "LocalHost:1"])
def test_a_client_of_this_machine_comes_in(host):
    sent, seen = asked((("host", host), ("origin", "http://localhost:3000")), (b"a", b"bc"))
    assert sent[0]["status"] == 200
    assert sent[1]["body"] == b"abc"
    assert seen == ["http"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ((("host", "evil.example"),), 421),
        ((("host", "127.0.0.1.evil.example"),), 421),
        ((("host", "["),), 421),
        ((), 421),
        ((("host", "localhost"), ("host", "localhost")), 421),
        ((("host", "localhost"), ("origin", "https://evil.example")), 403),
        ((("host", "localhost"), ("origin", "null")), 403),
        ((("host", "localhost"), ("Origin", "http://localhost.evil.example")), 403),
    ],
)
def test_a_foreign_page_is_turned_away(headers, status):
    sent, seen = asked(headers)
    assert [message.get("status") for message in sent] == [status, None]
    assert b"--allow-host" in sent[1]["body"]
    assert dict(sent[0]["headers"])[b"content-length"] == b"%d" % len(sent[1]["body"])
    assert seen == []
    sent, seen = asked(headers, kind="websocket")
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert seen == []


def test_an_allowed_name_comes_in():
    headers = (("host", "play.example:8000"), ("origin", "https://play.example"))
    assert asked(headers, hosts=["play.example"])[0][0]["status"] == 200
    assert asked(headers, kind="websocket", hosts=["play.example"])[1] == ["websocket"]


def test_a_large_body_is_turned_away():
    assert asked(parts=(b"1234", b"56"), most_body=6)[0][0]["status"] == 200
    sent, seen = asked(parts=(b"1234", b"567", b"8"), most_body=6)
    assert sent[0]["status"] == 413
    assert seen == []


def test_a_body_that_does_not_come_is_not_waited_for():
    behind, sent = Behind(), []

    async def receive():
        await asyncio.sleep(3600)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "headers": [(b"host", b"localhost")]}
    asyncio.run(DoorGuard(behind, LOOPBACK_NAMES, body_s=0.01)(scope, receive, send))
    assert sent[0]["status"] == 408
    assert behind.seen == []


def test_a_request_is_dropped_if_its_client_leaves():
    behind, sent = Behind(), []
    messages = [
        {"type": "http.request", "body": b"{}", "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "headers": [(b"host", b"localhost")]}
    asyncio.run(DoorGuard(behind, LOOPBACK_NAMES)(scope, receive, send))
    assert (behind.seen, sent) == ([], [])


def test_the_servers_own_life_passes():
    assert asked(kind="lifespan")[1] == ["lifespan"]
