"""A name of the form "module:attribute" loads its object, or an error says why it cannot."""

import sys

import pytest

from optimus_gym.core import registry
from optimus_gym.core.errors import BadValue, MissingExtra, UnknownName
from optimus_gym.core.rng import generator


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder on Python's path; its modules are unloaded after the test."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


FAULTS = {
    "import nothing_like_that": "line 1): ModuleNotFoundError: No module named 'nothing_like_that'",
    "import own_part.deep": "line 1): ModuleNotFoundError: No module named 'own_part.deep'",
    "\nfrom math import tau2": "line 2): ImportError: cannot import name 'tau2' from 'math'",
    "\n\n1 / 0": "line 3): ZeroDivisionError: division by zero",
    "raise SystemExit('no device')": "line 1): SystemExit: no device",
    "import math\nmath.tau2": "line 2): AttributeError: module 'math' has no attribute 'tau2'",
}


@pytest.mark.parametrize(("code", "told"), FAULTS.items())
def test_a_failed_import_is_reported_with_its_line(folder, code, told):
    (folder / "own_part.py").write_text(code)
    with pytest.raises(BadValue) as caught:
        registry.load("controller", "own_part:Mine")
    start = "controller: the import of 'own_part' failed (own_part.py, "
    assert str(caught.value).startswith(start + told)


def test_a_syntax_error_is_reported_as_a_failed_import(folder):
    (folder / "own_part.py").write_text("x = 1\nclass Mine\n    pass")
    with pytest.raises(BadValue, match=r"the import of 'own_part' failed: SyntaxError: .*line 2\)"):
        registry.load("world", "own_part:Mine")


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("own_part", "world: there is no module 'own_part' on Python's path"),
        ("own_parts.deep", "there is no module 'own_parts' on Python's path for 'own_parts.deep'"),
        ("math.deep", "there is no module 'math.deep' on Python's path"),
    ],
)
def test_a_module_that_does_not_exist_is_named(folder, path, told):
    with pytest.raises(BadValue, match=told):
        registry.load("world", f"{path}:Mine")


def test_the_error_for_a_misspelt_class_suggests_near_names(folder):
    (folder / "own_part.py").write_text("class Mine: ...\nclass Yours: ...\n_Hidden = Mine")
    with pytest.raises(BadValue, match="'own_part' has no 'Mime'; did you mean 'Mine'"):
        registry.load("agent", "own_part:Mime")
    with pytest.raises(BadValue, match=r"has no 'Hidden'; expected one of 'Mine', 'Yours'$"):
        registry.load("agent", "own_part:Hidden")


def test_a_missing_extra_keeps_its_own_message(folder):
    (folder / "own_part.py").write_text(
        "from optimus_gym.core.errors import MissingExtra\nraise MissingExtra('mine', 'torch')"
    )
    with pytest.raises(MissingExtra, match="mine needs an optional dependency"):
        registry.load("controller", "own_part:Mine")


def test_load_takes_a_path_and_bad_names_are_refused():
    assert registry.load("backbone", "optimus_gym.core.rng:generator") is generator
    with pytest.raises(UnknownName, match="unknown kind of part 'wrold'; did you mean 'world'"):
        registry.names("wrold")
    with pytest.raises(BadValue, match="registered already"):
        registry.register("world", "voxel", "a:b")
    with pytest.raises(BadValue, match="expected 'module:attribute', got 'nothing'"):
        registry.register("world", "mine", "nothing")


@pytest.mark.parametrize("kind", ["world", "controller", "helper", "backbone", "agent", "aligner"])
def test_every_registered_part_can_be_imported(kind):
    for name in registry.names(kind):
        assert callable(registry.load(kind, name))
