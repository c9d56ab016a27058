"""The parts of the HUD's layer: only changed parts are drawn and squeezed again.

The canvas shows the HUD at full size, and a part is a box of the canvas. Each pixel of the smaller layer is a
mean over two adjacent pixels of the canvas in each direction, so a part is drawn with a rim of one pixel.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import OVERLAY_LAYOUT, SLOT_PITCH
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.screen.hud import HudArt, Meters, draw_box, draw_hud
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    HUD_LEFT,
    hud_box,
    squeeze_box,
    squeeze_hud,
)

STACKS = 10
"""Number of visible stacks: the hotbar's nine and the off-hand's."""
SHOWN = 3 * STACKS + 10
"""Count of the numbers that determine the HUD: three for each stack, the slot in hand, nine meters."""
SELECTED = 3 * STACKS
"""Index, among the numbers that determine the HUD, of the slot in hand."""


def _boxes() -> NDArray[np.int64]:
    """Return the boxes of the HUD's parts (int64[16, 4]): nine slots, off-hand, the parts of `_METERS`."""
    place, edge = OVERLAY_LAYOUT, 10
    top, left, food = place.meter_top, place.bar_left, place.food_left - 9 * place.forward
    frame, row = (place.bar_top - 1, CANVAS_HEIGHT), (top - edge, top - 1)
    slots = [(*frame, left - 1 + SLOT_PITCH * k, left + 23 + SLOT_PITCH * k) for k in range(9)]
    offhand = (*frame, HUD_LEFT, left)
    hearts, foods = (top, top + 9, left, left + 81), (top, top + 9, food, food + 81)
    armours, bubbles = (*row, left, left + 81), (*row, food, food + 81)
    level = (place.level_top - 1, place.level_top + 9, place.bar_middle - 20, place.bar_middle + 20)
    bar = (place.experience_top, place.experience_top + 5, left, left + 182)
    return np.array([*slots, offhand, hearts, foods, bubbles, armours, level, bar])


_BOXES = _boxes()
_HEARTS, _FOODS, _BUBBLES, _ARMOURS, _LEVEL, _BAR = range(STACKS, STACKS + 6)
_METERS = (_HEARTS, _FOODS, _BUBBLES, _ARMOURS, _LEVEL, _BAR, _HEARTS, _FOODS, _HEARTS)
"""Index of the HUD's part that shows each number of `Meters`."""
_PART_OF = np.array([*np.arange(STACKS).repeat(3), -1, *_METERS])
"""Index of the HUD's part that shows each number of the HUD; -1 for the slot in hand, because a new slot in
hand changes two parts."""


@kernel
def renew_layer(
    slots: NDArray[Any],
    before: NDArray[np.int64],
    now: NDArray[np.int64],
    canvas: NDArray[np.uint8],
    art: HudArt,
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layer: NDArray[np.uint8],
) -> None:
    """Draw again the parts of a HUD layer whose numbers have changed.

    Args:
        slots: STACK[41], the player's slots.
        before: int64[40], the numbers that the layer shows, the first -1 for an undrawn layer; overwritten
            with `now`.
        now: int64[40], the numbers to show.
        canvas: uint8[360, 640, 4], scratch.
        art: the result of `hud_art()`.
        down: int64[h, 4], `layer_taps` of the rows.
        across: int64[w, 4], `layer_taps` of the columns.
        layer: uint8[h, w, 4], changed in place.
    """
    first = SELECTED + 1
    meters = Meters(
        float(now[first]),
        float(now[first + 1]),
        now[first + 2],
        now[first + 3],
        now[first + 4],
        now[first + 5],
        now[first + 6],
        now[first + 7],
        now[first + 8],
    )
    if before[0] < 0:
        draw_hud(slots, now[SELECTED], meters, canvas, art)
        squeeze_hud(canvas, down, across, layer)
    else:
        stale = _stale_parts(before, now)
        for part in range(len(stale)):
            if stale[part]:
                _renew_part(slots, now[SELECTED], meters, part, canvas, art, down, across, layer)
    before[:] = now


@kernel
def _stale_parts(before: NDArray[np.int64], now: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether each part of the HUD has changed (bool[16])."""
    stale = np.zeros(len(_BOXES), np.bool_)
    for k in range(len(now)):
        if now[k] != before[k]:
            if k == SELECTED:
                stale[before[k]] = stale[now[k]] = True
            else:
                stale[_PART_OF[k]] = True
    return stale


@kernel
def _renew_part(
    slots: NDArray[Any],
    selected: int,
    meters: Meters,
    part: int,
    canvas: NDArray[np.uint8],
    art: HudArt,
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layer: NDArray[np.uint8],
) -> None:
    """Draw one part of the HUD on the canvas, and squeeze the part into the layer."""
    top, bottom, left, right = _BOXES[part, 0], _BOXES[part, 1], _BOXES[part, 2], _BOXES[part, 3]
    highest, lowest, leftmost, rightmost = hud_box()
    wider = (
        max(top - 1, highest),
        min(bottom + 1, lowest),
        max(left - 1, leftmost),
        min(right + 1, rightmost),
    )
    draw_box(slots, selected, meters, wider, canvas, art)
    squeeze_box(canvas, (top, bottom, left, right), down, across, layer)
