"""A check of ZIP files from strangers: the members together may hold no more bytes than the file has."""

import zipfile
from collections.abc import Mapping
from typing import Final

_ENCRYPTED: Final = 1
"""The bit of a ZIP member's flags that marks the member as encrypted (APPNOTE.TXT, 4.4.4)."""


def members_of(archive: zipfile.ZipFile, size: int) -> Mapping[str, zipfile.ZipInfo]:
    """Return a ZIP's members by name.

    Args:
        archive: the open ZIP.
        size: bytes of the ZIP's file.

    Raises:
        BadZipFile: a member is compressed, encrypted or there twice, or all members together are larger than
            the file, so that a small file could fill the memory.
    """
    members: dict[str, zipfile.ZipInfo] = {}
    total = 0
    for info in archive.infolist():
        is_stored = info.compress_type == zipfile.ZIP_STORED
        if not is_stored or info.compress_size != info.file_size or info.flag_bits & _ENCRYPTED:
            raise zipfile.BadZipFile(
                f"the ZIP's member {info.filename[:100]!r} is compressed or encrypted"
            )
        total += info.file_size
        if info.filename in members or total > size:
            raise zipfile.BadZipFile("the ZIP's members overlap")
        members[info.filename] = info
    return members
