"""Assists change only what they name, belong to the state, and are off by default."""

import numpy as np
import pytest

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import UnknownName
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.land.window import ensure_area
from optimus_gym.worlds.voxel.player.stuck import LONGEST_STAY
from optimus_gym.worlds.voxel.render.frame import FRAME
from optimus_gym.worlds.voxel.render.lightmap import fill_lights, light_of_eye
from optimus_gym.worlds.voxel.state.worlds import CHUNK, HEIGHT
from optimus_gym.worlds.voxel.terrain.chunk import generate_chunk
from optimus_gym.worlds.voxel.terrain.diamonds import (
    DIAMOND_ORE,
    HIGHEST_DIAMOND,
    LOWEST_DIAMOND,
    SHARE,
    scatter_diamonds,
)
from optimus_gym.worlds.voxel.terrain.names import STONE
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET, Flat

STILL = noop()[None]
BOTH = ("night_vision", "diamonds_20_percent")
MIDNIGHT = 18_000
DEPTH = 30
ROW = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def world():
    return VoxelWorld(2)


def chunks(count):
    """Pairs of the same chunk without and with many diamonds: uint16[2, count, 16, 16, 128]."""
    made = np.empty((2, count, CHUNK, CHUNK, HEIGHT), np.uint16)
    for k in range(count):
        generate_chunk(np.uint64(k % 7), 5 * k - 40, 3 - 8 * k, made[0, k])
        made[1, k] = made[0, k]
        scatter_diamonds(np.uint64(k % 7), 5 * k - 40, 3 - 8 * k, made[1, k])
    return made


def test_a_fifth_of_the_deep_stone_is_diamond_ore():
    plain, rich = chunks(40)
    deep = slice(LOWEST_DIAMOND, HIGHEST_DIAMOND + 1)
    stone = plain[..., deep] == STONE
    turned = stone & (rich[..., deep] == DIAMOND_ORE)
    spread = np.sqrt(SHARE * (1 - SHARE) / stone.sum())
    assert turned.sum() / stone.sum() == pytest.approx(SHARE, abs=4 * spread)
    heights = stone.sum((0, 1, 2))
    shares = turned.sum((0, 1, 2)) / heights
    assert (np.abs(shares - SHARE) < 5 * np.sqrt(SHARE * (1 - SHARE) / heights)).all()


def test_the_diamond_assist_turns_only_deep_stone_into_diamond_ore():
    plain, rich = chunks(40)
    changed = plain != rich
    assert (plain[changed] == STONE).all()
    assert (rich[changed] == DIAMOND_ORE).all()
    heights = np.flatnonzero(changed.any((0, 1, 2)))
    assert (heights[0], heights[-1]) == (2, 16)


def test_neighbouring_chunks_have_independent_diamonds():
    made = np.full((4, CHUNK, CHUNK, HEIGHT), STONE, np.uint16)
    for k, (seed, cx, cz) in enumerate(((1, 0, 0), (1, 1, 0), (1, 0, 1), (2, 0, 0))):
        scatter_diamonds(np.uint64(seed), cx, cz, made[k])
    ore = (made == DIAMOND_ORE)[..., LOWEST_DIAMOND : HIGHEST_DIAMOND + 1].reshape(4, -1)
    assert (np.abs(np.corrcoef(ore) - np.eye(4)) < 0.08).all()


def test_a_world_has_the_assists_of_its_latest_setup(world):
    world.reset(0, Setup(seed=1, assists=BOTH))
    world.reset(1, Setup(seed=1))
    assert (world.assists(0), world.assists(1)) == (BOTH, ())
    rich, plain = (land(world, row) for row in (0, 1))
    assert (rich == DIAMOND_ORE).sum() > 20 * (plain == DIAMOND_ORE).sum()
    world.reset(0, Setup(seed=1))
    assert (land(world, 0) == plain).all()


