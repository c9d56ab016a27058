"""The size of the stored machine code, and its removal."""

import shutil
from contextlib import suppress
from typing import NamedTuple

from optimus_gym.worlds.voxel.compiling.first_use import alone
from optimus_gym.worlds.voxel.compiling.folder import cache_root


class Kept(NamedTuple):
    """Number and size of the files in a cache folder."""

    files: int
    size: int
    """Bytes."""


def kept_code() -> Kept:
    """Return the size of all stored code, for all versions of sources, compilers and processors."""
    sizes = []
    for path in cache_root().glob("*/*"):
        with suppress(FileNotFoundError):  # another process has put a new one in its place
            sizes.append(path.stat().st_size)
    return Kept(len(sizes), sum(sizes))


def clear_code() -> Kept:
    """Remove all stored code once no other process compiles; return its size.

    Raises:
        OSError: a file cannot be removed.
    """
    with alone("clearing the folder"):
        kept = kept_code()
        for path in cache_root().glob("*/"):
            shutil.rmtree(path)
    return kept
