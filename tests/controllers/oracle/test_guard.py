"""The oracle fights, hides, rests and eats between its actions, and then continues."""

import numpy as np
import pytest

from optimus_gym.controllers.oracle.cover import find_cover, take_cover
from optimus_gym.controllers.oracle.fighting import fight_monster
from optimus_gym.controllers.oracle.grid import make_scratch
from optimus_gym.controllers.oracle.guard import STRONG, guarded
from optimus_gym.controllers.oracle.meals import forage, meal
from optimus_gym.controllers.oracle.miner import Miner
from optimus_gym.controllers.oracle.rescuing import rescue
from optimus_gym.controllers.oracle.walls import close, openings
from optimus_gym.controllers.threats import threats
from optimus_gym.core.actions import FORWARD
from optimus_gym.core.types import SubGoal
from optimus_gym.worlds.voxel.predicaments import predicaments_of
from tests.controllers.play import FlatWorld
from tests.worlds.flat import FEET, tick_world
from tests.worlds.voxel.pen import Pen, calm


class Arena(Pen):
    """A pen in which a script runs under guard."""

    def __init__(self, **arguments) -> None:
        super().__init__(**arguments)
        self.miner = Miner(self, 0, make_scratch(1 << 16), np.random.default_rng(0))

    def idle(self, ticks):
        """Yield idle actions for some ticks."""
        for _ in range(ticks):
            yield self.miner.fresh()
        return None

    def guard(self, ticks=400, most=4000, stays=False):
        """Guard an idle script; return the number of ticks."""
        return self.play(guarded(self.miner, self.idle(ticks), stays), most)

    def play(self, script, most=4000):
        for tick in range(most):
            try:
                action = next(script)
            except StopIteration:
                return tick
            tick_world(self.worlds, 0, action)
        raise AssertionError(f"it had not ended after {most} ticks")


@pytest.mark.parametrize("weapon", ["iron_pickaxe", "stone_sword", None])
def test_the_oracle_kills_a_zombie_and_continues(weapon):
    arena = Arena()
    if weapon:
        arena.give(4, weapon)
    arena.hunter("zombie", 0.5, 7.5)
    assert arena.guard() > 400
    assert arena.count("zombie") == 0
    assert arena.health >= 10


@pytest.mark.parametrize("side", [(0.5, 8.5), (6.5, 0.5), (-4.5, -4.5)])
def test_a_creeper_does_little_harm_in_the_open(side):
    arena = Arena()
    arena.give(0, "stone_pickaxe")
    arena.hunter("creeper", *side)
    arena.guard(600)
    assert arena.alive
    assert arena.health >= 12


class Reporting(Arena, FlatWorld):
    """An arena that reports predicaments."""

    can = FlatWorld.can | {"predicaments"}

    def predicaments(self, row):
        return predicaments_of(self.worlds, row)


@pytest.mark.parametrize(("weapon", "left"), [("iron_sword", 0), (None, 1)])
def test_an_armed_player_escapes_danger_by_fighting_and_an_unarmed_player_by_running(weapon, left):
    arena = Reporting()
    if weapon:
        arena.give(4, weapon)
    arena.hunter("zombie", 0.5, 7.5)
    arena.play(rescue(arena.miner, SubGoal("recover", "danger")), 600)
    assert arena.count("zombie") == left
    assert "danger" not in arena.predicaments(0)


def tunnel(arena, length):
    """Build a stone passage, two blocks high, that leads south from the player's cell."""
    for x in range(-3, 4):
        for z in range(-3, length + 3):
            for y in range(FEET - 1, FEET + 5):
                free = x == 0 and 0 <= z < length and FEET <= y < FEET + 2
                arena.put(x, y, z, "air" if free else "stone")


def test_the_oracle_walls_off_a_creeper_in_a_tunnel():
    arena = Arena()
    tunnel(arena, 9)
    arena.give(0, "stone_pickaxe")
    arena.give(1, "cobblestone", 8)
    arena.hunter("creeper", 0.5, 8.0)
    arena.guard(300)
    assert arena.health >= 18
    assert arena.at(0, FEET + 1, 1) == "cobblestone"


