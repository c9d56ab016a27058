import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.game.items import items
from optimus_gym.game.tags import select, tag, tags


def test_every_tag_has_items_each_once():
    for name, members in tags().items():
        assert members, name
        assert len(set(members)) == len(members), name
        assert [member for member in members if member not in items()] == [], name


@pytest.mark.parametrize(
    ("name", "count"),
    [("planks", 8), ("logs", 32), ("logs_that_burn", 24), ("wooden_slabs", 8), ("wool", 16)],
)
def test_tags_have_the_games_sizes(name, count):
    assert len(tag(name)) == count


def test_the_tags_of_coals_and_stone_materials_have_two_members():
    assert tag("coals") == ("coal", "charcoal")
    assert tag("stone_tool_materials") == tag("stone_crafting_materials")
    assert tag("stone_tool_materials") == ("cobblestone", "blackstone")


def test_the_error_for_an_unknown_tag_suggests_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'planks'"):
        tag("plank")


def test_select_takes_names_globs_and_tags_each_once():
    names = ("coal", "stone", "oak_stairs", "stone_stairs")
    assert select(["#coals", "*_stairs", "stone_*"], names, "here") == (
        "coal",
        "oak_stairs",
        "stone_stairs",
    )


def test_select_refuses_a_pattern_without_a_match():
    with pytest.raises(BadValue, match=r"got 'stoone' \(here\)"):
        select(["stoone"], ("stone",), "here")
