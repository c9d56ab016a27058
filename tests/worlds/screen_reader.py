"""Read the player's numbers off the pixels of a 640x360 frame, knowing only the sprites."""

from typing import NamedTuple

import numpy as np

from optimus_gym.worlds.voxel.screen.hud import hud_art, put_item, put_level
from optimus_gym.worlds.voxel.screen.layer import new_canvas
from optimus_gym.worlds.voxel.state.holdings import STACK

_OVERLAID = (slice(9, 17), slice(2, 17))
"""Rows and columns of an icon that a count or a bar of wear may hide."""


COUNTS = range(1, 65)


class Reading(NamedTuple):
    health: int
    food: int
    armour: int
    bubbles: int
    level: int
    progress: int
    selected: int
    hotbar: tuple


def read(frame):
    """Return everything that the screen (uint8[360, 640, 3]) says."""
    art, place = hud_art(), hud_art().layout
    sprites = art.screen
    right = range(place.bar_left, place.bar_left + 80, 8)
    left = range(place.food_left, place.food_left - 80, -8)
    above = place.meter_top - 10
    armour = _meter(frame, sprites.armours, above, right)
    return Reading(
        health=_meter(frame, sprites.hearts, place.meter_top, right),
        food=_meter(frame, sprites.foods, place.meter_top, left),
        armour=armour,
        bubbles=sum(_shows(frame, sprites.bubble, above, x) for x in left),
        level=_level(frame, art),
        progress=_progress(frame, art),
        selected=_selected(frame),
        hotbar=tuple(_stack(frame, art, place.icon_left + 20 * slot) for slot in range(9)),
    )


def _shows(frame, sprite, top, left):
    """Tell whether a sprite's opaque pixels stand in the frame."""
    part = frame[top : top + sprite.shape[0], left : left + sprite.shape[1]]
    solid = sprite[..., 3] == 255
    return bool((part[solid] == sprite[..., :3][solid]).all())


def _meter(frame, sprites, top, columns):
    """Return the halves that ten icons show; 0 where there are none."""
    halves = 0
    for x in columns:
        halves += next((n for n in (2, 1) if _shows(frame, sprites[n], top, x)), 0)
    return halves


def _selected(frame):
    bright = [frame[338, 229 + 20 * k : 251 + 20 * k].min() for k in range(9)]
    return int(np.argmax(bright))


def _progress(frame, art):
    green = art.screen.experience[1, 2, :, 1]
    row = frame[art.layout.experience_top + 2, art.layout.bar_left :][:182, 1]
    filled = (row == green) & (green != art.screen.experience[0, 2, :, 1])
    return int(np.flatnonzero(filled).max(initial=-1)) + 1


def _level(frame, art):
    """Return the level whose writing matches; 0 if none does."""
    found = 0
    for level in range(1, 60):
        canvas = new_canvas()
        put_level(level, art.layout.level_top, art.layout.bar_middle, art.digits, canvas)
        solid = canvas[..., 3] == 255
        if (frame[solid] == canvas[..., :3][solid]).all():
            found = level
    return found


def _stack(frame, art, left):
    """Return (item id, count, share of wear) of a hotbar slot; (0, 0) if it is empty."""
    top = art.layout.icon_top
    part = frame[top : top + 18, left : left + 18]
    solid = art.icons[..., 3] == 255
    solid[:, *_OVERLAID] = False
    same = (part[:16, :16] == art.icons[..., :3]).all(axis=-1)
    fits = (same | ~solid).all(axis=(1, 2)) & solid.any(axis=(1, 2))
    for item in sorted(np.flatnonzero(fits), key=lambda n: -solid[n].sum()):
        most = int(art.durability[item])
        looks = [(1, damage) for damage in _wear_steps(most)] if most else [(n, 0) for n in COUNTS]
        for count, damage in looks:
            if _fits(part, art, int(item), count, damage):
                return int(item), count
    return 0, 0


def _wear_steps(most):
    return (0, *range(1, most, max(most // 600, 1)))


def _fits(part, art, item, count, damage):
    stack = np.zeros(1, STACK)
    stack[0] = (item, count, damage)
    canvas = np.zeros((18, 18, 4), np.uint8)
    put_item(stack[0], 0, 0, canvas, art)
    solid = canvas[..., 3] == 255
    return bool((part[solid] == canvas[..., :3][solid]).all()) and _nothing_more(part, canvas)


def _nothing_more(part, canvas):
    """Tell that no digit's white stands where the drawing has none."""
    digits = (slice(9, 17), slice(4, 17))
    white = (part[digits] == 255).all(axis=-1)
    drawn = (canvas[digits] == 255).all(axis=-1)
    return not (white & ~drawn).any()
