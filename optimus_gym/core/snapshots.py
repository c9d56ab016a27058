"""The saved state of a world: an immutable value, and a file that needs no unpickling.

A snapshot file holds a line that names the format, a line of JSON (version, kind of world, layout, names and
lengths of the state's arrays, a SHA-256 of these fields and of the bytes) and the arrays' bytes, compressed.
"""

import hashlib
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import write_whole

SNAPSHOT_VERSION = 1
"""Version of the format of snapshot files."""
MOST_SNAPSHOT_BYTES = 2**25
"""Maximum size in bytes of all arrays of a snapshot; a file that claims more is not decompressed."""
MOST_HEADER = 2**16
"""Maximum length in bytes of the line of JSON in a snapshot file."""
MOST_SNAPSHOT_FILE = MOST_SNAPSHOT_BYTES + MOST_SNAPSHOT_BYTES // 100 + 2 * MOST_HEADER
"""Maximum size of a snapshot's file, bytes; data that cannot be compressed grows a little in the file."""
_MAGIC = b"optimus-gym snapshot\n"
_KEYS = {"version", "world", "layout", "parts", "sha256"}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One world at one moment, byte for byte; equal snapshots have equal futures.

    Attributes:
        world: the kind of world, "voxel".
        layout: a text that identifies the arrays' layout and the version of the world's rules; a world
            restores only snapshots with the layout that the world itself writes.
        parts: name and bytes of each array of the state.
    """

    world: str
    layout: str
    parts: tuple[tuple[str, bytes], ...]

    def to_bytes(self) -> bytes:
        """Return the content of a snapshot file that holds this snapshot.

        Raises:
            BadValue: the arrays hold more than `MOST_SNAPSHOT_BYTES`, or their names fill more than
                `MOST_HEADER`.
        """
        body = b"".join(part for _, part in self.parts)
        header = {
            "version": SNAPSHOT_VERSION,
            "world": self.world,
            "layout": self.layout,
            "parts": [[name, len(part)] for name, part in self.parts],
        }
        packed = zlib.compress(body)
        header["sha256"] = _digest(header, packed)
        line = json.dumps(header).encode()
        for size, most in ((len(body), MOST_SNAPSHOT_BYTES), (len(line), MOST_HEADER)):
            if size > most:
                raise BadValue(f"snapshot: expected at most {most} bytes, got {size}")
        return _MAGIC + line + b"\n" + packed

    @classmethod
    def from_bytes(cls, data: bytes) -> "Snapshot":
        """Return the snapshot in the content of a snapshot file (from `to_bytes`).

        Raises:
            BadValue: the bytes are no snapshot, have another version, are truncated or edited, or claim to
                hold more than `MOST_SNAPSHOT_BYTES`.
        """
        if not data.startswith(_MAGIC):
            raise BadValue("snapshot: expected a snapshot of optimus-gym, got something else")
        start = len(_MAGIC)
        end = data.find(b"\n", start, start + MOST_HEADER + 1)
        if end < 0:
            raise BadValue("snapshot: it is truncated: it ends within its header")
        header = _header(data[start:end])
        digest = header.pop("sha256")
        packed = memoryview(data)[end + 1 :]
        body = _unpacked(packed, header["parts"])
        if digest != _digest(header, packed):
            raise BadValue("snapshot: it was edited or damaged: its SHA-256 does not match")
        parts, start = [], 0
        for name, length in header["parts"]:
            parts.append((name, body[start : start + length]))
            start += length
        return cls(header["world"], header["layout"], tuple(parts))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the snapshot to a file, whole or not at all.

        Raises:
            BadValue: `path` is no path, or `to_bytes` raises BadValue.
            OSError: the file cannot be written.
        """
        write_whole(check_path("snapshot", path), self.to_bytes())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Snapshot":
        """Return the snapshot in a file that `save` wrote.

        Raises:
            BadValue: the file cannot be read, or `from_bytes` rejects its content.
        """
        file = check_path("snapshot", path)
        try:
            return cls.from_bytes(_content(file))
        except OSError as error:
            raise BadValue(f"snapshot: cannot read {str(file)!r}: {error}") from error
        except BadValue as error:
            raise BadValue(f"{error} ({str(file)!r})") from error


def _content(path: Path) -> bytes:
    """Return a file's content, at most `MOST_SNAPSHOT_FILE` bytes.

    Raises:
        BadValue: the path leads to no regular file, or to a file with more than `MOST_SNAPSHOT_FILE` bytes.
        OSError: the file cannot be read.
    """
    if path.exists() and not path.is_file():
        raise BadValue("snapshot: expected a file, got a folder or a device")
    with path.open("rb") as file:
        data = file.read(MOST_SNAPSHOT_FILE + 1)
    if len(data) > MOST_SNAPSHOT_FILE:
        raise BadValue(
            f"snapshot: expected a file of at most {MOST_SNAPSHOT_FILE} bytes, got a larger file"
        )
    return data


def _digest(header: dict[str, Any], packed: bytes | memoryview) -> str:
    """Return the SHA-256 of a snapshot file's header and of the compressed bytes that follow in the file."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode() + b"\n")
    digest.update(packed)
    return digest.hexdigest()


def _header(line: bytes) -> dict[str, Any]:
    """Return the checked fields of a snapshot file's line of JSON."""
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadValue("snapshot: it was edited or damaged: its header is no JSON") from error
    if isinstance(header, dict) and header.get("version", SNAPSHOT_VERSION) != SNAPSHOT_VERSION:
        raise BadValue(
            f"snapshot: expected version {SNAPSHOT_VERSION}, got {shown(header['version'])}"
        )
    if not isinstance(header, dict) or set(header) != _KEYS or not _is_form(header):
        raise BadValue("snapshot: it was edited or damaged: its header lacks a field")
    if json.dumps(header).encode() != line:
        raise BadValue("snapshot: it was edited: its header differs from the one that was written")
    size = sum(length for _, length in header["parts"])
    if size > MOST_SNAPSHOT_BYTES:
        raise BadValue(f"snapshot: expected at most {MOST_SNAPSHOT_BYTES} bytes, got {shown(size)}")
    return header


def _is_form(header: dict[str, Any]) -> bool:
    texts = all(isinstance(header[key], str) for key in ("world", "layout", "sha256"))
    return texts and type(header["version"]) is int and _are_parts(header["parts"])


def _are_parts(parts: object) -> bool:
    return isinstance(parts, list) and all(
        isinstance(part, list)
        and len(part) == 2
        and isinstance(part[0], str)
        and type(part[1]) is int
        and part[1] >= 0
        for part in parts
    )


def _unpacked(packed: memoryview, parts: list[tuple[str, int]]) -> bytes:
    """Return the decompressed bytes of all arrays of a snapshot, never more than the file's header says."""
    length = sum(length for _, length in parts)
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(packed, length + 1)
    except zlib.error as error:
        raise BadValue(f"snapshot: it was edited or damaged: {error}") from error
    if len(body) <= length and not unpacker.eof:
        raise BadValue("snapshot: it is truncated: it ends within its last part")
    if len(body) != length or unpacker.unused_data:
        raise BadValue("snapshot: it was edited or damaged: its length does not fit its header")
    return body
