"""A restored world goes on as the one that was saved, byte for byte."""

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.worlds.voxel import snapshot as snapshots
from optimus_gym.worlds.voxel.land.cells import set_block
from optimus_gym.worlds.voxel.state.worlds import DERIVED, TRIMMED, make_worlds
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.trajectory import START, random_actions

ROOT = Path(__file__).resolve().parents[2]
ROW = np.zeros(1, np.int64)


@pytest.fixture(scope="module")
def worlds():
    """Two worlds of two rows; the second looks less far."""
    return VoxelWorld(2), VoxelWorld(2, view_distance=32)


def picture(world, row, size=(48, 36)):
    image = np.zeros((size[1], size[0], 3), np.uint8)
    world.frames([row], image[None])
    return image.tobytes()


def go_on(world, row, actions, look=False):
    """Play and return a hash of all that shows: state and accounts of each tick, frames if asked."""
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
def test_a_restored_world_goes_on_as_the_original(worlds, seed, before, after, draws, looked):
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
def test_a_restored_world_is_seen_as_the_original(worlds, seed, before, draws):
    world, _ = worlds
    actions = random_actions(np.random.default_rng(draws), before + 60)
    world.reset(0, Setup(seed=seed, inventory=START))
    go_on(world, 0, actions[:before], look=True)
    saved, shown = world.snapshot(0), picture(world, 0)
    expected = go_on(world, 0, actions[before:], look=True)
    world.restore(1, saved)
    assert picture(world, 1) == shown
    assert go_on(world, 1, actions[before:], look=True) == expected


def test_another_process_goes_on_as_the_original(worlds, tmp_path):
    world, _ = worlds
    actions = random_actions(np.random.default_rng(1), 300)
    world.reset(0, Setup(seed=5, inventory=START))
    go_on(world, 0, actions[:200])
    world.snapshot(0).save(tmp_path / "state")
    script = (
        "import numpy as np\n"
        "from tests.worlds import test_snapshot as t\n"
        "world = t.VoxelWorld(1)\n"
        f"world.restore(0, t.Snapshot.load({str(tmp_path / 'state')!r}))\n"
        "actions = t.random_actions(np.random.default_rng(1), 300)[200:]\n"
        "print(t.go_on(world, 0, actions, look=True))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == go_on(world, 0, actions[200:], look=True)


def test_a_reset_leaves_nothing_of_what_was(worlds):
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


def test_more_edits_than_a_world_has_room_for(worlds):
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
    """The snapshot with one number replaced, as somebody would who knows its form."""
    arrays = {name: array.copy() for name, array in snapshots.read(saved).items()}
    arrays[part][field][-1:] = value
    parts = tuple((name, array.tobytes()) for name, array in arrays.items())
    return Snapshot(saved.world, saved.layout, parts)


@pytest.mark.parametrize(
    ("part", "field", "value", "message"),
    [
        ("players", "x", np.nan, "players.x: expected finite numbers"),
        ("players", "z", 1e9, "players.z: expected -30000000 to 30000000"),
        ("players", "hotbar", 9, "players.hotbar: expected 0 to 8"),
        ("players", "edits", 7, "edits has 1 rows, expected 7"),
        ("players", "events", 1000, "players.events: expected 0 to 48"),
        ("assists", "night_vision", 2, "assists.night_vision: expected 0 to 1"),
        ("slots", "item", 60000, "slots.item: expected 0 to 975"),
        ("drops", "item", 60000, "drops.item: expected 0 to 975"),
        ("drops", "vy", np.inf, "drops.vy: expected finite numbers"),
        ("furnaces", "fuel", (60000, 1, 0), "furnaces.fuel: expected 0 to 975"),
        ("events", "kind", 99, "events.kind: expected 0 to"),
        ("edits", "y", 500, "edits.y: expected 0 to 127"),
        ("edits", "voxel", 1000, "edits.voxel: expected 0 to"),
    ],
)
def test_what_no_world_holds_is_refused_and_the_world_goes_on(worlds, part, field, value, message):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    set_block(world.worlds, 0, 5, 100, 7, 1)
    saved = world.snapshot(0)
    with pytest.raises(BadValue, match=f"snapshot: {message}"):
        world.restore(0, changed(saved, part, field, value))
    assert world.snapshot(0) == saved


def test_other_worlds_and_versions_are_refused_and_the_world_goes_on(worlds):
    world, _ = worlds
    world.reset(0, Setup(seed=2))
    saved = world.snapshot(0)
    for wrong, message in (
        (b"bytes", "expected a Snapshot, got b'bytes'"),
        (Snapshot("symbolic", saved.layout, saved.parts), "expected one of a 'voxel' world"),
        (Snapshot("voxel", "0123", saved.parts), "of another version of the world: .*'0123'"),
        (Snapshot("voxel", saved.layout, saved.parts[1:]), "expected the parts players, slots"),
        (
            Snapshot("voxel", saved.layout, (("players", b"x"), *saved.parts[1:])),
            "players has 1 bytes, expected",
        ),
    ):
        with pytest.raises(BadValue, match=message):
            world.restore(0, wrong)
    assert world.snapshot(0) == saved
