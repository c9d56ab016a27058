"""The game's screen layer at GUI scale 1: hotbar, hearts, food, armour, air, crosshair.

It is drawn on a canvas of the game's 640x360 screen when something in it has changed, squeezed to
the picture's size, and laid over each frame. All pixels are premultiplied by their alpha.

Positions: Minecraft Wiki, "Heads-up display"; measured from the middle of the lower edge of the
screen, as in the game.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.art.font import glyphs
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.art.screen import SLOT_PITCH, Screen, screen
from optimus_gym.worlds.voxel.kernels import kernel

WIDTH, HEIGHT = 640, 360
"""The game's screen, pixels."""
LEFT, RIGHT, TOP = 228, 412, 311
"""The box that holds all but the crosshair: columns LEFT to RIGHT - 1, rows from TOP to the end."""
CROSS_LEFT, CROSS_TOP, CROSS_SIZE = 315, 175, 9
"""The crosshair: the game centres 15 pixels of which the middle 9 are inked."""
METER_PITCH = 8
"""Columns from one heart to the next."""
ROW_ABOVE = 10
"""Rows from hearts and food up to armour and air."""
HOTBAR_SLOTS = 9
MOST_AIR = 300
SHADOW = 62


class Layout(NamedTuple):
    """Where things stand on the 640x360 screen, pixels.

    They reach the kernels as values: Numba compiles a function anew for each literal it is given.
    """

    bar_top: int = 338
    bar_left: int = 229
    icon_top: int = 341
    icon_left: int = 232
    meter_top: int = 321
    food_left: int = 402
    """Column of the rightmost piece of food, which is the first to fill."""
    cross_top: int = CROSS_TOP
    cross_left: int = CROSS_LEFT
    wear_width: int = 13
    """Length of the bar of a tool with all its durability."""
    forward: int = METER_PITCH
    backward: int = -METER_PITCH


class HudArt(NamedTuple):
    """What the layer is drawn with; all read-only."""

    screen: Screen
    icons: NDArray[np.uint8]
    """uint8[976, 16, 16, 4], by item id."""
    digits: NDArray[np.uint8]
    """uint8[10, 8, 8], 0 or 255."""
    durability: NDArray[np.int32]
    """int32[976], uses of each item until it breaks, 0 = it does not wear."""
    layout: Layout


@cache
def hud_art() -> HudArt:
    """Return the sprites, icons and durabilities that `draw_hud` needs."""
    durability = np.zeros(len(item_icons()), dtype=np.int32)
    for item in items().values():
        durability[item.id] = item.max_durability
    digits = glyphs()[ord("0") : ord("9") + 1].copy()
    durability.flags.writeable = False
    digits.flags.writeable = False
    return HudArt(screen(), item_icons(), digits, durability, Layout())


def new_canvas() -> NDArray[np.uint8]:
    """Return an empty canvas: uint8[360, 640, 4]."""
    return np.zeros((HEIGHT, WIDTH, 4), dtype=np.uint8)


def new_layer(height: int, width: int) -> NDArray[np.uint8]:
    """Return an empty layer for pictures of a size: uint8[height, width, 4]."""
    return np.zeros((height, width, 4), dtype=np.uint8)


def first_row(height: int) -> int:
    """Return the first row of a picture of this height that the lower part of the layer touches."""
    return TOP * height // HEIGHT


@kernel
def put(sprite: NDArray[np.uint8], top: int, left: int, canvas: NDArray[np.uint8]) -> None:
    """Lay a sprite (uint8[h, w, 4], not premultiplied) over the canvas, cut at its lower edge."""
    for y in range(sprite.shape[0]):
        row = top + y
        if row >= canvas.shape[0]:
            break
        for x in range(sprite.shape[1]):
            alpha = np.uint32(sprite[y, x, 3])
            if alpha == 0:
                continue
            behind = np.uint32(255) - alpha
            for channel in range(4):
                own = np.uint32(sprite[y, x, channel]) if channel < 3 else np.uint32(255)
                under = np.uint32(canvas[row, left + x, channel])
                canvas[row, left + x, channel] = (own * alpha + under * behind + 127) // 255


@kernel
def paint_row(
    canvas: NDArray[np.uint8], top: int, left: int, width: int, red: int, green: int
) -> None:
    """Paint one opaque row of `width` pixels in a colour without blue."""
    for x in range(left, left + width):
        canvas[top, x, 0] = red
        canvas[top, x, 1] = green
        canvas[top, x, 2] = 0
        canvas[top, x, 3] = 255


