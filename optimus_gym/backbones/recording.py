"""Read, extend and check a recording, the file that holds a backbone's replies.

The first line of JSON names the format. Each further line is a reply: the request's key, kind, seed and
prompt, and the whole reply. Pictures are not stored, but the request's key depends on them.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import numpy as np
from filelock import FileLock

from optimus_gym.core.checks import is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import plain_value, read_json
from optimus_gym.core.requests import Reply, Request, check_reply

RECORDING_FORMAT: Final = 1
WHAT: Final = "replies of a backbone"
RECORDING_HEADER: Final = (json.dumps({"format": RECORDING_FORMAT, "what": WHAT}) + "\n").encode()
_REPLY: Final = {field.name for field in fields(Reply)}
_LONGEST_HEADER: Final = 1_000
_NAME: Final = 100
"""Maximum number of characters of a recording's file name that the name of its lock file repeats."""
_PIECE: Final = 1 << 20


class Recorded(NamedTuple):
    """A recorded reply and its request."""

    key: str
    """The request's key (`key_of`)."""
    kind: str
    seed: int
    prompt: str
    pictures: int
    """The number of pictures with the prompt."""
    reply: Reply


def key_of(request: Request) -> str:
    """Return the SHA-256, in hexadecimal, of a request's kind, text, seed and pictures."""
    images = [np.ascontiguousarray(image) for image in request.images]
    shapes = [[str(image.dtype), *image.shape] for image in images]
    told = plain_value("request", [request.kind, request.text, request.seed, shapes])
    digest = hashlib.sha256(json.dumps(told).encode())
    for image in images:
        digest.update(image.data)
    return digest.hexdigest()


def recorded(file: Path) -> Iterator[Recorded]:
    """Yield the replies of a recording, in their order; skip an incomplete last line.

    Raises:
        BadValue: the file cannot be read, is no recording, or is damaged; the message names the line.
    """
    try:
        with file.open("rb") as stream:
            if not _check_header(file, stream):
                raise BadValue(f"replay: '{file}' holds no recording: it has no first line")
            for number, line in enumerate(stream, 2):
                if line.endswith(b"\n"):
                    yield _recorded(line, f"'{file}', line {number}")
    except OSError as error:
        raise BadValue(f"replay: '{file}' cannot be read: {error.strerror}") from error


def _check_header(file: Path, stream: BinaryIO) -> bool:
    """Read a recording's first line; return whether it is complete; an empty or partial line is not.

    Raises:
        BadValue: the file is no recording, or of a newer version.
    """
    line = stream.readline(_LONGEST_HEADER)
    if not line.endswith(b"\n") and RECORDING_HEADER.startswith(line):
        return False
    strange = f"replay: expected a recording of {WHAT}, got '{file}', which is something else"
    try:
        found = read_json(line, f"'{file}', line 1")
    except BadValue as error:
        raise BadValue(strange) from error
    if not isinstance(found, dict) or found.get("what") != WHAT or not line.endswith(b"\n"):
        raise BadValue(strange)
    if found.get("format") != RECORDING_FORMAT or found.keys() != {"format", "what"}:
        version = found.get("format")
        newer = is_whole(version) and version > RECORDING_FORMAT
        why = "; a newer version of optimus-gym wrote it" if newer else ""
        raise BadValue(
            f"replay: '{file}': expected format {RECORDING_FORMAT}, got {shown(version)}{why}"
        )
    return True


def _recorded(line: bytes, where: str) -> Recorded:
    """Return the recorded reply in a line.

    Raises:
        BadValue: the line is damaged.
    """
    found = read_json(line, where)
    if not isinstance(found, dict) or found.keys() != set(Recorded._fields):
        names = ", ".join(sorted(Recorded._fields))
        raise BadValue(f"expected an object with the fields {names}, got others ({where})")
    key = found["key"]
    if not isinstance(key, str) or len(key) != hashlib.sha256().digest_size * 2:
        raise BadValue(f"key: expected a SHA-256 in hexadecimal, got {shown(key)} ({where})")
    for name in ("kind", "prompt"):
        if not isinstance(found[name], str):
            raise BadValue(f"{name}: expected a text, got {shown(found[name])} ({where})")
    if not is_whole(found["pictures"]) or found["pictures"] < 0:
        raise BadValue(f"pictures: expected 0 or more, got {shown(found['pictures'])} ({where})")
    if not is_whole(found["seed"]):
        raise BadValue(f"seed: expected an integer, got {shown(found['seed'])} ({where})")
    return Recorded(**{**found, "reply": _reply(found["reply"], where)})


