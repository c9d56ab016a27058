"""The version of the world's looks: what `mini` was trained on, and whether that is what the world shows."""

import hashlib
from typing import Final

import numpy as np

from optimus_gym.vision.environments import ENVIRONMENTS
from tools.mini.scenes import scenes

FIRST: Final = 250_000
"""Seed of the first of the places that are looked at, one of each environment."""
DIGITS: Final = 12


def looks_version() -> str:
    """Return the first digits of the SHA-256 of a frame of each environment."""
    seeds = np.arange(FIRST, FIRST + len(ENVIRONMENTS))
    digest = hashlib.sha256()
    for scene in scenes(seeds, np.random.default_rng([FIRST, 0]), 1):
        digest.update(scene.frame.tobytes())
    return digest.hexdigest()[:DIGITS]