@kernel
def put_digit(
    digit: NDArray[np.uint8], top: int, left: int, tone: int, canvas: NDArray[np.uint8]
) -> None:
    """Ink one digit (uint8[8, 8]) in a grey tone."""
    for y in range(digit.shape[0]):
        for x in range(digit.shape[1]):
            if digit[y, x]:
                for channel in range(3):
                    canvas[top + y, left + x, channel] = tone
                canvas[top + y, left + x, 3] = 255


@kernel
def put_count(
    count: int, top: int, left: int, digits: NDArray[np.uint8], canvas: NDArray[np.uint8]
) -> None:
    """Write a stack's count, with its shadow, at the lower right of the icon at (top, left)."""
    place = left + 11
    rest = count
    while rest > 0:
        digit = digits[rest % 10]
        for layer in range(2):
            tone = SHADOW + (255 - SHADOW) * layer
            put_digit(digit, top + 10 - layer, place + 1 - layer, tone, canvas)
        rest //= 10
        place -= 6


@kernel
def put_item(
    icon: NDArray[np.uint8],
    most: int,
    damage: int,
    slot: int,
    place: Layout,
    canvas: NDArray[np.uint8],
) -> None:
    """Draw one hotbar slot's icon and, for what has `most` uses, the bar of those left."""
    left, top = place.icon_left + SLOT_PITCH * slot, place.icon_top
    put(icon, top, left, canvas)
    if damage > 0 and most > 0:
        left_over = max(most - damage, 0)
        width = (2 * place.wear_width * left_over + most) // (2 * most)
        red = min(255, 510 * (most - left_over) // most)
        green = min(255, 510 * left_over // most)
        for row in range(2):
            paint_row(canvas, top + 14 - row, left + 2, place.wear_width, 0 * red, 0 * green)
        paint_row(canvas, top + 13, left + 2, width, red, green)


@kernel
def put_meter(
    icons: NDArray[np.uint8],
    halves: int,
    top: int,
    left: int,
    pitch: int,
    canvas: NDArray[np.uint8],
) -> None:
    """Draw ten icons (uint8[3, 9, 9, 4]: empty, half, full) `pitch` apart, for 0..20 halves."""
    for index in range(10):
        level = min(max(halves - 2 * index, 0), 2)
        put(icons[level], top, left + pitch * index, canvas)


@kernel
def draw_hud(
    slots: NDArray[Any],
    selected: int,
    health: float,
    food: float,
    air: int,
    armour: int,
    canvas: NDArray[np.uint8],
    art: HudArt,
) -> None:
    """Draw the whole layer anew.

    Args:
        slots: STACK[>= 9], fields item, count, damage; the first nine are the hotbar.
        selected: slot in hand, 0..8.
        health: half-hearts, 0..20; a part of one shows as one, as in the game.
        food: half-shanks, 0..20.
        air: ticks of breath, -20..300; bubbles show below 300.
        armour: defence points, 0..20; shown above 0.
        canvas: uint8[360, 640, 4], premultiplied; its HUD box and crosshair are replaced.
        art: `hud_art()`.
    """
    for row in range(TOP, HEIGHT):
        for column in range(LEFT, RIGHT):
            for channel in range(4):
                canvas[row, column, channel] = 0
    for row in range(CROSS_TOP, CROSS_TOP + CROSS_SIZE):
        for column in range(CROSS_LEFT, CROSS_LEFT + CROSS_SIZE):
            canvas[row, column, 3] = 0
    sprites = art.screen
    place = art.layout
    above = place.meter_top - ROW_ABOVE
    put(sprites.bar, place.bar_top, place.bar_left, canvas)
    put(sprites.frame, place.bar_top - 1, place.bar_left - 1 + SLOT_PITCH * selected, canvas)
    for slot in range(HOTBAR_SLOTS):
        if slots[slot].item > 0 and slots[slot].count > 0:
            stack = slots[slot]
            most = int(art.durability[stack.item])
            put_item(art.icons[stack.item], most, int(stack.damage), slot, place, canvas)
            if stack.count > 1:
                left = place.icon_left + SLOT_PITCH * slot
                put_count(int(stack.count), place.icon_top, left, art.digits, canvas)
    halves = int(np.ceil(health))
    put_meter(sprites.hearts, halves, place.meter_top, place.bar_left, place.forward, canvas)
    put_meter(sprites.foods, int(food), place.meter_top, place.food_left, place.backward, canvas)
    if armour > 0:
        put_meter(sprites.armours, int(armour), above, place.bar_left, place.forward, canvas)
    if air < MOST_AIR:
        bubbles = (max(air, 0) * 10 + MOST_AIR - 1) // MOST_AIR
        for index in range(bubbles):
            put(sprites.bubble, above, place.food_left + place.backward * index, canvas)
    put(sprites.crosshair, place.cross_top, place.cross_left, canvas)


@kernel
def _shrink_box(
    canvas: NDArray[np.uint8],
    top: int,
    bottom: int,
    left: int,
    right: int,
    layer: NDArray[np.uint8],
) -> None:
    """Fill rows top..bottom-1, columns left..right-1 of the layer from the canvas.

    Each pixel is the mean of the area that it covers; along an axis that grows, the nearest one.
    """
    height, width = layer.shape[0], layer.shape[1]
    for y in range(top, bottom):
        first_y = y * HEIGHT // height
        last_y = first_y if height > HEIGHT else ((y + 1) * HEIGHT - 1) // height
        for x in range(left, right):
            first_x = x * WIDTH // width
            last_x = first_x if width > WIDTH else ((x + 1) * WIDTH - 1) // width
            red, green, blue, alpha, total = 0, 0, 0, 0, 0
            for row in range(first_y, last_y + 1):
                tall = min((row + 1) * height, (y + 1) * HEIGHT) - max(row * height, y * HEIGHT)
                tall = max(tall, 1)
                for column in range(first_x, last_x + 1):
                    wide = min((column + 1) * width, (x + 1) * WIDTH)
                    wide = max(wide - max(column * width, x * WIDTH), 1)
                    weight = tall * wide
                    red += weight * canvas[row, column, 0]
                    green += weight * canvas[row, column, 1]
                    blue += weight * canvas[row, column, 2]
                    alpha += weight * canvas[row, column, 3]
                    total += weight
            half = total // 2
            layer[y, x, 0] = (red + half) // total
            layer[y, x, 1] = (green + half) // total
            layer[y, x, 2] = (blue + half) // total
            layer[y, x, 3] = (alpha + half) // total


@kernel
def shrink_hud(canvas: NDArray[np.uint8], layer: NDArray[np.uint8]) -> None:
    """Squeeze the canvas (uint8[360, 640, 4]) into a layer (uint8[h, w, 4]); both premultiplied.

    Only the HUD's box and the crosshair are written: begin with a layer of zeros.
    """
    height, width = layer.shape[0], layer.shape[1]
    _shrink_box(
        canvas,
        TOP * height // HEIGHT,
        height,
        LEFT * width // WIDTH,
        (RIGHT * width + WIDTH - 1) // WIDTH,
        layer,
    )
    _shrink_box(
        canvas,
        CROSS_TOP * height // HEIGHT,
        ((CROSS_TOP + CROSS_SIZE) * height + HEIGHT - 1) // HEIGHT,
        CROSS_LEFT * width // WIDTH,
        ((CROSS_LEFT + CROSS_SIZE) * width + WIDTH - 1) // WIDTH,
        layer,
    )


@kernel
def blend_hud(layer: NDArray[np.uint8], image: NDArray[np.uint8], first: int) -> None:
    """Lay the layer over a picture, in place.

    Args:
        layer: uint8[h, w, 4], premultiplied, of `shrink_hud`.
        image: uint8[h, w, 3].
        first: `first_row(h)`; rows above it are left alone, but for the crosshair, which inverts
            what is behind it, as in the game.
    """
    height, width = image.shape[0], image.shape[1]
    for y in range(first, height):
        for x in range(LEFT * width // WIDTH, (RIGHT * width + WIDTH - 1) // WIDTH):
            behind = np.uint32(255) - np.uint32(layer[y, x, 3])
            for channel in range(3):
                under = np.uint32(image[y, x, channel]) * behind
                image[y, x, channel] = layer[y, x, channel] + (under + np.uint32(127)) // 255
    cross_right = ((CROSS_LEFT + CROSS_SIZE) * width + WIDTH - 1) // WIDTH
    for y in range(
        CROSS_TOP * height // HEIGHT,
        ((CROSS_TOP + CROSS_SIZE) * height + HEIGHT - 1) // HEIGHT,
    ):
        for x in range(CROSS_LEFT * width // WIDTH, cross_right):
            share = np.int32(layer[y, x, 3])
            for channel in range(3):
                tone = np.int32(image[y, x, channel])
                image[y, x, channel] = tone + (255 - 2 * tone) * share // 255
