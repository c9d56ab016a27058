"""A held item has the place of the game's client (docs/looks.md), at rest and in a swing."""

import numpy as np
import pytest

from optimus_gym.game.items import items
from optimus_gym.worlds.voxel.screen.hand import SWING, held_picture
from tests.worlds.flat import Flat

CLIENT = {
    "diamond_pickaxe": (0.79, 1.00, 0.53, 1.00),
    "diamond_sword": (0.76, 1.00, 0.32, 1.00),
    "air": (0.69, 0.87, 0.74, 1.00),
    "oak_planks": (0.64, 1.00, 0.71, 1.00),
}
"""Left, right, top and bottom in the client's frames, shares of width and height."""
NEAR = 0.03
"""Tolerance of an edge, a share of width or height: textures are our own."""
SIZES = [(360, 640), (128, 128)]
HELD = [*CLIENT, "wooden_axe", "iron_shovel", "stone_hoe", "bow", "bread", "torch", "oak_sapling"]
DIGGING = range(1, 4)
"""Phases that show while the attack key is held: a swing restarts halfway through."""


def inked(name: str, phase: int, size: tuple[int, int] = SIZES[0]) -> np.ndarray:
    """Return which pixels of a frame the held thing covers: bool[h, w]."""
    item = items()[name].id if name != "air" else 0
    picture = held_picture(item, phase, *size)
    covered = np.zeros(size, bool)
    cut = picture.pixels[..., 3] > 0
    covered[picture.top :, picture.left :][: cut.shape[0], : cut.shape[1]] = cut
    return covered


def edges(covered: np.ndarray) -> tuple[float, float, float, float]:
    """Return left, right, top and bottom of the covered pixels, shares of width and height."""
    (rows, columns), (high, wide) = np.nonzero(covered), covered.shape
    return (
        columns.min() / wide,
        (columns.max() + 1) / wide,
        rows.min() / high,
        (rows.max() + 1) / high,
    )


def middles(covered: np.ndarray) -> list[float]:
    """Return the mean column of a tool's upper and of its lower half, shares of the width."""
    rows = np.flatnonzero(covered.any(axis=1))
    halves = np.array_split(rows, 2)
    return [np.nonzero(covered[half])[1].mean() / covered.shape[1] for half in halves]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CLIENT)
def test_an_item_at_rest_has_the_client_s_place(name, size):
    assert edges(inked(name, 0, size)) == pytest.approx(CLIENT[name], abs=NEAR)


@pytest.mark.parametrize("name", ["diamond_sword", "iron_shovel", "stick"])
def test_tools_lean_to_the_right_and_show_their_flat_side(name):
    covered = inked(name, 0)
    upper, lower = middles(covered)
    assert upper > lower + 0.02
    left, right, top, bottom = edges(covered)
    wide, high = 16 * (right - left), 9 * (bottom - top)
    assert covered.sum() / (covered.size * (right - left) * (bottom - top)) > 0.3
    assert wide / high > 0.4


@pytest.mark.parametrize("name", HELD)
@pytest.mark.parametrize("size", SIZES)
def test_the_held_item_never_covers_the_crosshair(name, size):
    height, width = size
    for phase in range(SWING + 1):
        around = inked(name, phase, size)[: int(0.58 * height), : int(0.56 * width)]
        assert not around.any(), phase


@pytest.mark.parametrize("name", ["diamond_pickaxe", "wooden_axe", "iron_shovel"])
def test_a_digging_tool_is_small_and_below_the_crosshair(name):
    """The client's frame of a digging pickaxe shows its head at x 0.47 to 0.54, y 0.79 to 0.93."""
    for phase in DIGGING:
        covered = inked(name, phase)
        left, right, top, _ = edges(covered)
        assert 0.40 < left < right < 0.70
        assert top > 0.6
        assert covered.mean() < 0.03
        head = covered[: int((top + 0.15) * covered.shape[0])]
        assert 0.44 < np.nonzero(head)[1].mean() / covered.shape[1] < 0.60


def test_a_held_attack_key_shows_the_phases_of_digging():
    flat = Flat()
    flat.set(pitch=90)
    phases = set()
    for _ in range(20):
        flat.tick(attack=1)
        phases.add(flat.swing)
    assert phases == set(DIGGING)


def test_the_arm_is_upright_with_a_light_left_and_a_dark_right_side():
    picture = held_picture(0, 0, *SIZES[0])
    tones = picture.pixels[..., :3].astype(float).mean(axis=2)
    covered = picture.pixels[..., 3] == 255
    low = covered.shape[0] * 3 // 4
    ridge = int(0.765 * SIZES[0][1]) - picture.left
    left, right = (
        tones[low:, :ridge][covered[low:, :ridge]],
        tones[low:, ridge:][covered[low:, ridge:]],
    )
    assert right.mean() / left.mean() == pytest.approx(0.82, abs=0.05)
    upright = [np.flatnonzero(row)[0] for row in covered[covered.shape[0] // 2 :]]
    assert max(upright) - min(upright) <= 4
