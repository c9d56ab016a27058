"""First use: compile a component's kernels with a progress bar on stderr; later starts load the kernels.

One process compiles; other processes that start meanwhile wait for that process. A process that removes the
stored machine code holds the same lock as a process that compiles.
"""

import gc
import hashlib
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numba
from filelock import FileLock, Timeout
from numba.core import event
from numba.core.registry import cpu_target
from rich.console import Console
from rich.text import Text

from optimus_gym.core.errors import BadValue
from optimus_gym.terminal.bars import bars
from optimus_gym.worlds.voxel.compiling import sealed
from optimus_gym.worlds.voxel.compiling.code_keys import source_key
from optimus_gym.worlds.voxel.compiling.folder import cache_root
from optimus_gym.worlds.voxel.compiling.kernels import DECORATED

Advance = Callable[[str], None]
"""A callback that gets the full name of each function that is compiled."""
LOCK = ".lock"
"""The lock file in the cache folder; the compiling process holds it."""


def compile_with_progress(
    file: str, package: str, what: str, work: Callable[[Advance], None]
) -> None:
    """Run `work`, which compiles the kernels that `file` needs, unless an earlier start has done so.

    The work counts as done if every file that it made is still there and undamaged.

    Args:
        file: a source file; after any change in this file or in its imports `work` runs again.
        package: the package whose kernels the progress bar counts.
        what: the name, for messages, of the component that needs the kernels.
        work: a function that compiles the kernels by calling them. `work` gets a function as argument,
            and calls it with the name of each kernel that another process has compiled for `work`.

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
    """Return the path of a file that lists all files made for a source file and this kind of CPU."""
    described = cpu_target.target_context.codegen().magic_tuple()
    processor = hashlib.sha256(repr(described).encode()).hexdigest()[:8]
    return cache_root() / source_key(file) / f"{Path(file).stem}-{processor}.made"


def _are_whole(made: Path) -> bool:
    """Return whether the list `made` and all files that the list names exist and are undamaged."""
    names = sealed.load_sealed(made)
    return names is not None and all(
        sealed.load_sealed(cache_root() / name) is not None for name in names.decode().splitlines()
    )


@contextmanager
def alone(what: str) -> Iterator[None]:
    """Hold the lock for compiling; if another process holds the lock, report so on stderr and wait."""
    lock = FileLock(cache_root() / LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        waiting = f"Another process compiles: {what} waits for it"
        Console(file=sys.stderr).print(Text(waiting), soft_wrap=True)
        lock.acquire()
    except OSError:  # a disk without room or locks: compiling twice does no harm
        yield
        return
    try:
        yield
    finally:
        lock.release()


@contextmanager
def _bar(what: str, package: str) -> Iterator[Advance]:
    """Show a progress bar of a package's kernels; yield a function that takes each compiled kernel's name."""
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
    """Call a function with the name of each function that Numba begins to compile."""

    def __init__(self, advance: Advance) -> None:
        self._advance = advance

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        self._advance(f"{function.__module__}.{function.__qualname__}")

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def listening(advance: Advance) -> Iterator[None]:
    """Call `advance` with the name of each function that Numba compiles in this process."""
    with event.install_listener("numba:compile", _Listener(advance)):
        yield


@contextmanager
def no_collections() -> Iterator[None]:
    """Switch off Python's garbage collection, which would take a sixth of the compiler's time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Kept(NamedTuple):
    """Number and total size of the files of machine code in a cache folder."""

    files: int
    size: int
    """Size of the files, bytes."""


def kept_code() -> Kept:
    """Return number and size of all stored files of machine code, whatever the sources and the CPU."""
    sizes = []
    for path in cache_root().glob("*/*"):
        with suppress(FileNotFoundError):  # another process has replaced this file
            sizes.append(path.stat().st_size)
    return Kept(len(sizes), sum(sizes))


def clear_code() -> Kept:
    """Remove all stored machine code once no other process compiles; return number and size of the files.

    Raises:
        OSError: a file cannot be removed.
    """
    with alone("clearing the folder"):
        kept = kept_code()
        for path in cache_root().glob("*/"):
            shutil.rmtree(path)
    return kept
