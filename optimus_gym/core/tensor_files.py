"""A strict reader of the tensor files that `torch.save` writes.

PyTorch's own reader trusts the sizes in a file: a few bytes make it allocate gigabytes, or read beyond a
storage's end. The reader in this module allocates memory only for tensors that lie within the file's bytes.
The layouts are those of `torch/serialization.py`: a ZIP of uncompressed members (since PyTorch 1.6), or
pickles followed by the storages (before 1.6).
"""

import io
import math
import pickle
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import torch
from torch import Tensor

from optimus_gym.core.errors import BadValue, reason_of, shown
from optimus_gym.core.plain_pickle import (
    ADMITTED,
    PICKLE_ERRORS,
    PlainUnpickler,
    check_extent,
    length_of_pickle,
)
from optimus_gym.core.stored_zip import members_of

MOST_PICKLE: Final = 4_000_000
"""Maximum size in bytes of the pickle that names the tensors; the largest public models take 100,000."""
MOST_SIDES: Final = 8
"""Maximum number of dimensions of a tensor."""
MOST_SHARED: Final = 4
"""Maximum size of all tensors together, as a multiple of the file's size; tensors may share a storage."""
MAGIC: Final = 0x1950A86A20F9469CFC6C
"""The number in the first pickle of a file in the layout before PyTorch 1.6."""
PROTOCOL: Final = 1001
"""The number in the second pickle of a file in the layout before PyTorch 1.6."""
_LENGTH: Final = 8
"""Bytes of the element count before each storage, in the layout before PyTorch 1.6."""
STORAGES: Final[Mapping[str, torch.dtype]] = MappingProxyType(
    {
        "FloatStorage": torch.float32,
        "DoubleStorage": torch.float64,
        "HalfStorage": torch.float16,
        "BFloat16Storage": torch.bfloat16,
        "LongStorage": torch.int64,
        "IntStorage": torch.int32,
        "ShortStorage": torch.int16,
        "CharStorage": torch.int8,
        "ByteStorage": torch.uint8,
        "BoolStorage": torch.bool,
    }
)
"""The element type of each kind of storage."""


class Stored(NamedTuple):
    """A storage: its name in the file, its element type, and the element count that the file claims."""

    key: str
    dtype: torch.dtype
    length: int


class Laid(NamedTuple):
    """A tensor's layout: its storage, its first element's index, its shape, its strides in elements."""

    storage: Stored
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def _laid(storage: object, start: object, shape: object, strides: object, *_: object) -> Laid:
    """Return a tensor's layout; replaces PyTorch's function that makes the tensor."""
    if not isinstance(storage, Stored) or not _are_counts((start,)):
        raise pickle.UnpicklingError("a tensor names no storage")
    if not isinstance(shape, tuple) or not isinstance(strides, tuple):
        raise pickle.UnpicklingError("a tensor has no shape or no strides")
    if not _are_counts(shape) or not _are_counts(strides) or len(shape) != len(strides):
        told = f"a tensor has the shape {shown(shape)} but the strides {shown(strides)}"
        raise pickle.UnpicklingError(told)
    if len(shape) > MOST_SIDES:
        raise pickle.UnpicklingError(f"a tensor has {len(shape)} dimensions, over {MOST_SIDES}")
    assert isinstance(start, int)
    return Laid(storage, start, shape, strides)


def _parameter(tensor: object, *_: object) -> object:
    """Return a parameter's tensor; replaces PyTorch's function that makes the parameter."""
    return tensor


def _are_counts(values: tuple[object, ...]) -> bool:
    return all(type(value) is int and value >= 0 for value in values)


def _kind(name: str) -> Callable[[], str]:
    """Return a function that replaces a PyTorch class of storages in a pickle and is never called."""

    def named() -> str:
        return name

    return named


