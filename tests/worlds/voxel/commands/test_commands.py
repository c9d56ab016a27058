"""Each chat command changes the world as in Minecraft 1.16.5, and answers with the game's line."""

from pathlib import Path

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.commands.grammar import CHAT_COMMANDS
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.state.needs import ABSORPTION, REGENERATION
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, HEAD, OFFHAND
from optimus_gym.worlds.voxel.terrain.tints import tint_of


def cell(place):
    return tuple(int(np.floor(value)) for value in place)


def test_a_command_may_begin_with_a_slash_and_names_with_the_namespace(game):
    for text in ("give @s stick 2", "/give @p minecraft:stick 2", "/minecraft:give Player stick 2"):
        assert game.say(text) == "Gave 2 [Stick] to Player"
    assert game.held() == {"stick": 6}


def test_give_drops_what_does_not_fit(game):
    assert game.say("/give @s stone 6400") == "Gave 6400 [Stone] to Player"
    assert game.held() == {"stone": 36 * 64}
    assert game.table("drops")["count"].sum() == 64 * 64
    with pytest.raises(BadValue, match=r"count of stone \(100 stacks\): expected .* to 6400"):
        game.say("/give @s stone 6401")


@pytest.mark.parametrize(
    ("slot", "index"),
    [
        ("hotbar.3", 3),
        ("inventory.0", 9),
        ("container.35", 35),
        ("armor.head", HEAD),
        ("weapon.offhand", OFFHAND),
        ("weapon", 4),
        ("weapon.mainhand", 4),
    ],
)
def test_replaceitem_replaces_the_named_slot(game, slot, index):
    game.table("players")["hotbar"] = 4
    line = game.say("/give @s dirt 9", f"/replaceitem entity @p {slot} minecraft:torch 5")
    assert line == "Replaced a slot on Player with [Torch]"
    stack = game.table("slots")[index]
    assert (stack["item"], stack["count"]) == (item("torch").id, 5)
    assert game.say(f"/replaceitem entity @s {slot} air").endswith("with [Air]")
    assert game.table("slots")[index]["count"] == 0


def test_clear_removes_counts_and_limits(game):
    game.say(
        "/give @s dirt 70", "/give @s stick 4", "/replaceitem entity @s armor.head iron_helmet"
    )
    assert game.say("/clear @s dirt 0") == "Found 70 matching items on player Player"
    assert game.say("/clear @s dirt 65") == "Removed 65 items from player Player"
    assert game.held() == {"dirt": 5, "stick": 4, "iron_helmet": 1}
    assert game.say("/clear") == "Removed 10 items from player Player"
    assert game.held() == {}
    assert game.say("/clear @s") == "No items were found on player Player"


def test_clear_takes_items_from_grid_and_cursor(game):
    game.table("laid")[9] = (item("dirt").id, 3, 0)
    assert game.say("/clear @s dirt") == "Removed 3 items from player Player"
    assert not game.table("laid")["count"].any()


def test_summon_puts_a_creature_at_relative_and_local_places(game):
    x, y, z = game.feet
    game.say("/tp @s ~ ~ ~ 90 0")  # facing west
    before = len(game.creatures)
    assert game.say("/summon minecraft:cow ~2 ~1 ~") == "Summoned new Cow"
    assert game.say("/execute as @p at @s run summon sheep ^1 ^ ^3") == "Summoned new Sheep"
    (cow, place), (sheep, other) = game.creatures[before:]
    assert (cow, sheep) == ("cow", "sheep")
    assert place == pytest.approx((x + 2, y + 1, z))
    assert other == pytest.approx((x - 3, y, z + 1), abs=1e-6)  # ahead is west, left is south
    game.tick()
    assert len(game.creatures) >= before + 2


