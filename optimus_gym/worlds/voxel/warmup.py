"""First use: every kernel is compiled once, with progress on stderr; later starts load machine code.

Compiling is divided between this process and a second one (`python -m` this module), which compiles
land and picture while this one compiles the rules and the light, which takes as long; both leave machine
code in the same folder.
"""

import gc
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread

import numpy as np
from numba.core.registry import cpu_target
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from optimus_gym.core.actions import noop
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.compiling.kernels import DECORATED, cache_root, source_key
from optimus_gym.worlds.voxel.compiling.pipeline import LISTENERS
from optimus_gym.worlds.voxel.land.edits import index_edits
from optimus_gym.worlds.voxel.land.light import light_rows
from optimus_gym.worlds.voxel.land.schedule import index_schedule
from optimus_gym.worlds.voxel.land.window import mark_view, mend_field
from optimus_gym.worlds.voxel.player.accounts import count_items, list_bodies, list_poses
from optimus_gym.worlds.voxel.screen.hand_shelf import HeldShelf
from optimus_gym.worlds.voxel.screen.screens import NOTES, SHOWN, Screens, lay_over
from optimus_gym.worlds.voxel.state.worlds import Worlds, make_worlds
from optimus_gym.worlds.voxel.things.stations import stations_in_reach
from optimus_gym.worlds.voxel.tick import advance_rows, tick_rows

SHORTEST_VIEW = 16
"""View distance (blocks) of the world that is played for a tick to compile everything."""
_ROW = np.zeros(1, np.int64)


@cache
def compile_once() -> None:
    """Compile what a reset, a tick and a frame need, unless this was done before on this CPU type."""
    compile_with_progress(__file__, __package__, "the embedded world", _compile_world)


def compile_with_progress(
    file: str, package: str, what: str, work: Callable[[Callable[[str], None]], None]
) -> None:
    """Run `work`, which compiles the kernels that `file` needs, unless it was done before.

    Args:
        file: a source file; any change in it or in what it imports makes the work due again.
        package: the package whose kernels are counted.
        what: what is compiled, in words.
        work: compiles by calling the kernels; is given a function to call with the name of each
            kernel that another process compiles.
    """
    marker = cache_root() / f"{source_key(file)}-{_processor()}.compiled"
    if marker.exists():
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=Console(file=sys.stderr)) as progress:
        total = sum(module.startswith(package) for module in DECORATED)
        bar = progress.add_task(f"Compiling {what} (first use)", total=total)

        compiled: set[str] = set()

        def advance(name: str) -> None:
            if name.startswith(package):
                compiled.add(name)
                progress.update(bar, completed=len(compiled))

        LISTENERS.append(advance)
        try:
            with no_collections():
                work(advance)
        finally:
            LISTENERS.remove(advance)
        progress.update(bar, completed=total)
    marker.touch()


def _processor() -> str:
    """Return a hash of what Numba compiles for: the CPU's type and features (8 hex digits)."""
    described = cpu_target.target_context.codegen().magic_tuple()
    return hashlib.sha256(repr(described).encode()).hexdigest()[:8]


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


def _compile_world(advance: Callable[[str], None]) -> None:
    """Compile the rules here and land and picture in a second process; then play one tick.

    Whatever the second process did not do is compiled here by playing.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    second = subprocess.Popen(
        [sys.executable, "-m", "optimus_gym.worlds.voxel.warmup"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    output = second.stdout
    assert output is not None, "it is a pipe"

    def read() -> None:
        for line in output:
            advance(line.strip())

    reader = Thread(target=read, daemon=True)
    reader.start()
    try:
        _compile_rules(make_worlds(1, SHORTEST_VIEW))
        gc.collect()
        second.wait()
        reader.join()
    finally:
        second.kill()
        second.wait()
        output.close()
    _play_one_tick()


def _compile_rules(worlds: Worlds) -> None:
    """Compile what acts, lights and draws the screen's layer and what is held."""
    advance_rows(worlds, _ROW, noop()[None], 0)
    light_rows(worlds, _ROW)
    mark_view(worlds, 0, 0, 0, float(SHORTEST_VIEW), np.zeros((1, 1), np.bool_))
    count_items(worlds, _ROW, np.zeros((1, 976), np.int32))
    list_bodies(worlds, _ROW, np.zeros((1, 6), np.int32), np.zeros((1, 6), np.float32))
    list_poses(worlds, _ROW, np.zeros((1, 5)))
    stations_in_reach(worlds, 0)
    index_edits(worlds, 0)
    index_schedule(worlds, 0)
    screens = Screens(1, SHORTEST_VIEW)
    screens.prepare(8, 8)
    screens.draw_layer(worlds, 0, 8, 8)
    HeldShelf(8, 8).place(1, 0)
    tones, held = np.zeros(0, np.uint8), np.array([[8, 8, 3, 0, 0]], np.int64)
    layers, images = np.zeros((1, 8, 8, 4), np.uint8), np.zeros((1, 8, 8, 3), np.uint8)
    lay_over(worlds, _ROW, tones, held, layers, images)


def _compile_sight(worlds: Worlds) -> None:
    """Compile what makes land, measures and draws it."""
    mend_field(worlds, 0, 0, 0, np.zeros((1, 1), np.bool_))
    start.begin(worlds, 0, np.uint64(0), -1, None, start.stacks_of({}))
    start.respawn(worlds, 0)
    screens = Screens(1, SHORTEST_VIEW)
    screens.prepare(8, 8)
    shown, notes = np.zeros((1, SHOWN), np.int64), np.zeros((1, NOTES), np.int64)
    screens.see(worlds, _ROW, 0, np.zeros((1, 8, 8, 3), np.uint8), shown, notes)


def _play_one_tick() -> None:
    worlds = make_worlds(1, SHORTEST_VIEW)
    start.begin(worlds, 0, np.uint64(0), -1, None, start.stacks_of({}))
    tick_rows(worlds, _ROW, noop()[None])
    screens = Screens(1, SHORTEST_VIEW)
    screens.prepare(8, 8)
    screens.draw(worlds, _ROW, np.zeros((1, 8, 8, 3), np.uint8))


if __name__ == "__main__":
    LISTENERS.append(lambda name: print(name, flush=True))  # noqa: T201  read by the first process
    gc.disable()
    _compile_sight(make_worlds(1, SHORTEST_VIEW))
    os._exit(0)  # all is written; tidying up would take longer than a second