def test_the_oracle_runs_at_a_single_archer():
    arena = Arena()
    arena.give(0, "stone_sword")
    arena.hunter("skeleton", 0.5, 9.5)
    arena.guard()
    assert arena.alive
    assert arena.count("skeleton") == 0


def test_the_oracle_hides_from_several_archers():
    arena = Arena()
    tunnel(arena, 14)
    arena.give(0, "stone_pickaxe")
    arena.give(1, "dirt", 8)
    arena.hunter("skeleton", 0.5, 12.5)
    arena.hunter("skeleton", 0.5, 13.5)
    arena.guard(200)
    assert arena.health >= 12
    assert "dirt" in {arena.at(0, FEET + up, 1) for up in (0, 1)}


def test_the_oracle_leaves_the_sight_of_archers_if_no_block_helps():
    arena = Arena()
    for x in range(-1, 2):
        for up in range(3):
            arena.put(x, FEET + up, -2, "stone")
    arena.give(0, "stone_pickaxe")
    for x in (-1.5, 0.5, 2.5):
        arena.hunter("skeleton", x, 10.5)
    assert len(threats(arena.miner)) == 3
    arena.play(take_cover(arena.miner), 100)
    assert arena.z < -1
    assert threats(arena.miner) == []
    assert arena.health >= 12


def test_visible_cells_and_lava_are_no_cover():
    arena = Arena(ground="stone")
    for x in range(-7, 8):
        for z in range(-7, 8):
            arena.put(x, FEET - 2, z, "lava")
    arena.hunter("skeleton", 0.5, 10.5)
    found = np.zeros((4, 4))
    assert find_cover(arena.worlds, 0, arena.miner.ground, (0, FEET, 0), found) == 0


def test_the_oracle_does_not_run_at_an_archer_with_company():
    arena = Arena()
    arena.give(0, "stone_sword")
    arena.hunter("skeleton", 0.5, 9.5)
    hidden = arena.add("zombie", 4.5, 13.5)
    calm(hidden)
    steps = fight_monster(arena.miner, threats(arena.miner)[0])
    for action in steps:
        tick_world(arena.worlds, 0, action)
        assert not action[FORWARD] or arena.z < 1.5


def test_the_oracle_steps_back_from_a_cell_before_filling_it():
    arena = Arena()
    arena.give(0, "dirt", 8)
    arena.set(x=0.78)
    done = arena.play(close(arena.miner, (1, FEET, 0)), 40)
    assert done < 20
    assert arena.at(1, FEET, 0) == "dirt"


def test_the_oracle_places_no_block_into_a_monster():
    arena = Arena()
    arena.give(0, "dirt", 8)
    arena.pinned(arena.hunter("zombie", 1.6, 0.5), 1)
    assert arena.play(close(arena.miner, (1, FEET, 0)), 2) == 0


def test_the_oracle_leaves_lava_during_any_script():
    arena = Arena(ground="stone")
    for x in range(-1, 2):
        for z in range(-1, 2):
            arena.put(x, FEET - 1, z, "lava")
    arena.set(y=FEET - 0.7)
    arena.guard(100)
    assert arena.alive
    assert not arena.in_lava


def test_the_oracle_rests_in_a_closed_room_even_with_light_wounds():
    arena = Arena(ground="stone")
    for cell in openings(arena.miner):
        arena.put(*cell, "stone")
    arena.set(health=STRONG - 2, food=20, saturation=5)
    assert arena.guard(10) > 20
    assert arena.health >= STRONG


def test_the_oracle_climbs_out_of_a_crowds_reach_and_strikes_from_above():
    arena = Arena()
    arena.give(0, "stone_sword")
    arena.give(1, "dirt", 8)
    for x in (-1.5, 0.5, 2.5):
        arena.hunter("zombie", x, 7.5)
    highest = 0.0
    for action in guarded(arena.miner, arena.idle(1500), stays=False):
        tick_world(arena.worlds, 0, action)
        highest = max(highest, arena.y)
    assert highest >= FEET + 3
    assert arena.count("zombie") < 3
    assert arena.health >= 17


