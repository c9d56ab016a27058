"""Each rule of the labels in hindsight holds on made-up looks."""

import pytest

from optimus_gym.core.predicaments import A_BLOW, LITTLE_FOOD, LOW_HEALTH
from optimus_gym.core.situation import Vitals
from optimus_gym.core.types import SubGoal
from optimus_gym.minds.hindsight import (
    A_FALL,
    FULL_BREATH,
    GRACE,
    SURFACE_HEIGHTS,
    Label,
    SubGoalState,
    case_labels,
    with_environments,
)

LOGS = SubGoal("mine", "oak_log", 3, accepts=("oak_log", "birch_log"))
GO_ON = Label("CONTINUE")
STUCK = Label("REPLAN", "stuck")


def looks(*held, used=None, vitals=None, told=None):
    """Return one look a second with the gains `held`, and other observations by the look's number."""
    used, vitals, told = used or {}, vitals or {}, told or {}
    return [
        SubGoalState(
            20 * k,
            gained,
            used.get(k, {}),
            Vitals(**vitals.get(k, {})),
            frozenset(told.get(k, ())),
        )
        for k, gained in enumerate(held)
    ]


def logs(*counts):
    return [{"oak_log": count} if count else {} for count in counts]


def lasting(first, count, **seen):
    """Return the same vitals for all looks from `first` to `count`."""
    return dict.fromkeys(range(first, count), seen)


def test_a_reached_sub_goal_has_continue_labels_and_a_complete_label():
    seen = looks(
        *logs(0, 0, 0, 3), vitals=lasting(1, 4, food=2.0), told=dict.fromkeys(range(4), ("danger",))
    )
    assert case_labels(LOGS, seen, failed=False) == [GO_ON] * 3 + [Label("COMPLETE")]


def test_a_failed_sub_goal_has_replan_labels_after_its_last_progress():
    seen = looks(*logs(0, 1, 1, 2, 2, 2))
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 4 + [STUCK] * 2


def test_the_last_look_of_a_failed_sub_goal_has_a_replan_label_despite_progress():
    assert case_labels(LOGS, looks(*logs(0, 1, 2)), failed=True) == [GO_ON] * 2 + [STUCK]
    assert case_labels(LOGS, looks({}), failed=True) == [STUCK]


def test_regained_pieces_are_no_progress():
    seen = looks(*logs(0, 2, 0, 1, 2, 2))
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 2 + [STUCK] * 4


def test_digging_through_other_blocks_is_progress_in_mining():
    seen = looks({}, {"dirt": 1}, {"dirt": 1, "cobblestone": 1}, {"dirt": 1, "cobblestone": 1})
    diamonds = SubGoal("mine", "diamond")
    assert case_labels(diamonds, seen, failed=True) == [GO_ON] * 3 + [STUCK]


@pytest.mark.parametrize("verb", ["kill", "shear", "find"])
def test_only_pieces_of_the_goals_kinds_are_progress_with_other_verbs(verb):
    seen = looks({}, {}, {"mutton": 1}, {"mutton": 1, "dirt": 1}, {"mutton": 1, "dirt": 1})
    sheep = SubGoal(verb, "white_wool", accepts=("white_wool", "mutton"))
    assert case_labels(sheep, seen, failed=True) == [GO_ON] * 3 + [STUCK] * 2


@pytest.mark.parametrize(("verb", "goes_on"), [("smelt", 4), ("craft", 4), ("kill", 3)])
def test_used_up_ingredients_are_progress_in_crafting_and_smelting(verb, goes_on):
    seen = looks(*[{}] * 6, used={3: {"coal": 1}, 4: {"coal": 1}, 5: {"coal": 1}})
    labels = case_labels(SubGoal(verb, "iron_ingot"), seen, failed=True)
    assert labels == [GO_ON] * goes_on + [STUCK] * (6 - goes_on)
    later = looks(*[{}] * 6, used={k: {"coal": 1} for k in (4, 5)})
    wanted = [GO_ON] * (5 if verb != "kill" else 3)
    assert case_labels(SubGoal(verb, "iron_ingot"), later, failed=True)[: len(wanted)] == wanted


def test_the_first_half_without_progress_has_continue_labels():
    assert case_labels(LOGS, looks(*[{}] * 8), failed=True) == [GO_ON] * 4 + [STUCK] * 4


