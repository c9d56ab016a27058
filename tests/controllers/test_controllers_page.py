"""The controller of `docs/controllers.md` works."""

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import gymnasium as gym
import numpy as np
import pytest
import torch

from optimus_gym.core.types import VERBS
from optimus_gym.testing import controller_rules
from optimus_gym.testing.controller_case import ControllerCase, Session

PAGE = Path(__file__).parents[2] / "docs" / "controllers.md"
LINES = 40
SCRIPT = [
    sys.executable,
    "-P",
    "-c",
    "from optimus_gym.run.cli import entry; raise SystemExit(entry())",
]
"""The installed command, whose path does not contain the current folder."""


def _code():
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    (code,) = [block for block in blocks if "class Mine" in block]
    return code


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """Return the page's module, importable under its name on the page."""
    code = _code()
    written = [line for line in code.splitlines() if line.strip()]
    assert len(written) <= LINES
    folder = tmp_path_factory.mktemp("page")
    (folder / "mine.py").write_text(code)
    sys.path.insert(0, str(folder))
    yield import_module("mine")
    sys.path.remove(str(folder))
    del sys.modules["mine"]


def test_the_pages_controller_keeps_the_contract(mine, tmp_path):
    drawn = mine.Mine()
    Session(ControllerCase(mine.Mine), drawn)
    torch.save(drawn.net.state_dict(), tmp_path / "weights.pt")
    for rule in controller_rules():
        rule(lambda: mine.Mine(str(tmp_path / "weights.pt")))


def test_the_pages_controller_plays_by_its_name(mine):
    envs = gym.make_vec("Optimus-Wood-v0", 3, controller="mine:Mine", subgoal_ticks=8)
    envs.reset(seed=10_000)
    *_, info = envs.step(np.zeros(3, np.int64))
    assert info["ticks"].tolist() == [8, 8, 8]
    envs.close()


def test_the_command_finds_a_controller_in_the_current_folder(tmp_path):
    """Two processes play the controller."""
    (tmp_path / "mine.py").write_text(_code())
    asked = ["--controller", "mine:Mine", "--world", "symbolic", "--set", "ticks=40"]
    played = ["--tasks", "Wood", "--episodes", "2", "--workers", "2", "--rows", "1", "--out", "out"]
    done = subprocess.run(
        [*SCRIPT, "evaluate", *asked, *played], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "2 episodes in 'out'" in done.stdout


def test_files_of_the_current_folder_replace_no_module(tmp_path):
    for name in ("json", "numpy", "rich"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong one')")
    done = subprocess.run([*SCRIPT, "list"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_pages_command_leaves_no_verb_to_the_helper():
    (told,) = re.findall(r"controller\.verbs=\[(.*?)\]", PAGE.read_text("utf-8"))
    assert sorted(told.replace('"', "").split(",")) == sorted(VERBS)
