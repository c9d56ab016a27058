"""Tries come from the recipe book, and failures name what may help."""

import pytest

from optimus_gym.core.types import Failure, SubGoal
from optimus_gym.knowledge.abilities import abilities_of
from optimus_gym.minds.at_hand import offered, remedies, sought

ABLE = abilities_of("voxel").graph


def names(subgoals):
    return {(one.verb, one.item) for one in subgoals}


def test_an_ingredient_unlocks_its_recipes_and_no_others():
    told = names(offered({"stick": 1, "oak_log": 0}, ABLE))
    assert {("craft", "wooden_pickaxe"), ("craft", "iron_sword"), ("craft", "ladder")} <= told
    assert ("craft", "oak_planks") not in told
    assert ("smelt", "iron_ingot") in names(offered({"iron_ore": 1}, ABLE))
    assert offered({}, ABLE) == ()


def test_what_the_world_cannot_make_is_not_offered():
    some = ABLE.within(["craft"], ["furnace"])
    assert ("craft", "stick") in names(offered({"oak_planks": 2}, some))
    assert ("craft", "wooden_pickaxe") not in names(offered({"oak_planks": 2}, some))


def test_things_are_sought_by_each_verb_once():
    assert names(sought("cobblestone", ABLE)) == {("mine", "cobblestone")}
    assert names(sought("beef", ABLE)) == {("kill", "beef")}
    assert sought("stone_pickaxe", ABLE) == ()


@pytest.mark.parametrize(
    ("failure", "held", "wanted"),
    [
        (Failure("missing_station", "furnace", 1), {"furnace": 1}, ("place", "furnace")),
        (Failure("missing_station", "furnace", 1), {"cobblestone": 3}, ("craft", "furnace")),
        (
            Failure("missing_tool", "stone_pickaxe", 1),
            {"stone_pickaxe": 1},
            ("equip", "stone_pickaxe"),
        ),
        (Failure("missing_item", "stick", 2), {"oak_planks": 1}, ("craft", "stick")),
        (Failure("missing_item", "cobblestone", 2), {}, ("mine", "cobblestone")),
    ],
)
def test_a_missing_thing_is_taken_out_made_or_sought(failure, held, wanted):
    first = remedies(failure, held, ABLE)[0]
    assert (first.verb, first.item) == wanted


@pytest.mark.parametrize(
    "failure",
    [
        Failure("not_found", "diamond", 1),
        Failure("stuck"),
        Failure("missing_station", "crafting_table", 1),
    ],
)
def test_other_failures_have_no_remedy(failure):
    assert remedies(failure, {}, ABLE) == ()


def test_a_remedy_is_for_one_piece():
    assert remedies(Failure("missing_item", "stick", 5), {"oak_planks": 9}, ABLE) == (
        SubGoal("craft", "stick"),
    )
