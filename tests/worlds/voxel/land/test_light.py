"""Light follows the rules after loads, changes and mends in any order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from optimus_gym.game.blocks import block, blocks
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.land.chunks import is_loaded
from optimus_gym.worlds.voxel.land.light import light_at, light_rows
from optimus_gym.worlds.voxel.land.window import put_chunk
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT, Worlds, make_worlds
from tests.worlds.flat import Flat

KINDS = (
    "air", "stone", "oak_leaves", "water", "ice", "glass", "torch", "lava", "glowstone",
    "magma_block", "brown_mushroom", "oak_slab", "farmland", "oak_stairs", "cobweb", "grass",
    "furnace",
)  # fmt: skip
BURNING = 1 << 10
GLOW, TAKEN = np.zeros(1024, np.int8), np.zeros(1024, np.int8)
for _name in KINDS:
    GLOW[block(_name).id], TAKEN[block(_name).id] = block(_name).light, block(_name).filters
TAKEN[block("oak_stairs").id] = 15
FLOOR = np.zeros(1024, np.bool_)
FLOOR[[block("oak_slab").id, block("farmland").id]] = True


def land(cx: int, cz: int) -> NDArray[np.uint16]:
    """Return a chunk of hills, roofs, pools, leaves and caves with lamps, the same every time."""
    random = np.random.default_rng([7, cx + 100, cz + 100])
    blocks = np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16)
    y = np.arange(HEIGHT)
    heights = 60 + random.integers(-6, 7) + random.integers(0, 3, (CHUNK, CHUNK))
    blocks[y < heights[..., None]] = block("stone").id
    for _ in range(12):
        x, z = random.integers(0, CHUNK, 2)
        low = random.integers(1, 70)
        room = blocks[x : x + 7, z : z + 7, low : low + random.integers(1, 9)]
        room[:] = block(str(random.choice(["air", "air", "air", "water", "oak_leaves"]))).id
    x, z = random.integers(0, CHUNK - 5, 2)
    blocks[x : x + 9, z : z + 5, 75] = block("stone").id
    blocks[x, z : z + 9, 66:69] = block("oak_leaves").id
    for name in ("torch", "lava", "magma_block", "oak_slab", "farmland", "glass"):
        spots = random.integers(0, (CHUNK, CHUNK, HEIGHT), (5, 3))
        blocks[tuple(spots.T)] = block(name).id
    return blocks


def spread(
    light: NDArray[np.int8], passable: NDArray[np.bool_], floor: NDArray[np.bool_], above: int
) -> NDArray[np.int8]:
    """Return light after its full spread, one level a step; all sides but the top are dark."""
    no_floor_above = np.pad(~floor[:, :, 1:], ((0, 0), (0, 0), (0, 1)), constant_values=True)
    passes = {(2, 0): ~floor, (2, 2): no_floor_above}
    padded = np.pad(light, 1)
    padded[:, :, -1] = above
    inner = padded[1:-1, 1:-1, 1:-1]
    most = np.where(passable, np.int8(15), light)
    for _ in range(15):
        for axis in range(3):
            for start in (0, 2):
                window = [slice(1, -1)] * 3
                window[axis] = slice(start, start + light.shape[axis])
                comes = padded[tuple(window)] - 1
                comes = np.where(passes.get((axis, start), True), comes, 0)
                np.maximum(inner, comes.astype(np.int8), out=inner)
                np.minimum(inner, most, out=inner)
    return inner


def by_the_rules(worlds: Worlds, x0: int, x1: int, z0: int, z1: int):
    """Return sky and block light of [x0, x1) x [z0, z1) in two arrays, and which columns are loaded."""
    width = worlds.voxels.shape[1]
    xs, zs = np.arange(x0, x1), np.arange(z0, z1)
    loaded = np.array([[is_loaded(worlds, 0, x >> 4, z >> 4) for z in zs] for x in xs])
    voxels = worlds.voxels[0][np.ix_(xs % width, zs % width)]
    taken, given = TAKEN[voxels & 1023], GLOW[voxels & 1023]
    given[voxels == (block("furnace").id | BURNING)] = 13
    floor = FLOOR[voxels & 1023]
    taken[~loaded] = 15
    given[~loaded] = 0
    clear = taken == 0
    clear[:, :, :-1] &= ~floor[:, :, 1:]
    clear_above = np.logical_and.accumulate(clear[:, :, ::-1], axis=2)[:, :, ::-1]
    sky = spread(15 * clear_above.astype(np.int8), taken < 15, floor, 15)
    return sky, spread(given, taken < 15, floor, 0), loaded


def assert_right(worlds: Worlds, x0: int, x1: int, z0: int, z1: int) -> None:
    mend(worlds)
    sky, glow, loaded = by_the_rules(worlds, x0, x1, z0, z1)
    width = worlds.field.shape[1]
    words = worlds.field[0][np.ix_(np.arange(x0, x1) % width, np.arange(z0, z1) % width)]
    assert np.array_equal((words >> 28)[loaded], sky[loaded])
    assert np.array_equal((words >> 24 & 15)[loaded], glow[loaded])
    assert (words & 0xFFFFFF == 0x123456).all()


def mend(worlds: Worlds) -> None:
    light_rows(worlds, np.zeros(1, np.int64))


def lit(worlds: Worlds, x: int, y: int, z: int) -> tuple[int, int]:
    """Return sky light and block light of a cell after all changes."""
    if worlds.unlit[0] or worlds.light_waiting[0]:
        mend(worlds)
    return light_at(worlds, 0, x, y, z)


def fresh_world() -> Worlds:
    worlds = make_worlds(1, 16, edits=100_000)
    worlds.field[:] = 0x123456
    return worlds


POSITION = st.tuples(
    st.one_of(st.integers(-24, 39), st.sampled_from([-17, -16, -1, 0, 15, 16])),
    st.one_of(st.integers(0, 127), st.integers(54, 78), st.sampled_from([0, 63, 64, 127])),
    st.one_of(st.integers(-24, 39), st.sampled_from([-1, 0, 15, 16, 31, 32])),
)
CHANGE = st.tuples(st.just("set"), POSITION, st.sampled_from([*KINDS, "air", "stone", "lit"]))
LOAD = st.tuples(st.just("load"), st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
MEND = st.tuples(st.just("mend"))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(CHANGE, CHANGE, LOAD, MEND), max_size=30))
def test_light_follows_the_rules_after_any_changes(steps) -> None:
    worlds = fresh_world()
    for cx in range(-1, 2):
        for cz in range(-1, 2):
            put_chunk(worlds, 0, cx, cz, land(cx, cz))
    for kind, *arguments in steps:
        if kind == "mend":
            mend(worlds)
        elif kind == "load":
            put_chunk(worlds, 0, *arguments[0], land(*arguments[0]))
        else:
            (x, y, z), name = arguments
            if is_loaded(worlds, 0, x >> 4, z >> 4):
                burning = block("furnace").id | BURNING
                set_block(worlds, 0, x, y, z, burning if name == "lit" else block(name).id)
    assert_right(worlds, -48, 64, -48, 64)


def test_light_follows_the_rules_after_many_changes_at_once() -> None:
    worlds = fresh_world()
    random = np.random.default_rng(5)
    for cx in range(-2, 3):
        for cz in range(-2, 3):
            put_chunk(worlds, 0, cx, cz, land(cx, cz))
    for count in (30, 64, 65, 400):
        mend(worlds)
        spread_over = 16 if count < 100 else 38
        for _ in range(count):
            x, z = random.integers(-spread_over, spread_over, 2)
            y = random.integers(0, HEIGHT)
            set_block(worlds, 0, x, y, z, block(str(random.choice(KINDS))).id)
        assert_right(worlds, -32, 48, -32, 48)


def test_a_hole_in_a_wide_roof_lets_a_column_of_light_fall() -> None:
    worlds = fresh_world()
    chunk = np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16)
    chunk[:, :, 0] = block("bedrock").id
    chunk[:, :, 100] = block("stone").id
    for cx in range(-2, 3):
        for cz in range(-2, 3):
            put_chunk(worlds, 0, cx, cz, chunk)
    assert lit(worlds, 8, 50, 8) == (0, 0)
    set_block(worlds, 0, 8, 100, 8, 0)
    assert [lit(worlds, 8, y, 8) for y in (101, 99, 1, 0)] == [(15, 0)] * 3 + [(0, 0)]
    assert lit(worlds, 3, 50, 6) == (8, 0)
    set_block(worlds, 0, 8, 60, 8, block("oak_leaves").id)
    assert [lit(worlds, 8, y, 8)[0] for y in (61, 60, 59, 58)] == [15, 14, 13, 12]


def test_a_torch_lights_fourteen_blocks_around() -> None:
    worlds = fresh_world()
    for cx in range(-2, 3):
        for cz in range(-2, 3):
            put_chunk(worlds, 0, cx, cz, np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16))
    set_block(worlds, 0, 0, 64, 0, block("torch").id)
    for x, y, z in [(0, 64, 0), (-1, 64, 0), (5, 60, -3), (-13, 64, 0), (0, 64, 14)]:
        away = abs(x) + abs(y - 64) + abs(z)
        assert lit(worlds, x, y, z) == (15, max(14 - away, 0))
    set_block(worlds, 0, 0, 64, 0, 0)
    assert lit(worlds, -1, 64, 0) == (15, 0)


def test_light_near_the_player_does_not_depend_on_other_loaded_land() -> None:
    few, many = fresh_world(), make_worlds(1, 64)
    for cx in range(-2, 3):
        for cz in range(-2, 3):
            put_chunk(few, 0, cx, cz, land(cx, cz))
    for cx in range(4, -6, -1):
        for cz in range(-5, 5):
            put_chunk(many, 0, cx, cz, land(cx, cz))
        mend(many)
    for worlds in (few, many):
        for x, z in ((-17, -16), (20, 31), (31, 0)):
            set_block(worlds, 0, x, 62, z, block("glowstone").id)
    for x in range(-16, 32):
        for z in range(-16, 32):
            for y in range(0, HEIGHT, 5):
                assert lit(few, x, y, z) == lit(many, x, y, z)


def test_light_is_full_above_the_world_and_zero_below() -> None:
    worlds = fresh_world()
    put_chunk(worlds, 0, 0, 0, land(0, 0))
    assert lit(worlds, 3, HEIGHT, 3) == (15, 0)
    assert lit(worlds, 3, -1, 3) == (0, 0)
    assert lit(worlds, 40, 127, 3) == (0, 0)


@pytest.mark.parametrize("name", ["torch", "lava", "fire", "glowstone", "magma_block", "campfire"])
def test_lamps_light_the_next_cell_one_level_less(name) -> None:
    worlds = fresh_world()
    put_chunk(worlds, 0, 0, 0, np.zeros((CHUNK, CHUNK, HEIGHT), np.uint16))
    set_block(worlds, 0, 8, 64, 8, block(name).id)
    assert lit(worlds, 8, 64, 8)[1] == blocks()[name].light
    assert lit(worlds, 9, 64, 8)[1] == blocks()[name].light - 1


def test_the_next_tick_mends_the_light_after_a_change() -> None:
    flat = Flat()
    flat.tick()
    assert light_at(flat.worlds, 0, 3, 64, 3) == (15, 0)
    flat.put(3, 64, 3, "torch")
    assert light_at(flat.worlds, 0, 3, 64, 3) == (15, 0)
    flat.tick()
    assert light_at(flat.worlds, 0, 4, 64, 3) == (15, 13)


@pytest.mark.parametrize("name", ["oak_slab", "farmland", "grass_path", "snow", "stonecutter"])
def test_low_blocks_stop_light_only_on_their_lower_side(name) -> None:
    """Minecraft Wiki, "Light": these stop light on the side that they fill, and no other."""
    flat = Flat()
    for x in range(-3, 4):
        for z in range(-3, 4):
            flat.put(x, 70, z, name)
    flat.put(0, 69, 0, "torch")
    assert lit(flat.worlds, 0, 70, 0) == (15, 5)
    assert lit(flat.worlds, 0, 69, 0)[0] == 11
