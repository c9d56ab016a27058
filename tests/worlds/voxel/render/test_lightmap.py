"""The light map: caves dark but not black, nights dimmer and bluer than days, flames warm."""

import numpy as np
import pytest

from optimus_gym.worlds.voxel.render.frame import FRAME
from optimus_gym.worlds.voxel.render.lightmap import fill_lights, light_of_eye
from optimus_gym.worlds.voxel.start import set_sky
from tests.worlds.voxel.render.landscape import land, stand, world_of

NOON, MIDNIGHT = 6_000, 18_000
SKY, FLAME = 15 << 4, 15


@pytest.fixture(scope="module")
def worlds():
    return world_of(land())


def lights(worlds, time, weather="clear"):
    """Return the light map, int64[256, 3]: red, green, blue."""
    frame = np.zeros(1, FRAME)
    set_sky(worlds, 0, time, weather)
    fill_lights(frame, worlds, 0)
    packed = frame["lights"][0].astype(np.int64)
    return np.stack([packed & 255, packed >> 8 & 255, packed >> 16 & 255], 1)


def test_more_light_is_never_darker(worlds):
    for time in (NOON, MIDNIGHT):
        table = lights(worlds, time).reshape(16, 16, 3)
        assert (np.diff(table, axis=0) >= 0).all()
        assert (np.diff(table, axis=1) >= 0).all()


def test_a_cave_is_dark_at_any_hour_but_not_black(worlds):
    for time in (NOON, MIDNIGHT):
        assert (lights(worlds, time)[0] > 20).all()
        assert (lights(worlds, time)[0] < 80).all()


def test_the_night_is_dimmer_and_bluer_than_noon(worlds):
    noon, night = lights(worlds, NOON)[SKY], lights(worlds, MIDNIGHT)[SKY]
    assert night[0] < 0.85 * noon[0]
    assert night[2] > night[0]


def test_thunder_dims_the_sky_light_and_not_the_flames(worlds):
    dusk = 13_000
    clear, rain = lights(worlds, dusk), lights(worlds, dusk, "thunder")
    assert rain[SKY].sum() < clear[SKY].sum()
    assert rain[FLAME].tolist() == clear[FLAME].tolist()


def test_a_weak_flame_is_warm(worlds):
    red, green, blue = lights(worlds, MIDNIGHT)[3]
    assert red >= green >= blue
    assert red > blue


def test_the_hand_is_darker_in_a_dark_place(worlds):
    set_sky(worlds, 0, NOON, "clear")
    seen = []
    for y in (66.0, 20.0):
        stand(worlds, 0.5, y, 0.5, 0.0, 0.0)
        seen.append(int(light_of_eye(worlds, 0)) & 255)
    assert seen[0] > seen[1]
