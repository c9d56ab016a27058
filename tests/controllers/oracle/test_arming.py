"""The oracle makes itself a sword only in worlds with monsters."""

import pytest

from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import act, setting_of

HELD = {"stone_pickaxe": 1, "crafting_table": 1, "oak_log": 1}


def fetch_coal(**setup):
    """Let the oracle fetch coal; return its items and the failure."""
    world = VoxelWorld(1)
    world.reset(0, Setup(4, biome="forest", **setup))
    oracle = OracleController()
    oracle.attach(setting_of(world))
    oracle.begin_episodes([0], [4])
    oracle.begin_subgoals([0], [SubGoal("mine", "coal", 1)])
    for _ in range(3000):
        actions, failures = act(oracle)
        if failures[0] is not None or oracle.has_ended(0):
            return held_counts(world), failures[0]
        world.tick([0], actions)
    raise AssertionError("it had not ended after 3,000 ticks")


def test_the_oracle_makes_a_sword_from_its_spare_log():
    held_counts, failure = fetch_coal(inventory=HELD, creatures=True, difficulty="normal")
    assert failure is None
    assert held_counts["stone_sword"] == 1
    assert held_counts["crafting_table"] == 1
    assert "oak_log" not in held_counts


@pytest.mark.parametrize(
    "setup",
    [
        {"inventory": HELD},
        {"inventory": HELD, "creatures": True, "difficulty": "peaceful"},
        {"inventory": {**HELD, "iron_sword": 1}, "creatures": True, "difficulty": "normal"},
    ],
)
def test_the_oracle_makes_no_sword_without_monsters_or_with_an_iron_sword(setup):
    held_counts, failure = fetch_coal(**setup)
    assert failure is None
    assert "stone_sword" not in held_counts
    assert held_counts["oak_log"] == 1


def test_the_oracle_begins_nothing_without_the_required_tool():
    held_counts, failure = fetch_coal(creatures=True, difficulty="normal")
    assert (failure.reason, failure.item) == ("missing_tool", "wooden_pickaxe")
    assert held_counts == {}
