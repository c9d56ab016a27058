"""How kernels become machine code: parts are linked first, and optimised once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all that it calls in it, so that
a small function deep in the call tree is optimised as often as something above it is compiled. A kernel
that only kernels call (a part) is kept as plain LLVM IR here; the kernels that Python calls (wholes)
link all parts below them and are optimised and compiled once. The first start takes half the time.
"""

from collections.abc import Callable
from typing import Any

from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler

LISTENERS: list[Callable[[str], None]] = []
"""Called with a function's name each time one has to be compiled (for progress)."""


class _NoEnvironment:
    """Numba's code generator, less the step that hands a compiled function its environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: without machine code there is nowhere to put it."""


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """A function that is linked into others and never compiled by itself."""

    @property
    def codegen(self) -> Any:
        """Return what the pipeline may use of the code generator."""
        return _NoEnvironment(self._codegen)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code of it alone."""
        self._ensure_finalized()
        return 0


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """A function that Python calls, with all parts below it."""

    def finalize(self) -> None:
        self._linking_libraries = _all_below(self)
        super().finalize()


def _all_below(library: CPUCodeLibrary) -> list[CPUCodeLibrary]:
    """Return each library that is linked into `library`, directly or through parts, once."""
    found: dict[CPUCodeLibrary, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        other = waiting.pop()
        if other not in found:
            found[other] = None
            if isinstance(other, _Part):
                waiting += other._linking_libraries
    return list(found)


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's pipeline with a library of ours."""

    library: type[CPUCodeLibrary]

    def define_pipelines(self) -> list[object]:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        for listener in LISTENERS:
            listener(state.func_id.func_qualname)
        pipelines: list[object] = super().define_pipelines()
        return pipelines


class PartCompiler(_Compiler):
    """For kernels as other kernels call them."""

    library = _Part


class WholeCompiler(_Compiler):
    """For kernels as Python calls them."""

    library = _Whole
