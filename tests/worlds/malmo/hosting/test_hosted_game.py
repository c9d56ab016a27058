"""The embedded world plays the game's part in missions of every dialect."""

from dataclasses import replace

import numpy as np
import pytest

from optimus_gym.core.actions import camera_turns, noop, pressing
from optimus_gym.core.errors import BadValue, UnknownName, WorldFailed
from optimus_gym.game.blocks import block_names
from optimus_gym.testing.small_worlds import MinimalWorld
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.hosting.hosted_game import HostedGame
from optimus_gym.worlds.malmo.hosting.mission_start import mission_start
from optimus_gym.worlds.malmo.missions import Placement, StartStack
from optimus_gym.worlds.malmo.report_json import read_report, report_message
from optimus_gym.worlds.malmo.reports import AIR_NAME, WireStack
from optimus_gym.worlds.malmo.wire_actions import WireAction
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.malmo.hosting.missions_of_clients import (
    FIND_CAVE,
    MINESTUDIO,
    NAVIGATE,
    OBTAIN_DIAMOND,
    OF_DIALECTS,
    TABLE,
    TREECHOP,
)

NOOP = WireAction()
DOWN = WireAction(pitch=55.0)


@pytest.fixture(scope="module")
def world():
    made = VoxelWorld(1, view_distance=16, threads=1)
    yield made
    made.close()


@pytest.fixture
def lines():
    return []


@pytest.fixture
def game(world, lines):
    return HostedGame(world, tell=lines.append)


def play(game, *actions):
    """Carry out actions and return the last moment."""
    for action in actions:
        game.send(action)
        moment = game.receive()
    return moment


def keys(*names, **turns):
    return WireAction(frozenset(names), **turns)


def chat(text):
    return WireAction(chat=text)


def counts(moment):
    """Return pieces by item."""
    made = {}
    for stack in moment.report.stacks:
        made[stack.item] = made.get(stack.item, 0) + stack.count
    return made


def looks(moment):
    return moment.picture.tobytes(), moment.report, moment.reward, moment.done


WALK = (
    keys("forward", "sprint", "jump", yaw=7.5),
    keys("forward", "attack", pitch=12.0),
    keys("left", "use", "hotbar.3", yaw=-33.3),
    replace(keys("back"), voxels=(-1, 1, -2, 0, -1, 1), mobs=(-20, 20, -5, 5, -20, 20)),
    keys("inventory"),
    keys("sneak", "forward", yaw=3.0),
    keys("ESC", "drop"),
    NOOP,
)


@pytest.mark.parametrize("dialect", OF_DIALECTS)
def test_equal_seeds_and_actions_give_equal_moments(game, dialect):
    mission = OF_DIALECTS[dialect]
    runs = []
    for _ in range(2):
        first = game.begin(mission, 11)
        runs.append([looks(moment) for moment in (first, *(play(game, one) for one in WALK))])
    assert runs[0] == runs[1]
    assert game.begin(mission, 12).picture.tobytes() != runs[0][0][0]


@pytest.mark.parametrize("dialect", OF_DIALECTS)
def test_reports_come_through_the_wire(game, dialect):
    game.begin(OF_DIALECTS[dialect], None)
    told = play(game, *WALK[:4]).report
    start = mission_start(OF_DIALECTS[dialect], 5, game._world)
    read = read_report(report_message(told, start.dialect))
    assert read.location == told.location
    assert (read.life, read.statistics) == (told.life, told.statistics)
    assert (read.stacks, read.screen_open) == (told.stacks, told.screen_open)
    if start.dialect.near:
        assert (read.voxels, read.mobs) == (told.voxels, told.mobs)


def test_frames_equal_the_world_s_own(game):
    mission = replace(MINESTUDIO, width=64, height=36)
    moments = [game.begin(mission, 21), *(play(game, one) for one in WALK[:3])]
    own = VoxelWorld(1, view_distance=16, threads=1)
    own.reset(0, mission_start(mission, 21, own).setup)
    presses = (
        {"forward": 1, "sprint": 1, "jump": 1},
        {"forward": 1, "attack": 1},
        {"left": 1, "use": 1, "hotbar": 3},
    )
    image = np.zeros((1, 36, 64, 3), np.uint8)
    for k, moment in enumerate(moments):
        if k:
            turns = np.array([[WALK[k - 1].pitch, WALK[k - 1].yaw]])
            own.tick([0], pressing(presses[k - 1])[None], turns)
        own.frames([0], image)
        assert np.array_equal(moment.picture, image[0]), k
        pose = own.poses([0])[0]
        assert (moment.report.location.x, moment.report.location.z) == (pose[0], pose[2])
    assert not camera_turns(noop()[None]).any()
    own.close()


