import json
from importlib.resources import files

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.envs.minerl.minerl_tasks import (
    VERSIONS,
    ItemReward,
    minerl_task,
    minerl_tasks,
    versions_of,
)
from optimus_gym.game.items import item_names
from optimus_gym.worlds.malmo.mission_reading import read_mission
from optimus_gym.worlds.malmo.mission_xml import write_mission
from optimus_gym.worlds.malmo.missions import BlockGoal, ItemGoal, StartStack, dialect_of

DIAMOND = {
    "log": 1, "planks": 2, "stick": 4, "crafting_table": 4, "wooden_pickaxe": 8, "cobblestone": 16,
    "furnace": 32, "stone_pickaxe": 32, "iron_ore": 64, "iron_ingot": 128, "iron_pickaxe": 256,
    "diamond": 1024,
}  # fmt: skip


def test_each_task_has_a_source_and_a_version(task):
    assert task.source.startswith(f"MineRL {task.version}, ")
    assert task.version in VERSIONS
    assert minerl_task(task.name, task.version) is task


def test_a_mission_survives_the_wire_and_names_its_dialect(task):
    again = read_mission(write_mission(task.mission, "episode"))
    assert again == task.mission
    assert dialect_of(again) == task.dialect
    assert again.name == f"MineRL{task.name}-v0"


def test_the_table_uses_all_its_lists():
    text = files("optimus_gym.envs.minerl.data").joinpath("tasks.json").read_text("utf-8")
    table = json.loads(text)
    rows = json.dumps(table["tasks"])
    assert [name for name in table["lists"] if f'"{name}"' not in rows] == []


@pytest.mark.parametrize(
    ("name", "version"),
    [
        *[(name, "0.4.4") for name in ("Treechop", "NavigateDense", "ObtainIronPickaxe")],
        *[(name, "1.0") for name in ("HumanSurvival", "BasaltFindCave", "BasaltMakeWaterfall")],
    ],
)
def test_a_task_without_a_version_has_the_usual_one(name, version):
    assert minerl_task(name).version == version


def test_strangers_are_refused():
    with pytest.raises(UnknownName, match="unknown MineRL task 'ObtainDimond'; did you mean"):
        minerl_task("ObtainDimond")
    with pytest.raises(UnknownName, match=r"version of MineRL for HumanSurvival '0\.4\.4'"):
        minerl_task("HumanSurvival", "0.4.4")


@pytest.mark.parametrize("dense", ["", "Dense"])
def test_the_way_to_a_diamond_is_rewarded(dense):
    task = minerl_task(f"ObtainDiamond{dense}")
    assert {goal.item: goal.reward for goal in task.mission.possessions} == DIAMOND
    assert {goal.count for goal in task.mission.possessions} == {1}
    assert task.mission.once == (not dense)
    assert task.mission.ends_with == (ItemGoal("diamond"),)
    assert task.mission.time == 6000
    assert task.ticks == 18_000


def test_the_way_to_an_iron_pickaxe_ends_with_its_crafting():
    task = minerl_task("ObtainIronPickaxe")
    wanted = {name: reward for name, reward in DIAMOND.items() if name != "diamond"}
    assert {goal.item: goal.reward for goal in task.mission.possessions} == wanted
    assert task.mission.ends_crafting == (ItemGoal("iron_pickaxe"),)
    assert task.mission.ends_with == ()
    assert task.ticks == 6000


def test_treechop_begins_in_a_forest_with_an_axe():
    mission = minerl_task("Treechop").mission
    assert mission.inventory == (StartStack(0, "iron_axe"),)
    assert json.loads(mission.land_options)["fixedBiome"] == 4
    assert mission.possessions == (ItemGoal("log", 1, 1.0),)
    assert not mission.once
    assert mission.ends_with == (ItemGoal("log", 64),)
    assert not mission.time_passes


@pytest.mark.parametrize("dense", ["", "Dense"])
@pytest.mark.parametrize("extreme", ["", "Extreme"])
def test_navigate_leads_to_a_block_of_diamond(extreme, dense):
    mission = minerl_task(f"Navigate{extreme}{dense}").mission
    assert mission.touched == (BlockGoal("diamond_block", 100.0),)
    assert mission.compass_reward == (1.0 if dense else None)
    assert (mission.land, mission.land_options) == (("biome", "3") if extreme else ("default", ""))
    assert mission.ends_touching == ("diamond_block",)
    assert mission.navigation.most_radius == 64


def test_version_1_has_the_settings_of_the_players_screen():
    for forms in minerl_tasks().values():
        if "1.0" in forms:
            mission = forms["1.0"].mission
            assert (mission.gui_scale, mission.gamma, mission.fov, mission.cursor_size) == (
                1,
                2,
                70,
                16,
            )


def test_treechop_of_version_1_counts_logs_of_all_kinds():
    (reward,) = minerl_task("Treechop", "1.0").rewards
    assert reward == ItemReward(
        tuple(n for n in sorted(item_names()) if n.endswith("_log") and "stripped" not in n),
        1,
        64,
        ends=True,
    )


def test_items_of_version_1_exist_and_those_of_version_0_4_4_are_old():
    for name in minerl_tasks():
        for version, task in versions_of(name).items():
            named = [stack.item for stack in task.mission.inventory]
            named += [item for reward in task.rewards for item in reward.items]
            if version == "1.0":
                assert set(named) <= set(item_names())
