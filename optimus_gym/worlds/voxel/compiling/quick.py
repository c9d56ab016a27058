"""The quick compiler: what kernels call is linked into them first, and compiled once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all that it calls in it, so that a small
function deep in the call tree is optimised as often as something above it is compiled. Here a kernel that
only kernels call (a part) is kept as plain LLVM IR; the kernels that Python calls (wholes) link all parts
below them and are optimised and compiled once. That halves a first start; what is computed is the same.

It leans on what is not Numba's public interface: on `JITCodeLibrary` and what it keeps in `_codegen`,
`_finalized` and `_linking_libraries`, and on what a pipeline asks of a library and its code generator.
`choice.py` knows the versions with which that was tested.
"""

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager


class _WithoutCode:
    """A code generator for what has no machine code: nowhere can an environment be put."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing."""


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that is linked into others and never compiled by itself."""

    @property
    def codegen(self) -> Any:
        """Return what the pipeline may use of the code generator."""
        return _WithoutCode(self._codegen)

    def finalize(self) -> None:
        """Close the part, without compiling it."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code of it alone."""
        self._ensure_finalized()
        return 0


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, with all parts below it."""

    def finalize(self) -> None:
        """Link, optimise and compile."""
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
    """Numba's pipeline with a library of ours."""

    library: type[JITCodeLibrary]

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()  # or what is compiled could not be kept
        pipelines: list[PassManager] = super().define_pipelines()
        return pipelines


class PartCompiler(_Compiler):
    """For kernels as other kernels call them."""

    library = _Part


class WholeCompiler(_Compiler):
    """For kernels as Python calls them."""

    library = _Whole
