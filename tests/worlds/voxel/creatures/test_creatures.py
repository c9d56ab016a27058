"""Creatures: the same in every window and after a snapshot; absent unless a setup asks for them."""

import numpy as np
import pytest

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel.creatures.harm import hurt_creature
from optimus_gym.worlds.voxel.creatures.kinds import CHASES, FLEES, WOOLS
from optimus_gym.worlds.voxel.creatures.living_land import FEWEST_LIVING_CHUNKS
from optimus_gym.worlds.voxel.state.fauna import MOST_ARROWS, MOST_CREATURES
from optimus_gym.worlds.voxel.state.worlds import HURT_NAMES, Worlds
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import fill
from tests.worlds.voxel.pen import KINDS, NOON, Pen, number_of
from tests.worlds.voxel.trajectory import START, random_actions

ROW = np.zeros(1, np.int64)
NIGHT = 14_000
KIT = {**START, "iron_sword": 1, "shears": 1}


def begin(world: VoxelWorld, seed: int, row: int = 0, difficulty: str = "hard") -> None:
    setup = Setup(seed=seed, inventory=KIT, time=NIGHT, creatures=True, difficulty=difficulty)
    world.reset(row, setup)


def state(world: VoxelWorld, row: int = 0) -> bytes:
    return world.snapshot(row).to_bytes()


def play(world: VoxelWorld, actions, row: int = 0, looks: bool = False) -> None:
    image = np.zeros((36, 64, 3), np.uint8)
    for tick, action in enumerate(actions):
        world.tick(ROW + row, action[None])
        world.worlds.players["health"][row] = 20
        world.worlds.players["alive"][row] = 1
        if looks and tick % 5 == 0:
            world.frames([row], image[None])


def healthy(worlds: Worlds) -> None:
    """Check that all numbers of creatures are possible."""
    for row in range(len(worlds.players)):
        fauna = worlds.fauna[row]
        assert 0 <= fauna["creatures"] <= MOST_CREATURES
        assert 0 <= fauna["arrows"] <= MOST_ARROWS
        for part in (worlds.creatures[row], worlds.arrows[row]):
            for name in part.dtype.names:
                assert np.isfinite(part[name]).all(), name
        used = worlds.creatures[row, : fauna["creatures"]]
        length = used["face_x"].astype(float) ** 2 + used["face_z"].astype(float) ** 2
        assert length == pytest.approx(1.0, abs=1e-5)
        assert (used["health"] <= 20).all()
        assert (used["y"] > -70).all()


@pytest.mark.parametrize("seed", [0, 3])
def test_frames_change_no_creature(seed):
    """Frames load land far and near; creatures must live on as without frames."""
    actions = random_actions(np.random.default_rng(seed), 500)
    wide, narrow = VoxelWorld(1, 96), VoxelWorld(1, 16)
    for world, looks in ((wide, True), (narrow, False)):
        begin(world, seed)
        play(world, actions, looks=looks)
        healthy(world.worlds)
    assert state(wide) == state(narrow)
    assert wide.worlds.fauna["creatures"][0] > 0


def test_a_restored_world_goes_on_like_the_original():
    first, second = VoxelWorld(1), VoxelWorld(2, view_distance=16)
    actions = random_actions(np.random.default_rng(5), 700)
    begin(first, 4)
    play(first, actions[:400])
    saved = Snapshot.from_bytes(first.snapshot(0).to_bytes())
    second.restore(1, saved)
    play(first, actions[400:])
    play(second, actions[400:], row=1)
    assert state(second, 1) == state(first)
    assert second.worlds.chunks.shape[1] == FEWEST_LIVING_CHUNKS


@pytest.mark.parametrize(
    ("part", "field", "value", "message"),
    [
        ("rules", "difficulty", 4, "rules.difficulty: expected 0 to 3"),
        ("rules", "creatures", 2, "rules.creatures: expected 0 to 1"),
        ("fauna", "arrows", 99, "arrows has 0 rows, expected 99"),
        ("fauna", "charged_with", 60_000, "fauna.charged_with: expected 0 to 975"),
        ("creatures", "kind", 9, "creatures.kind: expected 0 to 8"),
        ("creatures", "steps", 41, "creatures.steps: expected 0 to 40"),
        ("fauna", "beyond", -1, "fauna.beyond: expected 0 to 256"),
        ("creatures", "colour", 6, "creatures.colour: expected 0 to 5"),
        ("creatures", "x", 1e9, "creatures.x: expected -33554432 to 33554432"),
        ("creatures", "vy", np.inf, "creatures.vy: expected -64 to 64, got inf"),
    ],
)
def test_restore_rejects_impossible_creatures(part, field, value, message):
    world = VoxelWorld(1)
    begin(world, 3)
    world.tick(ROW, still())
    saved = world.snapshot(0)
    arrays = {name: array.copy() for name, array in snapshots.read(saved).items()}
    arrays[part][field][-1:] = value
    parts = tuple((name, array.tobytes()) for name, array in arrays.items())
    with pytest.raises(BadValue, match=f"snapshot: {message}"):
        world.restore(0, Snapshot(saved.world, saved.layout, parts))
    assert world.snapshot(0) == saved