def test_the_token_s_seed_goes_before_the_mission_s_and_that_before_a_drawn_one(game):
    token, own, again = (game.begin(MINESTUDIO, seed) for seed in (11, None, 5))
    assert looks(own) == looks(again) != looks(token)
    free = replace(MINESTUDIO, seed=None)
    drawn = [looks(game.begin(free, None)) for _ in range(2)]
    assert drawn[0] != drawn[1]
    other = HostedGame(game._world)
    assert [looks(other.begin(free, None))] == drawn[:1] or game._begun > 2


def test_the_start_inventory_is_in_its_slots(game):
    stacks = (
        *(StartStack(0, "iron_axe"), StartStack(4, "torch", 3), StartStack(35, "dirt", 64)),
        *(StartStack(36, "iron_boots"), StartStack(40, "shield")),
    )
    first = game.begin(replace(MINESTUDIO, inventory=stacks), None)
    assert first.report.stacks == (
        *(WireStack(0, "iron_axe", 1), WireStack(4, "torch", 3), WireStack(35, "dirt", 64)),
    )
    assert first.report.worn["feet"].item == "iron_boots"
    assert first.report.worn["feet"].most_damage == 195
    assert first.report.worn["offhand"].item == "shield"
    assert first.report.worn["mainhand"].item == "iron_axe"
    cave = game.begin(replace(FIND_CAVE, inventory=stacks), None)
    assert cave.report.stacks[3:] == (
        WireStack(36, "iron_boots", 1),
        WireStack(40, "shield", 1),
    )
    last = play(game, *[NOOP] * 3, keys("hotbar.5"))
    assert last.report.worn["mainhand"].item == "torch"


def test_obtain_diamond_rewards_its_table_and_ends(game, world):
    game.begin(OBTAIN_DIAMOND, None)
    names = {"log": "birch_log", "planks": "spruce_planks"}
    for name, reward in TABLE:
        world.command(0, f"/give @s {names.get(name, name)}")
        moment = play(game, NOOP)
        assert (moment.reward, moment.done) == (reward, name == "diamond"), name
        if name != "diamond":
            assert play(game, NOOP).reward == 0.0
    assert counts(moment)["log"] == 1
    assert {stack.metadata for stack in moment.report.stacks if stack.item == "log"} == {2}


def test_treechop_rewards_each_log_and_ends_at_64(game, world):
    first = game.begin(TREECHOP, None)
    assert first.report.worn["mainhand"].item == "iron_axe"
    assert world.biome(0) == "forest"
    assert first.report.location.biome_id == 4
    world.command(0, "/give @s oak_log 2")
    world.command(0, "/give @s acacia_log")
    assert play(game, NOOP).reward == 3.0
    world.command(0, "/clear @s oak_log")
    assert play(game, NOOP).reward == 0.0
    world.command(0, "/give @s oak_log 63")
    moment = play(game, NOOP)
    assert (moment.reward, moment.done) == (61.0, True)


def test_functions_lead_from_a_log_to_an_iron_ingot(game, world):
    game.begin(replace(OBTAIN_DIAMOND, inventory=(StartStack(0, "log", 3, 2),)), None)

    def functions(**chosen):
        return WireAction(functions=tuple(chosen.items()))

    made = play(game, *[functions(craft="planks")] * 3, functions(craft="stick"))
    assert counts(made) == {"planks": 10, "stick": 4}
    assert made.report.statistics["craft_item"] == {"birch_planks": 12, "stick": 4}
    assert play(game, functions(craftNearby="wooden_pickaxe")).reward == 0.0
    play(game, functions(craft="crafting_table"), DOWN, functions(place="crafting_table"))
    made = play(game, functions(craftNearby="wooden_pickaxe", equip="air"))
    assert made.reward == 8.0
    assert counts(made) == {"planks": 3, "stick": 2, "wooden_pickaxe": 1}
    held = play(game, functions(equip="wooden_pickaxe")).report.worn["mainhand"]
    assert (held.item, held.damage, held.most_damage) == ("wooden_pickaxe", 0, 59)
    assert "mainhand" not in play(game, functions(equip="air")).report.worn
    world.command(0, "/give @s furnace")
    world.command(0, "/give @s iron_ore")
    play(game, keys(yaw=90.0), keys(yaw=90.0), functions(place="furnace"))
    made = play(game, functions(smeltNearby="iron_ingot"), NOOP, NOOP, NOOP)
    assert counts(made).get("iron_ingot") == 1
    assert made.report.statistics["craft_item"]["iron_ingot"] == 1


