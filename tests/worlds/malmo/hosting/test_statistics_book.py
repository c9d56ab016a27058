"""Statistics are counted from events, keys and the way of a tick."""

import pytest

from optimus_gym.core.types import Event
from optimus_gym.worlds.malmo.hosting.statistics_book import StatisticsBook, TickFacts
from optimus_gym.worlds.malmo.reports import STATISTICS

TIMES = {"play_one_minute": 1, "time_since_rest": 1, "time_since_death": 1}


def noted(*events, ticks=1, **facts):
    """Return the groups with counts after some equal ticks, without the times that pass in each."""
    book = StatisticsBook()
    told = {"keys": frozenset(), "tool": "", "dropped": "", "way": (0.0, 0.0, 0.0), "alive": True}
    for _ in range(ticks):
        book.note(events, TickFacts(**{**told, **facts}))
    counts = book.counts()
    assert set(counts) <= set(STATISTICS)
    custom = {name: n for name, n in counts["custom"].items() if name not in TIMES}
    return {name: group for name, group in {**counts, "custom": custom}.items() if group}


@pytest.mark.parametrize(
    ("kind", "group"),
    [
        ("picked_up", "pickup"),
        ("mined", "mine_block"),
        ("crafted", "craft_item"),
        ("smelted", "craft_item"),
        ("used", "use_item"),
        ("broken", "break_item"),
    ],
)
def test_events_count_in_their_groups(kind, group):
    assert noted(Event(kind, "stone", 3)) == {group: {"stone": 3}}
    assert noted(Event("eaten", "apple", 1)) == {}


def test_a_tool_is_used_by_mining_and_striking():
    mined, dealt = Event("mined", "stone", 1), Event("dealt", "cow", 4)
    assert noted(mined, tool="stone_pickaxe")["use_item"] == {"stone_pickaxe": 1}
    assert "use_item" not in noted(mined, tool="stick")
    attack = frozenset({"attack"})
    assert noted(dealt, tool="iron_sword", keys=attack)["use_item"] == {"iron_sword": 1}
    assert "use_item" not in noted(dealt, tool="iron_sword")


def test_fights_count_kills_damage_and_deaths():
    made = noted(Event("dealt", "cow", 4), Event("killed", "cow", 1), Event("hurt", "fall", 3))
    assert made["kill_entity"] == {"cow": 1}
    assert made["damage_dealt"] == {"damage_dealt": 40}
    assert made["custom"] == {"damage_dealt": 40, "mob_kills": 1, "damage_taken": 30}
    died = noted(Event("died", "zombie", 1), alive=False)
    assert died == {"entity_killed_by": {"zombie": 1}, "custom": {"deaths": 1}}
    assert "entity_killed_by" not in noted(Event("died", "fall", 1), alive=False)


def test_a_dropped_piece_counts():
    assert noted(dropped="dirt") == {"drop": {"dirt": 1}, "custom": {"drop": 1}}


def test_ways_count_by_the_keys():
    way = (0.03, 0.0, 0.045)  # 5.4 hundredths a tick
    assert noted(way=way, ticks=10)["custom"] == {"walk_one_cm": 54}
    assert noted(way=way, keys=frozenset({"sprint"}))["custom"] == {"sprint_one_cm": 5}
    crouched = noted(way=way, keys=frozenset({"sneak", "sprint"}))["custom"]
    assert crouched == {"crouch_one_cm": 5, "sneak_time": 1}
    assert noted(way=(0.0, -0.5, 0.0))["custom"] == {"fall_one_cm": 50}
    assert noted(way=(0.0, 0.42, 0.0), keys=frozenset({"jump"}))["custom"] == {"jump": 1}
    assert noted(way=(0.0, 0.42, 0.0)) == {}
    assert noted(way=(600.0, 0.0, 0.0)) == {}


def test_a_death_restarts_the_time_since_death():
    book = StatisticsBook()
    still = TickFacts(frozenset(), "", "", (0.0, 0.0, 0.0), True)
    for _ in range(3):
        book.note((), still)
    assert book.counts()["custom"] == {name: 3 for name in TIMES}
    book.note((Event("died", "fall", 1),), TickFacts(frozenset(), "", "", (0.0, 0.0, 0.0), False))
    assert book.counts()["custom"]["time_since_death"] == 0
