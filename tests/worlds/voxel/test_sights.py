"""Sights: the same pixels as in the picture, the same hits as by an independent tracer."""

from collections import Counter
from math import cos, floor, radians, sin, tan

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.core.types import Setup, Sight
from optimus_gym.game.blocks import block_names
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.land.cells import block_at
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.render.look import CUBE, block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.render.tally import (
    FIRST_CREATURE,
    FIRST_ITEM,
    LAND,
    SUBJECTS,
    TALLY,
    tally_sights,
)
from optimus_gym.worlds.voxel.sights import sights_of
from optimus_gym.worlds.voxel.state.worlds import BLOCK_MASK
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET
from tests.worlds.voxel.pen import KINDS, MIDNIGHT, NOON, Pen

VIEW = 64.0
SIZE = (160, 90)
ID = {name: number for number, name in enumerate(block_names())}
EYE = floor((FEET + 1.62) * 4096) / 4096
"""The renderer puts eyes on multiples of 1/4096 block."""


def meadow(yaw: float = 0.0, pitch: float = 5.0, time: int = NOON) -> Pen:
    pen = Pen("grass_block", time=time)
    pen.set(yaw=yaw, pitch=pitch)
    return pen


def wall(pen: Pen, z: int, name: str, xs: range = range(-25, 26)) -> None:
    for x in xs:
        for y in range(FEET, FEET + 30):
            pen.put(x, y, z, name)


def seen(pen: Pen, size: tuple[int, int] = SIZE) -> dict[tuple[str, str], Sight]:
    return {(s.kind, s.name): s for s in sights_of(pen.worlds, 0, VIEW, size)}


