"""The oracle carries out sub-goals in the embedded world, never plans, and fails with a reason."""

import pytest

from optimus_gym.controllers.oracle.oracle import OracleController
from optimus_gym.controllers.random import RandomController
from optimus_gym.core.actions import CONTROL_SIZES, FUNCTION, ITEM
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import LOGS, Play, act, setting_of

TO_STONE_PICKAXE = (
    SubGoal("mine", "oak_log", 3, LOGS),
    SubGoal("craft", "oak_planks", 9, tuple(f"{log[:-4]}_planks" for log in LOGS)),
    SubGoal("craft", "stick", 4),
    SubGoal("craft", "crafting_table"),
    SubGoal("place", "crafting_table"),
    SubGoal("craft", "wooden_pickaxe"),
    SubGoal("equip", "wooden_pickaxe"),
    SubGoal("mine", "cobblestone", 3, tool="wooden_pickaxe"),
    SubGoal("place", "crafting_table"),
    SubGoal("craft", "stone_pickaxe"),
)


@pytest.mark.parametrize("seed", range(5))
def test_the_oracle_makes_a_stone_pickaxe_from_a_list_of_sub_goals(seed):
    play = Play.embedded(seed)
    for subgoal in TO_STONE_PICKAXE:
        assert play.run(subgoal) is None, f"{subgoal} at tick {play.ticks}"
    assert play.held()["stone_pickaxe"] == 1
    assert play.ticks < 3600


@pytest.mark.parametrize("seed", range(20))
def test_the_oracle_makes_no_stone_pickaxe_without_a_planner(seed):
    play = Play.embedded(seed)
    failure = play.run(SubGoal("craft", "stone_pickaxe", station="crafting_table"))
    assert failure.reason in ("missing_item", "missing_station")
    failure = play.run(SubGoal("mine", "cobblestone", 3, tool="wooden_pickaxe"))
    assert (failure.reason, failure.item) == ("missing_tool", "wooden_pickaxe")
    assert play.held() == {}


def test_the_oracle_knows_the_required_tool_of_a_sub_goal_without_a_tool():
    failure = Play.embedded(0).run(SubGoal("mine", "iron_ore"))
    assert (failure.reason, failure.item) == ("missing_tool", "stone_pickaxe")


def test_an_item_that_no_block_gives_is_not_found():
    failure = Play.embedded(0).run(SubGoal("mine", "iron_pickaxe"))
    assert (failure.reason, failure.item) == ("not_found", "iron_pickaxe")


def test_the_same_seed_gives_the_same_actions():
    ends = []
    for _ in range(2):
        play = Play.embedded(3, stone_pickaxe=1)
        assert play.run(SubGoal("mine", "coal", 2)) is None
        ends.append((play.ticks, play.player.tobytes()))
    assert ends[0] == ends[1]


def test_mining_adds_to_the_held_items():
    play = Play.embedded(1, wooden_pickaxe=1, cobblestone=5)
    assert play.run(SubGoal("mine", "cobblestone", 4)) is None
    assert play.held()["cobblestone"] >= 9


def test_the_oracle_mines_a_diamond_with_a_given_pickaxe():
    play = Play.embedded(2, iron_pickaxe=1)
    assert play.run(SubGoal("mine", "diamond"), 20_000) is None
    assert play.held()["diamond"] >= 1
    assert play.player["health"] == 20


def test_the_random_controller_stays_in_the_action_space():
    controller = RandomController()
    controller.attach(setting_of())
    controller.begin_episodes([0], [5])
    actions = [act(controller)[0][0] for _ in range(300)]
    for place, size in enumerate(CONTROL_SIZES):
        assert {int(action[place]) for action in actions} == set(range(size))
    assert all(action[FUNCTION] == action[ITEM] == 0 for action in actions)


def test_rows_do_not_disturb_each_other():
    def logs_of(seeds):
        world = VoxelWorld(len(seeds))
        oracle = OracleController()
        oracle.attach(setting_of(world, len(seeds)))
        rows = list(range(len(seeds)))
        for row, seed in enumerate(seeds):
            world.reset(row, Setup(seed))
        oracle.begin_episodes(rows, seeds)
        oracle.begin_subgoals(rows, [SubGoal("mine", "oak_log", 2, LOGS)] * len(rows))
        for _ in range(400):
            actions, _failures = act(oracle, rows)
            world.tick(rows, actions)
        return [world.worlds.players[row].tobytes() for row in rows]

    assert logs_of([0, 3]) == logs_of([0]) + logs_of([3])


@pytest.mark.parametrize("view_distance", [32, 128])
def test_the_oracle_finds_iron_at_every_view_distance(view_distance):
    world = VoxelWorld(1, view_distance)
    world.reset(0, Setup(7, inventory={"stone_pickaxe": 1}))
    play = Play(world, 7)
    assert play.run(SubGoal("mine", "iron_ore", 3), 12_000) is None
    assert play.held()["iron_ore"] >= 3
