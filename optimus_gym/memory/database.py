"""The file of a memory's experience: one SQLite database, which many processes read and write at once."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadMemory, BadValue
from optimus_gym.memory.checks import check_aligner
from optimus_gym.memory.schema import check_version, prepare

FILE: Final = "experience.sqlite"
PATIENCE_S: Final = 60.0
"""Seconds that a writer waits for others."""
PAUSE_S: Final = 0.02
MOST_VALUE: Final = 2**24
"""Bytes of a row, and so of a picture or a text: 16 MiB. SQLite makes no room for a longer one."""
ATTENTION: Final = 1_000_000
"""Steps of SQLite's machine after which Ctrl-C and other signals are seen to."""


Mark = tuple[int, int]
"""Device and number of a file, which another file in its place does not share."""


def mark_of(path: Path) -> Mark | None:
    """Return the mark of a memory's file, or None if there is no file or an empty one.

    Raises:
        OSError: the system does not tell.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino) if found.st_size else None


def check_mark(path: Path, mark: Mark) -> None:
    """Look whether a memory's file is still the one that had a mark.

    Raises:
        BadMemory: somebody deleted, emptied or replaced the file.
    """
    try:
        now = mark_of(path)
    except OSError as error:
        raise BadMemory(f"memory: '{path}' cannot be used: {error}") from error
    if now != mark:
        nothing = "an empty file" if path.exists() else "none"
        got = nothing if now is None else "another file in its place"
        raise BadMemory(f"memory: expected the file that was opened as '{path}', got {got}")


class Database:
    """The open file; closed by `close`.

    Args:
        folder: the memory's; made, with its file, if there is none and it may be written.
        aligner: whose vectors it holds, and how long they are; None takes whatever it holds.
        writes: whether anything may be changed.

    Raises:
        BadMemory: it is not there, cannot be opened, is of something else, of a newer version, or has
            another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int] | None, writes: bool) -> None:
        self.path = check_path("memory", folder) / FILE
        with self.told():
            if not self.path.is_file() and (aligner is None or not writes):
                raise BadValue(
                    f"memory: expected a folder that holds {FILE}, got '{self.path.parent}'"
                )
            if writes:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self.connection = self._connected("mode=rwc" if writes else self._reading())
            try:
                if writes:
                    self._open(aligner)
                self.aligner = self._checked(aligner)
                self._seen = self.path.stat()
            except BaseException:
                self.connection.close()
                raise

    def _reading(self) -> str:
        """Return how the file is opened to be read: as fixed where nothing can be written beside it."""
        is_fixed = not os.access(self.path.parent, os.W_OK) and not self._log().exists()
        return "mode=ro&immutable=1" if is_fixed else "mode=ro"

    def _log(self) -> Path:
        return self.path.with_name(f"{FILE}-wal")

    def _connected(self, how: str) -> sqlite3.Connection:
        where = f"{self.path.resolve().as_uri()}?{how}"
        connection = sqlite3.connect(where, timeout=PATIENCE_S, isolation_level=None, uri=True)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_VALUE)
        connection.set_progress_handler(lambda: 0, ATTENTION)
        for guard in ("trusted_schema = OFF", "cell_size_check = ON"):
            connection.execute(f"PRAGMA {guard}")
        return connection

    def _open(self, aligner: tuple[str, int] | None) -> None:
        run = self.connection.execute
        is_ready = check_version(self.connection, str(self.path))
        self._write_ahead()
        run("PRAGMA synchronous = FULL")  # what was acknowledged outlives a power cut, too
        run("PRAGMA foreign_keys = ON")
        if not is_ready:
            prepare(self.connection, str(self.path))
        with self.transaction():
            if aligner and run("SELECT name, width FROM aligner").fetchone() is None:
                run("INSERT INTO aligner VALUES (?, ?)", aligner)

    def _write_ahead(self) -> None:
        """Let readers and a writer go on at once; SQLite does not wait here for others that do the same."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(PAUSE_S)

    def _checked(self, aligner: tuple[str, int] | None) -> tuple[str, int]:
        """Return whose vectors the file holds; refuse one that is not as it should be."""
        if not check_version(self.connection, str(self.path)):
            raise BadValue(
                f"memory: expected tables of this version in '{self.path}', got older ones or none; "
                "`optimus-gym memory DIR compact` brings them up to date"
            )
        kept = self.connection.execute("SELECT name, width FROM aligner LIMIT 1").fetchone()
        if kept is None:
            raise BadValue(
                f"memory: '{self.path}' is damaged: it does not say whose vectors it has"
            )
        if aligner is not None and tuple(kept) != aligner:
            raise BadValue(
                f"memory: expected vectors of aligner {aligner[0]!r} with {aligner[1]} numbers in "
                f"'{self.path}', got those of {kept[0]!r} with {kept[1]}"
            )
        return check_aligner(f"memory: '{self.path}' is damaged at aligner", list(kept))

    def check_unharmed(self) -> None:
        """Look whether the file is still the one that was opened, and its tables are still there.

        SQLite goes on with a deleted file, and with pages that it has read. The look at an unchanged file
        costs two questions to the system.

        Raises:
            BadMemory: somebody deleted, emptied, replaced, cut or overwrote the file.
        """
        check_mark(self.path, (self._seen.st_dev, self._seen.st_ino))
        with self.told():
            now = self.path.stat()
            if (now.st_size, now.st_mtime_ns) == (self._seen.st_size, self._seen.st_mtime_ns):
                return
            with closing(self._connected(self._reading())) as fresh:
                if not check_version(fresh, str(self.path)):
                    raise BadMemory(f"memory: expected tables of this version in '{self.path}'")
                if now.st_size < self._seen.st_size:
                    (fault,) = fresh.execute("PRAGMA quick_check(1)").fetchone()
                    if fault != "ok":
                        raise BadMemory(f"memory: '{self.path}' is damaged: {fault}")
            self._seen = now

    def close(self) -> None:
        """Let go of the file; may be called twice."""
        self.connection.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn what SQLite and the system complain of into what can be understood.

        Raises:
            BadMemory: names the file.
        """
        try:
            yield
        except BadMemory:
            raise
        except BadValue as error:
            raise BadMemory(str(error)) from error
        except (sqlite3.Error, OSError, UnicodeError, OverflowError) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from error  # it came within SQLite, which ended for it
            raise BadMemory(f"memory: '{self.path}' cannot be used: {error}") from error

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

    @contextmanager
    def look(self) -> Iterator[None]:
        """Read inside as at one moment, whoever writes meanwhile; one look may lie in another."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
