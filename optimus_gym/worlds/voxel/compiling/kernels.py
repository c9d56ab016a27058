"""Decorators that compile the world's functions; see `machine_code.py` for the stored machine code."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

import numba
from numba import types

from optimus_gym.worlds.voxel.compiling import choice
from optimus_gym.worlds.voxel.compiling.machine_code import MachineCode

Function = TypeVar("Function", bound=Callable[..., Any])

DECORATED: list[str] = []
"""The module of each function that has been decorated, compiled or not."""


def _widened(kind: types.Type) -> types.Type:
    """Return the type that a kernel is compiled for when another kernel passes `kind`."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types([_widened(part) for part in kind.types])
    small = isinstance(kind, types.Integer) and kind.bitwidth < 64 and kind != types.uint32
    return types.int64 if small else kind


def _compiled(function: Function, widened: bool = True, **options: Any) -> Function:
    """Compile `function` at its first call: once for Python, and separately for other kernels.

    Most kernels are called by kernels alone. Their version has no entry from Python, which takes longer
    to compile than many a kernel. If `widened`, kernels pass small integers to them as int64, because
    Numba would compile a kernel again for int16, int32, a literal 3, a literal 4 and so on. Both make
    the first start several times faster. The disk keeps only the versions that Python calls.
    """
    passed = _widened if widened else types.unliteral
    DECORATED.append(function.__module__)
    options = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, **options}
    for_python, for_kernels = choice.options()
    outer = numba.njit(**for_python, **options)(function)
    if numba.config.DISABLE_JIT:
        return outer  # type: ignore[no-any-return]
    if function.__closure__ is None:
        outer._cache = MachineCode(function)

    @cache
    def inner() -> Any:
        return numba.njit(no_cpython_wrapper=True, **for_kernels, **options)(function)

    def get_call_template(args: Any, kws: Any) -> Any:
        kept = tuple(passed(kind) for kind in args)
        return inner().get_call_template(kept, {name: passed(kind) for name, kind in kws.items()})

    outer.get_call_template = get_call_template
    outer.get_overload = lambda signature: inner().get_overload(signature)
    return outer  # type: ignore[no-any-return]


def kernel(function: Function) -> Function:
    """Compile for the state of the world: exact IEEE arithmetic in the order written."""
    return _compiled(function)


def inline_kernel(function: Function) -> Function:
    """Compile like `kernel`, asking LLVM to inline it into every caller."""
    return _compiled(function, forceinline=True)


def ray_kernel(function: Function) -> Function:
    """Compile for frames: arguments keep their types, so that float32 stays float32.

    Exact IEEE arithmetic as in `kernel`: loops whose only sum is an integer are vectorised all the
    same, hence no fastmath is needed for the speed, and every CPU and path gives the same bytes.
    """
    return _compiled(function, widened=False)


def inline_ray_kernel(function: Function) -> Function:
    """Compile like `ray_kernel`, asking LLVM to inline it into every caller."""
    return _compiled(function, widened=False, forceinline=True)
