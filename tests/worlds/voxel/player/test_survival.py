"""Hunger, damage, death and respawn, apart from published values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.actions import noop
from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import Event, Setup
from optimus_gym.game.foods import foods
from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.player.vitals import hurt
from optimus_gym.worlds.voxel.state.worlds import HURT_NAMES
from optimus_gym.worlds.voxel.tables.foods import FOODS
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET, Flat, action_of
from tests.worlds.voxel.random_play import KEYS, go_home, random_keys
from tests.worlds.voxel.survivor import Survivor
from tests.worlds.voxel.test_conservation import PLACED, PRODUCTS, workshop, worth
from tests.worlds.voxel.trajectory import random_actions

ROW = np.zeros(1, np.int64)
KIT = {"apple": 20, "cooked_beef": 8, "iron_pickaxe": 1, "dirt": 64, "oak_log": 5}


def names_of(world: Flat, kind: str) -> set[str]:
    return {HURT_NAMES[subject] for name, subject, _ in world.events() if name == kind}


def kill(world: Flat, by: str = "fall") -> None:
    world.set(hurt_wait=0)
    world.worlds.needs["safe"] = 0
    hurt(world.worlds, 0, HURT_NAMES.index(by), 1000.0)
    assert not world.alive


def test_every_food_has_a_row():
    for food in foods().values():
        row = FOODS[items()[food.item].id]
        assert (row["ticks"], row["points"]) == (food.ticks, food.points)


def test_releasing_the_use_key_ends_the_meal():
    world = Survivor()
    world.give(0, "bread", 5)
    world.set(food=5)
    world.tick(31, use=1)
    world.tick()
    world.tick(31, use=1)
    assert (world.food, world.slot(0)[1]) == (5, 5)
    world.tick(use=1)
    assert (world.food, world.slot(0)[1]) == (10, 4)


def test_another_slot_ends_the_meal():
    world = Survivor()
    world.give(0, "bread")
    world.give(1, "apple")
    world.set(food=5)
    world.tick(20, use=1)
    world.tick(use=1, hotbar=2)
    world.tick(20, use=1)
    assert world.held() == {"bread": 1, "apple": 1}
    world.tick(11, use=1)
    assert world.held() == {"bread": 1}


def test_a_player_cannot_dig_while_eating():
    world = Survivor("normal", "dirt")
    world.give(0, "bread", 64)
    world.set(food=1, saturation=0, pitch=90.0)
    world.tick(60, use=1, attack=1)
    assert world.at(0, FEET - 1, 0) == "dirt"


def test_a_carrot_used_on_farmland_is_planted_and_not_eaten():
    world = Survivor()
    world.put(0, FEET - 1, 2, "farmland")
    world.give(0, "carrot", 3)
    world.set(food=5, pitch=40.0)
    world.tick(3, use=1)
    assert world.at(0, FEET, 2) == "carrots"
    assert world.food == 5


def test_a_world_without_difficulty_has_no_meals_hunger_damage_or_loss():
    world = Flat()
    world.give(0, "golden_apple")
    world.set(pitch=-90.0, food=10)
    world.tick(60, use=1)
    world.put(0, FEET, 0, "fire")
    world.tick(60, forward=1, sprint=1, jump=1)
    assert (world.food, world.health, world.held()) == (10, 20, {"golden_apple": 1})
    kill(world)
    world.tick()
    assert world.held() == {"golden_apple": 1}


@pytest.mark.parametrize("by", ["fire", "burning", "cactus", "starvation", "poison"])
def test_events_name_the_cause_of_hurt_and_death(by):
    world = Survivor()
    world.set(health=1)
    kill(world, by)
    assert names_of(world, "hurt") == names_of(world, "died") == {by}


def test_fire_resistance_protects_from_fire():
    world = Survivor()
    world.affect("fire_resistance", 100)
    world.put(0, FEET, 0, "fire")
    world.tick(50)
    assert world.health == 20


def test_a_cactus_hurts_only_a_player_that_touches_it():
    world = Survivor()
    world.put(0, FEET - 1, 2, "sand")
    world.put(0, FEET, 2, "cactus")
    world.tick(20)
    assert world.health == 20
    world.set(pitch=0.0)
    world.tick(20, forward=1)
    assert world.health < 20


def test_a_dead_player_drops_its_items_where_it_died():
    world = Survivor()
    world.set(experience=50)
    world.give(3, "iron_pickaxe", 1, 7)
    world.give(9, "dirt", 64)
    world.give(38, "iron_chestplate")
    world.give(40, "shield")
    before = world.held()
    kill(world)
    world.tick()
    assert world.held() == {}
    assert world.lying() == before
    assert world.experience == 0
    drops = world.worlds.drops[0][world.worlds.drops[0]["item"] > 0]
    assert (abs(drops["x"] - 0.5) < 1).all()
    assert sorted(drops["damage"].tolist()) == [0, 0, 0, 7]


def test_the_keep_inventory_assist_keeps_the_inventory_at_death():
    world = Survivor()
    world.worlds.assists["keep_inventory"] = 1
    world.give(9, "dirt", 64)
    kill(world)
    world.tick(5)
    assert world.held() == {"dirt": 64}


def test_respawn_rejects_a_living_player():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=1))
    with pytest.raises(BadValue, match="expected a dead player"):
        world.respawn(0)


def die(world: VoxelWorld) -> None:
    world.worlds.players["health"], world.worlds.needs["safe"] = 1, 0
    hurt(world.worlds, 0, HURT_NAMES.index("fall"), 50.0)
    world.tick(ROW, noop()[None])


def test_a_respawned_player_stands_at_the_spawn_and_plays_on():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3, inventory=KIT, difficulty="normal"))
    begun = [world.worlds.players[axis][0] for axis in "xyz"]
    for axis in "xz":
        world.worlds.players[axis] += 100
    die(world)
    assert not world.alive([0])[0]
    assert world.counts([0])[0].sum() == 0
    world.respawn(0)
    assert world.alive([0])[0]
    assert [world.worlds.players[axis][0] for axis in "xyz"] == begun
    assert world.bodies([0])[1][0].tolist()[:4] == [20, 20, 5, 300]
    for action in random_actions(np.random.default_rng(1), 50):
        world.tick(ROW, action[None])
    image = np.zeros((36, 64, 3), np.uint8)
    world.frames([0], image[None])
    assert image.any()


def test_a_player_respawns_higher_than_a_buried_spawn():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=3, difficulty="normal"))
    world.worlds.spawns["y"] -= 3
    die(world)
    world.respawn(0)
    player = world.worlds.players[0]
    assert player["y"] > world.worlds.spawns["y"][0]
    world.tick(ROW, noop()[None])
    assert world.bodies([0])[1][0][0] == 20


def test_a_restored_survival_game_goes_on_identically():
    first, second = VoxelWorld(1), VoxelWorld(1)
    actions = random_actions(np.random.default_rng(2), 600)
    setup = Setup(seed=5, inventory={**KIT, "rotten_flesh": 9}, difficulty="hard")
    first.reset(0, setup)
    first.worlds.players["food"], first.worlds.needs["exhaustion"] = 6, 3.9
    first.worlds.effects["ticks"][0, 1] = 900
    for action in actions[:300]:
        first.tick(ROW, action[None])
    second.restore(0, first.snapshot(0))
    for action in actions[300:]:
        first.tick(ROW, action[None])
        second.tick(ROW, action[None])
    assert first.snapshot(0).to_bytes() == second.snapshot(0).to_bytes()
    assert first.worlds.needs["exhaustion"][0] > 0


def test_events_name_eaten_and_used_items():
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=1, inventory={"apple": 1}, difficulty="normal"))
    world.worlds.players["food"], world.worlds.players["pitch"] = 10, -90
    seen = []
    for _ in range(40):
        world.tick(ROW, action_of(use=1)[None])
        seen += world.events(0)
    assert Event("eaten", "apple", 1) in seen
    assert Event("used", "apple", 1) in seen


# Doors and stairs would be placed from the hand, where the ledger does not look for them.
CHORES = (
    *({} for _ in range(20)),
    *({"craft": name} for name in PRODUCTS if name in (*PLACED, "stick")),
    *({"place": name} for name in PLACED),
)


IRON_ORE = 20
"""Slot of the workshop's iron ore."""


