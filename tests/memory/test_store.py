"""Experiences come back unchanged and once, despite other writers and killed processes."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.compaction import compact
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Case
from optimus_gym.memory.schema import SCHEMA_VERSION, check_version, prepare
from optimus_gym.memory.store import ExperienceStore
from tests.memory.making import ALIGNER, an_experience, image, same, vector

ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sys
from pathlib import Path
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.memory.compaction import compact
from tests.memory.making import ALIGNER, an_experience
folder, name, first, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
with ExperienceStore(folder, ALIGNER) as store:
    for k in range(first, first + count):
        number = store.add(an_experience(f"{name}-{k}", seed=k))
        print(f"{name}-{k}", flush=True)
        if k % 10 == 0:
            assert store.get(number).key == f"{name}-{k}"
"""


def writer(folder, name, first, count):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(first), str(count)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def keys(store):
    return [store.get(number).key for number in store.numbers()]


@settings(max_examples=30, deadline=None)
@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=3, max_size=3),
    counts=st.tuples(st.integers(0, 4), st.integers(0, 4)),
    seed=st.integers(0, 2**31),
)
def test_an_added_experience_comes_back_unchanged(tmp_path_factory, texts, counts, seed):
    whole = an_experience(
        texts[0], goal=texts[1], environment=texts[2], seed=seed,
        pursuits=an_experience(seed=seed).pursuits * counts[0],
        cases=an_experience(seed=seed).cases * counts[1],
    )  # fmt: skip
    with ExperienceStore(tmp_path_factory.mktemp("memory"), ALIGNER) as store:
        assert same(store.get(store.add(whole)), whole)
        blind = replace(whole, key=f"{texts[0]}, blind", first=None)
        assert same(store.get(store.add(blind)), blind)


