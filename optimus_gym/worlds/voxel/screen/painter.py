"""The picture of a world at any resolution: the view, with the HUD's layer over it.

The HUD's layer is drawn at the game's 640x360 (GUI scale 1), squeezed to the frame's size, and kept for the
next frame. Only changed parts of the HUD are drawn again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.worlds.voxel.art.gui import BAR_WIDTH
from optimus_gym.worlds.voxel.art.screen_panels import panel_art
from optimus_gym.worlds.voxel.art.toast_panels import message_art
from optimus_gym.worlds.voxel.compiling.kernels import kernel, ray_kernel
from optimus_gym.worlds.voxel.land.window import ensure_view, shows_truth
from optimus_gym.worlds.voxel.player.accounts import armour_points, level_and_share
from optimus_gym.worlds.voxel.player.vitals import MOST_AIR
from optimus_gym.worlds.voxel.render.lightmap import light_of_eye
from optimus_gym.worlds.voxel.render.look import Look, block_look
from optimus_gym.worlds.voxel.render.picture import has_vectors, render_frame
from optimus_gym.worlds.voxel.screen.hand import blend_held
from optimus_gym.worlds.voxel.screen.hand_shelf import SHELF_PLACE, HeldShelf, picture_at
from optimus_gym.worlds.voxel.screen.hud import HudArt, bubbles_of, hud_art
from optimus_gym.worlds.voxel.screen.hud_parts import SELECTED, SHOWN, STACKS, renew_layer
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CANVAS_WIDTH,
    blend_hud,
    first_row,
    layer_taps,
    new_canvas,
    new_layers,
)
from optimus_gym.worlds.voxel.screen.message_layer import lay_toasts, lay_words
from optimus_gym.worlds.voxel.screen.open_screen import lay_screens
from optimus_gym.worlds.voxel.state.needs import HUNGER, POISON
from optimus_gym.worlds.voxel.state.worlds import OFFHAND, Worlds
from optimus_gym.worlds.voxel.tables.game_screens import NO_SCREEN
from optimus_gym.worlds.voxel.tables.hurt_time import hearts_blink, view_roll

_HELD = 3
"""Count of the numbers that determine the held item's picture: item, phase of the swing, hurt_wait."""
NOTES = _HELD + SHOWN
"""Count of the numbers that determine all that is laid over a frame: held item's picture and HUD."""
MOST_SIZES = 4
"""Maximum number of picture sizes with stored layers: enough for observations, videos and other pictures."""


class _Layers(NamedTuple):
    pictures: NDArray[np.uint8]
    """uint8[N, H, W, 4], the layer of each world, premultiplied."""
    shown: NDArray[np.int64]
    """int64[N, 40], the numbers that each world's layer shows, the first -1 for an undrawn layer."""
    shelf: HeldShelf
    down: NDArray[np.int64]
    """int64[H, 4], the rows of the screen that make each row of the layers; see `layer_taps`."""
    across: NDArray[np.int64]
    """int64[W, 4], the columns of the screen that make each column of the layers; see `layer_taps`."""


