"""The environments that a picture can be of, and which one it is by an aligner."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.vision.aligner import Aligner

PLACES: Final = ("cave", "under_water", "night")
"""What is no biome, but hides it."""
ENVIRONMENTS: Final = (*BIOMES, *PLACES)
UNSEEN: Final = "unknown"
"""Where there was nothing to see."""


def prompts() -> tuple[str, ...]:
    """Return the environments in words, as an aligner is asked for them."""
    return tuple(name.replace("_", " ") for name in ENVIRONMENTS)


class Environments:
    """Tells the environments of frames.

    Args:
        aligner: compares them with words.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        self._words: NDArray[np.float32] | None = None
        """Vectors of the prompts, made when they are first needed."""

    def of(self, vectors: NDArray[np.float32]) -> Sequence[str]:
        """Return the environments whose words fit some frames' vectors (float32[n, d], of length 1) best."""
        if self._words is None:
            self._words = self._aligner.texts(prompts())
        fits = vectors @ self._words.T
        return tuple(ENVIRONMENTS[place] for place in fits.argmax(1).tolist())
