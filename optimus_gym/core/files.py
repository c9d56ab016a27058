"""Files that are written whole or not at all."""

import os
import secrets
import shutil
from pathlib import Path

_NAME = 100
"""Characters of a file's name that the name of its temporary file repeats."""


def new_beside(path: Path) -> Path:
    """Make an empty hidden file that shall replace `path`, in the same folder and with its permissions.

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
    """Replace `path` by a complete file; if `path` is a link, replace the link's target.

    Raises:
        OSError: the file cannot be replaced; the old file stays.
    """
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(new, os.path.realpath(path))


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the file at `path` by `content`, whole; if that fails, the old file stays.

    Raises:
        OSError: the file cannot be written.
    """
    new = new_beside(Path(path))
    try:
        new.write_bytes(content)
        put_in_place(new, Path(path))
    finally:
        new.unlink(missing_ok=True)