def test_navigate_hides_a_block_that_ends_the_mission(game, world):
    first = game.begin(NAVIGATE, 9)
    target = game._episode.target
    found = block_of(world, "diamond_block")
    start = first.report.location
    assert abs(np.hypot(found[0] - start.x, found[2] - start.z) - 64.0) < 1.5
    gap = np.hypot(target.x - found[0], target.z - found[2])
    assert 7.0 < gap < 13.0
    assert target.y == found[1]
    bearing = np.degrees(np.arctan2(-(target.x - start.x), target.z - start.z))
    turned = play(game, keys(yaw=float(bearing - start.yaw) % 360.0 - 180.0), keys(yaw=180.0))
    settled = play(game, *[NOOP] * 60)
    assert abs(settled.report.compass) < 2.0
    assert turned.report.compass is not None
    walked = play(game, keys("forward"), keys("forward"))
    assert walked.reward > 0.0
    world.command(0, f"/tp @s {found[0] + 0.5} {found[1] + 1} {found[2] + 0.5}")
    at = play(game, NOOP)
    assert at.done
    assert at.reward > 100.0


def block_of(world, name):
    """Return the place of the only changed block of a kind."""
    edits = world.worlds.edits[0, : world.worlds.players["edits"][0]]
    number = block_names().index(name)
    places = [
        tuple(int(one[axis]) for axis in "xyz") for one in edits if one["voxel"] & 1023 == number
    ]
    assert len(places) == 1
    return places[0]


def test_esc_closes_a_screen_and_opens_no_menu(game):
    game.begin(MINESTUDIO, None)
    assert not play(game, keys("ESC")).report.screen_open
    assert play(game, keys("inventory"), NOOP).report.screen_open
    assert not play(game, keys("ESC"), NOOP).report.screen_open
    assert not play(game, keys("ESC"), keys("pickItem")).report.screen_open


def test_chat_carries_commands_out_and_survives_refusals(game, lines):
    game.begin(MINESTUDIO, None)
    assert counts(play(game, chat("/give @s minecraft:diamond 2"))) == {"diamond": 2}
    assert lines == []
    assert counts(play(game, chat("/give @s no_such_item"), chat("hello"), NOOP)) == {"diamond": 2}
    assert len(lines) == 1
    assert lines[0].startswith("/give @s no_such_item: unknown item")


