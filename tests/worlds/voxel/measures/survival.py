"""Measures of hunger, eating, effects, harm, experience and death, one for each check of
data/published_survival.json; see `measuring`."""

from optimus_gym.game.blocks import block as block_named
from optimus_gym.game.hurts import hurts
from optimus_gym.game.items import item as item_named
from optimus_gym.worlds.voxel.creatures.hitting import strike
from optimus_gym.worlds.voxel.player.accounts import level_and_share
from optimus_gym.worlds.voxel.player.death import SAFE_FOR
from optimus_gym.worlds.voxel.player.vitals import hurt
from optimus_gym.worlds.voxel.start import respawn as bring_back
from optimus_gym.worlds.voxel.state.needs import EFFECT_NAMES
from optimus_gym.worlds.voxel.terrain.biomes import biome_index
from optimus_gym.worlds.voxel.things.experience import earn_from_block, earn_from_furnace
from optimus_gym.worlds.voxel.weather import _BOLT_HURT as BOLT
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import Measure, fill, ticks_until
from tests.worlds.voxel.pen import Pen
from tests.worlds.voxel.survivor import Survivor, steady

SURVIVAL_MEASURES: dict[str, Measure] = {}
ARMOUR = ("boots", "leggings", "chestplate", "helmet")
PLENTY = 40


def measure(made: Measure) -> Measure:
    """Register a measure of survival under its name."""
    SURVIVAL_MEASURES[made.__name__] = made
    return made


def strike_with(world, by, amount):
    return hurt(world.worlds, 0, list(hurts()).index(by), float(amount))


def _effort_of_way(world, ticks=40, **keys):
    """Return the exhaustion a block of steady motion with some keys."""
    world.tick(30, **keys)
    before, start = world.need("exhaustion"), world.z
    world.tick(ticks, **keys)
    return (world.need("exhaustion") - before) / abs(world.z - start)


def _effort_of_jump(world, **keys):
    """Return the exhaustion of the tick in which the player leaves the ground."""
    world.tick(30, **keys)
    world.set_need(exhaustion=0)
    world.tick(jump=1, **keys)
    assert not world.on_ground
    return world.need("exhaustion")


def _effort_of_block():
    world = Survivor()
    world.put(0, FEET + 1, 2, "dirt")
    world.set(pitch=0.0)
    world.set_need(exhaustion=0)
    ticks_until(world, lambda: world.at(0, FEET + 1, 2) == "air", 60, attack=1)
    return world.need("exhaustion")


def _effort_of_blow():
    pen = Pen()
    pen.worlds.rules["survival"] = 1
    pen.set(pitch=0.0, yaw=0.0)
    pen.pinned(pen.add("zombie", 0.5, 2.3, health=100))
    assert strike(pen.worlds, 0, True)
    return float(pen.worlds.needs["exhaustion"][0])


def _effort_of_hunger():
    world = Survivor()
    world.affect("hunger", 600)
    world.tick(20)
    return world.need("exhaustion")


def _effort_of_healing():
    world = Survivor()
    world.set(food=18, saturation=0, health=10)
    ticks_until(world, lambda: world.health > 10, 100)
    return world.need("exhaustion")


def _effort_of_hurt(by):
    world = Survivor()
    assert strike_with(world, by, 2)
    return round(world.need("exhaustion"), 6)


def _in_water():
    world = Survivor()
    fill(world, "water", range(-2, 3), range(FEET, FEET + 3), range(-40, 60))
    world.set(pitch=0.0, air=10**6)
    return world


@measure
def exhaustion(by):
    ways = {"walk": {}, "sneak": {"sneak": 1}, "sprint": {"sprint": 1}}
    if by in ways:
        return _effort_of_way(Survivor(), forward=1, **ways[by])
    if by == "swim":
        return _effort_of_way(_in_water(), forward=1)
    if by in ("jump", "sprint_jump"):
        keys = {"forward": 1, "sprint": 1} if by == "sprint_jump" else {}
        return round(_effort_of_jump(Survivor(), **keys), 6)
    others = {
        "break": _effort_of_block,
        "attack": _effort_of_blow,
        "hunger": _effort_of_hunger,
        "healing": _effort_of_healing,
    }
    if by in others:
        return round(others[by](), 6)
    return _effort_of_hurt("zombie" if by == "hurt" else by)


@measure
def exhaustion_of_a_point():
    world = Survivor()
    world.set(food=10, saturation=0)
    for step in range(1, 100):
        world.set_need(exhaustion=step * 0.05)
        world.tick()
        if world.food < 10:
            return step * 0.05
    return None


@measure
def food_lost(saturation, difficulty="normal"):
    world = Survivor(difficulty)
    world.set(food=20, saturation=saturation)
    world.set_need(exhaustion=4.5)
    world.tick()
    return [20 - world.food, saturation - world.saturation]


