"""Blocks that act against published values of the game: each row of data/published_blocks.json is played."""

import json
from pathlib import Path

import pytest

import tests.worlds.land_measures  # noqa: F401  registers its measures
from tests.worlds.acting_measures import ACTING_MEASURES

ROWS = json.loads(Path(__file__).with_name("data").joinpath("published_blocks.json").read_text())


def name_of(row):
    return f"{row['check']}({', '.join(f'{k}={v}' for k, v in row['given'].items())})"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_published_value(row):
    seen = ACTING_MEASURES[row["check"]](**row["given"])
    assert seen == pytest.approx(row["value"], abs=row["tolerance"] + 1e-9), row["source"]


def test_every_row_names_its_source_and_unit():
    assert all(row["source"].startswith("Minecraft Wiki, ") and row["unit"] for row in ROWS)
    assert len({name_of(row) for row in ROWS}) == len(ROWS)


def test_every_measure_has_a_row():
    assert {row["check"] for row in ROWS} == set(ACTING_MEASURES)
