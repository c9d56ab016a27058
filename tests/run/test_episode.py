import io
import signal

import av
import pytest
from fake_env import PLAN, FakeEnv
from rich.console import Console

from optimus_gym.run.episode import Player, Recorder, rendered
from optimus_gym.terminal.stopping import Stopping
from optimus_gym.wrappers.video import VideoWriter

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
        played(env, Recorder(rendered(env), writer, every))
    shown = -(-150 // every)
    assert env.rendered == 1 + shown + 1
    with av.open(str(path)) as container:
        pictures = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    assert len(pictures) == 1 + shown + 20
    assert pictures[0].shape == (360, 960, 3)
    assert abs(int(pictures[-1][180, 320, 0]) - 150) < 12
    assert abs(int(pictures[-1][180, 320, 2]) - 200) < 12


def test_ctrl_c_leaves_a_playable_video_and_a_summary(tmp_path):
    env, path = FakeEnv(interrupted_at=70), tmp_path / "a.mp4"
    with VideoWriter(path, 960, 360) as writer:
        result, text = played(env, Recorder(rendered(env), writer, 1))
    assert result.status == "interrupted"
    assert "interrupted: 70 ticks" in text
    with av.open(str(path)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 1 + 69 + 20


def test_a_signal_ends_a_run_as_ctrl_c_does(tmp_path):
    env, path = FakeEnv(killed_at=70), tmp_path / "a.mp4"
    with Stopping() as stopping, VideoWriter(path, 960, 360) as writer:
        result, text = played(env, Recorder(rendered(env), writer, 1), force_terminal=True)
    assert result.status == "interrupted"
    assert stopping.status == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert text.rindex(SHOW_CURSOR) > text.rindex(HIDE_CURSOR)
    with av.open(str(path)) as container:
        assert sum(1 for _ in container.decode(video=0)) == 1 + 69 + 20


def test_what_a_process_does_with_its_signals_stays():
    former = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Stopping():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, former)


def test_without_a_video_nothing_is_rendered():
    env = FakeEnv()
    played(env)
    assert env.rendered == 0
