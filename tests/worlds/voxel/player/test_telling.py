"""Names, toasts, advancements and chat lines come and go as the game's rules say."""

import numpy as np
import pytest

from optimus_gym.game.advancements import ADVANCEMENT_FRAMES, advancements
from optimus_gym.game.creatures import creature_kinds
from optimus_gym.game.items import item
from optimus_gym.game.unlocks import unlocks
from optimus_gym.worlds.voxel.art.font import text_mask
from optimus_gym.worlds.voxel.player.chatting import add_chat_line, chat_lines
from optimus_gym.worlds.voxel.player.telling import announcement, tell_rows
from optimus_gym.worlds.voxel.state.message_row import (
    ADVANCED_TOAST,
    CHAT_LINES,
    NO_TOAST,
    RECIPES_TOAST,
    SHOWN_TOASTS,
)
from optimus_gym.worlds.voxel.state.worlds import KILLED, USED, make_worlds

ROW = np.zeros(1, np.int64)
SLID, STAYS = 12, 100
NUMBERS = {made.title: number for number, made in enumerate(advancements())}


@pytest.fixture
def worlds():
    made = make_worlds(2, 0)
    made.rules["messages"][0] = 1
    return made


def pass_ticks(worlds, ticks=1):
    for _ in range(ticks):
        worlds.players["tick"] += 1
        tell_rows(worlds, np.arange(2))


def hold(worlds, name, slot=0):
    worlds.slots[:, slot] = (item(name).id, 1, 0)


def toasts(worlds):
    return [code for code in worlds.messages["toast"][0].tolist() if code != NO_TOAST]


def chat(worlds):
    row = worlds.messages[0]
    return [bytes(line[line != 0]).decode() for line in row["chat"][: row["chat_count"]]]


def code_of(title):
    return ADVANCED_TOAST + NUMBERS[title]


def test_the_name_of_a_newly_held_item_shows_for_forty_ticks(worlds):
    hold(worlds, "stick")
    hold(worlds, "stick", 1)
    hold(worlds, "coal", 2)
    left = []
    for _ in range(42):
        pass_ticks(worlds)
        left.append(int(worlds.messages["name_left"][0]))
    assert left == [*range(40, 0, -1), 0, 0]
    worlds.players["hotbar"] = 1
    pass_ticks(worlds)
    assert worlds.messages["name_left"][0] == 0, "the same item in another slot"
    worlds.players["hotbar"] = 2
    pass_ticks(worlds, 3)
    assert worlds.messages["name_left"][0] == 38
    assert worlds.messages["named"][0] == item("coal").id
    worlds.players["hotbar"] = 5
    pass_ticks(worlds)
    assert worlds.messages["name_left"][0] == 0, "no name of an empty hand"


def test_a_first_item_unlocks_its_recipes_in_one_toast_and_no_second_time(worlds):
    hold(worlds, "oak_log", 3)
    pass_ticks(worlds)
    assert toasts(worlds) == [RECIPES_TOAST]
    row = worlds.messages[0]
    shown = row["recipes"][: row["recipe_count"]].tolist()
    assert shown == [n for n, one in enumerate(unlocks()) if "oak_log" in one.needs]
    assert {"oak_planks", "charcoal"} <= {unlocks()[number].product for number in shown}
    pass_ticks(worlds, SLID + STAYS + SLID + 1)
    assert toasts(worlds) == []
    assert row["recipe_count"] == 0
    hold(worlds, "oak_log", 4)
    hold(worlds, "birch_log", 5)
    pass_ticks(worlds)
    products = [unlocks()[n].product for n in row["recipes"][: row["recipe_count"]]]
    assert products == ["birch_planks", "birch_wood"], "known recipes are told once"


def test_a_toast_slides_in_stays_five_seconds_and_slides_out(worlds):
    hold(worlds, "diamond")
    worlds.messages["held"][0, item("diamond").id] = 0
    pass_ticks(worlds)
    begun = int(worlds.players["tick"][0])
    pass_ticks(worlds, SLID + STAYS - 1)
    assert not worlds.messages["toast_hides"][0].any()
    assert (worlds.messages["toast_moved"][0][:2] == begun).all()
    assert (worlds.messages["toast_whole"][0][:2] == begun + SLID).all()
    pass_ticks(worlds)
    assert worlds.messages["toast_hides"][0][:2].all()
    assert (worlds.messages["toast_moved"][0][:2] == begun + SLID + STAYS).all()
    pass_ticks(worlds, SLID)
    assert toasts(worlds) == [RECIPES_TOAST, code_of("Diamonds!")]
    pass_ticks(worlds)
    assert toasts(worlds) == []


def test_a_new_recipe_keeps_the_toast_for_another_five_seconds(worlds):
    hold(worlds, "oak_log")
    pass_ticks(worlds, SLID + 61)
    hold(worlds, "stick", 1)
    pass_ticks(worlds)
    assert toasts(worlds) == [RECIPES_TOAST]
    pass_ticks(worlds, STAYS - 1)
    assert not worlds.messages["toast_hides"][0].any()
    pass_ticks(worlds)
    assert worlds.messages["toast_hides"][0, 0]
    pass_ticks(worlds, SLID + 1)
    hold(worlds, "sand", 2)
    pass_ticks(worlds, 1 + SLID + STAYS)
    assert worlds.messages["toast_hides"][0, 0], "the next toast stays for five seconds again"


