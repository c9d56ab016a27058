"""`optimus-gym evaluate` through a real process."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from optimus_gym.run.evaluate import command
from optimus_gym.run.results.results_folder import read_results
from tests.run.results.making import a_row

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "optimus_gym.run.cli", "evaluate", "--world", "symbolic"]


def optimus(*arguments):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def test_the_command_evaluates_a_suite_and_prints_a_table(tmp_path):
    out = tmp_path / "out"
    run = optimus("--episodes", 1, "--workers", 2, "--set", "world.failures=0.3", "--out", out)
    assert run.returncode == 0, run.stderr
    kept = read_results(out)
    assert len(kept.rows) == 67
    assert kept.identity["evaluation"]["world"] == {"name": "symbolic", "failures": 0.3}
    lines = {line.split()[0]: line.split() for line in run.stdout.splitlines() if line.split()}
    for group in ("wood", "stone", "iron", "gold", "diamond", "redstone", "armor"):
        own = [row for row in kept.rows if row.group == group]
        rate = sum(row.success for row in own) / len(own)
        assert lines[group][1:3] == [str(len(own)), f"{rate:.1%}"]
    assert "overall" in lines
    assert re.search(r"67/67 [1-9][\d,.]* /h", run.stderr)
    again = optimus("--episodes", 1, "--set", "world.failures=0.3", "--out", out)
    assert again.stdout.splitlines()[:-1] == run.stdout.splitlines()[:-1]
    assert "67/67 - /h" in again.stderr  # no episode was played again


def test_each_failed_episode_is_reported_in_one_line(tmp_path, monkeypatch, capfd):
    """The line of a crash is its last line; an impossible task gets one line."""
    rows = [
        a_row(episode=0),
        a_row(
            episode=1, success=False, status="crashed", reason="Traceback\n  x\nValueError: no\n"
        ),
        a_row(episode=2, success=False, status="crashed", reason=""),
        a_row(episode=3, success=False, status="crashed (time)", reason="it took more than 9 s"),
        *(
            a_row("Wood", k, success=False, status="impossible", reason="expected executors")
            for k in range(2)
        ),
    ]
    monkeypatch.setattr(command, "evaluate", lambda *_, **__: (row for row in rows))
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    given = ("--world", "symbolic", "--tasks", "Diamond,Wood", "--out", str(tmp_path))
    assert command.run(parser.parse_args(given)) == 0
    said = [line.strip() for line in capfd.readouterr().err.splitlines()]
    assert said[:4] == [
        "Diamond 8 crashed: ValueError: no",
        "Diamond 9 crashed:",
        "Diamond 10 crashed (time): it took more than 9 s",
        "not played, counts as a failure: expected executors",
    ]


@pytest.mark.parametrize("flags", [(), ("--true-light",)])
def test_films_show_the_true_light_on_request(tmp_path, monkeypatch, flags):
    asked = []

    def rows(*_, pictures, **__):
        asked.append(pictures.true_light)
        yield a_row()

    monkeypatch.setattr(command, "evaluate", rows)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    given = ("--tasks", "Diamond", "--videos", "all", "--out", str(tmp_path), *flags)
    assert command.run(parser.parse_args(given)) == 0
    assert asked == [bool(flags)]


def test_ctrl_c_keeps_the_finished_episodes(tmp_path):
    out = tmp_path / "out"
    run = subprocess.Popen(
        [*COMMAND, "--out", str(out), "--workers", "2"],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # a background job ignores SIGINT
    )
    rows = out / "rows.jsonl"
    limit = time.monotonic() + 60
    while not rows.exists() or rows.stat().st_size < 20_000:
        assert time.monotonic() < limit
        time.sleep(0.02)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=60) == 130
    done = read_results(out)
    assert 0 < len(done.rows) < 2010
    assert not done.cut
    assert not os.path.exists(f"/proc/{run.pid}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "optimus-66"], "unknown suite 'optimus-66'; did you mean 'optimus-67'"),
        (["--agent", "optimus"], "unknown agent 'optimus'"),
        (["--tasks", "Diamond,Dimond"], "did you mean 'Diamond'"),
        (["--workers", "0"], "workers: expected an integer from 1 to 256, got 0"),
        (["--set", "subgoal_ticks"], "set: expected NAME=VALUE, got 'subgoal_ticks'"),
        (["--set", "world.failures=2"], "failures: expected"),
        (["--crafting", "mouse"], "crafting: expected None, 'functional' or 'gui', got 'mouse'"),
        (["--crafting", "gui"], "crafting: expected for 'gui' a world with 'mouse'"),
        (["--crafting", "gui", "--set", "crafting=gui"], "expected --crafting or --set crafting="),
        (["--set", "ticks=1", "--set", "ticks=2"], "ticks: expected a value once, got it twice"),
        (["--start", "time=teatime"], "option time: expected an integer from 0 to 23999"),
        (["--start", "snapshot=x"], "unknown reset option of all episodes 'snapshot'"),
        (["--seed", "17"], "seed 17 is a test seed"),
    ],
)
def test_bad_arguments_are_refused(tmp_path, arguments, message):
    run = optimus(*arguments, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr
    assert (
        not (tmp_path / "out" / "rows.jsonl").exists()
        or not (tmp_path / "out" / "rows.jsonl").read_bytes()
    )


def test_the_command_compares_two_evaluations(tmp_path):
    for name, failures in (("sure", 0.0), ("shaky", 0.9)):
        world = f"world.failures={failures}"
        arguments = (
            "--tasks",
            "Wood,Stone",
            "--episodes",
            3,
            "--set",
            world,
            "--set",
            "ticks=2000",
        )
        assert optimus(*arguments, "--out", tmp_path / name).returncode == 0
    command = [sys.executable, "-m", "optimus_gym.run.cli", "compare"]
    run = subprocess.run(
        [*command, "--by-task", str(tmp_path / "sure"), str(tmp_path / "shaky")],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "evaluation.world.failures: first 0.0, second 0.9" in run.stdout
    rows = {name: read_results(tmp_path / name).rows for name in ("sure", "shaky")}
    lines = [line.split() for line in run.stdout.splitlines()]
    for task in ("Wood", "Stone"):
        rates = [
            sum(row.success for row in rows[name] if row.task == task) / 3
            for name in ("sure", "shaky")
        ]
        (line,) = [cells for cells in lines if cells and cells[0] == task]
        assert line[1:5] == ["3", *(f"{rate:.1%}" for rate in rates), f"{rates[1] - rates[0]:+.1%}"]
    (whole,) = [cells for cells in lines if cells[:2] == ["all", "pairs"]]
    shares = [sum(row.success for row in rows[name]) / 6 for name in ("sure", "shaky")]
    assert whole[2:5] == ["6", *(f"{share:.1%}" for share in shares)]
    missing = subprocess.run(
        [*command, str(tmp_path / "sure"), str(tmp_path / "none")],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert missing.returncode == 2
    assert "expected a folder of an evaluation" in missing.stderr


def test_a_world_that_breaks_its_contract_is_reported_as_a_crash(tmp_path):
    out = tmp_path / "out"
    world = "tests.worlds.mistaken:Unseen"
    given = ("--tasks", "Wood", "--episodes", 2, "--world", world, "--out", out)
    run = optimus(*given)
    assert run.returncode == 0, run.stderr
    words = (
        f"BadValue: world '{world}' calls 'place 1 crafting_table' done: expected the event used "
        "of crafting_table (`events`), got 0% of it and no event"
    )
    told = run.stdout + run.stderr
    assert told.count(words) == 2
    for row in read_results(out).rows:
        assert row.status == "crashed"
        assert words in row.reason
    (line,) = [line.split() for line in run.stdout.splitlines() if line.split()[:1] == ["wood"]]
    assert line[:4] == ["wood", "2", "-", "-"]
    assert line[-2:] == ["crashed", "2"]
    page = tmp_path / "page.html"
    made = subprocess.run(
        [*COMMAND[:3], "report", str(out), "--out", str(page)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert "0.0 %" not in page.read_text()
    assert "0.0 (" not in page.with_suffix("").joinpath("table.tex").read_text()
