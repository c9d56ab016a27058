"""What is asked of a backbone, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    Attributes:
        kind: what is asked for.
        text: the whole prompt.
        images: pictures that go with it, uint8[H, W, 3] each.
        facts: what the text says, as values, for backbones that read no prose; nothing more.
    """

    kind: Literal["plan", "replan"]
    text: str
    images: tuple[NDArray[np.uint8], ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer.

    Attributes:
        text: what the model wrote.
        latency_s: seconds it took; 0 where there is no model.
        model: its name.
    """

    text: str
    latency_s: float = 0.0
    model: str = ""