def test_a_summoned_monster_is_seen_and_leaves_on_peaceful_difficulty(game):
    game.say("/kill @e[type=!player]", "/time set midnight", "/tp @s ~ ~ ~ 0 0")
    game.say("/fill ~-3 ~ ~-1 ~3 ~3 ~6 air", "/summon zombie ~ ~ ~4")
    assert any(sight.name == "zombie" for sight in game.world.sights(0, (96, 64)))
    assert game.say("/difficulty peaceful") == "The difficulty has been set to Peaceful"
    assert "peaceful" in game.world.assists(0)
    game.tick()
    assert "zombie" not in [kind for kind, _ in game.creatures]


def test_summoning_in_a_world_without_creatures_brings_no_others(game):
    game.begin(creatures=False)
    game.say("/summon cow ~ ~ ~3")
    game.tick(60)
    assert [kind for kind, _ in game.creatures] == ["cow"]
    assert (
        game.say("/gamerule doMobSpawning") == "Gamerule doMobSpawning is currently set to: false"
    )
    game.say("/gamerule doMobSpawning true")
    game.tick(60)
    assert len(game.creatures) > 1


def test_without_mob_spawning_no_monster_comes_at_night(game):
    game.say("/gamerule doMobSpawning false", "/time set midnight", "/kill @e[type=!player]")
    game.tick(400)
    hostile = {"zombie", "skeleton", "creeper", "spider"}
    assert not hostile & {kind for kind, _ in game.creatures}
    game.say("/gamerule doMobSpawning true")
    game.tick(400)
    assert hostile & {kind for kind, _ in game.creatures}


def test_kill_of_creatures_leaves_loot_and_of_items_leaves_nothing(game):
    game.say("/kill @e[type=!player]", "/kill @e[type=item]")
    game.say("/summon cow ~3 ~ ~", "/summon cow ~ ~ ~3", "/summon sheep ~ ~ ~-3")
    assert game.say("/kill @e[type=cow,sort=nearest,limit=1]") == "Killed Cow"
    assert sorted(kind for kind, _ in game.creatures) == ["cow", "sheep"]
    assert (game.table("drops")["item"] == item("beef").id).any()
    game.say("/kill @e[type=!player]")
    assert game.creatures == []
    game.say("/kill @e[type=item]")
    assert not game.table("drops")["count"].any()
    assert game.say("/kill @e[type=item]") == "No entity was found"


def test_a_killed_player_drops_its_items(game):
    game.say("/give @s diamond 3")
    assert game.say("/kill") == "Killed Player"
    assert not game.world.alive([0])[0]
    assert [event.kind for event in game.world.events(0)] == ["died"]
    assert game.held() == {}
    assert game.table("drops")["count"].sum() == 3


def test_with_keep_inventory_a_killed_player_keeps_the_items(game):
    line = game.say("/give @s diamond 3", "/gamerule keepInventory true")
    assert line == "Gamerule keepInventory is now set to: true"
    assert "keep_inventory" in game.world.assists(0)
    game.say("/kill @s")
    assert game.held() == {"diamond": 3}
    assert game.say("/gamerule keepInventory false").endswith("now set to: false")


def test_tp_moves_and_turns_the_player(game):
    x, y, z = game.feet
    game.table("players")["fall"], game.table("players")["vy"] = 20, -2
    assert game.say("/tp ~1 ~2 ~-3") == f"Teleported Player to {x + 1:f}, {y + 2:f}, {z - 3:f}"
    assert game.feet == (x + 1, y + 2, z - 3)
    assert (game.table("players")["fall"], game.table("players")["vy"]) == (0, 0)
    game.say("/tp @s 100 80 -7 -90 100")
    assert game.world.poses([0])[0].tolist() == [100.5, 80, -6.5, 270, 90]
    game.say("/teleport 1.25 80 2.0", "/tp @s ~ ~ ~ ~10 ~-30")
    assert game.world.poses([0])[0].tolist() == [1.25, 80, 2, 280, 60]
    game.tick(3)
    assert game.feet[1] < 80


