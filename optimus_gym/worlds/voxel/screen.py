"""The screen of a world at any resolution: the view, with the HUD's layer over it.

The layer is drawn at the game's 640x360 (GUI scale 1), squeezed to the size asked for, and kept until
something on it changes.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.accounts import armour_points
from optimus_gym.worlds.voxel.hud import (
    HudArt,
    blend_hud,
    draw_hud,
    first_row,
    hud_art,
    new_canvas,
    new_layer,
    shrink_hud,
)
from optimus_gym.worlds.voxel.kernels import kernel
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frame
from optimus_gym.worlds.voxel.state import Worlds
from optimus_gym.worlds.voxel.window import ensure_view

SHOWN = 32
"""Numbers that decide what the HUD shows: nine stacks of three, five of the player."""
MOST_SIZES = 4
"""Picture sizes a world whose layers are kept; the observation, the video, and what a model asks for."""


class _Layer(NamedTuple):
    picture: NDArray[np.uint8]
    """uint8[H, W, 4], premultiplied."""
    shown: NDArray[np.int64]
    """int64[32], what it was drawn from."""


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
        layer = self._layer(row, image.shape[0], image.shape[1])
        if note_shown(worlds, row, layer.shown):
            _draw_layer(worlds, row, self._canvas, self._art, layer.picture)
        blend_hud(layer.picture, image, first_row(image.shape[0]))

    def _layer(self, row: int, height: int, width: int) -> _Layer:
        layers = self._layers[row]
        if (height, width) not in layers:
            if len(layers) >= MOST_SIZES:
                layers.clear()
            layers[height, width] = _Layer(new_layer(height, width), np.full(SHOWN, -1, np.int64))
        return layers[height, width]


def _draw_layer(
    worlds: Worlds,
    row: int,
    canvas: NDArray[np.uint8],
    art: HudArt,
    picture: NDArray[np.uint8],
) -> None:
    player = worlds.players[row]
    draw_hud(
        worlds.slots[row],
        int(player["hotbar"]),
        float(player["health"]),
        float(player["food"]),
        int(player["air"]),
        int(armour_points(worlds, row)),
        canvas,
        art,
    )
    shrink_hud(canvas, picture)


@kernel
def note_shown(worlds: Worlds, i: int, shown: NDArray[np.int64]) -> bool:
    """Write what the HUD shows of world `i` into `shown` (int64[32]); tell whether it changed."""
    player = worlds.players[i]
    changed = False
    for k in range(SHOWN):
        value = np.int64(0)
        if k < 27:
            stack = worlds.slots[i, k // 3]
            value = np.int64(
                stack.item if k % 3 == 0 else (stack.count if k % 3 == 1 else stack.damage)
            )
        elif k == 27:
            value = np.int64(player.hotbar)
        elif k == 28:
            value = np.int64(np.ceil(player.health))
        elif k == 29:
            value = np.int64(player.food)
        elif k == 30:
            value = np.int64(player.air)
        else:
            value = np.int64(armour_points(worlds, i))
        changed = changed or shown[k] != value
        shown[k] = value
    return changed
