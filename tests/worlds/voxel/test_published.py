"""The world against published values of the game: each row of data/published*.json is played.

Times hold within a tick (where no tolerance is given, exactly).
"""

import json
from pathlib import Path

import pytest

import tests.worlds.voxel.measures.blocks
import tests.worlds.voxel.measures.body
import tests.worlds.voxel.measures.fights
import tests.worlds.voxel.measures.land
import tests.worlds.voxel.measures.motion
import tests.worlds.voxel.measures.spawning  # noqa: F401  all register their measures
from tests.worlds.voxel.measures.acting import ACTING_MEASURES
from tests.worlds.voxel.measures.creatures import CREATURE_MEASURES
from tests.worlds.voxel.measures.measuring import MEASURES
from tests.worlds.voxel.measures.survival import SURVIVAL_MEASURES

TABLES = {
    "published": MEASURES,
    "published_blocks": ACTING_MEASURES,
    "published_creatures": CREATURE_MEASURES,
    "published_survival": SURVIVAL_MEASURES,
}
DATA = Path(__file__).with_name("data")
ROWS = {name: json.loads(DATA.joinpath(f"{name}.json").read_text()) for name in TABLES}
ROUNDING = 1e-5
"""Tolerance for single precision."""
# "ends" of a row "between": how far a sample's least and most may lie from those that are published.


def name_of(row):
    return f"{row['check']}({', '.join(f'{k}={v}' for k, v in row['given'].items())})"


@pytest.mark.parametrize(
    ("table", "row"),
    [
        pytest.param(table, row, id=f"{table}: {name_of(row)}")
        for table, rows in ROWS.items()
        for row in rows
    ],
)
def test_a_measure_has_its_published_value(table, row):
    seen = TABLES[table][row["check"]](**row["given"])
    unit, value, tolerance = row["unit"] or "", row["value"], row["tolerance"]
    if unit.endswith("between"):
        (low, high), (lower, upper) = value, row["ends"]
        assert low <= seen[0] <= low + lower, row["source"]
        assert high - upper <= seen[1] <= high + tolerance, row["source"]
    elif value is None or unit == "effects":
        assert seen == value, row["source"]
    else:
        assert seen == pytest.approx(value, abs=tolerance + ROUNDING), row["source"]


@pytest.mark.parametrize("table", TABLES)
def test_every_row_names_its_source_and_is_unique(table):
    assert all(row["source"].startswith("Minecraft ") for row in ROWS[table])
    assert len({name_of(row) for row in ROWS[table]}) == len(ROWS[table])


@pytest.mark.parametrize("table", TABLES)
def test_every_measure_has_a_row(table):
    assert {row["check"] for row in ROWS[table]} == set(TABLES[table])
