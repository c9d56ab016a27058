import os
import resource

import av
import numpy as np
import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.wrappers.video import VideoWriter, check_video_path


def frames(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def plain(colour):
    return np.full((96, 160, 3), colour, np.uint8)


def test_a_video_holds_the_written_pictures(tmp_path):
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


def test_an_older_file_stays_until_the_video_is_whole(tmp_path):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"old")
    VideoWriter(path, 160, 96).close()
    assert path.read_bytes() == b"old"
    with VideoWriter(path, 160, 96) as writer:
        writer.add(plain(90))
        assert path.read_bytes() == b"old"
    assert len(frames(path)) == 1
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("pictures", [1, 400])
def test_a_full_disk_is_reported_and_the_older_file_stays(tmp_path, pictures):
    """The system refuses to make a file longer than its limit as it does on a full disk."""
    path = tmp_path / "a.mp4"
    path.write_bytes(b"old")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    noise = np.random.default_rng(0).integers(0, 255, (400, 96, 160, 3), np.uint8)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        writer = VideoWriter(path, 160, 96)
        with pytest.raises(BadValue, match=r"a\.mp4' cannot be written: File too large"):
            write_all(writer, noise[:pictures])
        writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def write_all(writer, pictures):
    for picture in pictures:
        writer.add(picture)
    writer.close()


def test_a_link_stays_and_its_target_is_replaced(tmp_path):
    (tmp_path / "disk").mkdir()
    link, target = tmp_path / "a.mp4", tmp_path / "disk" / "b.mp4"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    with VideoWriter(link, 160, 96) as writer:
        writer.add(plain(90))
    assert link.is_symlink()
    assert len(frames(target)) == 1
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a.avi", r"file name ending in \.mp4"),
        ("a", r"file name ending in \.mp4"),
        ("none/a.mp4", "does not exist"),
        ("folder.mp4", "got the folder"),
        ("file/a.mp4", "does not exist"),
        ("a\0b.mp4", "expected a path"),
    ],
)
def test_a_path_that_cannot_be_written_is_refused(tmp_path, name, why):
    (tmp_path / "folder.mp4").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(BadValue, match=why):
        check_video_path(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadValue, match="cannot be written: Permission denied"):
        check_video_path(tmp_path / "a.mp4")


def test_checking_a_path_changes_nothing(tmp_path):
    old = tmp_path / "old.mp4"
    old.write_bytes(b"old")
    check_video_path(old)
    check_video_path(tmp_path / "new.mp4")
    assert old.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [old]


def test_an_odd_size_is_refused(tmp_path):
    with pytest.raises(BadValue, match="even width and height, got 161x96"):
        VideoWriter(tmp_path / "a.mp4", 161, 96)
