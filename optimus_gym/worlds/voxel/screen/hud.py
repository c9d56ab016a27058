"""What stands on the game's screen at GUI scale 1: hotbar, hearts, food, armour, air, experience.

It is drawn on the canvas of `layer.py` when something in it has changed. Positions: Minecraft Wiki,
"Heads-up display"; the game measures them from the middle of the lower edge of the screen.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.art.font import glyphs
from optimus_gym.worlds.voxel.art.gui import SLOT_PITCH, Screen, screen
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.vitals import MOST_AIR
from optimus_gym.worlds.voxel.screen.layer import (
    CANVAS_HEIGHT,
    CROSS_LEFT,
    CROSS_SIZE,
    CROSS_TOP,
    HUD_LEFT,
    HUD_RIGHT,
    HUD_TOP,
)
from optimus_gym.worlds.voxel.state.worlds import OFFHAND

METER_PITCH = 8
"""Columns from one heart to the next."""
ROW_ABOVE = 10
"""Rows from hearts and food up to armour and air."""
HOTBAR_SLOTS = 9
SHADOW = 62
DIGIT_PITCH = 6
"""Columns from one digit to the next."""


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
    bar_middle: int = 320
    experience_top: int = 331
    level_top: int = 325
    offhand_top: int = 337
    offhand_left: int = 200
    offhand_icon: int = 203
    wear_width: int = 13
    """Length of the bar of a tool with all its durability."""
    forward: int = METER_PITCH
    backward: int = -METER_PITCH


class Meters(NamedTuple):
    """The player's numbers that the screen shows."""

    health: float
    """Half-hearts, 0 to 20; a part of one shows as one, as in the game."""
    food: float
    """Half-shanks, 0 to 20."""
    air: int
    """Ticks of breath, -20 to 300; bubbles show below 300."""
    armour: int
    """Defence points, 0 to 20; shown above 0."""
    level: int
    """Experience level; written above 0."""
    progress: int
    """Columns of the experience bar that are filled, 0 to 182."""
    poisoned: int = 0
    """1 = hearts are yellow-green; Minecraft Wiki, "Poison"."""
    sickened: int = 0
    """1 = food is green; Minecraft Wiki, "Hunger (effect)"."""
    blinking: int = 0
    """1 = hearts have white rims, as after a hurt; Minecraft Wiki, "Heads-up display" (health)."""


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
        place -= DIGIT_PITCH


@kernel
def put_level(
    level: int, top: int, middle: int, digits: NDArray[np.uint8], canvas: NDArray[np.uint8]
) -> None:
    """Write the experience level in green with a black rim, centred on the column `middle`."""
    width, rest = 0, level
    while rest > 0:
        width += DIGIT_PITCH
        rest //= 10
    left = middle - width // 2
    for layer in range(5):
        place, rest = left + width - DIGIT_PITCH, level
        down = (1 if layer == 0 else 0) - (1 if layer == 1 else 0)
        right = (1 if layer == 2 else 0) - (1 if layer == 3 else 0)
        while rest > 0:
            put_digit(digits[rest % 10], top + down, place + right, 0, canvas)
            if layer == 4:
                _tint_digit(digits[rest % 10], top, place, canvas)
            rest //= 10
            place -= DIGIT_PITCH


@kernel
def _tint_digit(digit: NDArray[np.uint8], top: int, left: int, canvas: NDArray[np.uint8]) -> None:
    """Ink one digit in the green of experience (#80ff20)."""
    for y in range(digit.shape[0]):
        for x in range(digit.shape[1]):
            if digit[y, x]:
                canvas[top + y, left + x, 0] = 128
                canvas[top + y, left + x, 1] = 255
                canvas[top + y, left + x, 2] = 32


@kernel
def put_item(stack: Any, top: int, left: int, canvas: NDArray[np.uint8], art: HudArt) -> None:
    """Draw a stack: its icon, its count above 1 and, once worn, the bar of the uses that are left."""
    if stack.item == 0 or stack.count == 0:
        return
    put(art.icons[stack.item], top, left, canvas)
    most, damage = int(art.durability[stack.item]), int(stack.damage)
    if damage > 0 and most > 0:
        wide = art.layout.wear_width
        left_over = max(most - damage, 0)
        width = (2 * wide * left_over + most) // (2 * most)
        red = min(255, 510 * (most - left_over) // most)
        green = min(255, 510 * left_over // most)
        for row in range(2):
            paint_row(canvas, top + 14 - row, left + 2, wide, 0 * red, 0 * green)
        paint_row(canvas, top + 13, left + 2, width, red, green)
    if stack.count > 1:
        put_count(int(stack.count), top, left, art.digits, canvas)


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
    slots: NDArray[Any], selected: int, meters: Meters, canvas: NDArray[np.uint8], art: HudArt
) -> None:
    """Draw the whole layer anew.

    Args:
        slots: STACK[41], fields item, count, damage; the first nine are the hotbar.
        selected: slot in hand, 0..8.
        meters: the player's numbers.
        canvas: uint8[360, 640, 4], premultiplied; its HUD box and crosshair are replaced.
        art: `hud_art()`.
    """
    canvas[HUD_TOP:CANVAS_HEIGHT, HUD_LEFT:HUD_RIGHT] = 0
    canvas[CROSS_TOP : CROSS_TOP + CROSS_SIZE, CROSS_LEFT : CROSS_LEFT + CROSS_SIZE] = 0
    place = art.layout
    put(art.screen.bar, place.bar_top, place.bar_left, canvas)
    put(art.screen.frame, place.bar_top - 1, place.bar_left - 1 + SLOT_PITCH * selected, canvas)
    for slot in range(HOTBAR_SLOTS):
        put_item(slots[slot], place.icon_top, place.icon_left + SLOT_PITCH * slot, canvas, art)
    if slots[OFFHAND].item > 0:
        put(art.screen.offhand, place.offhand_top, place.offhand_left, canvas)
        put_item(slots[OFFHAND], place.icon_top, place.offhand_icon, canvas, art)
    _draw_meters(meters, canvas, art)
    put(art.screen.crosshair, place.cross_top, place.cross_left, canvas)


@kernel
def bubbles_of(air: int) -> int:
    """Return how many bubbles show, 0 to 10, for some ticks of breath below the most."""
    return (max(air, 0) * 10 + MOST_AIR - 1) // MOST_AIR


@kernel
def _draw_meters(meters: Meters, canvas: NDArray[np.uint8], art: HudArt) -> None:
    sprites, place = art.screen, art.layout
    above = place.meter_top - ROW_ABOVE
    halves, food = int(np.ceil(meters.health)), int(meters.food)
    rims = 1 if meters.blinking else 0
    hearts = sprites.sick_hearts[rims] if meters.poisoned else sprites.hearts[rims]
    foods = sprites.foul_foods if meters.sickened else sprites.foods
    put_meter(hearts, halves, place.meter_top, place.bar_left, place.forward, canvas)
    put_meter(foods, food, place.meter_top, place.food_left, place.backward, canvas)
    if meters.armour > 0:
        put_meter(sprites.armours, meters.armour, above, place.bar_left, place.forward, canvas)
    if meters.air < MOST_AIR:
        for index in range(bubbles_of(meters.air)):
            put(sprites.bubble, above, place.food_left + place.backward * index, canvas)
    put(sprites.experience[0], place.experience_top, place.bar_left, canvas)
    filled = sprites.experience[1, :, : meters.progress]
    put(filled, place.experience_top, place.bar_left, canvas)
    if meters.level > 0:
        put_level(meters.level, place.level_top, place.bar_middle, art.digits, canvas)
