"""The wire-sighted executor kills and finds what the world reports."""

import numpy as np
import pytest

from optimus_gym.controllers.wire_sighted.exploring import vein_heights
from optimus_gym.controllers.wire_sighted.hunting_by_sight import prey_of
from optimus_gym.core.types import SubGoal
from optimus_gym.game.creatures import creature_kinds
from tests.controllers.wire_sighted.told import Sighted


@pytest.fixture
def sighted():
    return Sighted(78_000)


def test_a_cow_is_killed_for_its_beef(sighted):
    x, y, z = sighted.world.poses([0])[0, :3]
    sighted.world.command(0, f"summon cow {x + 4:.0f} {y:.0f} {z + 3:.0f}")
    assert sighted.run(SubGoal("kill", "beef", 1, creature="cow")) is None
    assert sighted.held()["beef"] >= 1


def test_a_cow_and_a_block_are_found(sighted):
    x, y, z = sighted.world.poses([0])[0, :3]
    sighted.world.command(0, f"summon cow {x + 12:.0f} {y:.0f} {z:.0f}")
    assert sighted.run(SubGoal("find", "cow")) is None
    creatures = sighted.world.worlds.creatures[0, : sighted.world.worlds.fauna["creatures"][0]]
    cow = creatures[creatures["kind"] == tuple(creature_kinds()).index("cow")]
    here = sighted.world.poses([0])[0]
    assert min(np.abs(cow["x"] - here[0]) + np.abs(cow["z"] - here[2])) < 12
    assert sighted.run(SubGoal("find", "oak_log", 1, ("oak_log", "birch_log"))) is None


def test_what_the_world_does_not_report_is_not_found(sighted):
    for verb, item in (("kill", "oak_log"), ("find", "stick")):
        failure = sighted.run(SubGoal(verb, item))
        assert failure is not None
        assert (failure.reason, failure.item) == ("not_found", item)


def test_prey_is_what_drops_the_items():
    kinds = np.array(tuple(creature_kinds()))
    assert kinds[prey_of(SubGoal("kill", "beef"))].tolist() == ["cow"]
    assert kinds[prey_of(SubGoal("kill", "beef", creature="pig"))].tolist() == []


def test_heights_of_veins():
    assert vein_heights(["iron_ore"]) == (0, 63)
    assert vein_heights(["iron_ore", "diamond_ore"]) == (0, 63)
    assert vein_heights(["stone"]) is None
    assert vein_heights([]) is None