@pytest.mark.parametrize(
    ("vitals", "name"),
    [
        ({"air": FULL_BREATH - 1}, "in_water"),
        ({"health": float(LOW_HEALTH)}, "hurt"),
        ({"food": float(LITTLE_FOOD)}, "hungry"),
        ({"health": 20.0 - A_BLOW}, "danger"),
    ],
)
def test_a_predicament_in_the_vitals_begins_the_replan_labels(vitals, name):
    seen = looks(*[{}] * 8, vitals=lasting(2, 8, **vitals))
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 2 + [Label("REPLAN", name)] * 6
    got_on = looks(*logs(0, 0, 0, 0, 0, 0, 1, 1), vitals=lasting(2, 8, **vitals))
    assert case_labels(LOGS, got_on, failed=True) == [GO_ON] * 2 + [Label("REPLAN", name)] * 6


@pytest.mark.parametrize(
    "vitals",
    [
        {"air": FULL_BREATH},
        {"health": LOW_HEALTH + 1.0, "food": LITTLE_FOOD + 1.0},
        {"health": 21.0 - A_BLOW},
    ],
)
def test_vitals_just_above_the_limits_show_no_predicament(vitals):
    first = {} if vitals.get("health") != LOW_HEALTH + 1.0 else vitals
    seen = looks(*[{}] * 8, vitals={0: first} | lasting(1, 8, **vitals))
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 4 + [STUCK] * 4


def test_the_most_pressing_predicament_is_named():
    seen = looks(*[{}] * 4, vitals=lasting(1, 4, air=9.0, health=3.0, food=1.0))
    assert case_labels(LOGS, seen, failed=True)[-1].predicament == "in_water"


def test_a_predicament_that_passed_does_not_count():
    seen = looks(*[{}] * 8, vitals={1: {"air": 10.0}, 5: {"air": 10.0}})
    names = [label.predicament for label in case_labels(LOGS, seen, failed=True)]
    assert names == ["", "", "", "", "stuck", "in_water", "stuck", "stuck"]


def test_the_last_occurrence_of_a_repeated_predicament_counts():
    seen = looks(*[{}] * 8, vitals={1: {"air": 9.0}, 3: {"air": 9.0}} | lasting(3, 8, air=9.0))
    labels = case_labels(LOGS, seen, failed=True)
    assert labels == [GO_ON] * 3 + [Label("REPLAN", "in_water")] * 5


def test_a_predicament_from_the_beginning_does_not_undo_progress():
    hungry = lasting(0, 6, food=3.0)
    seen = looks(*logs(0, 1, 1, 2, 2, 2), vitals=hungry)
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 4 + [Label("REPLAN", "hungry")] * 2
    vain = looks(*[{}] * 6, vitals=hungry)
    halves = [GO_ON] * 3 + [Label("REPLAN", "hungry")] * 3
    assert case_labels(LOGS, vain, failed=True) == halves


def test_each_look_after_the_last_progress_is_named_by_its_own_vitals():
    seen = looks(*logs(0, 1, 1, 1, 1), vitals=lasting(3, 5, food=2.0))
    names = [label.predicament for label in case_labels(LOGS, seen, failed=True)]
    assert names == ["", "", "stuck", "hungry", "hungry"]


def test_labels_of_a_recovery_name_its_own_predicament():
    seen = looks(*[{}] * 8, vitals=lasting(0, 8, air=10.0))
    labels = case_labels(SubGoal("recover", "drop_down"), seen, failed=True)
    assert labels == [GO_ON] * 4 + [Label("REPLAN", "drop_down")] * 4


@pytest.mark.parametrize(
    ("item", "vital"), [("hurt", "health"), ("hungry", "food"), ("in_water", "air")]
)
def test_a_rising_vital_is_progress_of_its_recovery(item, vital):
    rising = {k: {vital: float(min(k, 5))} for k in range(8)}
    labels = case_labels(SubGoal("recover", item), looks(*[{}] * 8, vitals=rising), failed=True)
    assert labels == [GO_ON] * 6 + [Label("REPLAN", item)] * 2


def test_a_predicament_from_the_world_that_lasts_begins_the_replan_labels():
    told = dict.fromkeys(range(1, 8), ("drop_down",)) | dict.fromkeys(
        (6, 7), ("drop_down", "danger")
    )
    seen = looks(*[{}] * 8, told=dict.fromkeys(range(1, 8), ("drop_down",)))
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] + [Label("REPLAN", "drop_down")] * 7
    pressing = case_labels(LOGS, looks(*[{}] * 8, told=told), failed=True)
    assert pressing[-2:] == [Label("REPLAN", "danger")] * 2
    over = looks(*[{}] * 8, told=dict.fromkeys(range(1, 7), ("in_water",)))
    assert case_labels(LOGS, over, failed=True)[:4] == [GO_ON] * 4


