"""The package stays small, and its drawing agrees with its imports."""

import pytest

from tools import architecture
from tools.house import lines_by_room

BUDGETS = {}
"""Most code lines of each room, without docstrings and comments. A room that needs more gets a new budget
in the commit that says why; a room that shrinks gives lines back."""


def test_every_room_has_a_budget():
    assert list(BUDGETS) == list(lines_by_room())


@pytest.mark.parametrize(("room", "lines"), lines_by_room().items())
def test_a_room_keeps_its_line_budget(room, lines):
    assert lines <= BUDGETS[room]


def test_the_drawing_of_the_rooms_shows_the_present_imports():
    """`python -m tools.architecture` updates the drawing."""
    assert architecture.FILE.read_text("utf-8") == architecture.drawing()
