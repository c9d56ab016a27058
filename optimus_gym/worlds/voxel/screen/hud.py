"""The HUD of the game's screen at GUI scale 1: hotbar, hearts, food, armour, air, experience.

Changed parts of the HUD are drawn on the canvas of `layer.py`; `core.overlay` has the positions.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.overlay import (
    DIGIT_PITCH,
    HOTBAR_SLOTS,
    OVERLAY_LAYOUT,
    ROW_ABOVE,
    SHADOW,
    SLOT_PITCH,
    Overlay,
)
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.art.font import glyphs
from optimus_gym.worlds.voxel.art.gui import ScreenSprites, screen
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.player.vitals import MOST_AIR
from optimus_gym.worlds.voxel.screen.layer import (
    CanvasBox,
    byte_of,
    cross_box,
    hud_box,
)
from optimus_gym.worlds.voxel.state.worlds import OFFHAND


class Meters(NamedTuple):
    """The player's numbers that the HUD shows."""

    health: float
    """Health in half-hearts, 0 to 20; a part of a half-heart shows as a whole half-heart, as in the game."""
    food: float
    """Points of food (half icons), 0 to 20."""
    air: int
    """Ticks of breath, -20 to 300; bubbles show below 300."""
    armour: int
    """Armour points, 0 to 20; the armour icons show only above 0."""
    level: int
    """Experience level; the HUD shows the level only above 0."""
    progress: int
    """Columns of the experience bar that are filled, 0 to 182."""
    poisoned: int = 0
    """1 = the hearts are yellow-green because of poison; Minecraft Wiki, "Poison"."""
    sickened: int = 0
    """1 = the food icons are green because of the hunger effect; Minecraft Wiki, "Hunger (effect)"."""
    blinking: int = 0
    """1 = the hearts have white rims, as after a hurt; Minecraft Wiki, "Heads-up display" (health)."""


@dataclass(frozen=True, slots=True, eq=False)
class HudArt(ScreenSprites):
    """Sprites, icons and digits of the HUD; all arrays are read-only."""

    icons: NDArray[np.uint8]
    """uint8[976, 16, 16, 4], the icon of each item by item id."""
    digits: NDArray[np.uint8]
    """uint8[10, 8, 8], the pictures of the digits, 255 = ink, 0 = none."""
    durability: NDArray[np.int32]
    """int32[976], uses of each item until the item breaks, by item id; 0 = the item does not wear."""


@cache
def hud_art() -> HudArt:
    """Return the sprites, icons, digits and durabilities that `draw_hud` needs."""
    durability = np.zeros(len(item_icons()), dtype=np.int32)
    for item in items().values():
        durability[item.id] = item.max_durability
    digits = glyphs()[ord("0") : ord("9") + 1].copy()
    durability.flags.writeable = False
    digits.flags.writeable = False
    return HudArt(**screen().arrays(), icons=item_icons(), digits=digits, durability=durability)


@cache
def hud_overlay() -> Overlay:
    """Return the pictures of hearts, food, armour, air and items, for code that reads values off a screen."""
    art = hud_art()
    return Overlay(
        hearts=np.concatenate([art.hearts, art.sick_hearts]),
        foods=np.stack([art.foods, art.foul_foods]),
        armours=art.armours,
        bubble=art.bubble,
        frame=art.frame,
        icons=art.icons,
        digits=art.digits,
    )


class Window(NamedTuple):
    """The part of the canvas that is drawn; pixels outside this part stay unchanged."""

    canvas: NDArray[np.uint8]
    """uint8[360, 640, 4], the whole canvas, premultiplied."""
    top: int
    bottom: int
    """The row after the window's last row."""
    left: int
    right: int
    """The column after the window's last column."""