def land(world, row):
    """The chunk of the player, as the world has it."""
    player = world.worlds.players[row]
    ensure_area(world.worlds, row, player["x"], player["z"], 0)
    width = world.worlds.voxels.shape[1]
    x, z = (int(player[axis] // CHUNK) * CHUNK % width for axis in "xz")
    return world.worlds.voxels[row, x : x + CHUNK, z : z + CHUNK].copy()


def test_a_snapshot_keeps_the_assists_and_their_land(world):
    world.reset(0, Setup(seed=1, assists=BOTH))
    before = land(world, 0)
    other = VoxelWorld(1, view_distance=32)
    other.restore(0, world.snapshot(0))
    assert other.assists(0) == BOTH
    assert (land(other, 0) == before).all()
    assert other.snapshot(0) == world.snapshot(0)


def test_reset_rejects_an_unknown_assist_and_keeps_the_state(world):
    world.reset(0, Setup(seed=1))
    saved = world.snapshot(0)
    with pytest.raises(UnknownName, match="unknown assist 'night_vison'; did you mean"):
        world.reset(0, Setup(seed=2, assists=("night_vison",)))
    assert world.snapshot(0) == saved


@pytest.fixture
def cave(world):
    """A world whose player stands in a closed room of stone at midnight."""
    setup = Setup(3, position=(8.5, DEPTH, 8.5), time=MIDNIGHT, inventory={"oak_planks": 1})
    world.reset(0, setup)
    ensure_area(world.worlds, 0, 8.5, 8.5, 1)
    for x in range(-2, 19):
        for z in range(-2, 19):
            for y in range(DEPTH - 2, DEPTH + 7):
                inside = 2 < x < 14 and 2 < z < 14 and DEPTH <= y < DEPTH + 4
                set_block(world.worlds, 0, x, y, z, 0 if inside else STONE)
    return world


def picture(world):
    image = np.zeros((90, 160, 3), np.uint8)
    world.frames([0], image[None])
    return image


def channels(packed):
    return np.stack([packed & 255, packed >> 8 & 255, packed >> 16 & 255], -1)


def test_night_vision_brightens_a_cave_at_midnight_and_changes_no_state(cave):
    dark = picture(cave)
    cave.worlds.assists["night_vision"][0] = 1
    saved = cave.snapshot(0)
    bright = picture(cave)
    assert cave.snapshot(0) == saved
    view = slice(0, 60)
    assert bright[view].mean() > 3 * dark[view].mean()
    cave.worlds.assists["night_vision"][0] = 0
    assert (picture(cave) == dark).all()


def bright(world):
    image = np.zeros((90, 160, 3), np.uint8)
    world.bright_frames([0], image[None])
    return image


def test_a_bright_frame_equals_one_with_night_vision_and_changes_no_state(cave):
    dark, saved = picture(cave), cave.snapshot(0)
    seeing = bright(cave)
    assert (picture(cave) == dark).all()
    assert cave.snapshot(0) == saved
    cave.worlds.assists["night_vision"][0] = 1
    assert (picture(cave) == seeing).all()
    assert (bright(cave) == seeing).all()
    assert cave.assists(0) == ("night_vision",)


def test_a_bright_frame_that_fails_leaves_no_night_vision(cave, monkeypatch):
    saved = cave.snapshot(0)

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cave, "frames", fail)
    with pytest.raises(KeyboardInterrupt):
        bright(cave)
    assert cave.snapshot(0) == saved


def test_night_vision_raises_every_light_to_the_brightest(cave):
    frame = np.zeros(1, FRAME)
    fill_lights(frame, cave.worlds, 0)
    without = channels(frame["lights"][0])
    cave.worlds.assists["night_vision"][0] = 1
    fill_lights(frame, cave.worlds, 0)
    seeing = channels(frame["lights"][0])
    assert (seeing.max(1) == without.max()).all()
    assert (seeing >= without).all()


def test_night_vision_lights_the_held_item(cave):
    assert cave.bodies([0])[0][0][0] == item("oak_planks").id
    dark = channels(np.int64(light_of_eye(cave.worlds, 0)))
    cave.worlds.assists["night_vision"][0] = 1
    assert channels(np.int64(light_of_eye(cave.worlds, 0))).min() > 3 * dark.max()


def test_night_vision_ends_with_the_episode(cave):
    cave.reset(0, Setup(seed=3, time=MIDNIGHT, assists=("night_vision",)))
    cave.tick(ROW, STILL)
    seeing = picture(cave)
    cave.reset(0, Setup(seed=3, time=MIDNIGHT))
    cave.tick(ROW, STILL)
    assert seeing.mean() > 1.3 * picture(cave).mean()


def after(assists, ticks=5, **setup):
    """The parts of a world's state after some ticks of standing still, by name."""
    world = VoxelWorld(1, view_distance=32)
    world.reset(0, Setup(seed=5, creatures=True, assists=assists, **setup))
    for _ in range(ticks):
        world.tick(ROW, STILL)
    return world, dict(world.snapshot(0).parts)


def changed_by(assist, **setup):
    """Return the worlds without and with an assist, and which parts of their states differ."""
    (plain, without), (assisted, with_it) = after((), **setup), after((assist,), **setup)
    return plain, assisted, {name for name in without if without[name] != with_it[name]}


def test_the_peaceful_assist_sets_the_difficulty():
    plain, peaceful, changed = changed_by("peaceful", difficulty="hard")
    assert (plain.worlds.rules["difficulty"][0], peaceful.worlds.rules["difficulty"][0]) == (3, 0)
    assert {"assists", "rules"} <= changed
    assert "edits" not in changed
    assert "slots" not in changed


def test_always_day_stops_the_clock_and_nothing_else():
    plain, halted, changed = changed_by("always_day", time=700)
    assert changed == {"assists", "skies"}
    assert (plain.worlds.skies["time"][0], halted.worlds.skies["time"][0]) == (705, 700)
    halted.worlds.skies["time"] = 705
    assert plain.worlds.skies[0] == halted.worlds.skies[0]


def test_the_starting_axe_assist_adds_an_iron_axe_unless_the_setup_has_one():
    plain, axed, changed = changed_by("starting_axe", inventory={"bread": 2})
    assert changed == {"assists", "slots"}
    assert held_counts(plain) == {"bread": 2}
    assert held_counts(axed) == {"bread": 2, "iron_axe": 1}
    again = after(("starting_axe",), inventory={"iron_axe": 1})[0]
    assert held_counts(again) == {"iron_axe": 1}


@pytest.mark.parametrize(("name", "height"), [("fast_breaking", 64), ("ores_under_agent", 64)])
def test_an_unused_assist_changes_nothing_else(name, height):
    assert changed_by(name, position=(0.5, height + 40, 0.5))[2] == {"assists"}


def assisted(name, ground="stone"):
    flat = Flat(ground)
    flat.worlds.assists[name] = 1
    return flat


def ticks_to_dig(flat):
    """Ticks until the block under the feet is gone."""
    flat.set(pitch=90.0)
    flat.tick()
    for tick in range(1, 400):
        flat.tick(attack=1)
        if flat.at(0, FEET - 1, 0) == "air":
            return tick
    raise AssertionError("it was not dug away")


def test_fast_breaking_is_a_hundred_times_as_fast():
    """Stone by hand: 7.5 s; Minecraft Wiki, "Breaking"."""
    assert ticks_to_dig(Flat()) == pytest.approx(150, abs=1)
    assert ticks_to_dig(assisted("fast_breaking")) == 2
    assert ticks_to_dig(assisted("fast_breaking", "dirt")) == 1


def smelted(flat, ticks):
    """Return the ingots and the unused coal after some ticks of a furnace with twelve ores and two coals."""
    flat.put(1, FEET, 0, "furnace")
    flat.give(0, "iron_ore", 12)
    flat.give(1, "coal", 2)
    for _ in range(12):
        flat.tick(smelt="iron_ingot")
    flat.tick(ticks - 12)
    return flat.held().get("iron_ingot", 0), flat.cooking().get("coal", 0)


def test_instant_smelting_takes_a_tick_an_item_and_normal_fuel():
    """Coal smelts eight items in 1,600 ticks; Minecraft Wiki, "Smelting"."""
    assert smelted(assisted("instant_smelting"), 13)[0] == 12
    assert smelted(Flat(), 399)[0] == 1
    alone = assisted("instant_smelting")
    alone.put(1, FEET, 0, "furnace")
    alone.give(0, "iron_ore", 9)
    alone.give(1, "coal", 1)
    for _ in range(9):
        alone.tick(smelt="iron_ingot")
    alone.tick(300)
    assert alone.held() == {"iron_ingot": 8, "iron_ore": 1}


def given(height, ticks=400, seed=1):
    """Return the blocks other than stone below a player at a height, by cell."""
    flat = Flat(seed=seed)
    flat.worlds.assists["ores_under_agent"] = 1
    flat.put(0, height, 0, "air")
    flat.put(0, height + 1, 0, "air")
    flat.set(y=height)
    flat.tick(ticks)
    return {
        (x, y, z): flat.at(x, y, z)
        for x in range(-2, 3)
        for z in range(-2, 3)
        for y in range(1, FEET)
        if flat.at(x, y, z) not in ("stone", "air")
    }


@pytest.mark.parametrize(
    ("height", "ores"),
    [
        (50, {"coal_ore"}),
        (45, {"coal_ore"}),
        (43, {"iron_ore"}),
        (26, {"iron_ore"}),
        (25, {"gold_ore"}),
        (16, {"gold_ore", "redstone_ore"}),
        (14, {"redstone_ore", "diamond_ore"}),
    ],
)
def test_one_ore_of_the_height_appears_below_the_feet(height, ores):
    found = [given(height, seed=seed) for seed in range(8)]
    assert all(len(cells) == 1 for cells in found)
    depths = {height - y for cells in found for _, y, _ in cells}
    assert depths <= {3, 4, 5}
    assert len(depths) > 1
    assert all((x, z) == (0, 0) for cells in found for x, _, z in cells)
    assert {name for cells in found for name in cells.values()} == ores


@pytest.mark.parametrize("height", [44, 52])
def test_no_ore_appears_at_other_heights(height):
    assert given(height) == {}


def test_ores_appear_in_a_tenth_of_the_ticks():
    first = [len(given(30, ticks=1, seed=seed)) for seed in range(300)]
    assert sum(first) / 300 == pytest.approx(0.1, abs=0.07)


def test_the_assist_kills_only_a_stuck_player():
    flat = assisted("respawn_when_stuck")
    flat.worlds.assists["keep_inventory"] = 1
    flat.worlds.rules["survival"] = 1
    flat.give(3, "diamond", 2)
    flat.tick()
    flat.worlds.aids["stuck"] = LONGEST_STAY - 12
    flat.tick(8)
    flat.tick(jump=1)
    flat.tick(40)
    assert flat.alive
    assert 0 < flat.worlds.aids["stuck"][0] < 60
    flat.worlds.aids["stuck"] = LONGEST_STAY - 2
    flat.tick()
    assert flat.alive
    flat.tick()
    assert not flat.alive
    assert [kind for kind, _, _ in flat.events()] == ["died"]
    assert flat.held() == {"diamond": 2}
    unaided = Flat()
    unaided.worlds.aids["stuck"] = LONGEST_STAY - 1
    unaided.tick(3)
    assert unaided.alive


@pytest.mark.parametrize("kept", [True, False])
def test_a_dead_player_keeps_its_items_only_with_the_assist(kept):
    world = VoxelWorld(1, view_distance=32)
    assists = ("keep_inventory",) if kept else ()
    setup = Setup(5, inventory={"diamond": 2}, difficulty="normal", assists=assists)
    world.reset(0, setup)
    world.tick(ROW, STILL)
    world.worlds.needs["safe"] = 0
    world.worlds.players["y"] = -70.0
    for _ in range(200):
        world.tick(ROW, STILL)
    assert not world.alive([0])[0]
    world.respawn(0)
    assert held_counts(world) == ({"diamond": 2} if kept else {})
    world.tick(ROW, STILL)
    assert (world.alive([0])[0], world.bodies([0])[1][0][0]) == (True, 20.0)
