"""Decorators that compile the world's functions, and the store of their machine code.

A sealed file (`sealed.py`) holds the machine code of one kernel that Python calls, for one set of argument
types. Sealed files replace Numba's own cache, which reads any file in its folder unchecked, and keeps an
index that processes overwrite for each other.
"""

import hashlib
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from optimus_gym.worlds.voxel.compiling import choice, sealed
from optimus_gym.worlds.voxel.compiling.code_keys import source_key
from optimus_gym.worlds.voxel.compiling.folder import cache_root

_Function = TypeVar("_Function", bound=Callable[..., Any])

DECORATED: list[str] = []
"""Name of the module of each function that has been decorated as a kernel, compiled or not."""


class _MachineCode(NullCache):  # type: ignore[misc]
    """The store from which Numba loads, and in which Numba saves, a function's machine code.

    Args:
        function: a module's function without a closure, so that its sources and its name determine its code.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def _path(self, kinds: Any, codegen: Any) -> Path:
        """Return the path of the machine code for some argument types, on the CPU of `codegen`."""
        name, file = self._function.__qualname__, self._function.__code__.co_filename
        told = repr((kinds, codegen.magic_tuple(), self._function.__code__.co_code))
        digest = hashlib.sha256(told.encode()).hexdigest()[:16]
        return cache_root() / source_key(str(Path(file).resolve())) / f"{name}.{digest}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored machine code for some argument types; None if the file is missing or damaged."""
        target_context.refresh()
        content = sealed.load_sealed(self._path(sig, target_context.codegen()))
        if content is None:
            return None
        # Numba's results can be kept as a pickle only. Only the user could write the pickle
        # (`folder.py`), and its seal shows that it is undamaged (`sealed.py`).
        return CompileResult._rebuild(target_context, *pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store the machine code that was compiled for some argument types."""
        if not data.library.has_dynamic_globals:  # valid in this process only
            sealed.store(self._path(sig, data.codegen), dumps(data._reduce()))


def _widened(kind: types.Type) -> types.Type:
    """Return the argument type for which a kernel is compiled if another kernel passes the type `kind`."""
    kind = types.unliteral(kind)
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return types.BaseTuple.from_types([_widened(part) for part in kind.types])
    small = isinstance(kind, types.Integer) and kind.bitwidth < 64 and kind != types.uint32
    return types.int64 if small else kind


def _compiled(function: _Function, widened: bool = True, **options: Any) -> _Function:
    """Compile `function` at its first call: one version for calls from Python, one for calls from kernels.

    Most kernels are called by kernels alone. The version for calls from kernels has no entry point for
    Python, because that entry point takes longer to compile than many a kernel. If `widened`, kernels pass
    small integers to `function` as int64, because Numba would otherwise compile `function` again for int16,
    int32, a literal 3, a literal 4 and so on. Without widening, and with an entry point for every kernel, the
    package's first start would take several times as long. The disk keeps only the versions for calls from
    Python.
    """
    passed = _widened if widened else types.unliteral
    DECORATED.append(function.__module__)
    options = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True, **options}
    for_python, for_kernels = choice.options()
    outer = numba.njit(**for_python, **options)(function)
    if numba.config.DISABLE_JIT:
        return outer  # type: ignore[no-any-return]
    if function.__closure__ is None:
        outer._cache = _MachineCode(function)

    @cache
    def inner() -> Any:
        return numba.njit(no_cpython_wrapper=True, **for_kernels, **options)(function)

    def get_call_template(args: Any, kws: Any) -> Any:
        kept = tuple(passed(kind) for kind in args)
        return inner().get_call_template(kept, {name: passed(kind) for name, kind in kws.items()})

    outer.get_call_template = get_call_template
    outer.get_overload = lambda signature: inner().get_overload(signature)
    return outer  # type: ignore[no-any-return]


def kernel(function: _Function) -> _Function:
    """Compile a function that computes the world's state, with exact IEEE arithmetic in the order written."""
    return _compiled(function)


def inline_kernel(function: _Function) -> _Function:
    """Compile a function like `kernel`, and ask LLVM to inline it into every caller."""
    return _compiled(function, forceinline=True)


def ray_kernel(function: _Function) -> _Function:
    """Compile a function that draws frames; its arguments keep their types, so that float32 stays float32.

    Arithmetic is exact IEEE as in `kernel`, not fastmath, so that every CPU and both paths of the renderer
    give the same bytes. LLVM vectorises the loops even without fastmath, because their only sums are sums of
    integers.
    """
    return _compiled(function, widened=False)


def inline_ray_kernel(function: _Function) -> _Function:
    """Compile a function like `ray_kernel`, and ask LLVM to inline it into every caller."""
    return _compiled(function, widened=False, forceinline=True)
