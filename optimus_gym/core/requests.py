"""Requests to a backbone (a language model or its substitute), and the backbone's replies."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.checks import is_number, is_whole
from optimus_gym.core.errors import BadValue, shown

LONGEST_LATENCY: Final = 1e7
"""Maximum duration of a reply, in seconds: four months, more than all attempts of a backbone together."""
DEAREST: Final = 1e12
"""Maximum cost of a reply, in the currency of the backbone's prices."""
MOST_TOKENS: Final = 10**12
"""Maximum number of tokens of a question or an answer."""


PICTURE_MARK: Final = re.compile(r"\[picture [0-9]+\]")
"""Pattern of the mark for a picture's place in a request's text, such as "[picture 1]"."""


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    Attributes:
        kind: the kind of question, a word that the asker chooses ("plan", "replan", "reflect", ...).
        text: the whole prompt. `[picture 1]`, `[picture 2]`, ... mark the places of pictures.
        images: the prompt's pictures, uint8[H, W, 3] each.
        row: the row that the question concerns; that row's record gets the answer's cost. `row` is None if
            the question concerns no row.
        seed: the episode's seed, for the backbone's own random draws.
        tick: the episode's tick of the question, which makes the same words at another tick a new request.
    """

    kind: str
    text: str
    images: tuple[NDArray[np.uint8], ...] = ()
    row: int | None = None
    seed: int = 0
    tick: int = 0


def picture_mark(number: int) -> str:
    """Return the mark of a picture in a text; the first picture has number 1.

    >>> picture_mark(1)
    '[picture 1]'
    """
    return f"[picture {number}]"


def request_parts(
    request: Request, *, text_first: bool = False
) -> tuple[str | NDArray[np.uint8], ...]:
    """Return a request's text and pictures in the order in which a model reads them.

    Each mark ends a part of the text, and the picture with the mark's number follows. If the text does not
    mark all pictures, once each, in ascending order, all pictures stand together and the text is one part.
    The returned strings, joined, are the request's text. No returned string is empty.

    Args:
        request: the request.
        text_first: whether the text precedes pictures that stand together; by default the text follows.
    """
    text, images = request.text, request.images
    marks = list(PICTURE_MARK.finditer(text))
    if not images or [mark[0] for mark in marks] != _marks(len(images)):
        words = (text,) if text else ()
        return (*words, *images) if text_first else (*images, *words)
    parts: list[str | NDArray[np.uint8]] = []
    start = 0
    for mark, image in zip(marks, images, strict=True):
        parts += [text[start : mark.end()], image]
        start = mark.end()
    return (*parts, text[start:]) if text[start:] else tuple(parts)


def _marks(count: int) -> list[str]:
    return [picture_mark(number) for number in range(1, count + 1)]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    Attributes:
        text: the model's text; "" without an answer.
        latency_s: seconds until the answer; 0 without a model.
        model: the model's name.
        prompt_tokens: tokens of the question, pictures included; 0 without a model.
        completion_tokens: tokens of the answer.
        cost: the cost of question and answer, in the currency of the backbone's prices; 0 without prices.
        faults: one text for each failed attempt; if all attempts failed, `text` is "".
        cut: whether the model's limit of tokens cut the text off.
    """

    text: str
    latency_s: float = 0.0
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    faults: tuple[str, ...] = ()
    cut: bool = False


def check_reply(reply: Reply, where: str) -> None:
    """Check the types and ranges of a reply's attributes.

    Raises:
        BadValue: an attribute has a wrong type or is out of range; the message holds the attribute's name.
    """
    listed = isinstance(reply.faults, tuple) and all(isinstance(one, str) for one in reply.faults)
    rules = {
        "text": ("a text", isinstance(reply.text, str)),
        "model": ("a name", isinstance(reply.model, str)),
        "latency_s": (
            f"seconds from 0 to {LONGEST_LATENCY:g}",
            _is_within(reply.latency_s, LONGEST_LATENCY),
        ),
        "prompt_tokens": ("a whole number of tokens", _is_tokens(reply.prompt_tokens)),
        "completion_tokens": ("a whole number of tokens", _is_tokens(reply.completion_tokens)),
        "cost": (f"an amount from 0 to {DEAREST:g}", _is_within(reply.cost, DEAREST)),
        "faults": ("a tuple of texts", listed),
        "cut": ("True or False", isinstance(reply.cut, bool)),
    }
    for name, (expected, fits) in rules.items():
        if not fits:
            raise BadValue(
                f"{name}: expected {expected}, got {shown(getattr(reply, name))} ({where})"
            )


def _is_within(value: object, most: float) -> bool:
    return is_number(value) and bool(0 <= value <= most)


def _is_tokens(value: object) -> bool:
    return is_whole(value) and bool(0 <= value <= MOST_TOKENS)
