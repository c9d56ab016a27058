"""The looks of the land against the real client's: colours, partial blocks, outlines.

The client's figures were measured on frames of the 1.16.5 client (640x360, noon): means of RGB.
"""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.art.blocks import block_faces, face_index, face_table
from optimus_gym.worlds.voxel.bodies.aim import take_aim
from optimus_gym.worlds.voxel.land.window import ensure_view
from optimus_gym.worlds.voxel.render.look import block_look
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.terrain.tints import TINTS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.render.landscape import NOON

MEANS = json.loads((Path(__file__).parent / "data" / "face_means.json").read_text("utf-8"))
FACES = [(name, mean) for row in MEANS for name, mean in row["faces"].items()]
UP = 3
VIEW = 64.0
GROUND = FEET - 1
"""Height of the flat world's uppermost blocks."""


def texture_of(name: str) -> NDArray[np.float64]:
    """Return the solid texels of a face ("block" for its side, "block:part"): float64[n, 3]."""
    kind, _, part = name.partition(":")
    index = face_table()[block(kind).id, UP if part == "top" else 0]
    if part not in ("", "top"):
        index = face_index(kind, part)
    texels = block_faces()[index].reshape(-1, 4)
    return texels[texels[:, 3] > 0][:, :3].astype(float)


def see(flat: Flat, pitch: float, fast: bool = True, size: tuple[int, int] = (320, 180)):
    """Return the picture of a player who looks south at noon: float64[H, W, 3]."""
    flat.set(yaw=0.0, pitch=pitch)
    flat.worlds.skies[0]["time"] = NOON
    ensure_view(flat.worlds, 0, VIEW)
    image = np.zeros((size[1], size[0], 3), np.uint8)
    render_frame(flat.worlds, 0, block_look(), VIEW, fast, image)
    return image.astype(float)


@pytest.mark.parametrize(("name", "mean"), FACES)
def test_faces_are_as_bright_as_the_games(name: str, mean: list[int]) -> None:
    """No face's mean is more than 12 % (and 4 of 255) off the game's, in any channel."""
    ours = texture_of(name).mean(axis=0)
    assert np.abs(ours - mean).max() <= max(0.12 * np.mean(mean), 4.0), ours


def meadow(tint: str) -> Flat:
    """Return flat ground of grass blocks in a biome's green."""
    flat = Flat("grass_block")
    flat.worlds.voxels[0, :, :, GROUND] |= TINTS[tint] << 10
    return flat


@pytest.mark.parametrize(
    ("tint", "client", "tolerance"),
    [
        ("temperate", (84, 108, 51), 0.05),
        ("wooded", (66, 104, 48), 0.1),
        ("cold", (74, 99, 72), 0.1),
    ],
)
def test_grass_at_noon_has_the_clients_colour(
    tint: str, client: tuple[int, int, int], tolerance: float
) -> None:
    """The client's forest and taiga were measured between trees, where soft shadow lies."""
    grass = see(meadow(tint), 35.0)[60:].reshape(-1, 3)
    assert np.abs(grass.mean(axis=0) / client - 1).max() < tolerance
    assert 7.0 < grass[:, 1].std() < 11.0


@pytest.mark.parametrize(
    ("name", "tint", "client"),
    [("grass", "wooded", (58, 87, 41)), ("fern", "cold", (66, 82, 59))],
)
def test_tall_grass_and_ferns_have_the_clients_colour(
    name: str, tint: str, client: tuple[int, int, int]
) -> None:
    """Measured on the client's frames of a forest and a taiga; within 15 % (soft shadow there)."""
    flat = meadow(tint)
    bare = see(flat, 20.0)
    for x in range(-3, 4):
        flat.put(x, FEET, 3, name, TINTS[tint])
    seen = see(flat, 20.0)
    plant = seen[(seen != bare).any(axis=2)]
    assert len(plant) > 500
    assert np.abs(plant.mean(axis=0) / client - 1).max() < 0.15


def test_leaves_in_a_wood_have_the_clients_colour() -> None:
    """Measured on the client's frame of a forest: (30, 58, 19) on sides that face east or west."""
    flat = Flat("grass_block")
    for y in range(FEET, FEET + 4):
        for x in range(-4, 5):
            flat.put(x, y, 3, "oak_leaves", TINTS["wooded"])
    seen = see(flat, 0.0)[40:90].reshape(-1, 3)
    leaves = seen[seen[:, 1] > 1.5 * seen[:, 2]]
    assert len(leaves) > 0.7 * len(seen)
    sides = leaves.mean(axis=0) * 0.6 / 0.8
    assert np.abs(sides / (30, 58, 19) - 1).max() < 0.2, sides


PARTIAL = (
    "oak_slab", "farmland", "grass_path", "snow", "chest", "stonecutter", "enchanting_table",
    "daylight_detector", "lectern", "end_portal_frame", "cake", "red_bed", "oak_stairs",
)  # fmt: skip


