"""A local server of chat completions that misbehaves by plan and counts its misbehaviours.

The server writes HTTP by hand, since no library would send most of these answers.
"""

import asyncio
import base64
import io
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from optimus_gym.core.requests import Request

KEY = "sk-test-0123456789-abcdefghijklmnop"
LONG = 10_000_000
GOOD = {
    "id": "1",
    "object": "chat.completion",
    "model": "small-1",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "dig"}}],
    "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
}


def set_environment(monkeypatch):
    """Set the key and remove every other variable that the library reads."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def ask(text="what now?", *images, seed=0):
    return Request("plan", text, tuple(images), seed=seed)


def text_of(content):
    """Return the text of a message without its pictures."""
    parts = [{"text": content}] if isinstance(content, str) else content
    return "".join(part.get("text", "") for part in parts)


def pictures_in(content):
    """Yield the parts of a message, with pictures decoded."""
    for part in content:
        if part["type"] == "text":
            yield part["text"]
        else:
            head, data = part["image_url"]["url"].split(",")
            assert (part["type"], head) == ("image_url", "data:image/png;base64")
            yield np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


def echo(text, tries):
    return saying({"content": f"to {text}"})


def saying(message, **more):
    return {**GOOD, "choices": [{"index": 0, "message": message}], **more}


ODD = {  # answers of status 200 and the beginnings of their faults
    "no JSON": (b'{"choices": [{"message": {"content": "di', "no JSON in"),
    "nothing": (b"", "no JSON in"),
    "deep": (b"[" * 100_000, "no JSON in"),
    "long number": (b'{"usage": ' + b"9" * 5000 + b"}", "no JSON in"),
    "no UTF-8": (b'{"choices": [{"message": {"content": "\xff\xfe"}}]}', "no UTF-8"),
    "long": (json.dumps(saying({"content": "a" * LONG})).encode(), "the answer exceeds 4,194,304 bytes"),
    "a number": (7, "no chat completion"),
    "null": (None, "no chat completion"),
    "a list": ([GOOD], "no chat completion"),
    "choices a text": ({**GOOD, "choices": "dig"}, "no message"),
    "no choices": ({**GOOD, "choices": []}, "no message"),
    "choices of null": ({**GOOD, "choices": [None]}, "no message"),
    "choices a mapping": ({**GOOD, "choices": {"0": 1}}, "no message"),
    "message a list": ({**GOOD, "choices": [{"message": ["dig"]}]}, "no message"),
    "content a number": (saying({"content": 5}), "no text"),
    "content null": (saying({"content": None}), "no text"),
    "content empty": (saying({"content": " \n"}), "no text"),
    "parts of numbers": (saying({"content": [1, {"text": 2}, None]}), "no text"),
    "refusal": (saying({"content": None, "refusal": "I won't."}), "refused: I won't."),
    "error": ({"error": {"message": "out\nof memory", "code": 500}}, "error in place of an answer: out"),
    "usage and nothing": ({"usage": [3], "choices": None}, "no message"),
    "the key": ({"error": {"message": f"no {KEY}"}, "model": KEY}, "error in place of an answer: no [key]"),
}  # fmt: skip
STATUSES = {  # status, further headers, body, beginning of the fault
    "429": (429, "Retry-After: 0\r\n", {"error": {"message": "slow\tdown"}}, "http 429: slow down"),
    "500": (500, "Retry-After: 0.1\r\n", {"detail": "oh"}, "http 500: oh"),
    "502": (502, "Retry-After: 0\r\n", b"<html>Bad gateway</html>", "http 502"),
    "503": (503, "Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n", b"", "http 503"),
    **{
        str(n): (n, "", {"error": f"{n}th reason"}, f"http {n}: {n}th reason")
        for n in (400, 401, 403, 404, 422)
    },
    "429 and the key": (
        429,
        f"Retry-After: 0\r\nX-Key: {KEY}\r\nX-Request-Id: {KEY}\r\n",
        {"error": {"message": f"key {KEY}", "code": KEY}},
        "http 429: key [key]",
    ),
    "308 and the key": (
        308,
        f"Location: http://127.0.0.1:9/{KEY}\r\nSet-Cookie: key={KEY}\r\n",
        KEY.encode(),
        "http 308: moved to http://127.0.0.1:9/[key]",
    ),
    "401 and the key": (401, f"X-{KEY}: 1\r\n", f"no {KEY}".encode(), "http 401"),
}
NO_COMPLETION = {
    "a number", "null", "a list", "choices a text", "no choices", "choices of null", "choices a mapping",
    "message a list", "usage and nothing",
}  # fmt: skip
FINAL = {name for name, (status, *_) in STATUSES.items() if 300 <= status < 500 and status != 429}
FINAL |= {"refusal", *NO_COMPLETION}
"""Misbehaviours after which the backbone does not retry."""
EMPTY = {"content a number", "content null", "content empty", "parts of numbers"}
"""Misbehaviours after which the backbone stops if two come in a row."""
CUTS = {  # bytes that are sent before the connection is closed
    "cut": b"",
    "cut in the head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "cut in the body": b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"choi',
    "no HTTP": b"hello\r\n\r\n",
    "the key in no HTTP": f"{KEY}\r\n\r\n".encode(),
    "the key in a header that is none": f"HTTP/1.1 200 OK\r\nno header {KEY}\r\n\r\n".encode(),
    "the key as a length": f"HTTP/1.1 200 OK\r\nContent-Length: {KEY}\r\n\r\n".encode(),
}
FLOODS = {  # headers before an oversized body
    "flood": b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n",
    "flood in chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
    "flood of an error": b"HTTP/1.1 500 Oh\r\nContent-Length: 200000000\r\n\r\n",
    "flood behind a redirection": b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 200000000\r\n\r\n",
}
FLOOD = 200_000_000
SLOW = ("hang", "drip")
ALL = (*ODD, *STATUSES, *CUTS, *FLOODS, *SLOW)


def begins(kind: str) -> str:
    """Return the beginning of the fault for a kind of misbehaviour."""
    if kind in ODD:
        return ODD[kind][1]
    if kind in STATUSES:
        return STATUSES[kind][3]
    if kind in FLOODS:
        return "the answer exceeds 4,194,304 bytes"
    return "connection lost" if kind in CUTS else "timeout after"


def response(body: object, status: int = 200, headers: str = "", stays: bool = False) -> bytes:
    """Return an answer in bytes, after which the connection closes unless `stays` is true."""
    headers += "" if stays else "Connection: close\r\n"
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = (
        f"HTTP/1.1 {status} Status\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n{headers}\r\n"
    )
    return head.encode() + data


@dataclass
class Server:
    """A running server with its plan, its requests and its counts of misbehaviours.

    A plan gets a request's text and the number of earlier attempts, and returns a kind of
    misbehaviour, raw bytes to send, or the body of an answer (anything else).
    """

    plan: Callable[[str, int], object]
    delay: float = 0.0
    address: str = ""
    dealt: Counter = field(default_factory=Counter)
    asked: list[dict] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    came: Counter = field(default_factory=Counter)
    flooded: int = 0
    under_way: int = 0
    most: int = 0

    async def serve(self, reader, writer):
        try:
            while await self.exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def exchange(self, reader, writer) -> bool:
        """Answer one request; return whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        self.heads.append(head)
        self.times.append(time.perf_counter())
        length = [x for x in head.lower().split("\r\n") if x.startswith("content-length:")]
        body = json.loads(await reader.readexactly(int(length[0].split(":")[1])))
        self.asked.append(body)
        content = body["messages"][0]["content"]
        text = text_of(content)
        does = self.plan(text, self.came[text])
        self.came[text] += 1
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        try:
            await asyncio.sleep(self.delay)
            return await self.deal(does, writer)
        finally:
            self.under_way -= 1

    async def deal(self, does, writer) -> bool:
        kind = does if isinstance(does, str) else ""
        if kind:
            self.dealt[kind] += 1
        if kind in SLOW:
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" if kind == "drip" else b""
            )
            while not writer.is_closing():
                await asyncio.sleep(0.02)
                writer.write(b" " if kind == "drip" else b"")
                await writer.drain()
            return False
        if kind in FLOODS:
            piece = b"a" * 65_536
            piece = b"10000\r\n" + piece + b"\r\n" if kind.endswith("chunks") else piece
            writer.write(FLOODS[kind])
            for _ in range(FLOOD // len(piece)):
                writer.write(piece)
                await writer.drain()
                self.flooded += len(piece)
            return False
        if kind in CUTS or isinstance(does, bytes):
            writer.write(CUTS.get(kind, does))
            await writer.drain()
            return False
        if kind in STATUSES:
            status, headers, body, _ = STATUSES[kind]
            writer.write(response(body, status, headers, stays=True))
        else:
            writer.write(response(ODD[kind][0] if kind else does, stays=True))
        await writer.drain()
        return True


@contextmanager
def serving(plan=lambda text, tries: GOOD, delay=0.0) -> Iterator[Server]:
    """Yield a running server; its address ends in /v1."""
    server, ready, over = Server(plan, delay), threading.Event(), []

    async def main():
        stop = asyncio.Event()
        listening = await asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=1024)
        port = listening.sockets[0].getsockname()[1]
        server.address = f"http://127.0.0.1:{port}/v1"
        over.extend((asyncio.get_running_loop(), stop))
        ready.set()
        await stop.wait()
        listening.close()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        over[0].call_soon_threadsafe(over[1].set)
        thread.join(10)
        assert not thread.is_alive()
