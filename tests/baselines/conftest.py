"""A folder of data sets for the tests of baselines."""

import pytest


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    """Return the folder of Minari's data sets, an empty one for each test."""
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"
