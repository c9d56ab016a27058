"""The summariser keeps frames of sub-goals, independent of other rows' frames."""

import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.pictures import unpacked
from optimus_gym.memory.summary import Glimpse, Roll, Summariser
from tests.memory.telling import Telling, frame


def shown(summariser, text, frames, roll=None):
    film = summariser.film(roll or Roll())
    for tick, one in enumerate(frames):
        summariser.show((film,), one, tick)
    summariser.end(film, text)
    return film


def test_frames_that_match_the_text_are_kept():
    summariser = Summariser(Telling())
    film = shown(summariser, "find something red", [frame("red"), frame("red", noise=9)])
    summariser.flush()
    assert [image.tick for image in film.seen] == [0, 1]
    assert film.correlation > 0.9
    assert np.linalg.norm(film.vector) == pytest.approx(1, abs=1e-5)
    assert np.abs(unpacked(film.seen[0].picture).astype(int) - frame("red")).max() < 4


def test_frames_that_do_not_match_are_dropped_and_their_correlation_is_kept():
    summariser = Summariser(Telling())
    film = shown(summariser, "find something red", [frame("blue")])
    summariser.flush()
    assert film.seen == ()
    assert film.vector is None
    assert film.correlation < 0.2


def always(colours, window=16):
    summariser = Summariser(Telling(), window=window)
    film = summariser.film(Roll())
    for tick, colour in enumerate(colours):
        summariser.show((film,), frame(*colour), tick)
    summariser.end(film, "blue", keeps=True)
    summariser.flush()
    return film


def test_an_always_kept_film_has_the_first_last_and_most_different_frame():
    red, mixed = ("red",), ("red", (128, 128), 190)
    film = always([red, red, ("green",), mixed, red, red])
    assert [image.tick for image in film.seen] == [0, 2, 5]
    assert film.correlation < 0.5
    assert np.linalg.norm(film.vector) == pytest.approx(1, abs=1e-5)
    assert unpacked(film.seen[1].picture)[64, 64].argmax() == 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_an_always_kept_short_film_has_all_frames(count):
    film = always([("red", (128, 128), 9 * k) for k in range(count)])
    assert [image.tick for image in film.seen] == list(range(count))


def test_an_always_kept_film_has_the_last_frame_even_if_the_buffer_dropped_it():
    film = always([("red",), ("green",), ("red",), ("red",)], window=3)
    assert [image.tick for image in film.seen] == [0, 1, 3]
    fits = always([("blue",), ("green",), ("blue",), ("blue",), ("blue",)], window=3)
    assert [image.tick for image in fits.seen] == [0, 1, 4]


def test_a_film_without_frames_has_no_pictures_and_no_correlation():
    summariser = Summariser(Telling())
    film = summariser.film(Roll())
    summariser.end(film, "red")
    summariser.flush()
    assert (film.seen, film.correlation, film.vector) == ((), None, None)


def kept(batch):
    """Return the kept frames of two films whose frames alternate."""
    random = np.random.default_rng(0)
    summariser = Summariser(Telling(), window=5, batch=batch)
    films = [summariser.film(Roll()) for _ in range(2)]
    for tick in range(24):
        for film, colour in zip(films, ("red", "green"), strict=True):
            noise = random.integers(0, 90, (128, 128, 3), np.uint8)
            summariser.show((film,), frame(colour) // 2 + noise, tick)
    for film in films:
        summariser.end(film, "red and green")
    summariser.flush()
    return [([i.tick for i in f.seen], [i.picture for i in f.seen], f.correlation) for f in films]


def test_the_batch_size_changes_nothing():
    assert kept(1) == kept(7) == kept(64)
    assert [len(ticks) for ticks, *_ in kept(64)] == [5, 0]


def test_frames_are_encoded_in_batches():
    aligner = Telling()
    summariser = Summariser(aligner, batch=8)
    shown(summariser, "red", [frame("red")] * 20)
    assert aligner.batches == [8, 8]
    summariser.flush()
    assert aligner.batches == [8, 8, 4]


def test_the_picture_of_a_tick_is_stored_once():
    summariser = Summariser(Telling())
    roll = Roll()
    film, glimpse = summariser.film(roll), Glimpse(roll)
    summariser.show((film, glimpse), frame("red"), 7)
    summariser.end(film, "red")
    summariser.flush()
    assert film.seen[0] is glimpse.image


def test_large_frames_are_reduced_to_128_rows_and_columns():
    summariser = Summariser(Telling())
    film = shown(summariser, "red", [frame("red", (360, 640))])
    summariser.flush()
    assert unpacked(film.seen[0].picture).shape == (128, 128, 3)


@pytest.mark.parametrize("bad", [np.zeros((128, 128), np.uint8), np.zeros((8, 8, 3)), None])
def test_a_frame_of_the_wrong_shape_is_rejected_at_once(bad):
    summariser = Summariser(Telling())
    with pytest.raises(BadValue, match="frame: expected uint8"):
        summariser.show((summariser.film(Roll()),), bad, 0)
    summariser.flush()
