"""The command line through real processes, up to where a world is needed."""

import inspect
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import av
import gymnasium
import numpy as np
import pytest

from optimus_gym import __version__
from optimus_gym.controllers.random import RandomController
from optimus_gym.core.registration import environment_ids, views
from optimus_gym.core.registry import names
from optimus_gym.envs.config import PART_KINDS
from optimus_gym.game.protocols import protocols
from optimus_gym.game.tasks import SUITES, headline_tasks, tasks
from optimus_gym.run import cli
from tests.run.fake_env import FakeEnv

ROOT = Path(__file__).resolve().parents[2]


def optimus(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "optimus_gym.run.cli", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_list_is_short_and_describes_each_part():
    run = optimus("list")
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    assert len(lines) <= 88
    told = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  ")}
    parts = {name for kind in (*PART_KINDS, "aligner", "reward") for name in names(kind)}
    tasks_told = {f"Optimus-{task.id}-v0" for task in headline_tasks()}
    assert set(told) == {*views(), *parts, *protocols(), *SUITES, *tasks_told}
    assert min(map(len, told.values())) > 2
    assert " ".join(told["random"]) == inspect.getdoc(RandomController).splitlines()[0]


def test_list_all_prints_every_environment():
    lines = optimus("list", "--all").stdout.splitlines()
    names = {name for line in lines for name in line.split() if name.endswith("-v0")}
    assert names == set(environment_ids())


@pytest.mark.parametrize("suite", SUITES)
def test_list_shows_a_suite(suite):
    head, *lines = optimus("list", "--suite", suite).stdout.splitlines()
    assert head.split("  ")[0] == "sub-goal view"
    assert [line.split()[0] for line in lines] == [f"Optimus-{name}-v0" for name in tasks(suite)]


def test_gymnasiums_list_groups_the_ids_by_view():
    listed = gymnasium.pprint_registry(disable_print=True)
    for view, prefix in (("subgoal", ""), ("control", "Control"), ("flat", "Flat")):
        group = listed.split(f"===== {view} =====\n")[1].split("=====")[0]
        ours = [name for name in environment_ids() if name.startswith(f"Optimus{prefix}-")]
        assert ours
        assert set(ours) <= set(group.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("arguments", [("list",), ("plan", "stick"), ("bench", "--rounds", "0")])
def test_a_full_output_device_is_reported_in_one_line(arguments):
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "optimus_gym.run.cli", *arguments],
            cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=300,
        )  # fmt: skip
    expected = "rounds: " if arguments[0] == "bench" else "[Errno 28] No space left on device"
    assert run.returncode == (2 if arguments[0] == "bench" else 74)
    assert run.stderr.startswith(f"optimus-gym: {expected}")
    assert len(run.stderr.splitlines()) == 1


