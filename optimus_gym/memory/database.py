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
from optimus_gym.memory.json_checks import check_aligner
from optimus_gym.memory.schema import check_version, prepare

MEMORY_FILE: Final = "experience.sqlite"
PATIENCE_S: Final = 60.0
"""Seconds that a writing process waits for other writers before an error."""
PAUSE_S: Final = 0.02
MOST_VALUE: Final = 2**24
"""Maximum size of a database row in bytes, and so of a picture or a text: 16 MiB; SQLite refuses more."""
ATTENTION: Final = 1_000_000
"""Instructions of SQLite's virtual machine after which Python handles Ctrl-C and other signals."""


Mark = tuple[int, int]
"""Device number and inode number of a file, which distinguish two files that had the same path in turn."""


def mark_of(path: Path) -> Mark | None:
    """Return device and inode number of a memory's file, or None if the file is missing or empty.

    Raises:
        OSError: the operating system does not give the device and number of the file.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino) if found.st_size else None


def check_mark(path: Path, mark: Mark) -> None:
    """Check that a memory's file still has the device and inode number in `mark`.

    Raises:
        BadMemory: the file was deleted, emptied or replaced.
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
    """The open database file of a memory; `close` closes the file.

    Args:
        folder: the memory folder; if `writes` is true and an aligner is given, a missing folder or file is
            made.
        aligner: name and vector length of the aligner whose vectors the file must hold; None accepts any
            aligner.
        writes: whether the file may be changed.

    Raises:
        BadMemory: the file is missing, cannot be opened, is no memory's file, was written by a newer version
            of this package, or holds another aligner's vectors.
    """

    def __init__(self, folder: Path, aligner: tuple[str, int] | None, writes: bool) -> None:
        self.path = check_path("memory", folder) / MEMORY_FILE
        with self.told():
            if not self.path.is_file() and (aligner is None or not writes):
                raise BadValue(
                    f"memory: expected a folder that holds {MEMORY_FILE}, got '{self.path.parent}'"
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
        """Return URI options for reading: immutable if the folder is read-only and has no write-ahead log."""
        is_fixed = not os.access(self.path.parent, os.W_OK) and not self._log().exists()
        return "mode=ro&immutable=1" if is_fixed else "mode=ro"

    def _log(self) -> Path:
        return self.path.with_name(f"{MEMORY_FILE}-wal")

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
        run("PRAGMA synchronous = FULL")  # acknowledged writes survive a power cut, too
        run("PRAGMA foreign_keys = ON")
        if not is_ready:
            prepare(self.connection, str(self.path))
        with self.transaction():
            if aligner and run("SELECT name, width FROM aligner").fetchone() is None:
                run("INSERT INTO aligner VALUES (?, ?)", aligner)

    def _write_ahead(self) -> None:
        """Turn on write-ahead logging, so that readers and a writer can work at the same time.

        SQLite fails at once if another process is turning on the log as well, so this method retries.
        """
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
        """Return name and vector length of the file's aligner; reject a damaged file.

        A file is also rejected if its aligner is not `aligner`, unless `aligner` is None.
        """
        if not check_version(self.connection, str(self.path)):
            raise BadValue(
                f"memory: expected tables of this version of optimus-gym in '{self.path}', "
                "got older ones or none; `optimus-gym memory compact DIR` updates them"
            )
        kept = self.connection.execute("SELECT name, width FROM aligner LIMIT 1").fetchone()
        if kept is None:
            raise BadValue(f"memory: '{self.path}' is damaged: it names no aligner of its vectors")
        if aligner is not None and tuple(kept) != aligner:
            raise BadValue(
                f"memory: expected vectors of aligner {aligner[0]!r} with {aligner[1]} numbers in "
                f"'{self.path}', got those of {kept[0]!r} with {kept[1]}"
            )
        return check_aligner(f"memory: '{self.path}' is damaged at aligner", list(kept))

    def check_unharmed(self) -> None:
        """Check that the file is still the one that was opened, and that its tables are there.

        SQLite itself would go on reading a deleted file, or cached pages of a file that was overwritten. The
        check of an unchanged file costs two system calls.

        Raises:
            BadMemory: the file was deleted, emptied, replaced, cut or overwritten.
        """
        check_mark(self.path, (self._seen.st_dev, self._seen.st_ino))
        with self.told():
            now = self.path.stat()
            if (now.st_size, now.st_mtime_ns) == (self._seen.st_size, self._seen.st_mtime_ns):
                return
            with closing(self._connected(self._reading())) as fresh:
                if not check_version(fresh, str(self.path)):
                    raise BadMemory(
                        f"memory: expected tables of this version of optimus-gym in '{self.path}', "
                        "got others"
                    )
                if now.st_size < self._seen.st_size:
                    (fault,) = fresh.execute("PRAGMA quick_check(1)").fetchone()
                    if fault != "ok":
                        raise BadMemory(f"memory: '{self.path}' is damaged: {fault}")
            self._seen = now

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        self.connection.close()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn errors of SQLite and of the operating system inside this context into `BadMemory`.

        Raises:
            BadMemory: an error came up inside this context; the message names the file.
        """
        try:
            yield
        except BadMemory:
            raise
        except BadValue as error:
            raise BadMemory(str(error)) from error
        except (sqlite3.Error, OSError, UnicodeError, OverflowError) as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
                raise KeyboardInterrupt from error  # Ctrl-C came inside SQLite and ended its call
            raise BadMemory(f"memory: '{self.path}' cannot be used: {error}") from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all changes to the database that are made inside this context; after an exception, none."""
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
        """Let all reads inside this context see one snapshot of the file; such contexts may be nested."""
        if self.connection.in_transaction:
            yield
            return
        self.connection.execute("BEGIN")
        try:
            yield
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