_KINDS: Final = {name: _kind(name) for name in STORAGES}
_NAMES: Final[Mapping[tuple[str, str], Callable[..., Any]]] = MappingProxyType(
    {
        **ADMITTED,
        **{("torch", name): kind for name, kind in _KINDS.items()},
        ("torch._utils", "_rebuild_tensor_v2"): _laid,
        ("torch._utils", "_rebuild_parameter"): _parameter,
    }
)


class _Unpickler(PlainUnpickler):
    """Reads the pickle that names tensors; the pickle's persistent references are storages."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content, _NAMES)
        self.storages: dict[str, Stored] = {}

    def persistent_load(self, pid: Any) -> Stored:
        """Return the storage that a pickle's persistent reference names.

        Raises:
            UnpicklingError: the reference leads to no storage, to an unknown kind, or to a storage that
                another reference describes differently.
        """
        if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage" or any(pid[5:]):
            raise pickle.UnpicklingError(f"the reference {shown(pid)} leads to no storage")
        kind, key, count = pid[1], pid[2], pid[4]
        name = next((name for name, one in _KINDS.items() if one is kind), None)
        if name is None or not isinstance(key, str) or not _are_counts((count,)):
            raise pickle.UnpicklingError(f"the reference {shown(pid)} leads to no storage")
        stored = Stored(key, STORAGES[name], count)
        if self.storages.setdefault(key, stored) != stored:
            raise pickle.UnpicklingError(f"the file states two types or sizes for storage {key!r}")
        return stored


@dataclass
class _Room:
    """Storages read from a file, and the total size in bytes of the tensors made of the storages."""

    size: int
    content: dict[str, bytearray] = field(default_factory=dict)
    given: int = 0

    def tensor(self, laid: Laid) -> Tensor:
        """Return a tensor that shares its storage's memory.

        Raises:
            ValueError: the tensor does not lie within the storage, or all tensors together exceed
                `MOST_SHARED` times the file's bytes.
        """
        stored = laid.storage
        elements = math.prod(laid.shape)
        if elements == 0:
            return torch.empty(laid.shape, dtype=stored.dtype)
        last = laid.start + sum(
            (n - 1) * step for n, step in zip(laid.shape, laid.strides, strict=True)
        )
        if last >= stored.length or elements > stored.length:
            raise ValueError(
                f"a tensor of shape {list(laid.shape)} does not fit in {stored.length} numbers"
            )
        self.given += elements * stored.dtype.itemsize
        if self.given > MOST_SHARED * self.size:
            raise ValueError(f"the tensors take more than {MOST_SHARED} times the file's bytes")
        flat = torch.frombuffer(self.content[stored.key], dtype=stored.dtype)
        return flat.as_strided(laid.shape, laid.strides, laid.start)

    def put(self, stored: Stored, content: bytearray) -> None:
        """Keep the bytes of a storage, from which tensors are made.

        Raises:
            ValueError: the number of bytes differs from the size that the file states for the storage.
        """
        wanted = stored.length * stored.dtype.itemsize
        if len(content) != wanted:
            raise ValueError(f"storage {stored.key!r} has {len(content)} bytes instead of {wanted}")
        self.content[stored.key] = content


def read_tensor_file(file: Path) -> Any:
    """Return a file's content: plain values, lists, tuples and mappings, with tensors on the CPU.

    Args:
        file: a regular file that `torch.save` wrote.

    Raises:
        BadValue: the file cannot be read, is damaged, claims to hold more than its bytes, or names anything
            but tensors and plain values; no code of the file has run.
    """
    try:
        with file.open("rb") as opened:
            return tensors_of(opened, file.stat().st_size)
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, *PICKLE_ERRORS) as error:
        raise BadValue(f"checkpoint: '{file}' cannot be read: {reason_of(error)}") from error


def tensors_of(opened: Any, size: int) -> Any:
    """Return the content of an open tensor file of `size` bytes; see `read_tensor_file`."""
    head = opened.read(4)
    opened.seek(0)
    return _of_zip(opened, size) if head == b"PK\x03\x04" else _of_pickles(opened, size)


def _of_zip(opened: Any, size: int) -> Any:
    """Return the content of an open tensor file in the ZIP layout."""
    with zipfile.ZipFile(opened) as archive:
        members = members_of(archive, size)
        roots = [name.removesuffix("data.pkl") for name in members if name.endswith("/data.pkl")]
        if len(roots) != 1:
            raise ValueError(f"the ZIP has {len(roots)} members data.pkl instead of 1")
        (root,) = roots
        order = members.get(f"{root}byteorder")
        if order is not None and (order.file_size > 8 or archive.read(order) != b"little"):
            raise ValueError("the file's numbers are not little-endian")
        named = members[f"{root}data.pkl"]
        if named.file_size > MOST_PICKLE:
            raise ValueError(f"the file's list of tensors has over {MOST_PICKLE} bytes")
        found, storages = _named(archive.read(named))
        room = _Room(size)
        for stored in storages.values():
            member = members.get(f"{root}data/{stored.key}")
            if member is None:
                raise ValueError(f"no storage {stored.key!r}")
            room.put(stored, bytearray(archive.read(member)))
        return _filled(found, room)


def _of_pickles(opened: Any, size: int) -> Any:
    """Return the content of an open tensor file in the older layout: pickles followed by storages."""
    content = opened.read(MOST_PICKLE)
    place = 0
    parts: list[Any] = []
    storages: dict[str, Stored] = {}
    for _ in range(5):  # magic, protocol, system, content, names of the storages
        length = length_of_pickle(content[place:])
        made, few = _named(content[place : place + length])
        parts.append(made)
        storages.update(few)
        place += length
        if parts[:2] != [MAGIC, PROTOCOL][: len(parts)]:
            raise ValueError("torch.save did not write the file")
    room = _Room(size)
    opened.seek(place)
    keys = parts[4]
    if not isinstance(keys, list) or set(map(str, keys)) != set(storages):
        raise ValueError("the file's storages differ from those that its tensors name")
    for key in keys:
        stored = storages[str(key)]
        room.put(stored, _storage(opened, size, stored))
    return _filled(parts[3], room)


def _storage(opened: Any, size: int, stored: Stored) -> bytearray:
    """Return the bytes of the next storage in an open tensor file of the older layout."""
    head = opened.read(_LENGTH)
    count = int.from_bytes(head, "little", signed=True)
    wanted = count * stored.dtype.itemsize
    if len(head) < _LENGTH or count != stored.length or wanted > size - opened.tell():
        raise ValueError(f"storage {stored.key!r} has {count} numbers instead of {stored.length}")
    content = bytearray(wanted)
    opened.readinto(content)
    return content


def _named(content: bytes) -> tuple[Any, dict[str, Stored]]:
    """Return a pickle's content with layouts in place of tensors, and the storages that the pickle names."""
    length_of_pickle(content)
    unpickler = _Unpickler(content)
    found = unpickler.load()
    check_extent(found)
    return found, unpickler.storages


def _filled(found: Any, room: _Room) -> Any:
    """Return a value in which tensors replace their layouts.

    Raises:
        ValueError: a tensor does not lie in its storage.
    """
    if isinstance(found, Laid):
        return room.tensor(found)
    if isinstance(found, Stored):
        raise ValueError("the file holds a storage in place of a tensor")
    if isinstance(found, Mapping):
        return {key: _filled(value, room) for key, value in found.items()}
    if type(found) in (list, tuple):
        return type(found)(_filled(value, room) for value in found)
    return found


def tensors_within(content: bytes) -> Any:
    """Return the content of a tensor file that is given as bytes; see `read_tensor_file`.

    Raises:
        ValueError: the bytes are no valid tensor file; the message names the fault.
    """
    try:
        return tensors_of(io.BytesIO(content), len(content))
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, *PICKLE_ERRORS) as error:
        raise ValueError(reason_of(error)) from error
