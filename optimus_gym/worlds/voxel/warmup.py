"""Compilation, at first use, of every kernel that a reset, a tick and a frame need.

Two processes share the compilation. The second process (`python -P -m` this module) compiles the kernels of
land and pictures. Meanwhile the first process compiles the kernels of the game's rules and of light, which
takes about as long. Both processes store machine code in the same folder.
"""

import gc
import os
import subprocess
import sys
from functools import cache
from threading import Thread

import numpy as np

from optimus_gym.core.actions import noop
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.compiling.code_keys import PACKAGE
from optimus_gym.worlds.voxel.compiling.first_use import (
    Advance,
    compile_with_progress,
    listening,
)
from optimus_gym.worlds.voxel.compiling.folder import CACHE_VARIABLE, cache_root
from optimus_gym.worlds.voxel.land.edits import index_edits
from optimus_gym.worlds.voxel.land.light import light_rows
from optimus_gym.worlds.voxel.land.schedule import index_schedule
from optimus_gym.worlds.voxel.land.window import mark_view, mend_field
from optimus_gym.worlds.voxel.player.accounts import count_items, list_bodies, list_poses
from optimus_gym.worlds.voxel.predicaments import predicaments_of
from optimus_gym.worlds.voxel.screen.hand_shelf import HeldShelf
from optimus_gym.worlds.voxel.screen.painter import NOTES, Painter, lay_over
from optimus_gym.worlds.voxel.state.worlds import Worlds, make_worlds
from optimus_gym.worlds.voxel.terrain.biome_start import biome_share, find_in_biome
from optimus_gym.worlds.voxel.terrain.biomes import PLAINS
from optimus_gym.worlds.voxel.things.stations import stations_in_reach
from optimus_gym.worlds.voxel.tick import advance_rows, tick_rows

SHORTEST_VIEW = 16
"""View distance (blocks) of the small world that plays a tick to compile everything."""
_ROW = np.zeros(1, np.int64)


@cache
def compile_once() -> None:
    """Compile the kernels of reset, tick and frame, unless that was done before on this CPU type."""
    compile_with_progress(__file__, __package__, "the embedded world", _compile_world)


def _compile_world(advance: Advance) -> None:
    """Compile the kernels of the game's rules in this process, of land and pictures in a second process.

    Once the second process has ended, this process loads the machine code made there and compiles what is
    missing.
    """
    second = second_process()
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
    _compile_sight(make_worlds(1, SHORTEST_VIEW))
    _play_one_tick()


def second_process() -> "subprocess.Popen[str]":
    """Start the process that compiles land and pictures, and prints the names of compiled functions.

    The new process has the module path and the folder for machine code of the calling process. `-P` and the
    filter of empty names in `sys.path` keep the new process from searching the current folder for modules.
    """
    paths = [*(path for path in sys.path if path), str(PACKAGE.parent)]
    variables = {CACHE_VARIABLE: str(cache_root().parent), "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "optimus_gym.worlds.voxel.warmup"],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _compile_rules(worlds: Worlds) -> None:
    """Compile the kernels of the game's rules, light, the screen's overlay and the held item's picture."""
    advance_rows(worlds, _ROW, noop()[None], np.zeros((1, 2)), 0)
    light_rows(worlds, _ROW)
    mark_view(worlds, 0, 0, 0, float(SHORTEST_VIEW), np.zeros((1, 1), np.bool_))
    count_items(worlds, _ROW, np.zeros((1, 976), np.int32))
    list_bodies(worlds, _ROW, np.zeros((1, 6), np.int32), np.zeros((1, 6), np.float32))
    list_poses(worlds, _ROW, np.zeros((1, 5)))
    stations_in_reach(worlds, 0)
    predicaments_of(worlds, 0)
    index_edits(worlds, 0)
    index_schedule(worlds, 0)
    painter = Painter(1, SHORTEST_VIEW)
    painter.prepare(8, 8)
    painter.renew(worlds, _ROW, np.zeros((1, NOTES), np.int64), 8, 8)
    HeldShelf(8, 8).place(1, 0, 0)
    tones, held = np.zeros(0, np.uint8), np.array([[8, 8, 3, 0, 0]], np.int64)
    layers, images = np.zeros((1, 8, 8, 4), np.uint8), np.zeros((1, 8, 8, 3), np.uint8)
    lay_over(worlds, _ROW, tones, held, layers, images)


def _compile_sight(worlds: Worlds) -> None:
    """Compile the kernels that generate land, compute its distance field and draw it."""
    mend_field(worlds, 0, 0, 0, np.zeros((1, 1), np.bool_))
    start.begin(worlds, 0, np.uint64(0), -1, None, start.stacks_of({}))
    biome_share(np.uint64(0), *find_in_biome(np.uint64(0), PLAINS), PLAINS)
    start.respawn(worlds, 0)
    painter = Painter(1, SHORTEST_VIEW)
    painter.prepare(8, 8)
    notes = np.zeros((1, NOTES), np.int64)
    painter.see(worlds, _ROW, 0, np.zeros((1, 8, 8, 3), np.uint8), notes)


def _play_one_tick() -> None:
    worlds = make_worlds(1, SHORTEST_VIEW)
    start.begin(worlds, 0, np.uint64(0), -1, None, start.stacks_of({}))
    tick_rows(worlds, _ROW, noop()[None], np.zeros((1, 2)))
    painter = Painter(1, SHORTEST_VIEW)
    painter.prepare(8, 8)
    painter.draw(worlds, _ROW, np.zeros((1, 8, 8, 3), np.uint8))


if __name__ == "__main__":
    gc.disable()
    with listening(lambda name: print(name, flush=True)):  # noqa: T201  read by the first process
        _compile_sight(make_worlds(1, SHORTEST_VIEW))
    os._exit(0)  # All files are written; the interpreter's end would take longer than a second.
