"""A row survives writing and reading, and other lines are refused with their place."""

import contextlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.run.results.row import Death, EpisodeRow, Pursued, row_of
from tests.run.results.making import a_row

WHOLE = st.integers(0, 2**53)
NAMES = st.text(max_size=9)


@given(
    st.builds(
        a_row,
        task=NAMES,
        episode=WHOLE,
        success=st.booleans(),
        reason=st.text(),
        milestones=st.dictionaries(NAMES, WHOLE),
        subgoals=st.lists(
            st.builds(Pursued, NAMES, NAMES, NAMES, NAMES, st.text(), WHOLE, WHOLE), max_size=3
        ).map(tuple),
        deaths=st.lists(st.builds(Death, NAMES, WHOLE), max_size=3).map(tuple),
        models=st.lists(NAMES).map(tuple),
        wall_s=st.floats(0, 1e9),
    )
)
def test_a_row_survives_writing_and_reading(row):
    line = row.to_line()
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert row_of(line, "here") == row


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("format", 2, "rows.jsonl, line 3: expected a row of format 1, got 2; a newer version"),
        ("format", None, "expected a row of format 1, got None$"),
        ("ticks", "12", "line 3: ticks: expected int, got '12'"),
        ("ticks", True, "ticks: expected int, got True"),
        ("success", 1, "success: expected bool, got 1"),
        ("assists", "none", "assists: expected a list, got 'none'"),
        ("assists", [1], "assists: expected a list of str, got the entry 1"),
        ("milestones", {"stick": "1"}, "milestones: expected values of type int"),
        ("subgoals", [{"subgoal": "mine"}], "subgoals: expected the fields of a Pursued"),
        ("deaths", [3], "deaths: expected a list of Death, got the entry 3"),
        (
            "reward",
            1.0,
            r"expected the fields of a EpisodeRow, got missing or unknown fields: \['reward'\]",
        ),
    ],
)
def test_other_lines_are_refused(name, value, message):
    told = {**json.loads(a_row().to_line()), name: value}
    with pytest.raises(BadValue, match=message):
        row_of(json.dumps(told), "rows.jsonl, line 3")


def test_older_rows_crafted_by_functions():
    older = json.loads(a_row(crafting="gui").to_line())
    assert row_of(json.dumps(older), "here").crafting == "gui"
    del older["crafting"]
    assert row_of(json.dumps(older), "here").crafting == "functional"


@given(st.data())
def test_a_damaged_line_is_a_row_or_refused(data):
    line = a_row().to_line()
    at = data.draw(st.integers(0, len(line) - 2))
    damaged = line[:at] + data.draw(st.characters(codec="utf-8")) + line[at + 1 :]
    with contextlib.suppress(BadValue):
        assert isinstance(row_of(damaged, "here"), EpisodeRow)


def test_surrogates_are_written_as_question_marks_and_refused_in_files():
    line = a_row(reason="broken \ud800 text").to_line()
    assert row_of(line.encode(), "here").reason == "broken ? text"
    whole = a_row(reason="a 😀 face").to_line()
    assert row_of(json.dumps(json.loads(whole)), "here").reason == "a 😀 face"
    with pytest.raises(BadValue, match="here: expected valid Unicode"):
        row_of(whole.replace("a 😀 face", "\\ud800"), "here")


@pytest.mark.parametrize("field", ["ticks", "seed", "tick", "oak_log"])
def test_numbers_beyond_64_bits_are_refused(field):
    line = re.sub(rf'"{field}": \d+', f'"{field}": {10**30}', a_row().to_line(), count=1)
    assert str(10**30) in line
    with pytest.raises(BadValue, match="here: expected whole numbers below 9223372036854775808"):
        row_of(line, "here")
    assert row_of(a_row(seed=2**63 - 1).to_line(), "here").seed == 2**63 - 1
