"""Blocks on walls, ceilings and water: their placing, outlines, pictures and breaking."""

import numpy as np
import pytest

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.bodies.aim import outline_at
from optimus_gym.worlds.voxel.render.look import block_look
from tests.worlds.flat import FEET, Flat

WALL = (0, FEET + 1, 3)
BEFORE = (0, FEET + 1, 2)
SOUTH, WEST, NORTH, EAST = range(4)
ON_WALL, ON_CEILING = 1, 2
HUNG = {
    "oak_sign": "oak_wall_sign",
    "crimson_sign": "crimson_wall_sign",
    "red_banner": "red_wall_banner",
    "zombie_head": "zombie_wall_head",
    "skeleton_skull": "skeleton_wall_skull",
    "soul_torch": "soul_wall_torch",
    "ladder": "ladder",
    "tripwire_hook": "tripwire_hook",
}
ATTACHED = ("lever", "oak_button", "stone_button")
SIZES = {
    "oak_wall_sign": (0, 4.5, 0, 16, 12.5, 2),
    "red_wall_banner": (0, 0, 0, 16, 12.5, 2),
    "zombie_wall_head": (4, 4, 0, 12, 12, 8),
    "wall_torch": (5.5, 3, 0, 10.5, 13, 5),
    "ladder": (0, 0, 0, 16, 16, 3),
    "tripwire_hook": (5, 0, 0, 11, 10, 6),
}
"""Minecraft Wiki, hitboxes on a wall for facing south, sixteenths."""


def before_a_wall(item: str, wall: str = "stone") -> Flat:
    """Return a world whose player holds an item and looks south at a block at eye level."""
    flat = Flat()
    flat.put(*WALL, wall)
    flat.give(0, item)
    flat.tick()
    return flat


@pytest.mark.parametrize(("item", "form"), HUNG.items())
def test_an_item_hangs_on_the_wall_under_the_crosshair_and_faces_the_player(item, form):
    flat = before_a_wall(item)
    flat.tick(use=1)
    assert (flat.at(*BEFORE), flat.state_at(*BEFORE) & 3) == (form, NORTH)
    assert flat.held() == {}


@pytest.mark.parametrize("item", ATTACHED)
def test_levers_and_buttons_go_on_walls_floors_and_ceilings(item):
    flat = before_a_wall(item)
    flat.tick(use=1)
    assert (flat.at(*BEFORE), flat.state_at(*BEFORE)) == (item, NORTH | ON_WALL << 2)
    flat = Flat()
    flat.give(0, item)
    flat.set(pitch=60, yaw=90)
    flat.tick()
    flat.tick(use=1)
    assert (flat.at(-1, FEET, 0), flat.state_at(-1, FEET, 0)) == (item, WEST)
    flat = Flat()
    flat.put(0, FEET + 3, 0, "stone")
    flat.give(0, item)
    flat.set(pitch=-90, yaw=180)
    flat.tick()
    flat.tick(use=1)
    assert (flat.at(0, FEET + 2, 0), flat.state_at(0, FEET + 2, 0)) == (
        item,
        NORTH | ON_CEILING << 2,
    )


@pytest.mark.parametrize("item", [*HUNG, *ATTACHED])
def test_a_hung_block_breaks_with_its_wall_and_gives_its_item_back(item):
    flat = before_a_wall(item)
    flat.tick(use=1)
    flat.put(*WALL, "air")
    flat.settle(*WALL)
    flat.tick(2)
    if item in ("zombie_head", "skeleton_skull"):
        assert flat.at(*BEFORE) == HUNG[item], "heads need no support"
        return
    assert flat.at(*BEFORE) == "air"
    flat.tick(40)
    total = {**flat.lying(), **flat.held()}
    assert total == {item: 1}


@pytest.mark.parametrize("item", ATTACHED)
def test_a_lever_or_button_breaks_with_its_ceiling(item):
    flat = Flat()
    flat.put(0, FEET + 3, 2, "stone")
    flat.put(0, FEET + 2, 2, item, ON_CEILING << 2)
    flat.settle(0, FEET + 2, 2)
    flat.tick()
    assert flat.at(0, FEET + 2, 2) == item
    flat.put(0, FEET + 3, 2, "oak_leaves")
    flat.settle(0, FEET + 3, 2)
    flat.tick()
    assert flat.at(0, FEET + 2, 2) == "air"


