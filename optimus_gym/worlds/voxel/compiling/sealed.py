"""Sealed files: what is read is what was written under that name, or nothing.

A file begins with the SHA-256 of its name and content, so that flipped bits, a missing part and two files
that changed places are all seen. That is against accidents; `folder.py` sees to it who may write at all.
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
    """Return what a file with `content` begins with; its folder may stand anywhere, its name counts."""
    name = f"{path.parent.name}/{path.name}\0".encode()
    return hashlib.sha256(name + content).digest()


def load(path: Path) -> bytes | None:
    """Return what was stored; None if that is not there, cannot be read or is damaged."""
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
    """Put a sealed file in the place of `path`; where that cannot be, warn and go on."""
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
