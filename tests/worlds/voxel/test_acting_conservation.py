"""Items are conserved by a body that uses containers, ovens, doors, beds, buckets and hoes at random."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.game.blocks import block
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.snapshot import read, take, write
from optimus_gym.worlds.voxel.state.worlds import make_worlds
from tests.worlds.flat import FEET, Flat, stock
from tests.worlds.voxel.pen import KINDS, Pen, number_of
from tests.worlds.voxel.random_play import (
    HOME,
    carry_out,
    go_home,
    held_on,
    moves_with,
    random_keys,
)

ITEMS = {
    "dirt": ("dirt",), "sand": ("sand",), "chest": ("chest",), "barrel": ("barrel",),
    "door": ("oak_door",), "bed": ("red_bed",), "gate": ("oak_fence_gate",),
    "bucket": ("bucket", "water_bucket", "lava_bucket", "milk_bucket"), "clay": ("clay_ball", "brick"),
    "beef": ("beef", "cooked_beef"), "mail": ("chainmail_boots", "iron_nugget"),
}  # fmt: skip
"""Ledgers of items that turn into one another; every placed item can be recovered without a tool."""
PLACED = {
    "dirt": "dirt",
    "sand": "sand",
    "chest": "chest",
    "barrel": "barrel",
    "gate": "oak_fence_gate",
}
HALVED = {"door": "oak_door", "bed": "red_bed"}
HELD = (
    "dirt",
    "sand",
    "chest",
    "barrel",
    "oak_door",
    "red_bed",
    "stone_hoe",
    "bucket",
    "oak_fence_gate",
)


def ledger(flat: Flat) -> dict[str, int]:
    """Return the items of each ledger: held, lying, cooking, stored, falling and placed."""
    stored = flat._sum(flat.worlds.stored[0].ravel())
    parts = (flat.held(), flat.lying(), flat.cooking(), stored)
    voxels = flat.worlds.voxels[0].ravel()
    blocks = np.bincount(voxels & 1023, minlength=1024)
    blocks += np.bincount(flat.worlds.falling["voxel"][0] & 1023, minlength=1024)
    firsts = np.bincount(voxels[(voxels >> 10 & 1) == 0] & 1023, minlength=1024)
    blocks[block("dirt").id] += blocks[block("farmland").id]
    total = {
        name: sum(part.get(item, 0) for part in parts for item in items)
        for name, items in ITEMS.items()
    }
    for name, placed in PLACED.items():
        total[name] += int(blocks[block(placed).id])
    for name, placed in HALVED.items():
        total[name] += int(firsts[block(placed).id])
    return total


def workshop(flat: Flat | None = None) -> Flat:
    """Return a world with everything that acts around the player, on soft ground, by night."""
    flat = flat or Flat("dirt")
    flat.put(2, FEET, 1, "stonecutter")
    for x, oven in ((-2, "furnace"), (-1, "blast_furnace"), (1, "smoker")):
        flat.put(x, FEET, 2, oven, 2 << 1)
    flat.put(3, FEET - 1, 0, "water")
    for x, name in ((-2, "chest"), (2, "barrel")):
        flat.put(x, FEET, -2, name)
        stock(flat.worlds, x, FEET, -2, dirt=30, clay_ball=9, sand=3)
    held = {"dirt": 9, "sand": 5, "chest": 2, "oak_door": 2, "red_bed": 1, "stone_hoe": 1}
    pockets = {"bucket": 2, "barrel": 2, "oak_fence_gate": 2, "coal": 9, "clay_ball": 5, "beef": 4}
    for k, (name, count) in enumerate(
        {**held, **pockets, "stone": 5, "chainmail_boots": 1}.items()
    ):
        flat.give(k if k < 8 else k + 10, name, count)
    flat.worlds.skies["time"] = 13_000
    return flat


CALLS = st.one_of(
    st.just({}),
    st.sampled_from(("brick", "iron_nugget", "cooked_beef")).map(lambda name: {"smelt": name}),
    st.just({"craft": "stone_bricks"}),
    st.sampled_from(HELD).map(lambda name: {"place": name}),
    st.sampled_from(HELD).map(lambda name: {"equip": name}),
)
MOVES = moves_with(CALLS)


@settings(max_examples=40, deadline=None)
@given(MOVES)
def test_items_are_conserved(moves):
    flat = workshop()
    before = ledger(flat)
    carry_out(flat, moves)
    assert ledger(flat) == before
    for stacks in (flat.worlds.slots, flat.worlds.stored):
        assert ((stacks["item"] == 0) == (stacks["count"] == 0)).all()
        assert (stacks["count"] <= 64).all()


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(MOVES)
def test_items_are_conserved_in_many_plays(moves):
    flat = workshop()
    before = ledger(flat)
    carry_out(flat, moves)
    assert ledger(flat) == before


LEFT_ALONE = ("dirt", "sand", "chest", "barrel", "door", "bed", "gate", "bucket", "clay")
"""Ledgers of items that creatures neither drop nor wear out."""
NEIGHBOURS = tuple(kind for kind in KINDS if kind != "creeper")
"""Creepers destroy most blocks that they blow up."""
CHORES = (
    *({} for _ in HELD),
    *({"place": name} for name in HELD),
    *({"equip": name} for name in HELD),
    {"smelt": "brick"},
)


def visit(flat: Pen, rng: np.random.Generator) -> None:
    """Add neighbours other than creepers while there are few, and clear their loot away."""
    if len(flat.creatures) < 8:
        x, z = rng.integers(-HOME, HOME + 1, 2)
        flat.add(NEIGHBOURS[rng.integers(len(NEIGHBOURS))], x + 0.5, z + 0.5, FEET + 3)
    creatures = flat.creatures
    creatures["kind"][creatures["kind"] == number_of("creeper")] = number_of("zombie")
    drops = flat.worlds.drops[0]
    drops["age"] %= 100
    kept = [item(name).id for ledger_name in LEFT_ALONE for name in ITEMS[ledger_name]]
    tools = [item(name).id for name in ("stone_hoe", "coal", "stone")]
    drops["item"][~np.isin(drops["item"], kept + tools)] = 0


def live(rng: np.random.Generator, segments: int) -> int:
    """Live among creatures, blocks that act and containers; return the deaths. Raise at a loss."""
    flat, deaths = workshop(Pen("dirt", "hard")), 0
    flat.worlds.rules["survival"] = 1
    before = {name: ledger(flat)[name] for name in LEFT_ALONE}
    for _ in range(segments):
        visit(flat, rng)
        keys = random_keys(rng)
        flat.tick(1, **keys, **CHORES[rng.integers(len(CHORES))])
        flat.tick(19, **held_on(keys))
        deaths += not flat.alive
        go_home(flat)
    assert {name: ledger(flat)[name] for name in LEFT_ALONE} == before
    return deaths


def test_play_among_creatures_neither_loses_nor_creates_items():
    assert live(np.random.default_rng(3), 500) >= 1


@pytest.mark.slow
def test_a_million_ticks_among_creatures_neither_lose_nor_create_items():
    rng = np.random.default_rng(4)
    assert sum(live(rng, 500) for _ in range(100)) >= 100


@settings(max_examples=10, deadline=None)
@given(MOVES)
def test_the_same_moves_give_the_same_state_and_a_snapshot_keeps_the_state(moves):
    first, second = workshop(), workshop()
    carry_out(first, moves)
    carry_out(second, moves)
    assert take(first.worlds, 0) == take(second.worlds, 0)
    other = make_worlds(1, 64)
    write(other, 0, read(take(first.worlds, 0)))
    for name in ("containers", "stored", "sleeps", "spawns", "furnaces"):
        assert getattr(other, name).tobytes() == getattr(first.worlds, name).tobytes()


def test_the_ledger_notices_a_loss():
    flat = workshop()
    before = ledger(flat)
    flat.give(2, "chest", 1)
    assert ledger(flat)["chest"] == before["chest"] - 1
