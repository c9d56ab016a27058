"""The command line through real processes, up to where a world is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym import __version__

ROOT = Path(__file__).resolve().parents[2]


def optimus(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "optimus_gym.run.cli", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_list_names_ids_and_parts():
    run = optimus("list")
    assert run.returncode == 0
    for name in ("Optimus-Diamond-v0", "OptimusControl-Wood-v0", "OptimusFlat-Armor-v0"):
        assert name in run.stdout
    assert "world: voxel" in run.stdout
    assert "oracle" in run.stdout
    assert "protocol: vanilla, optimus-1-paper" in run.stdout


def test_version():
    assert optimus("--version").stdout.strip() == __version__


BAD = [
    (("run", "Optimus-Diamnd-v0"), "unknown environment 'Optimus-Diamnd-v0'; did you mean"),
    (("run", "CartPole-v1"), "unknown environment 'CartPole-v1'"),
    (("run", "OptimusFlat-Diamond-v0"), "expected a sub-goal view such as"),
    (("run", "Optimus-Wood-v0", "--seed", "-1"), "expected an integer from 0 to 2**63 - 1, got -1"),
    (("run", "Optimus-Wood-v0", "--resolution", "big"), "expected WxH such as 128x128, got 'big'"),
    (("run", "Optimus-Wood-v0", "--resolution", "0x64"), "integers from 1 to 4096"),
    (("run", "Optimus-Wood-v0", "--world", "voxl"), "unknown world 'voxl'; did you mean 'voxel'?"),
    (("run", "Optimus-Wood-v0", "--controller", "oracl"), "unknown controller 'oracl'"),
    (("run", "Optimus-Wood-v0", "--agent", "x"), "unknown agent 'x'"),
    (("run", "Optimus-Wood-v0", "--protocol", "vanila"), "unknown protocol 'vanila'"),
    (("run", "Optimus-Wood-v0", "--ticks", "0"), "expected an integer of at least 1, got 0"),
    (("run", "Optimus-Wood-v0", "--every", "0"), "every: expected at least 1, got 0"),
    (("run", "Optimus-Wood-v0", "--video", "none/a.mp4"), "does not exist"),
    (("run", "Optimus-Wood-v0", "--video", "tests"), "file name ending in .mp4"),
]


@pytest.mark.parametrize(("arguments", "why"), BAD, ids=[" ".join(a) for a, _ in BAD])
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
    assert "invalid choice: 'fly'" in run.stderr
