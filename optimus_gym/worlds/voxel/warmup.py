"""First use: every kernel is compiled once, with progress on stderr; later starts load machine code."""

import sys
from functools import cache

import llvmlite.binding
import numba
import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from optimus_gym.core.actions import no_action
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.accounts import count_items, list_equipment, list_vitals
from optimus_gym.worlds.voxel.kernels import DECORATED, LISTENERS, cache_root, source_key
from optimus_gym.worlds.voxel.screen import Screens
from optimus_gym.worlds.voxel.state import make_worlds
from optimus_gym.worlds.voxel.stations import stations_in_reach
from optimus_gym.worlds.voxel.terrain.heights import biome_at
from optimus_gym.worlds.voxel.tick import tick_rows

NEAR = 16
"""View distance (blocks) of the world that is played for a tick to compile everything."""


@cache
def compile_once() -> None:
    """Compile what a reset, a tick and a frame need, unless this was done before on this CPU type."""
    processor = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    marker = cache_root() / f"{source_key(__file__)}-{processor}.compiled"
    if marker.exists():
        return
    console = Console(file=sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=console) as progress:
        total = len(DECORATED)
        bar = progress.add_task("Compiling the embedded world (first use)", total=total)
        listener = lambda _name: progress.advance(bar)  # noqa: E731
        LISTENERS.append(listener)
        try:
            _play_one_tick()
        finally:
            LISTENERS.remove(listener)
        progress.update(bar, completed=total)
    marker.touch()


def _play_one_tick() -> None:
    worlds = make_worlds(1, NEAR)
    start.begin(worlds, 0, np.uint64(0), -1, None, start.stacks_of({}))
    tick_rows(worlds, np.zeros(1, np.int64), no_action()[None])
    Screens(1, NEAR).draw(worlds, 0, np.zeros((8, 8, 3), np.uint8))
    count_items(worlds, 0, np.zeros(976, np.int32))
    list_equipment(worlds, 0, np.zeros(6, np.int32))
    list_vitals(worlds, 0, np.zeros(6, np.float32))
    stations_in_reach(worlds, 0)
    biome_at(worlds.players["seed"][0], 0, 0)
