"""The biomes: one row of `data/biomes.json` each, packed into arrays that kernels read."""

import json
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.source import checked
from optimus_gym.worlds.voxel.state import BLOCK_BITS, CHUNK
from optimus_gym.worlds.voxel.terrain.names import voxel_of

CELL = 4
"""Blocks of the square in which at most one tree stands."""
TALL = ("tall_grass", "large_fern", "lilac", "rose_bush", "peony", "sunflower")
"""Plants of two blocks; Minecraft Wiki, "Flower" and "Grass"."""


def table(name: str) -> list[dict[str, Any]]:
    """Return the rows of a data file of the terrain, each with its source."""
    path = files("optimus_gym.worlds.voxel.terrain.data").joinpath(f"{name}.json")
    return list(checked(json.loads(path.read_text(encoding="utf-8")), f"{name}.json"))


_ROWS = table("biomes")
_TREES = table("trees")
_PLANTS = sorted({plant for row in _ROWS for plant in row["plants"]})

BIOMES = tuple(str(row["name"]) for row in _ROWS)
"""Names of the biomes; a biome is its index here."""
(
    OCEAN,
    RIVER,
    BEACH,
    PLAINS,
    FOREST,
    BIRCH_FOREST,
    DARK_FOREST,
    FLOWER_FOREST,
    TAIGA,
    SAVANNA,
    JUNGLE,
    DESERT,
    SWAMP,
    MOUNTAINS,
    SNOWY_PLAINS,
) = range(len(BIOMES))
ALIASES = {str(alias): str(row["biome"]) for row in table("aliases") for alias in row["names"]}
"""Names that biomes have in other versions of the game and in the papers' tasks."""


def biome_index(name: str) -> int:
    """Return the index of a biome, by its name here or by one of `ALIASES`.

    Raises:
        UnknownName: there is no such biome.
    """
    name = ALIASES.get(name, name)
    if name not in BIOMES:
        raise UnknownName("biome", name, BIOMES)
    return BIOMES.index(name)


def _ladder(column: str, names: list[str], per_chunk: float) -> NDArray[np.float64]:
    """Return cumulated chances [biomes, names]: a draw in [0, 1) below a step picks that name."""
    chances = [[row[column].get(name, 0.0) / per_chunk for name in names] for row in _ROWS]
    return np.cumsum(np.array(chances, np.float64), axis=1)


TOP = np.array([voxel_of(row["top"]) for row in _ROWS], np.uint16)
"""uint16[biomes]: the block that lies on top of the ground."""
FILLER = np.array([voxel_of(row["filler"]) for row in _ROWS], np.uint16)
"""uint16[biomes]: the three or four blocks below it."""
WET = np.array([row["wet"] for row in _ROWS], np.bool_)
"""bool[biomes]: under water."""
HEIGHT_OF = np.array([row["height"] for row in _ROWS], np.float64)
"""float64[biomes], blocks: height about which a biome's ground lies, far from coasts and rivers."""
HILLS_OF = np.array([row["hills"] for row in _ROWS], np.float64)
"""float64[biomes], blocks: how high a biome's hills may rise."""
SPAWNS = np.array([row["spawn"] for row in _ROWS], np.bool_)
"""bool[biomes]: a player may begin there without having asked for it."""
TEMPERATURE = np.array([row["temperature"] for row in _ROWS], np.float64)
"""float64[biomes]: warmth at sea level, below 0.15 freezes; Minecraft Wiki, "Biome" (temperature)."""
DOWNFALL = np.array([row["downfall"] for row in _ROWS], np.float64)
"""float64[biomes], [0, 1]: Minecraft Wiki, "Biome" (downfall)."""
PRECIPITATION = np.array(
    [("none", "rain", "snow").index(row["precipitation"]) for row in _ROWS], np.uint8
)
"""uint8[biomes]: 0 nothing, 1 rain, 2 snow falls at sea level."""
BIOME_TINTS = tuple(str(row["tint"]) for row in _ROWS)
"""The name of each biome's green; see `tints`."""

TREE_STEPS = _ladder("trees", [row["name"] for row in _TREES], (CHUNK // CELL) ** 2)
"""float64[biomes, trees]: cumulated chance that a cell of 4 x 4 columns holds a tree."""
TREE_LOG = np.array([voxel_of(row["log"]) for row in _TREES], np.uint16)
TREE_LEAVES = np.array([voxel_of(row["leaves"]) for row in _TREES], np.uint16)
TREE_LOW = np.array([row["low"] for row in _TREES], np.int64)
TREE_HIGH = np.array([row["high"] for row in _TREES], np.int64)
TREE_RADIUS = np.array([row["radius"] for row in _TREES], np.int64)
TREE_REACH = int(TREE_RADIUS.max())
"""Columns that the widest crown reaches beyond its trunk."""

PLANT_STEPS = _ladder("plants", _PLANTS, CHUNK * CHUNK)
"""float64[biomes, plants]: cumulated chance that a column of grass bears a plant."""
PLANT_BLOCK = np.array([voxel_of(name) for name in _PLANTS], np.uint16)
PLANT_UPPER = np.array(
    [voxel_of(name) | 1 << BLOCK_BITS if name in TALL else 0 for name in _PLANTS], np.uint16
)
"""uint16[plants]: the upper half's voxel (state bit 0 set), 0 for plants of one block."""
