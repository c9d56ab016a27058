"""This package's environments in worlds of the unmodified clients, whose games are the embedded world."""

import pytest

from optimus_gym.serve.shims import shell_lines, write_shims
from tests.serve.real.programs import run_player

pytestmark = pytest.mark.slow

PICKAXE = {
    "id": "PickaxeOfLogs",
    "item": "wooden_pickaxe",
    "verb": "craft",
    "instruction": "Make a wooden pickaxe",
    "inventory": {"oak_log": 4},
    "budget": 3000,
}


def test_the_helper_makes_a_pickaxe_by_mouse_in_minestudio(tmp_path):
    lines = shell_lines(write_shims(tmp_path / "shims"))
    (folder := tmp_path / "job").mkdir()
    options = {"id": "Optimus-v0", "task": PICKAXE, "controller": "random", "crafting": "gui"}
    asked = {
        "world": "minestudio",
        "options": options,
        "seed": 10_001,
        "steps": 20,
        "policy": "plan",
    }
    told = run_player("minestudio with ours", "world_player.py", asked, folder, lines)
    assert (told["status"], told["reason"]) == ("success", "")


def test_minerls_own_environment_is_a_world(tmp_path):
    options = {"id": "OptimusControl-Wood-v0", "controller": "random"}
    asked = {
        "world": "minerl",
        "options": options,
        "seed": 10_001,
        "steps": 100,
        "policy": "random",
    }
    told = run_player("minerl", "world_player.py", asked, tmp_path)
    assert told["steps"] == 100
    assert told["pictures"] > 50
