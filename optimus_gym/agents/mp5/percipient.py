"""MP5's percipient answers questions about the frame: by a model that sees, or by aligner and symbols.

The paper trains a multimodal model for it (MineLLM, appendix B.1). Here any backbone that takes pictures
answers, or else the aligner: it compares the frame with the questioned thing, names biome and night, and the
frame's mean gives the brightness. The aligner `mini` knows no word for rain: the weather stays unknown.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

import numpy as np

from optimus_gym.agents.mp5.questions import sight_question
from optimus_gym.backbones.workflow_plans import NOT_TOLD
from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.situation import Situation
from optimus_gym.minds.describer import Describer, NoDescriber
from optimus_gym.minds.eyes import Seen
from optimus_gym.minds.facts import in_a_line
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.environments import HIDING_PLACES, PERHAPS

IN_VIEW: Final[Mapping[str, float]] = MappingProxyType({"log": 0.11, "grass": 0.3, "water": 0.2})
"""Least cosine of a frame and a thing's words at which the aligner `mini` takes the thing to be in view.

Source: 570 frames of training seeds from 510,000 on. At these values `mini` finds a log in 96 % of the frames
with one and in 28 % of the others, grass in 88 % and 9 %, water in 78 % and 10 %. At 0.1 `mini` finds a cow
in 43 % and 14 %. Frames with a pig of any size look to `mini` like other frames.
"""
ELSE_IN_VIEW: Final = 0.1
"""Least cosine for all other things."""
FINE_SENTENCES: Final = 12
"""Maximum number of sentences of a global description: our choice."""
BRIGHT_FRAME: Final = 60.0
"""Least mean of a bright frame's values, of 255: our choice."""
MOST_ANSWER: Final = 120
"""Maximum number of characters of a model's answer to one question."""
MOST_SENTENCES_READ: Final = 40
"""Maximum number of sentences of a model's description."""
FrameQuestions = Sequence[tuple[str, str]]
"""Questions about one frame: (aspect, thing) each."""


class Percipient(Protocol):
    """Answers questions about the frames of many rows at once."""

    def answer(
        self, situations: Sequence[Situation], asked: Sequence[FrameQuestions]
    ) -> list[list[str]]:
        """Return the answers to each row's questions, in their order."""

    def describe(self, situations: Sequence[Situation]) -> list[tuple[str, ...]]:
        """Return sentences that describe each row's frame."""


class AlignedPercipient:
    """Answers by the aligner and by symbols; in a world without pictures, by symbols alone.

    Args:
        describer: reads frames, and describes them in sentences.
        aligner: compares frames with words; None in a world without pictures.
        least: least cosine of a frame and a thing that is in view; None: `IN_VIEW`.
    """

    def __init__(
        self,
        describer: Describer | NoDescriber,
        aligner: Aligner | None,
        least: float | None = None,
    ) -> None:
        self._describer = describer
        self._aligner = aligner
        self._least = least
        self._seen: dict[int, tuple[tuple[int, int], Seen]] = {}
        """Each row's latest frame, with seed and tick."""

    def answer(
        self, situations: Sequence[Situation], asked: Sequence[FrameQuestions]
    ) -> list[list[str]]:
        """Return the answers to each row's questions, in their order."""
        return [
            [self._answer(here, seen, aspect, thing) for aspect, thing in questions]
            for here, seen, questions in zip(situations, self._look(situations), asked, strict=True)
        ]

    def describe(self, situations: Sequence[Situation]) -> list[tuple[str, ...]]:
        """Return the sentences that fit each row's frame best, and what symbols tell of the place."""
        return [
            (*self._describer.sentences(seen), *([] if here.biome is None else [here.biome]))
            for here, seen in zip(situations, self._look(situations), strict=True)
        ]

    def _look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the contents of each row's frame; the frame of one tick is read once."""
        new = [one for one in situations if self._is_new(one)]
        for here, seen in zip(new, self._describer.look(new), strict=True):
            self._seen[here.row] = ((here.seed, here.tick), seen)
        return [self._seen[here.row][1] for here in situations]

    def _is_new(self, here: Situation) -> bool:
        return self._seen.get(here.row, (None,))[0] != (here.seed, here.tick)

    def _answer(self, here: Situation, seen: Seen, aspect: str, thing: str) -> str:
        if aspect == "ecology":
            return in_a_line(here.biome) if here.biome is not None else _biome(seen)
        if seen.screen is None or self._aligner is None:
            return NOT_TOLD
        if aspect == "time":
            return _time(seen)
        if aspect == "brightness":
            picture = None if seen.picture is None else float(np.mean(seen.picture.look()))
            return NOT_TOLD if picture is None else "bright" if picture >= BRIGHT_FRAME else "dark"
        if aspect not in ("object", "mob"):
            return NOT_TOLD
        likeness = float(self._aligner.texts([f"I see {thing}"])[0] @ seen.screen.vector)
        least = IN_VIEW.get(thing, ELSE_IN_VIEW) if self._least is None else self._least
        return f"{thing}: {'yes' if likeness >= least else 'no'}"


def _biome(seen: Seen) -> str:
    place = seen.screen.environment.removeprefix(PERHAPS) if seen.screen is not None else ""
    return NOT_TOLD if place in ("", *HIDING_PLACES) else place


def _time(seen: Seen) -> str:
    """Return whether a frame shows the night; a cave or water hides the time."""
    assert seen.screen is not None, "the frame was read"
    place = seen.screen.environment.removeprefix(PERHAPS)
    if place == "night":
        return "night"
    return NOT_TOLD if place in HIDING_PLACES else "day"


class AskedPercipient:
    """Asks a backbone that takes pictures, one request for all questions about a frame.

    Args:
        backbone: the multimodal model.
    """

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone

    def answer(
        self, situations: Sequence[Situation], asked: Sequence[FrameQuestions]
    ) -> list[list[str]]:
        """Return the model's answers; an answer that is left out is "not known"."""
        requests = [sight_question(*one) for one in zip(situations, asked, strict=True)]
        replies = self._backbone.complete(requests) if requests else []
        return [
            _answers(reply.text, len(questions))
            for reply, questions in zip(replies, asked, strict=True)
        ]

    def describe(self, situations: Sequence[Situation]) -> list[tuple[str, ...]]:
        """Return the sentences of the model's description of each row's frame."""
        requests = [sight_question(here, ()) for here in situations]
        replies = self._backbone.complete(requests) if requests else []
        return [_sentences(reply.text) for reply in replies]


def _answers(text: str, count: int) -> list[str]:
    parts = [in_a_line(part)[:MOST_ANSWER] for part in text.split(";")]
    told = [part or NOT_TOLD for part in parts[:count]]
    return told + [NOT_TOLD] * (count - len(told))


def _sentences(text: str) -> tuple[str, ...]:
    lines = (in_a_line(line.replace(";", ",")).strip("-* ") for line in text.splitlines())
    return tuple(line[:MOST_ANSWER] for line in lines if line)[:MOST_SENTENCES_READ]
