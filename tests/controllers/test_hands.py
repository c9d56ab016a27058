"""The helper works in a world that offers only the methods of the protocol."""

import numpy as np
import pytest

from optimus_gym.controllers.hands import Hands
from optimus_gym.core.actions import CAMERA_STILL, Function, noop
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.testing.small_worlds import MinimalWorld
from optimus_gym.worlds.voxel.land.cells import set_block
from tests.controllers.play import Play

HELD = {"oak_log": 3, "furnace": 1, "iron_ore": 1, "coal": 1, "iron_helmet": 1}
PLANKS = ("oak_planks", "birch_planks")
ERRANDS = (
    SubGoal("craft", "oak_planks", 12, PLANKS),
    SubGoal("craft", "stick", 4),
    SubGoal("craft", "crafting_table"),
    SubGoal("place", "crafting_table"),
    SubGoal("craft", "wooden_pickaxe", station="crafting_table"),
    SubGoal("equip", "wooden_pickaxe"),
    SubGoal("equip", "iron_helmet"),
    SubGoal("place", "furnace"),
    SubGoal("smelt", "iron_ingot", station="furnace"),
)


def hidden(seed=0, **inventory):
    world = MinimalWorld(1)
    world.reset(0, Setup(seed, inventory=inventory))
    return Play(world, seed)


@pytest.mark.parametrize("seed", range(8))
def test_the_helper_makes_a_pickaxe_and_an_ingot(seed):
    play = hidden(seed, **HELD)
    for errand in ERRANDS:
        assert play.run(errand) is None, f"{errand} at tick {play.ticks}"
        if errand.verb == "equip" and errand.item == "wooden_pickaxe":
            assert Hands(play.world, 0).hand() == "wooden_pickaxe"
    held = play.held()
    assert held["wooden_pickaxe"] == held["iron_ingot"] == held["iron_helmet"] == 1
    assert "crafting_table" not in held
    hands = Hands(play.world, 0)
    assert hands.worn() == ("iron_helmet",)
    assert set(hands.stations()) == {"crafting_table", "furnace"}
    assert play.ticks < 1000


def test_worn_items_are_not_counted_in_the_inventory():
    play = hidden(iron_helmet=2, dirt=3)
    assert play.run(SubGoal("equip", "iron_helmet")) is None
    assert Hands(play.world, 0).counts() == {"dirt": 3, "iron_helmet": 1}


@pytest.mark.parametrize(
    ("held", "subgoal", "reason", "item"),
    [
        ({}, SubGoal("craft", "oak_planks"), "missing_item", "oak_log"),
        ({"oak_planks": 3, "stick": 2}, SubGoal("craft", "wooden_pickaxe"), "missing_station",
         "crafting_table"),
        ({"iron_ore": 1, "coal": 1}, SubGoal("smelt", "iron_ingot"), "missing_station", "furnace"),
        ({}, SubGoal("equip", "shears"), "missing_item", "shears"),
        ({}, SubGoal("place", "furnace"), "missing_item", "furnace"),
        ({"stick": 1}, SubGoal("place", "stick"), "missing_item", "stick"),
    ],
)  # fmt: skip
def test_the_helper_reports_the_missing_item(held, subgoal, reason, item):
    failure = hidden(**held).run(subgoal)
    assert (failure.reason, failure.item) == (reason, item)


@pytest.mark.parametrize("pickaxe", ["wooden_pickaxe", None])
def test_the_helper_digs_a_place_for_a_table(pickaxe):
    play = hidden(3, crafting_table=1, **({pickaxe: 1} if pickaxe else {}))
    wall_in(play, "stone")
    assert play.run(SubGoal("place", "crafting_table")) is None
    assert "crafting_table" in play.world.stations(0)
    assert play.ticks < 800


def test_the_helper_gives_up_between_undiggable_blocks():
    play = hidden(3, crafting_table=1)
    wall_in(play, "bedrock")
    failure = play.run(SubGoal("place", "crafting_table"))
    assert (failure.reason, failure.item) == ("stuck", "crafting_table")


def wall_in(play, name):
    """Enclose the player in a cell of its own size."""
    world = play.world._MinimalWorld__world
    world.tick([0], Hands(world, 0).fresh()[None])
    player = world.worlds.players[0]
    x, y, z = (int(np.floor(player[axis])) for axis in "xyz")
    player["x"], player["z"] = x + 0.5, z + 0.5
    for dx in range(-2, 3):
        for dz in range(-2, 3):
            for dy in range(-2, 4):
                free = dx == dz == 0 and dy in (0, 1)
                set_block(
                    world.worlds, 0, x + dx, y + dy, z + dz, block("air" if free else name).id
                )


def test_functions_are_called_with_the_items_id():
    hands = Hands(hidden(dirt=1).world, 0)
    action = hands.call(Function.PLACE, "dirt")
    assert action.tolist() == [0] * 11 + [
        CAMERA_STILL,
        CAMERA_STILL,
        Function.PLACE,
        item("dirt").id,
    ]
    assert hands.fresh().tolist() == noop().tolist()
