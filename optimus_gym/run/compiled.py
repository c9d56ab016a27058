"""The commands `optimus-gym warmup` and `optimus-gym cache`: compile code, and show where it is stored."""

import time

from optimus_gym.controllers.compile_oracle import compile_controllers
from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.upkeep import clear_code, kept_code
from optimus_gym.worlds.voxel.sights import compile_sights
from optimus_gym.worlds.voxel.warmup import compile_once


def warm_up() -> str:
    """Compile all code that an environment may need, with progress on stderr; return a report."""
    begun = time.perf_counter()
    compile_once()
    compile_controllers()
    compile_sights()
    return f"ready after {time.perf_counter() - begun:.1f} s; {tell()}"


def tell() -> str:
    """Return in words where machine code is stored and how large it is."""
    kept = kept_code()
    return f"{cache_root()}: {kept.files} files, {_megabytes(kept.size)}"


def clear() -> str:
    """Delete the stored machine code, and return a report.

    Raises:
        BadValue: a file cannot be removed.
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
