"""The dialects hold what MineRL's clients send; the expected texts are from `../shared/facts/minerl.md`."""

import pytest

from optimus_gym.core.errors import UnknownName
from optimus_gym.worlds.malmo.dialects import DIALECTS, dialect_named
from optimus_gym.worlds.malmo.wire_actions import FUNCTIONS, WireAction, write_action

HOTBAR = [f"hotbar.{slot}" for slot in range(1, 10)]
MOVES = ["forward", "left", "back", "right", "jump"]
WORDS = {
    "minerl-0.4.4": [
        *(*MOVES, "sneak", "sprint", "attack", "use", "camera"),
        *("place", "equip", "craft", "craftNearby", "smeltNearby"),
    ],
    "minerl-1.0": [
        *(*MOVES, "inventory", "drop", "swapHands", "sneak", "sprint", "attack", "use"),
        *("pickItem", *HOTBAR, "ESC", "camera"),
    ],
    "minestudio": [
        *(*MOVES, "inventory", "sneak", "sprint", "attack", "use", "pickItem"),
        *(*HOTBAR, "camera", "voxels", "mobs"),
    ],
}
"""Words of the lines of a step without chat, in the client's order."""


@pytest.mark.parametrize(("name", "words"), WORDS.items())
def test_a_step_has_the_lines_of_its_client(name, words):
    lines = write_action(WireAction(), dialect_named(name)).split("\n")
    assert [line.partition(" ")[0] for line in lines] == words


def test_functions_have_other_words_on_the_wire_than_in_the_action_space():
    assert FUNCTIONS["craftNearby"] == "nearbyCraft"
    assert FUNCTIONS["smeltNearby"] == "nearbySmelt"


def test_every_dialect_is_found_by_its_name():
    assert [dialect_named(name).name for name in DIALECTS] == list(DIALECTS)
    with pytest.raises(
        UnknownName, match=r"unknown dialect 'minerl-1'; did you mean 'minerl-1\.0'"
    ):
        dialect_named("minerl-1")
