"""A backbone that writes down what another one answers, and one that answers again from what was written."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from optimus_gym.backbones import recording
from optimus_gym.backbones.fallible import answers_of, backbone_of
from optimus_gym.core.checks import check_path
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.core.requests import Reply, Request

_WORDS: Final = 60
"""Characters of a prompt that an error shows."""


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
        self._pictured = False
        if self._inner is None:
            for found in recording.recorded(self.file):
                self._pictured |= found.pictures > 0
                self._replies.setdefault(found.key, []).append(found.reply)
        else:
            recording.check_writable(self.file, append)

    @property
    def takes_pictures(self) -> bool:
        """Return whether the other backbone takes pictures, or did when its replies were written down."""
        return self._pictured if self._inner is None else self._inner.takes_pictures

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
            recording.begin(self.file, self._append)
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
                    f"{asked[key] + 1}. time; {len(known)} replies to it were written down"
                )
            replies.append(known[asked[key]])
            asked[key] += 1
        self._asked = asked
        return replies
