"""Quirks of servers are handled in as few calls as possible."""

import json
import logging

import pytest

from optimus_gym.backbones.openai_answers import error_words
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.parts import part_of
from tests.backbones.openai_server import GOOD, KEY, ask, response, saying, serving, set_environment

pytest.importorskip("openai")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    set_environment(monkeypatch)


def ended(message, reason):
    return {**GOOD, "choices": [{"message": message, "finish_reason": reason}]}


def streamed(*pieces, done=True):
    """Return an answer as a stream of events."""
    lines = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces)
    body = f": hello\n\n{lines}{'data: [DONE]' if done else ''}\n\n".encode()
    whole = response(body)
    return whole.replace(b"application/json", b"text/event-stream")


def piece(text, reason=None, **more):
    return {
        "model": "small-1",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": reason}],
        **more,
    }


def error(status, body, headers="Retry-After: 0\r\n"):
    return response(body, status, headers)


THOUGHT = {"content": "", "reasoning_content": "hm " * 20}
STREAMS_ONLY = error(
    400, {"error": {"message": "This model only support stream mode, please enable it."}}
)
QUIRKS = {  # consecutive answers, the reply's text, beginnings of its faults
    "cut off, then whole": (
        [ended(THOUGHT, "length"), GOOD],
        "dig",
        ["answer cut off at the limit of 2,000 tokens; asked again with 8,000"],
    ),
    "cut off twice": (
        [ended(THOUGHT, "length")] * 2,
        "",
        ["answer cut off at the limit of 2,000", "answer cut off at the limit of 8,000 tokens"],
    ),
    "half a text": (
        [ended({"content": "1. mi"}, "length"), error(400, {"error": "max_tokens is too large"})],
        "1. mi",
        ["answer cut off at the limit", "http 400: max_tokens"],
    ),
    "a stream that was not asked for": ([streamed(piece("di"), piece("g", "stop"))], "dig", []),
    "a stream without an end mark": ([streamed(piece("dig", "stop"), done=False)], "dig", []),
    "a stream with thoughts apart": (
        [streamed({"choices": [{"delta": {"reasoning_content": "hm"}}]}, piece("dig", "stop"))],
        "dig",
        [],
    ),
    "streams only": (
        [STREAMS_ONLY, streamed(piece("dig", "stop"))],
        "dig",
        ["http 400: This model only support stream"],
    ),
    "a stream that breaks off": (
        [streamed(piece("di"), done=False), GOOD],
        "dig",
        ["error in place of an answer: a stream that was broken off"],
    ),
    "an error in a stream": (
        [streamed(piece("di"), {"error": {"message": "overloaded"}}), GOOD],
        "dig",
        ["error in place of an answer: overloaded"],
    ),
    "a stream that the limit cuts": (
        [streamed(piece("di", "length")), GOOD],
        "dig",
        ["answer cut off at the limit of 2,000"],
    ),
    "FastAPI's words": (
        [error(422, {"detail": [{"loc": ["body", "seed"], "msg": "too large", "type": "int"}]})],
        "",
        ["http 422: body.seed: too large"],
    ),
    "a list of errors": (
        [error(400, [{"error": {"code": 400, "message": "no such model", "status": "INVALID"}}])],
        "",
        ["http 400: no such model"],
    ),
    "an error as a text": (
        [error(404, {"error": "model 'm' not found"})],
        "",
        ["http 404: model 'm' not found"],
    ),
    "a message alone": (
        [error(403, {"message": "forbidden for you"})],
        "",
        ["http 403: forbidden for you"],
    ),
    "plain words": ([error(400, b"Bad things happened")], "", ["http 400: Bad things happened"]),
    "a page of HTML as an error": (
        [error(502, b"<html><head><title>502 Bad Gateway</title></head></html>"), GOOD],
        "dig",
        ["http 502: 502 Bad Gateway"],
    ),
    "a page of HTML as an answer": (
        [response(b"<!doctype html><title>Welcome</title>")],
        "",
        ["no JSON in the answer: Welcome"],
    ),
    "another protocol": (
        [response({"model": "m", "response": "dig", "done": True})],
        "",
        ["no message in the answer"],
    ),
    "no money": (
        [error(402, {"error": {"message": "Insufficient Balance"}})],
        "",
        ["http 402: Insufficient Balance"],
    ),
    "a spent quota": (
        [error(429, {"error": {"message": "You exceeded", "code": "insufficient_quota"}})],
        "",
        ["http 429: You exceeded"],
    ),
    "a wrong method": (
        [error(405, {"detail": "Method Not Allowed"})],
        "",
        ["http 405: Method Not Allowed"],
    ),
    "too large a question": ([error(413, b"")], "", ["http 413"]),
    "a conflict": ([error(409, {"error": "busy"}), GOOD], "dig", ["http 409: busy"]),
    "a timeout of the server": ([error(408, b""), GOOD], "dig", ["http 408"]),
    "an upstream error in an answer": (
        [{"error": {"code": 502, "message": "upstream"}}, GOOD],
        "dig",
        ["error in place of an answer: upstream"],
    ),
    "a final error in an answer": (
        [{"error": {"code": "401", "message": "no auth"}}],
        "",
        ["error in place of an answer: no auth"],
    ),
    "calls of tools": (
        [saying({"content": None, "tool_calls": [{"function": {"name": "plan"}}]})],
        "",
        ["no text in the answer, but calls of tools"],
    ),
    "a filter": (
        [ended({"content": None}, "content_filter")],
        "",
        ["answer withheld by the server's filter"],
    ),
    "thoughts alone": (
        [ended(THOUGHT, "stop"), GOOD],
        "dig",
        ["no text in the answer, but thoughts"],
    ),
    "nothing twice": ([saying({"content": ""})] * 2, "", ["no text in the answer"] * 2),
    "thoughts among the parts": (
        [
            saying(
                {"content": [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "dig"}]}
            )
        ],
        "dig",
        [],
    ),
    "a completion of the older kind": (
        [{**GOOD, "choices": [{"text": "dig", "finish_reason": "stop"}]}],
        "dig",
        [],
    ),
}


