"""Cells that changed in a tick; their neighbours feel the change at the tick's end (`updates.feel_changes`).

A kernel that changes a block only notes the change here. A kernel that let the neighbours feel the change
at once would carry all that can follow, and take seconds longer to compile.
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.state.worlds import Worlds

SPARE_NOTES = 32
"""Number of notes kept free for the changes when one cell acts, and for the player's changes."""


@kernel
def note_change(worlds: Worlds, i: int, x: int, y: int, z: int, broken: int) -> None:
    """Let a cell and its neighbours feel a change at the end of the tick.

    Args:
        worlds: the worlds.
        i: number of the world.
        x: x of the cell.
        y: y of the cell.
        z: z of the cell.
        broken: voxel that broke there by itself and leaves its loot, 0 = none.
    """
    p = worlds.players[i]
    if p.noted < worlds.notes.shape[1]:
        row = worlds.notes[i, p.noted]
        row[0], row[1], row[2], row[3] = x, y, z, broken
        p.noted += 1


@kernel
def has_room(worlds: Worlds, i: int) -> bool:
    """Return whether more cells may change in this tick."""
    return bool(worlds.players[i].noted + SPARE_NOTES <= worlds.notes.shape[1])
