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
    blend_huds,
    first_row,
    new_canvas,
    new_layers,
    shrink_hud,
)
from optimus_gym.worlds.voxel.render.lightmap import light_eyes
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frames
from optimus_gym.worlds.voxel.state import OFFHAND, Worlds
from optimus_gym.worlds.voxel.veil import redden
from optimus_gym.worlds.voxel.window import ensure_views

STACKS = 10
"""Stacks that show: the hotbar's nine and the off-hand's."""
SHOWN = 3 * STACKS + 7
"""Numbers that decide what the HUD shows: three of each stack, the slot in hand, six meters."""
MOST_SIZES = 4
"""Picture sizes whose layers are kept; the observation, the video, and what a model asks for."""


class _Layers(NamedTuple):
    pictures: NDArray[np.uint8]
    """uint8[N, H, W, 4], premultiplied."""
    shown: NDArray[np.int64]
    """int64[N, 37], what each was drawn from."""


class Screens:
    """Draws the screens of N worlds.

    Args:
        count: N.
        view_distance: blocks that one sees.
        threads: how many may draw at once.
    """

    def __init__(self, count: int, view_distance: int, threads: int = 1) -> None:
        self._count = count
        self._view_distance = float(view_distance)
        self._fast = has_vectors()
        self._look = block_look()
        self._art = hud_art()
        self._canvases = [new_canvas() for _ in range(threads)]
        self._layers: dict[tuple[int, int], _Layers] = {}

    def forget(self, row: int) -> None:
        """Drop the layers of world `row`."""
        for layers in self._layers.values():
            layers.shown[row] = -1

    def prepare(self, height: int, width: int) -> None:
        """Make room for layers of a size; before several threads draw pictures of it."""
        if (height, width) in self._layers:
            return
        if len(self._layers) >= MOST_SIZES:
            self._layers.clear()
        pictures = new_layers(self._count, height, width)
        self._layers[height, width] = _Layers(pictures, np.full((self._count, SHOWN), -1, np.int64))

    def draw(
        self,
        worlds: Worlds,
        rows: NDArray[np.int64],
        images: NDArray[np.uint8],
        worker: int = 0,
    ) -> None:
        """Fill `images`; the worlds' future stays as it is.

        Args:
            worlds: the worlds.
            rows: int64[n], those that are drawn.
            images: uint8[n, H, W, 3], C-contiguous; `prepare` was called for its size.
            worker: number of the thread, whose canvas it takes.
        """
        height, width = images.shape[1:3]
        ensure_views(worlds, rows, self._view_distance)
        render_frames(worlds, rows, self._look, self._view_distance, self._fast, images)
        _draw_hands(worlds, rows, images)
        layers = self._layers[height, width]
        changed = np.empty(len(rows), np.bool_)
        find_changed(worlds, rows, layers.shown, changed)
        for row in rows[changed].tolist():
            _draw_layer(worlds, row, self._canvases[worker], self._art, layers)
        blend_huds(layers.pictures, rows, images, first_row(height))


def _draw_hands(worlds: Worlds, rows: NDArray[np.int64], images: NDArray[np.uint8]) -> None:
    """Draw what each player holds, and the red of a hurt over it."""
    height, width = images.shape[1:3]
    players = worlds.players[rows]
    items = worlds.slots["item"][rows, players["hotbar"]].tolist()
    swings, hurts = players["swing"].tolist(), players["hurt_wait"].tolist()
    lights = np.empty(len(rows), np.int32)
    light_eyes(worlds, rows, lights)
    shown = zip(images, items, swings, lights.tolist(), hurts, strict=True)
    for image, item, swing, light, hurt in shown:
        blend_held(held_picture(item, swing, height, width), light, image)
        if hurt > 0:
            redden(hurt, image)


def _draw_layer(
    worlds: Worlds, row: int, canvas: NDArray[np.uint8], art: HudArt, layers: _Layers
) -> None:
    numbers = [int(number) for number in layers.shown[row, 3 * STACKS :]]
    selected, health, food, air, armour, level, progress = numbers
    meters = Meters(float(health), float(food), air, armour, level, progress)
    draw_hud(worlds.slots[row], selected, meters, canvas, art)
    shrink_hud(canvas, layers.pictures[row])


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


@kernel
def find_changed(
    worlds: Worlds,
    rows: NDArray[np.int64],
    shown: NDArray[np.int64],
    changed: NDArray[np.bool_],
) -> None:
    """Note what the HUDs of `rows` (int64[n]) show in `shown` (int64[N, 37]), and which changed."""
    for k in range(len(rows)):
        changed[k] = note_shown(worlds, rows[k], shown[rows[k]])
