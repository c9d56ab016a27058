"""The read bytes of an answer are bounded, and the token limit has the server's name for it."""

import gzip
import time
import tracemalloc

import pytest

from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.backbones.openai_client import LONGEST_BODY
from optimus_gym.core.errors import UnknownName
from tests.backbones.openai_server import (
    FLOODS,
    GOOD,
    ask,
    begins,
    response,
    saying,
    serving,
    set_environment,
)

pytest.importorskip("openai")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    set_environment(monkeypatch)


@pytest.mark.parametrize("kind", FLOODS)
def test_an_oversized_answer_is_not_read_to_its_end(kind):
    with serving(lambda text, tries: kind) as server:
        backbone = OpenAIBackbone("m", server.address, retries=0)
        backbone.complete([ask()])  # excludes memory that the libraries keep from their first use
        before = server.flooded
        tracemalloc.start()
        start = time.perf_counter()
        (reply,) = backbone.complete([ask()])
        took = time.perf_counter() - start
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (reply.text, reply.faults) == ("", (begins(kind),))
    assert peak < 6 * LONGEST_BODY
    assert server.flooded - before < 12 * LONGEST_BODY  # the rest lies in the system's buffers
    assert took < 10


def test_an_answer_of_100000_characters_fits_in_escaped_form():
    text = "\U0001f332" * 100_000
    with serving(lambda asked, tries: saying({"content": text})) as server:
        (reply,) = OpenAIBackbone("m", server.address, retries=0).complete([ask()])
    assert (reply.text, reply.faults) == (text, ())


def test_compressed_answers_are_neither_requested_nor_unpacked():
    packed = gzip.compress(b" " * 50_000_000)
    sent = response(packed, 200, "Content-Encoding: gzip\r\n")
    with serving(lambda text, tries: sent) as server:
        tracemalloc.start()
        (reply,) = OpenAIBackbone("m", server.address, retries=0).complete([ask()])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert "accept-encoding: identity\r\n" in server.heads[0].lower()
    assert reply.faults == ("the answer is compressed, although the request allows no compression",)
    assert peak < 25_000_000


def refusing(name):
    """Return a server's plan that rejects a name of the limit, as OpenAI's does with newer models."""
    told = f"Unsupported parameter: '{name}' is not supported with this model."
    refusal = response({"error": {"message": told, "param": name}}, 400)
    return lambda asked: refusal if name in asked else GOOD


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
def test_the_token_limit_is_sent_under_the_chosen_name(limit):
    with serving() as server:
        OpenAIBackbone("m", server.address, max_tokens=7, limit=limit).complete([ask()])
        OpenAIBackbone("m", server.address, max_tokens=None, limit=limit).complete([ask()])
    assert server.asked[0][limit] == 7
    assert [sorted(asked) for asked in server.asked] == [
        sorted(["messages", "model", "seed", limit]),
        ["messages", "model", "seed"],
    ]


def test_a_server_that_rejects_the_limits_name_gives_a_fault():
    with serving(lambda text, tries: refusing("max_tokens")(server.asked[-1])) as server:
        (refused,) = OpenAIBackbone("m", server.address).complete([ask()])
        (reply,) = OpenAIBackbone("m", server.address, limit="max_completion_tokens").complete(
            [ask()]
        )
    assert refused.faults[0].startswith("http 400: Unsupported parameter: 'max_tokens'")
    assert (reply.text, reply.faults) == ("dig", ())


def test_the_newer_name_of_the_limit_is_the_default_for_openai(monkeypatch):
    from optimus_gym.backbones import openai_api

    with serving() as server:
        OpenAIBackbone("m", server.address).complete([ask()])
        monkeypatch.setattr(openai_api, "OPENAI", "127.0.0.1")
        OpenAIBackbone("m", server.address).complete([ask()])
    assert [
        ("max_tokens" in asked, "max_completion_tokens" in asked) for asked in server.asked
    ] == [
        (True, False),
        (False, True),
    ]
    with pytest.raises(UnknownName, match="limit 'tokens'"):
        OpenAIBackbone("m", limit="tokens")
