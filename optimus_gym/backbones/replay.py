"""A backbone that writes down what another one answers, and one that answers again from what was written.

The file has a line of JSON for its form and one for each reply: the request's key, kind, seed and prompt, and
all of the reply. Pictures are not kept; they count in the key.
"""

import hashlib
import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, fields
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
from filelock import FileLock

from optimus_gym.backbones.fallible import answers_of, backbone_of
from optimus_gym.core.checks import check_path, is_number, is_whole
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.plain import plain_value, read_json
from optimus_gym.core.requests import Reply, Request

FORMAT: Final = 1
WHAT: Final = "replies of a backbone"
HEADER: Final = (json.dumps({"format": FORMAT, "what": WHAT}) + "\n").encode()
ROW: Final = {"key", "kind", "seed", "prompt", "reply"}
"""Fields of a line."""
_REPLY: Final = {field.name for field in fields(Reply)}
_LONGEST_HEADER: Final = 1_000
_WORDS: Final = 60
"""Characters of a prompt that an error shows."""
_NAME: Final = 100
"""Characters of the file's name that stand in that of its lock."""
_PIECE: Final = 1 << 20


class ReplayBackbone:
    """Writes down what another backbone answers, or answers from what was written down.

    Requests are the same if kind, text, seed and pictures are; the row may be another. A request that is
    asked for the n-th time gets the n-th reply that was written down for it, with the latency that it had
    then, at once. A last line that is cut in half, as a killed process leaves it, counts as not written.

    With another backbone it writes, into a new or empty file or, with `append`, also behind the replies that
    a recording holds already: then several processes may write into one file. The replies of a call are on
    the disk before it returns. Replies of processes that write together stand in the order in which they
    came. A lock lies beside the file.

    A copy goes on where the original stood, in the same file.

    Args:
        source: the file.
        backbone: the other one: an object, or in any form in which a part can be named. None: answer from
            the file.
        append: whether a recording that is there already may be added to.

    Raises:
        BadValue: there is no recording to answer from, or it is damaged (names the line); there is one and
            `append` is False; the file is something else; it cannot be read or written.
        UnknownName: there is no such backbone.
    """

    name = "replay"

    def __init__(
        self, source: str | os.PathLike[str], backbone: object = None, *, append: bool = False
    ) -> None:
        if not isinstance(append, bool):
            raise BadValue(f"append: expected True or False, got {shown(append)}")
        if append and backbone is None:
            raise BadValue("append: expected a backbone whose replies are added, got none")
        self.file = Path(os.path.realpath(check_path("source", source)))
        self._append = append
        self._inner = None if backbone is None else backbone_of(backbone)
        self._begun = False
        self._asked: Counter[str] = Counter()
        self._replies: dict[str, list[Reply]] = {}
        if self._inner is None:
            self._replies = read_replies(self.file)
        else:
            _check_writable(self.file, append)

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the other backbone's replies and write them down, or those that were written down.

        Raises:
            BadValue: no reply is left for one of the requests, and none is used up; the other backbone's
                answers are no replies; the file cannot be written, or another process began it.
        """
        if self._inner is None:
            return self._replayed(requests)
        if not requests:
            return []
        if not self._begun:
            _begin(self.file, self._append)
            self._begun = True
        replies = list(answers_of(self._inner, requests))
        lines = [_line(*pair, self._inner.name) for pair in zip(requests, replies, strict=True)]
        with _locked(self.file):
            _add(self.file, b"".join(lines))
        return replies

    def _replayed(self, requests: Sequence[Request]) -> list[Reply]:
        asked = self._asked.copy()
        replies = []
        for request in requests:
            key = key_of(request)
            known = self._replies.get(key, [])
            if asked[key] >= len(known):
                raise BadValue(
                    f"replay: expected a request that '{self.file}' has a reply to, got one of kind "
                    f"{request.kind!r} that begins {request.text[:_WORDS]!r} for the "
                    f"{asked[key] + 1}. time; {len(known)} replies to it were written down"
                )
            replies.append(known[asked[key]])
            asked[key] += 1
        self._asked = asked
        return replies


def key_of(request: Request) -> str:
    """Return the SHA-256, in hexadecimal, of a request's kind, text, seed and pictures."""
    images = [np.ascontiguousarray(image) for image in request.images]
    shapes = [[str(image.dtype), *image.shape] for image in images]
    told = plain_value("request", [request.kind, request.text, request.seed, shapes])
    digest = hashlib.sha256(json.dumps(told).encode())
    for image in images:
        digest.update(image.data)
    return digest.hexdigest()


def read_replies(file: Path) -> dict[str, list[Reply]]:
    """Return the replies that a recording holds, by their requests' keys, in their order.

    Half a last line is left out.

    Raises:
        BadValue: it cannot be read, is no recording, or is damaged (names the line).
    """
    found: dict[str, list[Reply]] = {}
    try:
        with file.open("rb") as stream:
            if not _check_header(file, stream):
                raise BadValue(f"replay: '{file}' holds no recording: not even its first line")
            for number, line in enumerate(stream, 2):
                if line.endswith(b"\n"):
                    key, reply = _row(line, f"'{file}', line {number}")
                    found.setdefault(key, []).append(reply)
    except OSError as error:
        raise BadValue(f"replay: '{file}' cannot be read: {error.strerror}") from error
    return found