def test_tp_brings_bodies_to_bodies(game):
    game.say("/kill @e[type=!player]", "/summon cow ~5 ~ ~")
    assert game.say("/tp @e[type=cow] @s") == "Teleported Cow to Player"
    assert game.creatures[0][1] == game.feet
    game.say("/tp @e[type=cow] ~ ~ ~4")
    assert game.say("/tp @e[type=cow]") == "Teleported Player to Cow"
    assert game.feet == game.creatures[0][1]
    assert game.say("/tp @e[type=pig]") == "No entity was found"


def test_teleportbiome_finds_the_biome(game):
    game.say("/teleportbiome @a forest 100 ~0 -200")
    assert game.world.biome(0) == "forest"
    there = game.feet
    game.say("/teleportbiome minecraft:plains", "/teleportbiome @p forest 100 ~0 -200")
    assert game.feet == there
    game.tick(40)
    assert game.world.alive([0])[0]


def test_a_dead_player_comes_back_at_its_spawn_point(game):
    game.say("/fill ~2 ~ ~2 ~2 ~1 ~2 air", "/setblock ~2 ~-1 ~2 stone")
    x, y, z = cell(game.feet)
    line = game.say("/spawnpoint @p ~2 ~ ~2", "/spawnpoint @p ~2 ~ ~2")
    assert (
        line == f"Set spawn point to {x + 2}, {y}, {z + 2} [0.0] in minecraft:overworld for Player"
    )
    game.say("/kill")
    game.world.respawn(0)
    assert game.feet == (x + 2.5, y, z + 2.5)


def test_effects_act_and_end(game):
    game.table("players")["health"] = 10
    line = game.say("/effect give @s regeneration 10 1", "/effect give @s minecraft:absorption 60")
    assert line == "Applied effect Absorption to Player"
    assert game.table("effects")[REGENERATION].tolist() == (200, 1)
    assert game.table("needs")["absorption"] == 4
    assert game.say("/effect give @s regeneration 5").startswith("Unable to apply this effect")
    game.tick(60)
    assert game.table("players")["health"] > 11
    assert game.say("/effect clear @s absorption") == "Removed effect Absorption from Player"
    assert game.table("effects")[ABSORPTION]["ticks"] == 0
    assert game.say("/effect clear @s hunger") == "Target doesn't have the requested effect"
    assert game.say("/effect clear") == "Removed every effect from Player"
    assert game.say("/effect clear @s") == "Target has no effects to remove"


def test_instant_effects_act_at_once(game):
    player = game.table("players")
    player["health"], player["food"], player["saturation"] = 5, 10, 0
    game.say("/effect give @s instant_health 1 1", "/effect give @s saturation 3 0")
    assert (player["health"], player["food"], player["saturation"]) == (13, 13, 6)


def test_night_vision_ends_with_its_time_a_death_or_a_command(game):
    def is_bright():
        return "night_vision" in game.world.assists(0)

    game.say("/effect give @p minecraft:night_vision 1 1 true")
    game.tick(19)
    assert is_bright()
    game.tick()
    assert not is_bright()
    game.say("/effect give @p night_vision 99999", "/kill")
    game.world.respawn(0)
    assert not is_bright()
    game.say("/effect give @p night_vision 99999")
    assert game.say("/effect give @p night_vision 9").startswith("Unable to apply")
    assert game.say("/effect clear @p night_vision") == "Removed effect Night Vision from Player"
    assert not is_bright()


def test_night_vision_of_the_protocol_outlasts_a_command(game):
    game.begin(assists=("night_vision",))
    game.say("/effect give @p night_vision 1")
    game.tick(30)
    assert "night_vision" in game.world.assists(0)