class Painter:
    """Draws the pictures of N worlds: view, held item and HUD.

    Args:
        count: N, the number of worlds.
        view_distance: range of view, blocks.
        threads: maximum number of threads that draw at once.
    """

    def __init__(self, count: int, view_distance: int, threads: int = 1) -> None:
        self._count = count
        self._view_distance = float(view_distance)
        self._fast = has_vectors()
        self._look = block_look()
        self._art = hud_art()
        self._canvases = [new_canvas() for _ in range(threads)]
        # A canvas takes no memory before its first use.
        self._desks = [new_canvas() for _ in range(threads)]
        self._layers: dict[tuple[int, int], _Layers] = {}

    def forget(self, row: int) -> None:
        """Mark the layers of world `row` as undrawn, so that the next picture draws them again."""
        for layers in self._layers.values():
            layers.shown[row] = -1

    def prepare(self, height: int, width: int) -> None:
        """Make room for layers of a picture size; call this before several threads draw at that size."""
        size = (height, width)
        if size in self._layers:
            if self._layers[size].shelf.full:
                self._layers[size] = self._layers[size]._replace(shelf=HeldShelf(*size))
            return
        if len(self._layers) >= MOST_SIZES:
            self._layers.clear()
        shown = np.full((self._count, SHOWN), -1, np.int64)
        down, across = layer_taps(height, CANVAS_HEIGHT), layer_taps(width, CANVAS_WIDTH)
        pictures = new_layers(self._count, *size)
        self._layers[size] = _Layers(pictures, shown, HeldShelf(*size), down, across)

    def draw(
        self,
        worlds: Worlds,
        rows: NDArray[np.int64],
        images: NDArray[np.uint8],
        worker: int = 0,
    ) -> None:
        """Draw the pictures of some worlds into `images`; drawing does not change how the worlds go on.

        Args:
            worlds: the worlds.
            rows: int64[n], the worlds to draw.
            images: uint8[n, H, W, 3], C-contiguous; call `prepare` for their size before.
            worker: number of the drawing thread, which selects the thread's canvas.
        """
        height, width = images.shape[1:3]
        layers = self._layers[height, width]
        notes = np.empty((len(rows), NOTES), np.int64)
        done = self.see(worlds, rows, 0, images, notes)
        while done < len(rows):
            ensure_view(worlds, int(rows[done]), self._view_distance)
            done = self.see(worlds, rows, done, images, notes)
        self.renew(worlds, rows, notes, height, width, worker)
        places = [layers.shelf.place(*note) for note in notes[:, :_HELD].tolist()]
        held = np.array(places, np.int64).reshape(-1, SHELF_PLACE)
        tones, desk = layers.shelf.tones, self._desks[worker]
        talks, opens = lay_over(worlds, rows, tones, held, layers.pictures, images)
        # These kernels are compiled when the first message or screen shows: other worlds need not wait.
        if talks:
            lay_words(worlds, rows, message_art(), desk, layers.down, layers.across, images)
        if opens:
            lay_screens(
                worlds, rows, panel_art(), self._art, desk, layers.down, layers.across, images
            )
        if talks:
            lay_toasts(
                worlds, rows, message_art(), self._art, desk, layers.down, layers.across, images
            )

    def see(
        self,
        worlds: Worlds,
        rows: NDArray[np.int64],
        first: int,
        images: NDArray[np.uint8],
        notes: NDArray[np.int64],
    ) -> int:
        """Draw the views of some worlds, without held item and HUD; see `draw_rows`."""
        look, view = self._look, self._view_distance
        return draw_rows(worlds, rows, first, look, view, self._fast, images, notes)

    def renew(
        self,
        worlds: Worlds,
        rows: NDArray[np.int64],
        notes: NDArray[np.int64],
        height: int,
        width: int,
        worker: int = 0,
    ) -> None:
        """Update HUD layers for a picture size to the numbers in `notes`, which `draw_rows` has filled."""
        pictures, shown, _, down, across = self._layers[height, width]
        canvas, art = self._canvases[worker], self._art
        renew_layers(worlds, rows, notes, shown, canvas, art, down, across, pictures)


@kernel
def renew_layers(
    worlds: Worlds,
    rows: NDArray[np.int64],
    notes: NDArray[np.int64],
    shown: NDArray[np.int64],
    canvas: NDArray[np.uint8],
    art: HudArt,
    down: NDArray[np.int64],
    across: NDArray[np.int64],
    layers: NDArray[np.uint8],
) -> None:
    """Update HUD layers of worlds `rows` (int64[n]) to the numbers of `draw_rows` in `notes` (int64[n, 43]).

    `shown` (int64[N, 40]) holds the numbers that each layer shows; `layers` is uint8[N, H, W, 4]; see
    `renew_layer`.
    """
    for k in range(len(rows)):
        i = rows[k]
        now = notes[k, _HELD:]
        renew_layer(worlds.slots[i], shown[i], now, canvas, art, down, across, layers[i])