MISHAPS = st.sampled_from(["", "", "", "zombie", "lava", "fall", "starvation"])
LIFE = st.lists(st.tuples(KEYS, MISHAPS, st.integers(1, 40)), min_size=5, max_size=30)


def all_items(world: Flat) -> dict[str, int]:
    total = dict(world.held())
    for name, count in world.lying().items():
        total[name] = total.get(name, 0) + count
    return total


@settings(max_examples=20, deadline=None)
@given(LIFE)
def test_deaths_neither_lose_nor_create_items(moves):
    world = Survivor("hard", "glass")
    for k, name in enumerate(("iron_sword", "cobblestone", "iron_ingot", "iron_helmet", "string")):
        world.give(k, name, 1 if k in (0, 3) else 30 + k)
    world.give(37, "iron_leggings")
    worn = ("iron_helmet", "iron_leggings", "iron_sword")
    before = all_items(world)
    for keys, mishap, ticks in moves:
        world.tick(ticks, **keys | {"use": 0, "attack": 0})
        if mishap:
            hurt(world.worlds, 0, HURT_NAMES.index(mishap), 30.0)
        world.tick(2)
        if not world.alive:
            assert world.held() == {}
            world.set(alive=1, health=20, x=0.5, y=FEET, z=0.5)
        assert all_items(world) == before
        assert (world.worlds.slots["count"] <= 64).all()
    assert set(worn) < set(before)


def restless(rng: np.random.Generator, segments: int) -> int:
    """Play and die in a workshop; return the deaths. Raise if anything is lost or made."""
    world, deaths = workshop(), 0
    world.give(IRON_ORE, "dirt", 7)  # in the hand, iron ore would be placed, and lost when dug
    world.worlds.rules["survival"], world.worlds.rules["difficulty"] = 1, 3
    before = worth(world)
    for segment in range(segments):
        keys = random_keys(rng)
        world.tick(1, **keys, **CHORES[rng.integers(len(CHORES))])
        world.tick(19, **keys | {"hotbar": 0, "pitch": 5, "yaw": 5})
        world.worlds.drops["age"] %= 100
        if segment % 50 == 49:
            kill(world)
            world.tick(3)
            assert world.held() == {}
        deaths += not world.alive
        go_home(world)
    assert worth(world) == before
    return deaths


def test_play_with_deaths_neither_loses_nor_creates_items():
    assert restless(np.random.default_rng(7), 500) >= 10


@pytest.mark.slow
def test_a_million_ticks_with_deaths_neither_lose_nor_create_items():
    rng = np.random.default_rng(8)
    assert sum(restless(rng, 500) for _ in range(100)) >= 1000


def test_a_weaker_effect_does_not_replace_a_stronger_one():
    """Minecraft Wiki, "Effect": a higher level stays, however long the lower one would last."""
    for level, left in ((4, 4), (0, 1)):
        world = Survivor()
        world.affect("regeneration", 500, level)
        world.eat("golden_apple")  # regeneration II
        assert world.effect("regeneration")[1] == left
