"""Reads pickles of plain values; rejects pickles that name anything outside `ADMITTED`, and imports nothing.

numpy's scalars become Python's numbers: the functions in this module that stand in for numpy's `dtype` and
`scalar` make nothing else.
"""

import io
import os
import pickle
import pickletools
import struct
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.checks import check_file
from optimus_gym.core.errors import BadValue, reason_of

MOST_PICKLE_BYTES: Final = 1_000_000
"""Maximum size of a pickle's file in bytes; a policy's hyper-parameters take a few thousand."""
MOST_VALUES: Final = 100_000
"""Maximum number of values in a pickle. A value counts each time it occurs: nested lists that each hold the
next list twice make many values of few bytes."""
_STORES: Final = frozenset({"PUT", "BINPUT", "LONG_BINPUT"})
"""Names of pickle operations that number a value, so that later operations can refer to the value."""
_GROUPS: Final = (list, tuple, set, frozenset)
_LAYOUTS: Final = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q",
    "u1": "B", "u2": "H", "u4": "I", "u8": "Q", "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip


class _Kind:
    """A type of numbers; stands in for numpy's `dtype`."""

    def __init__(self, name: object, *_: object) -> None:
        if name not in _LAYOUTS:
            raise pickle.UnpicklingError(
                f"the pickle holds a number of the unknown type {name!r:.40}"
            )
        self._layout = _LAYOUTS[str(name)]
        self._order = "<"

    def __setstate__(self, state: object) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] in ("<", ">"):
            self._order = str(state[1])

    def number(self, content: bytes) -> Any:
        """Return the number that `content` holds."""
        return struct.unpack(self._order + self._layout, content)[0]


def _number(kind: object, content: object) -> Any:
    """Return a Python number; stands in for numpy's `scalar`."""
    if not isinstance(kind, _Kind) or not isinstance(content, bytes):
        raise pickle.UnpicklingError("the pickle holds a number without type or bytes")
    return kind.number(content)


def _bytes(text: object, code: object) -> bytes:
    """Return the bytes that pickles of protocol 2 and older hold as a latin1 text."""
    if not isinstance(text, str) or code != "latin1":
        raise pickle.UnpicklingError("the pickle stores bytes as a text that is not latin1")
    return text.encode("latin1")


ADMITTED: Final[Mapping[tuple[str, str], Callable[..., Any]]] = MappingProxyType(
    {
        ("collections", "OrderedDict"): OrderedDict,
        ("builtins", "set"): set,
        ("builtins", "frozenset"): frozenset,
        ("__builtin__", "set"): set,
        ("__builtin__", "frozenset"): frozenset,
        ("_codecs", "encode"): _bytes,
        ("numpy", "dtype"): _Kind,
        ("numpy.core.multiarray", "scalar"): _number,
        ("numpy._core.multiarray", "scalar"): _number,
    }
)
"""All classes and functions that a pickle may name, each with the function that is called instead."""


class PlainUnpickler(pickle.Unpickler):
    """Reads a pickle that may name only the functions and classes in `admitted`.

    Args:
        content: the pickle.
        admitted: the function that stands in for each name that the pickle may hold.
    """

    def __init__(
        self,
        content: bytes,
        admitted: Mapping[tuple[str, str], Callable[..., Any]] = ADMITTED,
    ) -> None:
        super().__init__(io.BytesIO(content))
        self._admitted = admitted

    def find_class(self, module: str, name: str) -> Any:
        """Return the function that stands in for an admitted name.

        Raises:
            UnpicklingError: the name is not admitted.
        """
        if (module, name) not in self._admitted:
            raise pickle.UnpicklingError(
                f"the pickle names {module}.{name}, which is not a plain value"
            )
        return self._admitted[module, name]


PICKLE_ERRORS: Final = (
    pickle.UnpicklingError, ArithmeticError, AttributeError, EOFError, ImportError, LookupError,
    MemoryError, RecursionError, TypeError, ValueError, struct.error,
)  # fmt: skip
"""Errors that reading a damaged or hostile pickle raises."""


def read_plain_pickle(path: str | os.PathLike[str]) -> Any:
    """Return the content of a pickle of plain values: numbers, texts, lists, tuples, sets and mappings.

    Raises:
        BadValue: the file cannot be read, is damaged, or names a function or class outside `ADMITTED`; no
            code of the file has run.
    """
    file = check_file("pickle", path)
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_PICKLE_BYTES + 1)
    except OSError as error:
        raise BadValue(f"pickle: expected a file, got '{file}' ({error.strerror})") from error
    if len(content) > MOST_PICKLE_BYTES:
        raise BadValue(f"pickle: expected at most {MOST_PICKLE_BYTES} bytes, got more ('{file}')")
    try:
        length_of_pickle(content)
        found = PlainUnpickler(content).load()
        check_extent(found)
        return found
    except PICKLE_ERRORS as error:
        told = f"pickle: '{file}' holds more than plain values: {reason_of(error)}"
        raise BadValue(told) from error


def length_of_pickle(content: bytes) -> int:
    """Return the length in bytes of the pickle at the beginning of `content`.

    A pickle refers to an earlier value by the value's memo index. A memo index above the pickle's size in
    bytes is rejected: Python would allocate room for that many values.

    Raises:
        UnpicklingError, ValueError: a memo index is too high, or the pickle is damaged.
    """
    end = 0
    for operation, number, place in pickletools.genops(content):
        if operation.name in _STORES and isinstance(number, int) and number > len(content):
            raise pickle.UnpicklingError(
                f"the pickle has the memo index {number}, above its size of {len(content)} bytes"
            )
        end = place or 0
    return end + 1


def check_extent(found: object) -> None:
    """Reject an unpickled value that holds too many values to check each of them.

    Raises:
        UnpicklingError: the value holds more than `MOST_VALUES` values, or holds itself.
    """
    left, count = [found], 0
    while left:
        value = left.pop()
        count += 1
        if count > MOST_VALUES:
            raise pickle.UnpicklingError(
                f"the pickle holds over {MOST_VALUES} values, or a value that holds itself"
            )
        if isinstance(value, Mapping):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, _GROUPS) and type(value) in _GROUPS:  # a named tuple is one value
            left += value
