"""A backbone that returns given replies, for tests and replays without a model."""

from collections.abc import Sequence

from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request


class ScriptedBackbone:
    """Returns its replies in turn and stores the requests.

    Args:
        replies: the texts of the replies, in the order in which they will be given.
    """

    name = "scripted"
    takes_pictures = True

    def __init__(self, replies: Sequence[str]) -> None:
        self.replies = tuple(replies)
        self.requests: list[Request] = []

    def complete(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the next replies, one for each request.

        Raises:
            BadValue: more requests came than replies are left.
        """
        start, end = len(self.requests), len(self.requests) + len(requests)
        if end > len(self.replies):
            raise BadValue(f"scripted: expected at most {len(self.replies)} requests, got {end}")
        self.requests += requests
        return [Reply(text, 0.0, self.name) for text in self.replies[start:end]]
