"""Each biome of the worlds is found by the game's number, and each that stands for another exists."""

import pytest

from optimus_gym.game.biomes import BIOMES, biome_climate
from optimus_gym.game.dataset import dataset
from optimus_gym.worlds.malmo.hosting import start_biomes
from optimus_gym.worlds.malmo.hosting.start_biomes import start_biome
from optimus_gym.worlds.malmo.missions import Mission


@pytest.mark.parametrize("name", BIOMES)
def test_each_biome_comes_back_by_its_number(name):
    number = biome_climate(name).number
    assert start_biome(Mission(land="biome", land_options=str(number))) == name


def test_biomes_that_stand_for_others_exist():
    known = {row["name"] for row in dataset().biomes_list}
    assert set(start_biomes._KIN) <= known
    assert set(start_biomes._KIN.values()) <= set(BIOMES)
