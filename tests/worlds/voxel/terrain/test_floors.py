"""The land of a few seeds meets the floors of `benchmarks/terrain_floors.py`."""

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PATH = Path(__file__).resolve().parents[4] / "benchmarks" / "terrain_floors.py"
SEEDS = range(12)


@pytest.fixture(scope="module")
def floors() -> ModuleType:
    spec = importlib.util.spec_from_file_location("terrain_floors", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_caves_and_lava_have_their_share(floors):
    air, lava, low = floors.cave_shares(SEEDS)
    assert 0.04 <= air <= 0.15
    assert 0.01 <= lava <= 0.15
    assert low == 0.0


def test_a_forest_chunk_has_the_expected_number_of_trees(floors):
    assert 7.5 < floors.trees_a_forest_chunk(SEEDS) < 10.5


def test_biomes_have_their_heights_and_areas(floors):
    table = floors.biome_table(range(4))
    assert sum(row["share"] for row in table.values()) == pytest.approx(1.0)
    assert 0.08 < table["ocean"]["share"] < 0.35
    land = [row for name, row in table.items() if name not in ("ocean", "river", "beach")]
    assert np.median([row["width"] for row in land]) >= 100
    assert table["mountains"]["high"] - table["mountains"]["low"] > 20
    assert table["plains"]["high"] - table["plains"]["low"] < 20


def test_widths_are_the_lengths_of_runs(floors):
    lines = np.array([[1, 0], [1, 2], [2, 2], [1, 2]])
    assert sorted(floors.widths(lines, 1).tolist()) == [16, 32, 32]
    assert sorted(floors.widths(lines, 2).tolist()) == [16, 48, 48, 48]
