"""First use: what a part needs is compiled once, with progress on stderr; later starts load it.

One process compiles, others that start meanwhile wait for it.
"""

import gc
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from filelock import FileLock, Timeout
from numba.core import event
from numba.core.registry import cpu_target
from rich.console import Console
from rich.text import Text

from optimus_gym.core.errors import BadValue
from optimus_gym.terminal.bars import bars
from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.kernels import DECORATED
from optimus_gym.worlds.voxel.compiling.sources import source_key

Advance = Callable[[str], None]
"""Is called with the full name of a function that is compiled."""
LOCK = ".lock"
"""The file in the cache folder that whoever compiles holds."""


def compile_with_progress(
    file: str, package: str, what: str, work: Callable[[Advance], None]
) -> None:
    """Run `work`, which compiles the kernels that `file` needs, unless it was done before.

    It was done if each file that was made then is still there and whole.

    Args:
        file: a source file; any change in it or in what it imports makes the work due again.
        package: the package whose kernels are counted.
        what: what is compiled, in words.
        work: compiles by calling the kernels; is given a function to call with the name of each
            kernel that another process compiles.

    Raises:
        BadValue: Numba's compiler is switched off.
    """
    if numba.config.DISABLE_JIT:
        raise BadValue(
            "NUMBA_DISABLE_JIT: expected Numba's compiler to be on, as kernels reckon with numbers of"
            " fixed size, which Python alone does not have; unset the variable"
        )
    made = _made_files(file)
    if _are_whole(made):
        return
    with alone(what):
        if _are_whole(made):
            return
        with _bar(what, package) as advance, listening(advance), no_collections():
            work(advance)
        names = sorted(str(path.relative_to(cache_root())) for path in sealed.TOUCHED)
        sealed.store(made, "\n".join(names).encode())


def _made_files(file: str) -> Path:
    """Return the list of files that were made for a source file, and this CPU's type and features."""
    described = cpu_target.target_context.codegen().magic_tuple()
    processor = hashlib.sha256(repr(described).encode()).hexdigest()[:8]
    return cache_root() / source_key(file) / f"{Path(file).stem}-{processor}.made"


def _are_whole(made: Path) -> bool:
    """Tell whether all files that a list names are there and whole, and the list is."""
    names = sealed.load(made)
    return names is not None and all(
        sealed.load(cache_root() / name) is not None for name in names.decode().splitlines()
    )


@contextmanager
def alone(what: str) -> Iterator[None]:
    """Wait until no other process compiles, say what waits, and let none compile meanwhile."""
    lock = FileLock(cache_root() / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        waiting = f"Another process compiles: {what} waits for it"
        Console(file=sys.stderr).print(Text(waiting), soft_wrap=True)
        lock.acquire()
    except OSError:  # a disk that is full or knows no locks: twice the work is no harm
        yield
        return
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _bar(what: str, package: str) -> Iterator[Advance]:
    """Show how many kernels of a package have been compiled, as a function is told their names."""
    with bars() as progress:
        total = sum(module.startswith(package) for module in DECORATED)
        bar = progress.add_task(f"Compiling {what} (first use)", total=total)
        compiled: set[str] = set()

        def advance(name: str) -> None:
            if name.startswith(package):
                compiled.add(name)
                progress.update(bar, completed=len(compiled))

        yield advance
        progress.update(bar, completed=total)


class _Listener(event.Listener):  # type: ignore[misc]
    """Hands the name of each function on whose compiling begins."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        self._advance(f"{function.__module__}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def listening(advance: Advance) -> Iterator[None]:
    """Have `advance` called with the name of each function that Numba compiles in this process."""
    with event.install_listener("numba:compile", _Listener(advance)):
        yield


@contextmanager
def no_collections() -> Iterator[None]:
    """Let Python collect no garbage: a sixth of the compiler's time would go to it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
