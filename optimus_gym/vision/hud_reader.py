"""Reads the game's screen: hearts, food, air, armour and hotbar of a 640x360 frame.

The reader compares the frame with the sprites and icons of the world's heads-up display, and uses nothing
else. If the frame shows an open screen, which lays a shade over the display, the reader removes the shade.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.arrays import Pixels
from optimus_gym.core.errors import BadValue
from optimus_gym.core.overlay import (
    DIGIT,
    DIGIT_PITCH,
    HOTBAR_SLOTS,
    ICON,
    ITEM_ICON,
    METER_PITCH,
    OVERLAY_LAYOUT,
    PANEL_GREY,
    ROW_ABOVE,
    SCREEN_SHADE,
    SHADOW,
    SLOT_PITCH,
    Overlay,
)
from optimus_gym.core.situation import PICTURE_SIZE
from optimus_gym.game.items import item_names, items

FULL_BAR: Final = 20
"""Half-hearts of a player in full health, and half-shanks of a player who is not hungry."""
BUBBLES: Final = 10
_OPAQUE: Final = 255
_POINTS: Final = 12
"""Number of pixels of each icon that are compared first, because they rule out most other icons."""
_LIKELY: Final = 0.3
"""Share of an icon's `_POINTS` pixels that must agree with the screen before all pixels are compared; low,
because a slot's count may cover much of the icon."""
_ALIKE: Final = 2
"""Maximum difference in red, green or blue (0 to 255) between two pixels that agree."""
_ALIKE_SHADED: Final = 6
"""As `_ALIKE`, for a display without its shade, which leaves a fifth of the steps of colour."""
_MARGIN: Final = (slice(185, 250), slice(235, 239))
"""Rows and columns of a strip of bare grey that the panel of every open screen has on its left."""
_PANEL: Final = 0.8
"""Share of the strip's pixels that must be grey; the cursor or a tooltip may cover some."""
_SURE: Final = 0.9
"""Share of an icon's visible pixels that must agree with the screen for the icon to count as found."""
_UNLIKE: Final = 255.0
"""Mean colour difference given to a sprite without opaque pixels, so that the sprite is never found."""
_NEAR: Final = 24
"""Maximum mean difference of colours (0 to 255) at which a sprite counts as found on the screen (our
choice)."""


@dataclass(frozen=True, slots=True)
class Stack:
    """The items in a slot of the hotbar, as the screen shows them."""

    item: str
    count: int


@dataclass(frozen=True, slots=True)
class Hud:
    """The player's state, as the screen shows it.

    Attributes:
        health: half-hearts, 0 to 20; None if no hearts are shown.
        food: half-shanks, 0 to 20; None if no shanks are shown.
        air: bubbles, 0 to 10; 10 if no bubbles are shown, because the player is not under water.
        armour: half-pieces, 0 to 20.
        hotbar: the nine slots from left to right; None for an empty slot.
        selected: number of the slot in hand, 0 to 8.
    """

    health: int | None
    food: int | None
    air: int
    armour: int
    hotbar: tuple[Stack | None, ...]
    selected: int

    @property
    def dives(self) -> bool:
        """Return whether the screen shows air bubbles, which the game draws only under water."""
        return self.air < BUBBLES

    @property
    def hand(self) -> str | None:
        """Return the item in hand, or None."""
        stack = self.hotbar[self.selected]
        return None if stack is None else stack.item


