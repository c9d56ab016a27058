"""A pack holds a player's items and uses them up."""

from optimus_gym.game.tags import tag
from optimus_gym.knowledge.simulate.pack import Pack

PLANKS = tag("planks")


def test_the_kind_that_is_held_most_is_used_up_first():
    pack = Pack.of({"oak_planks": 1, "birch_planks": 5})
    pack.take(PLANKS, 4)
    assert pack.held == {"oak_planks": 1, "birch_planks": 1}
