"""A sealed file gives the content that was written under its name, or None."""

import errno

import numpy as np
import pytest

from optimus_gym.worlds.voxel.compiling import code_keys, sealed

CONTENT = bytes(range(40))
KIND = np.dtype([("size", "f4"), ("places", "i4", 3)])
ROWS = np.array([(1.5, (1, 2, 3)), (-2.0, (4, 5, 6))], KIND)


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(sealed, "TOUCHED", set())  # files of this test enter no list of a cache
    place = tmp_path / "key" / "one.code"
    sealed.store(place, CONTENT)
    return place


def test_load_returns_the_stored_content(path):
    assert sealed.load_sealed(path) == CONTENT
    sealed.store(path, b"")
    assert sealed.load_sealed(path) == b""


def test_load_notices_each_flipped_bit(path):
    whole = path.read_bytes()
    bits = np.unpackbits(np.frombuffer(whole, np.uint8))
    for k in range(bits.size):
        bits[k] ^= 1
        path.write_bytes(np.packbits(bits).tobytes())
        assert sealed.load_sealed(path) is None, k
        bits[k] ^= 1


def test_load_notices_a_file_that_is_cut_or_filled_up(path):
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        assert sealed.load_sealed(path) is None, size
    for content in (whole + b"\0", bytes(len(whole)), whole[:32] + bytes(len(CONTENT))):
        path.write_bytes(content)
        assert sealed.load_sealed(path) is None


@pytest.mark.parametrize("name", ["key/other.code", "another/one.code"])
def test_load_notices_swapped_files(path, name):
    other = path.parents[1] / name
    sealed.store(other, b"of another kernel")
    mine, theirs = path.read_bytes(), other.read_bytes()
    path.write_bytes(theirs)
    other.write_bytes(mine)
    assert sealed.load_sealed(path) is None
    assert sealed.load_sealed(other) is None


def test_a_moved_folder_loads_only_under_its_old_name(path, tmp_path):
    path.parent.rename(path.parents[1] / "elsewhere")
    assert sealed.load_sealed(tmp_path / "elsewhere/one.code") is None
    (tmp_path / "far").mkdir()
    (tmp_path / "elsewhere").rename(tmp_path / "far/key")
    assert sealed.load_sealed(tmp_path / "far/key/one.code") == CONTENT


def test_load_returns_nothing_for_a_missing_file_or_a_folder(path):
    assert sealed.load_sealed(path.with_name("two.code")) is None
    assert sealed.load_sealed(path.parent) is None


def test_a_full_disk_causes_a_warning_and_keeps_the_old_content(path, monkeypatch):
    def full(_path, _content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sealed, "write_whole", full)
    with pytest.warns(RuntimeWarning, match="cannot be kept for later starts: .*No space left"):
        sealed.store(path, b"new")
    assert sealed.load_sealed(path) == CONTENT


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sealed, "cache_root", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def made():
    """Return a function that makes an array, and how often it did."""

    def rows():
        rows.times += 1
        return ROWS.copy()

    rows.times = 0
    return rows


def test_an_array_is_made_once_and_cannot_be_changed(folder, made):
    for _ in range(3):
        array = sealed.kept(__file__, made)
        np.testing.assert_array_equal(array, ROWS)
        assert array.dtype == KIND
        with pytest.raises(ValueError, match="read-only"):
            array["size"] = 0
    assert made.times == 1
    assert len(list(folder.rglob("*.npy"))) == 1


def test_a_damaged_file_is_made_again(folder, made):
    sealed.kept(__file__, made)
    (path,) = folder.rglob("*.npy")
    zeroed = path.read_bytes()[:-48] + bytes(48)
    for content in (b"", path.read_bytes()[:-7], b"something else", zeroed):
        path.write_bytes(content)
        np.testing.assert_array_equal(sealed.kept(__file__, made), ROWS)
    assert made.times == 5


def test_another_source_makes_another_array(folder, made, monkeypatch):
    sealed.kept(__file__, made)
    monkeypatch.setattr(code_keys, "_compilers", lambda: "other")
    sealed.kept(__file__, made)
    assert made.times == 2
    assert len(list(folder.rglob("*.npy"))) == 2