@measure
def least_food_to_sprint():
    for food in range(20, -1, -1):
        world = Survivor()
        world.set(food=food)
        world.tick(3, forward=1, sprint=1)
        if not world.sprinting:
            return food + 1
    return None


@measure
def natural_healing(food, saturation, difficulty="normal"):
    found = []
    world = Survivor(difficulty)
    world.set(health=1)
    for tick in range(400):
        world.set(food=food, saturation=saturation)
        world.set_need(exhaustion=0)
        before = world.health
        world.tick()
        if world.health > before:
            found.append((tick, world.health - before))
    return steady(found) if found else None


@measure
def peaceful_feeding():
    world = Survivor("peaceful")
    world.set(food=1)
    return steady(world.changes("food", 60))[0]


@measure
def starving(difficulty):
    world = Survivor(difficulty)
    world.set(food=0, saturation=0)
    return steady(world.changes("health", 400))


@measure
def starved_to(difficulty):
    world = Survivor(difficulty)
    world.set(food=0, saturation=0)
    world.tick(1800)
    return world.health


@measure
def eating_time(item, times=1):
    world = Survivor()
    stack = times if item in ("apple", "bread", "dried_kelp") else 1
    world.give(0, item, stack)
    eaten = 0
    for tick in range(1, 200):
        world.set(food=5)
        world.tick(use=1)
        eaten += sum(kind == "eaten" for kind, _, _ in world.events())
        if eaten == times:
            return tick
    return None


@measure
def nourishment(item):
    world = Survivor()
    world.set(food=10, saturation=0)
    world.eat(item)
    return [world.food - 10, world.saturation]


@measure
def fullest(food, item):
    world = Survivor()
    world.set(food=food, saturation=15)
    world.eat(item)
    return [world.food, world.saturation]


@measure
def eaten_when_full(item):
    world = Survivor()
    world.give(0, item)
    world.tick(50, use=1)
    return world.slot(0)[0] != item


@measure
def left_over(item):
    world = Survivor()
    world.set(food=5)
    world.eat(item)
    name, count, _ = world.slot(0)
    return name if count else ""


@measure
def eating_pace():
    ways = []
    for keys in ({}, {"use": 1}):
        world = Survivor()
        world.give(0, "bread", 64)
        world.set(food=1, saturation=0)
        world.tick(10, forward=1, **keys)
        start = world.z
        world.tick(15, forward=1, **keys)
        ways.append(world.z - start)
    return ways[1] / ways[0]


@measure
def effect_of_food(item, effect):
    tries = 200 if item in ("rotten_flesh", "chicken", "poisonous_potato") else 1
    came, found = 0, (0, 0)
    for seed in range(tries):
        world = Survivor(seed=seed + 1)
        world.set(food=5)
        world.give(0, item)
        world.set_need(meal=item_named(item).id, chewed=31)
        world.tick(use=1)
        assert world.slot(0)[0] != item
        ticks, level = world.effect(effect)
        if ticks:
            came, found = came + 1, (ticks, level)
    # The tick of the last bite is the first in which the effect acts.
    return [came / tries, found[0] + 1, found[1]]


@measure
def effect_hurts(effect, level):
    world = Survivor()
    world.set(food=10)
    world.affect(effect, 400, level)
    return steady(world.changes("health", 300))


@measure
def effect_heals(level):
    world = Survivor()
    world.set(food=10, health=2)
    world.affect("regeneration", 400, level)
    return steady(world.changes("health", 300))


@measure
def poisoned_to():
    world = Survivor()
    world.set(food=10, health=3)
    world.affect("poison", 500)
    world.tick(500)
    return world.health


@measure
def absorbed(level):
    assert level == 0
    world = Survivor()
    world.eat("golden_apple")
    world.affect("regeneration", 0)
    assert strike_with(world, "zombie", 10)
    return 10 - (20 - world.health)


@measure
def resisted(level):
    world = Survivor()
    world.affect("resistance", 100, level)
    assert strike_with(world, "zombie", 10)
    return (20 - world.health) / 10


@measure
def cured(item):
    world = Survivor()
    for effect in ("hunger", "poison"):
        world.affect(effect, 5000)
    world.eat(item)
    return [
        name for name in EFFECT_NAMES if name in ("hunger", "poison") and not world.effect(name)[0]
    ]


