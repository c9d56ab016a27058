"""Made-up experiences, and an aligner of colours."""

import hashlib
from dataclasses import replace

import numpy as np

from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan
from optimus_gym.memory.pictures import packed
from optimus_gym.vision.aligner import unit_vectors

ALIGNER = ("made-up", 8)


def vector(seed, width=ALIGNER[1]):
    drawn = np.random.default_rng(seed).standard_normal(width).astype(np.float32)
    return (drawn / np.linalg.norm(drawn)).astype(np.float16).astype(np.float32)


def image(seed, size=200):
    return Image(seed, np.random.default_rng(seed).bytes(size), vector(seed))


def an_experience(key="a", status="success", seed=0, **other):
    images = [image(seed + k) for k in range(6)]
    given = {
        "task": "CraftWoodenAxe",
        "goal": "Craft a wooden axe",
        "environment": "forest",
        "start": {"inventory": {"oak_log": 1}, "vitals": [20.0, 20.0]},
        "plan": ("mine 3 oak_log", "craft 1 wooden_axe"),
        "pursuits": (
            PastPursuit(
                "mine 3 oak_log", "reached", "", 300, 300, tuple(images[:3]), 0.4, vector(seed)
            ),
            PastPursuit("craft 1 wooden_axe", "failed", "no_station", 310, 10),
        ),
        "cases": (
            Case(
                0, "mine 3 oak_log", "forest", images[3], images[4], "stuck", "REPLAN", "CONTINUE"
            ),
        ),
        "ticks": 310,
        "first": images[5],
        "told": {"protocol": "vanilla", "assists": []},
        "replans": (Replan(2, "craft 1 wooden_axe", "no_station", ("place 1 table",), 0, False),),
    }
    return Experience(key=key, status=status, **{**given, **other})


class Tinted:
    """An aligner that sees only colours and at most three frames of a video."""

    longest = 3
    threshold = 0.0
    confidence = 0.5

    def __init__(self, name="tinted", width=8):
        self.name, self.width = name, width
        self.asked = []

    def frames(self, pictures):
        assert pictures.dtype == np.uint8
        assert pictures.ndim == 4
        self.asked.append(pictures.shape)
        light = pictures.reshape(len(pictures), -1, 3).astype(np.float32).mean(axis=1)
        return np.tile(light, 9)[:, : self.width] + np.arange(self.width, dtype=np.float32)

    def videos(self, features):
        assert all(0 < len(one) <= self.longest for one in features)
        return unit_vectors(np.array([one.mean(axis=0) for one in features], np.float32))

    def texts(self, texts):
        assert all(texts)
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) for text in texts]
        return np.array([vector(seed, self.width) for seed in seeds])


def shot(seed, height=24, width=32):
    """Return a readable image of one colour."""
    light = np.random.default_rng(seed).integers(0, 256, 3)
    return Image(seed, packed(np.full((height, width, 3), light, np.uint8)), vector(seed))


def pictured(key="a", **other):
    """Return an experience with readable pictures."""
    made = an_experience(key)
    given = {
        "first": shot(9, height=40),
        "pursuits": (
            replace(made.pursuits[0], seen=tuple(shot(k) for k in range(5))),
            made.pursuits[1],
        ),
        "cases": (replace(made.cases[0], before=shot(6), present=shot(7)),),
    }
    return replace(made, **{**given, **other})


def same(one, other):
    """Return whether two experiences are equal, with their vectors."""
    return plain(one) == plain(other)


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value
