"""Reads screens: the heads-up display and, with an aligner, the surroundings and the picture's vector."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Pixels
from optimus_gym.core.overlay import Overlay
from optimus_gym.vision.aligner import Aligner, unit_vectors
from optimus_gym.vision.environments import Environments
from optimus_gym.vision.hud_reader import BUBBLES, FULL_BAR, Hud, HudReader

NOTHING_SEEN: Final = "nothing"
NOT_SEEN: Final = "not seen"


@dataclass(frozen=True, slots=True)
class Screen:
    """Contents of one screen.

    Attributes:
        hud: the values in the heads-up display; None if the display cannot be read.
        environment: one of `vision.environments.ENVIRONMENTS` (biome, cave, water, night), after "perhaps" if
            it is not certain.
        odds: the probability of each environment (float32[18]).
        vector: the picture's vector, of length 1 (float32[d]).
    """

    hud: Hud | None
    environment: str
    odds: NDArray[np.float32]
    vector: NDArray[np.float32]

    @property
    def words(self) -> dict[str, str]:
        """Return the screen's contents in words: health, food, air, hotbar, environment."""
        hud = self.hud
        if hud is None:
            read = dict.fromkeys(("health", "food", "air", "hotbar"), NOT_SEEN)
        else:
            read = {
                "health": _bar(hud.health),
                "food": _bar(hud.food),
                "air": f"{hud.air} of {BUBBLES}",
                "hotbar": _hotbar(hud),
            }
        return {**read, "environment": self.environment}


class ScreenReader:
    """Reads screens, many at once.

    Args:
        aligner: compares pictures with the environments' words.
        overlay: a function, called at the first screen, that returns the world's pictures of the elements of
            the heads-up display; None: the world cannot return the pictures, and the display is not read.
    """

    def __init__(self, aligner: Aligner, overlay: Callable[[], Overlay] | None) -> None:
        self._aligner = aligner
        self._environments = Environments(aligner)
        self._overlay = overlay

    @cached_property
    def _hud_reader(self) -> HudReader | None:
        return None if self._overlay is None else HudReader(self._overlay())

    def read(self, pictures: Sequence[Pixels], views: Sequence[Pixels] = ()) -> list[Screen]:
        """Return the contents of several screens.

        Args:
            pictures: the whole screens, uint8[360, 640, 3] each.
            views: the same screens in one size for the aligner, uint8[H, W, 3] each; empty: the aligner
                gets `pictures`.

        Raises:
            BadValue: a picture has a wrong shape or type.
        """
        if not pictures:
            return []
        vectors = unit_vectors(self._aligner.frames(np.stack(views or pictures)))
        reader = self._hud_reader
        huds = [None if reader is None else reader.read(picture) for picture in pictures]
        odds = self._environments.odds(
            vectors, [None if hud is None else hud.dives for hud in huds]
        )
        words = map(self._environments.word, odds)
        return [Screen(*shown) for shown in zip(huds, words, odds, vectors, strict=True)]

    def smoothed(self, screen: Screen, former: NDArray[np.float32] | None) -> Screen:
        """Return `screen` with its odds of environments averaged with `former`, an earlier screen's odds."""
        if former is None:
            return screen
        odds: NDArray[np.float32] = (screen.odds + former) / np.float32(2)
        return replace(screen, odds=odds, environment=self._environments.word(odds))


def came(former: Screen, present: Screen) -> dict[str, int]:
    """Return how many pieces of each item the hotbar has gained between a former and a present screen."""
    had, has = (_pieces(screen.hud) for screen in (former, present))
    return {item: count - had[item] for item, count in has.items() if count > had[item]}


def _pieces(hud: Hud | None) -> Counter[str]:
    pieces: Counter[str] = Counter()
    for stack in () if hud is None else hud.hotbar:
        if stack is not None:
            pieces[stack.item] += stack.count
    return pieces


def _bar(halves: int | None) -> str:
    return NOT_SEEN if halves is None else f"{halves} of {FULL_BAR}"


def _hotbar(hud: Hud) -> str:
    stacks = [
        f"{stack.count} {stack.item}{' in hand' if place == hud.selected else ''}"
        for place, stack in enumerate(hud.hotbar)
        if stack is not None
    ]
    return ", ".join(stacks) or NOTHING_SEEN