class HudReader:
    """Reads the screens of one world.

    Args:
        overlay: the world's pictures of hearts, food, air, armour and hotbar.
    """

    def __init__(self, overlay: Overlay) -> None:
        self._drawn = overlay
        self._icons = _Icons.of(overlay)
        self._digits = _Digits.of(overlay)

    def read(self, picture: Pixels) -> Hud:
        """Return the player's state that a frame (uint8[360, 640, 3]) shows.

        Raises:
            BadValue: the frame has a wrong shape or type.
        """
        width, height = PICTURE_SIZE
        if picture.shape != (height, width, 3) or picture.dtype != np.uint8:
            raise BadValue(
                f"picture: expected uint8 ({height}, {width}, 3), got {picture.dtype} {picture.shape}"
            )
        shaded = shows_panel(picture)
        if shaded:
            picture = _without_shade(picture)
        place, drawn = OVERLAY_LAYOUT, self._drawn
        above = place.meter_top - ROW_ABOVE
        hearts = _row(picture, place.meter_top, place.bar_left, METER_PITCH)
        shanks = _row(picture, place.meter_top, place.food_left, -METER_PITCH)
        armours = _row(picture, above, place.bar_left, METER_PITCH)
        return Hud(
            health=_halves(hearts, drawn.hearts),
            food=_halves(shanks, drawn.foods),
            air=_bubbles(_row(picture, above, place.food_left, -METER_PITCH), drawn.bubble),
            armour=_halves(armours, drawn.armours[None]) or 0,
            hotbar=self._hotbar(picture, _ALIKE_SHADED if shaded else _ALIKE),
            selected=_selected(picture, drawn.frame),
        )

    def _hotbar(self, picture: Pixels, alike: int) -> tuple[Stack | None, ...]:
        """Return the contents of the hotbar's nine slots; `alike` is the difference of pixels that agree."""
        icons, top = self._icons, OVERLAY_LAYOUT.icon_top
        lefts = [OVERLAY_LAYOUT.icon_left + SLOT_PITCH * slot for slot in range(HOTBAR_SLOTS)]
        cuts = [_cut(picture, top, left, ITEM_ICON, ITEM_ICON).reshape(-1, 3) for left in lefts]
        patches = np.stack(cuts)
        near = np.abs(patches[:, icons.places] - icons.points).max(axis=3) <= alike
        likely = near.mean(axis=2) >= _LIKELY
        return tuple(
            self._stack(picture[top:, left:], patch, np.flatnonzero(candidates), alike)
            for left, patch, candidates in zip(lefts, patches, likely, strict=True)
        )

    def _stack(
        self, slot: Pixels, patch: NDArray[np.int16], candidates: NDArray[np.int64], near: int
    ) -> Stack | None:
        """Return the stack in a slot: the candidate with the most uncovered pixels that match the screen.

        Args:
            slot: the part of the frame that begins at the upper left corner of the slot's icon.
            patch: the icon's pixels, int16[256, 3].
            candidates: ids of the possible items.
            near: maximum difference of colours (0 to 255) between two pixels that agree.
        """
        icons = self._icons
        count, covered = self._digits.count(slot)
        best, most = None, 0.0
        for item in candidates.tolist():
            visible = icons.opaque[item] & ~covered
            if icons.wears[item]:
                visible &= ~_WEAR
            apart = np.abs(patch[visible] - icons.colours[item][visible]).max(axis=1)
            alike = apart <= near
            if not alike.size or alike.mean() < _SURE:
                continue
            fit = float(alike.sum() - apart.mean() / 256 - icons.order[item])
            if fit > most:
                best, most = item, fit
        return None if not best else Stack(item_names()[best], count)


def shows_panel(picture: Pixels) -> bool:
    """Return whether a frame (uint8[360, 640, 3]) shows the panel of an open screen."""
    return bool((picture[_MARGIN] == PANEL_GREY).all(axis=2).mean() >= _PANEL)


def _without_shade(picture: Pixels) -> Pixels:
    """Return a frame without the shade that an open screen lays over it; the panel becomes meaningless."""
    tone, upper, lower = SCREEN_SHADE
    rows = (np.arange(len(picture)) + 0.5) / len(picture)
    alphas = np.rint(upper + (lower - upper) * rows)[:, None, None] / 255
    lit = (picture - tone * alphas) / (1 - alphas)
    return np.clip(np.rint(lit), 0, 255).astype(np.uint8)


def _cut(picture: Pixels, top: int, left: int, height: int, width: int) -> NDArray[np.int16]:
    return picture[top : top + height, left : left + width].astype(np.int16)


def _differences(patches: NDArray[np.int16], sprites: Pixels) -> NDArray[np.float64]:
    """Return the mean colour differences (float64[n, k]) between patches and the opaque pixels of sprites.

    Args:
        patches: int16[n, h, w, 3].
        sprites: uint8[k, h or more, w, 4]; rows below the patches' height are ignored.
    """
    cut = sprites[:, : patches.shape[1]].astype(np.int16)
    opaque = cut[..., 3] == _OPAQUE
    apart = np.abs(patches[:, None] - cut[None, ..., :3]).mean(axis=4) * opaque
    inked = opaque.sum(axis=(1, 2))
    made: NDArray[np.float64] = apart.sum(axis=(2, 3)) / np.maximum(inked, 1)
    return np.where(inked > 0, made, _UNLIKE)


def _row(picture: Pixels, top: int, left: int, pitch: int) -> NDArray[np.int16]:
    """Return the pixels at a meter's ten icons (int16[10, 9, 9, 3]); the first is at `top` and `left`."""
    return np.stack([_cut(picture, top, left + pitch * k, ICON, ICON) for k in range(10)])


def _halves(patches: NDArray[np.int16], looks: Pixels) -> int | None:
    """Return how many half icons (such as half-hearts) ten patches of a meter show; None if no icon is found.

    `looks` holds an empty, a half and a full icon in each of k variants (uint8[k, 3, 9, 9, 4]).
    """
    differences = _differences(patches, looks.reshape(-1, ICON, ICON, 4))
    levels = differences.argmin(axis=1) % 3
    shown = differences.min(axis=1) <= _NEAR
    return int(levels[shown].sum()) if shown.any() else None


