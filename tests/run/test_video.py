import os

import av
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.run.video import VideoWriter, check_path


def frames(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def plain(colour):
    return np.full((96, 160, 3), colour, np.uint8)


def test_pictures_come_back(tmp_path):
    path = tmp_path / "a.mp4"
    colours = [(220, 30, 30), (30, 220, 30), (30, 30, 220)]
    with VideoWriter(path, 160, 96) as writer:
        for colour in colours:
            writer.add(plain(colour))
    decoded = frames(path)
    assert len(decoded) == 3
    for picture, colour in zip(decoded, colours, strict=True):
        assert picture.shape == (96, 160, 3)
        assert np.abs(picture.mean(axis=(0, 1)) - colour).max() < 12
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.average_rate == 20


def test_a_video_is_playable_after_an_error(tmp_path):
    path = tmp_path / "a.mp4"
    writer = VideoWriter(path, 160, 96)
    for _ in range(30):
        writer.add(plain(90))
    writer.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert len(frames(path)) == 30


def test_a_video_without_a_picture_leaves_no_file(tmp_path):
    writer = VideoWriter(tmp_path / "a.mp4", 160, 96)
    writer.close()
    writer.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a.avi", r"file name ending in \.mp4"),
        ("a", r"file name ending in \.mp4"),
        ("none/a.mp4", "does not exist"),
        ("folder.mp4", "got the folder"),
        ("file/a.mp4", "does not exist"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(tmp_path, name, why):
    (tmp_path / "folder.mp4").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(BadValue, match=why):
        check_path(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadValue, match="cannot be written: Permission denied"):
        check_path(tmp_path / "a.mp4")


def test_checking_a_path_changes_nothing(tmp_path):
    old = tmp_path / "old.mp4"
    old.write_bytes(b"old")
    check_path(old)
    check_path(tmp_path / "new.mp4")
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]


def test_an_odd_size_is_refused(tmp_path):
    with pytest.raises(BadValue, match="even width and height, got 161x96"):
        VideoWriter(tmp_path / "a.mp4", 161, 96)
