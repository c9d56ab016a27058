import numpy as np
import pytest

from optimus_gym.worlds.voxel.compiling import keeping, sources

KIND = np.dtype([("size", "f4"), ("places", "i4", 3)])
ROWS = np.array([(1.5, (1, 2, 3)), (-2.0, (4, 5, 6))], KIND)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "cache_root", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def made():
    """Return a function that makes an array and counts its calls."""

    def rows():
        rows.times += 1
        return ROWS.copy()

    rows.times = 0
    return rows


def test_an_array_is_made_once_and_cannot_be_changed(folder, made):
    for _ in range(3):
        array = keeping.kept(__file__, made)
        np.testing.assert_array_equal(array, ROWS)
        assert array.dtype == KIND
        with pytest.raises(ValueError, match="read-only"):
            array["size"] = 0
    assert made.times == 1
    assert len(list(folder.rglob("*.npy"))) == 1


def test_a_damaged_file_is_made_again(folder, made):
    keeping.kept(__file__, made)
    (path,) = folder.rglob("*.npy")
    zeroed = path.read_bytes()[:-48] + bytes(48)
    for content in (b"", path.read_bytes()[:-7], b"something else", zeroed):
        path.write_bytes(content)
        np.testing.assert_array_equal(keeping.kept(__file__, made), ROWS)
    assert made.times == 5


def test_a_changed_source_makes_a_new_array(folder, made, monkeypatch):
    keeping.kept(__file__, made)
    monkeypatch.setattr(sources, "_compilers", lambda: "other")
    keeping.kept(__file__, made)
    assert made.times == 2
    assert len(list(folder.rglob("*.npy"))) == 2
