"""Every block, item and letter has a picture of its own, the same bytes on every machine."""

import hashlib
from itertools import combinations

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.blocks import block_names, blocks
from optimus_gym.game.items import item_names, items
from optimus_gym.worlds.voxel.art import palette
from optimus_gym.worlds.voxel.art.blocks import (
    block_faces,
    face_index,
    face_table,
    mean_colour,
    paint,
)
from optimus_gym.worlds.voxel.art.cracks import STAGES, crack_stages
from optimus_gym.worlds.voxel.art.font import glyphs, text_mask, widths
from optimus_gym.worlds.voxel.art.grain import cells, cloud, grain
from optimus_gym.worlds.voxel.art.gui import screen
from optimus_gym.worlds.voxel.art.items import item_icons

UNSEEN = {"air", "void_air", "cave_air", "barrier", "structure_void", "moving_piston"}
UP, NORTH = 3, 4
GOLDEN = {
    "faces": "29542093635de4199c87c92ff2d1e3d25810cbc7e51fb5362e2a2e2224f9bf2f",
    "table": "426d09fe0a2d4faa3668bf3bc6beab73509035b8efba78b2db6da67a0b3420db",
    "icons": "076d8d6ac0c3acb7267254d810309562d4327d223f9808532b9615b8ebd13650",
    "glyphs": "f19aa1e2bfde3d022a1e4aeaa440884bcc3cfdc061f7899127eb5fee4e7bb378",
    "screen": "842362e24d55bad37773aafff2414aa7612ebbb970358aa21558218887925dbc",
    "cracks": "5b584e93d293072492c9c5aafdc5c5c46668c0e06143113e2685f38461d00bca",
}


def faces_of(name):
    return block_faces()[face_table()[block_names().index(name)]]


def icon_of(name):
    return item_icons()[items()[name].id]


@pytest.mark.parametrize("name", ["tall_grass", "large_fern", "sunflower"])
def test_the_halves_of_a_tall_plant_meet(name):
    lower, upper = (block_faces()[face_index(name, part)][..., 3] > 0 for part in ("side", "upper"))
    above, below = (np.flatnonzero(row) for row in (upper[-1], lower[0]))
    assert above.size > 0
    assert all(np.abs(below - column).min(initial=99) <= 2 for column in above)


def test_pictures_keep_their_bytes():
    arrays = {
        "faces": [block_faces()],
        "table": [face_table()],
        "icons": [item_icons()],
        "glyphs": [glyphs(), widths()],
        "screen": list(screen().arrays().values()),
        "cracks": [crack_stages()],
    }
    digests = {
        name: hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in parts)).hexdigest()
        for name, parts in arrays.items()
    }
    assert digests == GOLDEN


def test_pictures_have_their_shapes_and_types():
    assert block_faces().dtype == np.uint8
    assert block_faces().shape[1:] == (16, 16, 4)
    assert face_table().shape == (763, 6)
    assert face_table().dtype == np.int32
    assert face_table().max() < len(block_faces())
    assert item_icons().shape == (976, 16, 16, 4)
    assert item_icons().dtype == np.uint8


@pytest.mark.parametrize("array", [block_faces, face_table, item_icons, glyphs, widths])
def test_shared_arrays_cannot_be_written(array):
    with pytest.raises(ValueError, match="read-only"):
        array()[0] = 0


def test_only_invisible_blocks_have_empty_pictures():
    empty = {name for name in block_names() if not faces_of(name)[:, :, :, 3].any()}
    assert empty == UNSEEN


def test_no_block_is_painted_with_the_fallback():
    fallback = {"all": palette._FALLBACK}
    assert [name for name in block_names() if palette.parts(name) == fallback] == []


def test_opaque_blocks_have_no_holes():
    broken = [
        name
        for name, block in blocks().items()
        if block.opaque and (faces_of(name)[..., 3] < 255).any()
    ]
    assert broken == []


@pytest.mark.parametrize("wood", ["oak", "birch", "spruce", "jungle", "acacia", "dark_oak"])
def test_leaves_have_holes(wood):
    alpha = faces_of(f"{wood}_leaves")[..., 3]
    assert set(np.unique(alpha)) == {0, 255}
    assert 0.1 < (alpha == 0).mean() < 0.35


def test_water_lets_light_through_and_lava_does_not():
    assert set(np.unique(faces_of("water")[..., 3])) == {160}
    assert set(np.unique(faces_of("lava")[..., 3])) == {255}


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("furnace", "lit"),
        ("smoker", "lit"),
        ("grass_block", "snowy"),
        ("oak_door", "upper"),
        ("iron_door", "upper"),
        ("tall_grass", "upper"),
        ("white_bed", "pillow"),
    ],
)
def test_block_states_have_their_own_faces(name, part):
    assert face_index(name, part) not in face_table()[block_names().index(name)]


