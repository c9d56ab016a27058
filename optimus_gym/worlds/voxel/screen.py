"""The screen of a world at any resolution: the view, with the HUD's layer over it.

The layer is drawn at the game's 640x360 (GUI scale 1), squeezed to the size asked for, and kept until
something on it changes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.accounts import armour_points, level_and_share
from optimus_gym.worlds.voxel.art.screen import BAR_WIDTH
from optimus_gym.worlds.voxel.held import blend_held, held_picture
from optimus_gym.worlds.voxel.hud import HudArt, Meters, draw_hud, hud_art
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.layer import (
    blend_hud,
    first_row,
    new_canvas,
    new_layer,
    shrink_hud,
)
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frame
from optimus_gym.worlds.voxel.state import OFFHAND, Worlds
from optimus_gym.worlds.voxel.veil import redden
from optimus_gym.worlds.voxel.window import ensure_view

STACKS = 10
"""Stacks that show: the hotbar's nine and the off-hand's."""
SHOWN = 3 * STACKS + 7
"""Numbers that decide what the HUD shows: three of each stack, the slot in hand, six meters."""
MOST_SIZES = 4
"""Picture sizes a world whose layers are kept; the observation, the video, and what a model asks for."""


class _Layer(NamedTuple):
    picture: NDArray[np.uint8]
    """uint8[H, W, 4], premultiplied."""
    shown: NDArray[np.int64]
    """int64[37], what it was drawn from."""


class Screens:
    """Draws the screens of N worlds."""

    def __init__(self, count: int, view_distance: int) -> None:
        self._view_distance = float(view_distance)
        self._fast = has_vectors()
        self._look = block_look()
        self._art = hud_art()
        self._canvas = new_canvas()
        self._layers: list[dict[tuple[int, int], _Layer]] = [{} for _ in range(count)]

    def forget(self, row: int) -> None:
        """Drop the layers of world `row`."""
        self._layers[row].clear()

    def draw(self, worlds: Worlds, row: int, image: NDArray[np.uint8]) -> None:
        """Fill `image` (uint8[H, W, 3], C-contiguous); the world's future stays as it is."""
        ensure_view(worlds, row, self._view_distance)
        render_frame(worlds, row, self._look, self._view_distance, self._fast, image)
        height, width = image.shape[:2]
        player = worlds.players[row]
        item = int(worlds.slots[row, player["hotbar"]]["item"])
        blend_held(held_picture(item, int(player["swing"]), height, width), 1.0, image)
        if player["hurt_wait"] > 0:
            redden(int(player["hurt_wait"]), image)
        layer = self._layer(row, height, width)
        if note_shown(worlds, row, layer.shown):
            _draw_layer(worlds, row, self._canvas, self._art, layer)
        blend_hud(layer.picture, image, first_row(height))

    def _layer(self, row: int, height: int, width: int) -> _Layer:
        layers = self._layers[row]
        if (height, width) not in layers:
            if len(layers) >= MOST_SIZES:
                layers.clear()
            layers[height, width] = _Layer(new_layer(height, width), np.full(SHOWN, -1, np.int64))
        return layers[height, width]


def _draw_layer(
    worlds: Worlds, row: int, canvas: NDArray[np.uint8], art: HudArt, layer: _Layer
) -> None:
    numbers = [int(number) for number in layer.shown[3 * STACKS :]]
    selected, health, food, air, armour, level, progress = numbers
    meters = Meters(float(health), float(food), air, armour, level, progress)
    draw_hud(worlds.slots[row], selected, meters, canvas, art)
    shrink_hud(canvas, layer.picture)


@kernel
def note_shown(worlds: Worlds, i: int, shown: NDArray[np.int64]) -> bool:
    """Write what the HUD shows of world `i` into `shown` (int64[37]); tell whether it changed."""
    player = worlds.players[i]
    changed = False
    for k in range(STACKS):
        stack = worlds.slots[i, k if k < STACKS - 1 else OFFHAND]
        changed |= _note(shown, 3 * k, stack.item)
        changed |= _note(shown, 3 * k + 1, stack.count)
        changed |= _note(shown, 3 * k + 2, stack.damage)
    level, share = level_and_share(player.experience)
    first = 3 * STACKS
    changed |= _note(shown, first, player.hotbar)
    changed |= _note(shown, first + 1, int(np.ceil(player.health)))
    changed |= _note(shown, first + 2, int(player.food))
    changed |= _note(shown, first + 3, player.air)
    changed |= _note(shown, first + 4, armour_points(worlds, i))
    changed |= _note(shown, first + 5, level)
    changed |= _note(shown, first + 6, int(share * BAR_WIDTH))
    return changed


@kernel
def _note(shown: NDArray[np.int64], place: int, value: int) -> bool:
    changed = bool(shown[place] != value)
    shown[place] = value
    return changed
