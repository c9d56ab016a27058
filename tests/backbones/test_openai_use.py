"""The backbone for OpenAI-compatible servers is made, reads and hides its key, and can be interrupted."""

import asyncio
import copy
import json
import logging
import pickle
import re
import signal
import subprocess
import sys
import time

import pytest

from optimus_gym.backbones.openai_answers import struck
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.core.errors import BadValue, MissingExtra
from optimus_gym.core.parts import part_of
from tests.backbones.openai_server import (
    KEY,
    ask,
    echo,
    response,
    saying,
    serving,
    set_environment,
)

pytest.importorskip("openai")

PATH = "optimus_gym.backbones.openai_api:OpenAIBackbone"


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    set_environment(monkeypatch)


def test_the_key_is_shown_to_the_server_alone(caplog):
    caplog.set_level(logging.DEBUG)
    echoes = {
        "error": response({"error": {"message": f"wrong key {KEY}: x"}}, 429, "Retry-After: 0\r\n"),
        "plain": response(f"key {KEY}".encode(), 503, "Retry-After: 0\r\n"),
        "in part": response({"detail": f"key {KEY[:14]}**{KEY[-9:]}"}, 401),
        "late": response({"error": " " * 1990 + KEY}, 400),
        "refusal": saying({"content": None, "refusal": KEY}),
        "200": {"error": {"message": KEY}},
        "answer": {**saying({"content": f"I got {KEY}"}), "model": KEY},
        "cut": "cut",
    }
    with serving(lambda text, tries: echoes[text]) as server:
        backbone = OpenAIBackbone("m", server.address, retries=1)
        replies = backbone.complete(list(map(ask, echoes)))
    assert all(f"Bearer {KEY}" in head for head in server.heads)
    assert replies[0].faults == ("http 429: wrong key [key]: x",) * 2
    assert replies[2].faults == ("http 401: key [key]**[key]",)
    assert replies[6].text == "I got [key]"
    shown = [
        repr(backbone),
        repr(vars(backbone)),
        repr(replies),
        pickle.dumps(backbone).decode("latin-1"),
    ]
    for record in caplog.records:
        shown += [record.getMessage(), repr(record.__dict__), caplog.handler.format(record)]
    assert any(record.name.startswith("openai") for record in caplog.records)
    assert any(record.name.startswith("httpcore") for record in caplog.records)
    assert not any(KEY[k : k + 8] in text for text in shown for k in range(len(KEY) - 7))


def test_overlapping_parts_of_a_key_are_removed_whole():
    assert struck("a 0123456789 b 12345678 c 1234567", "0123456789") == "a [key] b [key] c 1234567"
    assert struck("key abc!", "abc") == "key [key]!"
    assert struck("text", "") == "text"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirection_is_a_fault_and_neither_followed_nor_retried(status):
    with serving() as other:
        moved = response(b"", status, f"Location: {other.address}/{KEY}\r\n")
        with serving(lambda text, tries: moved) as server:
            (reply,) = OpenAIBackbone("m", server.address).complete([ask()])
    assert (len(server.heads), other.heads) == (1, [])
    assert reply.faults == (f"http {status}: moved to {other.address}/[key]",)


def test_the_key_is_read_at_each_call(monkeypatch):
    with serving() as server:
        backbone = OpenAIBackbone("m", server.address, key_variable="MY_KEY")
        backbone.complete([ask()])
        monkeypatch.setenv("MY_KEY", "second-key\n")
        backbone.complete([ask()])
    assert [re.search("Bearer .*", head)[0].strip() for head in server.heads] == [
        "Bearer none",
        "Bearer second-key",
    ]


