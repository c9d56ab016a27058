"""Reads the game's screen: hearts, food, air, armour and hotbar of a 640x360 frame.

Nothing but the frame is looked at; what it is compared with are the sprites and icons of the embedded world.
Where things stand: Minecraft Wiki, "Heads-up display" (`worlds.voxel.screen.hud.Layout`).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import BadValue
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.game.items import item_names, items
from optimus_gym.worlds.voxel.art.font import glyphs
from optimus_gym.worlds.voxel.art.gui import ICON, SLOT_PITCH, screen
from optimus_gym.worlds.voxel.art.items import item_icons
from optimus_gym.worlds.voxel.screen.hud import (
    DIGIT_PITCH,
    HOTBAR_SLOTS,
    METER_PITCH,
    ROW_ABOVE,
    SHADOW,
    Layout,
)

Pixels = NDArray[np.uint8]
FULL: Final = 20
"""Half-hearts, and half-shanks, of who wants for nothing."""
BUBBLES: Final = 10
_OPAQUE: Final = 255
_POINTS: Final = 12
"""Pixels of each icon by which most others are ruled out."""
_LIKELY: Final = 0.3
"""Part of those that must agree: a count may cover half of a low icon."""
_ALIKE: Final = 2
"""Difference of a colour up to which two pixels agree."""
_SURE: Final = 0.9
"""Part of an icon's pixels in sight that must agree."""
_NEAR: Final = 24
"""Mean difference of a colour, 0 to 255, up to which a sprite is taken to be there: our choice."""
_DIGIT: Final = 8
"""Edge of a digit, pixels."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What lies in a slot."""

    item: str
    count: int


@dataclass(frozen=True, slots=True)
class Hud:
    """What the screen shows of the player.

    Attributes:
        health: half-hearts, 0 to 20; None where no hearts are shown.
        food: half-shanks, 0 to 20; None likewise.
        air: bubbles, 0 to 10; 10 where none are shown, as out of the water.
        armour: half-pieces, 0 to 20.
        hotbar: the nine slots from left to right, None where nothing lies.
        selected: which of them is in hand, 0 to 8.
    """

    health: int | None
    food: int | None
    air: int
    armour: int
    hotbar: tuple[Stack | None, ...]
    selected: int

    @property
    def hand(self) -> str | None:
        """Return the item in hand."""
        stack = self.hotbar[self.selected]
        return None if stack is None else stack.item


def read_hud(picture: Pixels) -> Hud:
    """Return what a frame (uint8[360, 640, 3]) shows of the player.

    Raises:
        BadValue: it has another shape or type.
    """
    width, height = PICTURE_SIZE
    if picture.shape != (height, width, 3) or picture.dtype != np.uint8:
        raise BadValue(
            f"picture: expected uint8 ({height}, {width}, 3), got {picture.dtype} {picture.shape}"
        )
    place, sprites = Layout(), screen()
    above = place.meter_top - ROW_ABOVE
    hearts = _row(picture, place.meter_top, place.bar_left, METER_PITCH)
    shanks = _row(picture, place.meter_top, place.food_left, -METER_PITCH)
    return Hud(
        health=_halves(hearts, (*sprites.hearts, *sprites.sick_hearts)),
        food=_halves(shanks, (sprites.foods, sprites.foul_foods)),
        air=_bubbles(_row(picture, above, place.food_left, -METER_PITCH)),
        armour=_halves(_row(picture, above, place.bar_left, METER_PITCH), (sprites.armours,)) or 0,
        hotbar=_hotbar(picture, place.icon_top, place.icon_left),
        selected=_selected(picture, place.bar_top - 1, place.bar_left - 1),
    )


def _cut(picture: Pixels, top: int, left: int, height: int, width: int) -> NDArray[np.int16]:
    return picture[top : top + height, left : left + width].astype(np.int16)


