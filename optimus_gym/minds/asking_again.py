"""Asks for answers that a grammar reads, and once more for those that it cannot read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.prompts.template import render

_ReadT = TypeVar("_ReadT")
_CUT_SHORT: Final = "expected a whole answer, got an answer cut off at its token limit"


@dataclass(frozen=True, slots=True)
class Heard(Generic[_ReadT]):
    """The content of an answer.

    Attributes:
        value: the answer's content; of the second answer, if the first could not be read.
        problems: faults of the answers, in words; empty if the first answer could be read.
        corrections: 1 if the answer was corrected, else 0.
    """

    value: _ReadT
    problems: tuple[str, ...] = ()
    corrections: int = 0


def heard_from(
    backbone: Backbone,
    requests: Sequence[Request],
    read: Callable[[str], tuple[_ReadT, tuple[str, ...]]],
) -> list[Heard[_ReadT]]:
    """Return the contents of a backbone's answers; unreadable answers are corrected once.

    Args:
        backbone: answers the requests.
        requests: the requests; their answers come in lines.
        read: returns an answer's content, and the faults that keep it from being used.
    """
    if not requests:
        return []
    replies = backbone.complete(requests)
    heard = [_heard(reply, read) for reply in replies]
    again = [k for k, one in enumerate(heard) if one.problems and replies[k].text]
    if again:
        asked = [_again(requests[k], replies[k], heard[k].problems) for k in again]
        for k, reply in zip(again, backbone.complete(asked), strict=True):
            second = _heard(reply, read)
            heard[k] = Heard(second.value, (*heard[k].problems, *second.problems), 1)
    return heard


def _heard(reply: Reply, read: Callable[[str], tuple[_ReadT, tuple[str, ...]]]) -> Heard[_ReadT]:
    value, problems = read(reply.text)
    if reply.faults and not reply.text:
        problems = tuple(f"no answer: {fault}" for fault in reply.faults)
    return Heard(value, (_CUT_SHORT,) if reply.cut else problems)


def _again(request: Request, reply: Reply, problems: Sequence[str]) -> Request:
    values = {"request": request.text, "answer": reply.text, "problems": "\n".join(problems)}
    return replace(request, text=render(MIND_PROMPTS, "correct_lines", values))
