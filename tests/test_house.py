"""The package stays small, and its drawing agrees with its imports."""

import pytest

from tools import architecture
from tools.house import lines_by_room

BUDGETS = {
    "agents": 2825,
    "backbones": 5850,
    "baselines": 2250,
    "controllers": 9350,
    "core": 2200,
    "envs": 4970,
    "game": 1775,
    "knowledge": 2375,
    "memory": 2025,
    "minds": 2470,
    "optimus_gym": 25,
    "policies": 950,
    "prompts": 675,
    "run": 7620,
    "seeds": 25,
    "serve": 1080,
    "terminal": 325,
    "testing": 2100,
    "vision": 1225,
    "worlds": 0,
    "worlds/malmo": 3975,
    "worlds/symbolic": 280,
    "worlds/voxel": 1175,
    "worlds/voxel/art": 1425,
    "worlds/voxel/blocks": 1275,
    "worlds/voxel/bodies": 850,
    "worlds/voxel/clicking": 775,
    "worlds/voxel/commands": 1500,
    "worlds/voxel/compiling": 600,
    "worlds/voxel/creatures": 2350,
    "worlds/voxel/land": 1525,
    "worlds/voxel/player": 900,
    "worlds/voxel/render": 4125,
    "worlds/voxel/screen": 1250,
    "worlds/voxel/state": 1025,
    "worlds/voxel/tables": 700,
    "worlds/voxel/terrain": 2325,
    "worlds/voxel/things": 825,
    "worlds/voxel/using": 625,
    "wrappers": 850,
}
"""Maximum number of code lines of each room, without docstrings and comments. The commit that raises a budget
says why; a room that shrinks gives lines back."""


def test_every_room_has_a_budget():
    assert list(BUDGETS) == list(lines_by_room())


@pytest.mark.parametrize(("room", "lines"), lines_by_room().items())
def test_a_room_keeps_its_line_budget(room, lines):
    assert lines <= BUDGETS[room]


def test_the_drawing_of_the_rooms_shows_the_present_imports():
    """`python -m tools.architecture` updates the drawing."""
    assert architecture.FILE.read_text("utf-8") == architecture.drawing()
