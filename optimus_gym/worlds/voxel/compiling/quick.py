"""The quick compiler: a kernel is linked with all functions that it calls, then compiled once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all functions that it calls. So Numba
optimises a small function deep in the call tree once for each function above it. The quick compiler keeps a
kernel that only kernels call (a part) as LLVM IR; it links a kernel that Python calls (a whole) with all
parts below the kernel, and optimises and compiles the whole once. A first start takes half as long as with
Numba's own compiler; the results are the same.

The compiler uses parts of Numba that are not public: `JITCodeLibrary`, its attributes `_codegen`,
`_finalized` and `_linking_libraries`, and all that a pipeline asks of a library and its code generator.
`choice.py` knows the versions of Numba with which the quick compiler was tested.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager


class _WithoutCode:
    """A code generator for a `_Part`, whose `set_env` does nothing, because a part has no machine code."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The library of a function that is linked into its callers and never compiled by itself."""

    @property
    def codegen(self) -> Any:
        """Return the code generator that Numba's pipeline uses for this part."""
        return _WithoutCode(self._codegen)

    def finalize(self) -> None:
        """Mark the part as complete, as Numba's `finalize` does, but do not compile it."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: a part has no machine code of its own."""
        self._ensure_finalized()
        return 0


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The library of a function that Python calls, linked with all parts that the function needs."""

    def finalize(self) -> None:
        """Link the function with its parts, then optimise and compile them together."""
        self._linking_libraries = _all_below(self)
        super().finalize()


def _all_below(library: JITCodeLibrary) -> list[JITCodeLibrary]:
    """Return each library that is linked into `library`, directly or through parts, once."""
    found: dict[JITCodeLibrary, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        other = waiting.pop()
        if other not in found:
            found[other] = None
            if isinstance(other, _Part):
                waiting += other._linking_libraries
    return list(found)


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's compiler pipeline with the class `_Part` or `_Whole` as the library of a function."""

    library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()  # Without it, Numba could not keep the compiled code.
        pipelines: list[PassManager] = super().define_pipelines()
        return pipelines


class PartCompiler(_Compiler):
    """The compiler for kernels that other kernels call."""

    library = _Part


class WholeCompiler(_Compiler):
    """The compiler for kernels that Python calls."""

    library = _Whole