@pytest.mark.parametrize(
    ("text", "line", "time"),
    [
        ("/time set day", "Set the time to 1000", 1000),
        ("/time set minecraft", None, None),
        ("/time set 0", "Set the time to 0", 0),
        ("/time set 0.5d", "Set the time to 12000", 12_000),
        ("/time set 10s", "Set the time to 200", 200),
        ("/time add 1d", "Set the time to 6000", 30_000),
        ("/time set midnight", "Set the time to 18000", 18_000),
    ],
)
def test_time_sets_the_clock(game, text, line, time):
    if line is None:
        with pytest.raises(BadValue, match="time: expected ticks"):
            game.say(text)
        return
    assert game.say(text) == line
    assert game.table("skies")["time"] == time
    assert game.say("/time query daytime") == f"The time is {time % 24_000}"
    assert game.say("/time query day") == f"The time is {time // 24_000}"


def test_the_clock_stands_still_without_daylight_cycle(game):
    game.say("/gamerule doDaylightCycle false", "/time set 5")
    game.tick(5)
    assert game.table("skies")["time"] == 5
    assert "always_day" in game.world.assists(0)
    game.say("/gamerule doDaylightCycle true")
    game.tick(5)
    assert game.table("skies")["time"] == 10


def test_weather_comes_within_a_hundred_ticks_and_lasts(game):
    sky = game.table("skies")
    assert game.say("/weather thunder 30") == "Set the weather to rain & thunder"
    game.tick(100)
    assert (sky["raining"], sky["thundering"]) == (1, 1)
    assert (sky["rain"], sky["thunder"]) == pytest.approx((1, 1))
    game.tick(500)
    assert (sky["raining"], sky["thundering"]) == (0, 0)
    assert game.say("/weather rain") == "Set the weather to rain"
    assert sky["rain_wait"] == 6000
    assert game.say("/weather clear 1000000") == "Set the weather to clear"
    game.tick(101)
    assert (sky["rain"], sky["thunder"]) == (0, 0)


def test_the_weather_stays_without_weather_cycle(game):
    game.say("/gamerule doWeatherCycle false", "/weather rain 1")
    game.tick(60)
    assert game.table("skies")["raining"] == 1
    game.say("/gamerule doWeatherCycle true")
    game.tick(30)
    assert game.table("skies")["raining"] == 0


def test_setblock_changes_a_block_and_its_neighbours_react(game):
    game.say("/fill ~-3 ~ ~-3 ~3 ~6 ~3 air")
    x, y, z = cell(game.feet)
    assert game.say("/setblock ~2 ~ ~ minecraft:stone") == f"Changed the block at {x + 2}, {y}, {z}"
    assert game.block(x + 2, y, z) == "stone"
    assert game.say("/setblock ~2 ~ ~ stone") == "Could not set the block"
    assert game.say("/setblock ~2 ~ ~ dirt keep") == "Could not set the block"
    game.say("/setblock ~2 ~1 ~ torch", "/setblock ~2 ~ ~ air destroy")
    assert game.block(x + 2, y + 1, z) == "air"  # the torch lost its ground
    dropped = set(game.table("drops")["item"].tolist())
    assert item("torch").id in dropped
    game.say("/setblock ~2 ~4 ~ sand")
    game.tick(30)
    assert (game.block(x + 2, y + 4, z), game.block(x + 2, y, z)) == ("air", "sand")


def test_setblock_updates_light_and_aim(game):
    game.say("/time set midnight", "/tp @s ~ ~ ~ 0 90")
    x, y, z = cell(game.feet)
    image = np.zeros((1, 36, 64, 3), np.uint8)
    game.world.frames([0], image)
    dark = image.astype(int).sum()
    game.say("/setblock ~ ~-1 ~ glowstone")
    player = game.table("players")
    assert (player["aim_x"], player["aim_y"], player["aim_z"]) == (x, y - 1, z)
    game.world.frames([0], image)
    assert image.astype(int).sum() > 1.2 * dark