def asked_of(answers, **options):
    """Return the reply to a server's consecutive answers, and the server."""
    with serving(lambda text, tries: answers[min(tries, len(answers) - 1)]) as server:
        (reply,) = OpenAIBackbone("m", server.address, **options).complete([ask(seed=5)])
    return reply, server


@pytest.mark.parametrize("name", QUIRKS)
def test_each_quirk_gives_its_reply_or_fault_in_the_fewest_calls(name):
    answers, text, faults = QUIRKS[name]
    reply, server = asked_of(answers)
    assert (reply.text, len(server.asked)) == (text, len(answers))
    assert len(reply.faults) == len(faults)
    assert all(map(str.startswith, reply.faults, faults)), reply.faults
    assert reply.cut == (name in ("cut off twice", "half a text"))
    assert reply.latency_s < 3


def test_a_retry_changes_the_request():
    _, server = asked_of(QUIRKS["cut off twice"][0])
    assert [asked["max_tokens"] for asked in server.asked] == [2000, 8000]
    _, server = asked_of(QUIRKS["nothing twice"][0])
    assert [asked["seed"] for asked in server.asked] == [5, 6]
    _, server = asked_of(QUIRKS["streams only"][0])
    assert [asked.get("stream") for asked in server.asked] == [None, True]


@pytest.mark.parametrize(
    ("limit", "said"), [(None, "its own limit"), (32_768, "the limit of 32,768 tokens")]
)
def test_a_missing_or_large_token_limit_is_not_raised(limit, said):
    reply, server = asked_of([ended({"content": "1. mine"}, "length")], max_tokens=limit)
    assert (reply.text, reply.cut, reply.faults) == (
        "1. mine",
        True,
        (f"answer cut off at {said}",),
    )
    assert len(server.asked) == 1


def test_streams_are_requested_if_the_option_is_on():
    reply, server = asked_of(
        [streamed(piece("dig", "stop", usage={"prompt_tokens": 3, "completion_tokens": 2}))],
        streams=True,
    )
    assert (reply.text, reply.model, reply.prompt_tokens, reply.faults) == ("dig", "small-1", 3, ())
    assert server.asked[0]["stream"] is True


def test_cookies_of_one_row_are_not_sent_with_another():
    cookie = response(GOOD, 200, "Set-Cookie: row=7; Path=/\r\n")
    with serving(lambda text, tries: cookie) as server:
        backbone = OpenAIBackbone("m", server.address, at_once=1)
        for _ in range(2):
            backbone.complete([ask("a"), ask("b")])
    assert len(server.heads) == 4
    assert not any("cookie" in head.lower() for head in server.heads)


