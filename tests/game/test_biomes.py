"""Biomes in the game's numbers, as the Minecraft Wiki has them ("Biome", "Biome/ID")."""

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.game.biomes import ALIASES, BIOMES, biome_climate
from optimus_gym.game.dataset import dataset

PUBLISHED = {
    "ocean": (0, 0.5, 0.5),
    "plains": (1, 0.8, 0.4),
    "desert": (2, 2.0, 0.0),
    "mountains": (3, 0.2, 0.3),
    "forest": (4, 0.7, 0.8),
    "taiga": (5, 0.25, 0.8),
    "swamp": (6, 0.8, 0.9),
    "river": (7, 0.5, 0.5),
    "snowy_plains": (12, 0.0, 0.5),
    "beach": (16, 0.8, 0.4),
    "jungle": (21, 0.95, 0.9),
    "birch_forest": (27, 0.6, 0.6),
    "dark_forest": (29, 0.7, 0.8),
    "savanna": (35, 1.2, 0.0),
    "flower_forest": (132, 0.7, 0.8),
}
"""Number, temperature and rainfall."""


def test_every_biome_has_the_published_numbers():
    made = {name: biome_climate(name) for name in BIOMES}
    assert {n: (c.number, c.temperature, c.rainfall) for n, c in made.items()} == PUBLISHED


def test_every_biome_is_the_one_of_that_number_in_minecraft_data():
    names = {int(row["id"]): row["name"] for row in dataset().biomes_list}
    for name in BIOMES:
        there = names[biome_climate(name).number]
        assert name in (there, ALIASES.get(there))


def test_an_unknown_biome_is_refused():
    with pytest.raises(UnknownName, match="unknown biome 'plain'; did you mean 'plains'"):
        biome_climate("plain")
