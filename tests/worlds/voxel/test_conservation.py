"""Play creates no item and loses only items that the rules burn or break."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from optimus_gym.game.blocks import block
from tests.worlds.flat import FEET, Flat
from tests.worlds.voxel.random_play import carry_out, moves_with

WOOD = {
    "oak_log": 8, "oak_planks": 2, "stick": 1, "crafting_table": 8, "oak_slab": 1, "chest": 16,
    "oak_stairs": 3, "oak_door": 4, "oak_pressure_plate": 4,
}  # fmt: skip
"""Worth in half planks, which each recipe among these keeps."""
OTHERS = {"dirt": {"dirt": 1}, "sand": {"sand": 1}, "iron": {"iron_ore": 1, "iron_ingot": 1}}
LEDGERS = {"wood": WOOD, **OTHERS}
PRODUCTS = ("oak_planks", "stick", "crafting_table", "oak_slab", "chest", "oak_stairs", "oak_door")
PLACED = ("dirt", "sand", "oak_log", "crafting_table", "oak_slab", "oak_planks", "furnace", "chest")


def worth(flat: Flat) -> dict[str, int]:
    """Return the total worth of the items and blocks of each ledger."""
    items: dict[str, int] = {}
    for part in (flat.held(), flat.lying(), flat.cooking()):
        for name, count in part.items():
            items[name] = items.get(name, 0) + count
    blocks = np.bincount(flat.worlds.voxels[0].ravel() & 1023, minlength=1024)
    blocks += np.bincount(flat.worlds.falling["voxel"][0] & 1023, minlength=1024)
    return {
        ledger: sum(
            value * (items.get(name, 0) + int(blocks[block(name).id] if name in PLACED else 0))
            for name, value in values.items()
        )
        for ledger, values in LEDGERS.items()
    }


def workshop() -> Flat:
    flat = Flat("dirt")
    flat.put(2, FEET, 1, "crafting_table")
    flat.put(-1, FEET, 1, "furnace", 2 << 1)
    for k, (name, count) in enumerate({"oak_log": 12, "dirt": 20, "sand": 9, "furnace": 1}.items()):
        flat.give(k, name, count)
    out_of_hand = 20  # placed and dug up by hand, iron ore would be lost by the rules
    flat.give(out_of_hand, "iron_ore", 7)
    flat.give(out_of_hand + 1, "coal", 3)  # without coal the furnace would burn wood
    flat.set(food=10)
    return flat


CALLS = st.one_of(
    st.just({}),
    st.sampled_from(PRODUCTS).map(lambda name: {"craft": name}),
    st.just({"smelt": "iron_ingot"}),
    st.sampled_from(PLACED).map(lambda name: {"place": name}),
    st.sampled_from(PLACED).map(lambda name: {"equip": name}),
)
MOVES = moves_with(CALLS)


@settings(max_examples=25, deadline=None)
@given(MOVES)
def test_items_are_conserved(moves):
    flat = workshop()
    before, laid = worth(flat), flat.worlds.chunks.copy()
    carry_out(flat, moves)
    assume(np.array_equal(flat.worlds.chunks, laid))  # else the player walked into new land
    assert worth(flat) == before
    assert (flat.worlds.slots["count"] <= 64).all()
    assert ((flat.worlds.slots["item"] == 0) == (flat.worlds.slots["count"] == 0)).all()


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(MOVES)
def test_items_are_conserved_in_many_plays(moves):
    flat = workshop()
    before = worth(flat)
    carry_out(flat, moves)
    assert worth(flat) == before


def test_the_ledger_notices_a_loss():
    flat = workshop()
    before = worth(flat)
    flat.give(1, "dirt", 19)
    assert worth(flat)["dirt"] == before["dirt"] - 1


@settings(max_examples=10, deadline=None)
@given(MOVES)
def test_the_same_actions_give_the_same_state(moves):
    first, second = workshop(), workshop()
    carry_out(first, moves)
    carry_out(second, moves)
    for a, b in zip(first.worlds.arrays().values(), second.worlds.arrays().values(), strict=True):
        assert a.tobytes() == b.tobytes()
