"""Experience in one portable file: a ZIP of JSON, pictures and vectors.

`manifest.json` names the vectors' aligner and the number of experiences. `experiences.jsonl` has one
experience a line, with pictures by their SHA-256 (`images/<sha256>.jpg`) and vectors by their row in
`vectors.npy`.
"""

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import numpy as np

from optimus_gym.core.checks import check_count, check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.files import new_beside, put_in_place
from optimus_gym.core.plain import plain_value, read_json
from optimus_gym.memory.exchange.archive import (
    EXPERIENCES,
    MANIFEST,
    MOST_FILE,
    MOST_LINE,
    MOST_MANIFEST,
    MOST_PICTURE,
    VECTORS,
    Archive,
    picture_name,
    write_member,
)
from optimus_gym.memory.exchange.drawers import Anew, Kept, References
from optimus_gym.memory.exchange.records import Vector, experience_of, record_of
from optimus_gym.memory.experience import Experience, Image
from optimus_gym.memory.json_checks import check_aligner, check_mapping
from optimus_gym.vision.aligner import Aligner

FORMAT: Final = "optimus-gym experience"
VERSION: Final = 2
"""Version of the format; since 2 an experience has `replans`."""
STORED: Final = np.dtype("<f4")
HEADER: Final = re.compile(
    rb"\x93NUMPY\x01\x00(..)\{'descr': '<f4', 'fortran_order': False, "
    rb"'shape': \((\d{1,18}), (\d{1,18})\), \} *\n",
    re.DOTALL,
)
"""Header of `vectors.npy`, as NumPy writes it; the reader evaluates nothing."""


def export(experiences: Iterable[Experience], aligner: tuple[str, int], path: Path) -> int:
    """Write experiences into a portable file; equal experiences in equal order give equal bytes.

    A file at `path` is replaced only when all is written.

    Args:
        experiences: the experiences, in the order of reading; each key once.
        aligner: name of the vectors' aligner, and their width.
        path: path of the file.

    Returns:
        the number of experiences.

    Raises:
        BadValue: the file cannot be written, or `read_portable` would refuse an experience.
    """
    path = check_path("path", path)
    name, width = check_aligner("aligner", plain_value("aligner", aligner))
    try:
        new = new_beside(path)
        try:
            with zipfile.ZipFile(new, "w", zipfile.ZIP_STORED) as file:
                writer = _Writer(file, name, width)
                for experience in experiences:
                    writer.add(experience)
                writer.finish()
            if new.stat().st_size > MOST_FILE:
                raise BadValue(f"'{path}': expected at most {MOST_FILE} bytes of experience")
            put_in_place(new, path)
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise BadValue(f"'{path}' cannot be written: {error}") from error
    return len(writer.keys)


class _Writer:
    """Writes a portable file's members: pictures with each experience, the other members at the end."""

    def __init__(self, file: zipfile.ZipFile, name: str, width: int) -> None:
        self._file = file
        self._name = name
        self._width = width
        self._pictures: set[str] = set()
        self._vectors: list[Vector] = []
        self._lines: list[bytes] = []
        self.keys: set[str] = set()

    @property
    def _where(self) -> str:
        return f"experiences[{len(self._lines)}]"

    def add(self, experience: Experience) -> None:
        where = self._where
        try:
            record = plain_value(where, record_of(experience, self._picture, self._row))
            experience_of(where, record, References(self._pictures, self._vectors))
            text = json.dumps(record, sort_keys=True, separators=(",", ":"), allow_nan=False)
        except BadValue:
            raise
        except (AttributeError, TypeError, ValueError, RecursionError) as error:
            raise BadValue(f"{where}: expected an experience: {error}") from error
        line = text.encode() + b"\n"
        if len(line) > MOST_LINE:
            raise BadValue(f"{where}: expected at most {MOST_LINE} bytes, got {len(line)}")
        if experience.key in self.keys:
            raise BadValue(f"{where}: expected every key once, got {shown(experience.key)} again")
        self.keys.add(experience.key)
        self._lines.append(line)

    def _picture(self, image: Image) -> str:
        if not isinstance(image.picture, bytes) or len(image.picture) > MOST_PICTURE:
            raise BadValue(f"{self._where}: expected a picture of at most {MOST_PICTURE} bytes")
        digest = hashlib.sha256(image.picture).hexdigest()
        if digest not in self._pictures:
            write_member(self._file, picture_name(digest), image.picture)
            self._pictures.add(digest)
        return digest

    def _row(self, vector: Vector) -> int:
        given = np.asarray(vector)
        if (
            given.shape != (self._width,)
            or given.dtype != np.float32
            or not np.isfinite(given).all()
        ):
            raise BadValue(
                f"{self._where}: expected a vector of {self._width} finite numbers (float32), got "
                f"{given.dtype}{list(given.shape)}"
            )
        self._vectors.append(given)
        return len(self._vectors) - 1

    def finish(self) -> None:
        made = BytesIO()
        vectors = np.array(self._vectors, STORED).reshape(len(self._vectors), self._width)
        np.lib.format.write_array(made, vectors, (1, 0), allow_pickle=False)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "aligner": [self._name, self._width],
            "experiences": len(self._lines),
        }
        write_member(self._file, EXPERIENCES, b"".join(self._lines))
        write_member(self._file, VECTORS, made.getvalue())
        write_member(self._file, MANIFEST, json.dumps(manifest, indent=1).encode())


