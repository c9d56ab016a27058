"""Getting lower: straight down if the floor may be dug away, else by the cheapest way around."""

from collections.abc import Iterator
from heapq import heappop, heappush

from optimus_gym.controllers.body import Body, Cell
from optimus_gym.controllers.hands import Hands
from optimus_gym.controllers.helper.clearing import dig_cell, is_dangerous, is_in_the_way
from optimus_gym.controllers.helper.climbing import dig_down
from optimus_gym.controllers.helper.steering import (
    LEVEL_SIDES,
    feet_of,
    step_to,
    stop_in_cell,
)
from optimus_gym.controllers.script import Steps
from optimus_gym.game.tools import breaking_ticks, fastest_tool
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.tables.properties import FLUIDS

_FALL = 3
"""Greatest fall in blocks without harm; each further block costs a half-heart (Minecraft Wiki, "Damage")."""
_SOUND = 14.0
"""Health (half-hearts) that a fall must leave to the player, if the fall does harm (our choice)."""
_HURT_TICKS = 20
"""Ticks of a detour that a half-heart is worth (our choice)."""
_FALL_TICKS = 30
"""Maximum ticks that the script waits for the body to fall through a floor just dug away."""
_WALK = 20
"""Estimated ticks of a step aside, with the turns there and down again."""
_CLIMB = 24
"""Estimated ticks of a step up, with the turns."""
_DIG_PAUSE = 5
"""Ticks of the pause before digging a block (Minecraft Wiki, "Breaking")."""
_AHEAD = 8
"""Blocks that a search of a way down looks further down."""
_LEVEL_TICKS = 15
"""Estimated ticks to get one block lower on a good way; guides the search."""
_MOST_CELLS = 600
"""Maximum number of cells that a search of a way down looks at."""
_RING = 1
"""Chunks around the player's chunk that a search of a way down may read."""


def get_lower(hands: Hands, floor: int) -> Steps:
    """Come to stand lower than now: dig straight down, or go around caves, water and lava.

    Args:
        hands: the player.
        floor: height of the feet that is low enough.

    Returns:
        Whether the body stands lower; False also if no way down is known.
    """
    if not isinstance(hands, Body):
        done = yield from dig_down(hands, 1)
        return done
    yield from stop_in_cell(hands)
    ways, before = Ways(hands, floor), feet_of(hands)
    below = ways.straight_down(before)
    way = [] if below is None or before[1] - below[1] > _FALL else [below]
    for cell in way or ways.down_from(before):
        height = feet_of(hands)[1]
        if not (yield from _go(hands, cell)) or height - cell[1] > _FALL:
            break
    return feet_of(hands)[1] < before[1]


def _go(body: Body, end: Cell) -> Steps:
    """Make a move of `Ways`: dig what stands in the way, and go; return whether the body came there."""
    start = feet_of(body)
    yield from stop_in_cell(body)
    for cell in cells_dug(start, end):
        if not (yield from dig_cell(body, cell)):
            return False
    side = end[0] - start[0], end[2] - start[2]
    if side != (0, 0):
        yield from step_to(body, side, jumps=end[1] > start[1])
        return feet_of(body) == end
    for _ in range(_FALL_TICKS):
        if body.player["on_ground"] and feet_of(body)[1] < start[1]:
            return True
        yield body.fresh()
    return False


def cells_dug(start: Cell, end: Cell) -> tuple[Cell, ...]:
    """Return the cells that must be free for a move of `Ways`, in the order to dig them."""
    (x, y, z), (ex, ey, ez) = start, end
    if (x, z) == (ex, ez):
        return ((x, y - 1, z),)
    if ey > y:
        return (x, y + 2, z), (ex, y + 2, ez), (ex, y + 1, ez)
    return (ex, y + 1, ez), (ex, y, ez)


