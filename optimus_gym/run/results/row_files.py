"""Reads the files of an evaluation's folder: rows, also packed ones, and runs."""

import gzip
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole
from optimus_gym.core.plain import read_json
from optimus_gym.run.results.row import EpisodeRow, row_of

ROWS_FILE: Final = "rows.jsonl"
RUNS: Final = "runs.jsonl"
_MOST_BYTES: Final = 2**28
"""Largest size in bytes of an uncompressed file of rows (about 50,000 episodes). The limit matters since a
compressed file of 2 MB could expand to 4 GB."""


def unpack_rows(folder: Path) -> None:
    """Replace a folder's packed file of rows by the unpacked file, so that rows can be added.

    Raises:
        BadValue: the packed file cannot be read.
    """
    file, packed = folder / ROWS_FILE, folder / f"{ROWS_FILE}.gz"
    if packed.exists() and not file.exists():
        write_whole(file, file_content(packed))
        packed.unlink()


def read_rows(folder: Path) -> tuple[tuple[EpisodeRow, ...], int, bool]:
    """Return a folder's rows, their size in bytes, and whether an incomplete row follows.

    Raises:
        BadValue: a row is damaged, or an episode has two rows.
    """
    file = folder / ROWS_FILE
    packed = folder / f"{ROWS_FILE}.gz"
    if not file.exists() and packed.exists():
        file = packed
    content = file_content(file) if file.exists() else b""
    length = content.rfind(b"\n") + 1
    rows: dict[tuple[str, int], EpisodeRow] = {}
    for number, line in enumerate(content[:length].splitlines(), 1):
        row = row_of(line, f"{file}, line {number}")
        if row.key in rows:
            raise BadValue(
                f"{file}, line {number}: expected one row for each episode, got a second one for "
                f"{row.task} {row.episode}"
            )
        rows[row.key] = row
    return tuple(rows.values()), length, length < len(content)


def read_runs(folder: Path) -> tuple[Mapping[str, Any], ...]:
    """Return the lines of a folder's `runs.jsonl`.

    Raises:
        BadValue: the file is damaged.
    """
    file = folder / RUNS
    lines = file_content(file).splitlines() if file.exists() else []
    return tuple(read_json(line, f"{file}, line {k}") for k, line in enumerate(lines, 1))


def file_content(file: Path) -> bytes:
    """Return a file's bytes, decompressed if the file's name ends in ".gz".

    Raises:
        BadValue: the file cannot be read, or has more than 2^28 bytes.
    """
    try:
        with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as opened:
            content: bytes = opened.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadValue(f"'{file}' cannot be read: {error}") from error
    if len(content) > _MOST_BYTES:
        raise BadValue(f"'{file}': expected at most {_MOST_BYTES:,} bytes, unpacked, got more")
    return content
