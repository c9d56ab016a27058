"""A restored world goes on like the saved world, byte for byte."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.land.edits import with_room
from optimus_gym.worlds.voxel.land.notes import note_change
from optimus_gym.worlds.voxel.state.worlds import DERIVED, MINED, MOST_EDITS, TRIMMED, make_worlds
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.voxel.trajectory import START, random_actions

ROOT = Path(__file__).resolve().parents[3]
ROW = np.zeros(1, np.int64)
PICKAXE = item("wooden_pickaxe").id
"""A wooden pickaxe lasts 59 uses (Minecraft Wiki, "Pickaxe") and is gone after the last."""


@pytest.fixture(scope="module")
def worlds():
    """Return two worlds of two rows; the second has a shorter view distance."""
    return VoxelWorld(2), VoxelWorld(2, view_distance=32)


def picture(world, row, size=(48, 36)):
    image = np.zeros((size[1], size[0], 3), np.uint8)
    world.frames([row], image[None])
    return image.tobytes()


def go_on(world, row, actions, look=False):
    """Play and return a hash of state and answers of each tick, with frames if `look`."""
    digest = hashlib.sha256()
    for tick, action in enumerate(actions):
        world.tick(ROW + row, action[None])
        for _, part in world.snapshot(row).parts:
            digest.update(part)
        digest.update(world.counts([row])[0].tobytes() + world.bodies([row])[1][0].tobytes())
        digest.update(repr(world.events(row)).encode())
        if look and tick % 8 == 0:
            digest.update(picture(world, row))
    return digest.hexdigest()


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 3),
    st.integers(0, 400),
    st.integers(1, 150),
    st.integers(0, 2**32),
    st.booleans(),
)
def test_a_restored_world_goes_on_like_the_original(worlds, seed, before, after, draws, looked):
    first, second = worlds
    actions = random_actions(np.random.default_rng(draws), before + after)
    first.reset(0, Setup(seed=seed, inventory=START))
    go_on(first, 0, actions[:before], look=looked)
    saved = Snapshot.from_bytes(first.snapshot(0).to_bytes())
    expected = go_on(first, 0, actions[before:])
    second.reset(1, Setup(seed=seed + 1, inventory={"stone": 3}))
    for world, row in ((second, 1), (first, 1), (first, 0)):
        world.restore(row, saved)
        assert world.snapshot(row) == saved
        assert go_on(world, row, actions[before:]) == expected


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 3), st.integers(0, 300), st.integers(0, 2**32))
def test_a_restored_world_looks_like_the_original(worlds, seed, before, draws):
    world, _ = worlds
    actions = random_actions(np.random.default_rng(draws), before + 60)
    world.reset(0, Setup(seed=seed, inventory=START))
    go_on(world, 0, actions[:before], look=True)
    saved, shown = world.snapshot(0), picture(world, 0)
    expected = go_on(world, 0, actions[before:], look=True)
    world.restore(1, saved)
    assert picture(world, 1) == shown
    assert go_on(world, 1, actions[before:], look=True) == expected


def test_another_process_goes_on_like_the_original(worlds, tmp_path):
    world, _ = worlds
    actions = random_actions(np.random.default_rng(1), 300)
    world.reset(0, Setup(seed=5, inventory=START))
    go_on(world, 0, actions[:200])
    world.snapshot(0).save(tmp_path / "state")
    script = (
        "import numpy as np\n"
        "from tests.worlds.voxel import test_snapshot as t\n"
        "world = t.VoxelWorld(1)\n"
        f"world.restore(0, t.Snapshot.load({str(tmp_path / 'state')!r}))\n"
        "actions = t.random_actions(np.random.default_rng(1), 300)[200:]\n"
        "print(t.go_on(world, 0, actions, look=True))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == go_on(world, 0, actions[200:], look=True)


def test_a_reset_leaves_nothing_of_the_episode_before(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=3))
    begun = world.snapshot(0)
    go_on(world, 0, random_actions(np.random.default_rng(2), 100))
    world.reset(0, Setup(seed=3))
    assert world.snapshot(0) == begun


def test_a_snapshot_shares_nothing_with_the_world(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=3))
    saved = world.snapshot(0)
    kept = saved.to_bytes()
    go_on(world, 0, random_actions(np.random.default_rng(3), 20))
    assert saved.to_bytes() == kept
    assert world.snapshot(0) != saved


def test_restore_makes_room_for_more_edits(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    for k in range(3000):
        set_block(world.worlds, 0, k % 16, 100 + k // 256 % 16, k // 16 % 16, 1)
    narrow = VoxelWorld(1, view_distance=16)
    narrow.worlds = make_worlds(1, 16, edits=64)
    narrow.restore(0, world.snapshot(0))
    assert narrow.snapshot(0) == world.snapshot(0)
    assert narrow.worlds.edits.shape[1] >= 3000


def test_every_array_is_state_or_derived():
    fields = set(make_worlds(1, 0).arrays())
    assert set(DERIVED) < fields
    assert set(TRIMMED) <= fields - set(DERIVED)


def changed(saved, part, field, value):
    """Return the snapshot with one number replaced and its form kept."""
    arrays = {name: array.copy() for name, array in snapshots.read(saved).items()}
    arrays[part][field][-1:] = value
    parts = tuple((name, array.tobytes()) for name, array in arrays.items())
    return Snapshot(saved.world, saved.layout, parts)


@pytest.mark.parametrize(
    ("part", "field", "value", "message"),
    [
        ("players", "x", np.nan, "players.x: expected -29999984 to 29999984, got nan"),
        ("players", "z", 1e9, "players.z: expected -29999984 to 29999984, got 1000000000"),
        ("players", "vx", 1e6, "players.vx: expected -64 to 64, got 1000000"),
        ("players", "yaw", 360, "players.yaw: expected 0 to 360, got 360"),
        ("players", "dig_progress", 1, "players.dig_progress: expected 0 to 1, got 1"),
        ("players", "experience", 1e30, "players.experience: expected 0 to 16777216"),
        ("players", "falling", 1, "players.falling: expected 0 to 0, got 1"),
        ("players", "hotbar", 9, "players.hotbar: expected 0 to 8"),
        ("players", "edits", 7, "edits has 2 rows, expected 7"),
        ("players", "edits", 1, "edits has 2 rows, expected 1"),
        ("players", "events", 1000, "players.events: expected 0 to 48"),
        ("assists", "night_vision", 2, "assists.night_vision: expected 0 to 1"),
        ("slots", "item", 60000, "slots.item: expected 0 to 975"),
        ("drops", "item", 60000, "drops.item: expected 0 to 975"),
        ("slots", "count", 3, "slots.count: expected 1 to the item's stack size"),
        ("slots", ["item", "count"], (1, 65), "slots.count: expected 0 to 64, got 65"),
        ("slots", ["item", "count", "damage"], (1, 1, 5), "slots.damage: expected fewer uses"),
        (
            "slots",
            ["item", "count", "damage"],
            (PICKAXE, 1, 59),
            "slots.damage: expected fewer uses",
        ),
        (
            "stored",
            ["item", "count"],
            (PICKAXE, 2),
            "stored.count: expected 1 to the item's stack size",
        ),
        (
            "stored",
            ["item", "count"],
            (PICKAXE, 0),
            "stored.count: expected 1 to the item's stack size",
        ),
        ("drops", "item", 5, "drops.count: expected 1 to the item's stack size"),
        ("drops", "vy", np.inf, "drops.vy: expected -64 to 64, got inf"),
        ("furnaces", "fuel", (60000, 1, 0), "furnaces.fuel.item: expected 0 to 975"),
        ("furnaces", "x", -(2**31), "furnaces.x: expected -33554432 to 33554432"),
        ("stored", "item", 60000, "stored.item: expected 0 to 975"),
        ("needs", "exhaustion", -1, "needs.exhaustion: expected 0 to 40, got -1"),
        ("skies", "time", -1, "skies.time: expected 0 to"),
        (
            "events",
            ["kind", "subject"],
            (6, 400),
            "events.subject: expected a subject that the event's kind can have",
        ),
        (
            "events",
            ["kind", "subject"],
            (1, 900),
            "events.subject: expected a subject that the event's kind can have",
        ),
        (
            "events",
            ["kind", "subject"],
            (MINED, 763),
            "events.subject: expected a subject that the event's kind can have",
        ),
        ("events", "kind", 99, "events.kind: expected 0 to"),
        ("edits", ["x", "y", "z"], (5, 100, 7), "edits: expected each position once"),
        ("edits", "y", 500, "edits.y: expected 0 to 127"),
        ("edits", "voxel", 1000, "edits.voxel: expected 0 to"),
    ],
)
def test_restore_rejects_impossible_values_and_keeps_the_state(worlds, part, field, value, message):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    set_block(world.worlds, 0, 5, 100, 7, 1)
    set_block(world.worlds, 0, -5, 101, -7, 1)
    saved = world.snapshot(0)
    with pytest.raises(BadValue, match=f"snapshot: {message}"):
        world.restore(0, changed(saved, part, field, value))
    assert world.snapshot(0) == saved


def test_a_snapshot_rejects_too_many_changed_blocks(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    grown = with_room(make_worlds(1, 16), MOST_EDITS)
    grown.players["edits"] = MOST_EDITS + 1
    with pytest.raises(BadValue, match="snapshot: expected at most 1040384 changed blocks"):
        snapshots.take(grown, 0)
    grown.players["edits"] = MOST_EDITS
    grown.edits["x"][0, :MOST_EDITS] = np.arange(MOST_EDITS) // 128
    grown.edits["y"][0, :MOST_EDITS] = np.arange(MOST_EDITS) % 128
    saved = Snapshot.from_bytes(snapshots.take(grown, 0).to_bytes())
    assert len(snapshots.read(saved)["edits"]) == MOST_EDITS


def test_restore_rejects_other_worlds_and_versions_and_keeps_the_state(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    saved = world.snapshot(0)
    for wrong, message in (
        (b"bytes", "expected a Snapshot, got b'bytes'"),
        (Snapshot("symbolic", saved.layout, saved.parts), "expected a snapshot of a 'voxel' world"),
        (Snapshot("voxel", "0123", saved.parts), "by another version of the world: .*'0123'"),
        (Snapshot("voxel", saved.layout[::-1], saved.parts), "by another version of the world"),
        (Snapshot("voxel", saved.layout, saved.parts[1:]), "expected the parts players, slots"),
        (
            Snapshot("voxel", saved.layout, (("players", b"x"), *saved.parts[1:])),
            "players has 1 bytes, expected",
        ),
    ):
        with pytest.raises(BadValue, match=message):
            world.restore(0, wrong)
    assert world.snapshot(0) == saved


def test_a_restored_row_keeps_nothing_of_its_own_state(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    saved = world.snapshot(0)
    rows = []
    for before in (0, 40):
        world.reset(1, Setup(seed=7))
        for k in range(before):
            set_block(world.worlds, 1, k % 16, 110, k // 16, 1)
            note_change(world.worlds, 1, k % 16, 110, k // 16, 0)
        world.restore(1, saved)
        arrays = world.worlds.arrays()
        rows.append({name: arrays[name][1].tobytes() for name in arrays if name not in DERIVED})
    assert [name for name in rows[0] if rows[0][name] != rows[1][name]] == []


def test_a_scheduled_cell_stays_scheduled_once_after_a_restore(worlds):
    """Scheduled water that notices another change flows once, at the earlier time."""
    first, second = worlds
    first.reset(0, Setup(seed=2))
    x, z = (int(first.worlds.players[name][0]) + 3 for name in ("x", "z"))
    set_block(first.worlds, 0, x, 110, z, block("water").id)
    note_change(first.worlds, 0, x, 110, z, 0)
    go_on(first, 0, noop()[None])
    saved = first.snapshot(0)
    second.restore(1, saved)
    hashes = []
    for world, row in ((first, 0), (second, 1)):
        waiting = int(world.worlds.players["scheduled"][row])
        note_change(world.worlds, row, x, 110, z, 0)
        hashes.append(go_on(world, row, noop()[None]))
        assert world.worlds.players["scheduled"][row] == waiting > 0
    assert hashes[0] == hashes[1]