class Ways:
    """A player's ways to lower cells, with the blocks and tools of the present tick.

    A move leads straight down through the floor, or to one of four neighbouring columns: one block up, on
    the level, or off an edge. No move opens a cell next to lava or water, enters either, ends below `floor`,
    or falls so far that less health than `_SOUND` is left.

    Args:
        body: the player.
        floor: height of the feet that is low enough.
    """

    def __init__(self, body: Body, floor: int) -> None:
        self._body = body
        self._floor = floor
        self._tools = body.tools()
        self._ticks: dict[str, int | None] = {}
        self._deepest = _FALL + max(int(body.vitals()[0] - _SOUND), 0)
        player = body.player
        ensure_area(body.worlds, body.row, float(player["x"]), float(player["z"]), _RING)

    def straight_down(self, feet: Cell) -> Cell | None:
        """Return the cell that the body falls to if its floor is dug away; None if that is not safe."""
        x, y, z = feet
        end = self._landing((x, y - 1, z))
        return None if end is None or self._digging(cells_dug(feet, end)) is None else end

    def down_from(self, feet: Cell) -> list[Cell]:
        """Return the cells of a cheap way down from `feet`, without `feet`; empty if no way leads lower.

        The way ends at the floor, or `_AHEAD` blocks lower than `feet`, or at the lowest cell found.
        """
        enough = max(self._floor, feet[1] - _AHEAD)
        spent, came, lowest = {feet: 0}, {feet: feet}, feet
        heap, looked = [(0, feet)], set[Cell]()
        while heap and len(looked) < _MOST_CELLS:
            cell = heappop(heap)[1]
            if cell in looked:
                continue
            looked.add(cell)
            lowest = min(lowest, cell, key=lambda one: one[1])
            if cell[1] <= enough:
                break
            for end, cost in self._moves(cell):
                ticks = spent[cell] + cost
                if ticks < spent.get(end, ticks + 1):
                    spent[end], came[end] = ticks, cell
                    heappush(heap, (ticks + max(end[1] - enough, 0) * _LEVEL_TICKS, end))
        return _traced(came, lowest)

    def _moves(self, feet: Cell) -> Iterator[tuple[Cell, int]]:
        """Yield the moves from a cell: the cell that each leads to, and its estimated ticks."""
        x, y, z = feet
        ends = [(self.straight_down(feet), 0)]
        for dx, dz in LEVEL_SIDES:
            side = x + dx, y, z + dz
            ends.append((self._landing(side), _WALK))
            if is_in_the_way(self._body, side):
                ends.append(((x + dx, y + 1, z + dz), _CLIMB))
        for end, cost in ends:
            digging = None if end is None else self._digging(cells_dug(feet, end))
            if end is not None and digging is not None and not self._harms(end):
                hurt = max(y - end[1] - _FALL, 0)
                yield end, cost + digging + hurt * _HURT_TICKS

    def _landing(self, cell: Cell) -> Cell | None:
        """Return where a body that enters a cell comes to stand; None if it falls too far, or into harm."""
        x, y, z = cell
        for feet in range(y, max(y - self._deepest, self._floor) - 1, -1):
            if feet < y and self._harms((x, feet, z)):
                return None
            if is_in_the_way(self._body, (x, feet - 1, z)):
                return None if self._harms((x, feet, z)) else (x, feet, z)
        return None

    def _harms(self, cell: Cell) -> bool:
        """Return whether a cell holds a fluid, or lies next to lava or fire."""
        return bool(FLUIDS[self._body.block(*cell)]) or is_dangerous(self._body, (cell,))

    def _digging(self, cells: tuple[Cell, ...]) -> int | None:
        """Return the estimated ticks to free cells; None if that cannot be done, or lets a fluid in."""
        total = 0
        for cell in cells:
            if not is_in_the_way(self._body, cell):
                if self._harms(cell):
                    return None
                continue
            ticks = self._breaking(self._body.block_name(*cell))
            if ticks is None or is_dangerous(self._body, (cell,)) or self._is_wet(cell):
                return None
            total += ticks + _DIG_PAUSE
        return total

    def _breaking(self, name: str) -> int | None:
        """Return the ticks to dig a block with the best tool held; None if it cannot be dug."""
        if name not in self._ticks:
            self._ticks[name] = breaking_ticks(name, fastest_tool(name, self._tools))
        return self._ticks[name]

    def _is_wet(self, cell: Cell) -> bool:
        """Return whether water would flow into a cell that is dug away."""
        x, y, z = cell
        around = [(x, y + 1, z), *((x + dx, y, z + dz) for dx, dz in LEVEL_SIDES)]
        return any(FLUIDS[self._body.block(*one)] for one in around)


def _traced(came: dict[Cell, Cell], cell: Cell) -> list[Cell]:
    """Return the cells that lead to a cell, in order, without the first."""
    way = []
    while came[cell] != cell:
        way.append(cell)
        cell = came[cell]
    return way[::-1]