@pytest.mark.parametrize("name", PARTIAL)
def test_no_face_next_to_a_lower_block_is_black(name: str) -> None:
    """A wall's face behind a block lower than its cell is as light as behind air."""
    flat = Flat()
    for x in range(-4, 5):
        for y in range(FEET, FEET + 3):
            flat.put(x, y, 4, "lime_wool")
    wall = see(flat, 20.0)
    for x in range(-4, 5):
        flat.put(x, FEET, 3, name)
    seen = see(flat, 20.0)
    shares = seen / np.maximum(wall, 1)
    is_wall = (wall[..., 1] > 2 * wall[..., 2]) & (np.ptp(shares, axis=2) < 0.06)
    assert is_wall.sum() > 2000
    assert shares[is_wall].min() > 0.95


def test_an_item_in_the_cell_of_a_slab_is_not_dark() -> None:
    flat = Flat()
    drop = flat.worlds.drops[0, 0]
    drop["item"], drop["x"], drop["z"] = 1, 0.5, 3.5
    drop["y"] = FEET + 1.0
    flat.put(0, FEET, 3, "stone")
    bare = see(flat, 20.0)
    flat.put(0, FEET, 3, "oak_slab")
    drop["y"] = FEET + 0.5
    light = see(flat, 20.0)
    drop["item"] = 0
    gone = see(flat, 20.0)
    body = light[(light != gone).any(axis=2)]
    assert len(body) > 100
    assert body.mean() > 60, (body.mean(), bare.mean())


CROPS = {
    "wheat": (2, 4, 6, 8, 10, 12, 14, 16),
    "carrots": (2, 3, 4, 5, 6, 7, 8, 9),
    "potatoes": (2, 3, 4, 5, 6, 7, 8, 9),
    "beetroots": (2, 4, 6, 8),
    "nether_wart": (5, 8, 11, 14),
    "melon_stem": (2, 4, 6, 8, 10, 12, 14, 16),
    "pumpkin_stem": (2, 4, 6, 8, 10, 12, 14, 16),
    "sweet_berry_bush": (8, 16, 16, 16),
}
"""Height of the hitbox by stage, sixteenths (Minecraft Wiki, the pages of the crops)."""


def aims_at(flat: Flat, height: float) -> tuple[int, int, int]:
    """Return the block that a level look south meets, `height` blocks above the ground."""
    flat.set(y=FEET + height - 1.62, yaw=0.0, pitch=0.0, aim_face=-1)
    take_aim(flat.worlds, 0)
    return (flat.aim_x, flat.aim_y, flat.aim_z) if flat.aim_face >= 0 else (0, 0, 0)


@pytest.mark.parametrize("name", CROPS)
def test_the_crosshair_meets_a_crop_up_to_the_height_of_its_stage(name: str) -> None:
    flat = Flat()
    for stage, sixteenths in enumerate(CROPS[name]):
        flat.put(0, FEET, 2, name, stage)
        assert aims_at(flat, (sixteenths - 0.3) / 16) == (0, FEET, 2)
        assert aims_at(flat, (sixteenths + 0.3) / 16) != (0, FEET, 2)


@pytest.mark.parametrize(("name", "inset"), [("melon_stem", 7), ("poppy", 5), ("grass", 2)])
def test_the_crosshair_meets_a_thin_plant_only_in_its_middle(name: str, inset: int) -> None:
    flat = Flat()
    flat.put(0, FEET, 2, name)
    for x, meets in (((inset + 0.3) / 16, True), ((inset - 0.3) / 16, False)):
        flat.set(x=x)
        assert (aims_at(flat, 1 / 16) == (0, FEET, 2)) == meets


@pytest.mark.parametrize("stage", [0, 3, 7])
def test_the_outline_of_a_crop_is_as_high_as_its_hitbox(stage: int) -> None:
    """The uppermost dark row lies as high as the hitbox of the stage."""
    flat = Flat()
    for x in range(-8, 9):
        for y in range(FEET, FEET + 6):
            flat.put(x, y, 6, "white_wool")
    flat.put(0, FEET, 3, "wheat", stage)
    flat.set(y=FEET - 1.62 + CROPS["wheat"][stage] / 16 + 0.01, aim_face=-1)
    bare = see(flat, 0.0)
    flat.set(aim_x=0, aim_y=FEET, aim_z=3, aim_face=4)
    outlined = see(flat, 0.0)
    assert (outlined == see(flat, 0.0, fast=False)).all()
    rows = np.flatnonzero((outlined < bare).any(axis=(1, 2)))
    assert (outlined <= bare).all()
    assert abs(rows.min() - 90) <= 2


@pytest.mark.parametrize(("name", "before"), [("torch", "air"), ("wheat", "stone")])
def test_an_outline_shows_around_its_block_and_not_through_other_blocks(
    name: str, before: str
) -> None:
    flat = Flat()
    for x in range(-8, 9):
        for y in range(FEET, FEET + 6):
            flat.put(x, y, 6, "white_wool")
    flat.put(0, FEET, 4, name)
    for y in range(FEET, FEET + 3):
        for x in range(-2, 3):
            flat.put(x, y, 3, before)
    bare = see(flat, 10.0)
    flat.set(aim_x=0, aim_y=FEET, aim_z=4, aim_face=4)
    darker = (see(flat, 10.0) < bare).any(axis=2)
    assert (bare[darker].min(axis=1) > 150).any() == (before == "air")
    assert darker.any() == (before == "air")
