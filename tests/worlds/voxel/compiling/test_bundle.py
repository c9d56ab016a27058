"""Bundles: kernels read and write their arrays, and copies have memory of their own."""

import copy
import pickle
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.bundle import Bundle
from optimus_gym.worlds.voxel.compiling.kernels import kernel

ROW = np.dtype([("id", "u2"), ("share", "f8")])


@dataclass(frozen=True, slots=True, eq=False)
class Pair(Bundle):
    rows: NDArray[Any]
    """ROW[n]."""
    table: NDArray[np.int32]
    """int32[n, m, 2]."""


def pair(rows=3, columns=4):
    table = np.arange(rows * columns * 2, dtype=np.int32).reshape(rows, columns, 2)
    return Pair(np.zeros(rows, ROW), table)


@kernel
def tail(bundle: Pair) -> int:
    """Return the table's last number; count the call in the first row."""
    bundle.rows[0].id += 1
    table = bundle.table
    return table[table.shape[0] - 1, table.shape[1] - 1, 1]


@kernel
def tail_of_part(bundle: Pair) -> int:
    """Pass the bundle on to another kernel."""
    return tail(bundle) + bundle.rows.size


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (1, 1), (7, 2)])
def test_kernels_read_and_write_the_arrays(rows, columns):
    bundle = pair(rows, columns)
    assert tail(bundle) == 2 * rows * columns - 1
    assert tail_of_part(bundle) == 2 * rows * columns - 1 + rows
    assert bundle.rows["id"][0] == 2


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda bundle: pickle.loads(pickle.dumps(bundle))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_a_copy_outlives_its_original(copied):
    bundle = pair()
    other = copied(bundle)
    assert other.address != bundle.address
    del bundle
    assert tail(other) == 23
    assert other.rows["id"][0] == 1


def test_a_deep_copy_shares_nothing():
    bundle = pair()
    tail(copy.deepcopy(bundle))
    assert bundle.rows["id"][0] == 0


def test_an_array_can_be_replaced():
    larger = replace(pair(), table=np.full((2, 2, 2), 5, np.int32))
    assert tail(larger) == 5


def test_arrays_must_be_contiguous():
    with pytest.raises(ValueError, match="table: expected a C-contiguous array"):
        replace(pair(), table=pair(4).table[::2])