def test_creatures_of_one_row_leave_other_rows_unchanged():
    alone, beside = VoxelWorld(1, 16), VoxelWorld(2, 16)
    actions = random_actions(np.random.default_rng(6), 120)
    for world in (alone, beside):
        world.reset(0, Setup(seed=8, inventory=KIT))
        play(world, actions[:60])
    begin(beside, 9, row=1)
    for world in (alone, beside):
        play(world, actions[60:])
    assert state(alone) == state(beside)
    assert alone.worlds.chunks.shape[1] < FEWEST_LIVING_CHUNKS


def test_a_world_without_creatures_stays_empty():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3, time=NIGHT))
    play(world, random_actions(np.random.default_rng(0), 200))
    for name in ("fauna", "creatures", "arrows"):
        array = getattr(world.worlds, name)
        assert array.tobytes() == bytes(array.nbytes)


def test_reset_rejects_an_unknown_difficulty():
    with pytest.raises(UnknownName, match="peaceful"):
        VoxelWorld(1).reset(0, Setup(seed=1, difficulty="peacefull"))


def test_events_name_the_killed_creature():
    pen = Pen()
    pen.set(yaw=0.0, pitch=0.0)
    pen.give(0, "iron_sword")
    row = pen.add("zombie", 0.5, 2.3, health=1)
    pen.pinned(row)
    pen.worlds.fauna["charge"] = 100
    pen.tick(attack=1)
    assert ("killed", number_of("zombie"), 1) in pen.events()
    assert ("dealt", number_of("zombie"), 1) in pen.events()
    assert pen.experience == 5
    pen.tick()
    assert len(pen.creatures) == 0
    assert pen.slot(0) == ("iron_sword", 1, 1)


def test_a_death_event_names_the_creature_that_killed_the_player():
    pen = Pen()
    pen.set(health=1)
    pen.hunter("spider", 0.5, 1.5)
    pen.tick(3)
    assert not pen.alive
    pen = Pen()
    pen.set(health=1)
    pen.hunter("zombie", 0.5, 1.5)
    pen.tick()
    assert ("died", HURT_NAMES.index("zombie"), 1) in pen.events()


def test_a_held_attack_key_strikes_once():
    pen = Pen()
    pen.set(yaw=0.0, pitch=0.0)
    row = pen.add("zombie", 0.5, 2.3, health=100)
    pen.pinned(row, 30, attack=1)
    assert row["health"][0] > 98


def test_a_creature_under_the_crosshair_stops_digging():
    pen = Pen()
    pen.set(yaw=0.0, pitch=0.0)
    pen.put(0, FEET + 1, 3, "dirt")
    row = pen.add("zombie", 0.5, 2.0, health=1000)
    pen.pinned(row, 40, attack=1)
    assert pen.at(0, FEET + 1, 3) == "dirt"
    assert pen.dig_progress == 0
    pen.creatures["x"][0] = 20.5
    pen.tick(40, attack=1)
    assert pen.at(0, FEET + 1, 3) == "air"


def test_a_block_shields_a_creature_from_blows():
    pen = Pen()
    pen.set(yaw=0.0, pitch=0.0)
    for y in (FEET, FEET + 1):
        pen.put(0, y, 1, "stone")
    row = pen.add("zombie", 0.5, 2.8)
    pen.pinned(row)
    pen.pinned(row, attack=1)
    assert row["health"][0] == 20
    assert pen.dig_progress > 0


def test_hurt_animals_flee():
    pen = Pen(time=NOON)
    row = pen.add("cow", 5.5, 5.5)
    hurt_creature(pen.worlds, 0, 0, 1.0, False)
    assert row["mood"] == FLEES
    pen.tick(60)
    assert np.hypot(row["x"] - 5.5, row["z"] - 5.5) > 1.0
    pen.tick(200)
    assert row["mood"] != FLEES


@pytest.mark.parametrize("fluid", ["air", "lava"])
def test_no_animal_strolls_over_a_cliff_or_into_lava(fluid):
    farthest = 0.0
    for seed in range(1, 5):
        pen = Pen("stone", time=NOON, seed=seed)
        fill(pen, "air", range(-20, 21), range(FEET - 20, FEET), range(-20, 21))
        fill(pen, fluid, range(-20, 21), range(FEET - 21, FEET - 6), range(-20, 21))
        fill(pen, "stone", range(-6, 7), range(FEET - 20, FEET), range(-6, 7))
        row = pen.add("cow", 3, 3)
        for _ in range(15):
            pen.tick(100)
            farthest = max(farthest, abs(row["x"][0]), abs(row["z"][0]))
        assert len(pen.creatures) == 1
        assert row["y"][0] > FEET - 0.1
    assert farthest > 4.0


