"""The folder of a run of self-evolution is read epoch by epoch, and damage is named."""

import json

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.run.results.growth import (
    CONFIGURATION,
    MemorySize,
    evaluation_folder,
    read_epoch,
    read_growth,
    size_file,
)
from tests.run.report.folders import a_folder
from tests.run.results.making import a_row

EVALUATED = json.dumps({"evaluated": {"tasks": ["Wood"], "episodes": 1}})


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two epochs."""
    home = tmp_path / "grown"
    home.mkdir()
    (home / CONFIGURATION).write_text(EVALUATED)
    for number, won in enumerate((False, True)):
        size_file(home, number).parent.mkdir()
        size = {"experiences": 9 * number, "ways": 3 * number, "share": 0.1 * number}
        size_file(home, number).write_text(json.dumps(size))
        a_folder(evaluation_folder(home, number), [a_row(success=won)])
    return home


def test_epochs_are_read_in_their_order(folder):
    growth = read_growth(folder)
    assert growth.name == "grown"
    assert [epoch.number for epoch in growth.epochs] == [0, 1]
    assert growth.epochs[1].size == MemorySize(9, 3, 0.1)
    assert [epoch.results.rows[0].success for epoch in growth.epochs] == [False, True]


def test_a_folder_of_another_command_is_no_growth(tmp_path):
    assert read_growth(a_folder(tmp_path / "rows", [a_row()])) is None


def test_a_run_without_evaluations_and_a_damaged_size_are_named(folder, tmp_path):
    size_file(folder, 1).write_text('{"experiences": 9}')
    with pytest.raises(BadValue, match=r"epoch.json: expected the fields experiences, share, ways"):
        read_epoch(folder, 1)
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / CONFIGURATION).write_text(EVALUATED)
    with pytest.raises(BadValue, match="expected epochs with whole evaluations"):
        read_growth(bare)
    (bare / CONFIGURATION).write_text("{}")
    with pytest.raises(BadValue, match="expected the configuration of a run of `learn`"):
        read_growth(bare)
