"""How kernels become machine code: parts are linked first, and optimised once, as a whole.

Numba optimises and compiles every function by itself, with a copy of all that it calls in it, so that
a small function deep in the call tree is optimised as often as something above it is compiled. A kernel
that only kernels call (a part) is kept as plain LLVM IR here; the kernels that Python calls (wholes)
link all parts below them and are optimised and compiled once. The first start takes half the time.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from llvmlite import ir
from llvmlite.binding import get_process_triple, parse_assembly
from numba import types
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import InlineOverloads, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, InlineInlinables, WithLifting

_BYTE = ir.IntType(8)
_NEEDLESS = (InlineClosureLikes, InlineInlinables, InlineOverloads, NopythonRewrites, WithLifting)
"""Passes of Numba's for what kernels do not contain: closures, with blocks, whole-array expressions."""

LISTENERS: list[Callable[[str], None]] = []
"""Called with a function's name each time one has to be compiled (for progress)."""


class _CodeGenerator:
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


class _NoEnvironment(_CodeGenerator):
    """The same, less the step that hands a compiled function its environment."""

    def set_env(self, name: str, environment: object) -> None:
        """Do nothing: without machine code there is nowhere to put it."""


_triple = cache(get_process_triple)


_sizes: dict[tuple[str, str], int] = {}


def _remember_sizes(context: Any) -> None:
    """Let a target context look up a type's size once: LLVM is given a module to parse for it."""
    for name in ("get_abi_sizeof", "get_abi_alignment"):
        if name not in vars(context):
            setattr(context, name, _remembering(name, getattr(context, name)))


def _remembering(name: str, look_up: Callable[[ir.Type], int]) -> Callable[[ir.Type], int]:
    def found(kind: ir.Type) -> int:
        key = name, str(kind)
        if key not in _sizes:
            _sizes[key] = look_up(kind)
        return _sizes[key]

    return found


class _TypingContext:
    """Numba's typing context, that looks up once what an operator or a function of Numba's returns.

    Numba tries all of its definitions of `+` at each `+`: a fifth of the compiler's time.
    """

    _known: ClassVar[dict[tuple[Any, ...], Any]] = {}

    def __init__(self, context: Any, inlined: bool) -> None:
        self._context, self._inlined = context, inlined

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def resolve_function_type(self, function: Any, args: tuple[Any, ...], kws: Any) -> Any:
        """Return the signature of a call with arguments of some types."""
        if kws or not isinstance(function, types.Function):
            return self._context.resolve_function_type(function, args, kws)
        key = function, tuple(args), self._inlined  # which Numba hands on to what is called
        if key not in self._known:
            self._known[key] = self._context.resolve_function_type(function, args, kws)
        return self._known[key]


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

    _shared_module: Any

    def finalize(self) -> None:
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
            if isinstance(other, _Part):
                waiting += other._linking_libraries
    return list(found)


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's pipeline with a library of ours."""

    library: type[CPUCodeLibrary]

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        _remember_sizes(state.targetctx)
        state.typingctx = _TypingContext(state.typingctx, state.flags.forceinline)
        codegen = _CodeGenerator(state.targetctx.codegen())
        state.library = self.library(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        for listener in LISTENERS:
            listener(state.func_id.func_qualname)
        pipelines: list[PassManager] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [one for one in pipeline.passes if one[0] not in _NEEDLESS]
            pipeline.finalize()
        return pipelines


class PartCompiler(_Compiler):
    """For kernels as other kernels call them."""

    library = _Part


class WholeCompiler(_Compiler):
    """For kernels as Python calls them."""

    library = _Whole