def test_the_night_counts_only_with_counts_night():
    seen = looks(*[{}] * 8, told=dict.fromkeys(range(2, 8), ("night",)))
    assert case_labels(LOGS, seen, failed=True)[-1] == STUCK
    counted = case_labels(LOGS, seen, failed=True, counts_night=True)
    assert counted == [GO_ON] * 2 + [Label("REPLAN", "night")] * 6


def going(heights=(), words=(), told=None, **vitals):
    """Return looks without progress; heights and environments keep their last value."""
    count = max(len(heights), len(words))
    heights = [*heights, *[64.0] * (count - len(heights))]
    words = [*words, *[""] * (count - len(words))]
    return [
        SubGoalState(20 * k, vitals=Vitals(**vitals), told=told, height=height, environment=word)
        for k, (height, word) in enumerate(zip(heights, words, strict=True))
    ]


DOWN = Label("REPLAN", "drop_down")
WET = Label("REPLAN", "in_water")


def test_a_cave_on_the_screen_begins_the_labels_of_a_pit():
    seen = going(words=[*["forest"] * 2, *["cave"] * 6])
    assert case_labels(LOGS, seen, failed=True) == [GO_ON] * 2 + [DOWN] * 6


@pytest.mark.parametrize(("fallen", "label"), [(A_FALL, DOWN), (A_FALL - 0.5, STUCK)])
def test_a_fall_by_enough_blocks_begins_the_labels_of_a_pit(fallen, label):
    seen = going([80.0] * 2 + [80.0 - fallen] * 6)
    assert case_labels(LOGS, seen, failed=True)[-1] == label
    assert case_labels(LOGS, seen, failed=True)[2] == (DOWN if label == DOWN else GO_ON)


@pytest.mark.parametrize(
    ("height", "word", "label"),
    [
        (SURFACE_HEIGHTS[0], "", WET),
        (SURFACE_HEIGHTS[1] - 0.1, "forest", WET),
        (SURFACE_HEIGHTS[0] - 0.1, "", STUCK),
        (SURFACE_HEIGHTS[1], "", STUCK),
        (SURFACE_HEIGHTS[0], "cave", DOWN),
    ],
)
def test_a_player_at_sea_level_counts_as_in_water_except_in_a_cave(height, word, label):
    seen = going([64.0] * 2 + [height] * 6, [""] * 2 + [word] * 6)
    assert case_labels(LOGS, seen, failed=True)[-1] == label


def test_water_and_pits_outrank_wounds():
    pit = going(words=["cave"] * 4, health=2.0, food=1.0)
    assert case_labels(LOGS, pit, failed=True)[-1] == DOWN
    assert case_labels(LOGS, going([70.0, 62.0, 62.0]), failed=True)[-1] == WET
    dived = going([70.0, 60.0, 60.0], air=10.0)
    assert case_labels(LOGS, dived, failed=True)[-1] == WET


def test_a_night_on_the_screen_names_replan_labels_without_beginning_them():
    seen = going(words=["night"] * 8)
    named = case_labels(LOGS, seen, failed=True, counts_night=True)
    assert named == [GO_ON] * 4 + [Label("REPLAN", "night")] * 4
    assert case_labels(LOGS, seen, failed=True)[-1] == STUCK
    hungry = going(words=["night"] * 8, food=1.0)
    assert case_labels(LOGS, hungry, failed=True, counts_night=True)[-1].predicament == "hungry"


def test_the_worlds_predicaments_outrank_height_and_screen():
    for heights, word in (([64.0] * 8, "cave"), ([64.0] * 8, "night"), ([80.0, *[62.0] * 7], "")):
        seen = going(heights, [word] * 8, told=frozenset())
        labels = case_labels(LOGS, seen, failed=True, counts_night=True)
        assert labels == [GO_ON] * 4 + [STUCK] * 4


def test_an_environment_holds_until_the_next_screen():
    held = with_environments(going([64.0] * 6), {1: "cave", 3: "", 5: "night"})
    assert [look.environment for look in held] == ["", "cave", "cave", "", "", "night"]


def test_two_hundred_ticks_without_progress_are_tolerated():
    seen = looks(*[{}] * 101)
    labels = case_labels(LOGS, seen, failed=True)
    first = next(k for k, label in enumerate(labels) if label.judgement == "REPLAN")
    assert seen[first].tick - seen[0].tick == GRACE
