"""Each key of each observation shows what the report tells, and what it shows is the report again."""

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict

from optimus_gym.envs.minerl.enum_space import EnumSpace
from optimus_gym.envs.minerl.minerl_tasks import minerl_task
from optimus_gym.envs.minerl.observation_form import ObservationForm
from optimus_gym.worlds.malmo.client.observed_reports import observed_report
from optimus_gym.worlds.malmo.games import WireMoment
from optimus_gym.worlds.malmo.report_json import read_report, report_message
from optimus_gym.worlds.malmo.reports import (
    EQUIPMENT,
    Location,
    PlayerLife,
    Report,
    WireStack,
    Worn,
)

SURVIVAL = ObservationForm(minerl_task("HumanSurvival"))
DIAMOND = ObservationForm(minerl_task("ObtainDiamond"))


def shown(form, **report):
    pov = form.space["pov"].shape
    made = form.observation(WireMoment(np.zeros(pov, np.uint8), Report(**report)))
    assert form.space.contains(made)
    return made


def counted(observation, key):
    """Return the counts of an observation that are not zero."""
    return {name: int(count) for name, count in observation[key].items() if count}


def test_a_fresh_player_is_shown_in_every_task(task):
    form = ObservationForm(task)
    observation = shown(form)
    assert list(observation) == sorted(observation) == list(form.space.spaces)
    for key in {"inventory"} & set(observation):
        assert counted(observation, key) == {}


def test_the_picture_is_a_copy(task):
    form = ObservationForm(task)
    picture = np.arange(np.prod(form.space["pov"].shape), dtype=np.uint8)
    picture = picture.reshape(form.space["pov"].shape)
    pov = form.observation(WireMoment(picture, Report()))["pov"]
    assert np.array_equal(pov, picture)
    assert not np.shares_memory(pov, picture)


def test_each_item_of_each_inventory_is_counted(task):
    if task.inventory and len(task.inventory) < 50:
        form = ObservationForm(task)
        for item in task.inventory:
            stacks = (WireStack(0, item, 5), WireStack(9, item, 2), WireStack(1, "bedrock", 1))
            assert counted(shown(form, stacks=stacks), "inventory") == {item: 7}


def test_all_items_are_counted_at_once():
    names = [name for name in SURVIVAL.space["inventory"] if name != "air"]
    stacks = tuple(WireStack(0, name, 1 + k % 64) for k, name in enumerate(names))
    told = counted(shown(SURVIVAL, stacks=stacks), "inventory")
    assert told == {stack.item: stack.count for stack in stacks}


def test_both_kinds_of_logs_of_the_old_game_are_logs():
    stacks = (WireStack(0, "log", 3), WireStack(1, "log2", 2))
    assert counted(shown(DIAMOND, stacks=stacks), "inventory") == {"log": 5}


@pytest.mark.parametrize("place", EQUIPMENT)
def test_each_worn_stack_is_shown_at_its_place(place):
    worn = Worn("iron_pickaxe", 7, 250)
    told = shown(SURVIVAL, worn={place: worn})["equipped_items"]
    assert set(told) == set(EQUIPMENT)
    back = {
        name: Worn(one["type"], int(one["damage"]), int(one["maxDamage"]))
        for name, one in told.items()
    }
    assert back == {**dict.fromkeys(EQUIPMENT, Worn()), place: worn}


@pytest.mark.parametrize("item", DIAMOND.space["equipped_items"]["mainhand"]["type"].values)
def test_each_held_item_of_version_0_4_4_is_named(item):
    told = shown(DIAMOND, worn={"mainhand": Worn(item, 1, 59)})["equipped_items"]["mainhand"]
    assert (told["type"], int(told["damage"]), int(told["maxDamage"])) == (item, 1, 59)


def test_a_held_item_outside_the_list_is_other_or_air():
    assert (
        shown(DIAMOND, worn={"mainhand": Worn("dirt")})["equipped_items"]["mainhand"]["type"]
        == "other"
    )
    strange = shown(SURVIVAL, worn={"head": Worn("hat")})["equipped_items"]["head"]
    assert strange["type"] == "air"


def test_vitals_are_shown_and_read_again():
    life = PlayerLife(
        health=13.5, food=17, saturation=2.5, air=80, experience=44, score=12, alive=False
    )
    told = shown(SURVIVAL, life=life)["life_stats"]
    again = PlayerLife(
        health=float(told["life"]),
        food=int(told["food"]),
        saturation=float(told["saturation"]),
        air=int(told["air"]),
        experience=int(told["xp"]),
        score=int(told["score"]),
        alive=bool(told["is_alive"]),
    )
    assert again == life
    assert len(told) == 7


def test_the_location_is_shown_and_read_again():
    place = Location(1.5, 70.25, -3.5, -90.0, 12.5, 21, 0.5, 0.75, False, True, 7, 0.25, 0.5, 62)
    told = shown(SURVIVAL, location=place)["location_stats"]
    names = (
        "xpos",
        "ypos",
        "zpos",
        "yaw",
        "pitch",
        "biome_id",
        "biome_rainfall",
        "biome_temperature",
    )
    names += (
        "can_see_sky",
        "is_raining",
        "light_level",
        "sky_light_level",
        "sun_brightness",
        "sea_level",
    )
    assert Location(*(told[name].item() for name in names)) == place
    assert len(told) == 14


def test_numbers_outside_their_spaces_are_moved_inside():
    life = PlayerLife(health=24.0, air=-20, experience=5000)
    told = shown(SURVIVAL, life=life, location=Location(yaw=540.0))
    assert [told["life_stats"][key].item() for key in ("life", "air", "xp")] == [20.0, 0, 1395]
    assert told["location_stats"]["yaw"].item() == -180.0


