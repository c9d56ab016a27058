"""Reports of the game become a world's answers: counts, bodies, events, stations, surroundings."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.types import EVENT_KINDS, Event
from optimus_gym.core.world_powers import UNKNOWN_BLOCK, Surroundings
from optimus_gym.envs.world_answers import check_events
from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.malmo.client.happenings import events_between, has_died
from optimus_gym.worlds.malmo.client.near_reports import surroundings_in
from optimus_gym.worlds.malmo.client.player_answers import (
    body_in,
    counts_in,
    level_with,
    pockets_in,
    pose_in,
)
from optimus_gym.worlds.malmo.client.station_memory import STATIONS_KNOWN, StationMemory
from optimus_gym.worlds.malmo.reports import (
    Location,
    NearBlock,
    NearCreature,
    PlayerLife,
    Report,
    WireStack,
    Worn,
)

BOOTS, LOG = item("iron_boots").id, item("oak_log").id
STACKS = (WireStack(0, "oak_log", 9), WireStack(35, "iron_boots", 1), WireStack(7, "nonsense", 5))
REPORT = Report(
    stacks=STACKS,
    worn={"mainhand": Worn("oak_log"), "feet": Worn("iron_boots"), "head": Worn("air")},
    life=PlayerLife(health=7.5, food=3, saturation=0.5, air=-20, experience=352),
)


@pytest.mark.parametrize(("slots", "boots"), [(True, 2), (False, 1)])
def test_worn_stacks_count(slots, boots):
    counts = counts_in(REPORT, slots)
    assert (counts[BOOTS], counts[LOG], counts.sum()) == (boots, 9, boots + 9)


def test_a_body_has_equipment_and_vitals():
    equipment, vitals = body_in(REPORT, counts_in(REPORT, True))
    assert equipment.tolist() == [LOG, 0, BOOTS, 0, 0, 0]
    assert vitals.tolist() == [7.5, 3.0, 0.5, -20.0, 2.0, 16.0]


def test_pockets_hold_known_items_by_slot():
    pockets = pockets_in(REPORT)
    assert {k: pockets[k].tolist() for k in np.flatnonzero(pockets[:, 1])} == {
        0: [LOG, 9],
        35: [BOOTS, 1],
    }


def test_levels_need_the_points_of_the_wiki():
    """Total points at levels 1, 15, 16, 17, 30, 31, 32, 40 (Minecraft Wiki, "Experience")."""
    totals = {1: 7, 15: 315, 16: 352, 17: 394, 30: 1395, 31: 1507, 32: 1628, 40: 2920}
    assert {level: level_with(points) for level, points in totals.items()} == dict(
        zip(totals, totals, strict=True)
    )
    assert [level_with(points - 1) for points in totals.values()] == [k - 1 for k in totals]


@pytest.mark.parametrize(("told", "yaw"), [(-1e-300, 0.0), (-180.0, 180.0), (725.0, 5.0)])
def test_a_pose_stays_in_its_ranges(told, yaw):
    assert pose_in(Location(yaw=told, pitch=91.0))[3:] == (yaw, 90.0)


def report(health=20.0, air=300, food=20, y=64.0, **statistics):
    return Report(
        life=PlayerLife(health=health, air=air, food=food, alive=health > 0),
        location=Location(y=y),
        statistics=statistics,
    )


def told(before, after):
    events = events_between(before, after, has_died(before, after))
    assert check_events("game", events, 0) == events
    return {(event.kind, event.subject): event.count for event in events}


@pytest.mark.parametrize(
    ("statistics", "events"),
    [
        ({"mine_block": {"stone": 3}}, {("mined", "stone"): 2}),
        ({"pickup": {"dirt": 1, "no_such": 1}}, {("picked_up", "dirt"): 1}),
        ({"craft_item": {"stick": 4}}, {("crafted", "stick"): 4}),
        ({"craft_item": {"iron_ingot": 1}}, {("smelted", "iron_ingot"): 1}),
        ({"use_item": {"torch": 1}}, {("used", "torch"): 1}),
        ({"use_item": {"bread": 1}}, {("used", "bread"): 1, ("eaten", "bread"): 1}),
        ({"use_item": {"iron_pickaxe": 5}}, {}),
        ({"break_item": {"iron_pickaxe": 1}}, {("broken", "iron_pickaxe"): 1}),
        ({"kill_entity": {"cow": 1}}, {("killed", "cow"): 1}),
        ({"custom": {"jump": 7}}, {}),
    ],
    ids=str,
)
def test_grown_counts_are_events(statistics, events):
    assert told(report(mine_block={"stone": 1}), report(**statistics)) == events


def test_all_kinds_of_events_exist():
    assert {"smelted", "eaten", "used", "hurt", "died"} <= set(EVENT_KINDS)


@pytest.mark.parametrize(
    ("after", "cause"),
    [
        (report(18.0, custom={"damage_taken": 20, "fall_one_cm": 500}), "fall"),
        (report(18.0, custom={"damage_taken": 20, "fall_one_cm": 100}), None),
        (report(18.0, air=-3), "drowning"),
        (report(18.0, food=0), None),
        (report(18.0, y=-20.0), "void"),
        (report(18.0, entity_killed_by={"zombie": 1}), "zombie"),
        (report(18.0, entity_killed_by={"ghast": 1}), None),
    ],
)
def test_damage_has_its_likeliest_source(after, cause):
    assert told(report(), after) == ({} if cause is None else {("hurt", cause): 2})


def test_hunger_hurts_only_the_starving():
    assert told(report(food=0), report(19.0, food=0)) == {("hurt", "starvation"): 1}


@pytest.mark.parametrize(
    "after",
    [report(0.0, y=-70.0), report(20.0, y=-70.0, custom={"deaths": 1, "damage_taken": 200})],
)
def test_a_player_that_the_game_revived_at_once_has_died(after):
    assert has_died(report(), after)
    assert told(report(), after) == {("hurt", "void"): 20, ("died", "void"): 1}


def near_report(*blocks, mobs=(), at=(10.5, 64.0, -3.5)):
    place = Location(*at)
    return Report(location=place, voxels=blocks, mobs=mobs)


def test_blocks_are_placed_relative_to_the_player():
    box = (-1, 1, -1, 0, -2, 2)
    mob = NearCreature("pig", 0.25, 0.0, -1.5, 10.0)
    made = surroundings_in(near_report(NearBlock("stone", -1, 0, 2), mobs=(mob,)), box)
    assert made.corner == (9, 63, -6)
    assert made.blocks.shape == (3, 2, 5)
    assert made.blocks[0, 1, 4] == block("stone").id
    assert (made.blocks == UNKNOWN_BLOCK).sum() == made.blocks.size - 1
    assert (made.creatures[0].x, made.creatures[0].z) == (10.75, -5.0)


def test_places_outside_the_box_are_absolute():
    box = (-1, 1, -1, 0, -2, 2)
    mob = NearCreature("pig", 10.75, 64.0, -5.0, 10.0)
    blocks = NearBlock("stone", 9, 64, -2), NearBlock("dirt", 90, 64, -2)
    made = surroundings_in(near_report(*blocks, mobs=(mob,)), box)
    assert made.blocks[0, 1, 4] == block("stone").id
    assert (made.blocks == UNKNOWN_BLOCK).sum() == made.blocks.size - 1
    assert (made.creatures[0].x, made.creatures[0].z) == (10.75, -5.0)


HERE = (0.5, 64.0, 0.5, 0.0, 20.0)


def shown(name, cell, corner=(-2, 62, -2), shape=(5, 5, 5)):
    blocks = np.zeros(shape, np.int32)
    blocks[tuple(np.subtract(cell, corner))] = block(name).id
    return Surroundings(corner, blocks, ())


def test_a_placed_station_is_known_until_it_is_mined():
    memory = StationMemory()
    memory.note_events((Event("used", "furnace", 1), Event("used", "dirt", 1)), HERE)
    assert memory.in_reach(HERE) == ("furnace",)
    assert memory.is_unsure
    assert memory.in_reach((9.5, *HERE[1:])) == ()
    memory.note_events((Event("mined", "furnace", 1), Event("mined", "smoker", 1)), HERE)
    assert memory.in_reach(HERE) == ()


def test_a_report_corrects_what_was_supposed():
    memory = StationMemory()
    memory.note_events((Event("used", "crafting_table", 1),), HERE)
    memory.note_blocks(shown("crafting_table", (-1, 64, -1)))
    assert not memory.is_unsure
    assert memory.in_reach(HERE) == ("crafting_table",)
    assert memory.in_reach((5.0, 64.0, 0.5, 0.0, 0.0)) == ()
    memory.note_blocks(shown("furnace", (0, 65, 2)))
    assert memory.in_reach(HERE) == ("furnace",)
    unknown = replace(shown("dirt", (0, 65, 2)), blocks=np.full((5, 5, 5), UNKNOWN_BLOCK, np.int32))
    memory.note_blocks(unknown)
    assert memory.in_reach(HERE) == ("furnace",)
    memory.note_blocks(shown("dirt", (0, 65, 2)))
    assert memory.in_reach(HERE) == ()


def test_the_reach_ends_where_the_player_s_does():
    memory = StationMemory()
    memory.note_blocks(shown("smoker", (0, 64, 0)))
    for x, reaches in ((5.4, True), (5.6, False)):
        assert bool(memory.in_reach((x, 63.5, 0.5, 0.0, 0.0))) == reaches


def test_the_stations_are_those_of_the_embedded_world():
    from optimus_gym.worlds.voxel.things.stations import STATION_BLOCKS

    assert STATIONS_KNOWN == STATION_BLOCKS
