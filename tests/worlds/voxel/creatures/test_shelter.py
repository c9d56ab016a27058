"""Walls, sight and distance against blows, arrows, fuses and explosions; damage and knockback of blows."""

import numpy as np
import pytest

from optimus_gym.worlds.voxel.creatures.arrows import shoot
from optimus_gym.worlds.voxel.creatures.explosion import explode
from optimus_gym.worlds.voxel.creatures.harm import hurt_creature
from optimus_gym.worlds.voxel.creatures.kinds import CHASES
from optimus_gym.worlds.voxel.terrain.biomes import DESERT, PLAINS
from tests.worlds.flat import FEET
from tests.worlds.voxel.measures.measuring import fill
from tests.worlds.voxel.pen import KINDS, MIDNIGHT, NOON, Pen, calm

LONG = 100
"""Ticks that suffice for a monster to strike, shoot or hiss."""


def corner(pen: Pen) -> None:
    """Put two walls next to the player; their corner hides the cell diagonally ahead."""
    for y in (FEET, FEET + 1):
        pen.put(1, y, 0, "stone")
        pen.put(0, y, 1, "stone")


@pytest.mark.parametrize("walled", [True, False])
def test_a_zombie_strikes_only_a_player_that_it_sees(walled):
    """Minecraft Wiki, "Zombie": it needs a line of sight; 1.2 blocks away it would reach."""
    pen = Pen()
    pen.set(x=0.4, z=0.5)
    if walled:
        corner(pen)
    row = pen.hunter("zombie", 1.35, 1.35)
    pen.pinned(row, LONG)
    assert (pen.health == 20) == walled


@pytest.mark.parametrize("walled", [True, False])
def test_a_skeleton_shoots_only_at_a_player_that_it_sees(walled):
    """Minecraft Wiki, "Skeleton": it shoots at what is in sight."""
    pen = Pen()
    if walled:
        fill(pen, "stone", range(-3, 4), range(FEET, FEET + 3), range(4, 5))
    row = pen.hunter("skeleton", 0.5, 8.5)
    pen.pinned(row, LONG)
    assert (len(pen.arrows) == 0 and pen.health == 20) == walled


@pytest.mark.parametrize("walled", [True, False])
def test_a_creeper_hisses_only_at_a_player_that_it_sees(walled):
    """Minecraft Wiki, "Creeper": its fuse burns while it sees a player within 3 blocks."""
    pen = Pen()
    if walled:
        fill(pen, "stone", range(-3, 4), range(FEET, FEET + 3), range(1, 2))
    row = pen.hunter("creeper", 0.5, 2.5)
    pen.pinned(row, 20)
    assert (row["fuse"][0] == 0) == walled


def test_a_creeper_calms_when_the_player_gets_away():
    """Minecraft Wiki, "Creeper": at 7 blocks the fuse goes out."""
    pen = Pen()
    row = pen.hunter("creeper", 0.5, 8.0, drawn=1, fuse=20)
    pen.pinned(row, 25)
    assert row["fuse"][0] == 0
    assert len(pen.creatures) == 1


def test_an_exploded_creeper_is_gone():
    pen = Pen(difficulty="easy")
    pen.set(health=1000)
    pen.hunter("creeper", 0.5, 2.5, drawn=1, fuse=29)
    pen.tick(3)
    assert pen.health < 1000
    assert len(pen.creatures) == 0


def blast(walled: bool) -> Pen:
    """Return a pen after an explosion 4 blocks from the player and a cow, behind a wall or not."""
    pen = Pen(time=NOON)
    pen.set(health=1000, z=0.5)
    if walled:
        fill(pen, "bedrock", range(-6, 7), range(FEET, FEET + 8), range(2, 3))
    calm(pen.add("cow", 1.5, 0.5, health=1000))
    explode(pen.worlds, 0, 0.5, FEET + 0.5, 4.5, 3.0, 0)
    return pen


