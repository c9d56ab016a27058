"""Oracle and helper carry out acts: find, move, fight, dig down, dig up, use."""

import numpy as np
import pytest

from optimus_gym.controllers.body import Body
from optimus_gym.controllers.helper.descending import Ways
from optimus_gym.controllers.helper.using import TENDED
from optimus_gym.core.types import Setup, SubGoal
from optimus_gym.core.witness import is_in_view
from optimus_gym.worlds.voxel.creatures.kinds import CHICKEN
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.controllers.play import LOGS, FlatWorld, Play
from tests.worlds.flat import FEET


def lively(seed, **setup):
    world = VoxelWorld(1)
    world.reset(0, Setup(seed, creatures=True, difficulty="normal", **setup))
    return Play(world, seed)


def height(play):
    return float(play.world.poses([0])[0, 1])


def sees(play, *kinds):
    """Return a function that returns whether the player sees one of the things `kinds`."""
    return lambda: is_in_view(play.world, 0, kinds)


def killed(play, subgoal):
    """Carry out a sub-goal; return the names of all creatures that the player killed."""
    found, tick = [], play.world.tick

    def ticked(rows, actions):
        tick(rows, actions)
        found.extend(one.subject for one in play.world.events(0) if one.kind == "killed")

    play.world.tick = ticked
    assert play.run(subgoal) is None
    return found


def test_the_oracle_goes_where_it_sees_a_cow_and_then_up_to_it():
    play = lively(1, biome="plains")
    assert not sees(play, "cow")()
    assert play.run(SubGoal("find", "cow"), until=sees(play, "cow")) is None
    assert play.run(SubGoal("move", "cow")) is None
    assert "cow" in play.world.in_reach(0)


def test_the_oracle_finds_blocks_above_and_below_the_ground():
    play = lively(2, inventory={"stone_pickaxe": 1})
    assert play.run(SubGoal("find", "oak_log", accepts=LOGS), until=sees(play, *LOGS)) is None
    assert play.run(SubGoal("move", "coal_ore")) is None
    assert "coal_ore" in play.world.in_reach(0)


def test_the_oracle_shows_a_thing_and_then_other_views_of_it():
    """The task may ask for a view of more than the thing, such as the cow and the pool."""
    play = lively(1, biome="plains")
    play.run(SubGoal("find", "grass_block"), 400, until=sees(play, "grass_block"))
    start, stood = play.world.poses([0])[0, :3].copy(), play.ticks
    far = lambda: np.abs(play.world.poses([0])[0, :3] - start).max()  # noqa: E731
    play.run(SubGoal("find", "grass_block"), 1000, until=lambda: far() > 1)
    assert 100 <= play.ticks - stood < 300
    play.run(SubGoal("find", "grass_block"), 6000, until=lambda: far() > 24)


def test_the_oracle_digs_away_what_hides_an_ore():
    play = lively(97_014, inventory={"stone_pickaxe": 1, "dirt": 6})
    assert play.run(SubGoal("find", "coal_ore"), 300, until=sees(play, "coal_ore")) is None


def test_a_thing_that_the_land_lacks_is_not_found():
    play = lively(1, biome="plains")
    failure = play.run(SubGoal("fight", "furnace"))
    assert (failure.reason, failure.item) == ("not_found", "furnace")


def test_the_oracle_kills_the_number_of_creatures_that_a_fight_names():
    assert killed(lively(1, biome="plains"), SubGoal("fight", "cow", 2)).count("cow") == 2


def test_the_oracle_waits_for_an_egg_and_picks_it_up():
    play = lively(3, biome="plains")
    play.world.command(0, "summon chicken ~2 ~ ~2")
    creatures = play.world.worlds.creatures[0]
    creatures["egg"][creatures["kind"] == CHICKEN] = 200
    assert play.run(SubGoal("find", "egg")) is None
    assert play.held()["egg"] >= 1


