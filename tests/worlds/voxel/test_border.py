"""Players, creatures and items stop at the world's border; a player there can be saved and turn back."""

import numpy as np
import pytest

from optimus_gym.core.actions import FORWARD, JUMP, SPRINT, noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.snapshots import Snapshot
from optimus_gym.core.types import Setup
from optimus_gym.game.border import BORDER
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.bodies.posture import PLAYER_HALF_WIDTH
from optimus_gym.worlds.voxel.creatures.kinds import HALF_WIDTH, STROLLS
from optimus_gym.worlds.voxel.creatures.population import add_creature
from optimus_gym.worlds.voxel.things.drops import drop_at
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.envs.conftest import make

ROW = np.zeros(1, np.int64)
FARTHEST = BORDER - 3.0
STICK_HALF = 0.125
"""Half the width of an item that lies about (blocks); Minecraft Wiki, "Item (entity)"."""
YAWS = {(1, 0): 270, (-1, 0): 90, (0, 1): 0, (0, -1): 180}
"""The yaw that looks along each way."""
each_way = pytest.mark.parametrize("way", YAWS)
COW = tuple(creature_kinds()).index("cow")


@pytest.fixture(scope="module")
def world():
    return VoxelWorld(1, view_distance=16)


def begin(world, way, seed=3):
    """Put the player into the air near the border."""
    x, z = (0.5 + FARTHEST * part for part in way)
    world.reset(0, Setup(seed=seed, position=(x, 120.0, z), creatures=True, difficulty="peaceful"))
    world.worlds.players["yaw"] = YAWS[way]


def out(world, way):
    """Return how far the player is from the middle, along a way."""
    x, _, z = world.poses([0])[0, :3]
    return x * way[0] + z * way[1]


@each_way
def test_a_player_stops_at_the_border_and_can_be_saved_there(world, way):
    begin(world, way)
    action = noop()[None]
    action[0, [FORWARD, JUMP, SPRINT]] = 1
    world.worlds.players["vx"], world.worlds.players["vz"] = way
    for _ in range(60):
        world.tick(ROW, action)
        assert out(world, way) <= BORDER - PLAYER_HALF_WIDTH + 1e-6
        assert not world.worlds.players["on_ground"][0], "it flies: no land stops it"
        world.worlds.players["y"], world.worlds.players["vy"] = 120, 0
    assert out(world, way) == pytest.approx(BORDER - PLAYER_HALF_WIDTH, abs=1e-6)
    saved = Snapshot.from_bytes(world.snapshot(0).to_bytes())
    world.restore(0, saved)
    assert world.snapshot(0) == saved


@each_way
def test_a_player_at_the_border_can_turn_back(world, way):
    begin(world, way)
    x, z = ((BORDER - PLAYER_HALF_WIDTH) * part + 0.5 * (not part) for part in way)
    world.worlds.players["x"], world.worlds.players["z"] = x, z
    world.worlds.players["yaw"] = YAWS[-way[0], -way[1]]
    action = noop()[None]
    action[0, FORWARD] = 1
    for _ in range(10):
        world.tick(ROW, action)
    assert out(world, way) < BORDER - PLAYER_HALF_WIDTH - 0.1


def send(creature, way):
    """Let a creature stroll to a cell nine blocks away."""
    creature["mood"], creature["step"], creature["steps"], creature["been_wait"] = (
        STROLLS,
        0,
        1,
        100,
    )
    creature["step_x"] = np.floor(creature["x"] + 9.0 * way[0])
    creature["step_y"] = np.floor(creature["y"])
    creature["step_z"] = np.floor(creature["z"] + 9.0 * way[1])


@each_way
def test_items_and_creatures_stop_at_the_border(world, way):
    begin(world, way)
    worlds = world.worlds
    world.tick(ROW, noop()[None])
    x, z = ((BORDER - 1.5) * part + 0.5 * (not part) for part in way)
    k = add_creature(worlds, 0, COW, x, 100.0, z)
    row = drop_at(worlds, 0, x, 100.0, z, item("stick").id, 1, 0)
    cow, stick = worlds.creatures[0, k : k + 1], worlds.drops[0, row : row + 1]
    for body in (cow, stick):
        body["vx"], body["vz"] = 3.0 * way[0], 3.0 * way[1]
    for _ in range(5):
        send(cow, way)
        world.tick(ROW, noop()[None])
    for body, half in ((cow, HALF_WIDTH[COW]), (stick, STICK_HALF)):
        far = body["x"][0] * way[0] + body["z"][0] * way[1]
        assert far == pytest.approx(BORDER - half, abs=1e-6)


def test_creatures_on_plain_ground_stop_at_the_border(world):
    """Creatures on plain ground walk by a shorter rule, which ignores walls."""
    begin(world, (1, 0))
    worlds = world.worlds
    for _ in range(200):
        world.tick(ROW, noop()[None])
    feet = float(world.poses([0])[0, 1])
    k = add_creature(worlds, 0, COW, BORDER - 1.5, feet, float(world.poses([0])[0, 2]))
    cow = worlds.creatures[0, k : k + 1]
    for _ in range(100):
        cow["on_ground"] = 1
        send(cow, (1, 0))
        world.tick(ROW, noop()[None])
        assert cow["x"][0] <= BORDER - HALF_WIDTH[COW] + 1e-6


@pytest.mark.parametrize("x", [BORDER, -BORDER, 3e7])
def test_reset_rejects_a_position_beyond_the_border(x):
    env = make("OptimusFlat-Wood-v0").unwrapped
    for position in ((x, 100, 0), (0, 100, x)):
        with pytest.raises(BadValue, match=r"option position: .*z. < 29999984, got"):
            env.reset(seed=0, options={"position": position})
    last = np.copysign(np.nextafter(BORDER, 0), x)
    env.reset(seed=0, options={"position": (last, 100, 0)})
    env.snapshot().to_bytes()
