"""The ZIP of a portable file: its members, their largest sizes, reading and writing."""

import hashlib
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from optimus_gym.core.errors import BadValue, shown

MANIFEST: Final = "manifest.json"
EXPERIENCES: Final = "experiences.jsonl"
VECTORS: Final = "vectors.npy"
PICTURE: Final = re.compile(r"images/([0-9a-f]{64})\.jpg")
MOST_FILE: Final = 2**34
"""Most bytes of a portable file, and so of its members, which are stored without compression: 16 GiB."""
MOST_MANIFEST: Final = 2**16
MOST_LINE: Final = 2**24
"""Most bytes of an experience without pictures and vectors: 16 MiB."""
MOST_PICTURE: Final = 2**23
"""Most bytes of a picture: 8 MiB."""
DATE: Final = (1980, 1, 1, 0, 0, 0)
"""Date of all members, a ZIP's earliest, so that the same experiences give the same bytes."""
MODE: Final = 0o644 << 16
_BROKEN = (
    OSError,
    EOFError,
    RuntimeError,
    OverflowError,
    UnicodeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
"""Errors that reading a damaged ZIP raises."""


def picture_name(digest: str) -> str:
    """Return the name of a picture's member by its SHA-256.

    >>> PICTURE.fullmatch(picture_name("0" * 64)) is not None
    True
    """
    return f"images/{digest}.jpg"


def write_member(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Store a member; the bytes depend neither on the time nor on the system."""
    info = zipfile.ZipInfo(name, DATE)
    info.external_attr = MODE
    info.create_system = 3
    file.writestr(info, content, zipfile.ZIP_STORED)


class Archive:
    """A portable file, open for reading; closed by `with`.

    Args:
        path: path of the file.

    Raises:
        BadValue: the file is no ZIP, is too large, lacks a member, or has members that are compressed,
            encrypted, repeated or of other names.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._told():
            if not path.is_file():
                raise BadValue(f"'{path}': expected a file")
            size = path.stat().st_size
            if size > MOST_FILE:
                raise BadValue(f"'{path}': expected at most {MOST_FILE} bytes, got {size}")
            self._file = zipfile.ZipFile(path)
        try:
            self.pictures = self._looked_through(size)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of the system and of damaged files into `BadValue`.

        Raises:
            BadValue: an error came up inside; the message names the file.
        """
        try:
            yield
        except BadValue:
            raise
        except _BROKEN as error:
            raise BadValue(f"'{self.path}': expected a whole ZIP file: {error}") from error

    def _looked_through(self, size: int) -> frozenset[str]:
        """Check the members, as the class says, and return the pictures' SHA-256."""
        members = self._file.infolist()
        total, pictures = 0, set()
        for info in members:
            name = f"'{self.path}' {shown(info.filename)}"
            total += info.file_size
            match = PICTURE.fullmatch(info.filename)
            if match is None and info.filename not in (MANIFEST, EXPERIENCES, VECTORS):
                raise BadValue(
                    f"{name}: expected no member but {MANIFEST}, {EXPERIENCES}, {VECTORS} and pictures by "
                    f"their hash, such as {picture_name('0' * 64)}"
                )
            is_stored = info.compress_type == zipfile.ZIP_STORED
            if not is_stored or info.compress_size != info.file_size or info.flag_bits & 1:
                raise BadValue(
                    f"{name}: expected a member that is stored, not compressed or encrypted"
                )
            if match is not None:
                pictures.add(match[1])
        if len({info.filename for info in members}) < len(members):
            raise BadValue(f"'{self.path}': expected every member once")
        if total > size:
            raise BadValue(
                f"'{self.path}': expected members of at most {size} bytes, the file's, got {total}"
            )
        for wanted in (MANIFEST, EXPERIENCES, VECTORS):
            if wanted not in self._file.NameToInfo:
                raise BadValue(f"'{self.path}': expected a member {wanted}, got none")
        return frozenset(pictures)

    def size(self, name: str) -> int:
        """Return a member's size in bytes."""
        return self._file.getinfo(name).file_size

    def read(self, name: str, most: int) -> bytes:
        """Return a member.

        Raises:
            BadValue: the member has more than `most` bytes, or is damaged.
        """
        if self.size(name) > most:
            raise BadValue(f"'{self.path}' {name}: expected at most {most} bytes")
        with self._told():
            return self._file.read(name)

    def picture(self, digest: str) -> bytes:
        """Return a picture by its SHA-256.

        Raises:
            BadValue: the picture is too large, damaged, or has another SHA-256.
        """
        content = self.read(picture_name(digest), MOST_PICTURE)
        if hashlib.sha256(content).hexdigest() != digest:
            raise BadValue(
                f"'{self.path}' {picture_name(digest)}: expected the picture of this SHA-256, got another"
            )
        return content

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield the experiences' lines, each with its name for messages.

        Raises:
            BadValue: a line is too long or has no end, or the member is damaged.
        """
        number = 0
        with self._told():
            member = self._file.open(EXPERIENCES)
        with member:
            while True:
                number += 1
                where = f"'{self.path}' {EXPERIENCES} line {number}"
                with self._told():
                    line = member.readline(MOST_LINE + 1)
                if not line:
                    return
                if not line.endswith(b"\n"):
                    raise BadValue(
                        f"{where}: expected a line of at most {MOST_LINE} bytes with an end"
                    )
                yield where, line
