"""The wheel holds the checkout's packages and data files, each once."""

import os
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOP = ("optimus_gym", "envs", "wrappers", "baselines")


def setup_cfg():
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    return config


def test_setup_cfg_lists_every_package():
    found = set()
    for top in TOP:
        for init in (ROOT / top).rglob("__init__.py"):
            parts = init.parent.relative_to(ROOT).parts
            found.add(".".join(parts if top == "optimus_gym" else ("optimus_gym", *parts)))
    assert set(setup_cfg()["options"]["packages"].split()) == found


def test_every_data_file_is_packed():
    told = setup_cfg()["options.package_data"]
    patterns = told["*"].replace(",", " ").split()
    named = {
        path
        for package, pattern in told.items()
        for path in (ROOT / package.replace(".", "/")).glob(pattern)
        if package != "*"
    }
    for top in TOP:
        for path in (ROOT / top).rglob("*"):
            if path.is_dir() or path.suffix in (".py", ".pyc") or path in named:
                continue
            assert any(path.match(pattern) for pattern in patterns), f"{path} is left out"
            assert (path.parent / "__init__.py").exists(), f"{path} lies in no package"


@pytest.mark.parametrize("name", ["envs", "wrappers", "baselines"])
def test_a_top_level_folder_is_not_imported_by_its_own_name(name):
    run = subprocess.run(
        [sys.executable, "-c", f"import {name}"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 1
    assert f"import optimus_gym.{name}, not {name}" in run.stderr


def test_no_module_lies_in_a_folder_without_init():
    for top in TOP:
        for path in (ROOT / top).rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), f"{path} lies in no package"
