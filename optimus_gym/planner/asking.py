"""Has a multimodal model say what the screen shows."""

import re
from collections.abc import Sequence
from typing import Final

from optimus_gym.core.protocols import Backbone
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Situation
from optimus_gym.planner.sight import NOT_SEEN, Eyes, Sight
from optimus_gym.prompts.lines import SIGHTS
from optimus_gym.prompts.template import render
from optimus_gym.vision.environments import prompts

MOST_CHARACTERS: Final = 200
"""Of a model's word on one thing."""
_LINE: Final = re.compile(r"^\W*(goal|health|food|hotbar|environment)\W*:\s*(.+?)\s*$", re.I | re.M)


class AskingEyes(Eyes):
    """Has a multimodal model say what the screen shows, all rows' at once.

    Args:
        backbone: is asked.
    """

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone

    def see(self, situations: Sequence[Situation]) -> list[Sight]:
        """Return what the model says of each row's screen; what it does not say was not seen."""
        looking = [
            (k, situation)
            for k, situation in enumerate(situations)
            if situation.picture is not None
        ]
        sights = super().see(situations)
        if not looking:
            return sights
        replies = self._backbone.complete([_question(situation) for _, situation in looking])
        for (k, _), reply in zip(looking, replies, strict=True):
            sights[k] = sight_in(reply.text)
        return sights


def _question(situation: Situation) -> Request:
    assert situation.picture is not None, "only who sees is asked"
    values = {"task": " ".join(situation.instruction.split()), "environments": ", ".join(prompts())}
    images = (situation.picture.look(),)
    text = render("see", values)
    return Request("see", text, images, {}, situation.row, situation.seed, situation.tick)


def sight_in(text: str) -> Sight:
    """Return the sight that a model tells of.

    >>> sight_in("**Health**: 20 of 20").words["health"]
    '20 of 20'
    """
    told = {name.lower(): _one_line(words) for name, words in _LINE.findall(text)}
    missing = [name for name in SIGHTS if name not in told]
    problem = f"on the screen: expected lines {', '.join(SIGHTS)}, got none of {', '.join(missing)}"
    words = {name: told.get(name, NOT_SEEN) for name in SIGHTS}
    return Sight(words, (problem,) if missing else ())


def _one_line(words: str) -> str:
    """Return a model's words without what parts the things of a line."""
    return " ".join(words.replace(";", ",").split())[:MOST_CHARACTERS]
