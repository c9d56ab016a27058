"""Lines of backward reasoning are read in the forms that models write."""

import pytest

from optimus_gym.backbones.parse.need_lines import MOST_NEED_LINES, MOST_NEEDS, needs_in

WANTED = {"stone_sword": ("cobblestone", "stick"), "stick": ("planks",)}


@pytest.mark.parametrize(
    "text",
    [
        "stone_sword: cobblestone, stick\nstick: planks",
        "1. Stone Sword: 2 cobblestone, 1 stick\n2. Stick: 2 planks (any wood)",
        "- **stone sword**: cobblestone, sticks\n- **stick**: oak planks, unobtainium",
        "stone_sword needs cobblestone, stick\nstick needs planks",
        "<think>diamond: stick</think>\nstone_sword: cobblestone, stick\nstick: planks",
        "stone_sword: cobblestone, stick, stone_sword\nstick: planks\nstick: log",
    ],
)
def test_the_needs_of_each_item_are_read(text):
    read = needs_in(text)
    assert read.keys() == WANTED.keys()
    assert read["stone_sword"] == WANTED["stone_sword"]
    assert read["stick"] in (("planks",), ("oak_planks",))


@pytest.mark.parametrize("text", ["", "nothing", "I do not know.", "warp drive: antimatter", "{"])
def test_other_texts_name_no_needs(text):
    assert all(not needs for needs in needs_in(text).values())


def test_a_long_answer_is_cut():
    many = ", ".join(["stick", "coal"] * 50)
    assert len(needs_in(f"torch: {many}")["torch"]) <= MOST_NEEDS
    assert len(needs_in("\n".join(f"torch: stick {n}" for n in range(999)))) <= MOST_NEED_LINES