def _bubbles(patches: NDArray[np.int16], bubble: Pixels) -> int:
    """Return the number of air bubbles that the screen shows; 10 if it shows none."""
    shown = int((_differences(patches, bubble[None]) <= _NEAR).sum())
    return shown or BUBBLES


def _selected(picture: Pixels, frame: Pixels) -> int:
    """Return the number of the hotbar's slot around which the screen shows the selection frame."""
    top, left = OVERLAY_LAYOUT.bar_top - 1, OVERLAY_LAYOUT.bar_left - 1
    height, width = min(frame.shape[0], picture.shape[0] - top), frame.shape[1]
    slots = [_cut(picture, top, left + SLOT_PITCH * k, height, width) for k in range(HOTBAR_SLOTS)]
    return int(_differences(np.stack(slots), frame[None]).argmin())


def _wear() -> NDArray[np.bool_]:
    """Return which pixels of an item's icon (bool[256]) the durability bar of a worn tool covers."""
    mask = np.zeros((ITEM_ICON, ITEM_ICON), np.bool_)
    mask[13:15, 2 : 2 + OVERLAY_LAYOUT.wear_width] = True
    return mask.ravel()


_WEAR: Final = _wear()


@dataclass(frozen=True, slots=True, eq=False)
class _Icons:
    """The icons of all items as arrays that are fast to compare with a screen.

    Attributes:
        colours: colours of each icon's pixels (int16[976, 256, 3]).
        opaque: whether each pixel of an icon is opaque (bool[976, 256]).
        wears: bool[976], whether a durability bar may cover part of the icon.
        places: int64[976, 12], indices of `_POINTS` pixels of each icon, spread evenly over the opaque
            pixels.
        points: int16[976, 12, 3], colours of the pixels in `places`.
        order: float64[976], grows with the length of the item's name: of equal icons the shortest name wins.
    """

    colours: NDArray[np.int16]
    opaque: NDArray[np.bool_]
    wears: NDArray[np.bool_]
    places: NDArray[np.int64]
    points: NDArray[np.int16]
    order: NDArray[np.float64]

    @classmethod
    def of(cls, overlay: Overlay) -> "_Icons":
        """Return the arrays for the icons of a world's heads-up display."""
        drawn = overlay.icons.reshape(len(overlay.icons), -1, 4)
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
        return cls(colours, opaque, wears, places, points, order)


@dataclass(frozen=True, slots=True, eq=False)
class _Digits:
    """The digits 0 to 9 as arrays to compare with a screen.

    Attributes:
        ink: the pixels that each digit colours white (bool[10, 9, 9]).
        shadow: the pixels of each digit's shadow that are not white themselves (bool[10, 9, 9]).
    """

    ink: NDArray[np.bool_]
    shadow: NDArray[np.bool_]

    @classmethod
    def of(cls, overlay: Overlay) -> "_Digits":
        """Return the arrays for the digits of a world's heads-up display."""
        ink = np.zeros((10, DIGIT + 1, DIGIT + 1), np.bool_)
        shadow = ink.copy()
        ink[:, :DIGIT, :DIGIT] = overlay.digits > 0
        shadow[:, 1:, 1:] = overlay.digits > 0
        return cls(ink, shadow & ~ink)

    def count(self, slot: Pixels) -> tuple[int, NDArray[np.bool_]]:
        """Return the count written on an icon (1 if none is), and which pixels the count covers (bool[256]).

        Args:
            slot: the part of the frame that begins at the upper left corner of the icon.
        """
        total, unit = 0, 1
        covered = np.zeros((24, 24), np.bool_)
        for place in range(2):
            column = 11 - DIGIT_PITCH * place
            digit = self._digit(slot[9:, column:])
            if digit is None:
                break
            total, unit = total + unit * digit, unit * 10
            written = self.ink[digit] | self.shadow[digit]
            covered[9 : 10 + DIGIT, column : column + DIGIT + 1] |= written
        return total or 1, covered[:ITEM_ICON, :ITEM_ICON].ravel()

    def _digit(self, corner: Pixels) -> int | None:
        """Return the digit at the upper left corner of a part of the frame, or None.

        All of the digit's own pixels must be white, and most pixels of its shadow grey. On a white icon
        several digits may fit; the digit with the greyest shadow wins.
        """
        patch = corner[: DIGIT + 1, : DIGIT + 1]
        white = np.zeros((DIGIT + 1, DIGIT + 1), np.bool_)
        grey = white.copy()
        there = (slice(patch.shape[0]), slice(patch.shape[1]))
        white[there] = (patch >= 255 - _NEAR).all(axis=2)
        grey[there] = (np.abs(patch.astype(int) - SHADOW) <= _NEAR).all(axis=2)
        greys = [float(grey[mask].mean()) for mask in self.shadow]
        fits = [
            (greys[digit], int(self.ink[digit].sum()), digit)
            for digit in range(10)
            if white[self.ink[digit]].all() and greys[digit] >= 0.5
        ]
        return max(fits)[2] if fits else None
