"""Ways to get items survive being written as lines of a prompt."""

import pytest

from optimus_gym.prompts.way_lines import told_ways, ways_in

SMELT = {
    "verb": "smelt",
    "item": "iron_ingot",
    "count": 1,
    "uses": {"iron_ore": 1},
    "station": "furnace",
    "tool": None,
    "fuel": ("planks", 1.5),
    "holds": (),
    "creature": None,
}
OBSIDIAN = {
    **SMELT,
    "verb": "mine",
    "item": "obsidian",
    "uses": {},
    "station": None,
    "tool": "diamond_pickaxe",
    "fuel": None,
    "holds": ("water_bucket", "torch"),
}
BEEF = {**OBSIDIAN, "verb": "kill", "item": "beef", "tool": None, "holds": (), "creature": "cow"}


def test_the_lines_of_some_ways():
    assert told_ways([SMELT, OBSIDIAN, BEEF]).splitlines() == [
        "- smelt 1 iron_ingot: uses 1 iron_ore; at furnace; burns 1 planks for 1.5",
        "- mine 1 obsidian: with diamond_pickaxe or better; holding water_bucket, torch",
        "- kill 1 beef: from cow",
    ]


DIAMOND = {**OBSIDIAN, "item": "diamond", "holds": (), "place": "y 0 to 15, forest or plains"}


@pytest.mark.parametrize("rows", [(), (BEEF,), (SMELT, OBSIDIAN, BEEF), (DIAMOND,)])
def test_written_ways_are_read_back(rows):
    assert ways_in(told_ways(rows)) == rows


def test_a_line_that_is_no_way_is_refused():
    with pytest.raises(ValueError, match="expected a line of ways, got 'craft planks'"):
        ways_in("craft planks")
