"""Recognises the surroundings that a frame shows ("environments": biomes, a cave, water, night)."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.vision.aligner import Aligner

UNDER_WATER: Final = "under_water"
HIDING_PLACES: Final = ("cave", UNDER_WATER, "night")
"""Names of surroundings that are no biomes; a picture taken in them does not show the biome."""
ENVIRONMENTS: Final = (*BIOMES, *HIDING_PLACES)
UNKNOWN_ENVIRONMENT: Final = "unknown"
"""The name of the surroundings of an episode that has no picture to recognise them in."""
SURE: Final = 0.6
"""Minimum probability at which the recognised surroundings of a frame count as certain (our choice)."""
PERHAPS: Final = "perhaps "
"""Prefix of the name of surroundings that were recognised without certainty ("perhaps cave")."""
_WATER: Final = ENVIRONMENTS.index(UNDER_WATER)


def prompts() -> tuple[str, ...]:
    """Return the texts that describe `ENVIRONMENTS` to an aligner."""
    return tuple(name.replace("_", " ") for name in ENVIRONMENTS)


@cache
def _calibrations() -> Mapping[str, Mapping[str, Any]]:
    """Return the logits' scale and biases by aligner's name, which `python -m tools.environments` fits."""
    text = files("optimus_gym.vision.data").joinpath("environments.json").read_text("utf-8")
    told: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return told


class Environments:
    """Recognises the environments (biome, cave, water, night) that frames show.

    Args:
        aligner: compares frames with words.

    Attributes:
        calibrated: whether the probabilities were fitted to this aligner; if not, no answer is certain.
    """

    def __init__(self, aligner: Aligner) -> None:
        self._aligner = aligner
        told = _calibrations().get(aligner.name)
        self.calibrated = told is not None
        self._scale = float(told["scale"]) if told else 1.0
        biases = told["biases"] if told else {}
        self._biases = np.array([biases.get(name, 0.0) for name in ENVIRONMENTS], np.float32)
        self._words: NDArray[np.float32] | None = None
        """Vectors of the prompts, made on first use."""

    def odds(
        self, vectors: NDArray[np.float32], dives: Sequence[bool | None]
    ) -> NDArray[np.float32]:
        """Return the probability of each of `ENVIRONMENTS` (float32[n, 18]).

        Args:
            vectors: vectors of frames, float32[n, d], of length 1.
            dives: for each frame whether its heads-up display shows air bubbles, which the game draws only
                under water (Minecraft Wiki, "Heads-up display"); None: the display was not read.
        """
        if self._words is None:
            self._words = self._aligner.texts(prompts())
        logits = self._scale * (vectors @ self._words.T) + self._biases
        for k, dive in enumerate(dives):
            if dive:
                logits[k] = -np.inf
                logits[k, _WATER] = 0.0
            elif dive is not None:
                logits[k, _WATER] = -np.inf
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        likely: NDArray[np.float32] = odds / odds.sum(axis=1, keepdims=True)
        return likely

    def of(self, vectors: NDArray[np.float32]) -> Sequence[str]:
        """Return the likeliest of `ENVIRONMENTS` for each frame's vector (float32[n, d], of length 1)."""
        odds = self.odds(vectors, [None] * len(vectors))
        return tuple(ENVIRONMENTS[place] for place in odds.argmax(1).tolist())

    def word(self, odds: NDArray[np.float32]) -> str:
        """Return the likeliest of `ENVIRONMENTS`, with "perhaps " before the name if it is not certain.

        Args:
            odds: probability of each of `ENVIRONMENTS` (float32[18]).
        """
        return self.certain(odds) or f"{PERHAPS}{ENVIRONMENTS[int(odds.argmax())]}"

    def certain(self, odds: NDArray[np.float32]) -> str:
        """Return the likeliest of `ENVIRONMENTS` if it is certain, else "".

        Args:
            odds: probability of each of `ENVIRONMENTS` (float32[18]).
        """
        best = int(odds.argmax())
        return ENVIRONMENTS[best] if self.calibrated and odds[best] >= SURE else ""
