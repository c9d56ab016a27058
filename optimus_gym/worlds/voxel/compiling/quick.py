"""The quick compiler: a kernel is linked with all functions that it calls, then compiled once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all functions that it calls. So a small
function deep in the call tree is optimised once for each function above it. Here a kernel that only kernels
call (a part) stays plain LLVM IR; a kernel that Python calls (a whole) links all parts below it and is
optimised and compiled once. That halves the time of a first start; the results are the same.

The compiler uses parts of Numba that are not public: `JITCodeLibrary`, its attributes `_codegen`,
`_finalized` and `_linking_libraries`, and all that a pipeline asks of a library and its code generator.
`choice.py` knows the versions of Numba with which that was tested.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager


class _WithoutCode:
    """A code generator without machine code, which has no place for an environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that is linked into wholes and never compiled by itself."""

    @property
    def codegen(self) -> Any:
        """Return the code generator that the pipeline may use."""
        return _WithoutCode(self._codegen)

    def finalize(self) -> None:
        """Close the part, without compiling it."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: a part has no machine code of its own."""
        self._ensure_finalized()
        return 0


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, with all parts below it."""

    def finalize(self) -> None:
        """Link, optimise and compile."""
        self._linking_libraries = _all_below(self)
        super().finalize()


def _all_below(library: JITCodeLibrary) -> list[JITCodeLibrary]:
    """Return each library that is linked into `library`, directly or through parts; without repeats."""
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
    """Numba's pipeline with a library class of this module."""

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