def test_a_missing_key_is_reported_with_its_variable(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    for address in (None, "http://192.0.2.1/v1", "http://localhost.example/v1"):
        with pytest.raises(
            BadValue, match=r"a key in the environment variable OPENAI_API_KEY, got none"
        ):
            OpenAIBackbone("m", address).complete([ask()])
    assert OpenAIBackbone("m").complete([]) == []


@pytest.mark.parametrize(
    "key", ["sk secret-word", "sk-secret-w\u00f6rd", "sk-secret-\x1bword", "sk\nsecret-word"]
)
def test_a_key_that_does_not_fit_a_header_is_rejected_and_hidden(monkeypatch, key, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(BadValue, match="OPENAI_API_KEY") as raised:
        OpenAIBackbone("m", "http://127.0.0.1:9/v1").complete([ask()])
    assert "secret" not in str(raised.value) + caplog.text


def test_the_environment_can_name_the_server(monkeypatch):
    with serving() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.address)
        assert OpenAIBackbone("m").complete([ask()])[0].text == "dig"
    monkeypatch.setenv("OPENAI_BASE_URL", "nowhere")
    with pytest.raises(BadValue, match="OPENAI_BASE_URL: expected an address"):
        OpenAIBackbone("m").complete([ask()])


def test_the_backbone_works_inside_a_running_event_loop():
    async def notebook():
        with serving(echo) as server:
            return OpenAIBackbone("m", server.address).complete(list(map(ask, "abc")))

    assert [reply.text for reply in asyncio.run(notebook())] == ["to a", "to b", "to c"]


LONG_WAIT = """
import asyncio, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent may ignore the signal
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.core.requests import Request
backbone = OpenAIBackbone("m", sys.argv[1])
async def notebook():
    backbone.complete([Request("plan", "a"), Request("plan", "b")])
if sys.argv[2] == "no loop":
    backbone.complete([Request("plan", "a")])
elif sys.argv[2] == "asyncio.run":  # asyncio.run's handler of interrupts cancels the task and raises nothing
    asyncio.run(notebook())
else:
    asyncio.new_event_loop().run_until_complete(notebook())
"""


@pytest.mark.parametrize("where", ["no loop", "asyncio.run", "another loop"])
def test_an_interrupt_ends_the_wait(where):
    with serving(lambda text, tries: "hang") as server:
        command = [sys.executable, "-c", LONG_WAIT, server.address, where]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            deadline = time.monotonic() + 30
            while not server.dealt and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            told = process.communicate(timeout=20)[1]
            assert time.monotonic() - start < 5
        finally:
            process.kill()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in told


def test_parts_and_backbones_can_be_pickled_and_copied():
    options = {"model": "m", "at_once": 2, "prices": [1, 2], "timeout": 5}
    with serving() as server:
        part = part_of("backbone", {"name": PATH, "base_url": server.address, **options})
        made = pickle.loads(pickle.dumps(part)).build()
        made.complete([ask()])
        for copied in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            assert vars(copied) == vars(part.build())
            assert copied.complete([ask()])[0].cost == pytest.approx(21e-6)
    assert (made.name, made.prices) == ("openai", (1.0, 2.0))
    assert json.loads(part.written)["timeout"] == 5


WRONG = {
    "model": ["", " ", None, 3, "a\nb"],
    "base_url": ["", "localhost:8000", "ftp://a/v1", "http://", "http://a b/", "http://a:70000/v1",
                 "http://[::z]/v1", "http://a/\n", "http://\u00e4/", 5, "http://a\\b/", "http://a/v1#x"],
    "key_variable": ["", "A B", 3, None, "sk-a"],
    "temperature": [-1, float("nan"), "hot", True, 10**400],
    "max_tokens": [0, 1.5, "many"],
    "timeout": [0, -1, float("inf"), float("nan"), "60", None, 10**400],
    "retries": [-1, 21, 1.0, None],
    "at_once": [0, 1025, None],
    "prices": [[1], [1, 2, 3], [-1, 1], ["1", 2], 5, [1, float("inf")], {"a": 1, "b": 2}, [1, 10**400]],
    "sends_seed": [1, None],
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_bad_arguments_are_rejected_by_name(name):
    for value in WRONG[name]:
        with pytest.raises(BadValue, match=f"^{name}: expected "):
            OpenAIBackbone(**{"model": "m", name: value})


@pytest.mark.parametrize("address", ["http://me:hush-hush@a/v1", "http://a/v1?key=hush-hush"])
def test_an_address_with_a_secret_is_rejected_and_hidden(address):
    with pytest.raises(BadValue, match="without password and query") as raised:
        OpenAIBackbone("m", address)
    assert "hush" not in str(raised.value)
    with pytest.raises(BadValue, match="not shown") as raised:
        OpenAIBackbone("m", key_variable="hush-hush")
    assert "hush" not in str(raised.value)


def test_a_missing_library_is_reported_with_its_extra(monkeypatch):
    made = OpenAIBackbone("m")
    monkeypatch.setitem(sys.modules, "openai", None)
    for call in (lambda: OpenAIBackbone("m"), lambda: made.complete([ask()])):
        with pytest.raises(MissingExtra, match=r"backbone 'openai' needs .*\"\.\[mllm\]\""):
            call()
