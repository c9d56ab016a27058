"""Plants and trees by biome, packed into arrays that kernels read.

Sources: the rows of `data/vegetation.json` (amounts), `data/trees.json` (shapes) and `data/plants.json`
(soils).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.game.biomes import BIOMES
from optimus_gym.worlds.voxel.state.worlds import BLOCK_BITS, BLOCK_MASK, CHUNK
from optimus_gym.worlds.voxel.terrain.biomes import table
from optimus_gym.worlds.voxel.terrain.names import voxel_of
from optimus_gym.worlds.voxel.terrain.tints import TINT_BITS, TINT_MASK, UPPER_HALF

CELL = 4
"""Side in blocks of the square in which at most one tree stands."""
PATCH = 8
"""Side in blocks of the square in which at most one patch of plants lies."""
_SHAPES = ("blob", "round", "spruce", "pine", "bush", "acacia", "dark_oak", "giant_jungle")
# Shapes of trees; see `tree_shapes`.
BLOB = _SHAPES.index("blob")
ROUND = _SHAPES.index("round")
SPRUCE = _SHAPES.index("spruce")
PINE = _SHAPES.index("pine")
BUSH = _SHAPES.index("bush")
ACACIA = _SHAPES.index("acacia")
DARK_OAK = _SHAPES.index("dark_oak")
GIANT_JUNGLE = _SHAPES.index("giant_jungle")
SOILS = ("grass", "sand", "shade", "water")
ON_GRASS = SOILS.index("grass")
"""Soil of plants on grass blocks."""
ON_SAND = SOILS.index("sand")
"""Soil of plants on sand."""
IN_SHADE = SOILS.index("shade")
"""Soil of plants on grass blocks under leaves."""
ON_WATER = SOILS.index("water")
"""Soil of plants on still water."""
TALL_PLANTS = ("tall_grass", "large_fern", "lilac", "rose_bush", "peony", "sunflower")
"""Plants of two blocks; Minecraft Wiki, "Flower" and "Grass"."""

_ROWS = {str(row["biome"]): row for row in table("vegetation")}
_TREES = sorted(table("trees"), key=lambda row: -int(row["reach"]))
_PLANTS = {str(name): row for row in table("plants") for name in row["names"]}
_NAMES = list(_PLANTS)

TREES = tuple(str(row["name"]) for row in _TREES)
"""Names of the kinds of trees, the widest first; the number of a kind is its index in this tuple."""


def _chances(column: str, names: list[str], squares: int) -> NDArray[np.float64]:
    """Return chances [biomes, names]: that of each plant in a square that is 1 / `squares` of a chunk."""
    rows: list[dict[str, Any]] = [_ROWS.get(name, {}).get(column, {}) for name in BIOMES]
    return np.array([[row.get(name, 0.0) / squares for name in names] for row in rows], np.float64)


def _ladder(column: str, names: list[str], squares: int) -> NDArray[np.float64]:
    """Return cumulated chances [biomes, names]: a draw picks the first name with a chance above the draw."""
    return np.cumsum(_chances(column, names, squares), axis=1)


def _in_all_biomes(voxels: list[int]) -> NDArray[np.uint16]:
    """Return voxels with the tint of each biome, [biomes, voxels]."""
    row = np.array(voxels, np.uint16)
    tinted: NDArray[np.uint16] = row | (TINT_BITS[:, None] & TINT_MASK[row & BLOCK_MASK])
    return tinted


TREE_STEPS = _ladder("trees", list(TREES), (CHUNK // CELL) ** 2)
"""float64[biomes, trees]: chance, cumulated over the kinds of trees, that a cell of 4 x 4 columns holds a
tree."""
TREE_SHAPE = np.array([_SHAPES.index(row["shape"]) for row in _TREES], np.int64)
TREE_LOG = np.array([voxel_of(row["log"]) for row in _TREES], np.uint16)
TREE_LEAVES = _in_all_biomes([voxel_of(row["leaves"]) for row in _TREES])
"""uint16[biomes, trees]: voxel of a tree's leaves, with the biome's tint."""
VINE = _in_all_biomes([voxel_of("vine")])[:, 0]
"""uint16[biomes]: voxel of a vine that clings to no side yet, with the biome's tint."""
TREE_LOW = np.array([row["low"] for row in _TREES], np.int64)
TREE_HIGH = np.array([row["high"] for row in _TREES], np.int64)
TREE_RADIUS = np.array([row["radius"] for row in _TREES], np.int64)
HANGING, WRAPPED = 1, 2
TREE_VINES = np.array(
    [HANGING * ("crown" in row["vines"]) + WRAPPED * ("trunk" in row["vines"]) for row in _TREES],
    np.int64,
)
"""int64[trees]: vines of each kind of tree, as bits: HANGING on the crown, WRAPPED on the trunk."""
TREE_WIDE = np.isin(TREE_SHAPE, (DARK_OAK, GIANT_JUNGLE)).astype(np.int64)
"""int64[trees]: 1 for trunks of 2 x 2 logs; the tree's x and z are the trunk's lowest."""
TREE_SAPLINGS = np.array([row["saplings"] for row in _TREES], np.int64)
"""int64[trees]: number of saplings that grow into this kind of tree: 1, 4 (in a square), or 0 = never."""
_REACH = np.array([row["reach"] for row in _TREES], np.int64)
TREE_REACH = int(_REACH.max())
"""Columns from a trunk's lowest x and z to the edge of the widest crown or vine."""
LIKELIEST = np.array(
    [TREE_STEPS[:, int((far <= _REACH).sum()) - 1].max() for far in range(TREE_REACH + 1)],
    np.float64,
)
"""float64[TREE_REACH + 1]: for each reach in columns, the largest chance in any biome of a tree whose crown
reaches at least as far."""

PLANT_SOIL = np.array([SOILS.index(_PLANTS[name]["soil"]) for name in _NAMES], np.int64)
PLANT_SHARE = np.array([_PLANTS[name]["share"] for name in _NAMES], np.float64)
"""float64[plants]: share of a patch's columns that bear the plant."""
PLANT_VOXEL = _in_all_biomes(
    [voxel_of(name) | _PLANTS[name].get("state", 0) << BLOCK_BITS for name in _NAMES]
)
"""uint16[biomes, plants]: voxel of a plant, or of a tall plant's lower half, with the biome's tint."""
PLANT_UPPER = _in_all_biomes(
    [voxel_of(name) | UPPER_HALF << BLOCK_BITS if name in TALL_PLANTS else 0 for name in _NAMES]
)
"""uint16[biomes, plants]: voxel of a tall plant's upper half, with the biome's tint; 0 for plants of one
block."""
SCATTER_STEPS = _ladder("scattered", _NAMES, CHUNK * CHUNK)
"""float64[biomes, plants]: chance, cumulated over the kinds of plants, that a column bears a plant that
belongs to no patch."""
PATCH_STEPS = _ladder("patches", _NAMES, (CHUNK // PATCH) ** 2)
"""float64[biomes, plants]: chance, cumulated over the kinds of plants, that a square of 8 x 8 columns holds a
patch."""
CACTUS_CHANCE = _chances("scattered", ["cactus"], (CHUNK // CELL) ** 2)[:, 0]
"""float64[biomes]: chance that a cell of 4 x 4 columns holds a cactus."""
