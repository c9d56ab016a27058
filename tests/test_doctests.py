"""The examples in docstrings give their printed results."""

import doctest
import importlib
import pkgutil

import pytest

import optimus_gym

NAMES = [
    module.name
    for top in ("optimus_gym", "optimus_gym.envs", "optimus_gym.wrappers", "optimus_gym.baselines")
    for module in pkgutil.walk_packages(importlib.import_module(top).__path__[:1], top + ".")
]
NEEDS = {"optimus_gym.serve.openenv_session": "openenv"}
"""The package of an extra that a module imports at its top, by the module's name."""


@pytest.mark.parametrize("name", sorted(set(NAMES)))
def test_a_modules_docstring_examples_pass(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_the_list_of_modules_with_examples_is_not_empty():
    assert optimus_gym.__name__ + ".core.errors" in NAMES
