"""Small pictures have the same bytes as OpenCV's, which the public policies were trained on."""

import zlib

import numpy as np
import pytest

from optimus_gym.core.squeezing import WHOLE, squeezed, taps


def screen():
    """Return a screen whose bytes follow from their places (uint8[360, 640, 3])."""
    places = np.arange(360 * 640 * 3, dtype=np.uint64)
    tones = (places * np.uint64(2654435761) >> np.uint64(13)) % np.uint64(256)
    return tones.astype(np.uint8).reshape(360, 640, 3)


@pytest.mark.parametrize(
    ("size", "checksum"),
    [
        ((128, 128), 1686596237),
        ((64, 64), 1493050290),
        ((224, 224), 3604679214),
        ((256, 144), 2085900688),
        ((639, 359), 1907727065),
        ((3, 2), 1570529948),
    ],
)
def test_squeezed_pictures_have_opencvs_bytes(size, checksum):
    """Checksums of this screen after `cv2.resize` of OpenCV 5.0.0 with `INTER_LINEAR`."""
    assert zlib.crc32(squeezed(screen(), size).tobytes()) == checksum


def test_a_screen_of_the_wanted_size_stays_and_a_batch_equals_single_screens():
    assert np.array_equal(squeezed(screen(), (640, 360)), screen())
    many = np.stack([screen(), screen()[::-1]])
    assert np.array_equal(squeezed(many, (128, 128))[1], squeezed(many[1], (128, 128)))


@pytest.mark.parametrize(("length", "full"), [(128, 640), (128, 360), (359, 360), (1, 7), (5, 5)])
def test_a_pixel_is_a_weighted_mean_of_two_neighbours(length, full):
    made = taps(length, full)
    assert (made[:, 2:].sum(1) == WHOLE).all()
    assert ((made[:, 1] - made[:, 0] == 1) | (made[:, 1] == full - 1)).all()
    middles = (made[:, :2] * made[:, 2:]).sum(1) / WHOLE + 0.5
    assert np.allclose(middles * length / full, np.arange(length) + 0.5, atol=1e-3)
