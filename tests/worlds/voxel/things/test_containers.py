"""Chests and barrels take nothing from the hand, keep their items, and give everything back."""

import numpy as np
import pytest

from optimus_gym.core.actions import USE, noop
from optimus_gym.core.types import Setup
from optimus_gym.game.blocks import block
from optimus_gym.testing.world_play import held_counts
from optimus_gym.worlds.voxel.land.cells import block_at, set_block
from optimus_gym.worlds.voxel.world import VoxelWorld
from tests.worlds.flat import FEET, Flat, stock

PLACE = (0, FEET + 1, 2)


def store(name: str = "chest", **stacks: int) -> Flat:
    flat = Flat()
    flat.put(0, FEET, 2, "stone")
    flat.put(*PLACE, name, 2)
    if stacks:
        stock(flat.worlds, *PLACE, **stacks)
    return flat


def stored(flat: Flat) -> dict[str, int]:
    return flat._sum(flat.worlds.stored[0].ravel())


def use(flat: Flat, **keys: int) -> None:
    flat.tick(use=1, **keys)
    flat.tick(4)


STORES = pytest.mark.parametrize("name", ["chest", "barrel", "trapped_chest"])


@STORES
@pytest.mark.parametrize("thing", ["dirt", "chest", "diamond_pickaxe"])
def test_use_on_a_container_leaves_the_held_item_in_the_hand(name, thing):
    flat = store(name, sand=3)
    flat.give(0, thing, 1)
    for _ in range(3):
        use(flat)
        assert (flat.held(), stored(flat)) == ({thing: 1}, {"sand": 3})
    assert flat.at(0, FEET + 1, 1) == "air"
    assert flat.at(0, FEET + 2, 2) == "air"


@STORES
def test_an_empty_hand_takes_out_stack_by_stack(name):
    flat = store(name, dirt=20, sand=3)
    use(flat)
    assert (flat.held(), stored(flat)) == ({"dirt": 20}, {"sand": 3})
    use(flat)
    assert stored(flat) == {"sand": 3}
    use(flat, hotbar=2)
    assert (flat.held(), stored(flat)) == ({"dirt": 20, "sand": 3}, {})
    assert not flat.worlds.containers["used"].any()


def test_sneaking_with_a_block_in_hand_places_it_on_the_chest():
    flat = store()
    flat.give(0, "dirt", 2)
    flat.tick(3, sneak=1)
    flat.tick(use=1, sneak=1)
    assert flat.at(0, FEET + 1, 1) == "dirt"
    assert stored(flat) == {}


def test_a_chest_under_a_block_stays_shut_but_a_barrel_does_not():
    for name, left in (("chest", {"dirt": 1}), ("barrel", {})):
        flat = store(name, dirt=1)
        flat.put(0, FEET + 2, 2, "stone")
        use(flat)
        assert stored(flat) == left


def test_a_broken_chest_gives_everything_back():
    flat = store(dirt=20, sand=3)
    flat.tick(150, attack=1)
    assert flat.at(*PLACE) == "air"
    flat.tick(30)
    both = (flat.lying(), flat.held())
    assert [sum(part.get(k, 0) for part in both) for k in ("dirt", "sand", "chest")] == [20, 3, 1]
    assert stored(flat) == {}
    assert not flat.worlds.containers["used"].any()


def test_a_chest_keeps_its_items_in_unloaded_land_and_in_a_snapshot():
    world, other, row = VoxelWorld(1), VoxelWorld(1), np.zeros(1, np.int64)
    world.reset(0, Setup(seed=3, position=(0.5, 100.0, 0.5), inventory={}))
    world.tick(row, noop()[None])
    set_block(world.worlds, 0, 0, 99, 0, block("stone").id)
    set_block(world.worlds, 0, 0, 101, 2, block("chest").id)
    press = noop()
    press[USE] = 1
    player = world.worlds.players[0]

    def use_here(place):
        player = place.worlds.players[0]
        player["x"], player["y"], player["z"], player["fall"] = 0.5, 100.0, 0.5, 0.0
        player["use_wait"] = 0
        place.tick(row, press[None])

    stock(world.worlds, 0, 101, 2, dirt=5)
    player["x"] = 700.5
    for _ in range(3):
        world.tick(row, noop()[None])
    assert block_at(world.worlds, 0, 0, 101, 2) == block("chest").id
    other.restore(0, world.snapshot(0))
    for place in (world, other):
        use_here(place)
        assert held_counts(place) == {"dirt": 5}
