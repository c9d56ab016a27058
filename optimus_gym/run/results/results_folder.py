"""The folder of an evaluation: its identity, a row of results for each episode, and pictures.

| name | what |
| --- | --- |
| `evaluation.json` | the evaluation's identity: configuration and code; all rows in the folder share it |
| `rows.jsonl` | a line an episode (`row.py`), written at its end; `rows.jsonl.gz` can be read, too |
| `runs.jsonl` | a line for each run that was not killed: workers, rows in each, episodes, seconds |
| `frames/`, `videos/` | pictures of the ends of sub-goals, and films, named by task and episode |
| `shards/` | folders like this one, with the rows of single shards (`shards.py`) |
"""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import naming, write_whole
from optimus_gym.core.plain import read_json
from optimus_gym.run.results.row import CRASHED, FORMAT, OVERTIME, EpisodeRow
from optimus_gym.run.results.row_files import (
    ROWS_FILE,
    RUNS,
    file_content,
    read_rows,
    read_runs,
    unpack_rows,
)
from optimus_gym.run.results.shards import SHARDS, Shard, shard_folders

IDENTITY: Final = "evaluation.json"
FRAMES: Final = "frames"
VIDEOS: Final = "videos"
_CRASHED: Final = (CRASHED, OVERTIME)
_LOCK: Final = ".lock"
_PART: Final = ".*.part"
"""Pattern of the names of unfinished files that a killed process left (`core.files.new_beside`)."""


@dataclass(frozen=True, slots=True)
class Results:
    """The content of an evaluation's folder, with all its shards.

    Attributes:
        name: the folder's name.
        path: the folder's path.
        identity: configuration and code of the evaluation.
        rows: the episodes.
        runs: workers, seconds and episodes of each run that made the rows.
        cut: whether a file's last row is incomplete, and so left out.
        parts: the folders that hold the rows and pictures: the folder itself and those of the shards.
    """

    name: str
    path: Path
    identity: Mapping[str, Any]
    rows: tuple[EpisodeRow, ...]
    runs: tuple[Mapping[str, Any], ...] = ()
    cut: bool = False
    parts: tuple[Path, ...] = ()

    @property
    def start(self) -> Mapping[str, Any]:
        """Return the reset options of the episodes; an empty mapping if the folder names none."""
        asked = self.identity.get("evaluation")
        start = asked.get("start") if isinstance(asked, Mapping) else None
        return start if isinstance(start, Mapping) else {}


def read_results(path: str | os.PathLike[str]) -> Results:
    """Read the folder of a finished or running evaluation without changing it; skip incomplete last rows.

    The rows of all shards count as rows of the folder. If two of them have rows of one episode, the first row
    that is not crashed counts.

    Raises:
        BadValue: the folder does not exist or holds no evaluation, a newer version wrote it, a row is
            damaged, or its shards belong to different evaluations (the message names the fields that differ).
    """
    folder = check_path("results", path)
    if not folder.is_dir():
        raise BadValue(f"results: expected a folder of an evaluation, got '{folder}'")
    identities = {one: found for one in parts_in(folder) if (found := read_identity(one))}
    if not identities:
        raise BadValue(f"results: '{folder}' holds no {IDENTITY}; no evaluation wrote it")
    (first, identity), *others = identities.items()
    for part, own in others:
        _refuse_strange(part, first, identity, own)
    read = [read_rows(part) for part in identities]
    rows = (row for turn in zip_longest(*(rows for rows, _, _ in read)) for row in turn)
    return Results(
        folder.resolve().name,
        folder,
        identity,
        united(row for row in rows if row is not None),
        tuple(run for part in identities for run in read_runs(part)),
        any(cut for _, _, cut in read),
        tuple(identities),
    )


def parts_in(folder: Path) -> tuple[Path, ...]:
    """Return the folders that may hold rows of an evaluation: its own, and those of its shards."""
    return (folder, *shard_folders(folder))


