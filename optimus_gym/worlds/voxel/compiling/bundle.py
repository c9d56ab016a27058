"""Arrays that kernels take together, as one pointer to a table of the arrays' addresses.

Numba passes a tuple of arrays as all numbers that describe the arrays, 230 for the arrays of the worlds, and
takes the tuple apart and rebuilds it at every call of one kernel by another. Tuples made up two thirds of
Numba's code for the kernels of the game's rules. Numba counts no references to a bundle: the caller of a
kernel must keep the bundle alive.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)
from numpy.typing import NDArray

_WORD = ir.IntType(64)


class Bundle:
    """Base of frozen dataclasses (`slots=True, eq=False`) of C-contiguous arrays.

    Kernels read the arrays as attributes of the bundle. A copy or a pickle of a bundle contains its arrays.

    Attributes:
        address: the address in memory of the table of the arrays' addresses and sizes.
    """

    __slots__ = ("_numba_type_", "_words", "address")

    def __post_init__(self) -> None:
        """Fill the table of the arrays' addresses and sizes.

        Raises:
            ValueError: an array is not C-contiguous.
        """
        numbers: list[int] = []
        for name, array in self.arrays().items():
            if not array.flags.c_contiguous:
                raise ValueError(f"{name}: expected a C-contiguous array")
            numbers += (array.ctypes.data, array.size, *array.shape, *array.strides)
        words = np.array(numbers, np.int64)
        object.__setattr__(self, "_words", words)
        object.__setattr__(self, "address", words.ctypes.data)
        object.__setattr__(self, "_numba_type_", _type_of(type(self).__name__, self.arrays()))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return name -> array, in the order of the fields."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how a copy is built: from the arrays, because their copies have other addresses."""
        return type(self), tuple(self.arrays().values())


class BundleType(types.Type):  # type: ignore[misc]
    """The type that Numba gives a bundle.

    Args:
        name: the name of the bundle's class.
        arrays: the type of each array, by name.
    """

    def __init__(self, name: str, arrays: tuple[tuple[str, types.Array], ...]) -> None:
        digest = hashlib.sha256(repr(arrays).encode()).hexdigest()[:8]
        super().__init__(f"{name}_{digest}")
        self.arrays = dict(arrays)
        self.first: dict[str, int] = {}
        """Index, in the bundle's table, of the first number about each array."""
        words = 0
        for key, kind in arrays:
            self.first[key] = words
            words += 2 + 2 * kind.ndim


def _type_of(name: str, arrays: Mapping[str, NDArray[Any]]) -> BundleType:
    return BundleType(name, tuple((key, typeof_impl(a, None)) for key, a in arrays.items()))


register_model(BundleType)(models.OpaqueModel)


@infer_getattr
class _Attributes(AttributeTemplate):  # type: ignore[misc]
    key = BundleType

    def generic_resolve(self, bundle: BundleType, name: str) -> types.Array | None:
        """Return the type of the array `name` of a bundle; None if there is no such array."""
        return bundle.arrays.get(name)


@unbox(BundleType)  # type: ignore[untyped-decorator]
def _unbox(_bundle: BundleType, value: Any, c: Any) -> NativeValue:
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_ulonglong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, ir.IntType(8).as_pointer()))


@lower_getattr_generic(BundleType)  # type: ignore[untyped-decorator]
def _read_array(context: Any, builder: Any, bundle: BundleType, value: Any, name: str) -> Any:
    """Build the code that reads the array `name` from the bundle's table, whose numbers never change."""
    kind = bundle.arrays[name]
    model = context.data_model_manager[kind]
    words = builder.bitcast(value, _WORD.as_pointer())
    constant = builder.module.add_metadata([])

    def word(k: int) -> Any:
        place = builder.gep(words, [ir.Constant(_WORD, bundle.first[name] + k)])
        number = builder.load(place)
        number.set_metadata("invariant.load", constant)
        return number

    array = ir.Constant(model.get_value_type(), None)

    def put(field: str, number: Any, *place: int) -> None:
        nonlocal array
        array = builder.insert_value(array, number, [model.get_field_position(field), *place])

    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    put("data", builder.inttoptr(word(0), context.get_data_type(kind.dtype).as_pointer()))
    put("nitems", word(1))
    put("itemsize", ir.Constant(_WORD, size))
    for axis in range(kind.ndim):
        put("shape", word(2 + axis), axis)
        put("strides", word(2 + kind.ndim + axis), axis)
    return array