def read_portable(path: Path, aligner: Aligner) -> Iterator[Experience]:
    """Yield the experiences of a portable file, in its order.

    The whole file is checked before the first experience is yielded. If `aligner` made the vectors (same
    name and width), they are copied. Otherwise `aligner` makes new vectors of the pictures; for each
    sub-goal with frames it makes the vector of the video and its correlation with the text. Sub-goals
    without frames lose the other aligner's correlation, as the two aligners do not compare.

    Args:
        path: path of the file.
        aligner: the aligner whose vectors the experiences shall have.

    Raises:
        BadValue: the file is of another kind, of a newer version, larger than `archive` allows, damaged,
            or holds impossible experiences; the error names file and place.
    """
    path = check_path("path", path)
    with Archive(path) as archive:
        (name, width), count, version = _manifest(archive)
        vectors = _vectors(archive, width)
        _check(archive, count, len(vectors), version)
        is_same = (name, width) == (aligner.name, aligner.width)
        drawer = Kept(archive, vectors) if is_same else Anew(archive, aligner)
        for where, line in archive.lines():
            yield experience_of(where, _record(where, line, version), drawer)


def _record(where: str, line: bytes, version: int) -> object:
    """Return a line's record in the form of this version."""
    record = read_json(line, where)
    if version == 1 and isinstance(record, dict) and "replans" not in record:
        return {**record, "replans": []}
    return record


def _manifest(archive: Archive) -> tuple[tuple[str, int], int, int]:
    """Return the file's aligner (name and width), number of experiences, and version."""
    where = f"'{archive.path}' {MANIFEST}"
    value = check_mapping(where, read_json(archive.read(MANIFEST, MOST_MANIFEST), where))
    if value.get("format") != FORMAT:
        raise BadValue(f"{where}: expected the format {FORMAT!r}, got {shown(value.get('format'))}")
    version = check_count(f"{where}.version", value.get("version"), 1)
    if version > VERSION:
        raise BadValue(
            f"{where}: expected version {VERSION} or older, got {version}: a newer optimus-gym wrote it"
        )
    check_mapping(where, value, ("format", "version", "aligner", "experiences"))
    count = check_count(f"{where}.experiences", value["experiences"], 0)
    return check_aligner(f"{where}.aligner", value["aligner"]), count, version


def _vectors(archive: Archive, width: int) -> Vector:
    """Return the vectors (float32[n, width], read-only)."""
    where = f"'{archive.path}' {VECTORS}"
    content = archive.read(VECTORS, MOST_FILE)
    header = HEADER.match(content)
    if header is None:
        raise BadValue(f"{where}: expected float32[n, {width}] as NPY 1.0, got {content[:80]!r}")
    length, rows, columns = int.from_bytes(header[1], "little"), int(header[2]), int(header[3])
    rest = len(content) - header.end()
    if (
        columns != width
        or rows * columns * STORED.itemsize != rest
        or length != len(header[0]) - 10
    ):
        raise BadValue(
            f"{where}: expected float32[n, {width}], got float32[{rows}, {columns}] in {rest} bytes"
        )
    numbers = np.frombuffer(memoryview(content)[header.end() :], STORED)
    if not np.isfinite(numbers).all():
        raise BadValue(f"{where}: expected finite numbers")
    return numbers.reshape(rows, columns)


def _check(archive: Archive, count: int, rows: int, version: int) -> None:
    """Check that all lines can be read, and that all pictures and vectors exist and are used."""
    references = References(archive.pictures, range(rows))
    keys: set[str] = set()
    for where, line in archive.lines():
        experience = experience_of(where, _record(where, line, version), references)
        if experience.key in keys:
            raise BadValue(f"{where}: expected every key once, got {shown(experience.key)} again")
        keys.add(experience.key)
    if len(keys) != count:
        raise BadValue(f"'{archive.path}' {EXPERIENCES}: expected {count} lines, got {len(keys)}")
    if len(references.rows) != rows:
        raise BadValue(
            f"'{archive.path}' {VECTORS}: expected {len(references.rows)} vectors, got {rows}"
        )
    for picture in sorted(archive.pictures - references.pictures):
        raise BadValue(f"'{archive.path}' {picture_name(picture)}: expected only pictures in use")
    for picture in sorted(archive.pictures):
        archive.picture(picture)
