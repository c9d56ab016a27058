"""The image buffer agrees with a literal reading of the paper's sentence."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.buffers import PERIOD, WINDOW, ImageBuffer, cosine_of

BLACK = np.zeros((2, 2, 3), np.uint8)


def unit(*numbers):
    vector = np.array(numbers, np.float32)
    return vector / np.linalg.norm(vector)


def filled(vectors, window=WINDOW):
    buffer = ImageBuffer(window)
    for k, vector in enumerate(vectors):
        buffer.add(BLACK + (k % 256), vector, PERIOD * k)
    return buffer


def by_the_sentence(vectors, window):
    """Return which frames stay, computing all similarities again each time."""
    kept = []
    for k in range(len(vectors)):
        kept.append(k)
        if len(kept) > window:
            likeness = [cosine_of(vectors[b], vectors[a]) for a, b in pairwise(kept)]
            del kept[1 + int(np.argmax(likeness))]
    return kept


def test_the_frame_most_like_its_predecessor_leaves():
    turned = [unit(np.cos(a), np.sin(a)) for a in (0.0, 1.0, 1.1, 2.0)]
    assert filled(turned, 3).ticks == (0, 20, 60)


def test_a_frame_is_compared_with_its_new_predecessor_after_a_drop():
    """When frame 2 has left, frame 3 is 0.6 from its new predecessor, and frame 4, 0.57 from it, leaves."""
    turned = [unit(np.cos(a), np.sin(a)) for a in (0.0, 1.0, 1.05, 1.6, 2.17)]
    assert filled(turned, 3).ticks == (0, 20, 60)


def test_the_first_frame_always_stays():
    same = [unit(1.0, 0.0)] * 40
    buffer = filled(same)
    assert len(buffer) == WINDOW
    assert buffer.ticks[0] == 0
    assert buffer.ticks[-1] == 39 * PERIOD


@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(2, 16))
def test_the_buffer_agrees_with_a_literal_reading_of_the_paper(seed, count, window):
    drawn = np.random.default_rng(seed).standard_normal((count, 4))
    vectors = [row.astype(np.float32) for row in drawn]
    buffer = filled(vectors, window)
    kept = by_the_sentence(vectors, window)
    assert buffer.ticks == tuple(PERIOD * k for k in kept)
    assert [frame[0, 0, 0] for frame in buffer.frames] == kept
    assert np.array_equal(buffer.vectors, np.array([vectors[k] for k in kept]))
    assert len(buffer) == min(count, window)


def test_lengths_of_vectors_do_not_matter():
    turned = [unit(np.cos(a), np.sin(a)) for a in (0.0, 1.0, 1.1, 2.0)]
    longer = [vector * (5 - k) for k, vector in enumerate(turned)]
    assert filled(longer, 3).ticks == filled(turned, 3).ticks == (0, 20, 60)


def test_a_window_of_one_frame_is_rejected():
    with pytest.raises(BadValue, match="window: expected at least 2 frames, got 1"):
        ImageBuffer(1)
