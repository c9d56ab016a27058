"""Recorded replies come back in their order, also from several processes."""

import json
import pickle
import subprocess
import sys
import time
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from optimus_gym.backbones.recording import Recorded, key_of
from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.parts import part_of
from optimus_gym.core.requests import Reply, Request
from optimus_gym.game.tasks import task
from optimus_gym.knowledge.knowledge_graph import full_graph
from optimus_gym.minds.planning import Ask
from optimus_gym.testing.situations import situation
from tests.minds.plans import planner_of, plans_by

ROOT = Path(__file__).resolve().parents[2]
NAME = "optimus_gym.backbones.replay:ReplayBackbone"


class Talker:
    """Never gives the same answer twice."""

    name = "talker"
    takes_pictures = False

    def __init__(self, who=""):
        self.who = who
        self.said = 0

    def complete(self, requests):
        return [self._reply(request) for request in requests]

    def _reply(self, request):
        self.said += 1
        text = f'{self.who}{self.said}: “{request.text}” é \u2028 \ud800\n{{"a": 1}}'
        faults = tuple(f"fault {n}" for n in range(self.said % 3))
        latency = 0.1 * self.said / 3
        return Reply(text, latency, "model", self.said, 2 * self.said, 1e-7 * self.said, faults)


class Nameless:
    pass


class Given:
    name = "given"
    takes_pictures = False

    def __init__(self, reply):
        self.reply = reply

    def complete(self, requests):
        return [self.reply] * len(requests)


def picture(seed=0, height=4, width=6):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8)