@pytest.mark.parametrize("angle", [-180.0, 0.0, 33.5, 180.0])
def test_the_compass_is_shown(angle):
    told = shown(ObservationForm(minerl_task("Navigate")), compass=angle)
    assert told["compass"]["angle"].item() == angle


GROUPS = ("use_item", "drop", "pickup", "break_item", "craft_item", "mine_block")
GROUPS += ("entity_killed_by", "kill_entity")


@pytest.mark.parametrize("group", GROUPS)
def test_each_name_of_each_statistic_is_counted(group):
    names = [name for name in SURVIVAL.space[group] if (group, name) != ("drop", "drop")]
    counts = {name: k + 1 for k, name in enumerate(names)}
    told = shown(SURVIVAL, statistics={group: {**counts, "nonsense": 3}})
    assert counted(told, group) == counts
    for other in set(GROUPS) - {group}:
        assert counted(told, other) == {}


def test_the_games_own_statistics_are_in_three_observations():
    told = shown(SURVIVAL, statistics={"custom": {"drop": 4, "damage_dealt": 55, "jump": 6}})
    assert counted(told, "drop") == {"drop": 4}
    assert counted(told, "damage_dealt") == {"damage_dealt": 55}
    assert counted(told, "full_stats") == {"drop": 4, "damage_dealt": 55, "jump": 6}


def test_the_last_group_with_a_name_counts_in_full_stats():
    statistics = {group: {"dirt": k} for k, group in enumerate(GROUPS, 1)}
    assert counted(shown(SURVIVAL, statistics=statistics), "full_stats") == {"dirt": 2}
    both = {"kill_entity": {"cow": 5}, "entity_killed_by": {"cow": 1}, "mine_block": {"fire": 3}}
    assert counted(shown(SURVIVAL, statistics=both), "full_stats") == {"cow": 1, "fire": 3}


def test_the_sizes_are_those_of_minerl():
    sizes = {key: len(space) for key, space in SURVIVAL.space.items() if isinstance(space, Dict)}
    assert sizes == {
        **dict.fromkeys(("inventory", "use_item", "pickup", "break_item", "craft_item"), 976),
        **{"drop": 977, "mine_block": 763, "kill_entity": 108, "entity_killed_by": 108},
        **{"full_stats": 1233, "damage_dealt": 1, "life_stats": 7, "location_stats": 14},
        "equipped_items": 6,
    }
    assert SURVIVAL.space["pov"].shape == (360, 640, 3)
    assert SURVIVAL.space["inventory"]["air"] == Box(0, 2304, (), np.int32)
    assert SURVIVAL.space["equipped_items"]["head"]["damage"] == Box(-1, 1562, (), np.int64)
    assert len(SURVIVAL.space["equipped_items"]["head"]["type"].values) == 976
    assert len(DIAMOND.space["inventory"]) == 18
    assert isinstance(DIAMOND.space["equipped_items"]["mainhand"]["type"], EnumSpace)


def test_an_observation_is_the_same_over_the_wire(task):
    form = ObservationForm(task)
    report = Report(
        stacks=(WireStack(0, "stick", 5), WireStack(3, "iron_ore", 2)),
        worn={"mainhand": Worn("stone_pickaxe", 3, 131)},
        life=PlayerLife(health=11.0),
        location=Location(x=12.0, sees_sky=False),
        statistics={"mine_block": {"iron_ore": 2}, "custom": {"jump": 9}},
        compass=12.5 if task.compass else None,
    )
    picture = np.zeros(form.space["pov"].shape, np.uint8)
    told = read_report(report_message(report, task.dialect))
    one, other = (form.observation(WireMoment(picture, each)) for each in (report, told))
    assert str(one) == str(other)


def test_the_reader_of_observations_finds_the_report_again():
    """`worlds.malmo.client` reads the observations of MineRL's environments, and so these."""
    report = Report(
        screen_open=True,
        stacks=(WireStack(0, "oak_log", 5), WireStack(1, "stone_pickaxe", 1)),
        worn={place: Worn("iron_helmet", 3, 165) for place in EQUIPMENT},
        life=PlayerLife(11.5, 17, 2.5, 80, 44, 12),
        location=Location(1.5, 70.25, -3.5, -90.0, 12.5, 21, 0.5, 0.75, True, False, 7),
        statistics={"mine_block": {"oak_log": 5}, "drop": {"dirt": 2}, "kill_entity": {"cow": 1}},
    )
    told = {**shown(SURVIVAL, **fields_of(report)), "isGuiOpen": True}
    assert observed_report(told, old=False) == report


def fields_of(report):
    return {name: getattr(report, name) for name in report.__dataclass_fields__}


def test_the_reader_of_observations_finds_old_names_again():
    stacks = (WireStack(0, "log", 3), WireStack(1, "planks", 2))
    report = Report(stacks=stacks, worn={"mainhand": Worn("iron_axe", 1, 251)})
    again = observed_report(shown(DIAMOND, **fields_of(report)), old=True)
    assert [(stack.item, stack.count) for stack in again.stacks] == [
        ("oak_log", 3),
        ("oak_planks", 2),
    ]
    assert again.worn == report.worn


def test_spaces_of_two_environments_draw_apart():
    first, second = (ObservationForm(minerl_task("Navigate")).space for _ in range(2))
    first.seed(3)
    second.seed(3)
    kept = str(first.sample())
    first.seed(3)
    second.sample()
    assert str(first.sample()) == kept
