"""Memory folders that were changed through SQLite itself fail at once with one clear error."""

import sqlite3
import time
from contextlib import closing
from dataclasses import replace

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.compaction import compact
from optimus_gym.memory.database import MEMORY_FILE, MOST_VALUE
from optimus_gym.memory.index import Index
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.cli import main
from optimus_gym.run.memory.sheet import sheet
from tests.memory.making import ALIGNER, an_experience, pictured, vector

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x, x FROM c"


def changed(folder, *statements):
    with ExperienceStore(folder, ALIGNER) as store:
        store.add(pictured("a"))
    with closing(sqlite3.connect(folder / MEMORY_FILE)) as connection, connection:
        for statement in statements:
            connection.execute(statement)
    return folder


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (["DROP TABLE aligner", f"CREATE VIEW aligner(name, width) AS {ENDLESS}"], "'aligner'"),
        ([f"CREATE VIEW other AS {ENDLESS}"], "has the view 'other'"),
        (
            [f"CREATE TRIGGER t AFTER INSERT ON words BEGIN DELETE FROM words; {ENDLESS}; END"],
            "has the trigger 't'",
        ),
        (["CREATE TABLE more (a)"], "has the table 'more'"),
        (["CREATE VIRTUAL TABLE more USING fts5(a)"], "has the table 'more"),
        (["DROP INDEX image_of"], "lacks the index 'image_of'"),
        (["ALTER TABLE words ADD COLUMN more TEXT"], "changes the table 'words'"),
        (["DROP TABLE words", "CREATE TABLE words (id, text, vector)"], "words"),
    ],
)
@pytest.mark.parametrize("writes", [False, True])
def test_foreign_views_triggers_and_tables_are_rejected_before_they_run(
    tmp_path, statements, told, writes
):
    folder = changed(tmp_path, *statements)
    before = (folder / MEMORY_FILE).read_bytes()
    with pytest.raises(BadValue, match=f"expected the tables of optimus-gym .*{told}"):
        ExperienceStore(folder, ALIGNER, writes=writes)
    assert (folder / MEMORY_FILE).read_bytes() == before


def test_a_free_text_predicament_is_rejected_as_from_an_older_version(tmp_path):
    folder = changed(tmp_path, "UPDATE reflection SET predicament = 'judged (stuck)'")
    match = r"damaged at predicament: expected '' or a predicament .* got 'judged .*fill the memory"
    with ExperienceStore(folder, ALIGNER) as store, pytest.raises(BadValue, match=match):
        store.get(1)
    changed(tmp_path, "UPDATE reflection SET predicament = ''")
    with ExperienceStore(folder, ALIGNER) as store:
        assert store.get(1).cases[0].predicament == ""


def test_a_compacted_memory_is_still_accepted(tmp_path):
    folder = changed(tmp_path)
    with ExperienceStore(folder, ALIGNER) as store:
        compact(store.database, 1)
    with ExperienceStore(folder, None, writes=False) as store:
        assert len(store.numbers()) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reflection SET label = 'PERHAPS'",
        "UPDATE reflection SET verdict = char(27) || '[2J'",
        "UPDATE reflection SET predicament = 'judged: 3 oak_log (stuck)'",
        "UPDATE reflection SET place = -5",
        "UPDATE experience SET start = '[1]'",
        """UPDATE experience SET start = '{"inventory": [1]}'""",
        """UPDATE experience SET start = '{"inventory": {"dirt": "x"}}'""",
        "UPDATE experience SET told = '3'",
        "UPDATE experience SET told = replace(hex(zeroblob(200)), '00', '[')",
        """UPDATE experience SET told = '{"a":' || replace(hex(zeroblob(400)), '00', '[') ||
            replace(hex(zeroblob(400)), '00', ']') || '}'""",
        "UPDATE experience SET plan = '{}'",
        "UPDATE experience SET status = 'odd'",
        "UPDATE experience SET ticks = -1",
        "UPDATE experience SET first = 10000",
        "UPDATE pursuit SET images = '[9e99]'",
        "UPDATE pursuit SET images = '[[1]]'",
        "UPDATE pursuit SET correlation = 9e999",
        "UPDATE pursuit SET ending = 'odd'",
        "UPDATE image SET vector = zeroblob(3)",
        "UPDATE image SET tick = -9223372036854775808",
        f"UPDATE image SET picture = zeroblob({MOST_VALUE + 1}) WHERE id = 1",
        "UPDATE aligner SET width = 1000000000000",
        "UPDATE aligner SET width = -1",
        "UPDATE aligner SET name = ''",
        "UPDATE aligner SET name = cast(x'ff' AS TEXT)",
        "UPDATE experience SET task = cast(x'ff' AS TEXT)",
    ],
)
def test_odd_values_give_one_clear_line_in_show_and_merge(tmp_path, capsys, monkeypatch, statement):
    folder = changed(tmp_path / "memory", statement)
    monkeypatch.chdir(tmp_path)
    for words in (["show", str(folder), "1"], ["merge", "new", str(folder)]):
        assert main(["memory", *words]) == 2
        told = [line for line in capsys.readouterr().err.splitlines() if "optimus-gym:" in line]
        assert len(told) == 1
        assert f"memory: '{folder / MEMORY_FILE}'" in told[0]
        assert "\x1b" not in told[0]
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("number", [-1, 0])
def test_a_text_number_below_one_is_rejected(tmp_path, number):
    whole = an_experience("a")
    with ExperienceStore(tmp_path, ALIGNER) as store:
        store.add(whole, {whole.goal: vector(0)})
        store.database.connection.execute("UPDATE words SET id = ?", (number,))
        with pytest.raises(BadValue, match="expected the id of each goal's text to be at least 1"):
            store.refresh(Index(ALIGNER[1]))


def test_only_values_that_json_can_hold_are_stored(tmp_path):
    with ExperienceStore(tmp_path, ALIGNER) as store:
        for told in ({"a": float("nan")}, {"a": [[[[]]]] * 2, "b": _deep(200)}):
            with pytest.raises(BadValue, match="told: expected"):
                store.add(an_experience("a", told=told))
        assert not store.numbers()


def _deep(count):
    value = []
    for _ in range(count):
        value = [value]
    return value


def test_a_sheet_of_endless_texts_is_drawn_at_once(tmp_path):
    long = "many words\n" * 200_000
    whole = an_experience(
        "a", goal=long, environment=long, plan=(long,) * 3, start={"inventory": {long: 1}},
        first=None, cases=(), pursuits=(replace(an_experience().pursuits[1], text=long, failure=long),),
    )  # fmt: skip
    begun = time.process_time()
    assert sheet(whole).width > 0
    assert time.process_time() - begun < 5
