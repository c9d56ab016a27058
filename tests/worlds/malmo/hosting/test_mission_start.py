"""Missions become setups and commands, and what no world has is refused by name."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.worlds.malmo.hosting.mission_start import mission_start
from optimus_gym.worlds.malmo.missions import ItemGoal, Navigation, Placement, StartStack
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.malmo.hosting.missions_of_clients import (
    FIND_CAVE,
    MINESTUDIO,
    NAVIGATE,
    OBTAIN_DIAMOND,
    SURVIVAL,
    TREECHOP,
)


def start(mission, without=()):
    """Return the start of a mission in the embedded world, perhaps without some of its powers."""
    return mission_start(mission, 3, SimpleNamespace(can=VoxelWorld.can - set(without)))


def test_treechop_begins_in_the_forest_with_its_axe():
    made = start(TREECHOP)
    setup = made.setup
    assert (setup.seed, setup.biome, setup.time, setup.creatures) == (3, "forest", 6000, False)
    assert setup.inventory == {"iron_axe": 1}
    assert setup.assists == ("always_day", "instant_smelting")
    assert (setup.difficulty, setup.screens, setup.messages) == ("normal", False, False)
    assert made.commands == ()
    assert "1 options are left out" in made.notes[0]


def test_clients_with_the_game_s_screens_play_on_hard():
    for mission in (FIND_CAVE, MINESTUDIO):
        setup = start(mission).setup
        assert (setup.difficulty, setup.screens, setup.messages) == ("hard", True, True)
    assert start(FIND_CAVE).setup.biome == "plains"
    assert start(FIND_CAVE).setup.assists == ("always_day",)
    assert start(MINESTUDIO).setup.assists == ()
    assert start(MINESTUDIO).notes == ()


def test_settings_of_the_screen_are_noted():
    assert "fov" in start(replace(SURVIVAL, fov=90.0)).notes[0]


@pytest.mark.parametrize(
    ("stacks", "inventory"),
    [
        ([(0, "dirt", 64), (1, "dirt", 6), (2, "stick", 3)], {"dirt": 70, "stick": 3}),
        ([(1, "stick", 2), (0, "dirt", 1)], {"dirt": 1, "stick": 2}),
    ],
)
def test_stacks_in_the_first_slots_need_no_commands(stacks, inventory):
    made = start(replace(MINESTUDIO, inventory=tuple(StartStack(*one) for one in stacks)))
    assert (made.setup.inventory, made.commands) == (inventory, ())


@pytest.mark.parametrize(
    "stacks",
    [
        [(1, "stick", 2)],
        [(0, "stick", 2), (1, "stick", 2)],
        [(0, "dirt", 1), (1, "stick", 1), (2, "dirt", 1)],
    ],
)
def test_other_slots_are_filled_by_commands(stacks):
    made = start(replace(MINESTUDIO, inventory=tuple(StartStack(*one) for one in stacks)))
    assert made.setup.inventory == {}
    assert made.commands[1:-1] == tuple(
        f"/replaceitem entity @s container.{slot} {name} {count}" for slot, name, count in stacks
    )
    with pytest.raises(BadValue, match="'commands'"):
        start(replace(MINESTUDIO, inventory=(StartStack(1, "stick"),)), ["commands"])


def test_worn_stacks_are_filled_by_commands():
    made = start(
        replace(MINESTUDIO, inventory=(StartStack(39, "iron_helmet"), StartStack(40, "shield")))
    )
    assert made.commands[1:3] == (
        "/replaceitem entity @s armor.head iron_helmet 1",
        "/replaceitem entity @s weapon.offhand shield 1",
    )


def test_old_names_become_new_ones():
    stacks = (StartStack(0, "planks", 4, 2), StartStack(1, "log2", 1, 1), StartStack(2, "fence"))
    assert start(replace(OBTAIN_DIAMOND, inventory=stacks)).setup.inventory == {
        "birch_planks": 4,
        "dark_oak_log": 1,
        "oak_fence": 1,
    }


def test_a_placement_sets_position_and_view():
    made = start(replace(SURVIVAL, biome="plains", placement=Placement(1.5, 70, -3.5, 90, 20)))
    assert (made.setup.position, made.setup.biome) == ((1.5, 70, -3.5), None)
    assert "/tp @s ~ ~ ~ 90.000000 20.000000" in made.commands


@pytest.mark.parametrize(
    ("biome", "stands_for_it"),
    [
        ("extreme_hills", "mountains"),
        ("minecraft:desert", "desert"),
        ("snowy_tundra", "snowy_plains"),
        ("wooded_hills", "forest"),
        ("Sunflower Plains", "plains"),
    ],
)
def test_a_biome_of_any_version_is_known(biome, stands_for_it):
    assert start(replace(SURVIVAL, biome=biome)).setup.biome == stands_for_it


def test_a_biome_may_be_a_number():
    assert start(replace(NAVIGATE, land="biome", land_options="3")).setup.biome == "mountains"
    options = json.dumps({"fixedBiome": -1})
    assert start(replace(TREECHOP, land_options=options)).setup.biome is None


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"biome": "mushroom_fields"}, "biome of this world"),
        ({"land": "biome", "land_options": "14"}, "biome of this world"),
        ({"land": "biome", "land_options": "9999"}, "9999"),
        ({"land_options": "{"}, "generatorOptions"),
        ({"land_options": "[" * 100_000}, "generatorOptions"),
        ({"land_options": '{"fixedBiome": "x"}'}, "fixedBiome"),
        ({"land": "flat"}, "FlatWorldGenerator"),
        ({"land": "file", "land_options": "w"}, "FileWorldGenerator"),
        ({"world_file": "w.zip"}, "LoadWorldFile"),
        ({"in_village": True}, "SpawnInVillage"),
        ({"depth": True}, "want_depth"),
        ({"health": 7.0}, "StartingHealth"),
        ({"food": 3}, "StartingFood"),
        ({"placement": Placement(0, -9, 0)}, "Placement"),
        ({"placement": Placement(4e8, 70, 0)}, "Placement"),
        ({"inventory": (StartStack(0, "planks"),)}, "unknown item 'planks'"),
        ({"inventory": (StartStack(41, "stick"),)}, "slot"),
        ({"inventory": (StartStack(0, "stick", 65),)}, "quantity"),
        ({"inventory": (StartStack(0, "stick", 0),)}, "quantity"),
        ({"navigation": Navigation("stick", 8, 8)}, "NavigationDecorator"),
    ],
)
def test_what_no_world_has_is_refused_by_name(change, what):
    with pytest.raises((BadValue, UnknownName), match=what):
        start(replace(SURVIVAL, **change))


def test_a_full_start_is_accepted():
    assert start(replace(SURVIVAL, health=20.0, food=20)).setup.seed == 3


@pytest.mark.parametrize(
    ("mission", "power"),
    [
        (OBTAIN_DIAMOND, "functions"),
        (SURVIVAL, "mouse"),
        (NAVIGATE, "surroundings"),
        (NAVIGATE, "commands"),
        (replace(SURVIVAL, ends_touching=("stone",)), "surroundings"),
    ],
)
def test_a_power_that_is_missing_is_named(mission, power):
    with pytest.raises(BadValue, match=power):
        start(mission, [power])
    start(replace(SURVIVAL, ends_with=(ItemGoal("log"),)), [])