def test_a_zombie_climbs_a_step_and_walks_around_a_wall():
    pen = Pen()
    fill(pen, "glass", range(-10, 11), range(FEET, FEET + 1), range(6, 8))
    fill(pen, "glass", range(-2, 3), range(FEET, FEET + 3), range(2, 3))
    pen.hunter("zombie", 0.5, 12.5, angry=10_000)
    for _ in range(400):
        pen.tick()
        if pen.health < 20:
            return
    raise AssertionError(f"it stands at {pen.creatures[['x', 'y', 'z']]}")


def test_bodies_push_each_other_aside():
    pen = Pen(time=NOON)
    rows = [pen.add("cow", 8.5 + 0.1 * n, 8.5) for n in range(3)]
    pen.tick(60)
    xs = sorted(row["x"][0] for row in rows)
    assert xs[1] - xs[0] > 0.6
    assert xs[2] - xs[1] > 0.6
    mine = Pen(time=NOON)
    mine.add("cow", 0.9, 0.5)
    mine.tick(20)
    assert mine.x < 0.45


def test_a_spider_climbs_a_wall():
    pen = Pen()
    fill(pen, "glass", range(-20, 21), range(FEET, FEET + 4), range(4, 5))
    row = pen.hunter("spider", 0.5, 7.5, angry=10_000)
    highest = FEET
    for _ in range(120):
        pen.tick()
        row["seen"] = 100
        highest = max(highest, row["y"][0])
    assert highest > FEET + 3.9


def test_an_animal_swims_to_the_surface():
    pen = Pen(time=NOON)
    fill(pen, "water", range(4, 12), range(FEET - 5, FEET), range(4, 12))
    row = pen.add("pig", 8, 8, FEET - 4)
    pen.tick(200)
    assert row["y"][0] > FEET - 1.2
    assert row["health"][0] == 10


def test_a_shorn_sheep_leaves_no_wool_and_grows_it_again():
    pen = Pen("grass_block", time=NOON, seed=2)
    row = pen.add("sheep", 5.5, 5.5, shorn=1)
    for _ in range(6000):
        pen.tick()
        if not row["shorn"]:
            break
    assert not row["shorn"]
    row["shorn"] = 1
    hurt_creature(pen.worlds, 0, 0, 100.0, True)
    assert set(pen.lying()) == {"mutton"}


def test_sheep_leave_wool_of_their_colour():
    for colour, wool in enumerate(WOOLS):
        pen = Pen()
        pen.add("sheep", 8.5, 8.5, colour=colour)
        hurt_creature(pen.worlds, 0, 0, 100.0, False)
        assert item("white_wool").id <= wool < item("white_wool").id + 16
        assert (pen.worlds.drops[0]["item"] == wool).sum() == 1


def test_a_bucket_milks_a_cow():
    pen = Pen()
    pen.set(yaw=0.0, pitch=10.0)
    pen.give(0, "bucket", 2)
    row = pen.add("cow", 0.5, 2.5)
    pen.pinned(row)
    pen.pinned(row, use=1)
    assert pen.held() == {"bucket": 1, "milk_bucket": 1}


def test_the_farthest_creature_makes_room_for_a_new_one():
    pen = Pen()
    pen.add("cow", 50.5, 50.5)
    for _ in range(MOST_CREATURES):
        pen.add("pig", 8.5, 8.5)
    assert len(pen.creatures) == MOST_CREATURES
    assert pen.count("cow") == 0


def test_new_land_gets_animals_only_once():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3, creatures=True, difficulty="peaceful"))
    world.tick(ROW, still())
    worlds = world.worlds
    count = int(worlds.fauna["creatures"][0])
    assert count > 3
    worlds.creatures["health"][0, :count] = 0
    for _ in range(3):
        for x in (0.5, 200.5):
            worlds.players["x"] = x
            worlds.players["y"] = 120
            world.tick(ROW, still())
        away = int(worlds.fauna["creatures"][0])
    begun = int(worlds.fauna["peopled"][0])
    worlds.players["x"] = 0.5
    world.tick(ROW, still())
    assert int(worlds.fauna["creatures"][0]) == away
    assert int(worlds.fauna["peopled"][0]) == begun


def still():
    return noop()[None]


def test_creatures_keep_possible_numbers_in_long_play():
    count = 4
    world = VoxelWorld(count, 32)
    rows = np.arange(count)
    for row in rows:
        begin(world, 20 + row, row)
    rng = np.random.default_rng(1)
    actions = np.stack([random_actions(rng, 1500) for _ in rows])
    for tick in range(1500):
        world.tick(rows, actions[:, tick])
        for row in np.flatnonzero(world.worlds.players["alive"] == 0):
            begin(world, 100 + tick, row)
        if tick % 100 == 0:
            healthy(world.worlds)
    assert {KINDS[k] for k in np.unique(world.worlds.creatures["kind"])} >= {"zombie", "creeper"}
    assert (world.worlds.creatures["mood"] <= CHASES).all()
