"""How one kernel calls another: what a part returns is looked at as little as it takes.

Numba takes every call's status apart, keeps the exception that may have come and asks whether a `try`
is around it. Kernels have no `try`: where a call failed, the caller fails with what it was told.
"""

from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core.callconv import RETCODE_NONE, RETCODE_OK, CPUCallConv
from numba.core.cgutils import alloca_once
from numba.core.cpu import CPUContext


class _Status(NamedTuple):
    """What is known of a call."""

    code: Any
    is_error: Any
    is_none: Any


class _PartCalls(CPUCallConv):  # type: ignore[misc]
    """Numba's calling convention, where a caller hands its own place for exceptions on."""

    def call_function(
        self,
        builder: ir.IRBuilder,
        callee: ir.Function,
        resty: types.Type,
        argtys: tuple[types.Type, ...],
        args: tuple[Any, ...],
        attrs: tuple[str, ...] | None = None,
    ) -> tuple[_Status, Any]:
        """Write a call; return its status and what it returned."""
        place = alloca_once(builder, self.get_return_type(resty).pointee)
        exception = self._get_excinfo_argument(builder.function)
        given = self._get_arg_packer(argtys).as_arguments(builder, args)
        code = builder.call(callee, [place, exception, *given], attrs=attrs or ())
        failed = builder.icmp_signed("!=", code, RETCODE_OK)
        none = None
        if isinstance(resty, types.NoneType | types.Optional):
            none = builder.icmp_signed("==", code, RETCODE_NONE)
            failed = builder.and_(failed, builder.not_(none))
        returned = self.context.get_returned_value(builder, resty, builder.load(place))
        return _Status(code, failed, none), returned

    def return_status_propagate(self, builder: ir.IRBuilder, status: _Status) -> None:
        """Fail as the call did."""
        self._return_errcode_raw(builder, status.code)


class PartContext(CPUContext):  # type: ignore[misc]
    """Numba's target context for kernels that own nothing and that only kernels call.

    Args:
        context: Numba's own.
    """

    def __init__(self, context: CPUContext) -> None:
        self.__dict__.update(vars(context), enable_nrt=False)

    @property
    def call_conv(self) -> CPUCallConv:
        """Return how it calls."""
        return _PartCalls(self)
