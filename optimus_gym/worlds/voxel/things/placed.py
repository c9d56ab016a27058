"""Finds the rows of the state that describe ovens, chests and barrels, by position."""

from typing import Any

from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel

NO_ROW = -1


@kernel
def row_at(rows: NDArray[Any], x: int, y: int, z: int) -> int:
    """Return the index of the used row for a position, -1 = none; rows have fields used, x, y and z."""
    for k in range(rows.size):
        row = rows[k]
        if row.used and row.x == x and row.y == y and row.z == z:
            return k
    return NO_ROW


@kernel
def claim_row(rows: NDArray[Any], x: int, y: int, z: int) -> int:
    """Claim the first free row for a position; return the row's index, -1 = no row is free."""
    for k in range(rows.size):
        row = rows[k]
        if not row.used:
            row.used, row.x, row.y, row.z = 1, x, y, z
            return k
    return NO_ROW


@kernel
def has_row(rows: NDArray[Any], x: int, y: int, z: int) -> bool:
    """Return whether a position has a row, or a row is free for it."""
    free = False
    for k in range(rows.size):
        free |= not rows[k].used
    return bool(free or row_at(rows, x, y, z) != NO_ROW)
