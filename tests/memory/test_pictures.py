"""Pictures keep their size and nearly their colours; broken and huge files are rejected."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from optimus_gym.core.errors import BadValue
from optimus_gym.memory.pictures import MOST_SIDE, decoded, packed, reduced_frame, unpacked


def scene(height=128, width=128):
    """Return a picture of two bright halves with a dark corner."""
    frame = np.full((height, width, 3), (120, 160, 90), np.uint8)
    frame[: height // 2] = (110, 170, 250)
    frame[: height // 4, : width // 4] = 10
    return frame


def saved(frame, kind, **options):
    made = io.BytesIO()
    Image.fromarray(frame).save(made, kind, **options)
    return made.getvalue()


@pytest.mark.parametrize("size", [(1, 1), (48, 31), (128, 128), (360, 640)])
def test_a_frame_keeps_its_size_and_nearly_its_colours(size):
    frame = scene(*size)
    found = unpacked(packed(frame))
    assert found.shape == frame.shape
    assert found.dtype == np.uint8
    assert np.abs(found.astype(int) - frame).mean() < 4


def test_frames_are_stored_as_jpeg_of_quality_80():
    frame = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
    assert packed(frame) == packed(frame) == saved(frame, "JPEG", quality=80)
    assert packed(frame) != saved(frame, "JPEG", quality=81)


def test_large_frames_are_averaged_down_to_128_rows_and_columns():
    frame = np.zeros((256, 640, 3), np.uint8)
    frame[::2] = 100
    assert np.array_equal(reduced_frame(frame), np.full((128, 128, 3), 50, np.uint8))
    assert reduced_frame(frame[:40]).shape == (40, 128, 3)
    small = scene(128, 31)
    assert np.array_equal(reduced_frame(small), small)
    with pytest.raises(BadValue, match="frame: expected uint8"):
        reduced_frame(frame[..., 0])


def test_a_strided_view_of_a_frame_is_packed_like_a_copy():
    frame = scene(64, 64)
    assert packed(frame[::2, ::-1]) == packed(np.ascontiguousarray(frame[::2, ::-1]))


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((4, 4, 3)),
        np.zeros((4, 4), np.uint8),
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((1, 4, 4, 3), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        np.zeros((1, MOST_SIDE + 1, 3), np.uint8),
        np.zeros((4097, 4097, 3), np.uint8),
        "a frame",
        None,
    ],
)
def test_arrays_that_are_not_frames_are_rejected(wrong):
    with pytest.raises(BadValue, match=r"frame: expected uint8\[H, W, 3\]"):
        packed(wrong)


def test_a_side_may_be_as_long_as_the_limit():
    assert unpacked(packed(np.zeros((1, MOST_SIDE, 3), np.uint8))).shape == (1, MOST_SIDE, 3)


@pytest.mark.parametrize("content", [b"", b"RIFF", b"no picture", saved(scene(), "PNG")])
def test_bytes_that_are_not_a_jpeg_are_rejected_by_name(content):
    with pytest.raises(BadValue, match=r"'x\.jpg': expected a whole picture \(JPEG\)"):
        unpacked(content, "'x.jpg'")


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "JPEG"])
def test_a_truncated_picture_is_rejected(kind):
    content = saved(np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8), kind)
    assert decoded(content, "a", (kind,)).shape == (64, 64, 3)
    for length in (20, len(content) // 2, len(content) - 40):
        with pytest.raises(BadValue, match="whole picture"):
            decoded(content[:length], "a", (kind,))


def test_grey_transparent_and_palette_pictures_become_three_channels():
    light = np.full((8, 8), 200, np.uint8)
    clear = np.dstack([scene(8, 8), light])
    palette = io.BytesIO()
    Image.fromarray(scene(8, 8)).convert("P").save(palette, "PNG")
    for content in (saved(light, "PNG"), saved(clear, "PNG"), palette.getvalue()):
        assert decoded(content, "a", ("PNG",)).shape == (8, 8, 3)
    assert np.array_equal(decoded(saved(clear, "PNG"), "a", ("PNG",)), scene(8, 8))
    assert (decoded(saved(light, "PNG"), "a", ("PNG",)) == 200).all()


def png_of(width, height):
    """A small PNG file that declares a large size."""

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("side", [4097, 10_000, 60_000])
def test_a_picture_that_declares_a_huge_size_is_rejected_before_unpacking(side):
    with pytest.raises(BadValue, match=r"a: expected a whole picture \(PNG\)") as caught:
        decoded(png_of(side, side), "a", ("PNG",))
    assert side == 60_000 or f"got {side} x {side}" in str(caught.value)


@pytest.mark.filterwarnings("error::PIL.Image.DecompressionBombWarning")
def test_pillows_bomb_warning_as_an_error_becomes_a_bad_value():
    with pytest.raises(BadValue, match="DecompressionBombWarning"):
        decoded(png_of(10_000, 10_000), "a", ("PNG",))


def test_a_picture_with_changed_bytes_gives_a_frame_or_a_clear_error():
    draws = np.random.default_rng(0)
    frame = draws.integers(0, 256, (24, 24, 3), np.uint8)
    refusals = 0
    for kind in ("WEBP", "PNG", "JPEG"):
        content = saved(frame, kind)
        for _ in range(150):
            changed = bytearray(content)
            for place in draws.integers(0, len(content), 3):
                changed[place] = draws.integers(256)
            try:
                assert decoded(bytes(changed), "a", (kind,)).shape[2] == 3
            except BadValue:
                refusals += 1
    assert refusals > 50
