"""The executor asks for near blocks when they may have changed, and else for unseen land, nearest first."""

import numpy as np
import pytest

from optimus_gym.controllers.wire_sighted.mirror import Mirror
from optimus_gym.controllers.wire_sighted.wanted_boxes import (
    NEAR_BOX,
    Asker,
    box_of_section,
    sections_around,
)
from optimus_gym.core.world_powers import Surroundings, check_reach

FEET = (5, 66, -3)


def answer(mirror, feet, reach):
    low = tuple(a + r for a, r in zip(feet, reach[::2], strict=True))
    shape = [b - a + 1 for a, b in zip(reach[::2], reach[1::2], strict=True)]
    mirror.take(0, Surroundings(low, np.zeros(shape, np.int32), ()))


@pytest.fixture
def mirror():
    made = Mirror(1)
    made.keep(0, *FEET[::2])
    return made


def test_boxes_of_sections_hold_them_and_may_be_asked_for():
    for feet in (FEET, (0, 0, 0), (-17, 127, 15)):
        for section in sections_around(feet, 4, 50, 50):
            reach = box_of_section(section, feet)
            if reach is None:
                continue
            check_reach(reach)
            size = np.prod([b - a + 1 for a, b in zip(reach[::2], reach[1::2], strict=True)])
            assert size <= 18**3
    low = [a + r for a, r in zip(FEET, box_of_section((0, 4, -1), FEET)[::2], strict=True)]
    assert low == [-1, 63, -17]
    assert box_of_section((9, 4, 0), FEET) is None


def test_sections_come_nearest_first_and_cover_the_heights():
    found = sections_around(FEET, 1, 6, 10)
    assert len(found) == len(set(found)) == 9 * 2
    assert found[0] == (0, 4, -1)
    assert {ky for _, ky, _ in found} == {3, 4}
    assert sections_around((0, 2, 0), 0, 50, 0) == [(0, 0, 0)]


def test_a_survey_asks_for_each_unseen_section_once(mirror):
    asker = Asker(mirror, 0)
    asker.survey(sections_around(FEET, 1))
    assert asker.next_box(FEET, 0, False) == NEAR_BOX
    asked = []
    while asker.is_busy():
        reach = asker.next_box(FEET, 1, False)
        answer(mirror, FEET, reach)
        asked.append(reach)
    assert len(asked) == 18
    assert asker.next_box(FEET, 2, False) is None
    asker.survey(sections_around(FEET, 1))
    assert not asker.is_busy()


def test_near_blocks_are_asked_for_when_they_may_have_changed(mirror):
    asker = Asker(mirror, 0)
    asker.next_box(FEET, 0, False)
    assert asker.next_box(FEET, 39, False) is None
    assert asker.next_box(FEET, 40, False) == NEAR_BOX
    assert asker.next_box(FEET, 49, True) is None
    assert asker.next_box(FEET, 50, True) == NEAR_BOX
    assert asker.next_box((7, 66, -3), 60, False) == NEAR_BOX
    asker.urgent = True
    assert asker.next_box((7, 66, -3), 61, False) == NEAR_BOX
    assert asker.next_box((7, 66, -3), 62, False) is None
