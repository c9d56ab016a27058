"""The biomes: one row of `data/biomes.json` each, packed into arrays that kernels read."""

import json
from importlib.resources import files
from typing import Any

import numpy as np

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.biomes import ALIASES, BIOMES
from optimus_gym.game.rows import checked
from optimus_gym.worlds.voxel.terrain.names import voxel_of


def table(name: str) -> list[dict[str, Any]]:
    """Return the rows of a data file of the terrain, each with its source."""
    path = files("optimus_gym.worlds.voxel.terrain.data").joinpath(f"{name}.json")
    return list(checked(json.loads(path.read_text(encoding="utf-8")), f"{name}.json"))


_BY_NAME = {str(row["name"]): row for row in table("biomes")}
_ROWS = [_BY_NAME[name] for name in BIOMES]

# The number of a biome is its index in `game.biomes.BIOMES`.
OCEAN = BIOMES.index("ocean")
RIVER = BIOMES.index("river")
BEACH = BIOMES.index("beach")
PLAINS = BIOMES.index("plains")
FOREST = BIOMES.index("forest")
BIRCH_FOREST = BIOMES.index("birch_forest")
DARK_FOREST = BIOMES.index("dark_forest")
FLOWER_FOREST = BIOMES.index("flower_forest")
TAIGA = BIOMES.index("taiga")
SAVANNA = BIOMES.index("savanna")
JUNGLE = BIOMES.index("jungle")
DESERT = BIOMES.index("desert")
SWAMP = BIOMES.index("swamp")
MOUNTAINS = BIOMES.index("mountains")
SNOWY_PLAINS = BIOMES.index("snowy_plains")


def biome_index(name: str) -> int:
    """Return the index of a biome, by its name or by one of its aliases.

    Raises:
        UnknownName: there is no such biome.
    """
    name = ALIASES.get(name, name)
    if name not in BIOMES:
        raise UnknownName("biome", name, BIOMES)
    return BIOMES.index(name)


TOP_SOIL = np.array([voxel_of(row["top"]) for row in _ROWS], np.uint16)
"""uint16[biomes]: the block that lies on top of the ground."""
FILLER = np.array([voxel_of(row["filler"]) for row in _ROWS], np.uint16)
"""uint16[biomes]: the block of the three or four layers below the top."""
WET = np.array([row["wet"] for row in _ROWS], np.bool_)
"""bool[biomes]: whether the biome's ground is under water (oceans and rivers)."""
HEIGHT_OF = np.array([row["height"] for row in _ROWS], np.float64)
"""float64[biomes], blocks: mean height of a biome's ground, far from coasts and rivers."""
HILLS_OF = np.array([row["hills"] for row in _ROWS], np.float64)
"""float64[biomes], blocks: how high a biome's hills may rise."""
SPAWNS = np.array([row["spawn"] for row in _ROWS], np.bool_)
"""bool[biomes]: whether a player without a chosen biome may begin in the biome."""
TEMPERATURE = np.array([row["temperature"] for row in _ROWS], np.float64)
"""float64[biomes]: temperature at sea level; water freezes below 0.15; Minecraft Wiki, "Biome"
(temperature)."""
DOWNFALL = np.array([row["downfall"] for row in _ROWS], np.float64)
"""float64[biomes], [0, 1]: rainfall of a biome; Minecraft Wiki, "Biome" (downfall)."""
PRECIPITATION = np.array(
    [("none", "rain", "snow").index(row["precipitation"]) for row in _ROWS], np.uint8
)
"""uint8[biomes]: precipitation at sea level (0 none, 1 rain, 2 snow)."""
BIOME_TINTS = tuple(str(row["tint"]) for row in _ROWS)
"""Name of the tint of green (see `tints`) of each biome's plants."""
