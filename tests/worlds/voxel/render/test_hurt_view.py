"""A hurt leans the view to the left for ten ticks and makes the hearts blink for twenty.

Rule: the game's client rolls its view by 14 sin(pi t^4) degrees, t from 1 to 0 in ten ticks; from 1.3.1 to
1.19.3 always to the left (its bug tracker, MC-26678). Hearts: Minecraft Wiki, "Heads-up display".
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.types import Setup
from optimus_gym.vision.hud_reader import HudReader
from optimus_gym.worlds.voxel.land.wedge import ALL_AROUND, view_edges
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.player.vitals import FALL, hurt
from optimus_gym.worlds.voxel.render.camera import place_eye, point_eye
from optimus_gym.worlds.voxel.render.frame import FRAME
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.screen.hand import held_picture
from optimus_gym.worlds.voxel.screen.hud import hud_overlay
from optimus_gym.worlds.voxel.sights import sights_of
from optimus_gym.worlds.voxel.start import set_sky
from optimus_gym.worlds.voxel.state.worlds import PLAYER
from optimus_gym.worlds.voxel.tables.hurt_time import hearts_blink, view_roll
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen

HIGH, WIDE = 180, 320
LEANING = 19
"""Ticks left of a hurt at which the view leans the most."""
STRUCK = 20


READER = HudReader(hud_overlay())


@pytest.fixture(scope="module")
def world():
    """Return a world that has begun on plains at noon."""
    world = VoxelWorld(1)
    world.reset(0, Setup(seed=2, biome="plains", time=6000))
    return world


def test_the_view_rolls_as_in_the_client():
    rolls = [view_roll(left) for left in range(STRUCK, -1, -1)]
    wanted = [14 * math.sin(math.pi * ((9 - k) / 10) ** 4) for k in range(10)]
    step = 14 * 2 * math.pi / 65536  # of the sine's table, which truncates
    assert rolls[:10] == pytest.approx(wanted, abs=step)
    assert max(rolls) == pytest.approx(14, abs=0.7)
    assert not any(rolls[9:])


def picture(worlds, hurt_wait: int) -> np.ndarray:
    """Return the player's view without screen and hand: float[h, w, 3]."""
    worlds.players[0]["hurt_wait"] = hurt_wait
    ensure_view(worlds, 0, 64.0)
    image = np.zeros((HIGH, WIDE, 3), np.uint8)
    render_frame(worlds, 0, block_look(), 64.0, True, image)
    return image.astype(float)