@kernel
def put(sprite: NDArray[np.uint8], top: int, left: int, window: Window) -> None:
    """Lay a sprite (uint8[h, w, 4], not premultiplied) over the window."""
    canvas = window.canvas
    first, end = max(window.left - left, 0), min(window.right - left, sprite.shape[1])
    for y in range(max(window.top - top, 0), min(window.bottom - top, sprite.shape[0])):
        for x in range(first, end):
            alpha = np.uint32(sprite[y, x, 3])
            if alpha == 0:
                continue
            if alpha == 255:
                for channel in range(4):
                    canvas[top + y, left + x, channel] = sprite[y, x, channel]
                continue
            behind = np.uint32(255) - alpha
            for channel in range(4):
                own = np.uint32(sprite[y, x, channel]) if channel < 3 else np.uint32(255)
                under = np.uint32(canvas[top + y, left + x, channel])
                both = own * alpha + under * behind + np.uint32(127)
                canvas[top + y, left + x, channel] = byte_of(both)


@kernel
def paint_row(window: Window, top: int, left: int, width: int, red: int, green: int) -> None:
    """Paint one opaque row of `width` pixels in a colour without blue."""
    if not window.top <= top < window.bottom:
        return
    for x in range(max(left, window.left), min(left + width, window.right)):
        window.canvas[top, x, 0] = red
        window.canvas[top, x, 1] = green
        window.canvas[top, x, 2] = 0
        window.canvas[top, x, 3] = 255


@kernel
def put_digit(
    digit: NDArray[np.uint8],
    top: int,
    left: int,
    tone: tuple[int, int, int],
    window: Window,
) -> None:
    """Draw one digit (uint8[8, 8]) in the colour `tone`."""
    first, end = max(window.left - left, 0), min(window.right - left, digit.shape[1])
    for y in range(max(window.top - top, 0), min(window.bottom - top, digit.shape[0])):
        for x in range(first, end):
            if digit[y, x]:
                window.canvas[top + y, left + x, 0] = tone[0]
                window.canvas[top + y, left + x, 1] = tone[1]
                window.canvas[top + y, left + x, 2] = tone[2]
                window.canvas[top + y, left + x, 3] = 255


@kernel
def put_count(count: int, top: int, left: int, digits: NDArray[np.uint8], window: Window) -> None:
    """Draw a stack's count, with a shadow, at the lower right of the icon at (top, left)."""
    place = left + 11
    rest = count
    while rest > 0:
        digit = digits[rest % 10]
        for layer in range(2):
            tone = SHADOW + (255 - SHADOW) * layer
            put_digit(digit, top + 10 - layer, place + 1 - layer, (tone, tone, tone), window)
        rest //= 10
        place -= DIGIT_PITCH


@kernel
def put_level(level: int, top: int, middle: int, digits: NDArray[np.uint8], window: Window) -> None:
    """Draw the experience level in green (#80ff20) with a black rim, centred on the column `middle`."""
    width, rest = 0, level
    while rest > 0:
        width += DIGIT_PITCH
        rest //= 10
    left = middle - width // 2
    for layer in range(5):
        place, rest = left + width - DIGIT_PITCH, level
        down = (1 if layer == 0 else 0) - (1 if layer == 1 else 0)
        right = (1 if layer == 2 else 0) - (1 if layer == 3 else 0)
        tone = (128, 255, 32) if layer == 4 else (0, 0, 0)
        while rest > 0:
            put_digit(digits[rest % 10], top + down, place + right, tone, window)
            rest //= 10
            place -= DIGIT_PITCH