@pytest.mark.parametrize("item", ["lever", "oak_button", "tripwire_hook", "torch", "ladder"])
def test_leaves_hold_a_sign_and_no_other_hung_block(item):
    flat = before_a_wall(item, "oak_leaves")
    flat.tick(use=1)
    assert flat.at(*BEFORE) == "air"
    flat = before_a_wall("oak_sign", "oak_leaves")
    flat.tick(use=1)
    assert flat.at(*BEFORE) == "oak_wall_sign"


@pytest.mark.parametrize(("name", "size"), SIZES.items())
def test_the_outline_of_a_hung_block_lies_at_the_wall_and_has_the_game_s_size(name, size):
    number = block(name).id
    assert np.allclose(np.array(outline_at(number, 0, 0, 0)) * 16, size)
    x0, y0, z0, x1, y1, z1 = size
    turned = (16 - z1, y0, x0, 16 - z0, y1, x1)
    assert np.allclose(np.array(outline_at(number | WEST << 10, 0, 0, 0)) * 16, turned)


@pytest.mark.parametrize(
    ("state", "box"),
    [
        (0, (5, 0, 6, 11, 2, 10)),
        (EAST, (6, 0, 5, 10, 2, 11)),
        (ON_WALL << 2, (5, 6, 0, 11, 10, 2)),
        (ON_WALL << 2 | NORTH, (5, 6, 14, 11, 10, 16)),
        (ON_CEILING << 2, (5, 14, 6, 11, 16, 10)),
    ],
)
def test_a_button_has_its_outline_and_picture_at_its_place(state, box):
    voxel = block("stone_button").id | state << 10
    assert np.allclose(np.array(outline_at(voxel, 0, 0, 0)) * 16, box)
    look = block_look()[0]
    assert np.allclose(look["boxes"].reshape(-1, 6)[look["shapes"][voxel]] * 16, box)


@pytest.mark.parametrize("name", ["lever", *(n for n in HUNG.values() if "torch" not in n)])
def test_a_hung_block_is_drawn_within_half_a_texel_of_its_outline(name):
    for facing in range(4):
        voxel = block(name).id | (ON_WALL << 2 if name == "lever" else 0) << 10 | facing << 10
        outline = np.array(outline_at(voxel, 0, 0, 0)) * 16
        look = block_look()[0]
        drawn = look["boxes"].reshape(-1, 6)[look["shapes"][voxel]] * 16
        back = (2, 3, 5, 0)[facing]
        assert drawn[back] == outline[back] == (0, 16, 16, 0)[facing]
        assert (drawn[:3] >= outline[:3] - 0.5).all()
        assert (drawn[3:] <= outline[3:] + 0.5).all()


def by_water(state: int = 0) -> Flat:
    """Return a world whose player holds two lily pads and looks at water two blocks away."""
    flat = Flat()
    flat.put(0, FEET - 1, 2, "water", state)
    flat.give(0, "lily_pad", 2)
    flat.set(pitch=40)
    flat.tick()
    return flat


def test_a_lily_pad_is_placed_on_water_under_the_crosshair():
    flat = by_water()
    flat.tick(use=1)
    assert flat.at(0, FEET, 2) == "lily_pad"
    assert flat.held() == {"lily_pad": 1}
    flat.put(0, FEET - 1, 2, "air")
    flat.settle(0, FEET - 1, 2)
    flat.tick()
    assert flat.at(0, FEET, 2) == "air"


def test_a_lily_pad_breaks_when_its_water_starts_to_flow():
    flat = by_water()
    flat.tick(use=1)
    flat.put(0, FEET - 1, 2, "water", 3)
    flat.settle(0, FEET - 1, 2)
    flat.tick()
    assert flat.at(0, FEET, 2) == "air"


def test_a_lily_pad_is_not_placed_on_flowing_water_on_stone_or_under_a_block():
    flat = by_water(3)
    flat.tick(use=1)
    assert flat.held() == {"lily_pad": 2}
    flat = by_water()
    flat.put(0, FEET, 2, "torch")
    flat.tick(use=1)
    assert flat.held() == {"lily_pad": 2}
    flat = Flat()
    flat.give(0, "lily_pad", 2)
    flat.set(pitch=40)
    flat.tick()
    flat.tick(use=1)
    assert flat.held() == {"lily_pad": 2}


def test_a_lily_pad_is_placed_on_ice():
    flat = Flat()
    flat.put(0, FEET - 1, 2, "ice")
    flat.give(0, "lily_pad")
    flat.set(pitch=40)
    flat.tick()
    flat.tick(use=1)
    assert flat.at(0, FEET, 2) == "lily_pad"


def test_the_place_function_puts_a_lily_pad_on_water():
    flat = by_water()
    flat.tick(place="lily_pad")
    assert flat.at(0, FEET, 2) == "lily_pad"