@kernel
def lay_over(
    worlds: Worlds,
    rows: NDArray[np.int64],
    tones: NDArray[np.uint8],
    held: NDArray[np.int64],
    layers: NDArray[np.uint8],
    images: NDArray[np.uint8],
) -> tuple[bool, bool]:
    """Lay the pictures of held items, and the HUD's layers, over the players' frames.

    Args:
        worlds: the worlds.
        rows: int64[n], the worlds of the frames.
        tones: `tones` of the `HeldShelf` of the frames' size.
        held: int64[n, 5], the places of the held items' pictures in `tones`.
        layers: uint8[N, H, W, 4], from `squeeze_hud`.
        images: uint8[n, H, W, 3].

    Returns:
        Whether one of the players reads messages, and whether one has an open screen.
    """
    talks = opens = False
    for k in range(len(rows)):
        i, image = rows[k], images[k]
        blend_held(picture_at(tones, held[k]), light_of_eye(worlds, i), image)
        blend_hud(layers[i], image, first_row(image.shape[0]))
        talks = talks or worlds.rules[i].messages != 0
        opens = opens or worlds.screens[i].kind != NO_SCREEN
    return talks, opens


@kernel
def note_shown(worlds: Worlds, i: int, shown: NDArray[np.int64]) -> None:
    """Write the numbers that determine the HUD of world `i` into `shown` (int64[40])."""
    player = worlds.players[i]
    for k in range(STACKS):
        stack = worlds.slots[i, k if k < STACKS - 1 else OFFHAND]
        shown[3 * k] = stack.item
        shown[3 * k + 1] = stack.count
        shown[3 * k + 2] = stack.damage
    level, share = level_and_share(player.experience)
    air = min(bubbles_of(player.air) * MOST_AIR // 10, MOST_AIR - 1)
    air = MOST_AIR if player.air >= MOST_AIR else air
    first = SELECTED
    shown[first] = player.hotbar
    shown[first + 1] = int(np.ceil(player.health))
    shown[first + 2] = int(player.food)
    shown[first + 3] = air
    shown[first + 4] = armour_points(worlds, i)
    shown[first + 5] = level
    shown[first + 6] = int(share * BAR_WIDTH)
    shown[first + 7] = worlds.effects[i, POISON].ticks > 0
    shown[first + 8] = worlds.effects[i, HUNGER].ticks > 0
    shown[first + 9] = hearts_blink(player.hurt_wait)


@ray_kernel
def draw_rows(
    worlds: Worlds,
    rows: NDArray[np.int64],
    first: int,
    look: Look,
    view: float,
    fast: bool,
    images: NDArray[np.uint8],
    notes: NDArray[np.int64],
) -> int:
    """Draw the views of the players in the worlds `rows[first:]`, in one call.

    Args:
        worlds: the worlds.
        rows: int64[n], the worlds' numbers.
        first: index in `rows` of the first world to draw.
        look: the result of `block_look()`.
        view: range of view in blocks.
        fast: the result of `has_vectors()`.
        images: uint8[n, H, W, 3].
        notes: int64[n, 43], filled for each drawn world with the item in hand, the phase of the swing,
            hurt_wait if a hurt rolls the view (else 0), and the numbers that determine the HUD.

    Returns:
        The index in `rows` of the first world whose frame needs land that is not loaded, or that has no
        distance field or light yet; this world and all later worlds are not drawn. n if all worlds are drawn.
    """
    for k in range(first, len(rows)):
        i = rows[k]
        if not shows_truth(worlds, i, view):
            return k
        render_frame(worlds, i, look, view, fast, images[k])
        player = worlds.players[i]
        note_shown(worlds, i, notes[k, _HELD:])
        notes[k, 0] = worlds.slots[i, player.hotbar].item
        notes[k, 1] = player.swing
        notes[k, 2] = player.hurt_wait if view_roll(player.hurt_wait) > 0.0 else 0
    return len(rows)
