"""Cells that act some ticks later: water flows 5 ticks after a neighbour changed, sand falls 2 ticks after.

A list holds the cells in the order of scheduling, each cell at most once; `turns` lets the due cells act. A
hash table leads from a cell to its row of the list. Rows of cells that have acted stay in list and table
until `tidy_schedule` removes the rows.

Reference: Minecraft Wiki, "Tick" (scheduled tick).
"""

from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.edits import find_slot, first_slot
from optimus_gym.worlds.voxel.state.worlds import DONE, Worlds


@kernel
def schedule(worlds: Worlds, i: int, x: int, y: int, z: int, delay: int) -> None:
    """Let a cell act `delay` ticks from now, or earlier if the cell was due earlier.

    If the list of scheduled cells is full, the call does nothing: the cell stays as it is until a neighbour
    changes.
    """
    player = worlds.players[i]
    due = player.tick + delay
    index = worlds.scheduled_index[i]
    slot = find_slot(index, worlds.scheduled[i], x, y, z)
    if index[slot]:
        row = worlds.scheduled[i, index[slot] - 1]
        if row.due != DONE:
            row.due = min(row.due, due)
            player.soonest = min(player.soonest, due)
            return
    if player.scheduled == worlds.scheduled.shape[1]:
        return
    row = worlds.scheduled[i, player.scheduled]
    row.x, row.y, row.z, row.due = x, y, z, due
    player.scheduled += 1
    player.soonest = min(player.soonest, due)
    index[slot] = player.scheduled


@kernel
def tidy_schedule(worlds: Worlds, i: int) -> None:
    """Remove the rows of cells that have acted from the list of scheduled cells."""
    player = worlds.players[i]
    forget_index(worlds, i)
    kept = 0
    for k in range(player.scheduled):
        row = worlds.scheduled[i, k]
        if row.due != DONE:
            new = worlds.scheduled[i, kept]
            new.x, new.y, new.z, new.due = row.x, row.y, row.z, row.due
            kept += 1
    player.scheduled = kept
    index_schedule(worlds, i)


@kernel
def index_schedule(worlds: Worlds, i: int) -> None:
    """Enter all scheduled cells into their hash table, which must be empty."""
    index = worlds.scheduled_index[i]
    for k in range(worlds.players[i].scheduled):
        row = worlds.scheduled[i, k]
        index[find_slot(index, worlds.scheduled[i], row.x, row.y, row.z)] = k + 1


@kernel
def forget_index(worlds: Worlds, i: int) -> None:
    """Empty the hash table of scheduled cells, from the first slot of each cell to the next free slot."""
    index = worlds.scheduled_index[i]
    mask = index.size - 1
    for k in range(worlds.players[i].scheduled):
        row = worlds.scheduled[i, k]
        slot = first_slot(row.x, row.y, row.z, mask)
        while index[slot]:
            index[slot] = 0
            slot = (slot + 1) & mask
