"""The file of a memory's experience: one SQLite database, which many processes read and write at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.memory.schema import check_version, prepare

FILE: Final = "experience.sqlite"
PATIENCE_S: Final = 60.0
"""Seconds that a writer waits for others."""


class Database:
    """The open file; closed by `close`.

    Args:
        folder: the memory's; made, with its file, if there is none and it may be written.
        aligner: whose vectors it holds, and how long they are; None takes whatever it holds.
        writes: whether anything may be changed.

    Raises:
        BadValue: it is not there, cannot be opened, is of something else, of a newer version, or has
            another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int] | None, writes: bool) -> None:
        self.path = check_path("memory", folder) / FILE
        if not self.path.is_file() and (aligner is None or not writes):
            raise BadValue(f"memory: expected a folder that holds {FILE}, got '{self.path.parent}'")
        with self.told():
            if writes:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = self._connected("rwc" if writes else "ro")
            try:
                if writes:
                    self._open(aligner)
                self.aligner = self._checked(aligner)
            except BaseException:
                self.connection.close()
                raise

    def _connected(self, mode: str) -> sqlite3.Connection:
        where = f"{self.path.resolve().as_uri()}?mode={mode}"
        return sqlite3.connect(where, timeout=PATIENCE_S, isolation_level=None, uri=True)

    def _open(self, aligner: tuple[str, int] | None) -> None:
        run = self.connection.execute
        is_ready = check_version(self.connection, str(self.path))
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")  # what was acknowledged outlives a power cut, too
        run("PRAGMA foreign_keys = ON")
        if not is_ready:
            prepare(self.connection, str(self.path))
        with self.transaction():
            if aligner and run("SELECT name, width FROM aligner").fetchone() is None:
                run("INSERT INTO aligner VALUES (?, ?)", aligner)

    def _checked(self, aligner: tuple[str, int] | None) -> tuple[str, int]:
        """Return whose vectors the file holds; refuse one that is not as it should be."""
        if not check_version(self.connection, str(self.path)):
            raise BadValue(f"memory: '{self.path}' holds no experience of this version yet")
        kept = self.connection.execute("SELECT name, width FROM aligner").fetchone()
        if kept is None:
            raise BadValue(
                f"memory: '{self.path}' is damaged: it does not say whose vectors it has"
            )
        if aligner is not None and tuple(kept) != aligner:
            raise BadValue(
                f"memory: expected vectors of aligner {aligner[0]!r} with {aligner[1]} numbers in "
                f"'{self.path}', got those of {kept[0]!r} with {kept[1]}"
            )
        return str(kept[0]), int(kept[1])

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self.connection.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn what SQLite and the system complain of into what can be understood.

        Raises:
            BadValue: names the file.
        """
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeError) as error:
            raise BadValue(f"memory: '{self.path}' cannot be used: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all that is done inside, or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise
