"""Notes what each reply of a backbone cost, in the row on whose behalf it was asked."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.deliberation import Answer
from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.envs.answers import check_replies
from optimus_gym.envs.episode import Course


class MeteredBackbone:
    """A backbone that passes on another one's answers and notes their cost.

    Args:
        backbone: who answers.
        courses: get the cost of each reply to a request that names a row, in that row's `answers`.
        tick: tells the episode's tick of a row.
    """

    def __init__(
        self, backbone: Backbone, courses: Sequence[Course], tick: Callable[[int], int]
    ) -> None:
        self.name = backbone.name
        self._backbone = backbone
        self._courses = courses
        self._tick = tick

    def complete(self, requests: Sequence[Request]) -> Sequence[Reply]:
        """Return the backbone's replies, in the order of the requests.

        Raises:
            BadValue: the backbone gave anything but a reply to each.
        """
        replies = check_replies(self.name, self._backbone.complete(requests), len(requests))
        for request, reply in zip(requests, replies, strict=True):
            if request.row is not None:
                self._courses[request.row].hear(self._answer(request, request.row, reply))
        return replies

    def _answer(self, request: Request, row: int, reply: Reply) -> Answer:
        return Answer(
            kind=request.kind,
            model=reply.model or self.name,
            latency_s=reply.latency_s,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            tick=self._tick(row),
            cost=reply.cost,
            faults=reply.faults,
            answered=bool(reply.text.strip()),
        )


def totals(answers: Sequence[Sequence[Answer]]) -> dict[str, NDArray[Any]]:
    """Return each row's calls, unanswered ones, tokens, faults (int64[n]), seconds and costs (float64[n]).

    >>> made = totals([[Answer("plan", "m", 0.5, 10, 3, 0), Answer("plan", "m", 0.25, 4, 1, 9)]])
    >>> {name: values.tolist() for name, values in made.items()}["latency_s"]
    [0.75]
    """
    whole = {
        "calls": [len(row) for row in answers],
        "unanswered": [sum(not answer.answered for answer in row) for row in answers],
        "prompt_tokens": [sum(answer.prompt_tokens for answer in row) for row in answers],
        "completion_tokens": [sum(answer.completion_tokens for answer in row) for row in answers],
        "faults": [sum(len(answer.faults) for answer in row) for row in answers],
    }
    real = {
        "latency_s": [sum(answer.latency_s for answer in row) for row in answers],
        "cost": [sum(answer.cost for answer in row) for row in answers],
    }
    return {
        **{name: np.array(values, np.int64) for name, values in whole.items()},
        **{name: np.array(values, np.float64) for name, values in real.items()},
    }


def models(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return the models that gave some answers, each once.

    >>> models([Answer("plan", "m", 0.5, 10, 3, 0), Answer("plan", "m", 0.25, 4, 1, 9)])
    ('m',)
    """
    return tuple(dict.fromkeys(answer.model for answer in answers))
