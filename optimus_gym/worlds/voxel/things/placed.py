"""Rows of blocks with a state of their own (ovens, containers), found by where they stand."""

from typing import Any

from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.kernels import kernel

NO_ROW = -1


@kernel
def row_at(rows: NDArray[Any], x: int, y: int, z: int) -> int:
    """Return which of some rows (with fields used, x, y, z) is in use for a position, -1 = none."""
    for k in range(rows.size):
        row = rows[k]
        if row.used and row.x == x and row.y == y and row.z == z:
            return k
    return NO_ROW


@kernel
def claim_row(rows: NDArray[Any], x: int, y: int, z: int) -> int:
    """Take the first free row for a position; return it, -1 = none is free."""
    for k in range(rows.size):
        row = rows[k]
        if not row.used:
            row.used, row.x, row.y, row.z = 1, x, y, z
            return k
    return NO_ROW
