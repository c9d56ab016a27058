"""What a fall costs on which block; Minecraft Wiki, "Fall damage", "Bed", "Hay Bale", "Honey Block"."""

import pytest

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen, calm

HALVES = [("stone", 7), ("white_bed", 2), ("hay_block", 2), ("honey_block", 2), ("slime_block", 0)]
"""Half-hearts that ten blocks cost: 10 - 3, 10 / 2 - 3, a fifth of 7, nothing of it."""


def cost(ground: str, **keys: int) -> float:
    """Return the half-hearts that a player loses who falls ten blocks upon a block."""
    flat = Flat()
    flat.put(0, FEET, 0, ground)
    flat.set(y=FEET + COLLISION_HEIGHTS[block(ground).id] + 10.0, on_ground=0)
    while not flat.on_ground:
        flat.tick(**keys)
    return 20 - flat.health


@pytest.mark.parametrize(("ground", "halves"), HALVES)
def test_what_ten_blocks_cost(ground, halves):
    assert cost(ground) == halves


def test_who_sneaks_feels_slime_in_full():
    assert cost("slime_block", sneak=1) == 7


@pytest.mark.parametrize(("ground", "lives"), [("stone", False), ("hay_block", True)])
def test_hay_saves_a_creature(ground, lives):
    pen = Pen(ground)
    calm(pen.add("cow", 0.5, 5.5, y=FEET + 15.0, on_ground=0))
    pen.tick(60)
    assert pen.count("cow") == lives
