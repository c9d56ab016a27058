"""The lines of a step: written by a client, read by a game, refused where a value is none."""

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.worlds.malmo.dialects import DIALECTS, MINERL_0_4, MINERL_1_0, MINESTUDIO
from optimus_gym.worlds.malmo.framing import WireFault
from optimus_gym.worlds.malmo.wire_actions import (
    NO_BOX,
    WireAction,
    chat_line,
    read_action,
    write_action,
)
from tests.worlds.malmo.values import actions

each_dialect = pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)


@each_dialect
@settings(max_examples=40)
@given(data=st.data())
def test_an_action_comes_back(dialect, data):
    action = data.draw(actions(dialect))
    assert read_action(write_action(action, dialect)) == action


@each_dialect
@given(shuffled=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_lines_and_their_ends_mean_nothing(dialect, shuffled):
    action = WireAction(frozenset({"jump", "use"}), pitch=-3.0, yaw=1e-05)
    lines = write_action(action, dialect).split("\n")
    shuffled.shuffle(lines)
    assert read_action("\r\n".join(lines)) == action


@each_dialect
def test_what_a_dialect_lacks_is_left_out(dialect):
    action = WireAction(
        keys=frozenset({"jump", "drop", "ESC", "hotbar.3"}),
        functions=(("craft", "stick"),),
        chat="/time set day",
        voxels=(-1, 1, -1, 1, -1, 1),
    )
    kept = read_action(write_action(action, dialect))
    assert kept.keys == action.keys & set(dialect.keys)
    assert kept.functions == (action.functions if dialect.functions else ())
    assert kept.chat == (action.chat if dialect.chat else "")
    assert kept.voxels == (action.voxels if dialect.near else NO_BOX)


def test_a_step_of_minerl_0_4_4():
    lines = write_action(
        WireAction(frozenset({"forward"}), 0.0, 15.0, functions=(("equip", "planks#2"),)),
        MINERL_0_4,
    )
    assert lines == (
        "forward 1\nleft 0\nback 0\nright 0\njump 0\nsneak 0\nsprint 0\nattack 0\nuse 0\n"
        "camera 0.0 15.0\nplace none\nequip planks#2\ncraft none\ncraftNearby none\nsmeltNearby none"
    )


def test_a_step_of_minestudio():
    action = WireAction(frozenset({"hotbar.9"}), chat="/kill @e", voxels=(-2, 2, -1, 3, -2, 2))
    assert write_action(action, MINESTUDIO).split("\n")[11:] == [
        *(f"hotbar.{slot} {int(slot == 9)}" for slot in range(1, 10)),
        *("camera 0.0 0.0", "chat /kill @e", "voxels -2,2,-1,3,-2,2", "mobs 0,0,0,0,0,0"),
    ]


def test_the_last_of_equal_lines_counts():
    action = read_action("jump 1\njump 0\nuse 0\nuse 1\ncamera 1 1\ncamera 2 3\ncraft a\ncraft b")
    assert (action.keys, action.pitch, action.yaw) == (frozenset({"use"}), 2.0, 3.0)
    assert action.functions == (("craft", "b"),)
    assert read_action("craft a\ncraft none").functions == ()


def test_unknown_lines_and_empty_lines_do_nothing():
    assert read_action("\n\nfly 1\njump\t1\nCAMERA 1 2\n  jump 1\nvoxel 1") == WireAction()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("forward", "forward: expected 0 or 1, got ''"),
        ("forward 2", "forward: expected 0 or 1, got '2'"),
        ("hotbar.1 true", "hotbar.1: expected 0 or 1, got 'true'"),
        ("camera", "camera: expected two numbers of -180 to 180, got ''"),
        ("camera 1", "camera: expected two numbers"),
        ("camera 1 2 3", "camera: expected two numbers"),
        ("camera nan 0", "camera: expected two numbers of -180 to 180, got 'nan 0'"),
        ("camera 0 inf", "camera: expected two numbers"),
        ("camera 0 181", "camera: expected two numbers"),
        ("camera 0 " + "9" * 100_000, "camera: expected two numbers"),
        ("craft a b", "craft: expected the name of an item, got 'a b'"),
        ("equip planks#999", "equip: expected the name of an item"),
        ("place " + "x" * 100_000, "place: expected the name of an item"),
        ("voxels", "voxels: expected six whole numbers of -50 to 50, got ''"),
        ("voxels 1,2,3,4,5", "voxels: expected six whole numbers"),
        ("voxels 1,2,3,4,5,6,7", "voxels: expected six whole numbers"),
        ("voxels 0,0,0,0,0,51", "voxels: expected six whole numbers of -50 to 50"),
        ("voxels 0.5,0,0,0,0,0", "voxels: expected six whole numbers"),
        ("mobs 0,0,0,0,0," + "9" * 5000, "mobs: expected six whole numbers of -1000 to 1000"),
        ("mobs " + "1," * 200_000, "mobs: expected six whole numbers"),
    ],
)
def test_a_bad_value_is_a_short_fault(line, fault):
    with pytest.raises(WireFault) as caught:
        read_action(line)
    assert str(caught.value).startswith(fault)
    assert len(str(caught.value)) < 300


def test_chat_is_one_line_as_the_game_takes_it():
    assert read_action("chat /say a  b ").chat == "/say a  b "
    assert read_action("chat " + "x" * 1000).chat == "x" * 256
    assert read_action("chat a\x00b\u2028c\u00a7ld\x7f").chat == "abcld"
    assert chat_line("\n") == ""


@pytest.mark.parametrize("chat", ["a\nforward 1", "a\r", "x" * 257, "\u00a7a", "a\u2028b"])
def test_a_chat_line_cannot_add_lines(chat):
    action = WireAction(chat=chat)
    with pytest.raises(BadValue, match="chat: expected one line of at most 256 characters, got"):
        write_action(action, MINESTUDIO)
    assert "chat" not in write_action(action, MINERL_1_0)


@pytest.mark.parametrize("item", ["", "a b", "stick\nforward 1", "x" * 101])
def test_an_item_cannot_add_lines(item):
    with pytest.raises(BadValue, match="craft: expected the name of an item, got"):
        write_action(WireAction(functions=(("craft", item),)), MINERL_0_4)


def test_other_actions_than_the_wires_are_refused_when_written():
    with pytest.raises(UnknownName, match="unknown key 'forwards'; did you mean 'forward'"):
        write_action(WireAction(frozenset({"forwards"})), MINERL_1_0)
    with pytest.raises(UnknownName, match="unknown function 'nearbyCraft'"):
        write_action(WireAction(functions=(("nearbyCraft", "stick"),)), MINERL_0_4)
    with pytest.raises(BadValue, match="voxels: expected six whole numbers of -50 to 50, got"):
        write_action(WireAction(voxels=(0, 0, 0, 0, 0, 51)), MINESTUDIO)


@pytest.mark.parametrize("turn", [math.nan, math.inf, 180.1])
@pytest.mark.parametrize("axis", ["pitch", "yaw"])
def test_a_turn_beyond_the_half_circle_is_refused_when_written(axis, turn):
    with pytest.raises(BadValue, match="camera: expected turns of -180 to 180 degrees"):
        write_action(replace(WireAction(), **{axis: turn}), MINERL_1_0)
