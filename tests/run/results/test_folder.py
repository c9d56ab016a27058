"""A folder holds whole rows only, even after errors of the disk."""

import gzip
import json
import os
import resource

import pytest

from optimus_gym.run.results.results_folder import opened, read_results
from tests.run.results.making import a_row

IDENTITY = {"format": 1, "evaluation": {"suite": "optimus-67"}, "code": "d" * 64}


def test_a_row_is_removed_if_fsync_fails(tmp_path, monkeypatch):
    """The row is written, then `fsync` fails: the row may be lost, so its episode is played again."""

    def fail(number):
        raise OSError(28, "No space left on device")

    with opened(tmp_path, IDENTITY) as folder:
        folder.add(a_row(episode=0))
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            with pytest.raises(OSError, match="No space left"):
                folder.add(a_row(episode=1))
        assert (tmp_path / "rows.jsonl").read_text() == a_row(episode=0).to_line()
        folder.add(a_row(episode=2))
        folder.close()
    assert [row.episode for row in read_results(tmp_path).rows] == [0, 2]


def test_a_half_written_row_is_removed(tmp_path):
    """The disk keeps 100 bytes more; by the time the folder is closed, it has room again."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with opened(tmp_path, IDENTITY) as folder:
        folder.add(a_row(episode=0))
        whole = (tmp_path / "rows.jsonl").read_text()
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) + 100, hard))
        try:
            with pytest.raises(OSError, match="File too large"):
                folder.add(a_row(episode=1))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        folder.add(a_row(episode=2))
        folder.close()
    assert (tmp_path / "rows.jsonl").read_text() == whole + a_row(episode=2).to_line()


def test_compressed_rows_are_read_unless_there_is_a_plain_file(tmp_path):
    (tmp_path / "evaluation.json").write_text(json.dumps(IDENTITY))
    assert read_results(tmp_path).rows == ()
    for name, open_one, episode in (("rows.jsonl.gz", gzip.open, 0), ("rows.jsonl", open, 1)):
        with open_one(tmp_path / name, "wt") as file:
            file.write(a_row(episode=episode).to_line())
        assert [row.episode for row in read_results(tmp_path).rows] == [episode]


def test_packed_rows_stay_when_the_evaluation_goes_on(tmp_path):
    (tmp_path / "evaluation.json").write_text(json.dumps(IDENTITY))
    whole = a_row(episode=0).to_line()
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt") as file:
        file.write(whole + whole[:50])
    with opened(tmp_path, IDENTITY) as folder:
        assert folder.cut
        assert [row.episode for row in folder.rows] == [0]
        folder.add(a_row(episode=1))
    assert [row.episode for row in read_results(tmp_path).rows] == [0, 1]
    assert not (tmp_path / "rows.jsonl.gz").exists()
