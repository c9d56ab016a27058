"""Sealed files: a read returns exactly the content that was written under the file's name, or None.

A file begins with the SHA-256 of its name and content, which reveals flipped bits, a missing part and two
swapped files. The seal guards against accidents; `folder.py` checks who may write at all.
"""

import hashlib
import io
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.files import write_whole
from optimus_gym.worlds.voxel.compiling.code_keys import source_key
from optimus_gym.worlds.voxel.compiling.folder import cache_root

TOUCHED: Final[set[Path]] = set()
"""Sealed files that this process has read undamaged or has tried to write."""
_SEAL = hashlib.sha256().digest_size


def _seal(path: Path, content: bytes) -> bytes:
    """Return the seal of a file with `content`, a hash of the content and of the names of file and folder."""
    name = f"{path.parent.name}/{path.name}\0".encode()
    return hashlib.sha256(name + content).digest()


def load_sealed(path: Path) -> bytes | None:
    """Return the content of a sealed file; None if the file is missing, unreadable or damaged."""
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
            f"optimus-gym: compiled code cannot be kept for later starts: {error}",
            RuntimeWarning,
            stacklevel=2,
        )


def kept(file: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the array of `make`, read-only; load it from the disk if an undamaged copy is there.

    Args:
        file: the source file of `make`; after any change in this file, in its imports or in their data the
            array is made again.
        make: a function that always returns the same array, of a dtype without Python objects.
    """
    path = cache_root() / source_key(file) / f"{make.__name__}.npy"
    content = load_sealed(path)
    if content is None:
        array = make()
        written = io.BytesIO()
        np.save(written, array, allow_pickle=False)
        store(path, written.getvalue())
    else:
        array = np.load(io.BytesIO(content), allow_pickle=False)
    array.setflags(write=False)
    return array
