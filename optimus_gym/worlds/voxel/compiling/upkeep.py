"""How much machine code is kept, and how it is thrown away."""

import shutil
from contextlib import suppress
from typing import NamedTuple

from optimus_gym.worlds.voxel.compiling.first_use import alone
from optimus_gym.worlds.voxel.compiling.folder import cache_root


class Kept(NamedTuple):
    """What a cache folder holds."""

    files: int
    size: int
    """Bytes."""


def kept_code() -> Kept:
    """Return how much is kept, of this and of other versions of sources, compilers and processors."""
    sizes = []
    for path in cache_root().glob("*/*"):
        with suppress(FileNotFoundError):  # another process has put a new one in its place
            sizes.append(path.stat().st_size)
    return Kept(len(sizes), sum(sizes))


def clear_code() -> Kept:
    """Throw away what is kept, when no process compiles any more; return how much it was.

    Raises:
        OSError: something cannot be removed.
    """
    with alone("clearing the folder"):
        kept = kept_code()
        for path in cache_root().glob("*/"):
            shutil.rmtree(path)
    return kept