def _victim(by):
    """Return a world whose player is hurt all the time."""
    world = Survivor()
    world.set(food=10)
    if by in ("fire", "soul_fire", "sweet_berry_bush"):
        state = 3 if by == "sweet_berry_bush" else 0
        if by == "soul_fire":
            world.put(0, FEET - 1, 0, "soul_sand")
        world.put(0, FEET, 0, by, state)
    elif by == "burning":
        world.set_need(fire=10**6)
    elif by == "cactus":
        world.put(0, FEET - 1, 1, "sand")
        world.put(0, FEET, 1, "cactus")
    elif by == "lava":
        fill(world, "lava", range(-2, 3), range(FEET, FEET + 2), range(-2, 3))
    elif by == "drowning":
        fill(world, "water", range(-2, 3), range(FEET, FEET + 5), range(-2, 3))
        fill(world, "stone", range(-2, 3), range(FEET + 2, FEET + 3), range(-2, 3))
        world.set(air=0)
    elif by == "suffocation":
        world.put(0, FEET, 0, "stone")
        world.put(0, FEET + 1, 0, "stone")
    else:
        assert by == "void"
        world.set(y=-200, on_ground=0)
    return world


@measure
def hurt_by(by):
    world = _victim(by)
    keys = {"forward": 1} if by == "cactus" else {}
    found = []
    for tick in range(120):
        world.set(health=20)
        if by == "sweet_berry_bush":
            world.set(vx=0.05, x=0.5)
        if by in ("fire", "soul_fire"):
            world.set_need(fire=-20)
        world.tick(**keys)
        if world.health < 20:
            found.append((tick, 20 - world.health))
    return steady(found[1:] if by == "lava" else found)


@measure
def burns_on(after, into=""):
    world = _victim(after)
    for _ in range(40):
        world.set(health=20)
        world.tick()
    fill(world, "air", range(-2, 3), range(FEET, FEET + 2), range(-2, 3))
    if into == "water":
        world.put(0, FEET, 0, "water")
    elif into == "rain":
        world.worlds.skies["rain"] = world.worlds.skies["raining"] = 1
        world.worlds.biomes[:] = biome_index("plains")
    ticks = 0
    while world.need("fire") > 0:
        world.set(health=20)
        world.tick()
        ticks += 1
    return ticks if not into else max(ticks - 1, 0)


@measure
def catches_fire():
    world = _victim("fire")
    return ticks_until(world, lambda: world.need("fire") > 0, 60)


@measure
def through_iron(by):
    world = Survivor()
    for k, part in enumerate(ARMOUR):
        world.give(36 + k, f"iron_{part}")
    raw = {
        "lava": 4,
        "cactus": 1,
        "fire": 1,
        "lightning": BOLT,
        "fall": 4,
        "drowning": 2,
        "void": 4,
    }
    assert strike_with(world, by, raw.get(by, 1))
    return 20 - world.health


@measure
def armour_wear(hurt):
    world = Survivor()
    for k, part in enumerate(ARMOUR):
        world.give(36 + k, f"diamond_{part}")
    world.set(health=100)
    assert strike_with(world, "zombie", hurt)
    (worn,) = {world.slot(36 + k)[2] for k in range(4)}
    return worn


@measure
def immunity(first, then, after=0):
    world = Survivor()
    world.set(food=10)
    strike_with(world, "zombie", first)
    world.tick(after)
    strike_with(world, "skeleton", then)
    return 20 - world.health


@measure
def level(points):
    return level_and_share(float(points))[0]


@measure
def mined_experience(block):
    world, gains = Survivor(), []
    for _ in range(200):
        world.set(experience=0)
        earn_from_block(world.worlds, 0, block_named(block).id)
        gains.append(world.experience)
    return [min(gains), max(gains)]


@measure
def smelted_experience(item, count):
    world = Survivor()
    earn_from_furnace(world.worlds, 0, item_named(item).id, count)
    return world.experience


def _dead(keep_inventory=False, **values):
    """Return a world whose player has just died, with things and experience."""
    world = Survivor()
    world.worlds.assists["keep_inventory"] = keep_inventory
    world.worlds.spawns[0] = (5.5, FEET, 5.5)
    world.give(0, "dirt", 20)
    world.set(health=1, food=3, saturation=0, experience=100, **values)
    strike_with(world, "zombie", 5)
    world.tick()
    assert not world.alive
    return world


@measure
def respawn(keep_inventory):
    world = _dead(keep_inventory)
    bring_back(world.worlds, 0)
    assert (world.alive, world.x, world.z) == (1, 5.5, 5.5)
    return {name: getattr(world, name) for name in ("health", "food", "saturation", "experience")}


@measure
def respawn_immunity():
    world = _dead()
    bring_back(world.worlds, 0)
    for tick in range(1, 2 * SAFE_FOR):
        if strike_with(world, "zombie", 1):
            return tick - 1
        world.tick()
    return None


@measure
def lost_experience(level):
    world = Survivor()
    world.set(experience=next(p for p in range(2000) if level_and_share(float(p))[0] == level))
    strike_with(world, "fall", 30)
    world.tick()
    assert world.experience == 0
    bring_back(world.worlds, 0)
    world.set(x=40.5)
    world.tick(5)
    assert world.experience == 0
    world.set(x=3.5)
    world.tick()
    return world.experience


@measure
def death_drop_delay():
    world = _dead()
    return int(world.worlds.drops["delay"][0].max()) + 1