def test_a_wall_shields_from_an_explosion():
    """Minecraft Wiki, "Explosion": what no ray reaches is neither hurt nor thrown."""
    shielded, open_ = blast(True), blast(False)
    assert shielded.health == 1000
    assert open_.health < 1000
    assert (shielded.vx, shielded.vz) == (0, 0)
    assert open_.vz < -0.1
    assert shielded.creatures["health"][0] == 1000
    assert open_.creatures["health"][0] < 1000


def test_an_explosion_throws_the_player_away():
    pen = Pen()
    pen.set(health=1000, x=3.5)
    explode(pen.worlds, 0, 0.5, FEET + 0.5, 0.5, 3.0, 0)
    # 0.4 as any blow, and half a block a tick at 3 of 6 blocks, with 3 parts in 3.36 sideways
    assert pen.vx == pytest.approx(0.4 + 0.5 * 3 / np.hypot(3, 1.12), abs=0.05)
    assert abs(pen.vz) < 1e-6


def test_the_blast_at_full_exposure_hurts_as_published():
    """Minecraft Wiki, "Explosion": floor(3.5 reach (i i + i) + 1), reach 6, i = 1 - distance / 6."""
    pen = Pen(difficulty="normal")
    pen.set(health=1000)
    explode(pen.worlds, 0, 3.5, FEET + 0.0, 0.5, 3.0, 0)
    i = 1 - 3 / 6
    assert 1000 - pen.health == np.floor((i * i + i) / 2 * 7 * 6 + 1)


def test_spiders_leap_at_their_prey():
    """Minecraft Wiki, "Spider": from 2 to 4 blocks away, on even ground."""
    highest = 0.0
    pen = Pen()
    row = pen.hunter("spider", 0.5, 3.9)
    for _ in range(60):
        pen.set(health=20, x=0.5, z=0.5, vx=0, vz=0)
        row["z"], row["x"] = 3.9, 0.5
        pen.tick()
        highest = max(highest, float(row["y"][0]) - FEET)
    assert highest > 0.3


def test_a_blow_knocks_the_player_away():
    """Minecraft Wiki, "Knockback": 0.4 blocks a tick away and up; drag takes a part."""
    pen = Pen()
    pen.tick(3)
    row = pen.hunter("zombie", 0.5, 1.7)
    while pen.health == 20:
        pen.pinned(row, player=False)
    assert pen.vz < -0.1
    assert abs(pen.vx) < 0.05
    assert pen.vy > 0.1 or pen.y > FEET


def test_a_blow_knocks_a_creature_away():
    """Minecraft Wiki, "Knockback": 0.4 blocks a tick away from the striker."""
    pen = Pen(time=NOON)
    row = pen.add("cow", 0.5, 2.5, health=100)
    calm(row)
    pen.set(pitch=10.0, yaw=0.0)
    pen.tick(20)
    pen.tick(attack=1)
    pen.tick(3)
    assert row["z"][0] > 2.9


def test_an_arrow_hurts_by_its_speed():
    """Minecraft Wiki, "Arrow": its damage, 2 of itself, times its speed in blocks a tick, rounded up."""
    for speed, hurt in ((1.6, 4), (2.4, 5), (0.9, 2)):
        pen = Pen()
        pen.worlds.fauna["arrows"] = 1
        arrow = pen.worlds.arrows[0, 0]
        arrow["x"], arrow["y"], arrow["z"] = 0.5, FEET + 1.0, 0.5 + 0.6 + 0.5 * speed
        arrow["vz"], arrow["damage"] = -speed, 2.0
        pen.tick()
        assert 20 - pen.health == hurt


def test_an_arrow_stops_in_a_wall_and_falls_on_its_way():
    pen = Pen()
    fill(pen, "stone", range(-3, 4), range(FEET, FEET + 3), range(4, 5))
    pen.worlds.fauna["arrows"] = 2
    for k, x in enumerate((0.5, 10.5)):
        arrow = pen.worlds.arrows[0, k]
        arrow["x"], arrow["y"], arrow["z"] = x, FEET + 1.5, 6.5
        arrow["vz"], arrow["damage"] = -1.0, 2.0
    pen.tick(20)
    assert pen.health == 20
    assert pen.arrows["z"][0] > 4.5
    assert pen.arrows["y"][1] < FEET + 0.2


