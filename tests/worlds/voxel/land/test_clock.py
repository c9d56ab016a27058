"""The clock against the game's published values, within one tick."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.game.conditions import TIMES
from optimus_gym.worlds.voxel.land.clock import (
    DAY,
    celestial_angle,
    darkness,
    daylight,
    moon_phase,
    star_light,
    sun_height,
)
from optimus_gym.worlds.voxel.state.worlds import Worlds, make_worlds

WORLDS = make_worlds(1, 16)


def at(time: int, rain: float = 0.0, thunder: float = 0.0) -> Worlds:
    sky = WORLDS.skies[0]
    sky["time"], sky["rain"], sky["thunder"] = time, rain, thunder
    return WORLDS


TURNS = [  # Minecraft Wiki, "Daylight cycle" (Java Edition): tick, rain, darkness from then on
    (12_040, 0, 1),  # sky light begins to fall
    (12_542, 0, 4),  # beds can be used
    (13_188, 0, 8),  # monsters begin to spawn in the open
    (13_670, 0, 11),  # sky light is least
    (22_331, 0, 10),  # sky light begins to rise
    (22_812, 0, 7),  # monsters cease to spawn in the open
    (23_460, 0, 3),  # beds can no longer be used
    (23_961, 0, 0),  # sky light is full
    (12_010, 1, 4),  # the same in rain: beds can be used
    (12_969, 1, 8),  # monsters begin to spawn
    (23_031, 1, 7),  # monsters cease to spawn
    (23_992, 1, 3),  # beds can no longer be used
]


@pytest.mark.parametrize(("tick", "rain", "after"), TURNS)
def test_sky_light_changes_at_the_published_times(tick: int, rain: int, after: int) -> None:
    before = darkness(at(tick - 2, rain), 0)
    assert before != after
    assert abs(before - after) == 1
    assert darkness(at(tick + 1, rain), 0) == after


def test_day_and_night_have_the_games_light() -> None:
    assert darkness(at(TIMES["noon"]), 0) == 0
    assert darkness(at(TIMES["midnight"]), 0) == 11
    assert darkness(at(TIMES["noon"], 1), 0) == 3
    assert darkness(at(TIMES["noon"], 1, 1), 0) == 5
    assert daylight(at(TIMES["noon"]), 0) == pytest.approx(1.0)
    assert daylight(at(TIMES["midnight"]), 0) == pytest.approx(0.2)
    assert daylight(at(TIMES["noon"], 1), 0) == pytest.approx(0.2 + 0.8 * 11 / 16)
    assert daylight(at(TIMES["noon"], 1, 1), 0) == pytest.approx(0.2 + 0.8 * (11 / 16) ** 2)
    assert daylight(at(TIMES["noon"], 0, 1), 0) == daylight(at(TIMES["noon"]), 0)
    assert star_light(at(TIMES["midnight"]), 0) == pytest.approx(0.5)
    assert star_light(at(TIMES["midnight"], 1), 0) == 0.0
    assert star_light(at(TIMES["noon"]), 0) == 0.0


def test_the_sun_is_highest_at_noon_and_lowest_at_midnight() -> None:
    assert celestial_angle(TIMES["noon"]) == 0.0
    assert celestial_angle(TIMES["midnight"]) == 0.5
    assert celestial_angle(0) == pytest.approx(0.7845, abs=1e-4)
    assert sun_height(12_000) == pytest.approx(sun_height(0), abs=1e-3)


@given(st.integers(0, 10 * DAY))
def test_the_sky_turns_in_one_direction(time: int) -> None:
    angle, later = celestial_angle(time), celestial_angle(time + 10)
    assert 0.0 <= angle < 1.0
    assert 0.0 < (later - angle) % 1.0 < 0.002


@given(st.integers(0, 2**40), st.floats(0, 1, width=32), st.floats(0, 1, width=32))
def test_light_keeps_its_range(time: int, rain: float, thunder: float) -> None:
    worlds = at(time, rain, thunder)
    assert 0 <= darkness(worlds, 0) <= 11
    assert 0.2 <= daylight(worlds, 0) <= 1.0


def test_the_moon_has_eight_phases() -> None:
    assert [moon_phase(day * DAY + 18_000) for day in range(9)] == [*range(8), 0]
