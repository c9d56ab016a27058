"""What screens show: the overlay read, the environment told by an aligner, and the vector of the picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.vision.aligner import Aligner, unit
from optimus_gym.vision.environments import Environments
from optimus_gym.vision.hud_reader import BUBBLES, FULL, Hud, read_hud

NOTHING: Final = "nothing"
Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Screen:
    """What one screen shows.

    Attributes:
        hud: the overlay.
        environment: one of `vision.environments.ENVIRONMENTS`.
        vector: of the picture, of length 1 (float32[d]).
    """

    hud: Hud
    environment: str
    vector: NDArray[np.float32]

    @property
    def words(self) -> dict[str, str]:
        """Return it in words, by what is told of: health, food, air, hotbar, environment."""
        return {
            "health": _bar(self.hud.health),
            "food": _bar(self.hud.food),
            "air": f"{self.hud.air} of {BUBBLES}",
            "hotbar": _hotbar(self.hud),
            "environment": self.environment,
        }


class ScreenReader:
    """Reads screens, many at once.

    Args:
        aligner: compares pictures with the environments' words.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._environments = Environments(aligner)

    def read(self, pictures: Sequence[Pixels], views: Sequence[Pixels] = ()) -> list[Screen]:
        """Return what some screens show.

        Args:
            pictures: of the whole screens, uint8[360, 640, 3] each.
            views: the same in the size for the aligner, uint8[H, W, 3] each and all alike; none: those
                pictures.

        Raises:
            BadValue: a picture has another shape or type.
        """
        if not pictures:
            return []
        vectors = unit(self._aligner.frames(np.stack(views or pictures)))
        where = self._environments.of(vectors)
        return [
            Screen(read_hud(picture), environment, vector)
            for picture, environment, vector in zip(pictures, where, vectors, strict=True)
        ]


def _bar(halves: int | None) -> str:
    return "not seen" if halves is None else f"{halves} of {FULL}"


def _hotbar(hud: Hud) -> str:
    stacks = [
        f"{stack.count} {stack.item}{' in hand' if place == hud.selected else ''}"
        for place, stack in enumerate(hud.hotbar)
        if stack is not None
    ]
    return ", ".join(stacks) or NOTHING
