"""Invariants of every tick of random play: finite numbers, a body outside of blocks, right sums.

The distance field and the light, repaired step by step, equal a full rebuild.
"""

from dataclasses import fields

import numpy as np
import pytest

from optimus_gym.game.items import item, item_names
from optimus_gym.worlds.voxel import start
from optimus_gym.worlds.voxel.bodies.posture import player_height
from optimus_gym.worlds.voxel.compiling.kernels import kernel
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.field import FIELD_BITS
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.snapshot import read, take
from optimus_gym.worlds.voxel.state.worlds import (
    BLOCK_MASK,
    CHUNK,
    DERIVED,
    LIT,
    NO_CHUNK,
    POCKETS,
    TRIMMED,
    UNLIT,
    Worlds,
)
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.wandering import Wanderers

ITEMS = [item(name) for name in item_names()[1:]]
STACKS = np.array([0, *(entry.stack_size for entry in ITEMS)])
DURABILITY = np.array([0, *(entry.max_durability for entry in ITEMS)])
STATE = [name for name in (f.name for f in fields(Worlds)) if name not in DERIVED]
SLACK = 1e-6
"""Tolerance in blocks for sums of steps."""


@kernel
def is_in_a_block(worlds, i):
    """Return whether a player's box overlaps a solid block, by a look at every cell near the player."""
    p = worlds.players[i]
    feet, head = p.y + SLACK, p.y + player_height(worlds, i) - SLACK
    for x in range(int(np.floor(p.x)) - 1, int(np.floor(p.x)) + 2):
        for z in range(int(np.floor(p.z)) - 1, int(np.floor(p.z)) + 2):
            if p.x + 0.3 - SLACK <= x or p.x - 0.3 + SLACK >= x + 1:
                continue
            if p.z + 0.3 - SLACK <= z or p.z - 0.3 + SLACK >= z + 1:
                continue
            for y in range(int(np.floor(feet)) - 1, int(np.floor(head)) + 1):
                top = y + COLLISION_HEIGHTS[block_at(worlds, i, x, y, z) & BLOCK_MASK]
                if top > y and top > feet and y < head:
                    return True
    return False


def assert_finite(worlds: Worlds) -> None:
    for name in STATE:
        array = getattr(worlds, name)
        for part, kind in array.dtype.fields.items() if array.dtype.names else ():
            if kind[0].kind == "f":
                assert np.isfinite(array[part]).all(), f"{name}.{part}"


def assert_within_bounds(worlds: Worlds) -> None:
    players = worlds.players
    for part, most in (("health", 20), ("food", 20), ("saturation", 20), ("air", 300)):
        assert ((players[part] >= min(0, -20 * (part == "air"))) & (players[part] <= most)).all(), (
            part
        )
    assert ((players["yaw"] >= 0) & (players["yaw"] < 360) & (abs(players["pitch"]) <= 90)).all()
    assert ((players["dig_progress"] >= 0) & (players["dig_progress"] < 1)).all()
    for stacks in (worlds.slots, worlds.drops):
        assert ((stacks["item"] == 0) == (stacks["count"] == 0)).all()
        assert (stacks["count"] <= STACKS[stacks["item"]]).all()
        worn = stacks["damage"] > 0
        assert (stacks["damage"][worn] < DURABILITY[stacks["item"][worn]]).all()
    for row in range(len(players)):
        read(take(worlds, row))  # what can be saved can be restored


def assert_outside_of_blocks(worlds: Worlds) -> None:
    for row in range(len(worlds.players)):
        if is_in_a_block(worlds, row):
            player = worlds.players[row]
            place = player[["seed", "tick", "x", "y", "z", "sneaking"]]
            raise AssertionError(f"the player of world {row} is in a block: {place}")


