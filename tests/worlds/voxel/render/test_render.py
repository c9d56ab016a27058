"""The renderer: both paths agree, no state changes, the place of the window does not show."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.land.field import build_field
from optimus_gym.worlds.voxel.render.look import CUBE, NO_SHAPE, block_look, shape_row
from optimus_gym.worlds.voxel.render.picture import render_frame
from optimus_gym.worlds.voxel.render.poses import SIDES_BY_FACING
from optimus_gym.worlds.voxel.state.worlds import Worlds
from tests.worlds.voxel.render.landscape import ID, land, stand, world_of

VIEW = 64.0
LAND = land()
POSES = [
    (0.5, 66.0, 0.5, 30.0, 5.0),
    (0.3, 66.0, -2.5, 0.0, 0.0),
    (2.5, 66.0, 2.7, 135.0, -20.0),
    (0.5, 66.0, 0.5, 270.0, 45.0),
    (0.0, 66.0, 0.0, 180.0, 90.0),
    (-3.0, 66.0, 4.0, 90.0, -90.0),
    (-0.5, 90.0, 0.5, 45.0, 30.0),
    (0.5, 140.0, 0.5, 200.0, 60.0),
    (20.5, 30.0, -8.5, 77.0, 3.0),
]


@pytest.fixture(scope="module")
def worlds() -> Worlds:
    return world_of(LAND)


def picture(
    worlds: Worlds, width: int = 128, height: int = 128, fast: bool = True
) -> NDArray[np.uint8]:
    image = np.zeros((height, width, 3), np.uint8)
    render_frame(worlds, 0, block_look(), VIEW, fast, image)
    return image


def under_water() -> tuple[float, float, float]:
    wet = np.argwhere((LAND[:, :, 62] == ID["water"]) & (LAND[:, :, 58] == ID["water"]))
    x, z = wet[np.abs(wet - 80).sum(1).argmin()]
    return x - 79.5, 59.0, z - 79.5


@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("size", [(128, 128), (37, 53), (160, 90), (1, 1)])
def test_both_render_paths_draw_the_same_bytes(
    worlds: Worlds, pose: tuple[float, ...], size: tuple[int, int]
) -> None:
    stand(worlds, *pose)
    assert (picture(worlds, *size) == picture(worlds, *size, fast=False)).all()


@pytest.mark.parametrize("pitch", [-60.0, 0.0, 30.0])
def test_both_paths_agree_in_and_over_water(worlds: Worlds, pitch: float) -> None:
    x, y, z = under_water()
    for feet in (y, 61.2, 62.3):
        stand(worlds, x, feet, z, 100.0, pitch)
        assert (picture(worlds) == picture(worlds, fast=False)).all()


def test_both_paths_agree_when_many_rays_wait(worlds: Worlds) -> None:
    """More rays pass through leaves and water than are collected at a time."""
    stand(worlds, *POSES[6])
    assert (picture(worlds, 480, 270) == picture(worlds, 480, 270, fast=False)).all()


def test_both_paths_agree_in_flowing_water_with_plants_and_missing_chunks() -> None:
    part = world_of(LAND)
    voxels = part.voxels[0]
    wet = np.argwhere(voxels == ID["water"])
    random = np.random.default_rng(2)
    for x, z, y in wet[random.random(len(wet)) < 0.2]:
        level = random.integers(9)
        voxels[x, z, y] = ID["water"] | level << 10 if level < 8 else ID["seagrass"]
    part.chunks[0, 3, 3] = -1
    x, y, z = under_water()
    for feet, pitch in ((y, -60.0), (y, 10.0), (61.2, 20.0), (70.0, 25.0)):
        for yaw in (10.0, 100.0, 190.0, 280.0):
            stand(part, x, feet, z, yaw, pitch)
            assert (picture(part) == picture(part, fast=False)).all()


def test_both_paths_agree_over_snow_and_small_blocks_under_the_crosshair() -> None:
    part = world_of(LAND)
    voxels = part.voxels[0]
    random = np.random.default_rng(4)
    ground = (voxels[:, :, 1:] == 0) & (voxels[:, :, :-1] != 0)
    kinds = ("snow", "snow", "snow", "cactus", "torch", "oak_slab", "lily_pad", "vine", "grass")
    for x, z, y in np.argwhere(ground):
        if random.random() < 0.5:
            voxels[x, z, y + 1] = ID[kinds[random.integers(len(kinds))]]
    part.field[:], part.fresh[:] = 0, 0
    build_field(part, 0, -80, 80, -80, 80)
    part.fresh[:] = 1
    for pose in POSES:
        stand(part, *pose)
        player = part.players[0]
        for shift in (0, 1):
            player["aim_face"], player["dig_progress"] = 3, 0.4
            for axis in "xyz":
                player[f"aim_{axis}"] = int(player[axis] // 1) + (
                    2 - shift if axis != "y" else -shift
                )
                player[f"dig_{axis}"] = player[f"aim_{axis}"]
            assert (picture(part) == picture(part, fast=False)).all()


def test_both_paths_agree_among_doors_beds_chests_and_fields_in_any_state() -> None:
    part = world_of(LAND)
    voxels = part.voxels[0]
    random = np.random.default_rng(5)
    ground = (voxels[:, :, 1:] == 0) & (voxels[:, :, :-1] != 0)
    kinds = (
        "oak_door", "iron_door", "oak_trapdoor", "oak_fence_gate", "red_bed", "chest", "barrel",
        "wheat", "farmland", "fire", "smoker", "ladder",
    )  # fmt: skip
    for x, z, y in np.argwhere(ground):
        if random.random() < 0.5:
            voxels[x, z, y + 1] = ID[kinds[random.integers(len(kinds))]] | random.integers(64) << 10
    part.field[:], part.fresh[:] = 0, 0
    build_field(part, 0, -80, 80, -80, 80)
    part.fresh[:] = 1
    for pose in POSES:
        stand(part, *pose)
        part.players[0]["aim_face"] = 3
        for axis in "xyz":
            part.players[0][f"aim_{axis}"] = int(part.players[0][axis] // 1) + (axis != "y")
        assert (picture(part) == picture(part, fast=False)).all()


def test_water_tints_the_view(worlds: Worlds) -> None:
    stand(worlds, *under_water(), 100.0, -5.0)
    red, _, blue = picture(worlds).reshape(-1, 3).mean(0)
    assert blue > red + 40


def test_rendering_changes_no_state(worlds: Worlds) -> None:
    stand(worlds, *POSES[0])
    before = hashlib.sha256(
        b"".join(array.tobytes() for array in worlds.arrays().values())
    ).hexdigest()
    picture(worlds)
    picture(worlds, fast=False)
    assert (
        hashlib.sha256(b"".join(array.tobytes() for array in worlds.arrays().values())).hexdigest()
        == before
    )


@pytest.mark.parametrize("chunks", [(-3, 4), (1_874_995, -1_874_998)])
def test_the_picture_does_not_depend_on_the_place_of_the_window(
    worlds: Worlds, chunks: tuple[int, int]
) -> None:
    """The same land elsewhere, also 30 million blocks away, across another seam of the torus."""
    moved = world_of(LAND, *chunks)
    for x, y, z, yaw, pitch in POSES:
        stand(worlds, x, y, z, yaw, pitch)
        stand(moved, x + 16 * (chunks[0] + 5), y, z + 16 * (chunks[1] + 5), yaw, pitch)
        assert (picture(worlds) == picture(moved)).all()


def test_a_chunk_that_is_not_loaded_looks_like_sky() -> None:
    part = world_of(LAND)
    stand(part, *POSES[0])
    whole = picture(part)
    part.chunks[0, -1, 0] = -1
    assert (picture(part) == picture(part, fast=False)).all()
    assert (picture(part) != whole).any()


def test_outline_and_cracks_show_on_the_aimed_block(worlds: Worlds) -> None:
    stand(worlds, 0.5, 66.0, 0.5, 0.0, 60.0)
    player = worlds.players[0]
    bare = picture(worlds, 160, 90)
    player["aim_face"], player["aim_x"], player["aim_y"], player["aim_z"] = 3, 0, 65, 1
    outlined = picture(worlds, 160, 90)
    player["dig_progress"] = 0.7
    player["dig_x"], player["dig_y"], player["dig_z"] = 0, 65, 1
    cracked = picture(worlds, 160, 90)
    assert (cracked == picture(worlds, 160, 90, fast=False)).all()
    player["aim_face"], player["dig_progress"] = -1, 0.0
    assert 20 < (outlined != bare).any(2).sum() < 2000
    assert cracked.astype(int).sum() < outlined.astype(int).sum()
    assert (cracked <= bare).all()


def test_a_dropped_item_is_drawn_unless_the_land_hides_it(worlds: Worlds) -> None:
    stand(worlds, 0.5, 66.0, 0.5, 0.0, 20.0)
    bare = picture(worlds, 160, 90)
    drop = worlds.drops[0, 3]
    drop["item"], drop["x"], drop["y"], drop["z"] = 1, 0.5, 66.0, 3.0
    seen = picture(worlds, 160, 90)
    assert (seen == picture(worlds, 160, 90, fast=False)).all()
    drop["y"] = 60.0
    hidden = picture(worlds, 160, 90)
    drop["item"] = 0
    changed = np.argwhere((seen != bare).any(2))
    assert 20 < len(changed) < 2000
    assert abs(changed[:, 1].mean() - 80) < 3
    assert (hidden == bare).all()


def test_every_block_has_a_shape_and_plants_are_no_cubes() -> None:
    shapes = block_look()[0]["shapes"]
    assert shapes[0] == NO_SHAPE
    for name in ("stone", "oak_log", "crafting_table", "furnace", "diamond_ore", "melon"):
        assert shapes[ID[name]] == CUBE, name
    for name in ("grass", "torch", "oak_leaves", "water", "rail", "ladder", "chest", "oak_slab"):
        assert shapes[ID[name]] != CUBE, name
    assert all(shape_row(name) is None or "source" in shape_row(name) for name in block_names())


def test_a_furnace_shows_its_mouth_on_its_facing_side() -> None:
    faces = block_look()[0]["faces"].reshape(-1, 8)
    for facing, side in enumerate(SIDES_BY_FACING):
        dark, lit = (
            faces[ID["furnace"] | facing << 11],
            faces[ID["furnace"] | 1 << 10 | facing << 11],
        )
        assert (dark[[0, 1, 4, 5]] == dark[side]).sum() == 1
        assert (lit != dark).tolist() == [face == side for face in range(8)]


def test_a_chest_shows_its_latch_and_a_barrel_its_lid_on_the_facing_side() -> None:
    faces = block_look()[0]["faces"].reshape(-1, 8)
    for name in ("chest", "barrel"):
        for facing, side in enumerate(SIDES_BY_FACING):
            around = faces[ID[name] | facing << 10][[0, 1, 4, 5]]
            assert (around == faces[ID[name] | facing << 10][side]).sum() == 1


def test_an_open_door_is_drawn_at_another_side_of_its_cell() -> None:
    tables = block_look()[0]
    boxes = tables["boxes"].reshape(-1, 6)
    closed, opened = (boxes[tables["shapes"][ID["oak_door"] | state << 10]] for state in (0, 2))
    assert closed.tolist() == [0, 0, 0, 1, 1, 3 / 16]
    assert opened.tolist() == [13 / 16, 0, 0, 1, 1, 1]


SCRIPT = """
import hashlib
from tests.worlds.voxel.render.test_render import LAND, POSES, picture
from tests.worlds.voxel.render.landscape import stand, world_of
worlds, digest = world_of(LAND), hashlib.sha256()
for pose in POSES:
    stand(worlds, *pose)
    for fast in (True, False):
        digest.update(picture(worlds, fast=fast).tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_every_processor_target_draws_the_same_bytes(tmp_path: Path) -> None:
    seen = set()
    for target in (None, "generic", "haswell"):
        environment = {**os.environ, "OPTIMUS_GYM_CACHE": str(tmp_path)}
        if target:
            environment |= {"NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": ""}
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(run.stdout.strip())
    assert len(seen) == 1
