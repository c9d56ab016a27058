"""`optimus-gym run` in the embedded world, started like a user's command."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import av

ROOT = Path(__file__).resolve().parents[2]
RUN = (sys.executable, "-u", "-m", "optimus_gym.run.cli", "run")


def pictures(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def hear_ctrl_c():
    """Undo that background jobs of a shell ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_run_reaches_a_wooden_pickaxe_and_writes_a_video(tmp_path):
    path = tmp_path / "wood.mp4"
    command = (*RUN, "Optimus-Wood-v0", "--seed", "0", "--video", str(path), "--every", "10")
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    lines = run.stdout.splitlines()
    assert lines[0].startswith("Wood: ")
    assert any(re.match(r" +ok craft 1 wooden_pickaxe .*reached$", line) for line in lines)
    summary = next(line for line in lines if line.startswith("success: "))
    ticks = int(re.search(r"([\d,]+) ticks", summary)[1].replace(",", ""))
    assert lines[-1] == f"video: {path}"
    seen = pictures(path)
    assert len(seen) == 1 + -(-ticks // 10) + 20
    assert seen[0].shape == (360, 960, 3)
    world = [picture[:, :640] for picture in seen]
    assert all(picture.std() > 10 for picture in world)  # the picture is not empty
    assert abs(world[0].astype(int) - world[len(world) // 2]).mean() > 5  # the picture changes


def test_ctrl_c_leaves_a_playable_video(tmp_path):
    path = tmp_path / "diamond.mp4"
    command = (*RUN, "Optimus-Diamond-v0", "--seed", "1", "--video", str(path), "--every", "2")
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )
    try:
        for line in run.stdout:
            if line.startswith("  ok "):
                break
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 130, err
    assert "interrupted: " in out
    assert "Traceback" not in err
    assert len(pictures(path)) > 20


def test_the_tick_budget_can_be_set():
    command = (*RUN, "Optimus-Diamond-v0", "--seed", "0", "--ticks", "40")
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 1, run.stderr
    assert "the tick budget is spent: 40 ticks" in run.stdout
