"""What kernels compute is what plain Numba and NumPy compute; nothing leaks, and failures are told."""

import operator

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from optimus_gym.worlds.voxel.compiling.inference import ARITHMETIC
from optimus_gym.worlds.voxel.compiling.kernels import kernel, ray_kernel

ROW = np.dtype([("flag", "u1"), ("size", "f4"), ("places", "i4", 3)])
TABLE = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
ROWS = np.array([(k % 2, k / 4, (k, -k, 7)) for k in range(5)], ROW)


def _element(a, i, j):
    return a[i, j]


def _put(a, i, j, value):
    a[i, j] = value


element, put = ray_kernel(_element), ray_kernel(_put)


@ray_kernel
def read_all(a, rows, columns):
    out = np.zeros((rows.size, columns.size), a.dtype)
    for r in range(rows.size):
        for c in range(columns.size):
            out[r, c] = element(a, rows[r], columns[c])
    return out


@ray_kernel
def write_all(a, rows, columns, values):
    for k in range(rows.size):
        put(a, rows[k], columns[k], values[k])


ARRAYS = {
    "contiguous": np.arange(20).reshape(4, 5),
    "a view": np.arange(80).reshape(8, 10)[1::2, 9::-2],
    "bytes": np.arange(20, dtype=np.uint8).reshape(4, 5),
    "floats": np.linspace(-1, 1, 20, dtype=np.float32).reshape(4, 5),
    "booleans": (np.arange(20) % 3 == 0).reshape(4, 5),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.int8, np.uint8, np.uint64])
def test_elements_are_read_as_numpy_reads_them(name, kind):
    array, least = ARRAYS[name], 0 if np.dtype(kind).kind == "u" else -4
    rows, columns = np.arange(least, 4).astype(kind), np.arange(least, 5).astype(kind)
    np.testing.assert_array_equal(read_all(array, rows, columns), array[np.ix_(rows, columns)])


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("kind", [np.int64, np.float64, np.bool_])
def test_elements_are_written_as_numpy_writes_them(name, kind):
    ours, theirs = ARRAYS[name].copy(), ARRAYS[name].copy()
    rows, columns, values = np.array([0, -1, 3]), np.array([-5, 2, 4]), np.array([1, 0, 1], kind)
    write_all(ours, rows, columns, values)
    theirs[rows, columns] = values.astype(theirs.dtype)
    np.testing.assert_array_equal(ours, theirs)


@kernel
def entry(i, j, k):
    return TABLE[i, j, k] * 1000 + TABLE[1, -1, 2] + TABLE[0, 0, k]


@kernel
def row_entry(rows, k):
    row = ROWS[k]
    other = rows[-1]
    return row.flag + row.size * 10 + row.places[1] * 100 + other.places[k % 3] * 1000


@kernel
def look_up(i, j, k):
    return entry(i, j, k)


@kernel
def look_up_row(rows, k):
    return row_entry(rows, k)


def test_tables_are_constants():
    for place in np.ndindex(TABLE.shape):
        expected = int(TABLE[place]) * 1000 + int(TABLE[1, 2, 2]) + int(TABLE[0, 0, place[2]])
        assert look_up(*place) == expected
    for k, row in enumerate(ROWS):
        expected = row["flag"] + row["size"] * 10.0 + row["places"][1] * 100
        assert look_up_row(ROWS, k) == expected + ROWS[-1]["places"][k % 3] * 1000


def _choose(x, y):
    return min(x, y), max(x, y, 3), int(x), max(min(y, 2.5), x)


def _reckon(x, y):
    return x + y, x - y, x * y, x / y, x // y, x % y, x < y, x <= y, x == y, x != y, x > y, x >= y


def _shift(x, y):
    z = x
    z += y
    z *= 3
    z <<= 2
    z ^= 5
    return z >> 1, z & 12, z | y, x << 3, z**2, -z


NUMBERS = (7, -3, 2, np.int8(-5), np.int32(9), np.uint8(250), np.uint32(3), np.float32(1.5), -2.5)


@pytest.mark.parametrize(
    ("function", "numbers"),
    [(_choose, (*NUMBERS, np.nan)), (_reckon, NUMBERS), (_shift, NUMBERS[:7])],
)
def test_numbers_are_what_plain_numba_makes_of_them(function, numbers):
    part = ray_kernel(function)

    @ray_kernel
    def whole(x, y):
        return part(x, y)

    plain = numba.njit(error_model="numpy")(function)
    for x in numbers:
        for y in numbers:
            ours, theirs = whole(x, y), plain(x, y)
            assert [type(one) for one in ours] == [type(one) for one in theirs]
            np.testing.assert_array_equal(ours, theirs, err_msg=f"{x!r}, {y!r}")


@kernel
def refuse(k):
    if k > 2:
        raise ValueError("expected at most 2")
    return k


@kernel
def double(k):
    return 2 * refuse(k)


@kernel
def ask(k):
    return double(k) + 1


@kernel
def count_steps(step):
    count = 0
    for _ in range(0, 10, step):
        count += 1
    return count


@kernel
def ask_steps(step):
    return count_steps(step)


def test_a_failure_deep_down_is_told():
    assert ask(2) == 5
    with pytest.raises(ValueError, match="expected at most 2"):
        ask(3)
    assert ask(1) == 3
    assert ask_steps(3) == 4
    with pytest.raises(ValueError, match="must not be zero"):
        ask_steps(0)


@kernel
def half(k):
    return k // 2 if k % 2 == 0 else None


@kernel
def half_or(k, other):
    found = half(k)
    return other if found is None else found


@kernel
def ask_half(k):
    return half_or(k, -1)


def test_nothing_can_be_returned():
    assert [ask_half(k) for k in range(5)] == [0, -1, 1, -1, 2]


@kernel
def middle(a):
    return a[1:-1]


@kernel
def squares(count):
    out = np.empty(count, np.int64)
    for k in range(count):
        out[k] = k * k
    return out


@kernel
def total(a):
    sum_ = 0
    for k in range(a.size):
        sum_ += a[k]
    return sum_


@kernel
def lend(a):
    """Owns nothing, and hands a part of an array on."""
    return total(a[2:]) + a[0]


@kernel
def make_and_lend(count):
    made = squares(count)
    return lend(middle(made)) + total(squares(2))


@pytest.fixture
def counted():
    """Let Numba count what it allocates."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.usefixtures("counted")
def test_arrays_live_as_long_as_they_are_needed_and_no_longer():
    expected = sum(k * k for k in range(1, 9) if k != 2) + 1
    assert make_and_lend(10) == expected
    before = rtsys.get_allocation_stats()
    assert [make_and_lend(10) for _ in range(100)] == [expected] * 100
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free == 200


def test_operators_are_those_that_do_not_care_for_literals():
    assert operator.pow not in ARITHMETIC
    assert {operator.add, operator.iadd, operator.and_, operator.iand, operator.lt} <= ARITHMETIC
