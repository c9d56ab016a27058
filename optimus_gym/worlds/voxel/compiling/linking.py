"""How kernels become machine code: parts are linked first, and optimised once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all that it calls in it, so that
a small function deep in the call tree is optimised as often as something above it is compiled. A kernel
that only kernels call (a part) is kept as plain LLVM IR here; the kernels that Python calls (wholes)
link all parts below them and are optimised and compiled once. The first start takes half the time.
"""

from functools import cache
from typing import Any

from llvmlite import ir
from llvmlite.binding import get_process_triple, parse_assembly
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary

_BYTE = ir.IntType(8)
_WIDE = '"prefer-vector-width"="512"'
"""Lets LLVM use vectors of 512 bits where the CPU has them.

It keeps to 256 bits on such CPUs by default, since older ones lower their clock for wider ones; a ray's
step takes 0.7 times as long with 512 (measured), with the same results.
"""
_triple = cache(get_process_triple)


class CodeGenerator:
    """Numba's code generator, that asks LLVM for the machine's name once and not for every function."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def _create_empty_module(self, name: str) -> ir.Module:
        module = ir.Module(normalize_ir_text(name))
        module.triple = _triple()
        module.data_layout = self._codegen._data_layout
        return module


class _NoEnvironment(CodeGenerator):
    """The same, less the step that hands a compiled function its environment."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: without machine code there is nowhere to put it."""


class _Library(JITCodeLibrary):  # type: ignore[misc]
    """A function's code."""

    def add_ir_module(self, ir_module: ir.Module) -> None:
        """Add what was written, with leave to use wide vectors."""
        for function in ir_module.functions:
            if not function.is_declaration:
                set.add(function.attributes, _WIDE)  # llvmlite's own `add` knows no pairs
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Simplify what is defined in a module; Numba makes passes for what is only declared, too."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)


class Part(_Library):
    """A function that is linked into others and never compiled by itself."""

    @property
    def codegen(self) -> Any:
        """Return what the pipeline may use of the code generator."""
        return _NoEnvironment(self._codegen)

    def finalize(self) -> None:
        """Close the part, without compiling it."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code of it alone."""
        self._ensure_finalized()
        return 0


class WholeLibrary(_Library):
    """A function that Python calls, with all parts below it."""

    _shared_module: Any

    def finalize(self) -> None:
        """Link, optimise and compile."""
        self._linking_libraries = _all_below(self)
        super().finalize()

    def _get_module_for_linking(self) -> Any:
        """Return a module with the names of what is defined: all that is read when it is loaded.

        Nothing links a whole; Numba would keep all of its LLVM IR beside the machine code.
        """
        if self._shared_module is None:
            module = self._codegen._create_empty_module(self.name)
            for function in self._final_module.functions:
                if not function.is_declaration:
                    _define_nothing(module, function.name)
            for variable in self._final_module.global_variables:
                if not variable.is_declaration:
                    ir.GlobalVariable(module, _BYTE, variable.name).initializer = _BYTE(0)
            self._shared_module = parse_assembly(normalize_ir_text(str(module)))
        return self._shared_module


def _define_nothing(module: ir.Module, name: str) -> None:
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), ()), name)
    ir.IRBuilder(function.append_basic_block()).ret_void()


def _all_below(library: CPUCodeLibrary) -> list[CPUCodeLibrary]:
    """Return each library that is linked into `library`, directly or through parts, once."""
    found: dict[CPUCodeLibrary, None] = {}
    waiting = list(library._linking_libraries)
    while waiting:
        other = waiting.pop()
        if other not in found:
            found[other] = None
            if isinstance(other, Part):
                waiting += other._linking_libraries
    return list(found)