def united(rows: Iterable[EpisodeRow]) -> tuple[EpisodeRow, ...]:
    """Return one row for each episode: the first one that is not crashed, or else the first one."""
    found: dict[tuple[str, int], EpisodeRow] = {}
    for row in rows:
        former = found.get(row.key)
        if former is None or (former.status in _CRASHED and row.status not in _CRASHED):
            found[row.key] = row
    return tuple(found.values())


def _refuse_strange(
    part: Path, first: Path, known: Mapping[str, Any], own: Mapping[str, Any]
) -> None:
    """Raise an error if two folders of one evaluation have different identities.

    Raises:
        BadValue: some fields differ; the message names each.
    """
    differing = list(differences("", known, own, ("in the first", "in the second")))
    if differing:
        listed = "\n  ".join(differing)
        raise BadValue(
            f"results: expected parts of one evaluation, got '{first}' and '{part}', which differ:"
            f"\n  {listed}"
        )


def read_identity(folder: Path) -> dict[str, Any] | None:
    """Return the identity of a folder's evaluation; None if the folder has no `evaluation.json`.

    Raises:
        BadValue: the file cannot be read, or has another format.
    """
    file = folder / IDENTITY
    if not file.exists():
        return None
    found = read_json(file_content(file), str(file))
    version = found.get("format") if isinstance(found, dict) else None
    if version != FORMAT:
        newer = isinstance(version, int) and version > FORMAT
        why = "; a newer version of optimus-gym wrote it" if newer else ""
        raise BadValue(f"{file}: expected format {FORMAT}, got {shown(version)}{why}")
    assert isinstance(found, dict)
    return found


