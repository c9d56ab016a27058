"""Beds: two halves, the spawn point, sleep until morning, and reasons that prevent or end sleep."""

import pytest

from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen

FOOT, HEAD = (0, FEET, 2), (0, FEET, 3)
NIGHT, MORNING = 14_000, 24_000
LONG_ENOUGH = 100
"""Ticks of lying after which it is morning; Minecraft Wiki, "Bed": five seconds."""


def chamber(made: type[Flat] = Flat, time: int = NIGHT) -> Flat:
    """Return a world with a bed south of the player, who looks at it."""
    flat = made()
    flat.put(*FOOT, "red_bed", 0)
    flat.put(*HEAD, "red_bed", 1)
    flat.set(pitch=40.0)
    flat.worlds.skies["time"] = time
    flat.worlds.skies["rain_wait"] = flat.worlds.skies["thunder_wait"] = 100_000
    flat.tick()
    return flat


def lies(flat: Flat) -> bool:
    return bool(flat.worlds.sleeps["ticks"][0])


def test_a_bed_is_placed_as_two_halves_and_breaks_as_one_item():
    flat = Flat()
    flat.give(0, "red_bed", 1)
    flat.set(pitch=45.0, yaw=270.0)
    flat.tick(use=1)
    x = next(x for x in range(1, 4) if flat.at(x, FEET, 0) == "red_bed")
    assert (flat.at(x + 1, FEET, 0), flat.state_at(x, FEET, 0)) == ("red_bed", 3 << 1)
    assert flat.state_at(x + 1, FEET, 0) == 3 << 1 | 1
    flat.tick(40, attack=1)
    assert (flat.at(x, FEET, 0), flat.at(x + 1, FEET, 0)) == ("air", "air")
    flat.tick(40)
    assert flat.held().get("red_bed", 0) + flat.lying().get("red_bed", 0) == 1


def test_a_bed_needs_room_for_both_halves():
    flat = Flat()
    flat.give(0, "red_bed", 1)
    flat.set(pitch=60.0)
    flat.put(0, FEET, 2, "stone")
    flat.tick(use=1)
    assert flat.held() == {"red_bed": 1}


def test_sleep_lasts_until_morning_and_ends_the_rain():
    flat = chamber()
    flat.worlds.skies["raining"] = flat.worlds.skies["rain"] = 1
    flat.tick(use=1)
    assert lies(flat)
    flat.tick(LONG_ENOUGH - 1)
    assert lies(flat)
    flat.tick()
    assert not lies(flat)
    assert flat.worlds.skies["time"][0] == MORNING + 1
    assert not flat.worlds.skies["raining"][0]
    assert not flat.is_buried()


def test_a_bed_used_by_day_sets_the_spawn_without_sleep():
    flat = chamber(time=6000)
    flat.tick(use=1)
    assert not lies(flat)
    home = flat.worlds.spawns[0]
    assert abs(home["x"] - 0.5) <= 2
    assert abs(home["z"] - 2.5) <= 2
    flat.set(x=home["x"], y=home["y"], z=home["z"])
    assert not flat.is_buried()


def test_a_thunderstorm_allows_sleep_by_day():
    flat = chamber(time=6000)
    for name in ("raining", "rain", "thundering", "thunder"):
        flat.worlds.skies[name] = 1
    flat.tick(use=1)
    assert lies(flat)


@pytest.mark.parametrize(("kind", "away", "sleeps"), [
    ("zombie", 7.5, False), ("zombie", 9.5, True), ("cow", 3.0, True),
])  # fmt: skip
def test_near_monsters_prevent_sleep(kind, away, sleeps):
    pen = chamber(Pen)
    pen.add(kind, 0.5, 2.5 + away)
    pen.tick(use=1)
    assert lies(pen) == sleeps


def test_damage_wakes_the_player():
    flat = chamber()
    flat.tick(use=1)
    flat.tick(10)
    flat.set(health=15.0)
    flat.tick()
    assert not lies(flat)
    assert flat.worlds.skies["time"][0] < MORNING


def test_a_player_away_from_its_bed_is_awake():
    flat = chamber()
    flat.tick(use=1)
    flat.set(x=9.5, z=9.5, health=20.0)
    flat.tick()
    assert not lies(flat)
    assert (flat.x, flat.z) == (9.5, 9.5)


def test_the_sneak_key_or_a_broken_bed_ends_sleep():
    for end in ({"sneak": 1}, {}):
        flat = chamber()
        flat.tick(use=1)
        if not end:
            flat.put(*HEAD, "air")
        flat.tick(**end)
        assert not lies(flat)


def test_a_distant_or_covered_bed_prevents_sleep():
    flat = chamber()
    flat.put(0, FEET + 1, 3, "stone")
    flat.tick(use=1)
    assert not lies(flat)
    flat = chamber()
    flat.set(z=-2.4, pitch=20.0)
    flat.tick(use=1)
    assert not lies(flat)
