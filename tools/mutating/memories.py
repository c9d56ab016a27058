"""Memories of experience as kinds of files: the database, changed as bytes or through SQLite."""

import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from optimus_gym.memory.compaction import compact, counts, sizes
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan
from optimus_gym.memory.merging import merge
from optimus_gym.memory.pictures import packed
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.memory.store import ExperienceStore
from optimus_gym.run.memory.sheet import sheet
from optimus_gym.vision.mini_aligner import MiniAligner
from tools.mutating.changes import Draws, change_bytes

EPISODES: Final = 3
MOST_STEPS: Final = 1_000_000
"""Largest number of steps of SQLite's virtual machine in a statement that changes a memory."""


@cache
def _aligner() -> MiniAligner:
    return MiniAligner()


def _experience(number: int) -> Experience:
    """Return a made-up experience."""
    shade = np.full((64, 64, 3), 40 * number, np.uint8)
    vector = np.zeros(_aligner().width, np.float32)
    vector[number] = 1
    image = Image(20 * number, packed(shade), vector)
    pursuit = PastPursuit("mine 3 log", "reached", "", 40, 40, (image,), 0.5, vector)
    case = Case(0, "mine 3 log", "forest", image, image, "", "COMPLETE", "COMPLETE")
    replan = Replan(1, "mine 3 log", "stuck", ("mine 3 log",), 1, True)
    return Experience(
        f"{number}", "Wood", "Craft a wooden pickaxe", "forest", {"inventory": {}}, ("mine 3 log",),
        (pursuit,), (case,), ("success", "died", "budget")[number % 3], 40, image, {}, (replan,),
    )  # fmt: skip


class Databases:
    """Experience in a memory folder."""

    def samples(self) -> Sequence[bytes]:
        """Return a database of a few experiences."""
        with tempfile.TemporaryDirectory() as folder:
            with ExperiencePool(Path(folder), _aligner()) as pool:
                for number in range(EPISODES):
                    pool.add(_experience(number))
            return [Path(folder, MEMORY_FILE).read_bytes()]

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a changed database."""
        return change_bytes(data, draws)

    def use(self, path: Path) -> None:
        """Search a memory, read the experiences found, add one, and compact the memory."""
        folder = path.rename(path.with_name(MEMORY_FILE)).parent
        with ExperiencePool(folder, _aligner()) as pool:
            for found in pool.find("craft a pickaxe"):
                pool.get(found.number)
            pool.cases("mine log", _experience(1).cases[0].present.vector)
            pool.add(_experience(EPISODES))
            compact(pool.store.database, 1)
            sizes(pool.store.database)


class Databanks:
    """Experience in a memory folder, changed through SQLite itself: values, tables, views and triggers."""

    def samples(self) -> Sequence[bytes]:
        """Return a database of a few experiences."""
        return Databases().samples()

    def change(self, data: bytes, draws: Draws) -> bytes:
        """Return a database after one to three statements; statements that SQLite rejects change nothing."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, MEMORY_FILE)
            path.write_bytes(data)
            connection = sqlite3.connect(path, isolation_level=None)
            try:
                connection.execute("PRAGMA journal_mode = DELETE")
                connection.execute("PRAGMA foreign_keys = OFF")
                connection.execute("PRAGMA synchronous = OFF")
                connection.set_progress_handler(
                    lambda: 1, MOST_STEPS
                )  # triggers of the changed memory may call each other for ever
                for _ in range(int(draws.integers(1, 4))):
                    with suppress(sqlite3.Error):
                        connection.execute(*_statement(connection, draws))
            finally:
                connection.close()
            return path.read_bytes()

    def use(self, path: Path) -> None:
        """Show the first experiences, merge all into a new memory, then do the same as `Databases`."""
        folder = path.rename(path.with_name(MEMORY_FILE)).parent
        with ExperienceStore(folder, None, writes=False) as store:
            numbers = store.numbers()[:3]
            counts(store.database)
            for number in numbers:
                sheet(store.get(number))
            merge(folder / "new", store, _aligner(), skip=lambda _: None)
        Databases().use(folder / MEMORY_FILE)


def _statement(connection: sqlite3.Connection, draws: Draws) -> tuple[str, tuple[Any, ...]]:
    """Return a statement, and the values for its `?`; most statements change a value, others a table."""
    tables = [
        row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    ]
    table = _one_of(tables, draws)
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    column = _one_of(columns, draws)
    if draws.random() < 0.7:
        value = _one_of(_VALUES, draws)
        one = f" WHERE rowid = {int(draws.integers(1, 9))}"
        where = one if "00000)" in str(value) else _one_of(("", one), draws)
        if isinstance(value, str) and value.startswith("="):
            return f"UPDATE {table} SET {column} = {value[1:].format(column=column)}{where}", ()
        return f"UPDATE {table} SET {column} = ?{where}", (value,)
    return _one_of(_TABLES, draws).format(table=table, column=column), ()


def _one_of(choices: Sequence[Any], draws: Draws) -> Any:
    return choices[int(draws.integers(len(choices)))]


_VALUES: Final[tuple[Any, ...]] = (
    None, 0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 0.5, 1e308, float("inf"), "", "x", b"", b"\0",
    "{}", "[]", "[1]", "null", "NaN", '{"inventory": 3}', '{"inventory": {"dirt": 1e400}}', "[" * 400,
    "[" * 100_000, "9" * 5000, "\x1b[2J", "\u202e", "REPLAN", "success", "x" * 10**6,
    "=zeroblob(40000000)", "=zeroblob(16000000)", "=zeroblob(17)", "=cast({column} AS BLOB)",
    "=cast(x'eda080' AS TEXT)", "=cast(x'ff00' AS TEXT)", "={column} || {column}", "=-{column}",
    "=replace(hex(zeroblob(300)), '00', '[')", "=hex(randomblob(1000000))", "=randomblob(256)",
)  # fmt: skip
"""Values for any column; SQLite evaluates values that begin with "="."""
_ENDLESS: Final = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS {column} FROM c"
)
_TABLES: Final = (
    "DROP TABLE {table}", "ALTER TABLE {table} RENAME TO other", "CREATE TABLE other (a)",
    "ALTER TABLE {table} RENAME COLUMN {column} TO other", "ALTER TABLE {table} DROP COLUMN {column}",
    "ALTER TABLE {table} ADD COLUMN other", f"CREATE VIEW other AS {_ENDLESS}",
    f"CREATE VIEW {{table}} AS {_ENDLESS}", "DELETE FROM {table}", "DROP INDEX image_of",
    f"CREATE TRIGGER other AFTER INSERT ON {{table}} BEGIN {_ENDLESS}; END",
    "CREATE TRIGGER other AFTER DELETE ON {table} BEGIN DELETE FROM words; END",
    "CREATE INDEX other ON {table} ({column})", "PRAGMA user_version = 7", "PRAGMA application_id = 7",
    "CREATE VIRTUAL TABLE other USING fts5(a)", "ANALYZE", "VACUUM", "PRAGMA encoding = 'UTF-16'",
    "INSERT INTO {table} SELECT * FROM {table}", "DELETE FROM sqlite_sequence",
)  # fmt: skip
