"""Remembers where a player has seen or placed stations: the game tells no stations in reach."""

from collections.abc import Sequence
from functools import cache
from math import cos, dist, floor, radians, sin
from typing import Final

import numpy as np

from optimus_gym.core.types import Event
from optimus_gym.core.world_powers import UNKNOWN_BLOCK, Surroundings
from optimus_gym.game.blocks import block_names
from optimus_gym.game.makings import BENCHES
from optimus_gym.game.smelting import OVENS

STATIONS_KNOWN: Final = ("crafting_table", *(oven.name for oven in OVENS), *BENCHES[1:])
"""Names of the blocks that crafting and smelting need near the player."""
REACHED: Final = 4.5
"""Distance from the eye at which a player reaches blocks; Minecraft Wiki, "Breaking"."""
_EYE: Final = 1.62
_GUESS: Final = 2.5
"""Distance from the eye, along the view, at which a placed block is supposed until a report tells."""
_Cell = tuple[int, int, int]


class StationMemory:
    """The stations of one episode by their cell, as far as they are known.

    Blocks near the player that the game reports are known for certain. A placed station is supposed before
    the player until then, and a mined one is forgotten; `is_unsure` asks for a report.
    """

    def __init__(self) -> None:
        self._cells: dict[_Cell, str] = {}
        self.is_unsure = False

    def note_blocks(self, told: Surroundings) -> None:
        """Replace what is known within a box by what was reported there."""
        shape = told.blocks.shape
        for cell in list(self._cells):
            place = tuple(axis - low for axis, low in zip(cell, told.corner, strict=True))
            inside = all(0 <= axis < length for axis, length in zip(place, shape, strict=True))
            if inside and told.blocks[place] != UNKNOWN_BLOCK:
                del self._cells[cell]
        ids = _station_ids()
        for x, y, z in np.argwhere(np.isin(told.blocks, list(ids))).tolist():
            low = told.corner
            self._cells[x + low[0], y + low[1], z + low[2]] = ids[int(told.blocks[x, y, z])]
        self.is_unsure = False

    def note_events(self, events: Sequence[Event], pose: Sequence[float]) -> None:
        """Suppose stations that were placed before the player; forget the nearest ones that were mined."""
        for event in events:
            if event.subject not in STATIONS_KNOWN:
                continue
            if event.kind == "used":
                self._cells[_before(pose)] = event.subject
                self.is_unsure = True
            elif event.kind == "mined":
                same = [cell for cell, name in self._cells.items() if name == event.subject]
                if same:
                    del self._cells[min(same, key=lambda cell: _distance(pose, cell))]
                self.is_unsure = True

    def in_reach(self, pose: Sequence[float]) -> tuple[str, ...]:
        """Return the names of the known stations in reach of a player with a pose (x, y, z, ...)."""
        near = {name for cell, name in self._cells.items() if _distance(pose, cell) <= REACHED}
        return tuple(name for name in STATIONS_KNOWN if name in near)


def _eye(pose: Sequence[float]) -> tuple[float, float, float]:
    return pose[0], pose[1] + _EYE, pose[2]


def _distance(pose: Sequence[float], cell: _Cell) -> float:
    """Return the distance from the eye to the nearest point of a cell."""
    eye = _eye(pose)
    nearest = [min(max(at, low), low + 1) for at, low in zip(eye, cell, strict=True)]
    return dist(eye, nearest)


def _before(pose: Sequence[float]) -> _Cell:
    """Return the cell some blocks before a player's eye."""
    x, y, z = _eye(pose)
    yaw, pitch = radians(pose[3]), radians(pose[4])
    level = _GUESS * cos(pitch)
    return (
        floor(x - level * sin(yaw)),
        floor(y - _GUESS * sin(pitch)),
        floor(z + level * cos(yaw)),
    )


@cache
def _station_ids() -> dict[int, str]:
    names = block_names()
    return {names.index(name): name for name in STATIONS_KNOWN}
