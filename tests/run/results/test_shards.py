"""Shards: which one a process plays, and folders whose rows lie in shards."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.run.results.results_folder import opened, read_results
from optimus_gym.run.results.shards import Shard, shard_of
from tests.run.results.making import a_row

IDENTITY = {"format": 1, "evaluation": {"suite": "optimus-67"}, "code": "d" * 64}


def array(place, least, count, **more):
    named = {"ID": place, "MIN": least, "COUNT": count, **more}
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in named.items()}


@given(st.integers(1, 9), st.integers(0, 40))
def test_every_episode_is_in_one_shard(count, episodes):
    parts = [Shard(k, count).of(range(episodes)) for k in range(1, count + 1)]
    assert sorted(episode for part in parts for episode in part) == list(range(episodes))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize(
    ("asked", "count", "environ", "shard"),
    [
        ("2/4", None, {}, Shard(2, 4)),
        ("2/4", None, array(9, 1, 9), Shard(2, 4)),
        (None, 4, {"JOB_COMPLETION_INDEX": "0"}, Shard(1, 4)),
        (None, 4, {"JOB_COMPLETION_INDEX": "3", **array(9, 1, 9)}, Shard(4, 4)),
        (None, None, {"JOB_COMPLETION_INDEX": "3"}, None),
        (None, None, array(0, 0, 4), Shard(1, 4)),
        (None, None, array(7, 4, 4), Shard(4, 4)),
        (None, None, array(12, 4, 4, STEP=4), Shard(3, 4)),
        (None, None, array(3, 3, 1), None),
        (None, None, {}, None),
    ],
)
def test_options_go_before_the_variables_of_a_cluster(asked, count, environ, shard):
    assert shard_of(asked, count, environ) == shard


@pytest.mark.parametrize(
    ("asked", "count", "environ", "told"),
    [
        ("0/4", None, {}, "expected .* 1 to 4, got 0"),
        ("5/4", None, {}, "expected .* 1 to 4, got 5"),
        ("1/0", None, {}, "shards: .* got 0"),
        ("1-4", None, {}, "expected K/N, such as 1/4, got '1-4'"),
        ("1/4", 4, {}, "got both"),
        (None, 4, {}, "JOB_COMPLETION_INDEX of Kubernetes' indexed job, got none"),
        (None, 4, {"JOB_COMPLETION_INDEX": "4"}, "1 to 4, got 5"),
        (None, None, array(9, 1, 3), "without gaps, got job 9 of 3"),
        (None, None, array("x", 1, 3), "whole number in the variable SLURM_ARRAY_TASK_ID, got 'x'"),
        (None, None, {"SLURM_ARRAY_TASK_ID": "1"}, "variable SLURM_ARRAY_TASK_MIN, got ''"),
    ],
)
def test_what_names_no_shard_is_refused(asked, count, environ, told):
    with pytest.raises(BadValue, match=told):
        shard_of(asked, count, environ)


def fill(path, shard, *rows, identity=IDENTITY):
    with opened(path, identity, shard) as folder:
        for row in rows:
            folder.add(row)
        folder.close()


def test_the_folder_has_the_rows_of_all_shards_in_turn(tmp_path):
    fill(tmp_path, Shard(1, 2), a_row(episode=0), a_row(episode=2))
    fill(tmp_path, Shard(2, 2), a_row(episode=1))
    results = read_results(tmp_path)
    assert [row.episode for row in results.rows] == [0, 1, 2]
    assert results.identity == IDENTITY
    assert [one.name for one in results.parts] == ["1-of-2", "2-of-2"]
    fill(tmp_path, None, a_row(episode=3))
    assert sorted(row.episode for row in read_results(tmp_path).rows) == [0, 1, 2, 3]
    assert [row.episode for row in read_results(tmp_path / "shards" / "2-of-2").rows] == [1]


def test_twelve_shards_have_their_rows_in_the_order_of_the_episodes(tmp_path):
    for number in range(1, 13):
        fill(tmp_path, Shard(number, 12), a_row(episode=number))
    (tmp_path / "shards" / "old-of-notes").mkdir()
    assert [row.episode for row in read_results(tmp_path).rows] == list(range(1, 13))


def test_a_shard_begins_while_another_makes_its_folder(tmp_path):
    making = tmp_path / "shards" / "1-of-2"
    making.mkdir(parents=True)
    (making / ".evaluation.json.x.part").write_text("{")
    fill(tmp_path, Shard(2, 2), a_row(episode=1))
    fill(tmp_path, Shard(1, 2), a_row(episode=0))
    assert len(read_results(tmp_path).rows) == 2


def test_a_whole_row_counts_before_a_crashed_one_and_else_the_first(tmp_path):
    bad = a_row(episode=0, status="crashed", success=False)
    fill(tmp_path, None, bad, a_row(episode=1, ticks=5))
    fill(tmp_path, Shard(1, 1), a_row(episode=0), a_row(episode=1, ticks=6))
    rows = {row.episode: row for row in read_results(tmp_path).rows}
    assert (rows[0].status, rows[1].ticks) == (a_row().status, 5)


def test_an_open_shard_knows_the_rows_of_other_shards(tmp_path):
    fill(tmp_path, Shard(1, 2), a_row(episode=0))
    fill(tmp_path, None, a_row(episode=5))
    with opened(tmp_path, IDENTITY, Shard(2, 2)) as folder:
        assert folder.rows == ()
        assert [row.episode for row in folder.others] == [5, 0]
        folder.close()
    assert not (tmp_path / "shards" / "2-of-2").exists()


def test_a_shard_without_rows_leaves_nothing(tmp_path):
    fill(tmp_path / "out", Shard(1, 2))
    assert not (tmp_path / "out").exists()


def test_shards_are_written_side_by_side_but_one_shard_by_one_process(tmp_path):
    with opened(tmp_path, IDENTITY, Shard(1, 2)) as first:
        with opened(tmp_path, IDENTITY, Shard(2, 2)) as second:
            second.add(a_row(episode=1))
            second.close()
        with (
            pytest.raises(BadValue, match=r"another process writes into .*1-of-2"),
            opened(tmp_path, IDENTITY, Shard(1, 2)),
        ):
            pass
        first.add(a_row(episode=0))
        first.close()
    assert len(read_results(tmp_path).rows) == 2


def test_shards_of_different_evaluations_are_refused(tmp_path):
    fill(tmp_path, Shard(1, 2), a_row(episode=0))
    other = {**IDENTITY, "evaluation": {"suite": "deps-50"}}
    with pytest.raises(
        BadValue, match=r"evaluation.suite: there 'optimus-67', asked for 'deps-50'"
    ):
        fill(tmp_path, Shard(2, 2), a_row(episode=1), identity=other)
    place = tmp_path / "shards" / "2-of-2"
    place.mkdir()
    (place / "evaluation.json").write_text(json.dumps(other))
    with pytest.raises(BadValue, match=r"expected parts of one evaluation[\s\S]*evaluation.suite"):
        read_results(tmp_path)


def test_a_folder_of_other_files_gets_no_shard(tmp_path):
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(BadValue, match=r"thesis\.tex"):
        fill(tmp_path, Shard(1, 2), a_row())
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.tex"]