def test_a_recipe_brings_a_leaving_toast_back_from_where_it_is(worlds):
    hold(worlds, "oak_log")
    pass_ticks(worlds, 1 + SLID + STAYS + 6)
    assert worlds.messages["toast_hides"][0, 0]
    hold(worlds, "stick", 1)
    pass_ticks(worlds)
    assert not worlds.messages["toast_hides"][0, 0]
    now, moved = worlds.players["tick"][0], worlds.messages["toast_moved"][0, 0]
    assert 0 < now - moved < SLID, "part of the toast still shows"
    pass_ticks(worlds, STAYS - 2)
    assert toasts(worlds) == [RECIPES_TOAST]


def test_an_advancement_is_made_once_with_a_toast_and_a_chat_line(worlds):
    hold(worlds, "cobblestone")
    pass_ticks(worlds)
    hold(worlds, "blackstone", 1)
    pass_ticks(worlds)
    assert toasts(worlds) == [RECIPES_TOAST, code_of("Stone Age")]
    assert chat(worlds) == ["Player has made the advancement \x02[Stone Age]\x01"]


@pytest.mark.parametrize(
    ("kind", "subject", "title"),
    [
        (KILLED, list(creature_kinds()).index("zombie"), "Monster Hunter"),
        (KILLED, list(creature_kinds()).index("cow"), None),
        (USED, item("wheat_seeds").id, "A Seedy Place"),
        (USED, item("dirt").id, None),
    ],
)
def test_kills_and_uses_make_advancements(worlds, kind, subject, title):
    worlds.events[0, 0] = (kind, subject, 1)
    pass_ticks(worlds)
    assert toasts(worlds) == [], "an event of an earlier tick"
    worlds.players["events"][0] = 1
    pass_ticks(worlds)
    assert toasts(worlds) == ([code_of(title)] if title else [])


def test_sleep_makes_an_advancement(worlds):
    worlds.sleeps["ticks"][0] = 3
    pass_ticks(worlds, 2)
    assert toasts(worlds) == [code_of("Sweet Dreams")]


def test_at_most_five_toasts_show_and_the_others_wait(worlds):
    made = [one for one in advancements() if one.held][: SHOWN_TOASTS + 2]
    for slot, one in enumerate(made):
        hold(worlds, one.held[0], slot)
    pass_ticks(worlds)
    first = toasts(worlds)
    assert len(first) == SHOWN_TOASTS
    assert worlds.messages["queued"][0] == 3
    pass_ticks(worlds, SLID + STAYS + SLID + 1)
    assert len(toasts(worlds)) == 3
    assert set(first + toasts(worlds)) == {
        RECIPES_TOAST,
        *(code_of(one.title) for one in made),
    }
    assert not worlds.messages["queue"][0].any()


def test_a_world_without_the_rule_notes_nothing(worlds):
    hold(worlds, "cobblestone")
    pass_ticks(worlds, 3)
    assert worlds.messages[0] != worlds.messages[1]
    assert worlds.messages[1].tobytes() == bytes(worlds.messages.dtype.itemsize)


def test_a_chat_line_breaks_where_a_frame_of_the_client_shows_it():
    """The frame is of Minecraft 1.16.5 at GUI scale 1; its player has the name MineRLAgent0."""
    text = "MineRLAgent0 has made the advancement \x02[Cover Me With Diamonds]\x01"
    assert chat_lines(text) == [
        b"MineRLAgent0 has made the advancement \x02[Cover Me With",
        b"\x02 Diamonds]\x01",
    ]


def test_words_that_are_too_long_and_other_letters_break_nothing(worlds):
    assert [len(line) for line in chat_lines("m" * 100)] == [53, 47 + 2]
    assert b"".join(chat_lines("i" * 300)).count(b"i") == 300
    assert all(len(line) <= 100 for line in chat_lines("i" * 300))
    assert chat_lines("Grüße") == [b"Gr??e"]
    add_chat_line(worlds, 0, "i" * 3000)
    assert worlds.messages["chat_count"][0] == CHAT_LINES


def test_the_newest_chat_line_comes_first_and_ten_are_kept(worlds):
    for k in range(12):
        worlds.players["tick"][0] = k
        add_chat_line(worlds, 0, f"line {k}")
    assert chat(worlds) == [f"line {k}" for k in range(11, 1, -1)]
    assert worlds.messages["chat_at"][0].tolist() == [*range(11, 1, -1)]


def test_each_frame_has_its_words():
    told = {one.frame: announcement(one) for one in advancements()}
    assert set(told) == set(ADVANCEMENT_FRAMES)
    assert told["goal"] == "Player has reached the goal \x02[Sky's the Limit]\x01"
    assert told["challenge"] == "Player has completed the challenge \x03[Serious Dedication]\x01"


def test_the_titles_fit_into_one_line_of_a_toast():
    """The game breaks titles wider than 125 pixels, and shows such toasts in another way."""
    assert all(text_mask(one.title).shape[1] <= 125 for one in advancements())