def _check_header(file: Path, stream: BinaryIO) -> bool:
    """Read a recording's first line; tell whether there is a whole one, or nothing of it or half.

    Raises:
        BadValue: it is of something else, or of a newer version.
    """
    line = stream.readline(_LONGEST_HEADER)
    if not line.endswith(b"\n") and HEADER.startswith(line):
        return False
    strange = f"replay: expected a recording of {WHAT}, got '{file}', which is something else"
    try:
        found = read_json(line, f"'{file}', line 1")
    except BadValue as error:
        raise BadValue(strange) from error
    if not isinstance(found, dict) or found.get("what") != WHAT or not line.endswith(b"\n"):
        raise BadValue(strange)
    if found.get("format") != FORMAT or found.keys() != {"format", "what"}:
        version = found.get("format")
        newer = is_whole(version) and version > FORMAT
        why = "; a newer version of optimus-gym wrote it" if newer else ""
        raise BadValue(f"replay: '{file}': expected format {FORMAT}, got {shown(version)}{why}")
    return True


def _row(line: bytes, where: str) -> tuple[str, Reply]:
    """Return the key and the reply of a line.

    Raises:
        BadValue: it is damaged.
    """
    found = read_json(line, where)
    if not isinstance(found, dict) or found.keys() != ROW:
        raise BadValue(f"expected an object with {', '.join(sorted(ROW))}, got another ({where})")
    key = found["key"]
    if not isinstance(key, str) or len(key) != hashlib.sha256().digest_size * 2:
        raise BadValue(f"key: expected a SHA-256 in hexadecimal, got {shown(key)} ({where})")
    return key, _reply(found["reply"], where)


def _reply(found: object, where: str) -> Reply:
    """Return the reply that JSON holds.

    Raises:
        BadValue: it holds none.
    """
    if not isinstance(found, Mapping) or found.keys() != _REPLY:
        raise BadValue(f"reply: expected {', '.join(sorted(_REPLY))}, got {shown(found)} ({where})")
    faults = found["faults"]
    listed = isinstance(faults, list) and all(isinstance(one, str) for one in faults)
    right = {
        "a text": ("text", isinstance(found["text"], str)),
        "a name": ("model", isinstance(found["model"], str)),
        "seconds": ("latency_s", _is_amount(found["latency_s"])),
        "a number": ("prompt_tokens", _is_count(found["prompt_tokens"])),
        "a whole number": ("completion_tokens", _is_count(found["completion_tokens"])),
        "an amount": ("cost", _is_amount(found["cost"])),
        "texts": ("faults", listed),
    }
    for expected, (name, fits) in right.items():
        if not fits:
            raise BadValue(f"{name}: expected {expected}, got {shown(found[name])} ({where})")
    return Reply(**{**found, "faults": tuple(faults)})


def _is_amount(value: object) -> bool:
    return is_number(value) and bool(0 <= value < math.inf)


def _is_count(value: object) -> bool:
    return is_whole(value) and bool(value >= 0)


def _line(request: Request, reply: Reply, backbone: str) -> bytes:
    """Return the line of a reply.

    Raises:
        BadValue: the reply holds what none can.
    """
    where = f"backbone {backbone!r}"
    held = plain_value(where, asdict(reply))
    _reply(held, where)
    row = {
        "key": key_of(request),
        "kind": request.kind,
        "seed": int(request.seed),
        "prompt": request.text,
        "reply": held,
    }
    return (json.dumps(row) + "\n").encode()


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Let no other process write into a recording meanwhile.

    Raises:
        BadValue: what is done meanwhile cannot be done there.
    """
    try:
        with FileLock(file.parent / f".{file.name[:_NAME]}.lock"):
            yield
    except OSError as error:
        raise BadValue(f"replay: '{file}' cannot be written: {error.strerror or error}") from error


def _check_writable(file: Path, append: bool) -> None:
    """Refuse a file that may not be written into; nothing has changed.

    Raises:
        BadValue: it is no file, something else, or a recording that is not to be added to.
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


def _begin(file: Path, append: bool) -> None:
    """Make a recording ready: its first line is written, or it is found whole.

    Raises:
        BadValue: as `_check_writable`; the recording is damaged; it cannot be written.
    """
    with _locked(file):
        _check_writable(file, append)
        _add(file, b"")
        read_replies(file)


def _add(file: Path, lines: bytes) -> None:
    """Put whole lines at the end of a recording, in place of half a line that a killed process left.

    Raises:
        OSError: they cannot be written; nothing of them is there.
    """
    with file.open("a+b", buffering=0) as stream:
        end = _whole(stream)
        stream.truncate(end)
        written = lines if end else HEADER + lines
        try:
            while written:
                written = written[stream.write(written) :]
            os.fsync(stream.fileno())
        except OSError:
            stream.truncate(end)
            raise


def _whole(stream: BinaryIO) -> int:
    """Return how many bytes of a file are whole lines."""
    end = stream.seek(0, os.SEEK_END)
    while end:
        start = max(end - _PIECE, 0)
        stream.seek(start)
        last = stream.read(end - start).rfind(b"\n")
        if last >= 0:
            return start + last + 1
        end = start
    return 0
