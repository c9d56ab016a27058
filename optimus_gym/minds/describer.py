"""Describes screens in sentences: the aligner ranks a bank of sentences against the frame (section 3.2).

JARVIS-1 chooses from about 1,000 texts, written by GPT about things on the Minecraft Wiki (appendix C.2).
Ours say which place, creature or block is in sight: one sentence for each that the game's tables name.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.situation import Situation
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.rows import rows
from optimus_gym.minds.eyes import Eyes, Seen
from optimus_gym.prompts.words import in_words
from optimus_gym.vision.aligner import Aligner
from optimus_gym.vision.environments import ENVIRONMENTS

LIKE_ENOUGH: Final = 0.4
"""Least cosine of a frame's and a sentence's vectors: our choice for the aligner `mini`, whose frames of sky
and grass alone stay below it."""
MOST_SENTENCES: Final = 4
"""Maximum number of sentences on a screen: our choice."""


@cache
def sentence_bank() -> tuple[str, ...]:
    """Return the sentences about all biomes and other surroundings, creatures and blocks of the land."""
    blocks = (name for row in rows("sources/finds") for name in row["blocks"])
    things = dict.fromkeys((*ENVIRONMENTS, *creature_kinds(), *blocks))
    return tuple(f"I see {in_words(name)}" for name in things)


class Describer:
    """Reads screens, and says in sentences what they show.

    Args:
        eyes: read the screens' vectors.
        aligner: compares the vectors with the sentences.
        least: least cosine of a screen and a sentence that describes it.
        most: maximum number of sentences on a screen.
    """

    def __init__(
        self,
        eyes: Eyes,
        aligner: Aligner,
        least: float = LIKE_ENOUGH,
        most: int = MOST_SENTENCES,
    ) -> None:
        self._eyes = eyes
        self._aligner = aligner
        self._least = least
        self._most = most
        self._vectors: NDArray[np.float32] | None = None
        """Vectors of the sentences, made on first use."""

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return the contents of each row's screen."""
        return self._eyes.look(situations)

    def sentences(self, seen: Seen) -> tuple[str, ...]:
        """Return the sentences that describe a screen, the best first; empty if the screen was not read."""
        if seen.screen is None:
            return ()
        if self._vectors is None:
            self._vectors = self._aligner.texts(sentence_bank())
        likeness = self._vectors @ seen.screen.vector
        best = np.argsort(-likeness, kind="stable")[: self._most]
        return tuple(sentence_bank()[k] for k in best.tolist() if likeness[k] >= self._least)


class NoDescriber:
    """Stands in for `Describer` in worlds without pictures, and for agents that do not look.

    Args:
        eyes: pass the pictures on.
    """

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes

    def look(self, situations: Sequence[Situation]) -> list[Seen]:
        """Return for each row its picture without words."""
        return self._eyes.look(situations)

    def sentences(self, seen: Seen) -> tuple[str, ...]:
        """Return no sentence."""
        return ()
