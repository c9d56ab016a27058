"""How kernels are written for LLVM: elements of arrays, tables and numbers in as few lines as it takes.

Numba lays an array's numbers out in memory for each access and reads them back, and calls a function for
each `min`; LLVM then removes all of that. Two fifths of Numba's lines are not written here, with the
same results.
"""

import operator
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

from llvmlite import ir
from llvmlite.ir.instructions import InsertValue
from numba import types
from numba.core.cgutils import create_constant_array, get_item_pointer2, global_constant
from numba.core.compiler_machinery import register_pass
from numba.core.ir import FreeVar, Global
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.cpython.builtins import do_minmax
from numba.cpython.slicing import fix_index
from numba.np.arrayobj import load_item, store_item
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.compiling.inference import ARITHMETIC, WRITTEN, are_numbers

_WORD = ir.IntType(64)
_ELEMENTS = (types.Integer, types.Float, types.Boolean, types.Record)
_CHOICES = {min: operator.lt, max: operator.gt}


class _Parts(NamedTuple):
    """LLVM's values of an array's numbers."""

    data: Any
    shape: list[Any]
    strides: list[Any]


class _KernelLower(Lower):  # type: ignore[misc]
    """Numba's lowering of a function; what is not written here is left to it."""

    def storevar(self, value: Any, name: str, argidx: int | None = None) -> None:
        """Store a variable, without a look at what it held where nobody counts references."""
        if self.context.enable_nrt or name in self._singly_assigned_vars:
            super().storevar(value, name, argidx)
        else:
            self._alloca_var(name, self.typeof(name))
            self.builder.store(value, self.getvar(name))

    def lower_assign(self, ty: Any, inst: Any) -> Any:
        """Make a table a constant, and a kernel's name nothing."""
        made = inst.value
        if isinstance(made, Global | FreeVar) and isinstance(ty, types.Array) and ty.layout == "C":
            return self._table(ty, made.value)
        if isinstance(ty, types.Dispatcher):
            return ir.Constant(self.context.get_value_type(ty), None)
        return super().lower_assign(ty, inst)

    def _lower_call_normal(self, fnty: Any, expr: Any, signature: Any) -> Any:
        """Write `int`, `min` and `max` of numbers in place."""
        function: Any = getattr(fnty, "typing_key", None)
        if function not in WRITTEN or not are_numbers(signature.args):
            return super()._lower_call_normal(fnty, expr, signature)
        args = self.fold_call_args(fnty, signature, expr.args, expr.vararg, expr.kws)
        if function is int:
            return self.context.cast(self.builder, *args, *signature.args, signature.return_type)
        return do_minmax(self.context, self.builder, signature.args, args, _CHOICES[function])

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Write an operation on numbers as it was typed: Numba asks three times more."""
        signature = self.fndesc.calltypes[expr]
        if op not in ARITHMETIC or not are_numbers(signature.args):
            return super().lower_binop(resty, expr, op)
        typing = self.context.typing_context
        operation = typing.resolve_value_type(op)
        if signature.args not in operation._impl_keys:
            operation.get_call_type(typing, signature.args, {})
        write = self.context.get_function(operation, signature)
        sides = zip((expr.lhs, expr.rhs), signature.args, strict=True)
        result = write(self.builder, [self._cast_var(side, kind) for side, kind in sides])
        return self.context.cast(self.builder, result, signature.return_type, resty)

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Load an element."""
        array = self.typeof(value.name)
        if not self._is_element(array, index):
            return super().lower_getitem(resty, expr, value, index, signature)
        item = load_item(self.context, self.builder, array, self._place(array, value, index))
        return self.context.cast(self.builder, item, array.dtype, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Store an element."""
        array = self.typeof(target_var.name)
        if not self._is_element(array, index_var):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        item = self._cast_var(value_var, signature.args[2])
        item = self.context.cast(self.builder, item, signature.args[2], array.dtype)
        place = self._place(array, target_var, index_var)
        return store_item(self.context, self.builder, array, item, place)

    def _is_element(self, array: types.Type, index: Any) -> bool:
        """Tell whether an index, one integer for each axis, denotes one element."""
        kinds = _index_types(self.typeof(index.name))
        return (
            isinstance(array, types.Array)
            and isinstance(array.dtype, _ELEMENTS)
            and len(kinds) == array.ndim
            and all(isinstance(kind, types.Integer) for kind in kinds)
            and not self.context.enable_boundscheck
        )

    def _place(self, kind: types.Array, variable: Any, index: Any) -> Any:
        """Return a pointer to an element."""
        array = self._parts(kind, self.loadvar(variable.name))
        places = list(self._places(array.shape, index))
        return get_item_pointer2(
            self.context, self.builder, array.data, array.shape, array.strides, kind.layout, places
        )

    def _places(self, shape: list[Any], index: Any) -> Iterator[Any]:
        """Yield the index of each axis (64 bits), counted from the axis' start."""
        kinds, number = _index_types(self.typeof(index.name)), self.loadvar(index.name)
        for axis, (kind, size) in enumerate(zip(kinds, shape, strict=True)):
            if isinstance(kind, types.IntegerLiteral) and kind.literal_value >= 0:
                yield _WORD(kind.literal_value)
                continue
            is_tuple = isinstance(self.typeof(index.name), types.BaseTuple)
            one = _part(self.builder, number, (axis,)) if is_tuple else number
            wide = types.intp if kind.signed else types.uintp
            one = self.context.cast(self.builder, one, kind, wide)
            yield fix_index(self.builder, one, size) if kind.signed else one

    def _parts(self, kind: types.Array, array: Any) -> _Parts:
        model = self.context.data_model_manager[kind]

        def part(name: str, *place: int) -> Any:
            return _part(self.builder, array, (model.get_field_position(name), *place))

        shape, strides = (
            [part(name, axis) for axis in range(kind.ndim)] for name in ("shape", "strides")
        )
        return _Parts(part("data"), shape, strides)

    def _table(self, kind: types.Array, table: NDArray[Any]) -> ir.Constant:
        """Return an array that nobody owns, with its elements in the module."""
        fields = {
            "nitems": _WORD(table.size),
            "itemsize": _WORD(table.itemsize),
            "data": self._content(kind, table),
            "shape": create_constant_array(_WORD, [_WORD(size) for size in table.shape]),
            "strides": create_constant_array(_WORD, [_WORD(step) for step in table.strides]),
        }
        model = self.context.data_model_manager[kind]
        whole = model.get_value_type()
        parts = zip(model._fields, whole.elements, strict=True)
        return ir.Constant(
            whole, [fields.get(name, ir.Constant(part, None)) for name, part in parts]
        )

    def _content(self, kind: types.Array, table: NDArray[Any]) -> ir.Constant:
        """Return a pointer to a table's elements, which are in the module once."""
        item = self.context.get_data_type(kind.dtype)
        content = bytearray(table.tobytes())
        name = f".table.{item}.{sha256(content).hexdigest()}"
        if name not in self.module.globals:
            constant = create_constant_array(ir.IntType(8), content)
            global_constant(self.module, name, constant).align = self.context.get_abi_alignment(
                item
            )
        return self.module.globals[name].bitcast(item.as_pointer())


def _part(builder: ir.IRBuilder, whole: Any, place: tuple[int, ...]) -> Any:
    """Return a part of an aggregate: as it was put in, if that can be seen."""
    while isinstance(whole, InsertValue):
        put = tuple(whole.indices)
        if put == place[: len(put)]:
            whole, place = whole.operands[1], place[len(put) :]
        elif place == put[: len(place)]:
            break
        else:
            whole = whole.operands[0]
    while place and isinstance(whole, ir.Constant) and isinstance(whole.constant, list):
        whole, place = whole.constant[place[0]], place[1:]
    return builder.extract_value(whole, place) if place else whole


def _index_types(kind: types.Type) -> tuple[types.Type, ...]:
    return tuple(kind.types) if isinstance(kind, types.BaseTuple) else (kind,)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):  # type: ignore[misc]
    """Numba's lowering pass with ours."""

    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """Return what lowers a function."""
        return _KernelLower
