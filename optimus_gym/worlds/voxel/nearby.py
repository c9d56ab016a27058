"""A player's surroundings: blocks and creatures of a box, biome, weather and light."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.world_powers import Conditions, NearbyCreature, Reach, Surroundings
from optimus_gym.game.blocks import block
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.creatures.living_land import LOADED_CHUNKS
from optimus_gym.worlds.voxel.land.clock import darkness, daylight, sun_brightness
from optimus_gym.worlds.voxel.land.light import BRIGHTEST, light_at, light_rows
from optimus_gym.worlds.voxel.land.precipitation import is_raining
from optimus_gym.worlds.voxel.land.surroundings import NEAR_CHUNKS
from optimus_gym.worlds.voxel.land.window import ensure_area, load_wanted
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK, CHUNK, HEIGHT, Worlds

_ONE_CHUNK = np.ones((1, 1), np.bool_)
_Cell = tuple[int, int, int]


class Lookout:
    """The boxes that callers ask for, and what the tick after each question reported."""

    def __init__(self) -> None:
        self._asked: dict[int, Reach] = {}
        self._told: dict[int, Surroundings] = {}

    def ask(self, row: int, reach: Reach) -> None:
        """Let the next tick of world `row` report a box."""
        self._asked[row] = reach

    def answer(self, worlds: Worlds, rows: Iterable[int]) -> None:
        """Report the boxes asked for, after a tick of the worlds `rows`; forget their earlier reports."""
        if not self._asked and not self._told:
            return
        for row in rows:
            self._told.pop(int(row), None)
            reach = self._asked.pop(int(row), None)
            if reach is not None:
                self._told[int(row)] = surroundings_of(worlds, int(row), reach)

    def told(self, row: int) -> Surroundings | None:
        """Return the report of the latest tick of world `row`, or None."""
        return self._told.get(row)

    def forget(self, row: int) -> None:
        """Forget question and report of world `row`, which has another state."""
        self._asked.pop(row, None)
        self._told.pop(row, None)


def surroundings_of(worlds: Worlds, row: int, reach: Reach) -> Surroundings:
    """Return the blocks and creatures of a box relative to the player of world `row`.

    Land that is not loaded is made, which changes no state: loaded land is derived from the state.
    """
    here = _block_of(worlds.players[row])
    low = (here[0] + reach[0], here[1] + reach[2], here[2] + reach[4])
    high = (here[0] + reach[1], here[1] + reach[3], here[2] + reach[5])
    return Surroundings(
        low, _blocks_in(worlds, row, low, high), _creatures_in(worlds, row, low, high)
    )


def _block_of(body: Any) -> _Cell:
    """Return the cell that holds a body's feet."""
    return int(body["x"] // 1), int(body["y"] // 1), int(body["z"] // 1)


def _blocks_in(worlds: Worlds, row: int, low: _Cell, high: _Cell) -> NDArray[np.int32]:
    """Return the block ids of a box (int32[x, y, z]); above the land is air, below it the void."""
    blocks = np.zeros([b - a + 1 for a, b in zip(low, high, strict=True)], np.int32)
    blocks[:, : max(-low[1], 0)] = block("void_air").id
    width = worlds.voxels.shape[1]
    y0, y1 = max(low[1], 0), min(high[1] + 1, HEIGHT)
    if y0 >= y1:
        return blocks
    for cx in range(low[0] // CHUNK, high[0] // CHUNK + 1):
        x0, x1 = max(low[0], cx * CHUNK), min(high[0] + 1, (cx + 1) * CHUNK)
        for cz in range(low[2] // CHUNK, high[2] // CHUNK + 1):
            z0, z1 = max(low[2], cz * CHUNK), min(high[2] + 1, (cz + 1) * CHUNK)
            load_wanted(worlds, row, cx, cz, _ONE_CHUNK, False)
            x, z = x0 % width, z0 % width  # a chunk never lies across the window's end
            voxels = worlds.voxels[row, x : x + x1 - x0, z : z + z1 - z0, y0:y1] & BLOCK_MASK
            blocks[
                x0 - low[0] : x1 - low[0], y0 - low[1] : y1 - low[1], z0 - low[2] : z1 - low[2]
            ] = voxels.transpose(0, 2, 1)
    _load_land_of_tick(worlds, row)
    return blocks


def _load_land_of_tick(worlds: Worlds, row: int) -> None:
    """Load the land of the latest tick again: chunks of a wide box may have taken its place in the window."""
    player = worlds.players[row]
    near = LOADED_CHUNKS if worlds.rules["creatures"][row] else NEAR_CHUNKS
    ensure_area(worlds, row, player["middle_x"] * CHUNK, player["middle_z"] * CHUNK, near)
    light_rows(worlds, np.array([row], np.int64))


def _creatures_in(worlds: Worlds, row: int, low: _Cell, high: _Cell) -> tuple[NearbyCreature, ...]:
    """Return the living creatures whose feet are in a box, in the order of the world's table."""
    table = worlds.creatures[row, : worlds.fauna["creatures"][row]]
    inside = table["health"] > 0
    for axis, least, most in zip("xyz", low, high, strict=True):
        inside &= (table[axis] >= least) & (table[axis] < most + 1)
    names = tuple(creature_kinds())
    return tuple(
        NearbyCreature(
            names[int(one["kind"])], *(float(one[key]) for key in ("x", "y", "z", "health"))
        )
        for one in table[inside]
    )


def conditions_of(worlds: Worlds, row: int, biome: str) -> Conditions:
    """Return weather and light at the feet of the player of world `row`, who is in a biome."""
    player = worlds.players[row]
    ensure_area(worlds, row, player["x"], player["z"], NEAR_CHUNKS)
    light_rows(worlds, np.array([row], np.int64))
    sky, glow = light_at(worlds, row, *_block_of(player))
    return Conditions(
        biome=biome,
        sees_sky=sky == BRIGHTEST,
        rains=bool(is_raining(worlds, row)),
        light=max(int(glow), int(sky) - int(darkness(worlds, row)), 0),
        sky_light=float(daylight(worlds, row)),
        sun=float(sun_brightness(worlds, row)),
    )
