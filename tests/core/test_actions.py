"""The table of an action's places agrees with itself, and there is no other."""

import ast
from pathlib import Path

import numpy as np
import pytest

import optimus_gym
from optimus_gym.core import actions

ROOT = Path(optimus_gym.__file__).resolve().parents[1]
TABLE = "optimus_gym.core.actions"
ELSEWHERE = sorted(
    path
    for folder in ("optimus_gym", "envs", "wrappers", "baselines")
    for path in (ROOT / folder).rglob("*.py")
    if path != ROOT / "optimus_gym/core/actions.py"
)
ODD_DEGREES = {abs(degrees) for degrees in actions.CAMERA_DEGREES} - {0.0, 10.0}
INDEXED = ("action", "actions")
"""Variables that hold low-level actions."""


def test_each_constant_names_its_place_in_an_action():
    constants = {
        "left": actions.LEFT, "swap_hands": actions.SWAP, "function": actions.FUNCTION, "item": actions.ITEM,
    }  # fmt: skip
    for place, name in enumerate(actions.ACTION_PLACES):
        assert constants.get(name, getattr(actions, name.upper(), None)) == place
    assert actions.ACTION_PLACES[: actions.CONTROL_LENGTH] == actions.KEYS
    assert actions.ACTION_LENGTH == len(actions.ACTION_PLACES) == actions.CONTROL_LENGTH + 2


def test_every_value_of_a_key_means_one_thing():
    for key, size, meanings in zip(
        actions.KEYS, actions.CONTROL_SIZES, actions.MEANINGS, strict=True
    ):
        assert len(meanings) == len(set(meanings)) == size, key
        assert all(isinstance(meaning, str) for meaning in meanings)


def test_the_camera_has_a_turn_for_each_bin():
    assert actions.CONTROL_SIZES[actions.PITCH] == len(actions.CAMERA_DEGREES)
    assert actions.CONTROL_SIZES[actions.YAW] == len(actions.CAMERA_DEGREES)
    assert actions.CAMERA_DEGREES[actions.CAMERA_STILL] == 0.0


def test_noop_presses_no_key_and_turns_by_0_degrees():
    idle = actions.noop()
    for place, meanings in enumerate(actions.MEANINGS):
        assert meanings[idle[place]] in ("none", "pitch +0", "yaw +0")
    assert idle.shape == (actions.ACTION_LENGTH,)
    assert actions.noop(actions.CONTROL_LENGTH).tolist() == idle[: actions.CONTROL_LENGTH].tolist()


def places_elsewhere(source: str) -> list[str]:
    """Return the lines of a source file that define places, functions or camera bins by themselves."""
    tree = ast.parse(source)
    taken = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == TABLE
        for alias in node.names
    }
    return [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(tree)
        if isinstance(node, ast.expr) and _is_own(node, taken)
    ]


def _is_own(node: ast.expr, taken: set[str]) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and node.value in ODD_DEGREES
    if isinstance(node, ast.Compare) and ast.unparse(node.left) == "function":
        return any(isinstance(other, ast.Constant) for other in node.comparators)
    if not isinstance(node, ast.Subscript) or ast.unparse(node.value) not in INDEXED:
        return False
    index = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
    if isinstance(index, ast.Constant):
        return index.value is not None and (isinstance(node.ctx, ast.Store) or index.value != 0)
    return isinstance(index, ast.Name) and index.id.isupper() and index.id not in taken


@pytest.mark.parametrize("path", ELSEWHERE, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_file_defines_places_or_degrees(path):
    assert places_elsewhere(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("source", [
    "TURNS = (0.61539427, 1.60949864)",
    "ATTACK = 4\nif action[ATTACK]: pass",
    "from elsewhere import ATTACK\nactions[:, ATTACK] = 1",
    "action[4] = 1",
    "if function == 2: pass",
])  # fmt: skip
def test_a_second_definition_of_places_or_degrees_is_found(source):
    assert places_elsewhere(source) != []


def test_camera_bins_are_symmetric_and_sorted():
    degrees = np.array(actions.CAMERA_DEGREES)
    assert np.array_equal(degrees, -degrees[::-1])
    assert (np.diff(degrees) > 0).all()
    assert [actions.camera_bin(value) for value in degrees] == list(range(11))


def test_camera_bins_are_the_mu_law_of_vpt():
    steps = np.arange(-5, 6) / 5
    expected = np.sign(steps) * (np.power(11.0, np.abs(steps)) - 1) / 10 * 10
    assert np.allclose(actions.CAMERA_DEGREES, expected, atol=1e-8)
