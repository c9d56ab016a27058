"""Arrays without reference count, for kernels that pass them on once a pixel or oftener."""

from typing import Any

from llvmlite import ir
from numba.extending import intrinsic


def _borrowed(typing_context: Any, array: Any) -> Any:
    """Return the array without its reference count; whoever owns it must keep it.

    Numba counts a reference at most calls that take an array, with an atomic instruction; that took
    most of the time of rays that are followed one by one (measured: 6 ms a frame of 128x128, not 1).
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), build


borrowed: Any = intrinsic(_borrowed)
"""Callable in kernels; see `_borrowed`."""
