"""Read the experience off a 640x360 frame; the package's own reader ignores experience."""

from typing import NamedTuple

import numpy as np

from optimus_gym.core.overlay import OVERLAY_LAYOUT
from optimus_gym.worlds.voxel.screen.hud import Window, hud_art, put_level
from optimus_gym.worlds.voxel.screen.layer import new_canvas


class Experience(NamedTuple):
    level: int
    progress: int


def read_experience(frame):
    """Return the level that a frame (uint8[360, 640, 3]) shows, and the filled columns of its bar."""
    art = hud_art()
    return Experience(_level(frame, art), _progress(frame, art))


def _progress(frame, art):
    green = art.experience[1, 2, :, 1]
    row = frame[OVERLAY_LAYOUT.experience_top + 2, OVERLAY_LAYOUT.bar_left :][:182, 1]
    filled = (row == green) & (green != art.experience[0, 2, :, 1])
    return int(np.flatnonzero(filled).max(initial=-1)) + 1


def _level(frame, art):
    """Return the level with matching digits, else 0."""
    found = 0
    for level in range(1, 60):
        canvas = new_canvas()
        window = Window(canvas, 0, 360, 0, 640)
        put_level(level, OVERLAY_LAYOUT.level_top, OVERLAY_LAYOUT.bar_middle, art.digits, window)
        solid = canvas[..., 3] == 255
        if (frame[solid] == canvas[..., :3][solid]).all():
            found = level
    return found
