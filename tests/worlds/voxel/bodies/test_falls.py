"""Damage of a fall by the block below; Minecraft Wiki, "Fall damage", "Bed", "Hay Bale", "Honey Block"."""

import pytest

from optimus_gym.game.blocks import block
from optimus_gym.worlds.voxel.tables.properties import COLLISION_HEIGHTS
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.pen import Pen, calm

HALVES = [("stone", 7), ("white_bed", 2), ("hay_block", 2), ("honey_block", 2), ("slime_block", 0)]
"""Half-hearts that a fall of ten blocks costs: 10 - 3, 10 / 2 - 3, a fifth of 7, and 0."""


def cost(ground: str, **keys: int) -> float:
    """Return the half-hearts that a player loses in a fall of ten blocks onto a block."""
    flat = Flat()
    flat.put(0, FEET, 0, ground)
    flat.set(y=FEET + COLLISION_HEIGHTS[block(ground).id] + 10.0, on_ground=0)
    while not flat.on_ground:
        flat.tick(**keys)
    return 20 - flat.health


@pytest.mark.parametrize(("ground", "halves"), HALVES)
def test_a_fall_of_ten_blocks_costs_the_published_damage(ground, halves):
    assert cost(ground) == halves


def test_slime_does_not_soften_the_fall_of_a_sneaking_player():
    assert cost("slime_block", sneak=1) == 7


@pytest.mark.parametrize(("ground", "lives"), [("stone", False), ("hay_block", True)])
def test_hay_softens_the_fall_of_a_creature(ground, lives):
    pen = Pen(ground)
    calm(pen.add("cow", 0.5, 5.5, y=FEET + 15.0, on_ground=0))
    pen.tick(60)
    assert pen.count("cow") == lives
