"""How calls in kernels get their types: each question is asked once, and that of a number not at all.

Numba tries all of its definitions of `+` at each `+`, for each literal anew, and compiles a function for
each `int`, `min` and `max`: a fifth of the compiler's time.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Final

from numba import types
from numba.core.typing import Signature, signature

_BINARY = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod"),
    *("lshift", "rshift", "and_", "or_", "xor"),
)
_COMPARING = ("eq", "ne", "lt", "le", "gt", "ge")
_IN_PLACE = tuple(f"i{name.strip('_')}" for name in _BINARY)
ARITHMETIC: Final = frozenset(
    getattr(operator, name) for name in (*_BINARY, *_COMPARING, *_IN_PLACE)
)
"""Operators that do not care which number a literal is, as a power does."""


def are_numbers(kinds: Iterable[types.Type]) -> bool:
    """Tell whether types are all of integers and floats."""
    return all(isinstance(kind, types.Integer | types.Float) for kind in kinds)


_Unify = Callable[..., types.Type]


def _typed_int(_unify: _Unify, kind: types.Type) -> Signature:
    return signature(kind if isinstance(kind, types.Integer) else types.intp, kind)


def _typed_choice(unify: _Unify, *kinds: types.Type) -> Signature:
    return signature(unify(*kinds), *kinds)


WRITTEN: Final[dict[Any, Callable[..., Signature]]] = {
    int: _typed_int,
    min: _typed_choice,
    max: _typed_choice,
}
"""Functions that `lowering.py` writes in place, with their types, which are Numba's."""


class TypingContext:
    """Numba's typing context, that remembers what an operator or a function of Numba's returns.

    Args:
        context: Numba's own.
        inlined: whether the function that is typed asks to be inlined; Numba hands that on to what
            is called.
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
        if are_numbers(args):
            if function.typing_key in WRITTEN:
                plain = map(types.unliteral, args)
                return WRITTEN[function.typing_key](self._context.unify_types, *plain)
            if function.typing_key in ARITHMETIC:
                args = tuple(map(types.unliteral, args))
        key = function, tuple(args), self._inlined
        if key not in self._known:
            self._known[key] = self._context.resolve_function_type(function, args, kws)
        return self._known[key]
