import json
import tracemalloc
import zlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import MOST_HEADER, MOST_SNAPSHOT_BYTES, Snapshot

SNAPSHOT = Snapshot("voxel", "abc", (("players", bytes(range(256))), ("slots", b""), ("x", b"xyz")))
DATA = SNAPSHOT.to_bytes()
HEADER_END = DATA.index(b"\n", DATA.index(b"\n") + 1)


def with_header(**changes):
    """Return the file with another header and the old digest."""
    start = DATA.index(b"\n") + 1
    header = {**json.loads(DATA[start:HEADER_END]), **changes}
    return DATA[:start] + json.dumps(header).encode() + DATA[HEADER_END:]


@given(
    st.text(),
    st.text(),
    st.lists(st.tuples(st.text(), st.binary()), max_size=4).map(tuple),
)
def test_a_snapshot_survives_conversion_to_bytes(world, layout, parts):
    snapshot = Snapshot(world, layout, parts)
    assert Snapshot.from_bytes(snapshot.to_bytes()) == snapshot


def test_a_saved_snapshot_loads_and_replaces_an_older_file(tmp_path):
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


@example(DATA.index(b": ") + 1, ord(" ") ^ ord("\t"))  # white space that JSON ignores
@example(HEADER_END + 3, 8)  # a bit after the block's type, which zlib ignores
@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused(place, change):
    data = bytearray(DATA)
    data[place] ^= change
    with pytest.raises(BadValue, match="snapshot: "):
        Snapshot.from_bytes(bytes(data))


def test_added_bytes_are_refused():
    with pytest.raises(BadValue, match="its length does not fit"):
        Snapshot.from_bytes(DATA + b"x")


def test_a_body_that_unpacks_to_more_than_its_header_says_is_refused():
    huge = DATA[: HEADER_END + 1] + zlib.compress(bytes(10**8))
    with pytest.raises(BadValue, match="its length does not fit"):
        Snapshot.from_bytes(huge)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "expected version 1, got 2"),
        ({"version": "one"}, "expected version 1, got 'one'"),
        ({"layout": "abd"}, "its SHA-256 does not match"),
        ({"world": "symbolic"}, "its SHA-256 does not match"),
        ({"parts": [["players", 256], ["slots", 1], ["x", 2]]}, "its SHA-256 does not match"),
        ({"parts": [["players", 256]]}, "its length does not fit"),
        ({"parts": [["players", -1]]}, "its header lacks"),
        ({"parts": {"players": 256}}, "its header lacks"),
        ({"more": 1}, "its header lacks"),
        (
            {"parts": [["players", 2**70]]},
            f"expected at most {MOST_SNAPSHOT_BYTES} bytes, got 1180",
        ),
        (
            {"parts": [["players", 2**25], ["slots", 1]]},
            f"at most {MOST_SNAPSHOT_BYTES} bytes, got 33554433",
        ),
        ({"version": True}, "its header lacks"),
        ({"world": 1}, "its header lacks"),
        ({"sha256": None}, "its header lacks"),
    ],
)
def test_an_edited_header_is_refused(changes, message):
    with pytest.raises(BadValue, match=message):
        Snapshot.from_bytes(with_header(**changes))


MAGIC = DATA[: DATA.index(b"\n") + 1]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        MAGIC + b"not JSON\n",
        MAGIC + b"[" * 50_000 + b"\n",
        MAGIC + b'{"version": ' + b"1" * 5000 + b"}\n",
        MAGIC + b" " * MOST_HEADER + b"{}\n",
    ],
)
def test_other_files_are_refused(data):
    with pytest.raises(BadValue, match=r"something else|no JSON|ends within its header"):
        Snapshot.from_bytes(data)


def test_the_largest_snapshot_loads_and_larger_ones_are_not_saved():
    most = Snapshot("voxel", "abc", (("players", bytes(MOST_SNAPSHOT_BYTES)),))
    assert Snapshot.from_bytes(most.to_bytes()) == most
    for large in (
        Snapshot("voxel", "abc", (("players", bytes(MOST_SNAPSHOT_BYTES + 1)),)),
        Snapshot("voxel", "abc", (("p" * MOST_HEADER, b""),)),
    ):
        with pytest.raises(BadValue, match="expected at most"):
            large.to_bytes()


def test_refusing_a_crafted_file_takes_little_memory():
    header = {**json.loads(DATA[len(MAGIC) : HEADER_END]), "parts": [["p", 2**31]]}
    bomb = MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(bytes(2**28))
    tracemalloc.start()
    with pytest.raises(BadValue, match="expected at most"):
        Snapshot.from_bytes(bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * MOST_SNAPSHOT_BYTES


def test_folders_and_long_files_are_refused(tmp_path):
    long = tmp_path / "long"
    with long.open("wb") as file:
        file.truncate(2**40)
    for path, message in ((long, "of at most .* bytes"), (tmp_path, "a folder or a device")):
        with pytest.raises(BadValue, match=message):
            Snapshot.load(path)


@pytest.mark.parametrize("path", ["a\0b", "\ud800", 3])
def test_bad_paths_are_refused(path):
    for use in (Snapshot.load, SNAPSHOT.save):
        with pytest.raises(BadValue, match="snapshot: expected a path, got"):
            use(path)


def test_the_error_for_an_unreadable_file_names_its_path(tmp_path):
    with pytest.raises(BadValue, match=r"cannot read .*nothing"):
        Snapshot.load(tmp_path / "nothing")
    path = tmp_path / "other"
    path.write_text("something")
    with pytest.raises(BadValue, match=r"something else .*other"):
        Snapshot.load(path)
