import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.envs.courses import Progress
from optimus_gym.run.panel import (
    BACKGROUND,
    CURRENT,
    DONE_COLOUR,
    FAILED,
    PLAN_LINES,
    WIDTH,
    draw_panel,
    shown_window,
    with_panel,
)
from optimus_gym.wrappers.exposure import BRIGHTENED


def progress(**changes):
    plan = tuple(f"mine {k} cobblestone" for k in range(1, 21))
    values = {
        "task": "Diamond",
        "instruction": "mine a diamond",
        "plan": plan,
        "position": 4,
        "subgoal": plan[4],
        "ticks": 1234,
        "budget": 36000,
        "inventory": {"oak_log": 3},
        "replans": 0,
    }
    return Progress(**{**values, **changes})


def colours(panel):
    return {tuple(map(int, c)) for c in np.unique(panel.reshape(-1, 3), axis=0)}


def test_the_panel_has_the_wanted_height():
    panel = draw_panel(progress(), 360)
    assert panel.shape == (360, WIDTH, 3)
    assert panel.dtype == np.uint8
    whole = with_panel(np.zeros((360, 640, 3), np.uint8), panel)
    assert whole.shape == (360, 640 + WIDTH, 3)


def test_done_current_and_failed_subgoals_are_marked():
    first = colours(draw_panel(progress(position=0), 360))
    assert CURRENT in first
    assert DONE_COLOUR not in first
    assert DONE_COLOUR in colours(draw_panel(progress(), 360))
    failed = colours(draw_panel(progress(), 360, "failed: not_found", failed=True))
    assert FAILED in failed
    assert FAILED not in first
    reached = colours(draw_panel(progress(), 360, "success", succeeded=True))
    assert DONE_COLOUR in reached
    assert FAILED not in reached


@pytest.mark.parametrize(
    "change",
    [{"ticks": 1235}, {"position": 5}, {"inventory": {"oak_log": 4}}, {"task": "Wood"}],
)
def test_every_change_of_progress_changes_the_panel(change):
    assert not np.array_equal(draw_panel(progress(), 360), draw_panel(progress(**change), 360))


def test_the_inventory_is_listed_in_its_order():
    first = {"diamond": 1, "cobblestone": 58, "dirt": 6}
    others = {"cobblestone": 58, "dirt": 6, "diamond": 1}
    above, below = (draw_panel(progress(inventory=one), 360) for one in (first, others))
    assert not np.array_equal(above, below)
    many = {f"item_{k}": 1 for k in range(30)}
    former = draw_panel(progress(inventory={"diamond": 1, **many}), 360)
    assert not np.array_equal(draw_panel(progress(inventory={**many, "diamond": 1}), 360), former)
    line = slice(273, 288)  # the first of the list
    assert np.array_equal(above[line, :140], former[line, :140])


def test_the_word_about_the_light_shortens_the_title():
    title = "MakeAVeryLongThingOfManyWordsAndLetters"
    plain, lit = (draw_panel(progress(task=title), 360, lighting=word) for word in ("", BRIGHTENED))
    changed = np.flatnonzero((plain != lit).any((1, 2)))
    assert changed.min() >= 10
    assert changed.max() < 36
    assert CURRENT in colours(lit[:36])
    assert CURRENT not in colours(plain[:36])
    gap = lit[10:36, 193:203]  # between title and word
    assert (gap == np.array(BACKGROUND)).all()


def test_empty_plans_and_long_texts_are_drawn():
    everything = {f"item_{k}_with_a_very_long_name": 64 for k in range(40)}
    for case in (
        progress(plan=(), position=0, subgoal=""),
        progress(position=20),
        progress(inventory=everything, instruction="word " * 60),
    ):
        assert draw_panel(case, 360).shape == (360, WIDTH, 3)


@given(st.integers(1, 200), st.data())
def test_the_window_of_the_plan_contains_the_current_subgoal(length, data):
    position = data.draw(st.integers(0, length - 1))
    window = shown_window(length, position)
    assert position in window
    assert window.start >= 0
    assert window.stop <= length
    assert len(window) == min(length, PLAN_LINES)