def test_a_closed_pipe_causes_no_error_message():
    run = subprocess.run(
        f"{sys.executable} -m optimus_gym.run.cli list --all | head -1",
        cwd=ROOT, shell=True, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert run.stdout.startswith("sub-goal view")
    assert run.stderr == ""


def test_kill_leaves_a_playable_video(tmp_path):
    path = tmp_path / "a.mp4"
    command = ("run", "Optimus-Diamond-v0", "--every", "20", "--video", path)
    with subprocess.Popen(
        [sys.executable, "-m", "optimus_gym.run.cli", *map(str, command)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as run:  # fmt: skip
        while not run.stdout.readline().startswith("  ok"):
            assert run.poll() is None
        run.terminate()
        _, told = run.communicate(timeout=60)
    assert run.returncode == 128 + signal.SIGTERM
    assert "Traceback" not in told
    with av.open(str(path)) as container:
        assert sum(1 for _ in container.decode(video=0)) > 20
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("flags", [(), ("--true-light",)])
def test_a_film_shows_the_true_light_on_request(tmp_path, monkeypatch, flags):
    env = FakeEnv()
    env.powers = frozenset({"night_vision"})
    env.render = lambda: np.zeros((360, 640, 3), np.uint8)
    monkeypatch.setattr(gymnasium, "make", lambda *_, **__: env)
    drawn = []
    env.bright_render = lambda: drawn.append(True) or nullcontext()
    path = str(tmp_path / "a.mp4")
    assert cli.main(["run", "Optimus-Wood-v0", "--video", path, *flags]) == 0
    assert bool(drawn) is not bool(flags)


def test_version_prints_the_packages_version():
    assert optimus("--version").stdout.strip() == __version__


LONG = "9" * 5000
"""Python reads no number of more than 4,300 digits."""
BAD = [
    (("run", "Optimus-Diamnd-v0"), "unknown environment 'Optimus-Diamnd-v0'; did you mean"),
    (("run", "CartPole-v1"), "unknown environment 'CartPole-v1'"),
    (("run", "OptimusFlat-Diamond-v0"), "expected the sub-goal view, 'Optimus-Diamond-v0', got"),
    (("run", "Optimus-Wood-v0", "--seed", "-1"), "expected an integer from 0 to 2**63 - 1, got -1"),
    (("run", "Optimus-Wood-v0", "--resolution", "big"), "expected WxH such as 128x128, got 'big'"),
    (("run", "Optimus-Wood-v0", "--resolution", "0x64"), "integers from 1 to 4096"),
    (("run", "Optimus-Wood-v0", "--world", "voxl"), "unknown world 'voxl'; did you mean 'voxel'?"),
    (("run", "Optimus-Wood-v0", "--controller", "oracl"), "unknown controller 'oracl'"),
    (("run", "Optimus-Wood-v0", "--agent", "x"), "unknown agent 'x'"),
    (("run", "Optimus-Wood-v0", "--protocol", "vanila"), "unknown protocol 'vanila'"),
    (("run", "Optimus-Wood-v0", "--ticks", "0"), "expected an integer of at least 1, got 0"),
    (("run", "Optimus-Wood-v0", "--every", "0"), "every: expected an integer of at least 1, got 0"),
    (("run", "Optimus-Wood-v0", "--resolution", f"{LONG}x3"), "expected WxH such as 128x128, got"),
    (("run", "Optimus-Wood-v0", "--world", "..:x"), "world: expected 'module:attribute'"),
    (("run", "Optimus-Wood-v0", "--world", "os.path:join"), "expected an attribute `can`"),
    (("run", "Diamnd"), "unknown environment 'Diamnd'; did you mean 'Optimus-Diamond-v0'?"),
    (("run", "Wood", "--sed", "3"), "unknown option '--sed'; did you mean '--seed'"),
    (("run", "Wood", "--seed", "x"), "seed: expected an integer, got 'x'"),
    (
        ("evaluate", "--out", "x", "--tasks", "Wood, Stn"),
        "unknown task of suite 'optimus-67' 'Stn'",
    ),
    (("list", "--suite", "deps-50", "--all"), "list: expected --suite or --all, got both"),
    (("list", "--suite", "deps"), "unknown suite 'deps'; did you mean 'deps-50'?"),
    (("plan", "stick", "--count", "9" * 20), "count: expected an integer from 1 to 1000000"),
    (("plan", "stick", "--have", f"oak_log={LONG}"), "have: oak_log: expected an integer from 1"),
    (("bench", "--rounds", "0"), "rounds: expected an integer of at least 1, got 0"),
    (("bench", "--steps", "-5"), "steps: expected an integer of at least 1, got -5"),
    (("run", "Optimus-Wood-v0", "--video", "none/a.mp4"), "does not exist"),
    (("run", "Optimus-Wood-v0", "--video", "tests"), "file name ending in .mp4"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[" ".join(a)[:60] for a, _ in BAD])
def test_bad_input_is_one_line_and_exit_status_2(arguments, why):
    run = optimus(*arguments)
    assert run.returncode == 2
    assert run.stdout == ""
    assert why in run.stderr
    assert run.stderr.startswith("optimus-gym: ")
    assert len(run.stderr.splitlines()) == 1


def test_an_unknown_command_is_refused():
    run = optimus("fly")
    assert run.returncode == 2
    assert run.stderr.startswith("optimus-gym: unknown command 'fly'; none of the 19 known names")
