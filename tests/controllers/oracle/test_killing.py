"""The oracle kills creatures for what they drop, in worlds that have creatures."""

import pytest

from optimus_gym.controllers.oracle.killing import prey_of
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import Play


def lively(seed, creatures=True, **setup):
    world = VoxelWorld(1)
    world.reset(0, Setup(seed, creatures=creatures, difficulty="normal", **setup))
    return Play(world, seed)


@pytest.mark.parametrize(
    ("seed", "item", "count", "biome"),
    [(1, "leather", 2, "plains"), (4, "mutton", 2, "desert"), (3, "chicken", 1, None)],
)
def test_the_oracle_kills_until_it_holds_what_the_creatures_drop(seed, item, count, biome):
    play = lively(seed, biome=biome)
    assert play.run(SubGoal("kill", item, count)) is None
    assert play.held()[item] >= count
    assert play.player["health"] > 0


def test_kills_add_to_what_was_held():
    play = lively(3, inventory={"chicken": 5})
    assert play.run(SubGoal("kill", "chicken", 1)) is None
    assert play.held()["chicken"] >= 6


@pytest.mark.parametrize(
    ("item", "creatures", "why"),
    [("beef", False, "the world has no creatures"), ("stone", True, "no creature drops it")],
)
def test_prey_that_does_not_exist_is_not_found(item, creatures, why):
    failure = lively(0, creatures=creatures).run(SubGoal("kill", item))
    assert (failure.reason, failure.item, failure.detail) == ("not_found", item, why)


def test_a_sub_goal_may_name_the_creature():
    kinds = list(creature_kinds())

    def wanted(**about):
        return [kinds[k] for k in prey_of(SubGoal("kill", "beef", **about)).nonzero()[0]]

    assert wanted() == ["cow"]
    assert wanted(creature="pig") == []
    assert "cow" in wanted(accepts=("leather", "porkchop"))
    assert "pig" in wanted(accepts=("leather", "porkchop"))
