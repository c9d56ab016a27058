"""The distance field: its meaning, and that a repair equals a full rebuild."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.land.chunks import chunk_key, is_loaded
from optimus_gym.worlds.voxel.land.field import build_field, repair_field
from optimus_gym.worlds.voxel.land.field_codes import HEIGHTS, SIDES
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, NO_CHUNK, Worlds, make_worlds

SEED = 3
SNOW, STONE = block("snow").id, block("stone").id


def scattered(view: int, cx0: int, cz0: int, chunks: int, missing: int = 0) -> Worlds:
    """Return a world of single blocks in the air over rough ground; the last chunks not loaded."""
    worlds = make_worlds(1, view)
    random = np.random.default_rng(SEED)
    voxels = worlds.voxels[0]
    voxels[:] = random.random(voxels.shape) < 0.004
    voxels[:, :, :30] = random.random((*voxels.shape[:2], 30)) < 0.7
    voxels[random.random(voxels.shape) < 0.01] = SNOW
    worlds.field[0] = np.uint32(0xAB000000)
    side = worlds.chunks.shape[1]
    for number in range(chunks * chunks - missing):
        cx, cz = cx0 + number // chunks, cz0 + number % chunks
        worlds.chunks[0, cx % side, cz % side] = chunk_key(cx, cz)
    return worlds


def by_definition(worlds: Worlds, x: int, y: int, z: int, octant: int) -> int:
    """Return the code of the last empty box, found by looking at every cell."""
    width = worlds.voxels.shape[1]
    sx, sy, sz = (1 if octant >> axis & 1 else -1 for axis in range(3))

    def empty(i: int, j: int, k: int) -> bool:
        cx, cy, cz = x + sx * i, y + sy * j, z + sz * k
        if not is_loaded(worlds, 0, cx // CHUNK, cz // CHUNK) or cy < 0:
            return False
        return cy >= HEIGHT or worlds.voxels[0, cx % width, cz % width, cy] == 0

    if worlds.voxels[0, x % width, z % width, y] == SNOW:
        return 1 if sy < 0 else 0
    for code in range(7, 0, -1):
        side, height = SIDES[code], HEIGHTS[code]
        if all(empty(i, j, k) for i in range(side) for j in range(height) for k in range(side)):
            return code
    return 0


def read(worlds: Worlds, x: int, y: int, z: int, octant: int) -> int:
    width = worlds.field.shape[1]
    return int(worlds.field[0, x % width, z % width, y] >> np.uint32(3 * octant)) & 7


def test_the_field_holds_the_code_of_the_last_empty_box() -> None:
    worlds = scattered(32, -3, 1, 5, missing=3)
    build_field(worlds, 0, -3 * CHUNK, 2 * CHUNK, CHUNK, 6 * CHUNK)
    random = np.random.default_rng(1)
    for _ in range(1500):
        x, z = int(random.integers(-48, 32)), int(random.integers(16, 96))
        y, octant = (
            int(random.choice([0, 1, 29, 30, 60, 63, 64, 65, 100, 126, 127])),
            random.integers(8),
        )
        if is_loaded(worlds, 0, x // CHUNK, z // CHUNK):
            assert read(worlds, x, y, z, int(octant)) == by_definition(worlds, x, y, z, int(octant))


def test_building_keeps_higher_bits_and_unloaded_columns() -> None:
    worlds = scattered(32, 0, 0, 5, missing=1)
    build_field(worlds, 0, 0, 5 * CHUNK, 0, 5 * CHUNK)
    assert (worlds.field >> np.uint32(24) == 0xAB).all()
    width = worlds.field.shape[1]
    assert width >= 5 * CHUNK
    assert (worlds.field[0, 64:80, 64:80] == 0xAB000000).all()


def test_a_field_built_in_parts_equals_the_whole() -> None:
    worlds = scattered(32, -2, -2, 5)
    build_field(worlds, 0, -32, 48, -32, 48)
    whole = worlds.field.copy()
    worlds.field[:] = np.uint32(0xAB000000)
    for x in range(-32, 48, 20):
        for z in range(-32, 48, 40):
            build_field(worlds, 0, x, x + 20, z, z + 40)
    assert (worlds.field == whole).all()


SEAM = scattered(32, -2, 4, 5, missing=2)
build_field(SEAM, 0, -32, 48, 64, 144)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.one_of(st.integers(-32, 47), st.sampled_from([-32, -17, -16, -1, 0, 15, 16, 47])),
            st.one_of(st.integers(0, 127), st.sampled_from([0, 5, 6, 63, 64, 121, 122, 127])),
            st.one_of(st.integers(64, 143), st.sampled_from([64, 79, 80, 95, 96, 112, 143])),
            st.sampled_from([0, 1, SNOW]),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_repair_equals_a_full_rebuild(edits: list[tuple[int, int, int, int]]) -> None:
    width = SEAM.voxels.shape[1]
    for x, y, z, voxel in edits:
        if is_loaded(SEAM, 0, x // CHUNK, z // CHUNK):
            SEAM.voxels[0, x % width, z % width, y] = voxel
            repair_field(SEAM, 0, x, y, z)
    repaired: NDArray[np.uint32] = SEAM.field.copy()
    build_field(SEAM, 0, -32, 48, 64, 144)
    assert (repaired == SEAM.field).all()


@pytest.mark.parametrize(("before", "after"), list(permutations((0, SNOW, STONE), 2)))
def test_a_change_between_any_two_blocks_is_repaired(before: int, after: int) -> None:
    worlds = scattered(16, 0, 0, 4)
    cell = (31, 60, 17)
    worlds.voxels[0, 31, 17, 60] = before
    build_field(worlds, 0, 0, 64, 0, 64)
    set_block(worlds, 0, *cell, after)
    for repair in worlds.repairs[0, : worlds.waiting[0]]:
        repair_field(worlds, 0, *(int(place) for place in repair))
    repaired = worlds.field.copy()
    build_field(worlds, 0, 0, 64, 0, 64)
    assert (repaired == worlds.field).all()


def test_the_field_treats_a_missing_chunk_as_solid() -> None:
    worlds = make_worlds(1, 32)
    worlds.chunks[0, 0, 0] = chunk_key(0, 0)
    assert worlds.chunks[0, 1, 0] == NO_CHUNK
    build_field(worlds, 0, 0, 16, 0, 16)
    assert read(worlds, 15, 60, 8, 0b111) == 1
    assert SIDES[read(worlds, 12, 60, 8, 0b111)] == 4
    assert SIDES[read(worlds, 8, 60, 8, 0b111)] == 7
