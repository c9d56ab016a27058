"""The backbone for OpenAI-compatible servers works with a real server that misbehaves."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy as np
import pytest

from optimus_gym.backbones.openai_answers import wait_asked
from optimus_gym.backbones.openai_api import OpenAIBackbone
from optimus_gym.core.errors import BadValue
from tests.backbones.openai_server import (
    CUTS,
    EMPTY,
    FINAL,
    GOOD,
    KEY,
    ODD,
    SLOW,
    STATUSES,
    ask,
    begins,
    echo,
    pictures_in,
    response,
    saying,
    serving,
    set_environment,
)

pytest.importorskip("openai")

EASY = {*ODD, *STATUSES, *CUTS} - FINAL


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    set_environment(monkeypatch)


def test_a_reply_has_the_text_tokens_cost_and_model_of_the_answer():
    with serving() as server:
        backbone = OpenAIBackbone("small", server.address, prices=[2, 8.0], temperature=0.5)
        (reply,) = backbone.complete([ask(seed=2**31 + 7)])
    assert (reply.text, reply.model, reply.faults) == ("dig", "small-1", ())
    assert (reply.prompt_tokens, reply.completion_tokens) == (11, 5)
    assert reply.cost == pytest.approx((11 * 2 + 5 * 8) / 1e6)
    assert 0 < reply.latency_s < 5
    assert server.asked == [
        {
            "messages": [{"role": "user", "content": "what now?"}],
            "model": "small",
            "max_tokens": 2000,
            "temperature": 0.5,
            "seed": 7,
        }
    ]
    assert f"authorization: bearer {KEY}" in server.heads[0].lower()


def test_options_that_are_turned_off_are_not_sent():
    with serving() as server:
        OpenAIBackbone("m", server.address, sends_seed=False, max_tokens=None).complete([ask()])
    assert sorted(server.asked[0]) == ["messages", "model"]


def test_nonsensical_token_counts_and_model_names_are_ignored():
    usages = ([3], {"prompt_tokens": -1, "completion_tokens": 2.5}, {"prompt_tokens": True},
              {"prompt_tokens": 10**4000}, "many", None)  # fmt: skip
    odd = {str(k): saying({"content": "up"}, usage=each) for k, each in enumerate(usages)}
    odd |= {"number": {**GOOD, "model": 3}, "long": {**GOOD, "model": "m" * 101}}
    with serving(lambda text, tries: odd[text]) as server:
        replies = OpenAIBackbone("m", server.address, prices=(1, 1)).complete(list(map(ask, odd)))
    assert [reply.faults for reply in replies] == [()] * 8
    assert [(r.prompt_tokens, r.completion_tokens, r.cost) for r in replies[:6]] == [
        (0, 0, 0.0)
    ] * 6
    assert [reply.model for reply in replies[6:]] == ["m", "m"]


def test_parts_of_text_are_joined_and_lone_surrogates_replaced():
    parts = [
        {"type": "text", "text": "dig "},
        {"type": "image"},
        {"type": "text", "text": "\ud800"},
    ]
    with serving(lambda text, tries: saying({"content": parts})) as server:
        (reply,) = OpenAIBackbone("m", server.address).complete([ask("a\udfff")])
    assert (reply.text, server.asked[0]["messages"][0]["content"]) == ("dig ?", "a?")


def test_pictures_arrive_unchanged_after_the_text():
    rng = np.random.default_rng(3)
    images = [rng.integers(0, 256, size, np.uint8) for size in ((36, 64, 3), (5, 7, 3))]
    images.append(images[0][::2, ::-1])
    with serving() as server:
        OpenAIBackbone("m", server.address).complete([ask("look", *images)])
    text, *shown = pictures_in(server.asked[0]["messages"][0]["content"])
    assert text == "look"
    assert all(map(np.array_equal, shown, images))
    assert len(shown) == 3


def test_pictures_stand_behind_their_marks():
    images = [np.full((4, 6, 3), tone, np.uint8) for tone in (1, 2)]
    asked = ask("before [picture 1], now\udfff [picture 2]; what now?", *images)
    with serving() as server:
        OpenAIBackbone("m", server.address).complete([asked])
    parts = list(pictures_in(server.asked[0]["messages"][0]["content"]))
    assert parts[::2] == ["before [picture 1]", ", now? [picture 2]", "; what now?"]
    assert all(map(np.array_equal, parts[1::2], images))
    assert len(parts) == 5


@pytest.mark.parametrize(
    "request_", [ask("a", np.zeros((4, 4), np.uint8)), ask("a", np.zeros((4, 4, 3))), ask(3)]
)
def test_a_request_that_cannot_be_sent_is_rejected_before_any_is_sent(request_):
    with serving() as server, pytest.raises(BadValue, match="expected"):
        OpenAIBackbone("m", server.address).complete([ask(), request_])
    assert server.asked == []


def test_64_rows_are_asked_at_once_and_answered_in_order():
    rows = [ask(f"row {k}") for k in range(64)]
    took = []
    with serving(echo, delay=0.5) as server:
        backbone = OpenAIBackbone("m", server.address, at_once=64)
        while (
            len(took) < 3 and min(took, default=2) >= 2
        ):  # the best of three, as machines are busy
            start = time.perf_counter()
            replies = backbone.complete(rows)
            took.append(time.perf_counter() - start)
            assert [reply.text for reply in replies] == [f"to row {k}" for k in range(64)]
            assert all(reply.latency_s >= 0.5 for reply in replies)
    assert 0.5 <= min(took) < 2
    assert server.most > 32


def test_at_most_at_once_requests_run_at_the_same_time():
    with serving(echo, delay=0.02) as server:
        replies = OpenAIBackbone("m", server.address, at_once=3).complete(
            list(map(ask, "abcdefghij"))
        )
    assert ([reply.text[-1] for reply in replies], server.most) == (list("abcdefghij"), 3)


def once(answer):
    """Return a plan that answers each request with `answer` first and then well."""
    return lambda text, tries: GOOD if tries else answer


def pause_after(header):
    """Return the seconds between two attempts after an answer with the header `Retry-After`."""

    def busy(text, tries):
        said = header() if callable(header) else header
        return GOOD if tries else response({}, 429, f"Retry-After: {said}\r\n")

    with serving(busy) as server:
        (reply,) = OpenAIBackbone("m", server.address).complete([ask()])
    assert (reply.text, reply.faults) == ("dig", ("http 429",))
    first, second = server.times
    assert reply.latency_s >= second - first - 0.01
    return second - first


def in_two_seconds():
    return format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)  # whole seconds


def test_retry_after_is_obeyed_in_seconds_and_as_a_date():
    assert 1.3 <= pause_after("1.3") < 1.8
    assert pause_after("0") < 0.4
    assert 0.9 <= pause_after(in_two_seconds) < 2.5
    assert 0.5 <= pause_after("soon") < 0.9


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("3600", 60),
        ("9" * 99, 60),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 60),
        ("Fri, 31 Dec 9999 23:59:59 -2359", 60),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 01 Jan 1970 00:00:00 -0000", 0),
        *(
            (odd, None)
            for odd in ("-1", "nan", "1e9", "", "9" * 101, "Thu, 99 Foo", "\u0663", None, 5)
        ),
    ],
)
def test_retry_after_is_bounded_and_bad_values_are_ignored(header, seconds):
    assert wait_asked(header) == seconds


def test_the_pause_doubles_without_retry_after():
    with serving(lambda text, tries: GOOD if tries == 2 else "cut") as server:
        (reply,) = OpenAIBackbone("m", server.address).complete([ask()])
    first, second, third = server.times
    assert reply.text == "dig"
    assert 0.5 <= second - first < 1
    assert 1 <= third - second < 1.5


@pytest.mark.parametrize("kind", sorted(EASY | FINAL))
def test_a_misbehaviour_gives_one_fault_and_a_retry_if_it_may_pass(kind):
    with serving(once(kind)) as server:
        (reply,) = OpenAIBackbone("m", server.address).complete([ask()])
    assert len(reply.faults) == 1
    assert reply.faults[0].startswith(begins(kind))
    assert reply.faults[0].isprintable()
    assert reply.text == ("" if kind in FINAL else "dig")
    assert len(server.asked) == (1 if kind in FINAL else 2)


@pytest.mark.parametrize("kind", SLOW)
def test_a_server_that_hangs_or_drips_runs_into_the_time_limit(kind):
    with serving(lambda text, tries: kind) as server:
        (reply,) = OpenAIBackbone("m", server.address, timeout=0.3, retries=1).complete([ask()])
    assert (reply.text, reply.faults) == ("", ("timeout after 0.3 s",) * 2)
    assert 1.1 <= reply.latency_s < 2


def test_a_missing_server_is_a_fault():
    with serving() as server:
        pass
    (reply,) = OpenAIBackbone("m", server.address, retries=0).complete([ask()])
    assert (reply.text, reply.faults, reply.model) == ("", ("connection lost (ConnectError)",), "m")


def test_failed_attempts_add_to_the_cost():
    with serving(once(saying({"content": None}))) as server:
        (reply,) = OpenAIBackbone("m", server.address, prices=[1e6, 1e6]).complete([ask()])
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cost) == (22, 10, 32.0)


def test_faults_are_short_printable_lines():
    said = {"error": {"message": "bad\r\n\u2028\x1b[31m\u202e" + "x" * 5000}}
    with serving(lambda text, tries: response(said, 400)) as server:
        (reply,) = OpenAIBackbone("m", server.address).complete([ask()])
    (fault,) = reply.faults
    assert fault.startswith("http 400: bad [31m xxx")
    assert (len(fault), fault.isprintable(), fault[-3:]) == (200, True, "...")


def test_every_fault_of_a_server_is_counted():
    rng = np.random.default_rng(1)
    kinds, costly = sorted((EASY | FINAL) - {"long"}), (*SLOW, "long")
    drawn = rng.choice(["", *kinds], (1000, 4), p=[0.7, *[0.3 / len(kinds)] * len(kinds)]).tolist()
    plans = {f"row {row}": plan for row, plan in enumerate(drawn)}
    for row in rng.choice(300, 24, replace=False):  # early, as each holds a slot for long
        plans[f"row {row}"][0] = str(rng.choice(costly))
    with serving(lambda text, tries: plans[text][tries] or echo(text, tries)) as server:
        backbone = OpenAIBackbone("m", server.address, timeout=6, at_once=64)
        replies = backbone.complete(list(map(ask, plans)))
    for (text, plan), reply in zip(plans.items(), replies, strict=True):
        came = server.came[text]
        wrong = [kind for kind in plan[:came] if kind]
        assert reply.text == ("" if plan[came - 1] else f"to {text}")
        emptied = came > 1 and set(plan[came - 2 : came]) <= EMPTY
        assert reply.text or came == 4 or plan[came - 1] in FINAL or emptied
        assert len(reply.faults) == len(wrong), (wrong, reply.faults)
        assert all(map(str.startswith, reply.faults, map(begins, wrong))), (wrong, reply.faults)
    assert sum(len(reply.faults) for reply in replies) == server.dealt.total() > 300
    assert set(server.dealt) == {*kinds, *costly}


def test_random_bytes_in_answers_give_faults():
    rng = np.random.default_rng(2)
    whole = response(GOOD)
    sent = {}
    for k in range(300):
        mutated = bytearray(whole)
        for at in rng.integers(0, len(whole), int(rng.integers(1, 6))):
            mutated[at] = rng.integers(256)
        sent[str(k)] = bytes(mutated)
    for charset in ("hex", "zlib", "idna", "undefined", "unicode_escape", "none such"):
        for status in (200, 500):
            typed = response(b"\xff\x00{", status).replace(
                b"application/json", f"text/plain; charset={charset}".encode()
            )
            sent[f"{charset} {status}"] = typed
    for place in ("//[", "http://a..b/", "http://\u00ff.x/", "ftp://a/", "http://a:99999/", "/v1"):
        moved = response(b"", 302, f"Location: {place}\r\n")
        sent[place] = moved
    for packed in ("gzip", "deflate", "br", "zstd"):
        sent[packed] = response(GOOD, 200, f"Content-Encoding: {packed}\r\n")
    with serving(lambda text, tries: sent[text]) as server:
        backbone = OpenAIBackbone("m", server.address, retries=0, timeout=1, at_once=64)
        replies = backbone.complete(list(map(ask, sent)))
    for reply in replies:
        assert bool(reply.text) != bool(reply.faults)
        assert all(fault.isprintable() and len(fault) <= 200 for fault in reply.faults)
    assert 50 < sum(bool(reply.faults) for reply in replies) < len(sent)