@kernel
def put_item(
    item: int, count: int, damage: int, top: int, left: int, window: Window, art: HudArt
) -> None:
    """Draw a stack: the icon, the count if above 1, and for a worn item the bar of the remaining uses."""
    if item == 0 or count == 0:
        return
    put(art.icons[item], top, left, window)
    most = int(art.durability[item])
    if damage > 0 and most > 0:
        wide = OVERLAY_LAYOUT.wear_width
        left_over = max(most - damage, 0)
        width = (2 * wide * left_over + most) // (2 * most)
        red = min(255, 510 * (most - left_over) // most)
        green = min(255, 510 * left_over // most)
        for row in range(2):
            paint_row(window, top + 14 - row, left + 2, wide, 0 * red, 0 * green)
        paint_row(window, top + 13, left + 2, width, red, green)
    if count > 1:
        put_count(count, top, left, art.digits, window)


@kernel
def put_meter(
    icons: NDArray[np.uint8],
    halves: int,
    top: int,
    left: int,
    pitch: int,
    window: Window,
) -> None:
    """Draw `halves` (0..20) as ten icons `pitch` pixels apart, from `icons` (uint8[3, 9, 9, 4]) by level."""
    for index in range(10):
        level = min(max(halves - 2 * index, 0), 2)
        put(icons[level], top, left + pitch * index, window)


@kernel
def draw_hud(
    slots: NDArray[Any], selected: int, meters: Meters, canvas: NDArray[np.uint8], art: HudArt
) -> None:
    """Draw the whole HUD into the canvas: the HUD's box and the crosshair.

    Args:
        slots: STACK[41], fields item, count, damage; the first nine are the hotbar.
        selected: the slot in hand, 0..8.
        meters: the player's numbers.
        canvas: uint8[360, 640, 4], premultiplied; the HUD's box and the crosshair are replaced.
        art: the result of `hud_art()`.
    """
    draw_box(slots, selected, meters, hud_box(), canvas, art)
    top, bottom, left, right = cross_box()
    canvas[top:bottom, left:right] = 0
    window = Window(canvas, top, bottom, left, right)
    put(art.crosshair, OVERLAY_LAYOUT.cross_top, OVERLAY_LAYOUT.cross_left, window)


@kernel
def draw_box(
    slots: NDArray[Any],
    selected: int,
    meters: Meters,
    box: CanvasBox,
    canvas: NDArray[np.uint8],
    art: HudArt,
) -> None:
    """Draw the part of the HUD, without the crosshair, in a box within `hud_box()`; see `draw_hud`."""
    top, bottom, left, right = box
    canvas[top:bottom, left:right] = 0
    window, place = Window(canvas, top, bottom, left, right), OVERLAY_LAYOUT
    put(art.bar, place.bar_top, place.bar_left, window)
    put(art.frame, place.bar_top - 1, place.bar_left - 1 + SLOT_PITCH * selected, window)
    for slot in range(HOTBAR_SLOTS):
        _put_stack(slots[slot], place.icon_left + SLOT_PITCH * slot, window, art)
    if slots[OFFHAND].item > 0:
        put(art.offhand, place.offhand_top, place.offhand_left, window)
        _put_stack(slots[OFFHAND], place.offhand_icon, window, art)
    _draw_meters(meters, window, art)


@kernel
def _put_stack(stack: Any, left: int, window: Window, art: HudArt) -> None:
    """Draw a stack of the hotbar or off-hand, whose icon begins in column `left`."""
    item, count, damage = int(stack.item), int(stack.count), int(stack.damage)
    put_item(item, count, damage, OVERLAY_LAYOUT.icon_top, left, window, art)


@kernel
def bubbles_of(air: int) -> int:
    """Return the number of visible air bubbles, 0 to 10, for `air` ticks of breath, less than 300."""
    return (max(air, 0) * 10 + MOST_AIR - 1) // MOST_AIR


@kernel
def _draw_meters(meters: Meters, window: Window, art: HudArt) -> None:
    place = OVERLAY_LAYOUT
    above = place.meter_top - ROW_ABOVE
    halves, food = int(np.ceil(meters.health)), int(meters.food)
    rims = 1 if meters.blinking else 0
    hearts = art.sick_hearts[rims] if meters.poisoned else art.hearts[rims]
    foods = art.foul_foods if meters.sickened else art.foods
    put_meter(hearts, halves, place.meter_top, place.bar_left, place.forward, window)
    put_meter(foods, food, place.meter_top, place.food_left, place.backward, window)
    if meters.armour > 0:
        put_meter(art.armours, meters.armour, above, place.bar_left, place.forward, window)
    if meters.air < MOST_AIR:
        for index in range(bubbles_of(meters.air)):
            put(art.bubble, above, place.food_left + place.backward * index, window)
    put(art.experience[0], place.experience_top, place.bar_left, window)
    filled = art.experience[1, :, : meters.progress]
    put(filled, place.experience_top, place.bar_left, window)
    if meters.level > 0:
        put_level(meters.level, place.level_top, place.bar_middle, art.digits, window)
