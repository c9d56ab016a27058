"""Operations for the innermost loops of kernels: arrays without reference count, and wide vectors."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


def _borrowed(typing_context: Any, array: Any) -> Any:
    """Return the array without its reference count; the caller must keep the array alive.

    Numba counts a reference at most calls that take an array, with an atomic instruction. That count took
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
    """Return a C-contiguous array in one dimension, borrowed; the caller must keep the array alive.

    Constants, fields of records and arrays then have one type: a kernel is compiled once for all three.

    Numba's `reshape` checks the shapes and makes a text for the error, which costs two seconds of
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


def _wide_vectors(typing_context: Any) -> Any:
    """Let LLVM use vectors of 512 bits in the kernel that calls this, where the CPU has them.

    LLVM keeps to 256 bits on such CPUs by default, since older CPUs lower their clock for wider vectors.
    With 512 bits a ray's step takes 0.7 times as long (measured), with the same results.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # llvmlite's own `add` knows names alone, no pairs
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.none(), build


wide_vectors: Any = intrinsic(_wide_vectors)
"""Callable in kernels; see `_wide_vectors`."""
