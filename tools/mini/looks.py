"""A hash of how the world's pictures look, to check whether `mini` was trained on pictures like these."""

import hashlib
from typing import Final

import numpy as np

from optimus_gym.vision.environments import ENVIRONMENTS
from tools.mini.scenes import scenes

FIRST: Final = 250_000
"""Seed of the first place; there is one place for each environment."""
DIGITS: Final = 12


def looks_version() -> str:
    """Return the first digits of the SHA-256 of a frame of each environment."""
    seeds = np.arange(FIRST, FIRST + len(ENVIRONMENTS))
    digest = hashlib.sha256()
    for scene in scenes(seeds, np.random.default_rng([FIRST, 0]), 1):
        digest.update(scene.frame.tobytes())
    return digest.hexdigest()[:DIGITS]