def asked(count=12):
    """Return different requests of all kinds, some with pictures and some repeated."""
    made = [
        Request(
            ("plan", "see")[n % 2],
            f"question {n // 2}\nwith lines",
            tuple(picture(k) for k in range((0, 1, 0, 2)[n % 4])),
            row=n,
            seed=n // 3,
        )
        for n in range(count)
    ]
    return [*made, *made[: count // 2]]


def recorded(file, requests=None, inner=None, **options):
    return ReplayBackbone(file, inner or Talker(), **options).complete(requests or asked())


@pytest.fixture
def file(tmp_path):
    return tmp_path / "replies.jsonl"


def test_recorded_replies_come_back_exactly(file):
    expected = Talker().complete(asked())
    assert recorded(file) == expected
    again = ReplayBackbone(file).complete(asked())
    assert again == expected
    assert repr(again) == repr(expected)


def test_batches_and_rows_may_differ_from_the_recording(file):
    replies = recorded(file)
    backbone = ReplayBackbone(file)
    moved = [replace(request, row=None) for request in asked()]
    assert [backbone.complete([request])[0] for request in moved] == replies
    turned = ReplayBackbone(file).complete(asked()[11::-1])
    assert turned == replies[11::-1]


def test_a_repeated_request_gets_its_replies_in_their_order(file):
    again = [asked()[0]] * 5
    replies = recorded(file, again)
    assert len({reply.text for reply in replies}) == 5
    backbone = ReplayBackbone(file)
    assert [*backbone.complete(again[:2]), *backbone.complete(again[2:])] == replies


def test_the_key_depends_on_kind_text_seed_and_pictures():
    base = Request("plan", "text", (picture(),), seed=1)
    assert key_of(base) == key_of(replace(base, row=3, tick=7))
    assert key_of(base) == key_of(replace(base, images=(np.asfortranarray(picture()),)))
    assert key_of(base) == key_of(replace(base, seed=np.int64(1)))
    others = [
        replace(base, kind="see"),
        replace(base, text="texts"),
        replace(base, seed=2),
        replace(base, images=()),
        replace(base, images=(picture(1),)),
        replace(base, images=(picture(), picture())),
        replace(base, images=(picture().reshape(6, 4, 3),)),
        Request("plant", "ext", (picture(),), seed=1),
    ]
    assert len({key_of(one) for one in (base, *others)}) == 9
    together = np.concatenate([picture(), picture(1)])
    apart = replace(base, images=(picture(), picture(1)))
    assert key_of(apart) != key_of(replace(base, images=(together,)))


def test_the_recorded_latency_is_returned_without_waiting(file):
    recorded(file, asked(), Given(Reply("text", 3600.0)))
    begun = time.perf_counter()
    replies = ReplayBackbone(file).complete(asked())
    assert time.perf_counter() - begun < 60
    assert {reply.latency_s for reply in replies} == {3600.0}


def test_the_file_is_readable_text_without_pictures(file):
    recorded(file)
    first, *lines = file.read_text().splitlines()
    assert json.loads(first) == {"format": 1, "what": "replies of a backbone"}
    rows = [json.loads(line) for line in lines]
    assert [row["prompt"] for row in rows] == [request.text for request in asked()]
    assert [(row["kind"], row["seed"]) for row in rows] == [(r.kind, r.seed) for r in asked()]
    assert rows[4]["reply"]["latency_s"] == 0.1 * 5 / 3
    assert {frozenset(row) for row in rows} == {frozenset(Recorded._fields)}
    assert max(map(len, lines)) < 700


def test_a_request_without_a_reply_is_rejected_and_uses_up_no_replies(file):
    replies = recorded(file, asked()[:3])
    backbone = ReplayBackbone(file)
    strange = Request("reflect", "What do you see on this long screen? " * 9)
    with pytest.raises(
        BadValue, match=r"'reflect' that begins 'What do you see .*0 replies"
    ) as told:
        backbone.complete([asked()[0], strange])
    assert str(file) in str(told.value)
    assert len(str(told.value)) < 400
    assert backbone.complete(asked()[:3]) == replies
    with pytest.raises(BadValue, match=r"for the 2\. time; 1 replies to it"):
        backbone.complete([asked()[0]])


def test_another_picture_makes_another_request(file):
    recorded(file, [asked()[1]])
    with pytest.raises(BadValue, match="0 replies"):
        ReplayBackbone(file).complete([replace(asked()[1], images=(picture(7),))])


def test_an_empty_call_asks_and_writes_nothing(file):
    backbone = ReplayBackbone(file, Talker())
    assert backbone.complete([]) == []
    assert not file.exists()


def test_an_existing_recording_is_only_continued_with_append(file):
    first = recorded(file)
    before = file.read_bytes()
    with pytest.raises(BadValue, match=r"a recording already; append=True"):
        ReplayBackbone(file, Talker())
    assert file.read_bytes() == before
    more = recorded(file, asked(), Talker("again "), append=True)
    assert file.read_bytes().startswith(before)
    assert ReplayBackbone(file).complete(asked() * 2) == [*first, *more]


def test_only_the_first_of_two_recorders_begins_a_new_file(file):
    one, two = ReplayBackbone(file, Talker()), ReplayBackbone(file, inner := Talker())
    one.complete(asked(1))
    with pytest.raises(BadValue, match="a recording already"):
        two.complete(asked(1))
    assert inner.said == 0
    assert len(one.complete(asked(1))) == 1


def test_a_recording_may_begin_in_an_empty_file(file):
    file.touch()
    replies = recorded(file)
    assert ReplayBackbone(file).complete(asked()) == replies


def test_wrong_options_are_rejected(file):
    with pytest.raises(BadValue, match="append: expected True or False, got 1"):
        ReplayBackbone(file, Talker(), append=1)
    with pytest.raises(BadValue, match="append: expected a backbone"):
        ReplayBackbone(file, append=True)
    with pytest.raises(UnknownName, match="unknown backbone 'talker'"):
        ReplayBackbone(file, "talker")
    with pytest.raises(BadValue, match="got Nameless"):
        ReplayBackbone(file, Nameless())


@pytest.mark.parametrize("copied", [deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_continue_the_same_file(file, copied, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    original = ReplayBackbone(file.name, Talker())
    first = original.complete(asked(4))
    copy = copied(original)
    monkeypatch.chdir("/")
    second = [*copy.complete(asked(4)), *original.complete(asked(4))]
    player = ReplayBackbone(file)
    assert player.complete(asked(4)) == first
    assert copied(player).complete(asked(4) * 2) == second
    assert player.complete(asked(4) * 2) == second


def test_a_replay_backbone_can_be_built_from_a_specification(file):
    goal = task("Stone").goal
    wanted = {"name": NAME, "source": str(file), "backbone": {"name": "rules"}, "append": True}
    plans = [
        plans_by(
            planner_of(part_of("backbone", spec).build(), full_graph()), [Ask(situation(goal))]
        )
        for spec in (wanted, {"name": NAME, "source": str(file)})
    ]
    assert plans[0] == plans[1]
    assert plans[0][0].subgoals
    assert plans[0][0].problems == ()


WRITES = """
import sys
from tests.backbones.test_replay import Request, ReplayBackbone, Talker
file, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
backbone = ReplayBackbone(file, Talker(who), append=True)
for n in range(count):
    texts = [f"{who} asks {n}", "all ask this", "x" * 20_000]
    backbone.complete([Request("plan", text) for text in texts])
    print(n, flush=True)
"""


def started(file, who, count):
    command = [sys.executable, "-c", WRITES, str(file), who, str(count)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_several_processes_write_whole_lines_into_one_file(file):
    running = [started(file, who, 25) for who in "abcd"]
    for one in running:
        one.communicate(timeout=120)
        assert one.returncode == 0
    rows = [json.loads(line) for line in file.read_bytes().splitlines()[1:]]
    assert len(rows) == 4 * 25 * 3
    for who in "abcd":
        own = [row["reply"]["completion_tokens"] for row in rows if row["reply"]["text"][0] == who]
        assert own == [2 * n for n in range(1, 76)], "each one's lines are in its order"
    backbone = ReplayBackbone(file)
    shared = backbone.complete([Request("plan", "all ask this")] * 100)
    assert Counter(reply.text[0] for reply in shared) == dict.fromkeys("abcd", 25)
    for who in "abcd":
        assert backbone.complete([Request("plan", f"{who} asks 24")])[0].completion_tokens == 146


def test_a_killed_processes_recording_can_be_replayed_and_continued(file):
    running = started(file, "a", 100_000)
    for _ in range(5):
        told = running.stdout.readline()
    running.kill()
    running.communicate()
    assert told == "4\n"
    backbone = ReplayBackbone(file)
    for n in range(5):
        assert backbone.complete([Request("plan", f"a asks {n}")])[0].text.startswith(
            f"a{3 * n + 1}:"
        )
    recorded(file, [Request("plan", "b asks")], append=True)
    assert ReplayBackbone(file).complete([Request("plan", "b asks")])


def test_a_file_that_cannot_be_locked_is_reported_before_any_request(file):
    (file.parent / f".{file.name}.lock").mkdir()
    with pytest.raises(BadValue, match="cannot be written: Is a directory"):
        recorded(file, inner=(inner := Talker()))
    assert inner.said == 0
    assert not file.exists()