def leant(image: np.ndarray, degrees: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a picture turned clockwise about its middle, and the mask of its known pixels."""
    rows, columns = np.indices((HIGH, WIDE))
    x, y = columns + 0.5 - WIDE / 2, rows + 0.5 - HIGH / 2
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    from_x, from_y = np.floor(x * c + y * s + WIDE / 2), np.floor(y * c - x * s + HIGH / 2)
    inside = (from_x >= 0) & (from_x < WIDE) & (from_y >= 0) & (from_y < HIGH)
    return image[from_y.clip(0, HIGH - 1).astype(int), from_x.clip(0, WIDE - 1).astype(int)], inside


def blurred(image: np.ndarray, inside: np.ndarray, size: int = 10) -> np.ndarray:
    """Return the means of the squares that lie inside the picture."""
    shape = (HIGH // size, size, WIDE // size, size)
    whole = inside.reshape(shape).all(axis=(1, 3))
    return image.reshape(*shape, 3).mean(axis=(1, 3))[whole]


SCENES = {
    "noon": (6000, "clear", 0.0),
    "dusk": (12_600, "clear", 90.0),
    "stars": (18_000, "clear", 0.0),
    "rain": (6000, "rain", 0.0),
}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("pitch", [-20.0, 30.0])
def test_a_leaning_picture_is_the_upright_picture_turned(world, scene, pitch):
    time, weather, yaw = SCENES[scene]
    set_sky(world.worlds, 0, time, weather)
    world.worlds.skies["rain"] = float(weather == "rain")
    world.worlds.players[0]["yaw"], world.worlds.players[0]["pitch"] = yaw, pitch
    wanted, inside = leant(picture(world.worlds, 0), view_roll(LEANING))
    found = picture(world.worlds, LEANING)
    apart = np.abs(blurred(found, inside) - blurred(wanted, inside))
    upright = np.abs(blurred(found, inside) - blurred(picture(world.worlds, 0), inside))
    assert apart.mean() < 2.0
    assert np.quantile(apart, 0.99) < 14.0
    assert apart.mean() < 0.5 * upright.mean()


@settings(deadline=None, max_examples=200)
@given(yaw=st.floats(0, 359), pitch=st.floats(-90, 90), wait=st.integers(0, STRUCK))
def test_no_ray_leaves_the_wedge_of_loaded_land(yaw, pitch, wait):
    player = np.zeros(1, PLAYER)
    player["yaw"], player["pitch"], player["hurt_wait"] = yaw, pitch, wait
    edges = view_edges(player[0])
    if edges == ALL_AROUND:
        return
    frame = np.zeros(1, FRAME)
    point_eye(frame, yaw, pitch, view_roll(wait), WIDE, HIGH)
    f = frame[0]
    ax, az, bx, bz, _ = edges
    for column in (0, WIDE - 1):
        for row in (0, HIGH - 1):
            x, z = (f["b" + a] + column * f["r" + a] + row * f["u" + a] for a in "xz")
            assert min(x * ax + z * az, x * bx + z * bz) > -1e-5 * math.hypot(x, z)


def test_streaks_of_rain_lean_with_the_view(world):
    players, skies = world.worlds.players, world.worlds.skies
    set_sky(world.worlds, 0, 6000, "rain")
    players[0]["pitch"] = 0.0
    skies["rain"] = 1.0
    shifts = []
    for wait in (0, LEANING):
        drops = [picture(world.worlds, wait) for players["tick"] in (100, 104)]
        wet = (drops[0] != drops[1]).any(axis=2)[:, WIDE // 4 : -WIDE // 4]
        alike = {s: (wet[:-10] & np.roll(wet, s, axis=1)[10:]).sum() for s in range(-6, 7)}
        shifts.append(max(alike, key=alike.get))
    assert shifts[0] == 0
    assert shifts[1] == pytest.approx(10 * math.tan(math.radians(view_roll(LEANING))), abs=1.0)


def seen_place(frame: np.ndarray, place: tuple[float, float, float]) -> tuple[float, float]:
    """Return column and row of a place of the world, found by its ray; outside if it lies behind."""
    f = frame[0]
    eye = np.array([f["start_x"] + f["ox"], f["oy"], f["start_z"] + f["oz"]], float)
    grid = np.array([[f[part + axis] for part in "rub"] for axis in "xyz"], float)
    column, row, ahead = np.linalg.solve(grid, np.array(place) - eye)
    return (column / ahead, row / ahead) if ahead > 0 else (-1.0, -1.0)


def test_creatures_far_below_are_drawn_at_the_edges_of_a_leaning_picture():
    """From 30 blocks above, the lean moves creatures by more than the radius of the ball around a body."""
    pen = Pen()
    pen.set(y=FEET + 30.0, yaw=0.0, pitch=40.0, hurt_wait=LEANING)
    without = picture(pen.worlds, LEANING)
    frame = np.zeros(1, FRAME)
    place_eye(frame, pen.worlds, 0)
    point_eye(frame, 0.0, 40.0, view_roll(LEANING), WIDE, HIGH)
    columns = []
    for x in np.arange(-60.0, 60.0):
        column, row = seen_place(frame, (x, FEET + 0.7, 21.5))
        if not (1 < column < WIDE - 2 and 1 < row < HIGH - 2):
            continue
        columns.append(column)
        pen.worlds.fauna["creatures"] = 0
        pen.add("cow", x, 21.5, hurt_wait=5)
        assert (picture(pen.worlds, LEANING) != without).any(), x
        assert any(s.name == "cow" for s in sights_of(pen.worlds, 0, 64.0, (WIDE, HIGH))), x
    assert min(columns) < 6
    assert max(columns) > WIDE - 7


def test_the_hand_leans_with_the_view():
    upright, leaning = (held_picture(0, 0, HIGH, WIDE, wait) for wait in (0, LEANING))
    s, c = math.sin(math.radians(view_roll(LEANING))), math.cos(math.radians(view_roll(LEANING)))
    x, y = upright.left + 10 - WIDE / 2, upright.top - HIGH / 2
    assert leaning.left < upright.left + x * c - y * s - x
    assert leaning.top > upright.top + 0.5 * (y * c + x * s - y)
    assert held_picture(0, 0, HIGH, WIDE, 1).pixels.tobytes() == upright.pixels.tobytes()


def test_hearts_blink_three_times_for_three_ticks():
    blinks = [left for left in range(STRUCK, -1, -1) if hearts_blink(left)]
    assert blinks == [17, 16, 15, 11, 10, 9, 5, 4, 3]


def test_blinking_hearts_have_white_rims_and_can_be_read(world):
    image = np.zeros((1, 360, 640, 3), np.uint8)
    player = world.worlds.players[0]
    for health in (20, 13, 1):
        rims = []
        for player["hurt_wait"] in (0, 4):
            player["health"] = health
            world.frames([0], image)
            assert READER.read(image[0]).health == health
            rims.append(image[0, 321, 230].tolist())
        assert rims == [[0, 0, 0], [255, 255, 255]]


def test_a_hurt_shows_for_twenty_ticks_and_protects_for_ten():
    """Minecraft Wiki, "Damage" (immunity): half a second, in which only the excess counts."""
    flat = Flat()
    flat.set(y=FEET, health=20)
    assert hurt(flat.worlds, 0, FALL, 3.0)
    assert flat.hurt_wait == STRUCK
    for _ in range(9):
        flat.tick()
        assert not hurt(flat.worlds, 0, FALL, 3.0)
    assert flat.health == 17
    flat.tick()
    assert hurt(flat.worlds, 0, FALL, 3.0)
    assert flat.health == 14
    flat.tick(STRUCK)
    assert flat.hurt_wait == 0