@pytest.mark.parametrize(("level", "come"), [(8, False), (9, True)])
def test_animals_spawn_only_in_light(level, come):
    """Minecraft Wiki, "Spawn" (1.16): animals need light of 9 or more."""
    pen = Pen("grass_block")
    pen.worlds.biomes[:] = PLAINS
    pen.tick()
    pen.worlds.creatures[:] = np.zeros((), pen.worlds.creatures.dtype)
    pen.worlds.fauna["creatures"] = 0
    animals = 0
    for k in range(1, 31):
        pen.worlds.field[:] = pen.worlds.field & np.uint32(0x0FFFFFF) | np.uint32(level << 24)
        pen.set(tick=400 * k - 1, health=20)
        pen.tick(2)
        kinds = [KINDS[kind] for kind in pen.creatures["kind"]]
        animals += sum(kind in ("cow", "pig", "sheep", "chicken", "rabbit") for kind in kinds)
    assert (animals > 0) == come


def test_a_just_hurt_creature_takes_only_the_excess_of_stronger_damage():
    """Minecraft Wiki, "Damage" (immunity): for half a second only the excess of stronger damage counts."""
    pen = Pen(time=NOON)
    row = pen.add("cow", 0.5, 3.5, health=10)
    for amount, left in ((3.0, 7.0), (2.0, 7.0), (5.0, 5.0)):
        hurt_creature(pen.worlds, 0, 0, amount, False)
        assert row["health"][0] == left


def test_explosions_vary_with_the_seed():
    """Minecraft Wiki, "Explosion": each ray begins with 0.7 to 1.3 times the power."""
    broken = set()
    for seed in range(1, 7):
        pen = Pen("dirt", seed=seed)
        explode(pen.worlds, 0, 10.5, float(FEET), 10.5, 3.0, 0)
        broken.add(int(pen.edits))
    assert len(broken) > 1


def test_an_exploded_creeper_leaves_nothing():
    """Minecraft Wiki, "Creeper": gunpowder falls when it is killed, not when it explodes."""
    for seed in range(1, 13):
        pen = Pen(seed=seed)
        pen.set(health=1000)
        pen.hunter("creeper", 0.5, 2.5, drawn=1, fuse=29)
        pen.tick(2)
        assert pen.lying() == {}


def test_skeletons_hit_from_afar():
    """Minecraft Wiki, "Skeleton": up to 15 blocks far; on hard it seldom misses a still target."""
    hits = 0
    for seed in range(1, 11):
        pen = Pen(difficulty="hard", seed=seed)
        pen.hunter("skeleton", 0.5, 14.5)
        shoot(pen.worlds, 0, 0)
        pen.worlds.fauna["creatures"] = 0
        pen.tick(25)
        hits += pen.health < 20
    assert hits >= 6


def blow(sprints: bool = False, **player: float) -> float:
    """Return the health that a blow with the fist takes from a cow."""
    pen = Pen(time=NOON)
    row = pen.add("cow", 0.5, 2.5, health=100)
    calm(row)
    pen.set(pitch=10.0, yaw=0.0)
    pen.tick(30)
    before = float(row["health"][0])
    pen.set(**player)
    pen.tick(attack=1, forward=int(sprints), sprint=int(sprints))
    return before - float(row["health"][0])


def test_a_blow_while_falling_is_critical_except_in_a_sprint():
    """Minecraft Wiki, "Damage" (critical hit): 1.5 times, not while sprinting."""
    falls = {"fall": 1.0, "on_ground": 0, "y": FEET + 0.2}
    assert blow() == pytest.approx(1.0)
    assert blow(**falls) == pytest.approx(1.5)
    assert blow(sprints=True, **falls, sprinting=1) == pytest.approx(1.0)


def test_a_held_attack_key_strikes_once():
    """Minecraft Wiki, "Controls": each blow asks for another press of the key."""
    pen = Pen(time=NOON)
    row = pen.add("cow", 0.5, 2.5, health=100)
    pen.set(pitch=10.0, yaw=0.0)
    pen.tick(30)
    for _ in range(100):
        calm(row)
        pen.pinned(row, attack=1)
    assert row["health"][0] == pytest.approx(99.0)


