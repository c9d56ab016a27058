"""Pictures against the game's published numbers: shading, faces, light, water."""

import numpy as np
import pytest

from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.art.blocks import block_faces, face_table
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.render.frame import FRAME
from optimus_gym.worlds.voxel.render.lightmap import fill_lights
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.render.solids import SOLID, shade_sides
from optimus_gym.worlds.voxel.screen.hud import bubbles_of
from optimus_gym.worlds.voxel.start import set_sky
from optimus_gym.worlds.voxel.things.drops import drop_at
from tests.worlds.flat import FEET, Flat

SIDES = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""The yaw that looks in each direction."""
FACES = {"south": 4, "west": 1, "north": 5, "east": 0}
"""The visible face in each direction: a look south shows a block's north side."""
AHEAD = {"south": (0, 1), "west": (-1, 0), "north": (0, -1), "east": (1, 0)}
NOON, MIDNIGHT = 6000, 18_000


def seen(flat: Flat, yaw: float, pitch: float = 0.0, size: int = 360) -> np.ndarray:
    """Return the picture at noon of a flat world."""
    set_sky(flat.worlds, 0, NOON, "clear")
    flat.set(yaw=yaw, pitch=pitch, aim_face=-1)
    ensure_view(flat.worlds, 0, 64.0)
    image = np.zeros((size, size * 16 // 9, 3), np.uint8)
    render_frame(flat.worlds, 0, block_look(), 64.0, True, image)
    return image.astype(float)


def wall(way: str, name: str) -> np.ndarray:
    """Return the middle of the picture of a block's side at eye height, two blocks ahead, as 16 x 16."""
    flat = Flat()
    dx, dz = AHEAD[way]
    flat.put(2 * dx, FEET + 1, 2 * dz, name)
    image = seen(flat, SIDES[way])
    high = image.shape[0] / (2 * np.tan(np.radians(35)) * 1.5)  # a block's, 1.5 blocks away
    middle = image.shape[1] / 2
    top = image.shape[0] / 2 - high * (FEET + 2 - (FEET + 1.62))
    rows = (top + (np.arange(16) + 0.5) * high / 16).astype(int)
    columns = (middle - high / 2 + (np.arange(16) + 0.5) * high / 16).astype(int)
    return image[np.ix_(rows, columns)]


def test_sides_are_shaded_as_published():
    """Minecraft Wiki, "Light" (directional shading): east and west 0.6, north and south 0.8."""
    mean = {way: wall(way, "oak_log").mean() for way in SIDES}
    assert mean["east"] == pytest.approx(mean["west"], rel=0.02)
    assert mean["north"] == pytest.approx(mean["south"], rel=0.02)
    assert mean["east"] / mean["north"] == pytest.approx(0.6 / 0.8, rel=0.02)


@pytest.mark.parametrize("way", SIDES)
def test_sides_show_their_textures_upright_and_not_mirrored(way):
    """Minecraft Wiki, "Model": a side's texture is seen from outside as it is drawn."""
    name = "crafting_table"
    shown = wall(way, name).mean(axis=2)
    texture = block_faces()[face_table()[block(name).id, FACES[way]]][..., :3].mean(axis=2)
    alike = {
        "upright": np.corrcoef(shown.ravel(), texture.ravel())[0, 1],
        "mirrored": np.corrcoef(shown.ravel(), texture[:, ::-1].ravel())[0, 1],
        "on its head": np.corrcoef(shown.ravel(), texture[::-1].ravel())[0, 1],
    }
    assert max(alike, key=alike.get) == "upright", alike
    assert alike["upright"] > 0.9


def published_byte(light: float, gamma: float) -> int:
    """Return the game's light map of 1.16 for a light without colour (Minecraft Wiki, "Light")."""
    light += (0.75 - light) * 0.04
    raised = 1 - (1 - light) ** 4
    light = min(light + (raised - light) * gamma, 1.0)
    return round(255 * (light + (0.75 - light) * 0.04))


def test_an_unlit_cave_has_minerl_s_brightness():
    """MineRL's brightness is 2 (`gamma:2.0` in its options), twice the slider's end."""
    flat = Flat()
    frame = np.zeros(1, FRAME)
    set_sky(flat.worlds, 0, NOON, "clear")
    fill_lights(frame, flat.worlds, 0)
    dark = int(frame["lights"][0][0])
    assert [dark >> shift & 255 for shift in (0, 8, 16)] == [
        pytest.approx(published_byte(0.0, 2.0), abs=1)
    ] * 3


def test_brightness_follows_the_published_curve():
    """Minecraft Wiki, "Light" (brightness): part / (4 - 3 part): a twelfth at level 4 of 15."""
    flat = Flat()
    frame = np.zeros(1, FRAME)
    set_sky(flat.worlds, 0, NOON, "clear")
    fill_lights(frame, flat.worlds, 0)
    table = frame["lights"][0].astype(int).reshape(16, 16)
    sky = (4 / 15) / (4 - 3 * 4 / 15)
    assert table[4, 0] & 255 == pytest.approx(published_byte(sky, 2.0), abs=2)
    flame = 1.5 * (4 / 15) / (4 - 3 * 4 / 15)
    green = flame * ((flame * 0.6 + 0.4) * 0.6 + 0.4)
    assert table[0, 4] & 255 == pytest.approx(published_byte(flame, 2.0), abs=2)
    assert table[0, 4] >> 8 & 255 == pytest.approx(published_byte(green, 2.0), abs=2)


def test_the_cracks_grow_with_the_digging():
    """Minecraft Wiki, "Breaking": ten stages, each with more cracks than the one before."""
    flat = Flat()
    flat.put(0, FEET + 1, 2, "stone")
    darkened = []
    whole = seen(flat, 0.0)
    for stage in range(10):
        flat.set(dig_x=0, dig_y=FEET + 1, dig_z=2, dig_progress=stage / 10 + 0.05)
        darkened.append(int((seen(flat, 0.0) < whole - 8).any(axis=2).sum()))
    assert darkened[0] > 0
    assert darkened == sorted(darkened)
    assert darkened[9] > 2 * darkened[0]


def test_the_block_under_the_crosshair_has_a_dark_outline():
    """Minecraft Wiki, "Block outline": thin dark lines along the edges."""
    flat = Flat()
    flat.put(0, FEET + 1, 2, "stone")
    plain = seen(flat, 0.0)
    flat.set(aim_x=0, aim_y=FEET + 1, aim_z=2)
    set_sky(flat.worlds, 0, NOON, "clear")
    flat.worlds.players["aim_face"] = 4
    image = np.zeros((360, 640, 3), np.uint8)
    render_frame(flat.worlds, 0, block_look(), 64.0, True, image)
    darker = (image < plain * 0.6).all(axis=2)
    assert 100 < darker.sum() < 20_000


def test_the_eye_has_its_height_and_the_view_spans_70_degrees():
    """Minecraft Wiki, "Player": eyes 1.62 above the feet; "Options": FOV "Normal" is 70 degrees."""
    flat = Flat()
    flat.put(0, FEET + 1, 5, "stone")
    sky = seen(Flat(), 0.0)
    image = seen(flat, 0.0)
    rows, columns = np.nonzero((image != sky).any(axis=2))
    scale = 360 / (2 * np.tan(np.radians(35)))
    assert rows.min() == pytest.approx(180 - scale * (2 - 1.62) / 4.5, abs=1)
    assert columns.max() - columns.min() + 1 == pytest.approx(scale / 4.5, abs=1.5)
    assert rows.max() - rows.min() + 1 == pytest.approx(scale / 4.5, abs=1.5)
    assert columns.max() + columns.min() == pytest.approx(639, abs=1)


def test_bubbles_count_the_begun_tenths_of_the_air():
    """Minecraft Wiki, "Drowning": a bubble for each tenth of the 300 ticks of air, begun ones too."""
    assert [bubbles_of(air) for air in (300, 271, 270, 31, 30, 1, 0, -20)] == [
        10,
        10,
        9,
        2,
        1,
        1,
        0,
        0,
    ]


def test_undersides_of_blocks_are_half_as_bright_as_tops():
    """Minecraft Wiki, "Light" (directional shading): top 1, bottom 0.5; below it is a level darker here."""
    flat = Flat()
    flat.put(0, FEET + 4, 0, "stone")
    above = seen(flat, 0.0, -90.0)[170:190, 310:330].mean()
    below = seen(Flat(), 0.0, 90.0)[170:190, 310:330].mean()
    assert above / below == pytest.approx(0.5, rel=0.12)


SCALE = 360 / (2 * np.tan(np.radians(35)))
"""Pixels that a block has at a distance of one block."""


def changed(flat: Flat, pitch: float = 0.0, without: Flat | None = None) -> np.ndarray:
    """Return where a picture differs from that of bare ground, as rows and columns."""
    bare = seen(without or Flat(), 0.0, pitch)
    return np.argwhere((seen(flat, 0.0, pitch) != bare).any(axis=2))


def test_a_source_of_water_is_eight_ninths_high():
    """Minecraft Wiki, "Fluid" (height)."""
    flat = Flat()
    for x in range(-8, 9):
        for z in range(2, 12):
            flat.put(x, FEET, z, "water")
    rows = changed(flat)[:, 0]
    # The far edge of the water, 11.5 blocks away, is its highest row in the picture.
    assert rows.min() == pytest.approx(180 + SCALE * (1.62 - 8 / 9) / 11.5, abs=0.8)
    flat.set(y=float(FEET) - 0.7)
    lower = Flat()
    lower.set(y=float(FEET) - 0.7)
    near = changed(flat, 0.0, lower)[:, 0]
    assert near.min() == pytest.approx(180 + SCALE * (0.92 - 8 / 9) / 11.5, abs=0.8)


def test_a_cobweb_ends_before_the_corners_of_its_cell():
    """Minecraft Wiki, "Model" (block/cross): from 0.8 to 15.2 sixteenths."""
    flat = Flat()
    flat.put(0, FEET + 1, 2, "cobweb")
    columns = changed(flat)[:, 1]
    assert columns.max() - columns.min() + 1 <= 0.9 * SCALE / 1.55 + 2
    assert columns.max() - columns.min() + 1 >= 0.7 * SCALE / 1.55


def test_five_blocks_of_water_hide_the_floor():
    """See `docs/deviations.md`: water reduces the sight gradually."""
    contrast = {}
    for deep in (1, 5):
        shown = []
        for floor in ("white_concrete", "black_concrete"):
            flat = Flat()
            for x in range(-3, 4):
                for z in range(-3, 4):
                    flat.put(x, FEET - 1 - deep, z, floor)
                    for y in range(FEET - deep, FEET):
                        flat.put(x, y, z, "water")
            shown.append(seen(flat, 0.0, 90.0)[170:190, 310:330].mean())
        contrast[deep] = shown[0] - shown[1]
    assert contrast[1] > 20
    assert contrast[5] < 0.05 * contrast[1]


def test_lava_hides_a_block_three_blocks_away():
    """Minecraft Wiki, "Lava" (behavior): a player in lava sees next to nothing."""
    flat = Flat()
    for x in range(-3, 4):
        for y in range(FEET, FEET + 5):
            for z in range(-3, 8):
                flat.put(x, y, z, "lava")
    flat.put(0, FEET + 1, 4, "white_concrete")
    with_block = seen(flat, 0.0)
    flat.put(0, FEET + 1, 4, "lava")
    assert np.array_equal(with_block, seen(flat, 0.0))
    assert with_block[180, 320] == pytest.approx([230, 90, 10], abs=40)


def sky(time: int, weather: str, pitch: float, flat: Flat | None = None) -> np.ndarray:
    """Return a picture of flat land at an hour, in a weather."""
    flat = flat or Flat()
    set_sky(flat.worlds, 0, time, weather)
    flat.set(yaw=0.0, pitch=pitch, aim_face=-1)
    ensure_view(flat.worlds, 0, 64.0)
    image = np.zeros((360, 640, 3), np.uint8)
    render_frame(flat.worlds, 0, block_look(), 64.0, True, image)
    return image.astype(int)


def disc(time: int, part: float) -> int:
    """Return the width in pixels of the body overhead: its pixels above a part of its brightness."""
    row = sky(time, "clear", -90.0)[172:189].max(axis=0).sum(axis=1)
    dark = np.flatnonzero(row < part * row[310:330].max())
    return int(dark[dark > 320].min() - dark[dark < 320].max() - 1)


def test_sun_and_moon_are_as_wide_as_in_the_game():
    """Quarters of squares of 60 and 40 blocks at a distance of 100; Minecraft Wiki, "Sun", "Moon"."""
    assert disc(NOON, 0.9) == pytest.approx(SCALE * 60 / 100 / 4, abs=2)
    assert disc(MIDNIGHT, 0.5) == pytest.approx(SCALE * 40 / 100 / 4, abs=2)


def test_lightning_lights_the_land_like_the_day():
    """Minecraft Wiki, "Lightning": a bolt lights up the sky for a moment."""
    flat = Flat()
    shown = []
    for flash in (0, 3):
        frame = np.zeros(1, FRAME)
        set_sky(flat.worlds, 0, 18_000, "thunder")
        flat.worlds.skies["flash"] = flash
        fill_lights(frame, flat.worlds, 0)
        shown.append(int(frame["lights"][0][15 << 4] & 255))
    assert shown[1] > shown[0] + 40


def test_rain_hides_the_sun():
    """Minecraft Wiki, "Rain": sun, moon and stars are not seen."""
    for weather, shows in (("clear", True), ("rain", False)):
        high = sky(NOON, weather, -90.0)[:, :, 1]
        assert (high[180, 320] > np.median(high) + 20) == shows


def test_a_thunderstorm_is_darker_than_rain():
    """Minecraft Wiki, "Thunderstorm": the sky darkens further, the horizon as much as what is above it."""
    shown = {weather: sky(NOON, weather, -25.0) for weather in ("rain", "thunder")}
    for rows in (slice(20, 60), slice(270, 290)):
        red, darker = (shown[weather][rows, :, 0].mean() for weather in ("rain", "thunder"))
        assert darker < 0.75 * red


def test_water_is_dark_by_night():
    """Minecraft Wiki, "Fog": under water its colour follows the light of day."""
    shown = []
    for time in (NOON, MIDNIGHT):
        flat = Flat()
        for x in range(-8, 9):
            for y in range(FEET, FEET + 8):
                for z in range(-8, 24):
                    flat.put(x, y, z, "water")
        shown.append(sky(time, "clear", 0.0, flat).mean())
    assert shown[1] < 0.6 * shown[0]


def test_a_dropped_item_bobs():
    """Minecraft Wiki, "Item (entity)": an item moves up and down in place."""
    rows = []
    for age in (10, 30):
        flat = Flat()
        drop_at(flat.worlds, 0, 0.5, float(FEET), 2.5, item("stone").id, 1, 0)
        flat.worlds.drops[0]["age"] = age
        rows.append(changed(flat)[:, 0].mean())
    assert abs(rows[0] - rows[1]) > 3


def test_bodies_are_shaded_like_blocks():
    """Minecraft Wiki, "Light" (directional shading): 0.6 east and west, 0.8 north and south."""
    solid = np.zeros(1, SOLID)
    solid["turn"][0] = np.eye(3).ravel()
    shade_sides(solid)
    shades = solid["shades"][0]
    assert shades[[0, 1]] == pytest.approx(0.6)
    assert shades[[4, 5]] == pytest.approx(0.8)
    assert sorted(shades[[2, 3]]) == pytest.approx([0.5, 1.0])
