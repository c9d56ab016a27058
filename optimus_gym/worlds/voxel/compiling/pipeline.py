"""The steps in which a kernel is compiled: Numba's, less those that kernels do not need.

A function is typed (`inference.py`), written for LLVM (`lowering.py`, `calling.py`), and kept as a part
or compiled as a whole (`linking.py`).
"""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from llvmlite import ir
from numba import types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import CompilerPass, PassManager, register_pass
from numba.core.ir import Assign, Expr
from numba.core.typed_passes import (
    AnnotateTypes,
    DumpParforDiagnostics,
    InlineOverloads,
    IRLegalization,
    NativeLowering,
    NopythonRewrites,
    NoPythonSupportedFeatureValidation,
)
from numba.core.untyped_passes import (
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    RewriteDynamicRaises,
    WithLifting,
)

from optimus_gym.worlds.voxel.compiling.calling import PartContext
from optimus_gym.worlds.voxel.compiling.inference import TypingContext
from optimus_gym.worlds.voxel.compiling.linking import CodeGenerator, Part, WholeLibrary
from optimus_gym.worlds.voxel.compiling.lowering import KernelLowering

_NEEDLESS = (
    AnnotateTypes,
    DumpParforDiagnostics,
    FindLiterallyCalls,
    InlineClosureLikes,
    InlineInlinables,
    InlineOverloads,
    LiteralPropagationSubPipelinePass,
    LiteralUnroll,
    MakeFunctionToJitFunction,
    NoPythonSupportedFeatureValidation,
    NopythonRewrites,
    RewriteDynamicRaises,
    WithLifting,
)
"""Passes of Numba's for what kernels do not contain: closures, with blocks, whole-array expressions,
demands for literals; and for what is shown to people."""

_LENDING = ("cast", "getattr", "getitem", "phi", "static_getitem", "typed_getitem")
"""Operations whose result refers to what its operand owns."""

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


@register_pass(mutates_CFG=False, analysis_only=True)
class _Releases(IRLegalization):  # type: ignore[misc]
    """Numba's last pass before lowering, that says where variables are let go.

    A part that makes no array and returns none lets nothing go and counts no references: whoever
    calls it holds what it is given. Counting is a seventh of what Numba writes for kernels.
    """

    _name = "releases"

    def run_pass(self, state: Any) -> bool:
        """Release what is held, or replace the target context by one that counts nothing."""
        if any(_is_counted(state, kind) for kind in _owned(state)):
            return bool(super().run_pass(state))
        state.targetctx = PartContext(state.targetctx)
        return False


def _owned(state: Any) -> Iterator[types.Type]:
    """Yield the types of what a function returns and of what it makes."""
    yield state.return_type
    for block in state.func_ir.blocks.values():
        for assignment in block.find_insts(Assign):
            made = assignment.value
            if isinstance(made, Expr) and made.op not in _LENDING:
                yield state.typemap[assignment.target.name]


def _is_counted(state: Any, kind: types.Type) -> bool:
    manager = state.targetctx.data_model_manager
    return bool(manager[kind].contains_nrt_meminfo())


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's pipeline with a library of ours."""

    library: type[CPUCodeLibrary]
    instead: ClassVar[dict[type[CompilerPass], type[CompilerPass]]] = {
        NativeLowering: KernelLowering
    }

    def define_pipelines(self) -> list[PassManager]:
        state = self.state
        _remember_sizes(state.targetctx)
        state.typingctx = TypingContext(state.typingctx, state.flags.forceinline)
        codegen = CodeGenerator(state.targetctx.codegen())
        state.library = self.library(codegen, state.func_id.func_qualname)
        state.library.enable_object_caching()
        pipelines: list[PassManager] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (self.instead.get(one, one), what)
                for one, what in pipeline.passes
                if one not in _NEEDLESS
            ]
            pipeline.finalize()
        return pipelines


class PartCompiler(_Compiler):
    """For kernels as other kernels call them."""

    library = Part
    instead: ClassVar = {**_Compiler.instead, IRLegalization: _Releases}


class WholeCompiler(_Compiler):
    """For kernels as Python calls them."""

    library = WholeLibrary
