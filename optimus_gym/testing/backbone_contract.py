"""Rules of backbones. The tests ask for plans as the agent `optimus-1` does, five requests in one call.

Each rule asks a new backbone; a paid model answers about 40 requests in all.
"""

import pickle
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any, Final

from optimus_gym.core.errors import BadValue
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.requests import Reply, Request, check_reply
from optimus_gym.testing.agent_contract import GOALS, HELD
from optimus_gym.testing.contract import Contract, PartCase, RuleBroken, expect, expect_members
from optimus_gym.testing.situations import CountingBackbone, attached, situation

CONTRACT: Final = Contract(PartCase)
_PLAIN: Final = Request("plan", "What now?")
"""A request that names no task, item or other fact."""


def questions() -> tuple[Request, ...]:
    """Return five new requests for a plan, as the agent `optimus-1` writes them."""
    return deepcopy(_questions())


@cache
def _questions() -> tuple[Request, ...]:
    from optimus_gym.agents.optimus1.agent import Optimus1

    counting = CountingBackbone()
    agent = attached(Optimus1(), counting)
    situations = [situation(GOALS[row], HELD[row], row=row) for row in range(len(GOALS))]
    agent.begin_episodes(situations)
    agent.decide(situations)
    return counting.calls[0]


def reply_texts(backbone: Any, requests: Sequence[Request]) -> list[str]:
    """Return the texts of a backbone's replies."""
    return [reply.text for reply in backbone.complete(requests)]


@CONTRACT.basic
def can_be_made(case: PartCase) -> None:
    """A backbone can be made."""
    case.make()


@CONTRACT.basic
def has_all_members(case: PartCase) -> None:
    """A backbone has a name, says whether it takes pictures, and has the method `complete`."""
    backbone = case.make()
    expect_members(backbone, Backbone)
    expect(isinstance(backbone.name, str), "a name", backbone.name, backbone, "name")
    takes = backbone.takes_pictures
    expect(isinstance(takes, bool), "True or False", takes, backbone, "takes_pictures")


@CONTRACT.basic
def answers_each_request(case: PartCase) -> None:
    """`complete` returns one `Reply` for each request."""
    backbone = case.make()
    replies = backbone.complete(questions())
    listed = isinstance(replies, Sequence) and len(replies) == len(questions())
    expect(listed, f"{len(questions())} replies", replies, backbone, "complete")
    for reply in replies:
        expect(isinstance(reply, Reply), "a Reply", reply, backbone, "complete")


@CONTRACT.rule
def replies_have_their_types(case: PartCase) -> None:
    """Text, model, latency, tokens, cost and faults of a reply have their types and ranges."""
    backbone = case.make()
    for reply in backbone.complete(questions()):
        try:
            check_reply(reply, f"{type(backbone).__name__}.complete")
        except BadValue as error:
            raise RuleBroken(str(error)) from error


@CONTRACT.rule
def answers_alike(case: PartCase) -> None:
    """Two new backbones answer a request alike, so that evaluations can be repeated."""
    backbone = case.make()
    first, again = reply_texts(backbone, questions()), reply_texts(case.make(), questions())
    for mine, other in zip(first, again, strict=True):
        expect(mine == other, f"the reply {mine!r:.60} again", other, backbone, "complete")


@CONTRACT.rule
def answers_alone_as_together(case: PartCase) -> None:
    """A request gets the same reply alone as together with others."""
    backbone = case.make()
    together = reply_texts(backbone, questions())
    for request, text in zip(questions(), together, strict=True):
        alone = reply_texts(case.make(), [request])[0]
        expect(alone == text, f"the reply {text!r:.60} alone, too", alone, backbone, "complete")


@CONTRACT.rule
def answers_in_order(case: PartCase) -> None:
    """Replies come in the order of their requests."""
    backbone = case.make()
    turned = reply_texts(case.make(), questions()[::-1])[::-1]
    for place, text in enumerate(reply_texts(backbone, questions())):
        wanted = f"the reply {text!r:.60} to request {place} of another order, too"
        expect(turned[place] == text, wanted, turned[place], backbone, "complete")


@CONTRACT.rule
def answers_nothing_with_nothing(case: PartCase) -> None:
    """`complete` returns no replies if it gets no requests."""
    backbone = case.make()
    replies = list(backbone.complete([]))
    expect(replies == [], "no replies to no requests", replies, backbone, "complete")


@CONTRACT.rule
def leaves_requests_alone(case: PartCase) -> None:
    """`complete` changes no request."""
    backbone, request = case.make(), questions()[3]
    before = deepcopy(request)
    backbone.complete([request, replace(request, row=7)])
    expect(request == before, "the request as it was", "a changed one", backbone, "complete")


@CONTRACT.rule
def copies_answer(case: PartCase) -> None:
    """A copied backbone and an unpickled backbone can answer requests."""
    for copy in (deepcopy(case.make()), pickle.loads(pickle.dumps(case.make()))):
        replies = len(copy.complete([_PLAIN]))
        expect(replies == 1, "1 reply from a copy", f"{replies} replies", copy, "complete")