def test_set_plants_have_the_biomes_tint_and_set_stations_face_north(game):
    game.say("/teleportbiome swamp", "/setblock ~ ~-1 ~ stone", "/setblock ~ ~-1 ~ grass_block")
    x, y, z = cell(game.feet)
    voxel = block_at(game.world.worlds, 0, x, y - 1, z)
    assert tint_of(voxel & BLOCK_MASK, voxel >> BLOCK_BITS) == "swampy"
    for name, state in (("furnace", 2 << 1), ("chest", 2), ("wall_torch", 2), ("oak_log", 0)):
        game.say("/setblock ~3 ~3 ~ stone", "/setblock ~3 ~3 ~1 stone", f"/setblock ~3 ~3 ~ {name}")
        assert block_at(game.world.worlds, 0, x + 3, y + 3, z) >> BLOCK_BITS == state


def test_replaced_furnaces_and_chests_lose_their_contents(game):
    game.say("/setblock ~2 ~ ~ furnace", "/setblock ~-2 ~ ~ chest")
    x, y, z = cell(game.feet)
    furnace, chest = game.table("furnaces")[:1], game.table("containers")[:1]
    for row, place in ((furnace, x + 2), (chest, x - 2)):
        row["used"], row["x"], row["y"], row["z"] = 1, place, y, z
    furnace["input"] = (item("iron_ore").id, 3, 0)
    game.table("stored")[0, 5] = (item("diamond").id, 2, 0)
    game.say("/setblock ~2 ~ ~ stone destroy", "/setblock ~-2 ~ ~ stone")
    assert not furnace["used"].any()
    assert not chest["used"].any()
    assert not game.table("stored")["count"].any()
    dropped = game.table("drops")["item"].tolist()
    assert item("iron_ore").id in dropped  # destroyed: the contents drop
    assert item("diamond").id not in dropped  # replaced: the contents are gone


def test_fill_modes(game):
    x, y, z = cell(game.feet)
    y += 10
    box = f"~-2 {y} ~-2 ~2 {y + 4} ~2"
    assert game.say(f"/fill {box} stone") == "Successfully filled 125 blocks"
    assert game.say(f"/fill {box} glass hollow") == "Successfully filled 125 blocks"
    assert (game.block(x, y + 2, z), game.block(x + 2, y + 2, z)) == ("air", "glass")
    assert game.say(f"/fill {box} dirt keep") == "Successfully filled 27 blocks"
    assert game.say(f"/fill {box} oak_log replace glass") == "Successfully filled 98 blocks"
    assert game.say(f"/fill {box} bricks outline") == "Successfully filled 98 blocks"
    assert game.block(x, y + 2, z) == "dirt"
    assert game.say(f"/fill {box} bricks replace gold_block") == "No blocks were filled"
    game.say("/kill @e[type=item]")
    assert game.say(f"/fill {box} air destroy") == "Successfully filled 125 blocks"
    assert item("bricks").id in game.table("drops")["item"].tolist()


def test_fill_takes_32768_blocks_and_no_more(game):
    assert game.say("/fill ~-15 80 ~-15 ~16 111 ~16 stone") == "Successfully filled 32768 blocks"
    with pytest.raises(BadValue, match="too many blocks in the box: expected at most 32768, got"):
        game.say("/fill ~-16 80 ~-15 ~16 111 ~16 dirt")
    assert game.say("/fill ~-15 80 ~-15 ~16 111 ~16 air") == "Successfully filled 32768 blocks"
    game.tick(2)


def test_every_block_can_be_set_and_drawn(game):
    game.say("/tp @s ~ 100 ~ 0 60", "/fill ~-15 96 ~-15 ~16 96 ~16 stone")
    x, z = cell(game.feet)[0] - 14, cell(game.feet)[2] - 14
    for k, name in enumerate(block_names()):
        game.say(f"/setblock {x + k % 28} 97 {z + k // 28} {name}")
    game.world.frames([0], np.zeros((1, 36, 64, 3), np.uint8))
    game.tick(20)
    game.world.restore(0, game.world.snapshot(0))


