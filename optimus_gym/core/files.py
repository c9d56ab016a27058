"""Files that are written whole or not at all."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = 100
"""Number of a file name's first characters that the name of the temporary file repeats."""


def new_beside(path: Path) -> Path:
    """Make an empty hidden file that shall replace `path`, in the folder and with the permissions of `path`.

    Raises:
        OSError: the file cannot be made.
    """
    target = Path(os.path.realpath(path))
    new = target.parent / f".{target.name[:_NAME]}.{secrets.token_hex(6)}.part"
    new.open("xb").close()
    if target.exists():
        shutil.copymode(target, new)
    return new


def put_in_place(new: Path, path: Path) -> None:
    """Replace `path` by the complete file `new`; if `path` is a link, replace the link's target.

    Raises:
        OSError: the file cannot be replaced; the old file stays.
    """
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(new, os.path.realpath(path))


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to `path` completely; if writing fails, the old file at `path` stays as it was.

    Raises:
        OSError: the file cannot be written; the error names the file.
    """
    new = new_beside(Path(path))
    try:
        with naming(path):
            new.write_bytes(content)
            put_in_place(new, Path(path))
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let an `OSError` that names no file name `path`, such as the error of a full disk."""
    try:
        yield
    except OSError as error:
        if error.errno and not error.filename:
            error.filename = os.fspath(path)
        raise
