"""Sky, sun, moon, stars and weather in the picture."""

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.conditions import TIMES
from optimus_gym.worlds.voxel.land.clock import DAY
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.start import set_sky
from optimus_gym.worlds.voxel.state.worlds import Worlds
from tests.worlds.voxel.render.landscape import ID, land, stand, world_of

SOUTH, WEST, NORTH, EAST = 0.0, 90.0, 180.0, 270.0
LAND = land()


@pytest.fixture(scope="module")
def worlds() -> Worlds:
    return world_of(LAND)


def sky(
    worlds: Worlds,
    time: int | str,
    yaw: float = SOUTH,
    pitch: float = -40.0,
    weather: str = "clear",
    y: float = 66.0,
    fast: bool = True,
    tick: int = 0,
    size: tuple[int, int] = (90, 160),
) -> NDArray[np.int64]:
    """Return a picture from above the clearing."""
    set_sky(worlds, 0, TIMES[time] if isinstance(time, str) else time, weather)
    stand(worlds, 0.5, y, 0.5, yaw, pitch)
    worlds.players[0]["tick"] = tick
    image = np.zeros((*size, 3), np.uint8)
    render_frame(worlds, 0, block_look(), 64.0, fast, image)
    return image.astype(np.int64)


def test_the_sky_is_blue_at_noon_and_dark_at_night(worlds: Worlds) -> None:
    noon = sky(worlds, "noon", pitch=-35.0, y=100.0)
    zenith, horizon = noon[3].mean(0), noon[80].mean(0)
    assert zenith[2] > zenith[1] > zenith[0]
    assert horizon.sum() > zenith.sum() > 450
    night = np.median(sky(worlds, "midnight", pitch=-35.0, y=100.0), axis=(0, 1))
    assert night.sum() < 70
    assert night[2] > night[0]


@pytest.mark.parametrize(("time", "toward", "away"), [(12_500, WEST, EAST), (23_300, EAST, WEST)])
def test_dusk_and_dawn_glow_towards_the_sun(
    worlds: Worlds, time: int, toward: float, away: float
) -> None:
    glow, back = (
        sky(worlds, time, yaw, 0.0, y=100.0)[38:42].mean((0, 1)) for yaw in (toward, away)
    )
    assert glow[0] > glow[2] + 20
    assert back[2] > back[0]
    assert sky(worlds, "noon", toward, 0.0, y=100.0)[38:42].mean((0, 1))[2] > 200


def test_the_sun_goes_from_east_to_west(worlds: Worlds) -> None:
    yellow = np.array([255, 250, 215])
    for time, yaw, pitch in ((2_000, EAST, -25.0), (6_000, SOUTH, -90.0), (10_000, WEST, -25.0)):
        picture = sky(worlds, time, yaw, pitch, y=100.0)
        disc = np.argwhere((picture == yellow).all(2))
        assert 60 < len(disc) < 250
        assert abs(disc[:, 1].mean() - 80) < 3
        assert not (sky(worlds, time, yaw + 180.0, -20.0, y=100.0) == yellow).all(2).any()


def bright(picture: NDArray[np.int64]) -> int:
    return int((picture.min(2) > 100).sum())


def test_the_moon_wanes_and_waxes(worlds: Worlds) -> None:
    lit = [bright(sky(worlds, day * DAY + 18_000, SOUTH, -90.0, y=100.0)) for day in range(8)]
    stars = lit[4]
    assert lit[0] > lit[1] > lit[2] > lit[3] > stars
    assert lit[1:4] == pytest.approx(lit[:4:-1], abs=stars)


def test_stars_are_seen_on_clear_nights_only(worlds: Worlds) -> None:
    new_moon = 4 * DAY + 18_000
    assert 40 < bright(sky(worlds, new_moon, pitch=-60.0, y=100.0)) < 400
    assert bright(sky(worlds, new_moon, pitch=-60.0, y=100.0, weather="rain")) == 0
    smooth = sky(worlds, "noon", NORTH, -40.0, y=100.0)
    assert np.abs(np.diff(smooth, axis=1)).max() < 12


def test_land_hides_the_stars(worlds: Worlds) -> None:
    assert bright(sky(worlds, "midnight", pitch=60.0)) == 0


def test_rain_and_thunder_darken_the_sky_and_lightning_brightens_the_night(worlds: Worlds) -> None:
    clear, rain, thunder = (
        np.median(sky(worlds, "noon", y=100.0, weather=weather), axis=(0, 1))
        for weather in ("clear", "rain", "thunder")
    )
    assert clear.sum() > 1.2 * rain.sum() > 1.5 * thunder.sum()
    assert rain[2] - rain[0] < clear[2] - clear[0]
    dark = sky(worlds, "midnight", y=100.0, weather="thunder", pitch=20.0)
    worlds.skies[0]["flash"] = 3
    image = np.zeros((90, 160, 3), np.uint8)
    render_frame(worlds, 0, block_look(), 64.0, True, image)
    assert image.mean() > dark.mean() + 50


def moving(worlds: Worlds, weather: str, **place: float) -> int:
    """Return how many pixels differ between two ticks."""
    pictures = [sky(worlds, "noon", weather=weather, tick=tick, **place) for tick in (0, 7)]
    return int((pictures[0] != pictures[1]).any(2).sum())


def test_rain_falls_under_the_open_sky_only(worlds: Worlds) -> None:
    assert moving(worlds, "clear") == 0
    assert moving(worlds, "rain") > 200
    assert moving(worlds, "rain", y=20.0) == 0
    covered = world_of(LAND)
    covered.voxels[0, :, :, 90] = ID["glass"]
    covered.tops[:] = 91
    assert moving(covered, "rain") == 0
    assert moving(covered, "rain", y=100.0) > 200
    covered.biomes[:] = BIOMES.index("mountains")
    flakes = sky(covered, "noon", weather="rain", y=110.0)
    assert bright(flakes) > bright(sky(covered, "noon", weather="rain", y=66.0)) + 50


CASES = [
    ("dusk", WEST, -5.0, "clear", 66.0), ("midnight", SOUTH, -50.0, "clear", 66.0),
    (2_000, EAST, -20.0, "clear", 66.0), ("noon", SOUTH, -10.0, "rain", 66.0),
    ("night", NORTH, 20.0, "thunder", 66.0), ("midnight", EAST, 35.0, "clear", 100.0),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("size", [(128, 128), (53, 37)])
def test_both_render_paths_draw_the_same_bytes(
    worlds: Worlds, case: tuple, size: tuple[int, int]
) -> None:
    time, yaw, pitch, weather, y = case
    fast, plain = (
        sky(worlds, time, yaw, pitch, weather, y, fast=fast, size=size) for fast in (True, False)
    )
    assert (fast == plain).all()


def test_neither_stars_nor_rain_are_seen_under_water(worlds: Worlds) -> None:
    wet = np.argwhere((LAND[:, :, 62] == ID["water"]) & (LAND[:, :, 56] == ID["water"]))
    x, z = wet[np.abs(wet - 80).sum(1).argmin()] - 79.5
    for weather in ("clear", "rain"):
        set_sky(worlds, 0, TIMES["midnight"], weather)
        stand(worlds, x, 57.0, z, 0.0, -30.0)
        image = np.zeros((90, 160, 3), np.uint8)
        render_frame(worlds, 0, block_look(), 64.0, True, image)
        assert bright(image.astype(np.int64)) == 0