def test_a_step_reports_the_blocks_and_creatures_asked_for(game, world):
    game.begin(replace(MINESTUDIO, creatures=False), None)
    play(game, chat("/summon cow ~2 ~ ~1"))
    moment = play(game, replace(NOOP, voxels=(-2, 1, -1, 2, 0, 3), mobs=(-9, 9, -9, 9, -9, 9)))
    told = {(near.x, near.y, near.z): near.name for near in moment.report.voxels}
    assert len(told) == len(moment.report.voxels) == 4 * 4 * 4
    assert (min(told), max(told)) == ((-2, -1, 0), (1, 2, 3))
    x, y, z = (int(place // 1) for place in world.poses([0])[0, :3])
    width = world.worlds.voxels.shape[1]
    for (dx, dy, dz), name in told.items():
        voxel = world.worlds.voxels[0, (x + dx) % width, (z + dz) % width, y + dy]
        assert block_names()[voxel & 1023] == name
    assert told[0, 0, 0] == AIR_NAME != told[0, -1, 0]
    (cow,) = moment.report.mobs
    assert (cow.name, cow.health) == ("cow", 10.0)
    assert abs(cow.x - 2.0) < 1.0
    later = play(game, NOOP).report
    assert (later.voxels, later.mobs) == (None, None)
    crossed = play(game, replace(NOOP, mobs=(9, -9, 9, -9, 9, -9))).report
    assert len(crossed.mobs) == 1
    assert crossed.voxels is None


@pytest.mark.parametrize("ends", [False, True])
def test_a_dead_player_respawns_with_the_next_action(game, ends):
    game.begin(replace(MINESTUDIO, ends_at_death=ends), None)
    play(game, chat("/give @s dirt 3"))
    dead = play(game, chat("/kill"))
    assert dead.done == ends
    assert not dead.report.life.alive
    back = play(game, NOOP)
    assert not back.done
    assert back.report.life.health == 20.0
    assert back.report.statistics["custom"]["deaths"] == 1
    assert counts(back) == {}


def test_a_placement_is_where_the_player_begins(game):
    place = Placement(100.5, 90.0, -20.5, yaw=90.0, pitch=30.0)
    told = game.begin(replace(MINESTUDIO, placement=place), None).report.location
    assert (told.x, told.y, told.z, told.yaw, told.pitch) == (100.5, 90.0, -20.5, 90.0, 30.0)


def test_time_stands_still_if_the_mission_says_so(game, world):
    game.begin(replace(MINESTUDIO, time=6000, time_passes=False), None)
    play(game, NOOP, NOOP)
    assert world.worlds.skies["time"][0] == 6000
    game.begin(replace(MINESTUDIO, time=18_000, weather="rain"), None)
    told = play(game, NOOP, NOOP).report.location
    assert world.worlds.skies["time"][0] == 18_002
    assert (told.rains, told.sun < 0.1, told.light < 8) == (True, True, True)


def test_pieces_that_are_dropped_are_counted(game):
    game.begin(replace(MINESTUDIO, inventory=(StartStack(0, "dirt", 2),)), None)
    told = play(game, keys("drop"), NOOP).report
    assert told.statistics["drop"] == {"dirt": 1}
    assert play(game, keys("drop"), keys("drop")).report.statistics["drop"] == {"dirt": 2}


@pytest.mark.parametrize(
    "bad",
    [
        replace(MINESTUDIO, biome="mushroom_fields"),
        replace(MINESTUDIO, inventory=(StartStack(0, "no_such_item"),)),
        replace(MINESTUDIO, weather="snow"),
        replace(MINESTUDIO, world_file="w.zip"),
        replace(NAVIGATE, navigation=replace(NAVIGATE.navigation, block="x")),
    ],
)
def test_a_bad_mission_changes_nothing(game, world, bad):
    game.begin(MINESTUDIO, None)
    moment = play(game, keys("forward"))
    saved, begun = world.snapshot(0), game._begun
    with pytest.raises((BadValue, UnknownName)):
        game.begin(bad, 3)
    assert world.snapshot(0) == saved
    assert game._begun == begun
    assert looks(game.receive()) == looks(moment)


def test_an_action_needs_a_mission(world):
    game = HostedGame(world)
    for call in (lambda: game.send(NOOP), game.receive):
        with pytest.raises(WireFault, match="expected a mission"):
            call()
    game.close()
    game.close()


def test_a_world_without_exact_turns_is_refused():
    small = MinimalWorld(1, view_distance=16)
    with pytest.raises(BadValue, match="'camera'"):
        HostedGame(small)
    small.close()


class Few(VoxelWorld):
    """An embedded world that declares few powers."""

    can = frozenset({"keys", "camera", "functions", "pictures"})


def test_a_world_of_few_powers_tells_what_it_knows(lines):
    world = Few(1, view_distance=16, threads=1)
    game = HostedGame(world, tell=lines.append)
    stacks = (StartStack(0, "planks", 64), StartStack(1, "planks", 6), StartStack(2, "iron_axe"))
    first = game.begin(replace(OBTAIN_DIAMOND, inventory=stacks), None).report
    assert [(one.slot, one.item, one.count) for one in first.stacks] == [
        *((0, "planks", 64), (1, "planks", 6), (2, "iron_axe", 1)),
    ]
    assert first.worn["mainhand"].item == "planks"
    assert (first.location.light, first.life.experience) == (15, 0)
    asking = WireAction(chat="/time set day", voxels=(0, 1, 0, 1, 0, 1))
    told = play(game, asking, keys("forward")).report
    assert (told.voxels, told.mobs, told.compass) == (None, None, None)
    assert lines == [
        "/time set day: the world takes no commands.",
        "voxels, mobs: the world does not report its player's surroundings.",
    ]
    world.close()


class Breaking(VoxelWorld):
    """An embedded world that breaks down in its first tick."""

    def tick(self, rows, actions, turns=None):
        raise WorldFailed({0: "out of luck"})


def test_a_world_that_breaks_down_is_a_fault_of_the_wire():
    world = Breaking(1, view_distance=16, threads=1)
    game = HostedGame(world)
    game.begin(OBTAIN_DIAMOND, None)
    with pytest.raises(WireFault, match="out of luck"):
        game.send(NOOP)
    world.close()
