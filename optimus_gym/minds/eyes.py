"""Eyes: what the screens of parallel episodes show, in words and as vectors (Optimus-1, appendix E.4)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.interfaces import Backbone
from optimus_gym.core.requests import Request
from optimus_gym.core.situation import Picture, Situation
from optimus_gym.minds.facts import MIND_PROMPTS
from optimus_gym.prompts.template import render
from optimus_gym.vision.screen import NOT_SEEN, Screen, ScreenReader

SIGHTS: Final = ("health", "food", "hotbar", "environment")
"""Names of the things that an agent reads off a screen (Optimus-1, appendix E.4)."""
MOST_CHARACTERS: Final = 200
"""Maximum number of characters of each thing that a model reads off a screen."""
_LINE: Final = re.compile(r"^\W*(goal|health|food|hotbar|environment)\W*:\s*(.+?)\s*$", re.I | re.M)


@dataclass(frozen=True, slots=True)
class Seen:
    """The contents of a row's screen at one tick.

    Attributes:
        words: what the screen shows, in words, by the names in `SIGHTS`.
        problems: faults of a model's answer, in words.
        picture: the whole screen, drawn on first use; None in a world without pictures.
        screen: the overlay's values, the environment and the picture's vector; None if the screen was not
            read.
    """

    words: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(SIGHTS, NOT_SEEN))
    problems: tuple[str, ...] = ()
    picture: Picture | None = None
    screen: Screen | None = None


class Eyes(Protocol):
    """Read the screens of many rows at once."""

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the contents of each row's screen."""


class NoEyes:
    """Read no screen: for worlds without pictures, and for agents that do not look."""

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return for each row only the picture, which may still go to a model, and no words."""
        return [Seen(picture=situation.picture) for situation in situations]


@dataclass(frozen=True, slots=True)
class Land:
    """A row's last screen above water: seed, tick, and the probability of each biome, cave and night."""

    seed: int
    tick: int
    odds: NDArray[np.float32]


class ScreenEyes:
    """Read health, food and hotbar, and recognise biome, cave, water or night from several screens.

    Args:
        reader: reads screens.
    """

    def __init__(self, reader: ScreenReader) -> None:
        self._reader = reader
        self._lands: dict[int, Land] = {}

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the contents of each row's screen; all pictures go to the aligner at once."""
        sights = NoEyes().look(situations)
        looking = [k for k, seen in enumerate(sights) if seen.picture is not None]
        pictures = [one.look() for k in looking if (one := sights[k].picture) is not None]
        views = [view.look() for k in looking if (view := situations[k].pov) is not None]
        alike = len(views) == len(pictures)
        screens = self._reader.read(pictures, views if alike else ())
        for k, shown in zip(looking, screens, strict=True):
            screen = self._smoothed(situations[k], shown)
            words = {name: screen.words[name] for name in SIGHTS}
            sights[k] = Seen(words, (), sights[k].picture, screen)
        return sights

    def _smoothed(self, situation: Situation, screen: Screen) -> Screen:
        """Return a screen with the environment averaged over the row's former screens, except under water."""
        if screen.hud is not None and screen.hud.dives:
            return screen
        land = self._lands.get(situation.row)
        if land is not None and land.seed == situation.seed and land.tick < situation.tick:
            screen = self._reader.smoothed(screen, land.odds)
        self._lands[situation.row] = Land(situation.seed, situation.tick, screen.odds)
        return screen


class AskingEyes:
    """Ask a multimodal model for the contents of all rows' screens at once.

    Args:
        backbone: the multimodal model.
    """

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return what the model reads off each row's screen; things that it leaves out count as not seen."""
        sights = NoEyes().look(situations)
        looking = [k for k, seen in enumerate(sights) if seen.picture is not None]
        if not looking:
            return sights
        replies = self._backbone.complete([_question(situations[k]) for k in looking])
        for k, reply in zip(looking, replies, strict=True):
            words, problems = _words_in(reply.text)
            sights[k] = Seen(words, problems, sights[k].picture)
        return sights


def _question(situation: Situation) -> Request:
    from optimus_gym.vision.environments import prompts

    assert situation.picture is not None, "only rows with a picture are asked"
    values = {"task": " ".join(situation.instruction.split()), "environments": ", ".join(prompts())}
    text, images = render(MIND_PROMPTS, "see", values), (situation.picture.look(),)
    return Request("see", text, images, situation.row, situation.seed, situation.tick)


def _words_in(text: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return what a model's answer says of a screen, by the names in `SIGHTS`, and the answer's faults.

    >>> _words_in("**Health**: 20 of 20")[0]["health"]
    '20 of 20'
    """
    told = {name.lower(): _one_line(words) for name, words in _LINE.findall(text)}
    missing = [name for name in SIGHTS if name not in told]
    problem = f"on the screen: expected lines {', '.join(SIGHTS)}, got no {', no '.join(missing)}"
    return {name: told.get(name, NOT_SEEN) for name in SIGHTS}, (problem,) if missing else ()


def _one_line(words: str) -> str:
    """Return a model's words without line breaks and semicolons, which separate the entries of a request."""
    return " ".join(words.replace(";", ",").split())[:MOST_CHARACTERS]
