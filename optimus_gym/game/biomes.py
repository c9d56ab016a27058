"""Names of the game's biomes, for worlds, memories and the recognition of biomes in pictures."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from optimus_gym.core.checks import check_name
from optimus_gym.game.dataset import dataset
from optimus_gym.game.rows import rows

BIOMES: Final = tuple(str(row["name"]) for row in rows("biomes"))
"""Names of the biomes in Minecraft 1.16.5."""
ALIASES: Final[Mapping[str, str]] = MappingProxyType(
    {str(alias): str(row["name"]) for row in rows("biomes") for alias in row["aliases"]}
)
"""Biomes by their names in other versions of the game and in the papers' tasks."""


@dataclass(frozen=True, slots=True)
class BiomeClimate:
    """A biome in the game's numbers.

    Attributes:
        number: the biome's number in Minecraft 1.16.5.
        temperature: -0.5 (frozen) to 2 (desert); snow falls below 0.15.
        rainfall: 0 (desert) to 1.
    """

    number: int
    temperature: float
    rainfall: float


@cache
def biome_climate(name: str) -> BiomeClimate:
    """Return the number and the climate of one of `BIOMES`.

    Source: `minecraft-data`, under the name that the biome has in 1.16.5.

    Raises:
        UnknownName: the game has no such biome.

    >>> biome_climate("plains")
    BiomeClimate(number=1, temperature=0.8, rainfall=0.4)
    """
    check_name("biome", name, BIOMES)
    aliases = [alias for alias, biome in ALIASES.items() if biome == name]
    known = {str(row["name"]): row for row in dataset().biomes_list}
    row = next(known[each] for each in (name, *aliases) if each in known)
    return BiomeClimate(int(row["id"]), float(row["temperature"]), float(row["rainfall"]))