def test_further_fields_and_headers_are_sent_and_serialised():
    options = {
        "extra_body": {"top_p": 0.5, "chat_template_kwargs": {"enable_thinking": False}},
        "reasoning_effort": "low",
        "headers": {"X-Title": "planning"},
        "header_variables": {"X-Api-Key": "PROXY_KEY"},
    }
    part = part_of("backbone", {"name": "openai", "model": "m", **options})
    assert part.options == {"model": "m", **options}
    with serving() as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PROXY_KEY", "proxy-secret-0123456789")
        part_of(
            "backbone", {"name": "openai", "base_url": server.address, **part.options}
        ).build().complete([ask()])
    sent, head = server.asked[0], server.heads[0].lower()
    assert (sent["top_p"], sent["reasoning_effort"]) == (0.5, "low")
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}
    assert "x-title: planning\r\n" in head
    assert "x-api-key: proxy-secret-0123456789\r\n" in head


def test_a_header_from_the_environment_is_hidden_like_the_key(monkeypatch, caplog):
    caplog.set_level(logging.DEBUG)
    secret = "proxy-secret-0123456789"
    monkeypatch.setenv("PROXY_KEY", secret)
    told = {
        "good": saying({"content": f"got {secret}"}),
        "bad": error(400, {"error": f"no {secret}"}),
    }
    with serving(lambda text, tries: told[text]) as server:
        backbone = OpenAIBackbone("m", server.address, header_variables={"X-Api-Key": "PROXY_KEY"})
        replies = backbone.complete([ask("good"), ask("bad")])
    assert (replies[0].text, replies[1].faults) == ("got [key]", ("http 400: no [key]",))
    assert secret not in caplog.text + repr(vars(backbone))
    monkeypatch.delenv("PROXY_KEY")
    with pytest.raises(
        BadValue, match="'X-Api-Key' in the environment variable PROXY_KEY, got none"
    ):
        backbone.complete([ask()])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"headers": {"Authorization": "Basic hush"}}, "header_variables=.'Authorization'"),
        ({"headers": {"X-Api-Key": "hush"}}, "expected no secret"),
        ({"headers": {"Cookie": "hush"}}, "expected no secret"),
        ({"headers": {"X-Note": "Bearer hush"}}, "expected no secret"),
        ({"headers": {"X-Note": "a sk-hush0123456789abcdef"}}, "expected no secret"),
        ({"headers": {"Host": "hush"}}, "which the library writes"),
        ({"headers": {"X-Note": "hush\r\nX-More: 1"}}, "ASCII letters"),
        ({"headers": {"no header": "1"}}, "expected a valid header name with a text as value"),
        ({"headers": ["X-Note"]}, "expected a mapping"),
        ({"header_variables": {"X-Api-Key": "sk-hush"}}, "the name of an environment variable"),
        ({"extra_body": {"api_key": "hush"}}, "expected no secret, got the field 'api_key'"),
        ({"extra_body": {"a": [{"b": "Bearer hush"}]}}, "expected no secret"),
        ({"extra_body": {"messages": []}}, "which the request's text sets"),
        ({"extra_body": {"max_tokens": 3}}, "which max_tokens sets"),
        ({"extra_body": {"top_p": float("nan")}}, "expected a JSON value"),
        ({"extra_body": 3}, "expected a mapping"),
        ({"reasoning_effort": 3}, "expected a word"),
        ({"streams": 1}, "expected True or False"),
    ],
)
def test_bad_options_and_options_with_a_secret_are_rejected(options, said):
    with pytest.raises(BadValue, match=said) as raised:
        OpenAIBackbone("m", **options)
    assert "expected" in str(raised.value)
    assert "hush" not in str(raised.value).replace("'hush\\r\\nX-More: 1'", "")


def test_error_words_are_found_in_several_forms_and_bounded():
    deep = {"error": {"error": {"error": {"error": {"error": "far down"}}}}}
    assert error_words(deep) == ""
    assert error_words({"errors": [{"message": "a"}, {"message": "b"}]}) == "a; b"
    assert error_words({"error": {"code": 3}}) == error_words(None) == error_words([1, None]) == ""
    assert len(error_words({"error": ["x" * 5000] * 5})) <= 2000
    assert KEY not in error_words({"error": "no"})
