"""Sealed files: a read returns exactly the content written under that name, or nothing.

A file begins with the SHA-256 of its name and content, which reveals flipped bits, a missing part and two
swapped files. The seal guards against accidents; `folder.py` checks who may write at all.
"""

import hashlib
import warnings
from pathlib import Path
from typing import Final

from optimus_gym.core.files import write_whole

TOUCHED: Final[set[Path]] = set()
"""Files that this process has read, or has tried to write."""
_SEAL = hashlib.sha256().digest_size


def _seal(path: Path, content: bytes) -> bytes:
    """Return the seal of a file with `content`; the seal depends on the file's name, not on its folder."""
    name = f"{path.parent.name}/{path.name}\0".encode()
    return hashlib.sha256(name + content).digest()


def load(path: Path) -> bytes | None:
    """Return the stored content; None if the file is missing, unreadable or damaged."""
    try:
        found = path.read_bytes()
    except OSError:
        return None
    content = found[_SEAL:]
    if found[:_SEAL] != _seal(path, content):
        return None
    TOUCHED.add(path)
    return content


def store(path: Path, content: bytes) -> None:
    """Store a sealed file at `path`; warn and go on if that fails."""
    TOUCHED.add(path)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        write_whole(path, _seal(path, content) + content)
    except OSError as error:
        warnings.warn(
            f"optimus-gym: what was compiled cannot be kept for later starts: {error}",
            RuntimeWarning,
            stacklevel=2,
        )