def _reply(found: object, where: str) -> Reply:
    """Return the reply in a JSON value.

    Raises:
        BadValue: the value is no reply.
    """
    if not isinstance(found, Mapping) or found.keys() != _REPLY:
        names = ", ".join(sorted(_REPLY))
        raise BadValue(f"reply: expected the fields {names}, got {shown(found)} ({where})")
    faults = found["faults"]
    reply = Reply(**{**found, "faults": tuple(faults) if isinstance(faults, list) else faults})
    check_reply(reply, where)
    return reply


def line_of(request: Request, reply: Reply, backbone: str) -> bytes:
    """Return the line of a recording that holds a request and its reply.

    Raises:
        BadValue: the reply holds invalid values.
    """
    where = f"backbone {backbone!r}"
    held = plain_value(where, asdict(reply))
    _reply(held, where)
    row = {
        "key": key_of(request),
        "kind": request.kind,
        "seed": int(request.seed),
        "prompt": request.text,
        "pictures": len(request.images),
        "reply": held,
    }
    return (json.dumps(row) + "\n").encode()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Lock a recording against other writing processes while the context is open.

    Raises:
        BadValue: the lock or the work inside the context fails with an `OSError`.
    """
    try:
        with FileLock(file.parent / f".{file.name[:_NAME]}.lock"):
            yield
    except OSError as error:
        raise BadValue(f"replay: '{file}' cannot be written: {error.strerror or error}") from error


def check_writable(file: Path, append: bool) -> None:
    """Raise an error if replies may not be written into a file; change nothing.

    Raises:
        BadValue: the path is no file, the file is no recording, or the file is not empty and `append` is
            False.
    """
    try:
        if file.is_dir() or not file.parent.is_dir():
            raise BadValue(f"source: expected a file in a folder that exists, got '{file}'")
        if not file.exists() or file.stat().st_size == 0:
            return
        with file.open("rb") as stream:
            _check_header(file, stream)
    except OSError as error:
        raise BadValue(f"replay: '{file}' cannot be read: {error.strerror}") from error
    if not append:
        raise BadValue(
            f"source: expected a new or empty file, got '{file}', which is a recording already; "
            "append=True adds to it"
        )


def begin_recording(file: Path, append: bool) -> None:
    """Prepare a recording for writing: write its first line, or check the whole file.

    Raises:
        BadValue: `check_writable` refuses the file, or the recording is damaged or cannot be written.
    """
    with locked(file):
        check_writable(file, append)
        add(file, b"")
        for _ in recorded(file):
            pass


def add(file: Path, lines: bytes) -> None:
    """Append whole lines to a recording; the lines overwrite a partial last line that a killed process left.

    Raises:
        OSError: the lines cannot be written; no part of them stays in the file.
    """
    with file.open("a+b", buffering=0) as stream:
        end = _whole(stream)
        stream.truncate(end)
        written = lines if end else RECORDING_HEADER + lines
        try:
            while written:
                written = written[stream.write(written) :]
            os.fsync(stream.fileno())
        except OSError:
            stream.truncate(end)
            raise


def _whole(stream: BinaryIO) -> int:
    """Return the number of bytes in the complete lines of a file."""
    end = stream.seek(0, os.SEEK_END)
    while end:
        start = max(end - _PIECE, 0)
        stream.seek(start)
        last = stream.read(end - start).rfind(b"\n")
        if last >= 0:
            return start + last + 1
        end = start
    return 0
