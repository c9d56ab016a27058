"""A request's pictures stand in its text behind their marks, or all together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.requests import Request, picture_mark, request_parts

IMAGES = tuple(np.full((2, 2, 3), tone, np.uint8) for tone in range(12))
BETWEEN = st.text("[]picture 012\n\u0661", max_size=12).filter(lambda text: "[picture " not in text)


def strings(parts):
    return [part for part in parts if isinstance(part, str)]


def pictures(parts):
    return [part for part in parts if not isinstance(part, str)]


@given(st.lists(BETWEEN, min_size=2, max_size=len(IMAGES) + 1), st.booleans())
def test_each_picture_follows_its_mark(pieces, text_first):
    first, *others = pieces
    count = len(others)
    text = first + "".join(picture_mark(n) + piece for n, piece in enumerate(others, 1))
    marked = [piece + picture_mark(n) for n, piece in enumerate(pieces[:-1], 1)]
    parts = request_parts(Request("see", text, IMAGES[:count]), text_first=text_first)
    assert strings(parts) == [*marked, *filter(None, pieces[-1:])]
    assert "".join(strings(parts)) == text
    assert all(one is two for one, two in zip(parts[1::2], IMAGES, strict=False))
    assert len(pictures(parts)) == count


@given(
    st.lists(st.sampled_from([*"[]1 \n", *map(picture_mark, range(5))]), max_size=8).map("".join),
    st.integers(0, 4),
)
def test_text_and_pictures_are_kept_with_any_marks(text, count):
    parts = request_parts(Request("see", text, IMAGES[:count]))
    assert "".join(strings(parts)) == text
    assert all(strings(parts))
    assert all(one is two for one, two in zip(pictures(parts), IMAGES, strict=False))
    assert len(pictures(parts)) == count


@pytest.mark.parametrize(
    "text",
    [
        "no mark",
        "[picture 1]",
        "[picture 2] and [picture 1]",
        "[picture 1] and [picture 1]",
        "[picture 1] and [picture 2], as in [picture 1]",
        "[picture 1], [picture 2] and [picture 3]",
        "[picture 0], [picture 1]",
        "[picture 01], [picture 2]",
        "[picture 1], [picture 02]",
        "[picture 1], [picture " + "9" * 5000 + "]",
        "[picture 1], [picture \u0662]",
        "[picture 1], [Picture 2]",
    ],
)
def test_pictures_stand_together_if_a_mark_is_wrong(text):
    request = Request("see", text, IMAGES[:2])
    (first, second, words), (said, *shown) = (
        request_parts(request),
        request_parts(request, text_first=True),
    )
    assert words == said == text
    assert all(one is two for one, two in zip([first, second, *shown], IMAGES[:2] * 2, strict=True))


def test_marks_without_pictures_stay_in_the_text():
    assert request_parts(Request("see", "as in [picture 1]: what?")) == (
        "as in [picture 1]: what?",
    )
    assert request_parts(Request("see", "")) == ()
    assert request_parts(Request("see", "", IMAGES[:1])) == IMAGES[:1]
