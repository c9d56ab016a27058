"""Experiences that nobody had."""

import numpy as np

from optimus_gym.memory.experience import Case, Experience, Image, PastPursuit, Replan

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


def same(one, other):
    """Tell whether two experiences are equal, vectors too."""
    return plain(one) == plain(other)


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if isinstance(value, tuple | list):
        return [plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value
