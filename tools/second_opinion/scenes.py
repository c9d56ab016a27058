"""Scenes to move a player in: blocks on a plain of stone, a start, and keys tick by tick.

A scene is a mapping with `name`, `blocks` (rows of low corner, high corner, block name, level of a
fluid), `start` (x, y, z, entry of the table of sines) and `keys` (rows of ticks and key names). The plain's
top is at y = 64. North, south, west and east of the start are open unless blocks say otherwise.
"""

from typing import Any

import numpy as np

from optimus_gym.core.rng import generator

Scene = dict[str, Any]

SOUTH = 0
"""Index in the table of sines (65,536 entries a turn) for a view to the south."""
WEST = 16_384
NORTH = 32_768
EAST = 49_152
FEET = 64
TICKS = 60
STEPS = ("white_carpet", "daylight_detector", "stone_slab", "enchanting_table", "farmland", "stone")
"""Blocks whose shape covers their cell's area, from low to high."""
_KEYS = ("forward", "back", "left", "right", "jump", "sneak", "sprint")
_ODDS = (0.75, 0.1, 0.2, 0.2, 0.35, 0.12, 0.4)


def _box(low: tuple[int, ...], high: tuple[int, ...], name: str, level: int = 0) -> list[Any]:
    return [*low, *high, name, level]


def _scene(
    name: str, blocks: list[list[Any]], keys: list[list[Any]], entry: int = SOUTH, z: float = 0.5
) -> Scene:
    return {"name": name, "blocks": blocks, "start": [0.5, FEET, z, entry], "keys": keys}


def named() -> list[Scene]:
    """Return the scenes for single rules."""
    ahead, run = [[TICKS, "forward"]], [[TICKS, "forward sprint"]]
    wall = _box((-3, 64, 6), (3, 66, 6), "stone")
    ceiling = _box((-3, 66, -3), (3, 66, 20), "stone")
    pit = _box((-2, 40, -2), (2, 63, 2), "air")
    step = [_box((-3, 64, 3 + k), (3, 64, 3 + k), STEPS[k]) for k in range(5)]
    return [
        _scene("walk", [], ahead),
        _scene("walk west", [], ahead, WEST),
        _scene("walk aslant", [], ahead, 5_461),
        _scene("walk backwards", [], [[TICKS, "back"]]),
        _scene("strafe", [], [[TICKS, "forward left"]]),
        _scene("stop", [], [[10, "forward"], [50, ""]]),
        _scene("sprint", [], run),
        _scene("sprint goes on without its key", [], [[5, "forward sprint"], [55, "forward"]]),
        _scene("sprint ends with forward", [], [[20, "forward sprint"], [5, ""], [35, "forward"]]),
        _scene("sprint and jump", [], [[TICKS, "forward sprint jump"]]),
        _scene("jump", [], [[TICKS, "jump"]]),
        _scene("jump ahead", [], [[TICKS, "forward jump"]]),
        _scene("jump below a ceiling", [ceiling], [[TICKS, "forward sprint jump"]]),
        _scene("sneak", [], [[20, "forward"], [20, "forward sneak"], [20, "forward"]]),
        _scene("wall", [wall], ahead),
        _scene("wall aslant", [wall], ahead, 6_000),
        _scene("wall ends a sprint", [wall], [[40, "forward sprint"], [20, "left"]]),
        _scene("steps", step, ahead),
        _scene("one block up by a jump", [_box((-3, 64, 4), (3, 64, 9), "stone")],
               [[TICKS, "forward jump"]]),
        _scene("down an edge", [_box((-9, 58, 4), (9, 63, 30), "air")], run),
        _scene("fall", [pit], [[TICKS, ""]]),
        _scene("corridor", [_box((-1, 64, -3), (-1, 66, 30), "stone"),
                            _box((1, 64, -3), (1, 66, 30), "stone")], run, 1_000),
        *(
            _scene(f"slide on {ice}", [_box((-30, 63, -30), (30, 63, 40), ice)],
                   [[30, "forward sprint"], [30, ""]])
            for ice in ("ice", "packed_ice", "blue_ice")
        ),
        _scene("still water", [_box((-3, 58, -3), (3, 67, 12), "water")], ahead),
        _scene("rise in water", [_box((-2, 62, -2), (2, 85, 2), "water")], [[TICKS, "jump"]]),
    ]  # fmt: skip


def random(count: int, seed: int) -> list[Scene]:
    """Return scenes drawn from a seed."""
    rng = generator(seed, "second-opinion")
    return [_drawn(rng, number) for number in range(count)]


def _drawn(rng: np.random.Generator, number: int) -> Scene:
    blocks = []
    for _ in range(int(rng.integers(0, 12))):
        x, z = (int(v) for v in rng.integers(-6, 7, 2))
        if abs(x) <= 1 and abs(z) <= 1:
            continue
        wide, deep = (int(v) for v in rng.integers(0, 3, 2))
        name = STEPS[int(rng.integers(0, len(STEPS)))]
        top = FEET + int(rng.integers(0, 3)) * (name == "stone")
        if wide == 0 or min(abs(x + wide), abs(z + deep)) > 1:
            blocks.append(_box((x, FEET, z), (x + (wide if x > 1 else 0), top, z), name))
    if rng.random() < 0.3:
        blocks.append(_box((-8, FEET + 2, -8), (8, FEET + 2, 8), "stone"))
    if rng.random() < 0.3:
        x, z = (int(v) for v in rng.integers(2, 5, 2))
        blocks.append(_box((x, 54, -9), (x + 6, 63, 9), "air"))
        blocks.append(_box((-9, 54, z), (9, 63, z + 6), "air"))
    keys, left = [], TICKS
    while left:
        ticks = min(int(rng.integers(3, 16)), left)
        left -= ticks
        keys.append(
            [ticks, " ".join(k for k, p in zip(_KEYS, _ODDS, strict=True) if rng.random() < p)]
        )
    entry = int(rng.integers(0, 65_536))
    return {
        "name": f"random {number}", "blocks": blocks,
        "start": [0.5, FEET, 0.5, entry], "keys": keys,
    }  # fmt: skip