def _differences(patches: NDArray[np.int16], sprites: Pixels) -> NDArray[np.float64]:
    """Return the mean differences (float64[n, k]) of patches and the opaque pixels of sprites.

    Args:
        patches: int16[n, h, w, 3].
        sprites: uint8[k, h or more, w, 4]; rows beyond the patches' are not looked at.
    """
    cut = sprites[:, : patches.shape[1]].astype(np.int16)
    opaque = cut[..., 3] == _OPAQUE
    apart = np.abs(patches[:, None] - cut[None, ..., :3]).mean(axis=4) * opaque
    made: NDArray[np.float64] = apart.sum(axis=(2, 3)) / opaque.sum(axis=(1, 2))
    return made


def _row(picture: Pixels, top: int, left: int, pitch: int) -> NDArray[np.int16]:
    """Return ten icons' places (int16[10, 9, 9, 3]), the first at the left corner given."""
    return np.stack([_cut(picture, top, left + pitch * k, ICON, ICON) for k in range(10)])


def _halves(patches: NDArray[np.int16], kinds: tuple[NDArray[np.uint8], ...]) -> int | None:
    """Return the halves that ten icons show, None where there are no icons."""
    differences = _differences(patches, np.concatenate(kinds))
    levels = differences.argmin(axis=1) % 3
    shown = differences.min(axis=1) <= _NEAR
    return int(levels[shown].sum()) if shown.any() else None


def _bubbles(patches: NDArray[np.int16]) -> int:
    """Return the bubbles that are shown; all of them where there is none."""
    shown = int((_differences(patches, screen().bubble[None]) <= _NEAR).sum())
    return shown or BUBBLES


def _selected(picture: Pixels, top: int, left: int) -> int:
    """Return the slot that the frame stands around."""
    frame = screen().frame
    height, width = min(frame.shape[0], picture.shape[0] - top), frame.shape[1]
    slots = [_cut(picture, top, left + SLOT_PITCH * k, height, width) for k in range(HOTBAR_SLOTS)]
    return int(_differences(np.stack(slots), frame[None]).argmin())


class _Icons(NamedTuple):
    """What icons are compared by.

    Attributes:
        colours: int16[976, 256, 3].
        opaque: bool[976, 256].
        wears: bool[976], whether a bar of wear may cover some of it.
        places: int64[976, 12], pixels by which most icons are ruled out.
        points: int16[976, 12, 3], their colours.
        order: float64[976], by which one of equal icons is chosen: that of the shorter name.
    """

    colours: NDArray[np.int16]
    opaque: NDArray[np.bool_]
    wears: NDArray[np.bool_]
    places: NDArray[np.int64]
    points: NDArray[np.int16]
    order: NDArray[np.float64]


@cache
def _icons() -> _Icons:
    """Return what icons are compared by, made once: points spread evenly over the opaque pixels."""
    drawn = item_icons().reshape(len(item_icons()), -1, 4)
    opaque = drawn[..., 3] == _OPAQUE
    places = np.zeros((len(drawn), _POINTS), np.int64)
    for item, mask in enumerate(opaque):
        there = np.flatnonzero(mask)
        if there.size:
            places[item] = there[np.linspace(0, there.size - 1, _POINTS).astype(int)]
    colours = drawn[..., :3].astype(np.int16)
    points = np.take_along_axis(colours, places[..., None], 1)
    wears = np.zeros(len(drawn), np.bool_)
    wears[[item.id for item in items().values() if item.max_durability]] = True
    order = np.array([len(name) * 1e-9 for name in item_names()])
    return _Icons(colours, opaque, wears, places, points, order)


