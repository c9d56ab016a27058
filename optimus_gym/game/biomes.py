"""Names of the game's biomes, for worlds, memories and the recognition of biomes in pictures."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from optimus_gym.game.rows import rows

BIOMES: Final = tuple(str(row["name"]) for row in rows("biomes"))
"""Names of the biomes in Minecraft 1.16.5."""
ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {str(alias): str(row["name"]) for row in rows("biomes") for alias in row["aliases"]}
)
"""Biomes by their names in other versions of the game and in the papers' tasks."""
