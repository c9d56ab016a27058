"""Frames as the observation has them, for agents: drawn for all rows at once, and each only once a tick."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.situation import PICTURE_SIZE, Picture
from optimus_gym.core.squeezing import squeezed
from optimus_gym.envs.runtime import Runtime

Frame = NDArray[np.uint8]
TOGETHER = 16
"""Whole screens that are held at once while they are squeezed: 11 MB."""


class Glances:
    """Draws frames of the observation's size, each of them once a tick.

    Args:
        runtime: the worlds.
        size: width and height, pixels.
        squeezes: whether they are squeezed from the whole screen, instead of drawn at their size.
    """

    def __init__(self, runtime: Runtime, size: tuple[int, int], squeezes: bool = False) -> None:
        self._runtime = runtime
        self._size = size
        self._squeezes = squeezes
        self._kept: dict[int, tuple[int, Frame]] = {}
        """By row, the latest frame that an agent asked for, and its moment."""

    def pictures(self, rows: Sequence[int]) -> list[Picture | None]:
        """Return the present pictures of `rows`; the first that is looked at has the others drawn too.

        They are None in a world without pictures, and where the world has failed.
        """
        if "pictures" not in self._runtime.can:
            return [None] * len(rows)
        moments = self._runtime.moments
        group = {row: int(moments[row]) for row in rows if not self._is_broken(row)}
        return [
            Picture(partial(self._drawn, row, group), partial(self._is_moment, row, group[row]))
            if row in group
            else None
            for row in rows
        ]

    def _is_broken(self, row: int) -> bool:
        return self._runtime.episode(row).status == "world_failed"

    def fill(self, rows: Sequence[int], images: Frame) -> None:
        """Fill `images` (uint8[n, H, W, 3], C-contiguous) with the present frames of `rows`."""
        seen = [k for k, row in enumerate(rows) if self._is_kept(row)]
        if not seen:
            self._draw(rows, images)
            return
        for k in seen:
            images[k] = self._kept[rows[k]][1]
        others = [k for k in range(len(rows)) if k not in set(seen)]
        if others:
            drawn = np.empty((len(others), *images.shape[1:]), np.uint8)
            self._draw([rows[k] for k in others], drawn)
            images[others] = drawn

    def _drawn(self, row: int, group: dict[int, int]) -> Frame:
        """Return the present frame of a row; draws all of its group whose moment it still is."""
        if not self._is_kept(row):
            wanted = [
                one
                for one, moment in group.items()
                if self._is_moment(one, moment) and not self._is_kept(one)
            ]
            images = np.empty((len(wanted), *self._size[::-1], 3), np.uint8)
            self._draw(wanted, images)
            for one, image in zip(wanted, images, strict=True):
                self._kept[one] = (group[one], image.copy())
        return self._kept[row][1]

    def _draw(self, rows: Sequence[int], images: Frame) -> None:
        if not self._squeezes:
            if len(rows):
                self._runtime.world.frames(np.array(rows, np.int64), images)
            return
        for first in range(0, len(rows), TOGETHER):
            some = np.array(rows[first : first + TOGETHER], np.int64)
            screens = np.empty((len(some), *PICTURE_SIZE[::-1], 3), np.uint8)
            self._runtime.world.frames(some, screens)
            images[first : first + TOGETHER] = squeezed(screens, self._size)

    def _is_kept(self, row: int) -> bool:
        return row in self._kept and self._is_moment(row, self._kept[row][0])

    def _is_moment(self, row: int, moment: int) -> bool:
        return bool(self._runtime.moments[row] == moment)
