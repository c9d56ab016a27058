"""The README of a folder of the package names every module and folder in it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    page
    for top in ("optimus_gym", "envs", "wrappers", "baselines")
    for page in (ROOT / top).rglob("README.md")
)


def unnamed(page):
    """Return the modules and folders that their folder's page leaves out."""
    text = page.read_text("utf-8")
    modules = {path.name for path in page.parent.glob("*.py")} - {"__init__.py"}
    folders = {f"{init.parent.name}/" for init in page.parent.glob("*/__init__.py")}
    named = set(re.findall(r"`(\w+\.py|\w+/)", text))
    return sorted((modules | folders) - named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_a_folders_page_names_its_modules_and_folders(page):
    assert unnamed(page) == []


def test_a_module_without_a_row_is_found(tmp_path):
    for name in ("named.py", "missing.py", "room/__init__.py", "__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    page = tmp_path / "README.md"
    page.write_text("| `named.py` | a module |\n")
    assert unnamed(page) == ["missing.py", "room/"]