def _hotbar(picture: Pixels, top: int, left: int) -> tuple[Stack | None, ...]:
    """Return what lies in the slots; the upper left corner is that of the first slot's icon."""
    icons = _icons()
    lefts = [left + SLOT_PITCH * slot for slot in range(HOTBAR_SLOTS)]
    patches = np.stack([_cut(picture, top, place, 16, 16).reshape(-1, 3) for place in lefts])
    near = np.abs(patches[:, icons.places] - icons.points).max(axis=3) <= _ALIKE
    likely = near.mean(axis=2) >= _LIKELY
    return tuple(
        _stack(picture, top, place, patch, np.flatnonzero(candidates))
        for place, patch, candidates in zip(lefts, patches, likely, strict=True)
    )


def _stack(
    picture: Pixels, top: int, left: int, patch: NDArray[np.int16], candidates: NDArray[np.int64]
) -> Stack | None:
    """Return what lies in a slot: the candidate of whose pixels, where nothing covers them, most agree."""
    icons = _icons()
    count, covered = _count(picture, top, left)
    best, most = None, 0.0
    for item in candidates.tolist():
        visible = icons.opaque[item] & ~covered
        if icons.wears[item]:
            visible &= ~_WEAR
        apart = np.abs(patch[visible] - icons.colours[item][visible]).max(axis=1)
        alike = apart <= _ALIKE
        if not alike.size or alike.mean() < _SURE:
            continue
        fit = float(alike.sum() - apart.mean() / 256 - icons.order[item])
        if fit > most:
            best, most = item, fit
    return None if not best else Stack(item_names()[best], count)


def _wear() -> NDArray[np.bool_]:
    """Return which pixels of an icon (bool[256]) the bar of a tool's wear covers."""
    mask = np.zeros((16, 16), np.bool_)
    mask[13:15, 2 : 2 + Layout().wear_width] = True
    return mask.ravel()


_WEAR: Final = _wear()


def _count(picture: Pixels, top: int, left: int) -> tuple[int, NDArray[np.bool_]]:
    """Return the number at the lower right of an icon, 1 if none is there, and its pixels (bool[256])."""
    total, unit = 0, 1
    covered = np.zeros((24, 24), np.bool_)
    for place in range(2):
        column = 11 - DIGIT_PITCH * place
        digit = _digit(picture, top + 9, left + column)
        if digit is None:
            break
        total, unit = total + unit * digit, unit * 10
        ink, shadow = _digits()
        covered[9 : 10 + _DIGIT, column : column + _DIGIT + 1] |= ink[digit] | shadow[digit]
    return total or 1, covered[:16, :16].ravel()


@cache
def _digits() -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the ink (bool[10, 9, 9]) of each digit, and that of its shadow alone."""
    drawn = glyphs()[ord("0") : ord("9") + 1] > 0
    ink = np.zeros((10, _DIGIT + 1, _DIGIT + 1), np.bool_)
    shadow = ink.copy()
    ink[:, :_DIGIT, :_DIGIT] = drawn
    shadow[:, 1:, 1:] = drawn
    return ink, shadow & ~ink


def _digit(picture: Pixels, top: int, left: int) -> int | None:
    """Return the digit that is written at a place, or None: all its ink white, most of its shadow grey.

    A white icon behind it may fill it up to another one, whose shadow then is not as grey.
    """
    ink, shadow = _digits()
    patch = picture[top : top + _DIGIT + 1, left : left + _DIGIT + 1]
    wide = np.zeros((_DIGIT + 1, _DIGIT + 1), np.int64)
    wide[: patch.shape[0], : patch.shape[1]] = 1
    white = np.zeros_like(wide, np.bool_)
    grey = white.copy()
    white[: patch.shape[0], : patch.shape[1]] = (patch >= 255 - _NEAR).all(axis=2)
    grey[: patch.shape[0], : patch.shape[1]] = (np.abs(patch.astype(int) - SHADOW) <= _NEAR).all(2)
    greys = [float(grey[mask].mean()) for mask in shadow]
    fits = [
        (greys[digit], int(ink[digit].sum()), digit)
        for digit in range(10)
        if white[ink[digit]].all() and greys[digit] >= 0.5
    ]
    return max(fits)[2] if fits else None
