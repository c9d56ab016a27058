"""Selectors choose by kind, distance, order and number; positions follow the game's three forms."""

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.game.items import item
from optimus_gym.worlds.voxel.commands.command_words import CommandWords
from optimus_gym.worlds.voxel.commands.coordinates import Standpoint, take_coordinates
from optimus_gym.worlds.voxel.tables.game_screens import INVENTORY_SCREEN, NO_SCREEN

HERE = Standpoint(10.5, 64.25, -3.5, yaw=0.0, pitch=0.0)


def point(text, here=HERE):
    return take_coordinates(CommandWords(text)).point(here)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 2 3", (1.5, 2, 3.5)),  # whole x and z mean the middle of the block
        ("1.0 2 3.25", (1, 2, 3.25)),
        ("~ ~ ~", (10.5, 64.25, -3.5)),
        ("~1 ~-2.5 7", (11.5, 61.75, 7.5)),
        ("^ ^ ^2", (10.5, 64.25, -1.5)),  # yaw 0 looks south
        ("^2 ^1 ^", (12.5, 65.25, -3.5)),  # left of south is east
    ],
)
def test_positions_are_absolute_relative_or_local(text, wanted):
    assert point(text) == pytest.approx(wanted, abs=1e-4)


def test_local_positions_follow_yaw_pitch_and_anchor():
    west_down = Standpoint(0, 64, 0, yaw=90.0, pitch=90.0)
    assert point("^ ^ ^3", west_down) == pytest.approx((0, 61, 0), abs=1e-3)
    assert point("^ ^2 ^", west_down) == pytest.approx((-2, 64, 0), abs=1e-3)
    eyes = Standpoint(0, 64, 0, yaw=90.0, pitch=0.0, eyes=True)
    assert point("^ ^ ^3", eyes) == pytest.approx((-3, 65.62, 0), abs=1e-3)


def test_a_cell_of_a_block_is_whole():
    assert take_coordinates(CommandWords("~ ~-1 ~")).cell(HERE) == (10, 63, -4)
    with pytest.raises(BadValue, match="block position: expected an integer, ~ or"):
        take_coordinates(CommandWords("1.5 2 3")).cell(HERE)


@pytest.fixture
def herd(game):
    """Return a game with cows 2, 4 and 6 blocks away, and a sheep 3 blocks away."""
    game.say("/kill @e[type=!player]", "/kill @e[type=item]")
    for kind, far in (("cow", 4), ("cow", 2), ("sheep", 3), ("cow", 6)):
        game.say(f"/summon {kind} ~{far} ~ ~")
    return game


def ways(game):
    x = game.feet[0]
    return sorted((kind, round(place[0] - x)) for kind, place in game.creatures)


@pytest.mark.parametrize(
    ("selector", "left"),
    [
        ("@e[type=cow,distance=..4.5]", [("cow", 6), ("sheep", 3)]),
        ("@e[type=cow,distance=4..]", [("cow", 2), ("sheep", 3)]),
        ("@e[type=!cow,distance=1..5]", [("cow", 2), ("cow", 4), ("cow", 6)]),
        ("@e[type=cow,sort=nearest,limit=1]", [("cow", 4), ("cow", 6), ("sheep", 3)]),
        ("@e[type=cow,sort=furthest,limit=2]", [("cow", 2), ("sheep", 3)]),
        ("@e[type=minecraft:cow,limit=1]", [("cow", 2), ("cow", 6), ("sheep", 3)]),
    ],
)
def test_selectors_choose_by_kind_distance_order_and_number(herd, selector, left):
    herd.say(f"/kill {selector}")
    assert ways(herd) == left


def test_a_random_choice_depends_on_the_worlds_generator_alone(herd):
    saved, chosen = herd.world.snapshot(0), set()
    for _ in range(2):
        herd.world.restore(0, saved)
        herd.say("/kill @e[type=cow,sort=random,limit=1]")
        chosen.add(tuple(ways(herd)))
    assert len(chosen) == 1
    for state in range(8):
        herd.world.restore(0, saved)
        herd.table("players")["random"] = state
        herd.say("/kill @e[type=cow,sort=random,limit=1]")
        chosen.add(tuple(ways(herd)))
    assert len(chosen) == 3


def test_distances_count_from_the_place_of_execute(herd):
    herd.say("/execute positioned ~6 ~ ~ run kill @e[type=cow,distance=..1]")
    assert ways(herd) == [("cow", 2), ("cow", 4), ("sheep", 3)]


def test_killing_a_player_closes_its_screen_and_drops_what_lies_in_it(game):
    game.begin(screens=True)
    game.table("screens")["kind"] = INVENTORY_SCREEN
    game.table("laid")[0] = (item("diamond").id, 2, 0)
    game.say("/kill")
    assert game.table("screens")["kind"] == NO_SCREEN
    assert not game.table("laid")["count"].any()
    assert item("diamond").id in game.table("drops")["item"].tolist()
