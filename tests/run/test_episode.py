import io
import signal
from contextlib import contextmanager
from dataclasses import replace

import av
import numpy as np
import pytest
from rich.console import Console

from optimus_gym.run.episode import Player, Recorder
from optimus_gym.terminal.stopping import Stopping
from optimus_gym.wrappers.exposure import exposure_of
from optimus_gym.wrappers.video import VideoWriter
from tests.run.fake_env import PLAN, FakeEnv

HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"


def played(env, recorder=None, **console):
    out = io.StringIO()
    result = Player(env, Console(file=out, width=60, **console), recorder).play(seed=3)
    return result, out.getvalue()


def test_plan_lines_and_outcome_are_printed():
    result, text = played(FakeEnv())
    lines = text.splitlines()
    assert lines[0] == "Fake: make a crafting table"
    assert lines[1] == "plan, 3 sub-goals:"
    assert [line.strip() for line in lines[2:5]] == [f"{k}. {s}" for k, s in enumerate(PLAN, 1)]
    for line, subgoal in zip(lines[5:8], PLAN, strict=True):
        assert line.split()[:4] == ["ok", *subgoal.split()]
        assert "50 ticks" in line
        assert line.endswith("reached")
    assert lines[8].startswith("success: 150 ticks, 7 s of game time, ")
    assert lines[8].endswith("3 sub-goals, 0 replans")
    assert result.success
    assert (result.ticks, result.subgoals) == (150, 3)


def test_failure_and_new_plan_are_printed():
    result, text = played(FakeEnv(fails_at=1))
    assert "-- craft 4 oak_planks" in text
    assert "not_found: 1 oak_log [far]" in text
    assert "new plan (1), 2 sub-goals:" in text
    assert (result.replans, result.subgoals, result.ticks) == (1, 4, 200)


def test_a_terminal_shows_the_running_subgoal():
    _, text = played(FakeEnv(), force_terminal=True)
    assert "... " in text
    _, plain = played(FakeEnv())
    assert "... " not in plain


@pytest.mark.parametrize("every", [1, 4, 7])
def test_every_nth_tick_is_a_frame(tmp_path, every):
    env, path = FakeEnv(), tmp_path / "a.mp4"
    with VideoWriter(path, 960, 360) as writer:
        played(env, Recorder(exposure_of(env), writer, every))
    shown = -(-150 // every)
    assert env.rendered == 1 + shown + 1
    with av.open(str(path)) as container:
        pictures = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    assert len(pictures) == 1 + shown + 20
    assert pictures[0].shape == (360, 960, 3)
    assert abs(int(pictures[-1][180, 320, 0]) - 150) < 12
    assert abs(int(pictures[-1][180, 320, 2]) - 200) < 12


class DarkEnv(FakeEnv):
    """Shows black, or grey with night vision; gets a new item in its last tick."""

    def __init__(self, powers=("night_vision",)):
        super().__init__()
        self.powers = frozenset(powers)
        self.sees = False

    @contextmanager
    def bright_render(self):
        self.sees = True
        yield
        self.sees = False

    def render(self):
        return np.full((360, 640, 3), 150 if self.sees else 10, np.uint8)

    def progress(self, row=0):
        diamond = {"diamond": 1} if self.ticks == 150 else {}
        inventory = {"dirt": 1, **{f"item_{k}": 1 for k in range(20)}, **diamond}
        return replace(super().progress(row), inventory=inventory)


def filmed(env, path, true_light=False):
    with VideoWriter(path, 960, 360) as writer:
        played(env, Recorder(exposure_of(env, true_light), writer, 7))
    with av.open(str(path)) as container:
        return [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]


def test_dark_frames_are_filmed_brightly_with_a_label_on_the_panel(tmp_path):
    bright = filmed(DarkEnv(), tmp_path / "bright.mp4")
    true = filmed(DarkEnv(), tmp_path / "true.mp4", true_light=True)
    unable = filmed(DarkEnv(powers=()), tmp_path / "unable.mp4")
    for one, other, last in zip(bright, true, unable, strict=True):
        assert abs(int(one[180, 320, 0]) - 150) < 8
        assert abs(int(other[180, 320, 0]) - 10) < 8
        assert np.array_equal(other, last)
        word = (slice(10, 36), slice(840, 950))
        assert one[word].max() > 180 > 80 > other[word].max()


def test_a_new_item_stands_first_in_the_last_picture(tmp_path):
    """The diamond comes in the last tick, and only the last picture shows it."""
    film = filmed(DarkEnv(), tmp_path / "a.mp4")
    first, second = (slice(273, 288), slice(640, 790)), (slice(288, 303), slice(640, 790))
    before, after = film[-21].astype(int), film[-1].astype(int)
    assert np.abs(before[first] - after[first]).mean() > 4
    assert np.abs(before[first] - after[second]).mean() < 4  # the first item is the second now
    assert all(np.abs(picture.astype(int) - after).mean() < 1 for picture in film[-20:])


def test_ctrl_c_leaves_a_playable_video_and_a_summary(tmp_path):
    env, path = FakeEnv(interrupted_at=70), tmp_path / "a.mp4"
    with VideoWriter(path, 960, 360) as writer:
        result, text = played(env, Recorder(exposure_of(env), writer, 1))
    assert result.status == "interrupted"
    assert "interrupted: 70 ticks" in text
    with av.open(str(path)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 1 + 69 + 20


def test_a_signal_ends_a_run_as_ctrl_c_does(tmp_path):
    env, path = FakeEnv(killed_at=70), tmp_path / "a.mp4"
    with Stopping() as stopping, VideoWriter(path, 960, 360) as writer:
        result, text = played(env, Recorder(exposure_of(env), writer, 1), force_terminal=True)
    assert result.status == "interrupted"
    assert stopping.status == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert text.rindex(SHOW_CURSOR) > text.rindex(HIDE_CURSOR)
    with av.open(str(path)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 1 + 69 + 20


def test_ignored_signals_stay_ignored():
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stopping():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, former)


def test_an_episode_without_a_video_renders_nothing():
    env = FakeEnv()
    played(env)
    assert env.rendered == 0
