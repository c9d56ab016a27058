"""Choice of the compiler for kernels: this package's quick compiler, or Numba's own, which is the reference.

Kernels of both compilers give the same results at the same speed. The quick compiler uses parts of Numba that
are not public and may change with any version.
"""

import os
import re
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import numba

from optimus_gym.core.errors import BadValue

COMPILER_VARIABLE: Final = "OPTIMUS_GYM_COMPILER"
"""Environment variable that chooses the compiler: "quick" (the default with tested versions of Numba) or
"plain" (Numba's own)."""
QUICK, STOCK = "quick", "plain"
OLDEST = (0, 62)
"""Oldest version of Numba with which the quick compiler was tested."""
NEWEST = (0, 68)
"""Newest version of Numba with which the quick compiler was tested."""


@cache
def compiler() -> str:
    """Return the name of the compiler for kernels: `QUICK`, or `STOCK` for Numba's own.

    Raises:
        BadValue: the environment variable `OPTIMUS_GYM_COMPILER` is neither "quick" nor "plain".
    """
    chosen = os.environ.get(COMPILER_VARIABLE) or QUICK
    if chosen not in (QUICK, STOCK):
        raise BadValue(f"{COMPILER_VARIABLE}: expected {QUICK!r} or {STOCK!r}, got {chosen!r}")
    if chosen == QUICK and not is_tested(numba.__version__):
        tested = " to ".join(".".join(map(str, version)) for version in (OLDEST, NEWEST))
        warnings.warn(
            f"optimus-gym: the quick compiler was tested with Numba {tested}, not {numba.__version__}:"
            " Numba's own compiler is used, and a first start takes longer;"
            f" set {COMPILER_VARIABLE}={STOCK} to silence this warning",
            RuntimeWarning,
            stacklevel=2,
        )
        return STOCK
    return chosen


def is_tested(version: str) -> bool:
    """Return whether the quick compiler was tested with a version of Numba.

    >>> is_tested("0.68.3"), is_tested("0.69.0"), is_tested("0.61.2"), is_tested("1.0.0rc1")
    (True, False, False, False)
    """
    numbers = re.match(r"(\d+)\.(\d+)", version)
    return numbers is not None and OLDEST <= (int(numbers[1]), int(numbers[2])) <= NEWEST


def options() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return two mappings of `numba.njit` arguments: for kernels that Python calls, and for all others."""
    if compiler() == STOCK:
        return {}, {}
    from optimus_gym.worlds.voxel.compiling.quick import PartCompiler, WholeCompiler

    return {"pipeline_class": WholeCompiler}, {"pipeline_class": PartCompiler}