@contextmanager
def opened(
    path: Path, identity: Mapping[str, Any], shard: Shard | None = None
) -> Iterator["OpenFolder"]:
    """Open a folder for writing by this process alone; make the folder if it does not exist.

    If no row is written into a new folder, everything that was made in the folder is removed.

    Args:
        path: the folder.
        identity: the identity of the rows, as JSON values.
        shard: the shard whose rows this process writes, into a folder of their own; None: the whole
            evaluation.

    Raises:
        BadValue: the folder or a shard holds rows of another evaluation (the message names the fields that
            differ), other files or damaged rows, or another process writes the same rows; the folder stays as
            it was.
        OSError: the folder cannot be written.
    """
    if path.exists() and not path.is_dir():
        raise BadValue(f"out: expected a folder, got the file '{path}'")
    own = path if shard is None else shard.folder(path)
    for part in dict.fromkeys((path, own, *parts_in(path))):
        former = read_identity(part)
        if former is not None:
            refuse_differences(part, former, identity)
        elif part in (path, own):  # another shard may be making its folder now
            _check_empty(part)
    is_new, is_first = not own.exists(), read_identity(own) is None
    own.mkdir(parents=True, exist_ok=True)
    lock = FileLock(own / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise BadValue(f"out: another process writes into '{own}'") from None
    try:
        if is_first:
            write_whole(own / IDENTITY, (json.dumps(identity, indent=2) + "\n").encode())
        yield OpenFolder(own, [part for part in parts_in(path) if part != own])
    finally:
        lock.release()
        if is_first and not _has_rows(own):
            _remove(own, is_new)


def _has_rows(path: Path) -> bool:
    return (path / ROWS_FILE).exists() and (path / ROWS_FILE).stat().st_size > 0


def _remove(path: Path, whole: bool) -> None:
    """Remove the files of an evaluation without rows; if `whole` is true, also the folder."""
    for name in (ROWS_FILE, RUNS, IDENTITY, _LOCK):
        (path / name).unlink(missing_ok=True)
    shards = (path.parent, path.parent.parent) if path.parent.name == SHARDS else ()
    for folder in (path / FRAMES, path / VIDEOS, *((path, *shards) if whole else ())):
        with suppress(OSError):  # the folder has files that this package did not write
            folder.rmdir()


def refuse_differences(path: Path, former: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Raise an error if a folder belongs to another evaluation.

    Raises:
        BadValue: some fields differ; the message names each.
    """
    differing = list(differences("", former, asked))
    if differing:
        listed = "\n  ".join(differing)
        raise BadValue(
            f"out: '{path}' holds rows of another evaluation or other code; choose another folder"
            f"\n  {listed}"
        )


def differences(
    name: str, there: object, asked: object, words: tuple[str, str] = ("there", "asked for")
) -> Iterator[str]:
    """Yield a line for each field in which two mappings differ; `words` stand before the two values."""
    if isinstance(there, Mapping) and isinstance(asked, Mapping):
        for key in dict.fromkeys((*there, *asked)):
            field = f"{name}.{key}".lstrip(".")
            yield from differences(field, there.get(key), asked.get(key), words)
    elif there != asked:
        yield f"{name}: {words[0]} {shown(there)}, {words[1]} {shown(asked)}"


def _check_empty(path: Path) -> None:
    found = sorted(file.name for file in path.iterdir()) if path.exists() else []
    strange = [name for name in found if name not in (_LOCK, SHARDS) and not fnmatch(name, _PART)]
    if strange:
        raise BadValue(
            f"out: expected a new or empty folder or one of an evaluation, got '{path}' with "
            f"{', '.join(strange[:3])}{', ...' if len(strange) > 3 else ''}"
        )


class OpenFolder:
    """A folder of an evaluation that this process writes into; see `opened`.

    Attributes:
        path: the folder.
        rows: the rows in the folder when it was opened.
        others: the rows in the evaluation's other folders at that time, those of its shards for instance.
        cut: whether an incomplete last row was removed, so that its episode must be replayed.
    """

    def __init__(self, path: Path, others: Sequence[Path] = ()) -> None:
        self.path = path
        self.others = united(row for one in others for row in read_rows(one)[0])
        unpack_rows(path)
        self.rows, length, self.cut = read_rows(path)
        if self.cut:
            os.truncate(path / ROWS_FILE, length)
        self._sweep()
        self._file = (path / ROWS_FILE).open("ab")
        self._added = 0

    def add(self, row: EpisodeRow) -> None:
        """Write a row to disk at once.

        Raises:
            OSError: the row cannot be written; the earlier rows stay, and no part of the new row. The error
                names the file.
        """
        begun = self._file.tell()
        try:
            self._file.write(row.to_line().encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            if error.errno and not error.filename:
                error.filename = str(self.path / ROWS_FILE)
            with suppress(OSError):  # closing writes the rest of the row if there is room
                self._file.close()
            os.truncate(self.path / ROWS_FILE, begun)
            self._file = (self.path / ROWS_FILE).open("ab")
            raise
        self._added += 1

    def leave_out(self, is_left: Callable[[EpisodeRow], bool]) -> None:
        """Rewrite the file without the rows for which `is_left` is true, so that their episodes are replayed.

        Raises:
            OSError: the file cannot be written; all rows stay.
        """
        kept = tuple(row for row in self.rows if not is_left(row))
        if len(kept) < len(self.rows):
            self.put_in_order(kept)
            self._file.close()
            self._file = (self.path / ROWS_FILE).open("ab")
            self.rows = kept

    def put_in_order(self, rows: Sequence[EpisodeRow]) -> None:
        """Rewrite the file of rows with `rows` in the given order."""
        write_whole(self.path / ROWS_FILE, "".join(row.to_line() for row in rows).encode())

    @contextmanager
    def timed(self, **told: int) -> Iterator[None]:
        """Append a line on this run to `runs.jsonl`: number of added rows, seconds, the values in `told`.

        Raises:
            OSError: the line cannot be written.
        """
        begun, had = time.perf_counter(), self._added

        def note() -> None:
            seconds = round(time.perf_counter() - begun, 1)
            run = {**told, "episodes": self._added - had, "seconds": seconds}
            with naming(self.path / RUNS), (self.path / RUNS).open("ab") as file:
                file.write((json.dumps(run) + "\n").encode())

        try:
            yield
        except BaseException:
            with suppress(OSError):  # the first error tells more than a full disk
                note()
            raise
        note()

    def close(self) -> None:
        """Close the file of rows, and delete unfinished pictures."""
        self._file.close()
        self._sweep()

    def _sweep(self) -> None:
        for name in ("", FRAMES, VIDEOS):
            for left in (self.path / name).glob(_PART):
                left.unlink()