def test_an_experience_that_is_added_twice_is_stored_once(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        first = store.add(an_experience("a"))
        assert store.add(an_experience("a", seed=9)) == first
        assert store.add(an_experience("b")) != first
        assert keys(store) == ["a", "b"]
    with ExperienceStore(tmp_path, ALIGNER) as store:
        assert keys(store) == ["a", "b"]


def test_add_all_stores_all_experiences_or_no_experience(tmp_path):
    one, other = an_experience("one"), an_experience("other")
    with ExperienceStore(tmp_path, ALIGNER) as store:
        with pytest.raises(BadValue, match="vector"):
            store.add_all([(one, {}), (other, {"a text": vector(0)[:-1]})])
        assert not keys(store)
        assert len(set(store.add_all([(one, {}), (other, {}), (one, {})]))) == 2
        assert sorted(keys(store)) == ["one", "other"]


def test_an_experience_with_a_wrong_vector_is_not_stored_in_part(tmp_path):
    wrong = [
        an_experience("a", pursuits=(replace(an_experience().pursuits[0], vector=vector(0, 9)),)),
        an_experience("b", first=replace(image(1), vector=vector(0) * np.nan)),
        an_experience(
            "c",
            cases=(
                replace(an_experience().cases[0], present=replace(image(1), vector=vector(0, 3))),
            ),
        ),
    ]
    with ExperienceStore(tmp_path, ALIGNER) as store:
        store.add(an_experience("whole"))
        for experience in wrong:
            with pytest.raises(BadValue, match="expected a vector of 8 finite numbers"):
                store.add(experience)
        with pytest.raises(BadValue, match="start: expected a value that JSON can hold"):
            store.add(an_experience("d", start={"picture": object()}))
        assert keys(store) == ["whole"]
        counted = {
            table: store.database.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("experience", "image", "pursuit", "reflection")
        }
    assert counted == {"experience": 1, "image": 6, "pursuit": 2, "reflection": 1}


def together(folder, processes, each):
    running = [writer(folder, f"p{k}", 0, each) for k in range(processes)]
    for process in running:
        process.communicate()
        assert process.returncode == 0
    with ExperienceStore(folder, ALIGNER) as store:
        found = keys(store)
        assert len(found) == len(set(found)) == processes * each
        for number, key in zip(store.numbers()[:50], found[:50], strict=True):
            assert same(store.get(number), an_experience(key, seed=int(key.split("-")[1])))


def test_several_processes_can_write_at_once(tmp_path):
    together(tmp_path, 4, 40)


@pytest.mark.slow
def test_eight_processes_can_write_ten_thousand_experiences(tmp_path):
    together(tmp_path, 8, 1250)


def killed(folder, times):
    """Kill a writer at random moments; return the keys that it had acknowledged."""
    random, told = np.random.default_rng(0), []
    for k in range(times):
        process = writer(folder, f"k{k}", 0, 10_000)
        first = process.stdout.readline().strip()
        time.sleep(random.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        lines = rest.splitlines(keepends=True)
        told += [first, *(line.strip() for line in lines if line.endswith("\n"))]
    return told


def survived(folder, told):
    with ExperienceStore(folder, ALIGNER) as store:
        found = keys(store)
        assert set(told) <= set(found)
        assert len(found) == len(set(found))
        (state,) = store.database.connection.execute("PRAGMA integrity_check").fetchone()
        assert state == "ok"
        for number in store.numbers()[-20:]:
            one = store.get(number)
            assert same(one, an_experience(one.key, seed=int(one.key.split("-")[1])))
    assert len(told) > 0


def test_a_killed_writer_loses_no_acknowledged_experience(tmp_path):
    survived(tmp_path, killed(tmp_path, 3))


@pytest.mark.slow
def test_a_writer_killed_a_hundred_times_loses_no_acknowledged_experience(tmp_path):
    survived(tmp_path, killed(tmp_path, 100))


def test_a_store_of_another_aligner_is_rejected(tmp_path):
    ExperienceStore(tmp_path, ALIGNER).close()
    for other in (("mini", 8), ("made-up", 256)):
        with pytest.raises(BadValue, match="got those of 'made-up' with 8"):
            ExperienceStore(tmp_path, other)


def test_a_file_that_is_not_a_memory_is_rejected_and_left_unchanged(tmp_path):
    for name, make in (
        (
            "text",
            lambda path: path.write_text("not a database at all, but long enough to be read " * 50),
        ),
        ("other", other_database),
        ("newer", newer_version),
    ):
        folder = tmp_path / name
        folder.mkdir()
        make(folder / MEMORY_FILE)
        before = (folder / MEMORY_FILE).read_bytes()
        with pytest.raises(BadValue, match=f"memory: .*{MEMORY_FILE}"):
            ExperienceStore(folder, ALIGNER)
        assert (folder / MEMORY_FILE).read_bytes() == before
    (tmp_path / "file").write_text("")
    with pytest.raises(BadValue, match="cannot be used"):
        ExperienceStore(tmp_path / "file", ALIGNER)


def other_database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()


def newer_version(path):
    ExperienceStore(path.parent, ALIGNER).close()
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()


def older_version(folder):
    """Make a memory file of version 1 with an experience."""
    with ExperienceStore(folder, ALIGNER) as store:
        number = store.add(an_experience("old", replans=()))
    with closing(sqlite3.connect(folder / MEMORY_FILE)) as connection:
        connection.execute("DROP TABLE replan")
        connection.execute("PRAGMA user_version = 1")
    return number


def test_only_a_writer_upgrades_an_older_file(tmp_path):
    number = older_version(tmp_path)
    with pytest.raises(
        BadValue, match=rf"tables of this version of optimus-gym in '.*{MEMORY_FILE}'"
    ):
        ExperienceStore(tmp_path, None, writes=False)
    with ExperienceStore(tmp_path, ALIGNER) as store:
        assert same(store.get(number), an_experience("old", replans=()))
        new = store.add(an_experience("new"))
    with ExperienceStore(tmp_path, None, writes=False) as store:
        assert same(store.get(new), an_experience("new"))


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [("plan", "'no list'", "plan"), ("plan", "'[1]'", "plan"), ("worked", 2, "worked"),
     ("reached", -1, "reached")],
)  # fmt: skip
def test_a_damaged_replan_is_reported(tmp_path, column, value, told):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        number = store.add(an_experience("a"))
        store.database.connection.execute(f"UPDATE replan SET {column} = {value}")
        with pytest.raises(BadValue, match=f"is damaged at {told}"):
            store.get(number)


def test_a_damaged_page_is_reported(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        for k in range(50):
            store.add(an_experience(str(k), seed=k))
    data = bytearray((tmp_path / MEMORY_FILE).read_bytes())
    for place in range(4096, len(data), 4096):
        data[place : place + 100] = b"\xff" * 100
    (tmp_path / MEMORY_FILE).write_bytes(data)
    with pytest.raises(BadValue, match=r"cannot be used|is damaged"):
        all_of(tmp_path)


def all_of(folder):
    with ExperienceStore(folder, ALIGNER) as store:
        return [store.get(number) for number in store.numbers()]


def test_a_text_with_a_lone_surrogate_is_rejected(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        with pytest.raises(BadValue, match="cannot be used"):
            store.add(an_experience(goal="\ud800"))
        assert store.numbers() == ()


def test_an_unknown_number_is_rejected(tmp_path):
    with (
        ExperienceStore(tmp_path, ALIGNER) as store,
        pytest.raises(BadValue, match="has the number 7"),
    ):
        store.get(7)


def test_the_start_of_an_experience_is_stored_as_json(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        store.add(an_experience())
        (start,) = store.database.connection.execute("SELECT start FROM experience").fetchone()
    assert json.loads(start) == {"inventory": {"oak_log": 1}, "vitals": [20.0, 20.0]}


def test_a_full_disk_is_reported_and_no_experience_is_stored_in_part(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        store.add(an_experience("a"))
        run = store.database.connection.execute
        run("PRAGMA wal_checkpoint(TRUNCATE)")
        (pages,) = run("PRAGMA page_count").fetchone()
        run(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(BadValue, match=r"experience\.sqlite' cannot be used: .*full"):
            store.add(an_experience("b", first=image(1, 100_000)))
        assert store.numbers() == (1,)
        run("PRAGMA max_page_count = 100000")
        assert store.add(an_experience("b", first=image(1, 100_000))) == 2
        (state,) = run("PRAGMA integrity_check").fetchone()
        assert state == "ok"


def test_a_full_disk_is_named_when_the_tables_are_made(tmp_path):
    with closing(sqlite3.connect(tmp_path / "new", isolation_level=None)) as connection:
        connection.execute("PRAGMA max_page_count = 2")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            prepare(connection, "new")
        connection.execute("PRAGMA max_page_count = 100")
        prepare(connection, "new")
        assert check_version(connection, "new")


def test_a_picture_that_is_shown_twice_is_stored_once(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        store.add(an_experience(first=(shown := image(9)), cases=(
            Case(0, "mine 3 oak_log", "forest", shown, shown, "", "REPLAN", "REPLAN"),
        )))  # fmt: skip
        (images,) = store.database.connection.execute("SELECT count(*) FROM image").fetchone()
        got = store.get(1)
    assert images == 1 + 3
    assert got.first is got.cases[0].before


def test_several_threads_can_create_one_memory_at_once(tmp_path):
    def opened(folder, together):
        together.wait()
        with ExperienceStore(folder, ALIGNER) as store:
            return store.aligner

    for k in range(30):
        together = Barrier(8)
        with ThreadPoolExecutor(8) as pool:
            asked = [pool.submit(opened, tmp_path / str(k), together) for _ in range(8)]
            assert {one.result() for one in asked} == {ALIGNER}


def test_a_look_sees_the_store_at_one_moment(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store, ExperienceStore(tmp_path, ALIGNER) as other:
        old, new = store.add(an_experience("old")), store.add(an_experience("new"))
        with store.look():
            assert store.numbers() == (old, new)
            assert compact(other.database, keep=1) == 1
            assert same(store.get(old), an_experience("old"))
            assert store.numbers() == (old, new)
        assert store.numbers() == (new,)
        with pytest.raises(BadValue, match="no experience has the number"):
            store.get(old)


def test_an_experience_is_read_as_of_one_moment(tmp_path, monkeypatch):
    with ExperienceStore(tmp_path, ALIGNER) as store, ExperienceStore(tmp_path, ALIGNER) as other:
        old = store.add(an_experience("old", first=None))
        store.add(an_experience("new"))
        rows = store._rows

        def compacted_between(table, column, number):
            if table != "experience":
                compact(other.database, keep=1)
            return rows(table, column, number)

        monkeypatch.setattr(store, "_rows", compacted_between)
        assert same(store.get(old), an_experience("old", first=None))


@pytest.mark.parametrize("column", ["before", "present"])
def test_reflections_are_found_by_picture_through_an_index(tmp_path, column):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        asked = f"EXPLAIN QUERY PLAN SELECT id FROM reflection WHERE {column} = 1"
        (plan,) = store.database.connection.execute(asked)
        assert "USING COVERING INDEX" in plan[3] or "USING INDEX" in plan[3]


def test_equal_pictures_are_stored_once(tmp_path):
    once = an_experience("once")
    again = replace(
        once, cases=tuple(replace(one, before=replace(one.before)) for one in once.cases * 3)
    )
    with ExperienceStore(tmp_path, ALIGNER) as store:
        number = store.add(again)
        held = store.database.connection.execute("SELECT count(*) FROM image").fetchone()
        assert tuple(held) == (6,)
        assert same(store.get(number), again)


def test_a_file_without_write_permission_can_be_read(tmp_path, monkeypatch):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        number = store.add(an_experience("a"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with ExperienceStore(tmp_path, None, writes=False) as store:
        assert same(store.get(number), an_experience("a"))
        assert [path.name for path in tmp_path.iterdir()] == [MEMORY_FILE]


def test_a_number_too_large_for_sqlite_is_rejected(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store, pytest.raises(BadValue, match="too large"):
        store.get(10**30)


@pytest.mark.parametrize(
    ("table", "column"), [("pursuit", "ending"), ("image", "tick"), ("reflection", "verdict")]
)
def test_a_renamed_column_is_reported_as_damage(tmp_path, table, column):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        number = store.add(an_experience("a"))
        store.database.connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO other")
        with pytest.raises(BadValue, match=f"is damaged at experience {number}"):
            store.get(number)
        if table != "pursuit":
            with pytest.raises(BadValue, match="is damaged at reflection 1"):
                store.case(1)
