"""A backbone that records another backbone's replies, or answers from such a recording."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from optimus_gym.backbones import recording
from optimus_gym.backbones.fallible import answers_of, backbone_of
from optimus_gym.core.checks import check_flag, check_path
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request

_WORDS: Final = 60
"""Maximum number of characters of a prompt that an error shows."""


class ReplayBackbone:
    """Records another backbone's replies in a file, or answers from such a recording.

    Two requests are equal if their kind, text, seed and pictures are equal; the row of a request does not
    matter. The n-th of several equal requests gets the n-th recorded reply to such a request, without any
    wait; the reply's field `latency_s` repeats the recorded latency. An incomplete last line of the file, as
    a killed process leaves it, is ignored.

    If `backbone` is given, its replies are written into a new or empty file. With `append`, replies can also
    be added to an existing recording, and several processes may write into one file. The replies of a call
    are on the disk before the call returns. Replies of several processes are stored in the order of their
    arrival. A lock file is stored next to the recording.

    A copy of a `ReplayBackbone` continues at the same reply of the same file.

    Args:
        source: the recording's file.
        backbone: the wrapped backbone, whose replies are recorded, as an object or in any form that names a
            part (`core.parts`); None: answer from the recording.
        append: whether replies may be added to an existing recording.

    Raises:
        BadValue: the recording is missing or damaged (the message names the line), or it exists and `append`
            is False; the file is no recording, or cannot be read or written.
        UnknownName: the backbone is unknown.
    """

    name = "replay"

    def __init__(
        self, source: str | os.PathLike[str], backbone: object = None, *, append: bool = False
    ) -> None:
        check_flag("append", append)
        if append and backbone is None:
            raise BadValue(
                "append: expected a backbone whose replies are added to the file, got none"
            )
        self.file = Path(os.path.realpath(check_path("source", source)))
        self._append = append
        self._inner = None if backbone is None else backbone_of(backbone)
        self._begun = False
        self._asked: Counter[str] = Counter()
        self._replies: dict[str, list[Reply]] = {}
        self._pictured = False
        if self._inner is None:
            for found in recording.recorded(self.file):
                self._pictured |= found.pictures > 0
                self._replies.setdefault(found.key, []).append(found.reply)
        else:
            recording.check_writable(self.file, append)

    @property
    def takes_pictures(self) -> bool:
        """Return whether the wrapped backbone takes pictures, or took pictures during the recording."""
        return self._pictured if self._inner is None else self._inner.takes_pictures

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the wrapped backbone's replies and record them, or return the recorded replies.

        Raises:
            BadValue: no reply is left for a request (then no reply is used up), the wrapped backbone returns
                no valid replies, the file cannot be written, or another process has begun to write the file.
        """
        if self._inner is None:
            return self._replayed(requests)
        if not requests:
            return []
        if not self._begun:
            recording.begin_recording(self.file, self._append)
            self._begun = True
        replies = list(answers_of(self._inner, requests))
        lines = [
            recording.line_of(*pair, self._inner.name)
            for pair in zip(requests, replies, strict=True)
        ]
        with recording.locked(self.file):
            recording.add(self.file, b"".join(lines))
        return replies

    def _replayed(self, requests: Sequence[Request]) -> list[Reply]:
        asked = self._asked.copy()
        replies = []
        for request in requests:
            key = recording.key_of(request)
            known = self._replies.get(key, [])
            if asked[key] >= len(known):
                raise BadValue(
                    f"replay: expected a request that '{self.file}' has a reply to, got one of kind "
                    f"{request.kind!r} that begins {request.text[:_WORDS]!r} for the "
                    f"{asked[key] + 1}. time; {len(known)} replies to it are recorded"
                )
            replies.append(known[asked[key]])
            asked[key] += 1
        self._asked = asked
        return replies
