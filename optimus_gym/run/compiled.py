"""The commands `optimus-gym warmup` and `optimus-gym cache`: what is compiled, and where it is kept."""

import time

from optimus_gym.controllers.warmup import compile_controllers
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.upkeep import clear_code, kept_code
from optimus_gym.worlds.voxel.sights import compile_sights
from optimus_gym.worlds.voxel.warmup import compile_once


def warm_up() -> str:
    """Compile all that an environment may come to need, with progress on stderr; say what is kept."""
    begun = time.perf_counter()
    compile_once()
    compile_controllers()
    compile_sights()
    return f"ready after {time.perf_counter() - begun:.1f} s; {tell()}"


def tell() -> str:
    """Say where machine code is kept and how large it is."""
    kept = kept_code()
    return f"{cache_root()}: {kept.files} files, {_megabytes(kept.size)}"


def clear() -> str:
    """Throw away what is kept, and say what it was.

    Raises:
        BadValue: something cannot be removed.
    """
    try:
        kept = clear_code()
    except OSError as error:
        raise BadValue(f"cache: cannot be cleared: {error}") from error
    return f"{cache_root()}: removed {kept.files} files, {_megabytes(kept.size)}"


def _megabytes(size: int) -> str:
    """Return a number of bytes in words.

    >>> _megabytes(12_345_678)
    '12.3 MB'
    """
    return f"{size / 1e6:,.1f} MB"
