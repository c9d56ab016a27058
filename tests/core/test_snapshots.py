import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import Snapshot

SNAPSHOT = Snapshot("voxel", "abc", (("players", bytes(range(256))), ("slots", b""), ("x", b"xyz")))
DATA = SNAPSHOT.to_bytes()
HEADER_END = DATA.index(b"\n", DATA.index(b"\n") + 1)


def with_header(**changes):
    """The file with another header, its digest left as it was."""
    start = DATA.index(b"\n") + 1
    header = {**json.loads(DATA[start:HEADER_END]), **changes}
    return DATA[:start] + json.dumps(header).encode() + DATA[HEADER_END:]


@given(
    st.text(),
    st.text(),
    st.lists(st.tuples(st.text(), st.binary()), max_size=4).map(tuple),
)
def test_bytes_and_back(world, layout, parts):
    snapshot = Snapshot(world, layout, parts)
    assert Snapshot.from_bytes(snapshot.to_bytes()) == snapshot


def test_file_and_back(tmp_path):
    path = tmp_path / "state"
    path.write_bytes(b"older")
    SNAPSHOT.save(path)
    assert Snapshot.load(path) == SNAPSHOT
    assert Snapshot.load(str(path)) == SNAPSHOT
    assert [file.name for file in tmp_path.iterdir()] == ["state"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "state"
    SNAPSHOT.save(path)

    def fail(*_):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="no space left"):
        Snapshot("voxel", "other", ()).save(path)
    assert Snapshot.load(path) == SNAPSHOT
    assert [file.name for file in tmp_path.iterdir()] == ["state"]


def test_truncated_files_are_refused():
    for length in range(len(DATA)):
        reason = "truncated" if length >= DATA.index(b"\n") + 1 else "something else"
        with pytest.raises(BadValue, match=reason):
            Snapshot.from_bytes(DATA[:length])


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused(place, change):
    data = bytearray(DATA)
    data[place] ^= change
    with pytest.raises(BadValue, match="snapshot: "):
        Snapshot.from_bytes(bytes(data))


def test_added_bytes_are_refused():
    with pytest.raises(BadValue, match="its length does not fit"):
        Snapshot.from_bytes(DATA + b"x")


def test_a_body_that_unpacks_to_more_than_it_says_is_refused_before_it_is_made():
    huge = DATA[: HEADER_END + 1] + zlib.compress(bytes(10**8))
    with pytest.raises(BadValue, match="its length does not fit"):
        Snapshot.from_bytes(huge)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "expected version 1, got 2"),
        ({"version": "one"}, "expected version 1, got 'one'"),
        ({"layout": "abd"}, "its SHA-256 does not fit"),
        ({"world": "symbolic"}, "its SHA-256 does not fit"),
        ({"parts": [["players", 256], ["slots", 1], ["x", 2]]}, "its SHA-256 does not fit"),
        ({"parts": [["players", 256]]}, "its length does not fit"),
        ({"parts": [["players", -1]]}, "its header lacks"),
        ({"parts": {"players": 256}}, "its header lacks"),
        ({"more": 1}, "its header lacks"),
    ],
)
def test_an_edited_header_is_refused(changes, message):
    with pytest.raises(BadValue, match=message):
        Snapshot.from_bytes(with_header(**changes))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"optimus-gym snapshot\nnot JSON\n"])
def test_other_files_are_refused(data):
    with pytest.raises(BadValue, match=r"something else|no JSON"):
        Snapshot.from_bytes(data)


def test_what_cannot_be_read_is_refused_with_its_path(tmp_path):
    with pytest.raises(BadValue, match=r"cannot read .*nothing"):
        Snapshot.load(tmp_path / "nothing")
    path = tmp_path / "other"
    path.write_text("something")
    with pytest.raises(BadValue, match=r"something else .*other"):
        Snapshot.load(path)
