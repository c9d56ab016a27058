"""Biomes of missions: by name or number, of any version of the game, and what stands for a missing one."""

import json
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.errors import BadValue, UnknownName, shown
from optimus_gym.game.biomes import ALIASES, BIOMES
from optimus_gym.game.dataset import dataset
from optimus_gym.worlds.malmo.missions import Mission

_KIN: Final = MappingProxyType(
    {
        "birch_forest_hills": "birch_forest", "tall_birch_forest": "birch_forest",
        "tall_birch_hills": "birch_forest", "dark_forest_hills": "dark_forest",
        "wooded_hills": "forest", "jungle_hills": "jungle", "jungle_edge": "jungle",
        "modified_jungle": "jungle", "modified_jungle_edge": "jungle", "taiga_hills": "taiga",
        "taiga_mountains": "taiga", "desert_hills": "desert", "desert_lakes": "desert",
        "savanna_plateau": "savanna", "shattered_savanna": "savanna",
        "shattered_savanna_plateau": "savanna", "swamp_hills": "swamp", "mountain_edge": "mountains",
        "wooded_mountains": "mountains", "gravelly_mountains": "mountains",
        "modified_gravelly_mountains": "mountains", "sunflower_plains": "plains",
        "snowy_mountains": "snowy_plains", "deep_ocean": "ocean", "lukewarm_ocean": "ocean",
        "cold_ocean": "ocean", "deep_lukewarm_ocean": "ocean", "deep_cold_ocean": "ocean",
    }
)  # fmt: skip
"""Biomes of Minecraft 1.16.5 that worlds here lack -> a biome with the same trees and ground; our choice."""
_ANY: Final = -1
"""Number that stands for all biomes in the options of a generator; Minecraft Wiki, "Customized"."""


@cache
def _numbered() -> MappingProxyType[int, dict[str, Any]]:
    """Return the rows of the game's biomes by number; source: `minecraft-data`."""
    return MappingProxyType({int(row["id"]): dict(row) for row in dataset().biomes_list})


def _named(name: str) -> str:
    """Return the biome that stands for a name.

    Raises:
        UnknownName: none does.
    """
    plain = name.strip().lower().removeprefix("minecraft:").replace(" ", "_")
    for known in (plain, ALIASES.get(plain, ""), _KIN.get(plain, "")):
        if known in BIOMES:
            return known
    raise UnknownName("biome of this world", name, (*BIOMES, *ALIASES, *_KIN))


def _by_number(number: int) -> str:
    """Return the biome that stands for a number of the game.

    Raises:
        BadValue, UnknownName: no biome has the number, or none stands for it.
    """
    row = _numbered().get(number)
    if row is None:
        raise BadValue(f"biome: expected a number of the game's biomes, got {number}")
    return _named(str(row["name"]))


def start_biome(mission: Mission) -> str | None:
    """Return the name of the biome that a mission begins in; None leaves it to the seed.

    The biome comes from the element PreferredSpawnBiome, else from BiomeGenerator, else from the entry
    "fixedBiome" of a generator's options.

    Raises:
        BadValue, UnknownName: worlds here have no such biome.

    >>> start_biome(Mission(biome="extreme_hills")), start_biome(Mission(land="biome", land_options="3"))
    ('mountains', 'mountains')
    """
    if mission.biome is not None:
        return _named(mission.biome)
    if mission.land == "biome":
        options = mission.land_options.strip()
        return _by_number(int(options)) if options.isdigit() else _named(options)
    number = generator_options(mission).get("fixedBiome", _ANY)
    if number == _ANY:
        return None
    if not isinstance(number, int):
        raise BadValue(f"fixedBiome: expected a number, got {shown(number)} (generator options)")
    return _by_number(number)


def generator_options(mission: Mission) -> dict[str, Any]:
    """Return the options of a mission's generator; none if it has another kind of land.

    Raises:
        BadValue: the options are no JSON object.
    """
    text = mission.land_options.strip()
    if mission.land != "default" or not text:
        return {}
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise BadValue(f"generatorOptions: expected a JSON object, got {shown(text)}")
    return read
