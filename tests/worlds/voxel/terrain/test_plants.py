"""Plants: in their biomes, on their ground, as many as the tables say."""

import numpy as np
import pytest
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.game.blocks import block_names
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK
from optimus_gym.worlds.voxel.terrain.biomes import table
from optimus_gym.worlds.voxel.terrain.mushrooms import grow_mushrooms
from optimus_gym.worlds.voxel.terrain.names import AIR, GRASS_BLOCK, SAND, STILL_WATER, STONE
from optimus_gym.worlds.voxel.terrain.plants import grow_plants
from optimus_gym.worlds.voxel.terrain.vegetation import TALL_PLANTS

ROWS = {row["biome"]: row for row in table("vegetation")}
LEVEL, CHUNKS = 70, 300
ID = {name: number for number, name in enumerate(block_names())}
DYE_FLOWERS = (
    "dandelion", "poppy", "blue_orchid", "allium", "azure_bluet", "red_tulip", "orange_tulip",
    "white_tulip", "pink_tulip", "oxeye_daisy", "cornflower", "lily_of_the_valley", "sunflower",
    "lilac", "rose_bush", "peony",
)  # fmt: skip


def flat(soil: int, level: int = LEVEL, roof: int = AIR) -> NDArray[np.uint16]:
    """Return a chunk of level ground under a roof."""
    out = np.zeros((16, 16, 128), np.uint16)
    out[:, :, :level] = STONE
    out[:, :, level] = soil
    out[:, :, level + 6] = roof
    return out


def grown(biome: str, soil: int, roof: int = AIR, chunks: int = CHUNKS) -> NDArray[np.uint16]:
    """Return chunks of level land of one biome with their plants: [chunks, 16, 16, 128]."""
    ground = np.full((18, 18), LEVEL, np.int64)
    kinds = np.full((16, 16), BIOMES.index(biome), np.int64)
    made = []
    for k in range(chunks):
        made.append(flat(soil, LEVEL, roof))
        grow_plants(np.uint64(9), k, -3 * k, ground, kinds, made[-1])
    return np.stack(made)


def on_ground(voxels: NDArray[np.uint16], name: str) -> float:
    """Return the mean number of a chunk's columns with a plant."""
    return float((voxels[..., LEVEL + 1] & BLOCK_MASK == ID[name]).sum() / len(voxels))


@pytest.mark.parametrize("biome", ROWS)
def test_plants_have_the_numbers_of_the_table(biome):
    row = ROWS[biome]
    voxels = grown(biome, SAND if biome == "desert" else GRASS_BLOCK)
    for name, wanted in row["scattered"].items():
        if name != "lily_pad" and name not in row["patches"]:
            found = on_ground(voxels, name)
            spread = 4.0 * np.sqrt(wanted / CHUNKS) + 0.3 * wanted * (
                sum(row["patches"].values()) > 1
            )
            assert abs(found - wanted) < spread + 0.05 * wanted, (name, found)
    flowers = [name for name in row["patches"] if name in DYE_FLOWERS]
    patches = sum(row["patches"][name] for name in flowers)
    found = sum(on_ground(voxels, name) for name in flowers)
    assert 6.0 * patches < found + 0.2 < 11.0 * patches + 0.5


def test_only_the_plants_of_the_table_grow():
    for biome in ROWS:
        allowed = {*ROWS[biome]["scattered"], *ROWS[biome]["patches"]}
        soil = SAND if biome == "desert" else GRASS_BLOCK
        voxels = grown(biome, soil, chunks=40)
        seen = np.unique(voxels & BLOCK_MASK).tolist()
        names = {block_names()[k] for k in seen} - {"air", "stone", "grass_block", "sand"}
        assert names <= allowed
    assert set(np.unique(grown("ocean", GRASS_BLOCK, chunks=20)).tolist()) <= {
        0,
        STONE,
        GRASS_BLOCK,
    }


def test_every_row_names_plants_and_biomes_that_exist():
    known = {name for row in table("plants") for name in row["names"]} | {"cactus"}
    trees = {row["name"] for row in table("trees")}
    for name, row in ROWS.items():
        assert name in BIOMES
        assert {*row["scattered"], *row["patches"]} <= known
        assert set(row["trees"]) <= trees
        assert sum(row["trees"].values()) <= 16
        assert sum(row["patches"].values()) <= 4


def test_every_flower_for_a_dye_grows():
    growing = {name for row in ROWS.values() for name in row["patches"]}
    assert set(DYE_FLOWERS) <= growing


def test_tall_plants_have_both_halves():
    voxels = grown("plains", GRASS_BLOCK)
    lower, upper = voxels[..., LEVEL + 1], voxels[..., LEVEL + 2]
    tall = np.isin(lower & BLOCK_MASK, [ID[name] for name in TALL_PLANTS])
    assert tall.sum() > 500
    assert (upper[tall] == (lower[tall] | 1 << BLOCK_BITS)).all()
    assert (upper[~tall] == AIR).all()


def test_mushrooms_need_a_roof_of_leaves_and_cacti_room():
    names = ("brown_mushroom", "red_mushroom")
    assert sum(on_ground(grown("dark_forest", GRASS_BLOCK), name) for name in names) == 0
    shaded = grown("dark_forest", GRASS_BLOCK, ID["dark_oak_leaves"])
    assert sum(on_ground(shaded, name) for name in names) > 1.0
    cactus = grown("desert", SAND) == ID["cactus"]
    heights = cactus.sum(3)[cactus[..., LEVEL + 1]]
    assert set(heights.tolist()) == {1, 2, 3}
    for axis in (1, 2):
        assert not (cactus & np.roll(cactus, 1, axis))[:, 1:, 1:].any()


def test_lily_pads_float_on_still_water():
    ground = np.full((18, 18), 58, np.int64)
    out = flat(SAND, 58)
    out[:, :, 59:63] = STILL_WATER
    out[:, :, 64] = AIR
    grow_plants(np.uint64(4), 2, 5, ground, np.full((16, 16), BIOMES.index("swamp"), np.int64), out)
    pads = np.argwhere(out == ID["lily_pad"])
    assert len(pads) > 3
    assert (pads[:, 2] == 63).all()


def test_mushrooms_stand_on_the_floors_of_caves():
    found = 0
    for k in range(400):
        out = np.full((16, 16, 128), STONE, np.uint16)
        out[2:14, 2:14, 20:30] = AIR
        grow_mushrooms(np.uint64(3), k, 7, out)
        at = np.argwhere(np.isin(out, [ID["brown_mushroom"], ID["red_mushroom"]]))
        assert (at[:, 2] == 20).all()
        found += len(at)
    assert 200 < found < 800
