"""The saved state of a world: an immutable value, and a file that nothing has to be unpickled from.

A file is a line that names the format, a line of JSON (version, kind of world, layout, the parts'
lengths, a SHA-256 of all of it) and the parts' bytes, compressed.
"""

import hashlib
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from optimus_gym.core.errors import BadValue
from optimus_gym.core.files import write_whole

VERSION = 1
"""Of the file's form."""
_MAGIC = b"optimus-gym snapshot\n"
_KEYS = {"version", "world", "layout", "parts", "sha256"}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One world at one moment, byte for byte; equal snapshots go on equally.

    Attributes:
        world: kind of the world that it was taken of, "voxel".
        layout: name of the form of the parts and of the rules by which they go on; a world takes
            only what has its own.
        parts: name and bytes of each array of the state.
    """

    world: str
    layout: str
    parts: tuple[tuple[str, bytes], ...]

    def to_bytes(self) -> bytes:
        """Return what a file holds."""
        body = b"".join(part for _, part in self.parts)
        header = {
            "version": VERSION,
            "world": self.world,
            "layout": self.layout,
            "parts": [[name, len(part)] for name, part in self.parts],
        }
        header["sha256"] = _digest(header, body)
        return _MAGIC + json.dumps(header).encode() + b"\n" + zlib.compress(body)

    @classmethod
    def from_bytes(cls, data: bytes) -> "Snapshot":
        """Return the snapshot that `to_bytes` wrote.

        Raises:
            BadValue: it is something else, of another version, truncated or edited.
        """
        if not data.startswith(_MAGIC):
            raise BadValue("snapshot: expected a file of optimus-gym, got something else")
        line, newline, packed = data[len(_MAGIC) :].partition(b"\n")
        if not newline:
            raise BadValue("snapshot: it is truncated: its header does not end")
        header = _header(line)
        body = _unpacked(packed, sum(length for _, length in header["parts"]))
        digest = header.pop("sha256")
        if digest != _digest(header, body):
            raise BadValue("snapshot: it was edited or damaged: its SHA-256 does not fit")
        parts, start = [], 0
        for name, length in header["parts"]:
            parts.append((name, body[start : start + length]))
            start += length
        return cls(header["world"], header["layout"], tuple(parts))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file, whole or not at all."""
        write_whole(path, self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Snapshot":
        """Read a file that `save` wrote.

        Raises:
            BadValue: it cannot be read, or `from_bytes` refuses what it holds.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise BadValue(f"snapshot: cannot read {os.fspath(path)!r}: {error}") from error
        try:
            return cls.from_bytes(data)
        except BadValue as error:
            raise BadValue(f"{error} ({os.fspath(path)!r})") from error


def _digest(header: dict[str, Any], body: bytes) -> str:
    text = json.dumps(header, sort_keys=True).encode()
    return hashlib.sha256(text + b"\n" + body).hexdigest()


def _header(line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except ValueError as error:
        raise BadValue("snapshot: it was edited or damaged: its header is no JSON") from error
    if isinstance(header, dict) and header.get("version", VERSION) != VERSION:
        raise BadValue(f"snapshot: expected version {VERSION}, got {header['version']!r}")
    if not isinstance(header, dict) or set(header) != _KEYS or not _are_parts(header["parts"]):
        raise BadValue("snapshot: it was edited or damaged: its header lacks what it should hold")
    return header


def _are_parts(parts: object) -> bool:
    return isinstance(parts, list) and all(
        isinstance(part, list)
        and len(part) == 2
        and isinstance(part[0], str)
        and type(part[1]) is int
        and part[1] >= 0
        for part in parts
    )


def _unpacked(packed: bytes, length: int) -> bytes:
    """Return the `length` bytes that were compressed; never makes more of them."""
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(packed, length + 1)
    except zlib.error as error:
        raise BadValue(f"snapshot: it was edited or damaged: {error}") from error
    if len(body) <= length and not unpacker.eof:
        raise BadValue("snapshot: it is truncated: its last part does not end")
    if len(body) != length or unpacker.unused_data:
        raise BadValue("snapshot: it was edited or damaged: its length does not fit its header")
    return body
