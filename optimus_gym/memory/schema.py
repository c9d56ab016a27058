"""The database tables of a memory's experience, and the migrations of older tables."""

import sqlite3
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from optimus_gym.core.errors import BadValue, shown

APPLICATION: Final = 0x414D4550
"""Application id that marks a SQLite file as a memory of this package: the letters "AMEP"."""
SCHEMA_VERSION: Final = 2
"""Version of the database tables; only newer versions of this package write a larger number."""

_FIRST: Final = """
CREATE TABLE aligner (name TEXT NOT NULL, width INTEGER NOT NULL) STRICT;
CREATE TABLE words (
    id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE, vector BLOB NOT NULL
) STRICT;
CREATE TABLE experience (
    id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, task TEXT NOT NULL, goal TEXT NOT NULL,
    environment TEXT NOT NULL, outcome TEXT NOT NULL, sight BLOB, status TEXT NOT NULL,
    ticks INTEGER NOT NULL, start TEXT NOT NULL, plan TEXT NOT NULL, told TEXT NOT NULL, first INTEGER
) STRICT;
CREATE TABLE image (
    id INTEGER PRIMARY KEY, experience INTEGER NOT NULL REFERENCES experience ON DELETE CASCADE,
    tick INTEGER NOT NULL, vector BLOB NOT NULL, picture BLOB NOT NULL
) STRICT;
CREATE TABLE pursuit (
    id INTEGER PRIMARY KEY, experience INTEGER NOT NULL REFERENCES experience ON DELETE CASCADE,
    place INTEGER NOT NULL, text TEXT NOT NULL, ending TEXT NOT NULL, failure TEXT NOT NULL,
    tick INTEGER NOT NULL, ticks INTEGER NOT NULL, correlation REAL, vector BLOB, images TEXT NOT NULL
) STRICT;
CREATE TABLE reflection (
    id INTEGER PRIMARY KEY, experience INTEGER NOT NULL REFERENCES experience ON DELETE CASCADE,
    place INTEGER NOT NULL, subgoal TEXT NOT NULL, environment TEXT NOT NULL,
    before INTEGER NOT NULL REFERENCES image, present INTEGER NOT NULL REFERENCES image,
    predicament TEXT NOT NULL, verdict TEXT NOT NULL, label TEXT NOT NULL
) STRICT;
CREATE INDEX image_of ON image (experience);
CREATE INDEX pursuit_of ON pursuit (experience, place);
CREATE INDEX pursuit_by ON pursuit (text);
CREATE INDEX reflection_of ON reflection (experience, place);
CREATE INDEX reflection_by ON reflection (subgoal, label);
CREATE INDEX reflection_before ON reflection (before);
CREATE INDEX reflection_present ON reflection (present);
"""
_REPLANS: Final = """
CREATE TABLE replan (
    id INTEGER PRIMARY KEY, experience INTEGER NOT NULL REFERENCES experience ON DELETE CASCADE,
    place INTEGER NOT NULL, failed TEXT NOT NULL, reason TEXT NOT NULL, plan TEXT NOT NULL,
    reached INTEGER NOT NULL, worked INTEGER NOT NULL
) STRICT;
CREATE INDEX replan_of ON replan (experience, place);
CREATE INDEX replan_by ON replan (failed, worked);
"""


def _run(connection: sqlite3.Connection, statements: str) -> None:
    for statement in statements.split(";"):
        connection.execute(statement)


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection], None]] = MappingProxyType(
    {1: lambda connection: _run(connection, _REPLANS)}
)
"""For each older version of the tables, the function that turns them into the next version."""


def prepare(connection: sqlite3.Connection, where: str) -> None:
    """Make the tables of a new file, or bring an older file's tables up to date; all or nothing.

    Args:
        connection: connection to the file, outside of a transaction.
        where: the file, for messages.

    Raises:
        BadValue: another program or a newer version of this package wrote the file.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection, where)
        if version == 0:
            _run(connection, _FIRST)
        for former in range(max(version, 1), SCHEMA_VERSION):
            MIGRATIONS[former](connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself has ended it on a full disk
            connection.execute("ROLLBACK")
        raise


def check_version(connection: sqlite3.Connection, where: str) -> bool:
    """Return whether a memory's file has the tables of this package's version; the file does not change.

    Raises:
        BadValue: another program or a newer version of this package wrote the file, or the file has other
            tables, views or triggers than this package makes.
    """
    connection.execute("BEGIN")  # one snapshot of the file, even if another process makes it now
    try:
        is_current = _version(connection, where) == SCHEMA_VERSION
        if is_current:
            _check_tables(connection, where)
        return is_current
    finally:
        connection.execute("ROLLBACK")


Tables = Mapping[tuple[str, str], tuple[str, str | None]]
"""Rows of `sqlite_master`: (table, CREATE statement) of each database object by (kind, name)."""


def _tables(connection: sqlite3.Connection) -> Tables:
    """Return all tables, indexes, views and triggers of a file."""
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return {(kind, name): (of, made) for kind, name, of, made in found}


@cache
def _ours() -> Tables:
    """Return the tables and indexes that this version of the package makes in a new file."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        prepare(connection, "a new memory")
        return MappingProxyType(_tables(connection))
    finally:
        connection.close()


def _check_tables(connection: sqlite3.Connection, where: str) -> None:
    """Reject a file with anything but the tables and indexes that this package makes.

    A view or trigger is code that comes with the file, and could run without an end.

    Raises:
        BadValue: a table, index, view or trigger is extra, missing or different; the error names it.
    """
    ours, found = _ours(), _tables(connection)
    for kind, name in sorted(ours.keys() | found.keys(), key=str):
        if found.get((kind, name)) != ours.get((kind, name)):
            which = (
                "lacks" if (kind, name) not in found
                else "also has" if (kind, name) not in ours else "changes"
            )  # fmt: skip
            raise BadValue(
                f"memory: expected the tables of optimus-gym in '{where}', got a file that {which} "
                f"the {kind} {shown(name)}"
            )


def _version(connection: sqlite3.Connection, where: str) -> int:
    """Return the version of a file's tables; 0 for a new file."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION and (tables or application or version):
        raise BadValue(f"memory: '{where}' is not a database of optimus-gym")
    if version > SCHEMA_VERSION:
        raise BadValue(
            f"memory: expected tables of version {SCHEMA_VERSION} in '{where}', got {version}; a newer "
            "version of optimus-gym wrote them"
        )
    return int(version)