def test_face_index_rejects_an_unknown_part():
    with pytest.raises(UnknownName, match="furnace:lit"):
        face_index("furnace", "lid")


def test_ores_differ_from_stone_and_from_each_other():
    names = [
        "stone",
        *(
            f"{ore}_ore"
            for ore in ("coal", "iron", "gold", "redstone", "diamond", "lapis", "emerald")
        ),
    ]
    for first, second in combinations(names, 2):
        assert (faces_of(first)[UP] != faces_of(second)[UP]).any(), (first, second)


@pytest.mark.parametrize(
    ("name", "strongest"),
    [
        ("grass_block", 1),
        ("red_wool", 0),
        ("blue_wool", 2),
        ("oak_leaves", 1),
        ("water", 2),
        ("lava", 0),
    ],
)
def test_blocks_have_their_natural_colours(name, strongest):
    assert int(np.argmax(mean_colour(name))) == strongest


def test_mean_colour_rejects_air():
    with pytest.raises(BadValue, match="a block whose upper face is not all holes"):
        mean_colour("air")


def test_grass_hangs_over_the_upper_edge_of_dirt():
    side = faces_of("grass_block")[NORTH].astype(int)
    green = side[..., 1] > side[..., 0]
    assert green[0].all()
    assert not green[6:].any()


def test_block_variants_share_the_faces_of_their_base_block():
    assert (faces_of("oak_stairs") == faces_of("oak_planks")).all()
    assert (faces_of("cobblestone_wall") == faces_of("cobblestone")).all()
    assert (faces_of("infested_stone") == faces_of("stone")).all()
    assert (faces_of("oak_wall_sign") == faces_of("oak_sign")).all()


def test_every_item_has_a_unique_icon():
    seen = {}
    for name in item_names():
        if name not in items():
            continue
        icon = icon_of(name)
        assert icon[..., 3].any(), name
        twin = seen.setdefault(icon.tobytes(), name)
        assert twin == name, f"{name} looks as {twin}"
    assert len(seen) == 975
    assert not item_icons()[0].any()


@pytest.mark.parametrize("tool", ["pickaxe", "axe", "shovel", "hoe", "sword", "helmet", "boots"])
def test_tool_materials_differ_in_colour_and_not_in_shape(tool):
    first, second = icon_of(f"iron_{tool}"), icon_of(f"diamond_{tool}")
    assert (first[..., 3] == second[..., 3]).all()
    assert (np.abs(first.astype(int) - second).max(axis=-1) > 40).sum() > 12


def test_a_full_cube_fills_the_icon_and_a_slab_its_lower_part():
    cube, slab = icon_of("oak_planks")[..., 3] > 0, icon_of("oak_slab")[..., 3] > 0
    assert cube.sum() > slab.sum() > 60
    assert not slab[:3].any()


def test_unknown_layers_and_colours_are_rejected():
    with pytest.raises(UnknownName, match="speckle"):
        paint("speckel #102030 0.1")
    with pytest.raises(BadValue, match="expected a colour"):
        palette.colour("#12345")
    with pytest.raises(BadValue, match="expected a colour"):
        palette.colour("red")


def test_colours_mix_by_percent():
    assert palette.colour("#000000~#ffffff~20").tolist() == pytest.approx([51, 51, 51])


def test_noise_depends_on_its_name_alone():
    assert (grain("a") == grain("a")).all()
    assert (grain("a") != grain("b")).any()
    assert 0.4 < grain("a", 64, 64).mean() < 0.6
    assert grain("a").min() >= 0
    assert grain("a").max() < 1
    assert cloud("a", 2, 4).shape == (16, 16)


def test_every_stone_of_a_rubble_face_is_used():
    owner, edge = cells("a", 12)
    assert set(np.unique(owner)) == set(range(12))
    assert (edge >= 0).all()


def test_printable_letters_are_distinct():
    table = {glyphs()[code].tobytes() for code in range(33, 127)}
    assert len(table) == 94
    assert not glyphs()[32].any()


def test_a_line_of_text_is_as_wide_as_its_letters():
    assert text_mask("17").shape == (8, 12)
    assert (text_mask("é") == text_mask("?")).all()
    assert text_mask("").shape == (8, 1)


def test_half_icons_lie_between_empty_and_full():
    for kind in (*screen().hearts, *screen().sick_hearts, screen().foods, screen().armours):
        empty, half, full = (level.astype(int).sum() for level in kind)
        assert empty < half < full


def test_cracks_only_grow():
    stages = crack_stages() > 0
    assert stages.shape == (STAGES, 16, 16)
    assert (stages[1:] >= stages[:-1]).all()
    counts = stages.sum(axis=(1, 2))
    assert (np.diff(counts) > 0).all()
    assert counts[0] > 4
