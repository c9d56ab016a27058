"""Drops are expected where they must lie, until the player holds them."""

import numpy as np
import pytest

from optimus_gym.controllers.wire_sighted.expected_drops import (
    age_drops,
    expect_drops,
    expect_loot,
    take_drops,
)
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from tests.worlds.flat import FEET, Flat


@pytest.fixture
def worlds():
    made = Flat().worlds
    made.drops[0] = np.zeros((), made.drops.dtype)
    return made


def lying(worlds):
    drops = worlds.drops[0]
    return [
        (int(one["item"]), int(one["count"]), float(one["x"]), float(one["y"]), float(one["z"]))
        for one in drops[drops["item"] > 0]
    ]


def test_a_drop_falls_to_the_ground_below_its_block(worlds):
    expect_drops(worlds, 0, (3, FEET + 5, -2), "oak_log", None)
    age_drops(worlds, 0)
    assert lying(worlds) == [(item("oak_log").id, 1, 3.5, FEET, -1.5)]


def test_blocks_drop_by_the_tool_in_hand(worlds):
    expect_drops(worlds, 0, (3, FEET, 0), "stone", "oak_log")
    assert lying(worlds) == []
    expect_drops(worlds, 0, (3, FEET, 0), "stone", "wooden_pickaxe")
    assert [one[0] for one in lying(worlds)] == [item("cobblestone").id]


def test_pieces_that_the_player_gains_are_taken_from_the_nearest_drop(worlds):
    for x in (9, 2):
        expect_drops(worlds, 0, (x, FEET, 0), "oak_log", None)
    log, dirt = item("oak_log").id, item("dirt").id
    take_drops(worlds, 0, {dirt: 1})
    assert len(lying(worlds)) == 2
    take_drops(worlds, 0, {log: 1})
    assert [one[2] for one in lying(worlds)] == [9.5]
    take_drops(worlds, 0, {log: 5})
    assert lying(worlds) == []


def test_old_drops_are_no_longer_expected(worlds):
    expect_drops(worlds, 0, (3, FEET, 0), "oak_log", None)
    worlds.drops["age"][0] = 5000
    age_drops(worlds, 0)
    assert lying(worlds) == []


def test_a_killed_creature_leaves_its_loot_where_it_stood(worlds):
    kind = tuple(creature_kinds()).index("cow")
    for k, x in enumerate((20.5, 4.5)):
        cow = worlds.creatures[0, k : k + 1]
        cow["kind"], cow["x"], cow["y"], cow["z"], cow["health"] = kind, x, FEET, 0.5, 10.0
    worlds.fauna["creatures"][0] = 2
    expect_loot(worlds, 0, "cow")
    assert worlds.creatures["health"][0, :2].tolist() == [10.0, 0.0]
    assert {one[2] for one in lying(worlds)} == {4.5}
    assert item("beef").id in [one[0] for one in lying(worlds)]
    expect_loot(worlds, 0, "pig")
    assert {one[2] for one in lying(worlds)} == {4.5}