def assert_equals_a_rebuild(worlds: Worlds, row: int, view_distance: int) -> None:
    """Compare field and light after mending with a full rebuild for the same blocks.

    A view straight down covers all directions, so that the rebuild covers all chunks in view.
    """
    pitch = worlds.players["pitch"][row]
    worlds.players["pitch"][row] = 90
    ensure_view(worlds, row, view_distance)
    rebuilt = Worlds(*(array[row : row + 1].copy() for array in worlds.arrays().values()))
    rebuilt.field[:] = 0
    rebuilt.fresh[:], rebuilt.waiting[:] = 0, 0
    rebuilt.lit[:], rebuilt.unlit[:], rebuilt.light_waiting[:] = UNLIT, 1, 0
    ensure_view(rebuilt, 0, view_distance)
    worlds.players["pitch"][row] = pitch
    loaded = worlds.chunks[row] != NO_CHUNK
    for flags, good, bits in ((("fresh"), 1, FIELD_BITS), (("lit"), LIT, ~FIELD_BITS)):
        known = loaded & (getattr(rebuilt, flags)[0] == good)
        assert known.any()
        assert (getattr(worlds, flags)[row][known] == good).all()
        cells = np.repeat(np.repeat(known, CHUNK, 0), CHUNK, 1)
        mended, made = worlds.field[row][cells] & bits, rebuilt.field[0][cells] & bits
        assert (mended == made).all(), f"{flags}: {(mended != made).sum()} cells differ"


def play(count: int, ticks: int, seed: int, sample: int, view_distance: int = 64) -> None:
    """Play `count` worlds for some ticks each and check every invariant."""
    crowd = Wanderers(count, seed, view_distance)
    for tick in range(ticks):
        crowd.tick()
        assert_outside_of_blocks(crowd.worlds)
        if tick % 10 == 0:
            assert_finite(crowd.worlds)
            assert_within_bounds(crowd.worlds)
        if tick % sample == 0:
            assert_equals_a_rebuild(crowd.worlds, tick // sample % count, view_distance)


def test_random_play_keeps_the_invariants():
    play(count=5, ticks=1500, seed=1, sample=100)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_million_ticks_of_random_play_keep_the_invariants(seed):
    play(count=20, ticks=5000, seed=seed, sample=50)


def test_frames_change_no_state():
    """The same play, once drawn now and then in two view distances and once never drawn."""
    crowds = [Wanderers(3, 1, view) for view in (64, 32, 16)]
    image = np.zeros((16, 16, 3), np.uint8)
    for tick in range(400):
        for crowd in crowds:
            crowd.tick()
        for crowd in crowds[:2]:
            if tick % 7 == 0:
                crowd.world.frames([tick // 7 % 3], image[None])
    for name in STATE:
        for row in range(3):
            used = None
            if name in TRIMMED:
                table, counter = TRIMMED[name]
                used = getattr(crowds[0].worlds, table)[counter][row]
            arrays = [np.atleast_1d(getattr(crowd.worlds, name)[row]) for crowd in crowds]
            parts = {array[:used].tobytes() for array in arrays}
            assert len(parts) == 1, name


def test_the_checks_notice_broken_invariants():
    crowd = Wanderers(1, 1)
    crowd.tick()
    assert len(crowd.worlds.slots[0]) > POCKETS
    assert not is_in_a_block(crowd.worlds, 0)
    crowd.worlds.players["y"][0] = 5
    assert is_in_a_block(crowd.worlds, 0)
    crowd.worlds.players["vx"][0] = np.nan
    with pytest.raises(AssertionError, match=r"players\.vx"):
        assert_finite(crowd.worlds)


def test_revisited_land_equals_a_rebuild():
    """The window's far side takes the places of chunks behind, whose neighbours stay."""
    worlds = VoxelWorld(1).worlds
    start.begin(worlds, 0, np.uint64(5), -1, None, start.stacks_of({}))
    x = float(worlds.players["x"][0])
    for blocks in (0, 16, 32, 16, 0):
        worlds.players["x"][0] = x + blocks
        assert_equals_a_rebuild(worlds, 0, 64)