@pytest.mark.parametrize("executor", ["oracle", "helper"])
def test_a_shaft_leads_down_to_its_height_and_up_to_the_sky(executor):
    play = lively(1, inventory={"stone_pickaxe": 1, "dirt": 6})
    if executor == "oracle":
        play.helper = play.oracle
    assert play.run(SubGoal("dig_down", "height", 40)) is None
    assert 40 <= height(play) < 41
    assert not play.world.under_sky(0)
    assert play.run(SubGoal("dig_up", "sky")) is None
    assert play.world.under_sky(0)
    assert play.player["alive"]


def hollow(filling, top, width=1):
    """Return a flat world with a chamber below the player, filled with a block."""
    flat = FlatWorld()
    flat.give(0, "stone_pickaxe", 1)
    for x in range(-width, width + 1):
        for z in range(-width, width + 1):
            for y in range(FEET - 14, FEET - top):
                flat.put(x, y, z, filling)
    return flat


@pytest.mark.parametrize("filling", ["air", "lava", "water"])
def test_a_shaft_goes_around_a_chamber(filling):
    flat = hollow(filling, top=4)
    play = Play(flat)
    assert play.run(SubGoal("dig_down", "height", FEET - 10)) is None
    assert height(play) < FEET - 9
    assert flat.health == 20
    assert not flat.in_water


def test_a_shaft_falls_no_further_than_does_no_harm():
    body = Body(hollow("air", top=4), 0)
    assert Ways(body, 11).straight_down((0, FEET, 0)) == (0, FEET - 1, 0)
    assert Ways(body, 11).straight_down((0, FEET - 3, 0)) is None
    body = Body(hollow("air", top=12), 0)
    assert Ways(body, 11).straight_down((0, FEET - 11, 0)) == (0, FEET - 14, 0)


def test_no_shaft_falls_through_air_into_lava():
    """A chamber of air, two blocks high, has lava on its floor."""
    flat = hollow("stone", top=4)
    flat.put(0, FEET - 5, 0, "air")
    assert Ways(Body(flat, 0), 11).straight_down((0, FEET - 3, 0)) == (0, FEET - 5, 0)
    flat.put(0, FEET - 6, 0, "lava")
    assert Ways(Body(flat, 0), 11).straight_down((0, FEET - 3, 0)) is None


def test_no_way_leads_down_through_bedrock():
    flat = hollow("air", top=4, width=3)
    body = Body(flat, 0)
    for x in range(-20, 21):
        for z in range(-20, 21):
            flat.put(x, FEET - 1, z, "bedrock")
    assert Ways(body, 11).straight_down((0, FEET, 0)) is None
    assert Ways(body, 11).down_from((0, FEET, 0)) == []


def test_a_use_pours_tills_and_places():
    play = lively(2, biome="plains", inventory={"water_bucket": 1, "stone_hoe": 1, "dirt": 2})
    assert play.run(SubGoal("use", "stone_hoe")) is None
    assert play.run(SubGoal("use", "dirt")) is None
    assert play.run(SubGoal("use", "water_bucket")) is None
    assert play.held() == {"dirt": 1, "bucket": 1, "stone_hoe": 1}


def test_food_is_eaten_by_a_hungry_player_alone():
    play = lively(2, inventory={"bread": 2})
    failure = play.run(SubGoal("use", "bread"))
    assert (failure.reason, failure.detail) == ("stuck", "it did nothing here")
    play.player["food"] = 8
    assert play.run(SubGoal("use", "bread")) is None
    assert play.held()["bread"] == 1


def test_an_item_that_is_not_held_cannot_be_used():
    failure = lively(2).run(SubGoal("use", "bucket"))
    assert (failure.reason, failure.item) == ("missing_item", "bucket")


@pytest.mark.parametrize(("tool", "creature"), sorted(TENDED.items()))
@pytest.mark.parametrize(("seed", "place"), [(2, "~1 ~ ~1"), (3, "~2 ~ ~1")])
def test_the_helper_shears_a_sheep_and_milks_a_cow_near_by(tool, creature, seed, place):
    play = lively(seed, biome="plains", inventory={tool: 1})
    play.world.command(0, f"summon {creature} {place}")
    assert play.run(SubGoal("use", tool)) is None
    held = play.held()
    assert held == ({"milk_bucket": 1} if tool == "bucket" else {"shears": 1})