def test_experience_in_points_and_levels(game):
    assert game.say("/xp add @s 5 levels") == "Gave 5 experience levels to Player"
    assert game.table("players")["experience"] == 55
    assert game.say("/xp add @s 3") == "Gave 3 experience points to Player"
    assert game.say("/experience query @s levels") == "Player has 5 experience levels"
    assert game.say("/xp query @s points") == "Player has 3 experience points"
    assert game.say("/xp set @s 16 points") == "Set 16 experience points on Player"
    assert game.say("/xp set @s 17 points").startswith("Cannot set experience points above")
    assert game.table("players")["experience"] == 71
    game.say("/xp set @s 30 levels", "/xp add @s -40 levels")
    assert game.world.bodies([0])[1][0, 5] == 0


def test_difficulty_is_set_and_reported(game):
    assert game.say("/difficulty") == "The difficulty is Normal"
    assert game.say("/difficulty hard") == "The difficulty has been set to Hard"
    assert (
        game.say("/difficulty hard") == "The difficulty did not change; it is already set to Hard"
    )
    assert game.table("rules")["difficulty"] == 3


def test_without_command_feedback_commands_answer_nothing(game):
    assert game.say("/gamerule sendCommandFeedback false") == ""
    assert game.say("/give @s dirt") == ""
    assert game.held() == {"dirt": 1}
    assert game.say("/gamerule sendCommandFeedback true") != ""


def test_rules_report_their_values(game):
    assert game.say("/gamerule commandBlockOutput") == (
        "Gamerule commandBlockOutput is currently set to: true"
    )
    game.say("/gamerule commandBlockOutput false", "/gamerule doImmediateRespawn true")
    for rule, value in (("commandBlockOutput", "false"), ("doImmediateRespawn", "true")):
        assert game.say(f"/gamerule {rule}").endswith(f"is currently set to: {value}")


def test_execute_leads_from_place_to_place(game):
    game.say("/kill @e[type=!player]", "/summon cow ~6 ~ ~2", "/summon cow ~-6 ~ ~2")
    game.say("/execute at @e[type=cow] run setblock ~ 90 ~ gold_block")
    for _, (x, _, z) in game.creatures:
        assert game.block(*cell((x, 90, z))) == "gold_block"
    x, _, z = game.feet
    game.say(
        "/execute as @p at @s anchored eyes positioned ~ ~ ~ rotated 0 0 in minecraft:overworld "
        "run execute positioned ~1 95 ~ run setblock ^ ^ ^2 stone"
    )
    assert game.block(*cell((x + 1, 95, z + 2))) == "stone"
    assert game.say("/execute at @e[type=pig] run kill @s") == "No entity was found"


def test_a_command_marks_the_episode_as_assisted_until_the_next_reset(game):
    assert "commands" not in game.world.assists(0)
    game.say("/time query day")
    assert game.world.assists(0) == ("commands",)
    saved = game.world.snapshot(0)
    game.begin()
    assert game.world.assists(0) == ()
    game.world.restore(0, saved)
    assert game.world.assists(0) == ("commands",)


