"""Tests mirror the package: the tests of a room lie in the folder of the same name under `tests/`.

A room is a folder of the package with modules of its own, such as `optimus_gym/worlds/voxel/land`.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("envs", "wrappers", "baselines")
"""Folders of the package that lie next to `optimus_gym/` in the checkout."""


def package_folders(root):
    """Return each folder of the package by its path in the package, with its modules."""
    folders = {}
    for top in ("optimus_gym", *BESIDE):
        for init in (root / top).rglob("__init__.py"):
            path = init.parent.relative_to(root / "optimus_gym" if top == "optimus_gym" else root)
            folders[path] = [each for each in init.parent.glob("*.py") if each != init]
    return folders


def rooms_without_tests(root):
    """Return the rooms without a test file in their folder of tests or of their name."""
    rooms = [folder for folder, modules in package_folders(root).items() if modules]
    tests = root / "tests"
    return sorted(
        str(room)
        for room in rooms
        if not any((tests / room).glob("test_*.py"))
        and not (tests / room.parent / f"test_{room.name}.py").exists()
    )


def misplaced_tests(root):
    """Return the test files in a folder that the package lacks."""
    folders = package_folders(root)
    files = (path.relative_to(root / "tests") for path in (root / "tests").rglob("test_*.py"))
    return sorted(str(file) for file in files if file.parent not in folders)


def test_every_room_has_tests():
    assert rooms_without_tests(ROOT) == []


def test_every_folder_of_tests_belongs_to_a_folder_of_the_package():
    assert misplaced_tests(ROOT) == []


@pytest.fixture
def house(tmp_path):
    """A package of one room with a test."""
    for name in (
        "optimus_gym/__init__.py",
        "optimus_gym/core/__init__.py",
        "optimus_gym/core/rng.py",
    ):
        write(tmp_path / name)
    write(tmp_path / "tests/core/test_rng.py")
    return tmp_path


def write(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


@pytest.mark.parametrize("test", ["tests/game/test_items.py", "tests/test_game.py"])
def test_a_room_without_tests_is_found(house, test):
    write(house / "optimus_gym/game/__init__.py")
    assert rooms_without_tests(house) == []
    write(house / "optimus_gym/game/items.py")
    assert rooms_without_tests(house) == ["game"]
    write(house / test)
    assert rooms_without_tests(house) == []


def test_a_room_inside_a_room_needs_tests_of_its_own(house):
    write(house / "envs/__init__.py")
    write(house / "envs/starts/__init__.py")
    write(house / "envs/starts/hours.py")
    write(house / "tests/envs/test_hours.py")
    assert rooms_without_tests(house) == ["envs/starts"]


def test_a_test_in_a_folder_without_a_room_is_found(house):
    write(house / "tests/core/golden/prompt.md")
    assert misplaced_tests(house) == []
    write(house / "tests/core/dice/test_dice.py")
    assert misplaced_tests(house) == ["core/dice/test_dice.py"]
