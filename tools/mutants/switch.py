"""The number of the active mutant, in memory that both Python and kernels can read.

A mutated copy of the checkout holds this file as `mutant_switch`. The number is in a file that all processes
of a trial map into memory, so that forked children and processes of tests see the same mutant. After the
number comes a byte for each mutant, which is 1 once the mutant's code has been reached.
"""

import ctypes
import mmap
import os
from pathlib import Path
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

VARIABLE = "OPTIMUS_GYM_MUTANT"
"""Environment variable that names the file with the active mutant's number."""
NOBODY = -1
"""The number in the file when no mutant is active."""
MOST = 4096
"""Maximum number of mutants in a copy."""
_NUMBER = ctypes.sizeof(ctypes.c_int32)
SIZE = _NUMBER + MOST
"""Bytes of the file."""
_SYMBOL = "optimus_gym_mutant_switch"


def write_switch(path: Path, number: int) -> None:
    """Activate a mutant in all processes that have mapped the file, and clear the reached mutants."""
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.write(number.to_bytes(_NUMBER, "little", signed=True) + bytes(MOST))


def read_reached(path: Path) -> list[int]:
    """Return the numbers of the mutants whose code has been reached."""
    return [n for n, byte in enumerate(path.read_bytes()[_NUMBER:]) if byte]


def _mapped() -> mmap.mmap:
    path = os.environ.get(VARIABLE)
    if not path:
        memory = mmap.mmap(-1, SIZE)
        memory[:_NUMBER] = NOBODY.to_bytes(_NUMBER, "little", signed=True)
        return memory
    with open(path, "r+b") as file:
        return mmap.mmap(file.fileno(), SIZE)


_MEMORY = (ctypes.c_char * SIZE).from_buffer(_mapped())
_ACTIVE = ctypes.c_int32.from_buffer(_MEMORY)
_REACHED = (ctypes.c_byte * MOST).from_buffer(_MEMORY, _NUMBER)
llvmlite.binding.add_symbol(_SYMBOL, ctypes.addressof(_MEMORY))


def is_active(number: int) -> bool:
    """Return whether a mutant is active, and note that its code has been reached."""
    _REACHED[number] = 1
    return _ACTIVE.value == number


@type_callable(is_active)  # type: ignore[untyped-decorator]
def _type_is_active(context: Any) -> Any:
    return lambda number: types.boolean if isinstance(number, types.Integer) else None


@lower_builtin(is_active, types.Integer)  # type: ignore[untyped-decorator]
def _build_is_active(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Read the number through a linker symbol, so that cached code works in all processes."""
    byte, word = ir.IntType(8), ir.IntType(32)
    memory = builder.module.globals.get(_SYMBOL)
    if memory is None:
        memory = ir.GlobalVariable(builder.module, ir.ArrayType(byte, SIZE), _SYMBOL)
        memory.linkage = "external"
    number = context.cast(builder, arguments[0], signature.args[0], types.int32)
    start = builder.bitcast(memory, byte.as_pointer())
    place = builder.add(number, ir.Constant(word, _NUMBER))
    builder.store(ir.Constant(byte, 1), builder.gep(start, [place]))
    active = builder.load(builder.bitcast(memory, word.as_pointer()))
    active.set_metadata("invariant.load", builder.module.add_metadata([]))
    return builder.icmp_signed("==", active, number)
