"""Arrays without reference count, for kernels that pass them on once a pixel or oftener."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


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


def _flat(typing_context: Any, array: Any) -> Any:
    """Return a C-contiguous array as one of one dimension, borrowed; whoever owns it must keep it.

    Constants, fields of records and arrays are all of one type then: a kernel is compiled once for them.

    Numba's `reshape` checks for shapes that do not fit, with a text for the error: two seconds of
    compilation.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source = context.make_array(signature.args[0])(context, builder, arguments[0])
        kind = context.make_array(signature.return_type)
        view = kind(context, builder)
        populate_array(
            view,
            data=source.data,
            shape=[source.nitems],
            strides=[source.itemsize],
            itemsize=source.itemsize,
            meminfo=None,
        )
        return view._getvalue()

    return types.Array(array.dtype, 1, "C")(array), build


flat: Any = intrinsic(_flat)
"""Callable in kernels; see `_flat`."""
