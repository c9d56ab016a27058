"""A model with no used reply is an error of run, evaluate and record, through real processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.run.results.results_folder import read_results
from tests.backbones.openai_server import KEY, saying, serving

ROOT = Path(__file__).resolve().parents[2]
PROSE = "I am \x1b[31m a teapot, \u202eand short"
DEAD = "http://127.0.0.1:9/v1"
LOST = "'connection lost (ConnectError)'"
UNREAD = "'answer 1: expected a JSON object of steps or numbered lines, got neither'"


def prose(text, tries):
    return saying({"content": PROSE})


def optimus(*arguments, **variables):
    environment = {name: value for name, value in os.environ.items() if "PROXY" not in name.upper()}
    return subprocess.run(
        [sys.executable, "-m", "optimus_gym.run.cli", *map(str, arguments)],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
        env={**environment, "OPENAI_API_KEY": KEY, **variables},
    )  # fmt: skip


def run_wood(address):
    return optimus(
        "run", "Optimus-Wood-v0", "--world", "symbolic", "--backbone", "openai", "--model", "m",
        "--base-url", address, "--set", "backbone.retries=0",
    )  # fmt: skip


def evaluate_wood(address, out):
    return optimus(
        "evaluate", "--world", "symbolic", "--tasks", "CraftWoodenAxe, CraftStick", "--episodes", 2,
        "--backbone", "openai", "--set", "backbone.model=m", "--set", "backbone.retries=0",
        "--set", f"backbone.base_url={address}", "--out", out,
    )  # fmt: skip


def ends_in_vain(process, fault, calls, where=""):
    """Assert that the error stream has one line about unused replies with the first fault."""
    assert process.returncode == 3
    last = process.stderr.splitlines()[-1]
    assert last.startswith("optimus-gym: backbone ")
    assert f"expected a usable reply, got {calls} unusable ones{where}; first fault:" in last
    assert last.endswith(fault)
    for told in (process.stdout, process.stderr):
        assert "\x1b" not in told
        assert "\u202e" not in told
        assert "Traceback" not in told


def test_a_run_against_a_dead_server_fails_with_the_fault():
    ran = run_wood(DEAD)
    ends_in_vain(ran, LOST, 1)
    assert "backbone asked once, failed once; " in ran.stdout
    assert f"first fault: {LOST}" in ran.stdout


def test_a_run_with_replies_in_prose_fails_with_the_fault():
    with serving(prose) as server:
        ran = run_wood(server.address)
    ends_in_vain(ran, UNREAD, len(server.asked))
    assert f"first fault: {UNREAD}" in ran.stdout


@pytest.mark.parametrize("alive", [False, True])
def test_an_evaluation_without_used_replies_finishes_and_fails(tmp_path, alive):
    with serving(prose) as server:
        ran = evaluate_wood(server.address if alive else DEAD, tmp_path / "out")
    rows = read_results(tmp_path / "out").rows
    fault = UNREAD if alive else LOST
    ends_in_vain(ran, fault, sum(row.calls for row in rows), " in 4 episodes")
    assert len(rows) == 4
    assert all(repr(row.fault) == fault for row in rows)
    assert {row.unanswered == row.calls for row in rows} == {not alive}
    assert "no reply used in 4 episodes; " in ran.stdout
    assert "4 episodes in " in ran.stdout


QUITTER = """
from optimus_gym.core.deliberation import Decision
from optimus_gym.core.requests import Request
from tests.envs.test_loop import Judge


class Quitter(Judge):
    def decide(self, situations):
        asked = [Request("plan", "?", row=one.row) for one in situations]
        self.setting.backbone.complete(asked)
        return [Decision(None, "no plan at all", corrections=2, problems=("odd",)) for _ in asked]
"""


@pytest.mark.parametrize("view", ["Optimus", "OptimusFlat"])
def test_a_recording_without_used_replies_fails(tmp_path, view):
    pytest.importorskip("minari")
    (tmp_path / "quitter.py").write_text(QUITTER)
    world = "symbolic" if view == "Optimus" else "voxel"
    ran = optimus(
        "record", f"{view}-CraftWoodenAxe-v0", "optimus/vain-v0", "--root", tmp_path, "--world", world,
        "--agent", "quitter:Quitter", "--episodes", 2, "--backbone", "openai:m", "--base-url", DEAD,
        "--set", "backbone.retries=0", PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}",
    )  # fmt: skip
    ends_in_vain(ran, LOST, 2, " in 2 episodes")


def test_a_run_that_gives_up_at_once_gives_the_reason(tmp_path):
    (tmp_path / "quitter.py").write_text(QUITTER)
    with serving(prose) as server:
        ran = optimus(
            "run", "Optimus-Wood-v0", "--world", "symbolic", "--agent", "quitter:Quitter",
            "--backbone", "openai:m", "--base-url", server.address,
            PYTHONPATH=f"{ROOT}{os.pathsep}{tmp_path}",
        )  # fmt: skip
    ends_in_vain(ran, "'odd'", 1)
    lines = ran.stdout.splitlines()
    assert lines[0] == "Wood: Craft a wooden pickaxe"
    assert lines[1].startswith("the agent gave up: 0 ticks, ")
    assert lines[1].endswith(" 0 sub-goals, 0 replans")
    assert lines[2:] == [
        "reason: no plan at all",
        "backbone asked once, corrected twice; first fault: 'odd'",
    ]
