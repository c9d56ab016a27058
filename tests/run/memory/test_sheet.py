"""The contact sheet has a strip for each sub-goal and coloured edges for the right verdicts."""

from dataclasses import replace

import numpy as np

from optimus_gym.memory.experience import Image
from optimus_gym.memory.pictures import packed
from optimus_gym.run.lettering import CURRENT, DONE_COLOUR, FAILED
from optimus_gym.run.memory.sheet import A_ROW, GAP, LINE, MARGIN, MOST_STRIPS, TEXTS, THUMB, sheet
from tests.memory.making import an_experience, vector


def shown(shade, tick=0):
    return Image(tick, packed(np.full((128, 128, 3), shade, np.uint8)), vector(0))


def made(**other):
    given = an_experience(first=shown(10))
    pursuits = tuple(
        replace(one, seen=tuple(shown(60 + 40 * k, k) for k, _ in enumerate(one.seen)))
        for one in given.pursuits
    )
    cases = tuple(
        replace(given.cases[0], before=shown(10), present=shown(200), label=label)
        for label in ("COMPLETE", "CONTINUE", "REPLAN")
    )
    return replace(given, **{"pursuits": pursuits, "cases": cases, **other})


def pixels(experience):
    return np.array(sheet(experience)).astype(int)


def count(image, colour):
    return int((np.abs(image - colour).max(-1) < 4).sum())


def test_frames_stand_side_by_side_in_order_of_time():
    image = pixels(made())
    column = MARGIN + TEXTS + THUMB[0] // 2
    shades = [image[150, column + k * (THUMB[0] + GAP)] for k in range(3)]
    assert [abs(int(shade.mean()) - wanted) < 4 for shade, wanted in zip(
        shades, (60, 100, 140), strict=True)] == [True] * 3  # fmt: skip


def test_reflections_have_an_edge_in_the_colour_of_the_right_verdict():
    image, bare = pixels(made()), pixels(made(cases=()))
    edge = 2 * 2 * (THUMB[0] + THUMB[1] - 4)
    for colour in (DONE_COLOUR, CURRENT, FAILED):
        assert count(image, colour) - count(bare, colour) >= edge


def test_more_frames_make_more_rows():
    one = made()
    many = tuple(shown(90, k) for k in range(A_ROW + 1))
    more = replace(one, pursuits=(replace(one.pursuits[0], seen=many), one.pursuits[1]))
    assert pixels(more).shape[0] == pixels(one).shape[0] + THUMB[1] + LINE + GAP


def test_cases_without_their_subgoals_pursuit_are_shown_too():
    image = pixels(made(pursuits=()))
    assert count(image, DONE_COLOUR) > 300


def test_an_experience_without_pictures_is_a_sheet_of_words():
    image = sheet(made(first=None, pursuits=(), cases=()))
    assert image.size[0] == 1256
    assert image.size[1] < 200


def test_a_long_episodes_sheet_has_a_fixed_length():
    one = made(cases=())
    long = replace(one, pursuits=one.pursuits[1:] * (MOST_STRIPS + 5))
    longer = replace(one, pursuits=one.pursuits[1:] * (MOST_STRIPS + 50))
    assert pixels(long).shape == pixels(longer).shape