def test_the_oracle_keeps_away_from_creepers_on_both_sides():
    arena = Arena()
    arena.give(0, "stone_sword")
    arena.hunter("creeper", 6.5, 0.5)
    arena.hunter("creeper", -5.5, 0.5)
    arena.guard(600)
    assert arena.alive
    assert arena.health >= 12


def test_the_oracle_ignores_a_monster_that_it_cannot_reach():
    arena = Arena()
    arena.give(0, "stone_sword")
    for up in range(4):
        arena.put(0, FEET + up, 0, "glass")
    arena.set(x=0.5, y=FEET + 4.0, z=0.5)
    arena.hunter("zombie", 0.5, 2.5)
    assert arena.guard(400) < 1200
    assert arena.y == FEET + 4
    assert arena.count("zombie") == 1


def test_the_oracle_shuts_itself_in_and_rests_if_badly_wounded():
    arena = Arena(ground="stone")
    arena.give(0, "stone_pickaxe")
    arena.give(1, "cobblestone", 2)
    arena.set(health=4)
    arena.worlds.skies["time"] = 6000
    arena.guard(10)
    assert arena.health >= STRONG
    assert arena.y == FEET - 3
    assert openings(arena.miner) == []


def test_the_oracle_holds_the_same_item_again_after_a_fight():
    arena = Arena()
    arena.give(0, "stone_pickaxe")
    arena.give(5, "iron_sword")
    arena.hunter("zombie", 0.5, 5.5)
    arena.guard()
    assert arena.miner.hand() == "stone_pickaxe"


def test_the_oracle_returns_to_its_place_of_work():
    arena = Arena()
    arena.give(0, "stone_pickaxe")
    arena.hunter("creeper", 0.5, 6.5)
    arena.guard(600, stays=True)
    assert max(abs(arena.x - 0.5), abs(arena.z - 0.5)) < 1.5


def hungry(food, **held):
    arena = Arena(time=6000)
    arena.worlds.rules["survival"] = 1
    arena.set(food=food, saturation=0)
    for slot, (name, count) in enumerate(held.items()):
        arena.give(slot + 2, name, count)
    return arena


def test_a_hungry_oracle_eats_no_more_than_fits():
    arena = hungry(11, bread=4)
    arena.guard(100)
    assert arena.food == 16
    assert arena.held() == {"bread": 3}


def test_the_oracle_eats_to_heal():
    arena = hungry(16, bread=4)
    arena.set(health=12)
    arena.guard(200)
    assert arena.food >= 18
    assert arena.health > 12


@pytest.mark.parametrize(
    ("food", "eaten"), [(13, "bread"), (10, "bread"), (5, "bread"), (17, None)]
)
def test_good_food_is_eaten_before_bad_food(food, eaten):
    choice = meal(hungry(food, rotten_flesh=3, bread=1).miner)
    assert (choice.item if choice else None) == eaten


@pytest.mark.parametrize(("food", "eaten"), [(10, None), (5, "rotten_flesh")])
def test_bad_food_is_eaten_only_near_starvation(food, eaten):
    choice = meal(hungry(food, rotten_flesh=3).miner)
    assert (choice.item if choice else None) == eaten


@pytest.mark.parametrize("kind", ["cow", "pig", "sheep", "chicken"])
def test_a_hungry_oracle_hunts_an_animal(kind):
    arena = hungry(10)
    arena.give(0, "stone_sword")
    arena.add(kind, 0.5, 9.5)
    arena.play(forage(arena.miner))
    assert arena.count(kind) == 0
    assert set(arena.held()) - {"stone_sword", "leather", "feather"}


def test_a_fed_oracle_does_not_hunt():
    arena = hungry(20)
    arena.add("pig", 0.5, 5.5)
    assert arena.play(forage(arena.miner)) == 0
