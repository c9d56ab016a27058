"""Damaged, truncated and foreign recordings and impossible replies are handled."""

import json

import numpy as np
import pytest

from optimus_gym.backbones import replay
from optimus_gym.backbones.recording import RECORDING_HEADER
from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply
from tests.backbones.test_replay import Given, Talker, asked, recorded


@pytest.fixture
def file(tmp_path):
    return tmp_path / "replies.jsonl"


STRANGE = [
    b"text",
    b"text\n",
    b"\n",
    b"{}\n",
    b'{"format": 1}\n',
    b"[1]\n",
    b"\xff\xfe\x00" * 2000,
    RECORDING_HEADER.replace(b"replies", b"apples"),
    RECORDING_HEADER.replace(b"1", b"2"),
    RECORDING_HEADER.replace(b"}", b', "more": 1}'),
    RECORDING_HEADER.strip() + b" " * 2000,
]


@pytest.mark.parametrize("content", STRANGE)
def test_a_file_that_is_no_recording_is_rejected_and_left_unchanged(file, content):
    file.write_bytes(content)
    for make in (
        lambda: ReplayBackbone(file),
        lambda: ReplayBackbone(file, Talker()),
        lambda: ReplayBackbone(file, Talker(), append=True),
    ):
        with pytest.raises(BadValue, match=r"something else|expected format 1"):
            make()
    assert file.read_bytes() == content


def test_a_newer_version_is_rejected_as_such(file):
    file.write_bytes(RECORDING_HEADER.replace(b"1", b"2"))
    with pytest.raises(BadValue, match="expected format 1, got 2; a newer version"):
        ReplayBackbone(file)


def test_a_path_that_cannot_hold_a_recording_is_rejected(tmp_path, file):
    with pytest.raises(BadValue, match="cannot be read: No such file"):
        ReplayBackbone(file)
    file.touch()
    with pytest.raises(BadValue, match="holds no recording"):
        ReplayBackbone(file)
    with pytest.raises(BadValue, match="cannot be read: Is a directory"):
        ReplayBackbone(tmp_path)
    for path in (tmp_path, tmp_path / "none" / "file"):
        with pytest.raises(BadValue, match="expected a file in a folder that exists"):
            ReplayBackbone(path, Talker())
    for path in ("a\0b", 3, None, "x" * 5000):
        with pytest.raises(BadValue, match="source: expected a path"):
            ReplayBackbone(path)


def test_every_truncation_leaves_the_whole_lines_usable(file, tmp_path):
    requests = asked(4)
    replies = recorded(file, requests)
    content = file.read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in range(len(RECORDING_HEADER), len(content)):
        cut.write_bytes(content[:length])
        whole = content[:length].count(b"\n") - 1
        backbone = ReplayBackbone(cut)
        assert backbone.complete(requests[:whole]) == replies[:whole]
        with pytest.raises(BadValue, match="are recorded"):
            backbone.complete(requests)


def test_a_truncated_recording_is_repaired_when_it_continues(file, tmp_path):
    requests = asked(4)
    replies = recorded(file, requests)
    content = file.read_bytes()
    cut = tmp_path / "cut.jsonl"
    for length in range(0, len(content), 7):
        cut.write_bytes(content[:length])
        whole = max(content[:length].count(b"\n") - 1, 0)
        more = recorded(cut, requests, Talker("more "), append=True)
        assert cut.read_bytes().startswith(RECORDING_HEADER)
        again = ReplayBackbone(cut).complete(requests[:whole] + requests)
        assert again[:whole] == replies[:whole]
        if whole == 0:
            assert again == more
        assert cut.read_bytes().count(b"\n") == 1 + whole + len(requests)


def test_half_a_line_from_another_process_is_repaired(file):
    backbone = ReplayBackbone(file, Talker())
    first = backbone.complete(asked(2))
    with file.open("ab") as stream:
        stream.write(b'{"key": "half' + b"x" * 3_000_000)
    second = backbone.complete(asked(4))
    assert len(file.read_bytes()) < 10_000
    again = ReplayBackbone(file)
    assert again.complete(asked(2)) == first
    assert again.complete(asked(4)[2:4]) == second[2:4]


def damaged(line, **changes):
    row = json.loads(line)
    for name, value in changes.items():
        (row["reply"] if name in row["reply"] else row)[name] = value
    return json.dumps(row).encode()


DAMAGES = {
    "no JSON": lambda line: line[5:],
    "empty": lambda line: b"",
    "a list": lambda line: b"[]",
    "bytes": lambda line: b"\xff" + line,
    "a field less": lambda line: line.replace(b'"seed"', b'"seeds"'),
    "a reply's field less": lambda line: line.replace(b'"cost"', b'"costs"'),
    "two lines in one": lambda line: line + line,
    "key": lambda line: damaged(line, key="abc"),
    "no key": lambda line: damaged(line, key=3),
    "reply": lambda line: damaged(line, reply="text"),
    "text": lambda line: damaged(line, text=None),
    "model": lambda line: damaged(line, model=3),
    "latency": lambda line: damaged(line, latency_s=-1),
    "no number": lambda line: damaged(line, latency_s="1"),
    "NaN": lambda line: damaged(line, cost=float("nan")),
    "tokens": lambda line: damaged(line, prompt_tokens=1.5),
    "a truth": lambda line: damaged(line, completion_tokens=True),
    "faults": lambda line: damaged(line, faults=[1]),
    "no faults": lambda line: damaged(line, faults=None),
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("number", [2, 4])
def test_other_damage_is_rejected_with_its_line_number(file, damage, number):
    recorded(file, asked(4)[:4])
    lines = file.read_bytes().splitlines()
    lines[number - 1] = DAMAGES[damage](lines[number - 1])
    content = b"\n".join(lines) + b"\n"
    file.write_bytes(content)
    with pytest.raises(BadValue, match=f"line {number}"):
        ReplayBackbone(file)
    adding = ReplayBackbone(file, inner := Talker(), append=True)
    with pytest.raises(BadValue, match=f"line {number}"):
        adding.complete(asked(1))
    assert (inner.said, file.read_bytes()) == (0, content)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("text", float("nan")),
        Reply("text", float("inf")),
        Reply("text", -1.0),
        Reply("text", "1"),
        Reply("text", model=None),
        Reply("text", prompt_tokens=0.5),
        Reply("text", cost=object()),
        Reply("text", faults=(1,)),
        Reply(3),
    ],
)
def test_an_impossible_reply_is_rejected_and_not_written(file, reply):
    with pytest.raises(BadValue, match="given"):
        recorded(file, asked(1), Given(reply))
    assert file.read_bytes() == RECORDING_HEADER


def test_numpy_numbers_in_replies_are_recorded(file):
    given = Reply("text", np.float64(0.25), "m", np.int64(3), np.int32(4), np.float32(0.5))
    recorded(file, asked(1)[:1], Given(given))
    assert ReplayBackbone(file).complete(asked(1)[:1]) == [given]


def test_a_full_disk_leaves_only_whole_lines(file, monkeypatch):
    backbone = ReplayBackbone(file, Talker())
    backbone.complete(asked(2))
    before = file.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replay.os, "fsync", full)
    with pytest.raises(BadValue, match="cannot be written: No space left"):
        backbone.complete(asked(4))
    assert file.read_bytes() == before
