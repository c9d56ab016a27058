"""What is asked of a backbone, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    Attributes:
        kind: what is asked for, in a word of the asker's own ("plan", "replan", "reflect", ...).
        text: the whole prompt.
        images: pictures that go with it, uint8[H, W, 3] each.
        facts: what the text says, as values, for backbones that read no prose; nothing more.
        row: the row on whose behalf it is asked, so that its episode's record gets the answer's cost;
            None where it is nobody's.
        seed: for the backbone's own draws: the episode's.
        tick: the episode's tick at which it is asked, so that the same words come anew at another one.
    """

    kind: str
    text: str
    images: tuple[NDArray[np.uint8], ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    row: int | None = None
    seed: int = 0
    tick: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    Attributes:
        text: what the model wrote; "" where there was no answer.
        latency_s: seconds it took; 0 where there is no model.
        model: its name.
        prompt_tokens: tokens of the question, pictures included; 0 where there is no model.
        completion_tokens: tokens of the answer.
        cost: of both, in whatever money the backbone was told prices in; 0 where it was told none.
        faults: in words, what went wrong on the way, one for each attempt that failed; the text is "" if
            all did.
    """

    text: str
    latency_s: float = 0.0
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    faults: tuple[str, ...] = ()
