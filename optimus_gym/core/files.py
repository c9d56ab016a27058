"""Files that are written whole or not at all."""

import os
import secrets
import shutil
from pathlib import Path

_NAME = 100
"""Characters of a file's name that stand in that of the new one beside it."""


def new_beside(path: Path) -> Path:
    """Make an empty hidden file for what shall take the place of `path`, with the permissions of that.

    Raises:
        OSError: it cannot be made.
    """
    target = Path(os.path.realpath(path))
    new = target.parent / f".{target.name[:_NAME]}.{secrets.token_hex(6)}.part"
    new.open("xb").close()
    if target.exists():
        shutil.copymode(target, new)
    return new


def put_in_place(new: Path, path: Path) -> None:
    """Let a file that is whole take the place of `path`; where that is a link, of what it leads to.

    Raises:
        OSError: it cannot be done; what was there is there still.
    """
    with new.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(new, os.path.realpath(path))


def write_whole(path: str | os.PathLike[str], content: bytes) -> None:
    """Put a file in the place of `path`, whole; if that fails, what was there stays.

    Raises:
        OSError: it cannot be written.
    """
    new = new_beside(Path(path))
    try:
        new.write_bytes(content)
        put_in_place(new, Path(path))
    finally:
        new.unlink(missing_ok=True)
