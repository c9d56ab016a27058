"""A backbone that gives the replies it was made with: for tests and replays, no model needed."""

from collections.abc import Sequence

from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request


class ScriptedBackbone:
    """Answers with its replies in turn and keeps what it was asked.

    Args:
        replies: texts, in the order of the questions.
    """

    name = "scripted"

    def __init__(self, replies: Sequence[str]) -> None:
        self.replies = tuple(replies)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        """Return the next reply.

        Raises:
            BadValue: all replies are given.
        """
        if len(self.requests) >= len(self.replies):
            raise BadValue(f"expected at most {len(self.replies)} questions, got one more")
        self.requests.append(request)
        return Reply(self.replies[len(self.requests) - 1], 0.0, self.name)
