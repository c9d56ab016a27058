"""Which box of blocks to ask the world for next: what is near and may have changed, then unseen land."""

from collections.abc import Iterable

import numpy as np

from optimus_gym.controllers.body import Cell
from optimus_gym.controllers.wire_sighted.mirror import LAND_RADIUS, SECTIONS, Mirror, Section
from optimus_gym.core.world_powers import FARTHEST_ASKED, Reach
from optimus_gym.worlds.voxel.state.worlds import CHUNK

NEAR_BOX: Reach = (-7, 7, -4, 5, -7, 7)
"""Box around the player's block in which the player digs, places blocks and meets monsters: 2,250 blocks."""
WATCH_BOX: Reach = (-10, 10, -3, 4, -10, 10)
"""Box around the player's block in which the player fights or hunts: 3,528 blocks."""
_AT_ONCE = 2
"""Ticks after which the box `WATCH_BOX` is asked for again."""
_OFTEN = 10
"""Ticks after which the near box is asked for again while the player moves or digs."""
_SELDOM = 40
"""Ticks after which the near box is asked for again at the latest."""
_STEP = 2
"""Blocks that the player moves before the near box is asked for often."""
_DOWN = 6
"""Depth in blocks of the land below the feet that a walk needs."""
_UP = 10
"""Height in blocks of the land above the feet that a walk needs."""


class Asker:
    """Chooses the boxes to ask one world for, one a tick at most.

    Args:
        mirror: what the world has told.
        row: the world's number.

    Attributes:
        urgent: whether blocks near the player may have changed in the next tick.
        watches: whether the player must know where creatures near by are.
    """

    def __init__(self, mirror: Mirror, row: int) -> None:
        self._mirror = mirror
        self._row = row
        self._wanted: list[Section] = []
        self._again = False
        self._asked_at = -_SELDOM
        self._asked_from: Cell = (0, 0, 0)
        self.urgent = True
        self.watches = False

    def survey(self, sections: Iterable[Section], again: bool = False) -> None:
        """Ask for sections in the next ticks, in their order, in place of those of an earlier survey.

        Args:
            sections: the sections; those that the world has told are left out.
            again: whether to ask even for sections that the world has told, because creatures move.
        """
        self._again = again
        self._wanted = [one for one in sections if self._is_wanted(one)]

    def _is_wanted(self, section: Section) -> bool:
        return self._again or not self._mirror.is_told(self._row, section)

    def is_busy(self) -> bool:
        """Return whether a box of the survey or the near box is still to be asked for."""
        return bool(self._wanted) or self.urgent

    def next_box(self, feet: Cell, tick: int, active: bool) -> Reach | None:
        """Return the box to ask for before a tick, None if nothing needs asking.

        Args:
            feet: the player's block.
            tick: number of the tick.
            active: whether the player digs or places a block in this tick.
        """
        waited = tick - self._asked_at
        moved = max(abs(a - b) for a, b in zip(feet, self._asked_from, strict=True))
        due = waited >= _SELDOM or (waited >= _OFTEN and (active or moved >= _STEP))
        due = due or (self.watches and waited >= _AT_ONCE)
        if self.urgent or due:
            self._asked_at, self._asked_from, self.urgent = tick, feet, False
            return WATCH_BOX if self.watches else NEAR_BOX
        while self._wanted:
            section = self._wanted.pop(0)
            box = box_of_section(section, feet) if self._is_wanted(section) else None
            if box is not None:
                return box
        return None


def box_of_section(section: Section, feet: Cell) -> Reach | None:
    """Return the box around a section, relative to the feet; None if a player there may not ask for it.

    The box is a block wider than the section on each side, as the player may move in the tick of the answer.
    """
    sides: list[int] = []
    for corner, at in zip(section, feet, strict=True):
        low, high = corner * CHUNK - 1 - at, (corner + 1) * CHUNK - at
        low, high = max(low, -FARTHEST_ASKED), min(high, FARTHEST_ASKED)
        if low > high:
            return None
        sides += [low, high]
    return sides[0], sides[1], sides[2], sides[3], sides[4], sides[5]


def sections_around(feet: Cell, radius: int, down: int = _DOWN, up: int = _UP) -> list[Section]:
    """Return the sections within `radius` chunks of the feet, the nearest first.

    Args:
        feet: the player's block.
        radius: distance in chunks, at most `LAND_RADIUS`.
        down: depth in blocks below the feet of the lowest sections.
        up: height in blocks above the feet of the highest sections.
    """
    x, y, z = feet
    cx, cz = x >> 4, z >> 4
    lowest, highest = max(0, (y - down) >> 4), min(SECTIONS - 1, (y + up) >> 4)
    radius = min(radius, LAND_RADIUS)
    found = [
        (kx, ky, kz)
        for kx in range(cx - radius, cx + radius + 1)
        for kz in range(cz - radius, cz + radius + 1)
        for ky in range(lowest, highest + 1)
    ]
    half = CHUNK / 2

    def far(one: Section) -> float:
        middle = np.array(one) * CHUNK + half
        return float(np.abs(middle - np.array(feet)).max())

    return sorted(found, key=lambda one: (far(one), one))
