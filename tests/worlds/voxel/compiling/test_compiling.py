"""Kernels compute as plain Numba does, leak no memory and report errors; the choice of the compiler."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from optimus_gym.core.errors import BadValue
from optimus_gym.worlds.voxel.compiling import choice, code_keys, quick
from optimus_gym.worlds.voxel.compiling.folder import CACHE_VARIABLE
from optimus_gym.worlds.voxel.compiling.kernels import kernel, ray_kernel


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
def test_kernels_compute_the_numbers_of_plain_numba(function, numbers):
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


def test_the_error_of_an_inner_kernel_reaches_the_caller():
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


def test_a_kernel_can_return_a_number_or_nothing():
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
    """Own no array; pass a part of an array on."""
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
def test_kernels_free_every_array_that_they_allocate():
    expected = sum(k * k for k in range(1, 9) if k != 2) + 1
    assert make_and_lend(10) == expected
    before = rtsys.get_allocation_stats()
    assert [make_and_lend(10) for _ in range(100)] == [expected] * 100
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free == 200


STOCK = {**os.environ, choice.COMPILER_VARIABLE: choice.STOCK}
UNASKED = {**os.environ, choice.COMPILER_VARIABLE: ""}


@pytest.mark.slow
def test_stock_numba_passes_the_same_tests():
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", __file__], env=STOCK, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


ASKED = """
import numba
numba.__version__ = {version!r}
from optimus_gym.worlds.voxel.tables.trigonometry import cosine, sine
from optimus_gym.worlds.voxel.compiling import choice
assert 0.49 < sine(30.0) < 0.51
assert 0.86 < cosine(30.0) < 0.87
print(choice.compiler())
"""


@pytest.mark.parametrize("version", ["0.61.2", "0.69.0", "1.0.0rc1", "unknown"])
def test_an_untested_numba_version_means_stock_numba_and_one_warning(version):
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(version=version)],
        env=UNASKED,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "plain\n", done.stderr
    assert done.stderr.count(f"tested with Numba 0.62 to 0.68, not {version}") == 1


@pytest.mark.parametrize("version", ["0.62.0", "0.68.1", "0.69.0"])
def test_chosen_stock_numba_compiles_without_a_warning(version):
    done = subprocess.run(
        [sys.executable, "-c", ASKED.format(version=version)],
        env=STOCK,
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == ("plain\n", "")


def test_an_unknown_compiler_is_rejected(monkeypatch):
    monkeypatch.setenv(choice.COMPILER_VARIABLE, "quicker")
    with pytest.raises(BadValue, match="expected 'quick' or 'plain', got 'quicker'"):
        choice.compiler.__wrapped__()


def test_the_key_of_machine_code_names_the_compiler():
    assert code_keys._compilers().endswith(choice.compiler())


def test_the_code_on_numbas_private_interface_stays_small():
    assert len(Path(quick.__file__).read_text().splitlines()) <= 150


WIDE = """
import numpy as np
from numba import types
from optimus_gym.worlds.voxel.compiling.intrinsics import wide_vectors
from optimus_gym.worlds.voxel.compiling.kernels import ray_kernel

def narrow(a):
    for k in range(a.size):
        a[k] = a[k] * np.float32(3)

@ray_kernel
def wide(a):
    wide_vectors()
    for k in range(a.size):
        a[k] = a[k] * np.float32(3)

for kernel in (ray_kernel(narrow), wide):
    kernel.compile((types.float32[::1],))
    print("zmm" in kernel.inspect_asm(kernel.signatures[0]))
"""


@pytest.mark.parametrize("compiler", [choice.QUICK, choice.STOCK])
def test_only_kernels_that_ask_for_wide_vectors_have_them(compiler, tmp_path):
    processor = {"NUMBA_CPU_NAME": "skylake-avx512", "NUMBA_CPU_FEATURES": "+avx512f,+avx512vl"}
    written = tmp_path / "kernels.py"
    written.write_text(WIDE)
    done = subprocess.run(
        [sys.executable, written],
        env={
            **os.environ,
            **processor,
            choice.COMPILER_VARIABLE: compiler,
            CACHE_VARIABLE: str(tmp_path / "cache"),  # loaded code cannot be inspected
            "PYTHONPATH": str(Path(__file__).resolve().parents[4]),
        },
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["False", "True"], done.stderr