def test_rare_drops_need_a_kill_by_the_player():
    """Minecraft Wiki, "Zombie": 2.5 % an iron ingot, a carrot or a potato, if a player killed it."""
    for seed in range(1, 41):
        pen = Pen(seed=seed)
        for x in range(10):
            pen.add("zombie", 5.5 + x, 5.5)
            hurt_creature(pen.worlds, 0, x, 1000.0, False)
        assert set(pen.lying()) <= {"rotten_flesh"}


@pytest.mark.parametrize(("time", "hunts"), [(NOON, False), (MIDNIGHT, True)])
def test_spiders_leave_the_player_alone_in_bright_light(time, hunts):
    """Minecraft Wiki, "Spider": hostile where it is darker than light level 12."""
    begun = 0
    for seed in range(1, 4):
        pen = Pen(time=time, seed=seed)
        pen.worlds.unlit[:] = 1
        row = pen.add("spider", 0.5, 6.5)
        for _ in range(100):
            pen.pinned(row)
            begun += row["mood"][0] == CHASES
    assert (begun > 0) == hunts


def test_a_skeleton_keeps_its_distance():
    """Minecraft Wiki, "Skeleton": it backs away from a near player and approaches a far player."""
    far = {}
    for start in (4.0, 14.0):
        pen = Pen()
        row = pen.hunter("skeleton", 0.5, 0.5 + start)
        for _ in range(60):
            pen.set(health=20, x=0.5, y=FEET, z=0.5, vx=0, vy=0, vz=0)
            pen.tick()
        far[start] = float(np.hypot(row["x"][0] - 0.5, row["z"][0] - 0.5))
    assert far[4.0] > 5.0
    assert far[14.0] < 14.0


def test_a_zombie_goes_around_a_wall_of_two_blocks():
    """Minecraft Wiki, "Mob" (pathfinding): walkers jump up one block, not two."""
    pen = Pen()
    fill(pen, "glass", range(-5, 6), range(FEET, FEET + 2), range(5, 6))
    row = pen.hunter("zombie", 0.5, 8.5)
    for _ in range(300):
        row["seen"] = 1
        pen.set(health=20, x=0.5, y=FEET, z=0.5, vx=0, vy=0, vz=0)
        pen.tick()
        if row["z"][0] < 4:
            break
    assert row["z"][0] < 4


def test_animals_spawn_once_in_400_ticks():
    """Minecraft Wiki, "Spawn" (spawn cycle): the game tries to spawn animals every 400 ticks."""
    pen = Pen("grass_block", time=NOON)
    pen.worlds.biomes[:] = PLAINS
    pen.tick()
    came = set()
    for _ in range(12):
        pen.worlds.creatures[:] = np.zeros((), pen.worlds.creatures.dtype)
        pen.worlds.fauna["creatures"] = 0
        pen.set(tick=390)
        for _ in range(20):
            before = len(pen.creatures)
            now = int(pen.worlds.players["tick"][0])
            pen.tick()
            if len(pen.creatures) > before:
                came.add(now)
        pen.set(random=int(pen.worlds.players["random"][0]) + 1, seed=pen.seed + 1)
    assert len(came) == 1
    assert came <= {399, 400}


@pytest.mark.parametrize(("rain", "burns"), [(0, True), (1, False)])
def test_zombies_burn_by_day_but_not_in_the_rain(rain, burns):
    """Minecraft Wiki, "Zombie" (burning): in sunlight, unless it rains."""
    pen = Pen(time=NOON)
    pen.worlds.biomes[:] = DESERT  # where no rain falls that would put zombies out
    pen.worlds.skies["raining"] = pen.worlds.skies["rain"] = rain
    row = pen.add("zombie", 20.5, 0.5, health=1000)
    lit = 0
    for _ in range(200):
        pen.pinned(row)
        lit += row["fire"][0] > 0
    assert (lit > 0) == burns
