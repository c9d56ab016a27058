"""The commands `optimus-gym warmup` and `optimus-gym cache`: compile code, and show where it is stored.

The commands import the world's modules only when needed, because the import takes a second.
"""

import argparse
import time
from typing import Final

from rich.console import Console

from optimus_gym.core.errors import BadValue
from optimus_gym.terminal.printing import words

WARMUP_EXAMPLES: Final = ("optimus-gym warmup",)
CACHE_EXAMPLES: Final = ("optimus-gym cache", "optimus-gym cache --clear")


def add_cache_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `cache`."""
    parser.add_argument(
        "--clear",
        action="store_true",
        help="delete the compiled machine code; the next start compiles it again (default: off)",
    )


def warm_up(_: argparse.Namespace) -> int:
    """Compile all code that an environment may need, with progress on stderr; return 0."""
    from optimus_gym.controllers.compile_oracle import compile_controllers
    from optimus_gym.worlds.voxel.sights import compile_sights
    from optimus_gym.worlds.voxel.warmup import compile_once

    begun = time.perf_counter()
    compile_once()
    compile_controllers()
    compile_sights()
    return _say(f"ready after {time.perf_counter() - begun:.1f} s; {stored()}")


def cache(parsed: argparse.Namespace) -> int:
    """Print where compiled machine code is stored and its size, or delete the code; return 0.

    Raises:
        BadValue: a file of machine code cannot be removed.
    """
    return _say(_clear() if parsed.clear else stored())


def stored() -> str:
    """Return a text that says where compiled machine code is stored, and its size."""
    from optimus_gym.worlds.voxel.compiling.first_use import kept_code
    from optimus_gym.worlds.voxel.compiling.folder import cache_root

    kept = kept_code()
    return f"{cache_root()}: {kept.files} files, {_megabytes(kept.size)}"


def _clear() -> str:
    from optimus_gym.worlds.voxel.compiling.first_use import clear_code
    from optimus_gym.worlds.voxel.compiling.folder import cache_root

    try:
        kept = clear_code()
    except OSError as error:
        raise BadValue(f"cache: expected files that can be removed ({error})") from error
    return f"{cache_root()}: removed {kept.files} files, {_megabytes(kept.size)}"


def _say(line: str) -> int:
    Console().print(words(line), soft_wrap=True)
    return 0


def _megabytes(size: int) -> str:
    """Return a size in bytes as a text in megabytes.

    >>> _megabytes(12_345_678)
    '12.3 MB'
    """
    return f"{size / 1e6:,.1f} MB"
