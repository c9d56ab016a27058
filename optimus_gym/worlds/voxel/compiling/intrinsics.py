"""Operations for the innermost loops of kernels: arrays without reference count, and wide vectors."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array


def _borrowed(typing_context: Any, array: Any) -> Any:
    """Return a view of an array for which Numba counts no references; the caller must keep the array alive.

    In most calls that take an array, Numba counts a reference with an atomic instruction. With reference
    counts, rays that are followed one by one took 6 ms a frame of 128x128, without them 1 ms (measured).
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        view = context.make_array(kind)(context, builder, arguments[0])
        view.meminfo = ir.Constant(view.meminfo.type, None)
        view.parent = ir.Constant(view.parent.type, None)
        return view._getvalue()

    return array(array), build


borrowed: Any = intrinsic(_borrowed)
"""Function for kernels that returns an array without reference count; see `_borrowed`."""


def _flat(typing_context: Any, array: Any) -> Any:
    """Return a one-dimensional view of a C-contiguous array; the caller must keep the array alive.

    Views of constants, of fields of records and of arrays have the same type, so that Numba compiles a kernel
    once for all three.

    Numba's `reshape` would add two seconds of compilation, because it checks the shapes and formats an error
    message.
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
"""Function for kernels that returns a one-dimensional view of an array; see `_flat`."""


def _wide_vectors(typing_context: Any) -> Any:
    """Let LLVM use vectors of 512 bits in the calling kernel if the CPU has such vectors.

    LLVM keeps to 256 bits by default, even on CPUs with vectors of 512 bits, since older CPUs lower their
    clock for wider vectors. With vectors of 512 bits a ray's step takes 0.7 times as long as with 256 bits
    (measured); the results are the same.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # llvmlite's own `add` knows names alone, no pairs
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.none(), build


wide_vectors: Any = intrinsic(_wide_vectors)
"""Function for kernels that lets LLVM use vectors of 512 bits; see `_wide_vectors`."""
