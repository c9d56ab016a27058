"""The sub-goal reward pays for new pieces and first acts, and cannot be farmed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.core.types import SubGoal
from optimus_gym.envs.rewards.subgoals import SubGoalReward
from tests.envs.rewards.changes import Row, attached

LOGS = SubGoal("mine", "oak_log", 2, ("oak_log", "birch_log"))


@pytest.fixture
def row():
    made = Row()
    made.begin(LOGS)
    return made


def test_progress_pays_its_growth_and_the_completion_pays_once(row):
    reward = attached(SubGoalReward())
    assert reward.pay(row.change()) == 0
    assert reward.pay(row.change(0.5, oak_log=1)) == 0.5
    assert reward.pay(row.change(0.0, oak_log=-1)) == 0
    assert reward.pay(row.change(0.5, oak_log=1)) == 0
    assert reward.pay(row.change(1.0, birch_log=1)) == 1.5  # 0.5 of progress, and the completion
    assert reward.pay(row.change(1.0)) == 0


def test_a_whole_subgoal_pays_two(row):
    reward = attached(SubGoalReward())
    assert reward.pay(row.change(1.0, oak_log=2)) == 2


def test_options_set_what_is_paid(row):
    assert attached(SubGoalReward(0.0, 5.0)).pay(row.change(1.0, oak_log=2)) == 5
    assert attached(SubGoalReward(2.0, 0.0)).pay(row.change(1.0, oak_log=2)) == 2


def test_pieces_thrown_away_before_the_subgoal_pay_nothing():
    reward, row = attached(SubGoalReward()), Row(oak_log=2)
    assert reward.pay(row.change(oak_log=-2)) == 0
    row.begin(LOGS)
    assert reward.pay(row.change(1.0, oak_log=2)) == 0
    row.begin(LOGS)
    assert reward.pay(row.change(1.0, oak_log=2)) == 2


@pytest.mark.parametrize(
    ("event", "used"),
    [
        (("crafted", "oak_planks", 4), "oak_log"),
        (("smelted", "charcoal"), "oak_log"),
        (("eaten", "apple"), "apple"),
        (("broken", "stone_pickaxe"), "stone_pickaxe"),
    ],
)
def test_a_piece_used_up_may_be_gained_again(event, used):
    reward, row = attached(SubGoalReward()), Row(**{used: 2})
    reward.pay(row.change(events=[event], **{used: -1}))
    row.begin(SubGoal("mine", used))
    assert reward.pay(row.change(1.0, **{used: 1})) == 2


def test_a_piece_in_a_furnace_counts_as_given_away_until_it_is_smelted():
    reward, row = attached(SubGoalReward()), Row(iron_ore=2)
    reward.pay(row.change(iron_ore=-2))
    reward.pay(row.change(events=[("smelted", "iron_ingot")], iron_ingot=1))
    for expected in (0, 2):
        row.begin(SubGoal("mine", "iron_ore"))
        assert reward.pay(row.change(1.0, iron_ore=1)) == expected


def test_what_is_dropped_in_the_tick_of_crafting_pays_nothing():
    reward, row = attached(SubGoalReward()), Row(oak_planks=9, iron_pickaxe=1)
    crafted = [("crafted", "stick", 4)]
    reward.pay(row.change(events=crafted, oak_planks=-5, iron_pickaxe=-1, stick=4))
    row.begin(SubGoal("craft", "iron_pickaxe"))
    assert reward.pay(row.change(1.0, iron_pickaxe=1)) == 0
    row.begin(SubGoal("mine", "oak_planks", 5))
    assert reward.pay(row.change(1.0, oak_planks=5)) == pytest.approx(2 * 2 / 5), "two were used"


def test_what_is_picked_up_in_the_tick_of_crafting_pays_nothing():
    reward, row = attached(SubGoalReward()), Row(oak_planks=2, stick=4)
    reward.pay(row.change(stick=-4))
    row.begin(SubGoal("craft", "stick", 8))
    crafted = [("crafted", "stick", 4)]
    assert reward.pay(row.change(1.0, crafted, oak_planks=-2, stick=8)) == 1


def test_what_the_helper_uses_up_is_not_thrown_away():
    reward, row = attached(SubGoalReward()), Row(oak_log=2)
    row.begin(SubGoal("craft", "oak_planks"))
    reward.pay(row.change(helped=True, oak_log=-2))
    row.begin(LOGS)
    assert reward.pay(row.change(1.0, oak_log=2)) == 2


def test_a_placed_block_that_is_mined_again_pays_nothing():
    reward, row = attached(SubGoalReward()), Row(oak_log=2)
    reward.pay(row.change(events=[("used", "oak_log")], oak_log=-2))
    row.begin(LOGS)
    assert reward.pay(row.change(1.0, oak_log=2)) == 0


def test_a_crafted_piece_is_new_even_after_one_was_thrown_away():
    reward, row = attached(SubGoalReward()), Row(crafting_table=1)
    reward.pay(row.change(crafting_table=-1))
    row.begin(SubGoal("craft", "crafting_table"))
    change = row.change(1.0, [("crafted", "crafting_table")], crafting_table=1)
    assert reward.pay(change) == 2


@pytest.mark.parametrize("verb", ["equip", "place", "find", "move", "fight"])
def test_an_act_pays_once_an_episode(verb):
    reward, row = attached(SubGoalReward()), Row()
    for expected in (2, 0):
        row.begin(SubGoal(verb, "crafting_table"))
        assert reward.pay(row.change(1.0)) == expected
    reward.begin_episodes([0])
    row.begin(SubGoal(verb, "crafting_table"))
    assert reward.pay(row.change(1.0)) == 2


def test_recovering_pays_nothing():
    reward, row = attached(SubGoalReward()), Row()
    row.begin(SubGoal("recover", "in_water"))
    assert reward.pay(row.change(1.0)) == 0


def test_the_helpers_part_can_be_left_out():
    row = Row()
    row.begin(SubGoal("craft", "stick", 4))
    change = row.change(1.0, [("crafted", "stick")], helped=True, stick=4)
    assert attached(SubGoalReward()).pay(change) == 2
    assert attached(SubGoalReward(helper=False)).pay(change) == 0


def test_without_a_subgoal_nothing_is_paid():
    assert attached(SubGoalReward()).pay(Row().change(oak_log=5)) == 0


@pytest.mark.parametrize("bad", [{"progress": -1}, {"completion": "much"}, {"helper": 1}])
def test_bad_options_are_refused(bad):
    with pytest.raises(BadValue, match="reward"):
        SubGoalReward(**bad)


@given(
    st.integers(1, 8),
    st.lists(st.tuples(st.integers(0, 8), st.integers(1, 8), st.booleans()), max_size=20),
)
def test_dropping_and_picking_up_the_same_pieces_pays_nothing(first, moves):
    """A player without new pieces earns nothing, in any sequence of sub-goals."""
    reward, row = attached(SubGoalReward()), Row(oak_log=first)
    on_the_ground, base, wanted, total = 0, 0, 1, 0.0
    for drops, picks, begins in moves:
        held = first - on_the_ground
        if begins:
            wanted, base = picks, held
            row.begin(SubGoal("mine", "oak_log", wanted))
        for moved in (-min(drops, held), min(picks, on_the_ground + min(drops, held))):
            if moved:
                on_the_ground -= moved
                share = min(max((first - on_the_ground - base) / wanted, 0), 1)
                total += reward.pay(row.change(share, oak_log=moved))
    assert total == 0


@given(st.lists(st.tuples(st.integers(1, 6), st.lists(st.integers(-3, 3), max_size=8)), max_size=6))
def test_no_more_is_paid_than_each_new_piece_is_worth(subgoals):
    """A piece pays at most 2 / count of its sub-goal, and only if it is new."""
    reward, row, held, most, total, bound = attached(SubGoalReward()), Row(), 0, 0, 0.0, 0.0
    for count, gains in subgoals:
        base = held
        row.begin(SubGoal("mine", "oak_log", count))
        for gain in gains:
            moved = max(gain, -held)
            if moved:
                held += moved
                bound += 2 * max(held - most, 0) / count
                most = max(most, held)
                share = min(max((held - base) / count, 0), 1)
                total += reward.pay(row.change(share, oak_log=moved))
    assert total <= bound + 1e-9