def picture(pen: Pen, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    ensure_view(pen.worlds, 0, VIEW)
    image = np.zeros((*size[::-1], 3), np.uint8)
    render_frame(pen.worlds, 0, block_look(), VIEW, False, image)
    return image


def owners(pen: Pen, size: tuple[int, int] = SIZE) -> NDArray[np.int32]:
    ensure_view(pen.worlds, 0, VIEW)
    found = np.empty(size[::-1], np.int32)
    tally_sights(pen.worlds, 0, block_look(), VIEW, found, np.zeros(SUBJECTS, TALLY))
    return found


def changed(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return (before != after).any(axis=2)


def trace(pen: Pen, size: tuple[int, int]) -> tuple[Counter[str], dict[str, float]]:
    """Follow each pixel's ray through whole cubes, in double precision; return pixels and distances.

    Each ray goes through the middle of the pixel of 640x360 around the pixel's middle.
    Yaw and pitch must be whole steps of the game's table of sines, 360/65,536 degrees.
    """
    yaw, pitch = radians(pen.yaw), radians(pen.pitch)
    ahead = np.array([-sin(yaw) * cos(pitch), -sin(pitch), cos(yaw) * cos(pitch)])
    right = np.array([-cos(yaw), 0.0, -sin(yaw)])
    up = np.cross(right, ahead)
    high = tan(radians(35.0))
    wide = high * 16 / 9
    pixels: Counter[str] = Counter()
    nearest: dict[str, float] = {}
    for row in range(size[1]):
        for column in range(size[0]):
            place = floor((column + 0.5) * 640 / size[0]), floor((row + 0.5) * 360 / size[1])
            across = (2 * (place[0] + 0.5) / 640 - 1) * wide
            above = (1 - 2 * (place[1] + 0.5) / 360) * high
            d = ahead + across * right + above * up
            name, t = first_block(pen, d / np.linalg.norm(d))
            if name != "air":
                pixels[name] += 1
                nearest[name] = min(nearest.get(name, VIEW), t)
    return pixels, nearest


def first_block(pen: Pen, d: NDArray[np.float64]) -> tuple[str, float]:
    eye = np.array([pen.x, EYE, pen.z])
    t = 0.0
    while t < VIEW:
        spot = eye + d * (t + 1e-7)
        cell = [floor(v) for v in spot]
        if not 0 <= cell[1] < 128:
            return "air", VIEW
        number = int(block_at(pen.worlds, 0, *cell)) & BLOCK_MASK
        if number:
            return block_names()[number], t
        planes = [cell[k] + (d[k] > 0) for k in range(3)]
        t = min((planes[k] - eye[k]) / d[k] for k in range(3) if d[k])
    return "air", VIEW


@pytest.mark.parametrize("pose", [(33.75, 11.25), (146.25, -16.875), (247.5, 39.375)])
def test_blocks_in_sight_equal_the_hits_of_an_independent_tracer(pose):
    pen = meadow(*pose)
    shapes = block_look()[0]["shapes"]
    cubes = [name for name, number in ID.items() if number and shapes[number] == CUBE][:40]
    random = np.random.default_rng(3)
    for x, y, z in random.integers((-12, FEET, -12), (13, FEET + 8, 13), (150, 3)).tolist():
        if max(abs(x), abs(z)) > 1:
            pen.put(x, y, z, cubes[random.integers(len(cubes))])
    pixels, nearest = trace(pen, (40, 30))
    found = sights_of(pen.worlds, 0, VIEW, (40, 30))
    assert {sight.name: sight.pixels for sight in found} == dict(pixels)
    assert all(sight.kind == "block" for sight in found)
    for sight in found:
        assert sight.distance == pytest.approx(nearest[sight.name], abs=1e-3)
    assert len(found) >= 3
    assert sum(sight.pixels for sight in found) > 100


def test_the_distance_of_a_wall_is_right():
    pen = meadow(0.0, 0.0)
    wall(pen, 7, "stone")
    found = seen(pen, (161, 91))  # a ray goes straight ahead
    assert found["block", "stone"].distance == pytest.approx(6.5, abs=1e-3)


def test_sights_are_sorted_by_pixels_and_leave_out_only_the_sky():
    pen = meadow(0.0, 0.0)
    wall(pen, 7, "stone")
    wall(pen, 7, "obsidian", range(3))
    found = sights_of(pen.worlds, 0, VIEW, SIZE)
    assert [sight.pixels for sight in found] == sorted((s.pixels for s in found), reverse=True)
    assert {sight.name for sight in found} == {"grass_block", "stone", "obsidian"}
    assert sum(sight.pixels for sight in found) == SIZE[0] * SIZE[1]
    assert sights_of(meadow(0.0, -60.0).worlds, 0, VIEW, SIZE) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_creature_counts_where_it_changes_the_picture(kind):
    pen = meadow()
    before = picture(pen)
    row = pen.add(kind, 1.2, 6.5, face_x=0.6, face_z=-0.8, gait=0.7, stride=1.0)
    row["hurt_wait"] = 5  # red, unlike anything behind it
    mask = owners(pen) == FIRST_CREATURE + KINDS.index(kind)
    assert (changed(before, picture(pen)) == mask).all()
    sight = seen(pen)["creature", kind]
    assert sight.pixels == mask.sum() > 20
    assert sight.distance == pytest.approx(6.0, abs=1.0)


def test_the_hidden_part_of_a_creature_does_not_count():
    pen = meadow()
    pen.add("cow", 0.5, 7.5, hurt_wait=5)
    alone = picture(pen)
    cow = seen(pen)["creature", "cow"]
    pen.add("pig", 0.9, 4.5, hurt_wait=5)
    both = seen(pen)
    now = owners(pen)
    pig = now == FIRST_CREATURE + KINDS.index("pig")
    assert (changed(alone, picture(pen)) <= pig).all()
    assert 0 < both["creature", "cow"].pixels < cow.pixels
    assert both["creature", "cow"].pixels == (now == FIRST_CREATURE + KINDS.index("cow")).sum()
    assert both["creature", "pig"].distance < both["creature", "cow"].distance
    ground = both["block", "grass_block"].pixels
    empty = seen(meadow())["block", "grass_block"].pixels
    assert empty - (now != LAND).sum() <= ground < empty


def test_items_arrows_and_blocks_in_the_air_count_where_they_change_the_picture():
    pen = meadow(0.0, 20.0)
    for name, lay in (
        (("item", "bread"), lay_bread),
        (("item", "arrow"), shoot),
        (("block", "sand"), drop_sand),
    ):
        before, had = picture(pen), owners(pen)
        assert name not in seen(pen)
        lay(pen)
        now = owners(pen)
        number = ID["sand"] if name[0] == "block" else FIRST_ITEM + item(name[1]).id
        assert (changed(before, picture(pen)) <= (now == number)).all()
        sight = seen(pen)[name]
        assert sight.pixels == (now == number).sum() > 3
        assert changed(before, picture(pen)).sum() > 0.9 * sight.pixels
        assert (had[now != number] == now[now != number]).all()


def lay_bread(pen: Pen) -> None:
    drop = pen.worlds.drops[0, 5]
    drop["item"], drop["count"] = item("bread").id, 1
    drop["x"], drop["y"], drop["z"] = 0.5, FEET, 3.5


def shoot(pen: Pen) -> None:
    pen.worlds.fauna["arrows"] = 1
    arrow = pen.worlds.arrows[0, 0]
    arrow["x"], arrow["y"], arrow["z"], arrow["vx"] = -0.8, FEET + 0.8, 3.0, 1.0


def drop_sand(pen: Pen) -> None:
    pen.worlds.players["falling"] = 1
    row = pen.worlds.falling[0, 3]
    row["voxel"], row["x"], row["y"], row["z"] = ID["sand"], 2, FEET + 0.3, 5


def test_hidden_and_dead_subjects_are_not_listed():
    pen = meadow(0.0, 0.0)
    wall(pen, 4, "stone")
    pen.put(0, FEET + 1, 6, "gold_ore")
    pen.add("zombie", 0.5, 6.5)
    pen.add("cow", 0.5, -3.5)
    pen.add("pig", 0.5, 2.5, health=0)
    pen.worlds.drops[0, 0]["item"] = item("bread").id
    pen.worlds.drops[0, 0]["y"], pen.worlds.drops[0, 0]["z"] = FEET, 7.5
    assert set(seen(pen)) == {("block", "stone"), ("block", "grass_block")}


@pytest.mark.parametrize(
    ("name", "opaque"), [("ice", 65 / 256), ("red_stained_glass", 65 / 256), ("water", 0)]
)
def test_transparent_blocks_count_and_so_do_the_blocks_behind(name, opaque):
    """`opaque`: the share of the block's texels that hide the blocks behind."""
    pen = meadow(0.0, 0.0)
    wall(pen, 8, "stone")
    before, bare = picture(pen), seen(pen)
    for x in range(-1, 2):
        for z in (4, 6):
            pen.put(x, FEET + 1, z, name)
    found, mask = seen(pen), changed(before, picture(pen))
    assert found["block", name].pixels == mask.sum() > 100
    assert found["block", name].distance == pytest.approx(3.5, abs=2e-3)
    behind = sum(sight.pixels for key, sight in found.items() if key != ("block", name))
    hidden = sum(sight.pixels for sight in bare.values()) - behind
    assert 0.75 * opaque <= hidden / mask.sum() <= 2 * opaque  # there are two in a row


def test_a_hole_in_a_texture_counts_for_the_block_behind():
    pen = meadow(0.0, 0.0)
    wall(pen, 8, "stone")
    before, bare = picture(pen), seen(pen)
    pen.put(0, FEET + 1, 3, "glass")
    found, mask = seen(pen), changed(before, picture(pen))
    assert found["block", "glass"].pixels == mask.sum()
    assert sum(s.pixels for s in found.values()) == sum(s.pixels for s in bare.values())


def test_a_creature_behind_ice_counts_where_it_changes_the_picture():
    pen = meadow(0.0, 0.0)
    wall(pen, 8, "stone")
    wall(pen, 3, "ice")
    before, bare = picture(pen), seen(pen)
    pen.add("cow", 0.5, 5.5, hurt_wait=5)
    cow = seen(pen)["creature", "cow"]
    assert changed(before, picture(pen)).sum() == cow.pixels > 100
    assert bare["block", "ice"].pixels - seen(pen)["block", "ice"].pixels == cow.pixels


def test_sights_do_not_depend_on_night_or_rain():
    day, night = meadow(), meadow(time=MIDNIGHT)
    night.worlds.skies["rain"] = 1
    for pen in (day, night):
        pen.add("zombie", 0.5, 6.5)
    assert (picture(day) != picture(night)).any()
    assert seen(day) == seen(night)


def test_sights_end_at_the_view_distance():
    pen = meadow(0.0, 0.0)
    wall(pen, 20, "stone")
    wider = {s.name for s in sights_of(pen.worlds, 0, 24.0, SIZE)}
    assert wider == {"grass_block", "stone"}
    assert {s.name for s in sights_of(pen.worlds, 0, 16.0, SIZE)} == {"grass_block"}


def test_pixels_of_a_sight_grow_with_the_resolution():
    pen = meadow()
    pen.add("cow", 0.5, 6.5)
    small, large = seen(pen, (80, 45)), seen(pen, (320, 180))
    assert set(small) == set(large)
    for key, sight in small.items():
        assert large[key].pixels == pytest.approx(16 * sight.pixels, rel=0.1)
    assert sum(s.pixels for s in seen(pen, (1, 1)).values()) == 1


def test_sights_repeat_and_change_no_state():
    world = VoxelWorld(1, 32)
    world.reset(0, Setup(seed=11, creatures=True, difficulty="normal"))
    image = np.zeros((45, 80, 3), np.uint8)
    world.frames([0], image[None])
    before = {name: array.copy() for name, array in world.worlds.arrays().items()}
    first = world.sights(0, (80, 45))
    for name, array in world.worlds.arrays().items():
        assert array.tobytes() == before[name].tobytes(), name
    assert first == world.sights(0, (80, 45)) != ()
    again = image.copy()
    world.frames([0], again[None])
    assert (again == image).all()
    fresh = VoxelWorld(1, 32)
    fresh.reset(0, Setup(seed=11, creatures=True, difficulty="normal"))
    saved = fresh.snapshot(0)
    assert fresh.sights(0, (80, 45)) == first  # `sights` loads the land in view
    assert fresh.snapshot(0) == saved