REFUSED = (
    "/gamemode creative",
    "/give @s diamnod",
    "/give @s #planks",
    "/give @s diamond{Damage:3}",
    "/give @s diamond 0",
    "/give @e diamond",
    "/give Steve diamond",
    "/give @s diamond 1 1",
    "/replaceitem block ~ ~ ~ container.0 stone",
    "/replaceitem entity @s slot.hotbar.0 stone",
    "/replaceitem entity @s hotbar.0 diamond_sword 2",
    "/clear diamond",
    "/summon villager",
    "/summon cow ~ ~ ~ {Age:0}",
    "/summon cow ~200 ~ ~",
    "/summon cow ~ ~ ^",
    "/kill @e[type=ghast]",
    "/kill @e[name=x]",
    "/kill @e[limit=0]",
    "/kill @e[distance=5..1]",
    "/kill @e[type=cow,type=cow]",
    "/tp @e ~ ~ ~",
    "/tp @e[type=item] ~ ~ ~",
    "/tp @s ~ 600 ~",
    "/tp 40000000 64 0",
    "/tp @s ~ ~ ~ facing 0 0 0",
    "/teleportbiome atlantis",
    "/spawnpoint @s ~ ~ ~ 90",
    "/spawnpoint @s 0 300 0",
    "/effect give @s speed",
    "/effect give @s hunger 0",
    "/effect give @s hunger 5 32",
    "/time set noonish",
    "/time add day",
    "/time add -5",
    "/weather snow",
    "/weather rain -1",
    "/setblock ~ ~ ~ stone[x=1]",
    "/setblock ~ 128 ~ stone",
    "/setblock ~1000 ~ ~ stone",
    "/setblock 0.5 64 0 stone",
    "/fill ~ ~ ~ ~ ~ ~ stone replace stoone",
    "/fill ~-200 ~ ~ ~ ~ ~ stone",
    "/difficulty nightmare",
    "/xp set @s -1 levels",
    "/xp add @s 100000 levels",
    "/gamerule doFireTick false",
    "/gamerule doImmediateRespawn false",
    "/gamerule keepInventory maybe",
    "/execute as @e[type=cow] run kill",
    "/execute in the_nether run kill",
    "/execute if block ~ ~ ~ stone run kill",
    "/execute at @e[sort=random] run kill",
    "/execute at @e[type=!player] at @e at @e at @e at @e at @e at @e at @e run kill @s",
    "/execute at @s",
    "/execute at @s run",
    "/execute positioned ~500 ~ ~ run setblock ~ ~ ~ stone",
    "x" * 300,
    "",
    "/",
    None,
    5,
)


@pytest.mark.parametrize("text", REFUSED)
def test_a_refused_command_changes_nothing(game, text):
    game.say("/kill @e[type=!player]", "/summon cow ~2 ~ ~", "/summon cow ~-2 ~ ~", "/give @s dirt")
    before = game.world.snapshot(0)
    with pytest.raises((BadValue, UnknownName)):
        game.say(text)
    assert game.world.snapshot(0) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/sumon cow", "unknown command 'sumon'; did you mean 'summon'"),
        (
            "/summon villager",
            "unknown creature of this world 'villager'; expected one of 'chicken'",
        ),
        ("/give @s oak_logs", "unknown item 'oak_logs'; did you mean 'oak_log'"),
        ("/setblock ~ ~ ~ stoneb", "unknown block 'stoneb'; did you mean 'stone"),
        ("/setblock ~ ~ ~ oak_log[axis=x]", "expected a plain name, got block states"),
        ("/effect give @s speed", "unknown effect of this world 'speed'; expected one of"),
        ("/gamerule doFireTick", "unknown game rule of this world 'doFireTick'"),
        ("/weather snow", "unknown weather 'snow'; expected one of 'clear', 'rain', 'thunder'"),
        ("/setblock 1000 64 0 stone", "expected loaded land, at most 3 chunks"),
        ("/give @s", "expected an item, got the end of the text"),
    ],
)
def test_refusals_name_the_thing_and_near_names(game, text, message):
    with pytest.raises((BadValue, UnknownName), match=message):
        game.say(text)


def test_rules_that_a_world_without_hunger_cannot_follow_are_refused(game):
    game.begin(difficulty=None)
    for text in ("/effect give @s regeneration", "/gamerule keepInventory false"):
        with pytest.raises(BadValue, match="hunger"):
            game.say(text)
    assert game.say("/gamerule keepInventory").endswith("true")
    assert game.say("/effect give @s night_vision") == "Applied effect Night Vision to Player"


def test_the_table_of_commands_is_that_of_the_page():
    page = (Path(__file__).resolve().parents[4] / "docs/commands.md").read_text()
    assert {name for name in CHAT_COMMANDS if f"/{name}" in page} == set(CHAT_COMMANDS)
