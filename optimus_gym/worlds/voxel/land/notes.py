"""Cells that changed in a tick; their neighbours react at the tick's end (`updates.feel_changes`).

A kernel that changes a block only records the change (`note_change`). A kernel that let the neighbours react
at once would include the code of all reactions, and take seconds longer to compile.
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

SPARE_NOTES = 32
"""Free places that `has_room` asks for in the list of changed cells, for the changes of one acting cell and
of the player."""


@kernel
def note_change(worlds: Worlds, i: int, x: int, y: int, z: int, broken: int) -> None:
    """Record a changed cell, so that the cell and its neighbours react at the end of the tick.

    Args:
        worlds: the worlds.
        i: number of the world.
        x: x of the cell.
        y: y of the cell.
        z: z of the cell.
        broken: voxel of a block that broke in the cell by itself and drops its loot, 0 = none.
    """
    p = worlds.players[i]
    if p.noted < worlds.notes.shape[1]:
        row = worlds.notes[i, p.noted]
        row[0], row[1], row[2], row[3] = x, y, z, broken
        p.noted += 1


@kernel
def has_room(worlds: Worlds, i: int) -> bool:
    """Return whether the list of changed cells has room for further changes in this tick."""
    return bool(worlds.players[i].noted + SPARE_NOTES <= worlds.notes.shape[1])
