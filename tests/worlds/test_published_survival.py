"""Survival against published values of the game: each row of data/published_survival.json is played."""

import json
from pathlib import Path

import pytest

from tests.worlds.measure_survival import SURVIVAL_MEASURES

ROWS = json.loads(Path(__file__).with_name("data").joinpath("published_survival.json").read_text())


def name_of(row):
    return f"{row['check']}({', '.join(f'{k}={v}' for k, v in row['given'].items())})"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_published_value(row):
    seen = SURVIVAL_MEASURES[row["check"]](**row["given"])
    if row["value"] is None or row["unit"] == "effects":
        assert seen == row["value"], row["source"]
    else:
        assert seen == pytest.approx(row["value"], abs=row["tolerance"] + 1e-5), row["source"]


def test_every_row_names_its_source_and_is_there_once():
    assert all(row["source"].startswith("Minecraft Wiki, ") for row in ROWS)
    assert len({name_of(row) for row in ROWS}) == len(ROWS)


def test_every_measure_has_a_row():
    assert {row["check"] for row in ROWS} == set(SURVIVAL_MEASURES)
