"""An evaluation ends and reports parts that hang, fork, read, write too much or ignore signals."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.row import MOST_REASON
from tests.run.evaluate.failing import WHERE

ROOT = Path(__file__).resolve().parents[3]
TWO = Evaluation(world="symbolic", tasks=("CraftBowl", "CraftStick"), episodes=1)
COMMAND = [sys.executable, "-m", "optimus_gym.run.cli", "evaluate", "--world", "symbolic"]


def by(agent, **other):
    return replace(TWO, agent=f"tests.run.evaluate.failing:{agent}", **other)


def by_task(rows):
    return {row.task: row for row in rows}


def group_of(process):
    """Return this machine's processes in the groups of the given processes, without this process."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            told = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(told[2]) in process and told[0] != "Z":
            found.append(int(place.name))
    return found


def test_a_dead_worker_is_noticed_even_if_its_child_holds_the_pipe():
    rows = by_task(evaluate(by("Forking"), rows=2))
    assert "its process was ended by SIGKILL, 3 times" in rows[WHERE].reason
    assert rows["CraftStick"].success


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_signal_ends_all_processes_within_seconds(tmp_path, number):
    run = subprocess.Popen(
        [*COMMAND, "--tasks", "CraftBowl", "--out", tmp_path / "out",
         "--agent", "tests.run.evaluate.failing:Deaf"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    children = Path(f"/proc/{run.pid}/task/{run.pid}/children")
    limit, workers = time.monotonic() + 60, []
    while len(group_of(workers)) < 2:  # a worker and what it has started
        assert time.monotonic() < limit
        workers = [int(one) for one in children.read_text().split()]
        time.sleep(0.05)
    begun = time.monotonic()
    run.send_signal(number)
    run.wait(timeout=30)
    assert time.monotonic() - begun < 8  # 5 s are the rule, 3 s allow for a busy machine
    assert run.returncode == 128 + number
    limit = time.monotonic() + 2
    while group_of(workers):  # the guard sees the end of its command a moment later
        assert time.monotonic() < limit
        time.sleep(0.02)
    run.stdout.close()


def test_an_agent_that_reads_input_finds_no_input():
    assert all(row.success for row in evaluate(by("Reading")))


def test_an_error_of_50_megabytes_is_cut_in_its_row(tmp_path):
    rows = by_task(evaluate(by("Verbose"), tmp_path / "out"))
    told = rows[WHERE].reason
    assert len(told) <= MOST_REASON
    assert told.startswith("Traceback")
    assert told.rstrip().endswith("xx end")
    assert "characters are left out" in told
    assert (tmp_path / "out" / "rows.jsonl").stat().st_size < 100_000


def test_a_crash_in_the_symbolic_world_is_not_privileged():
    rows = by_task(evaluate(by("Exiting")))
    assert not rows[WHERE].privileged
    assert not rows["CraftStick"].privileged


@pytest.mark.parametrize("rows", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_episode_over_its_time_limit_is_not_counted(tmp_path, rows):
    out = tmp_path / "out"
    told = by_task(evaluate(by("Hanging"), out, rows=rows, episode_limit=3))
    assert told[WHERE].status == "crashed (time)"
    assert told[WHERE].reason == "it took more than 3 s by itself"
    assert not told[WHERE].is_counted
    assert told["CraftStick"].success
    assert by_task(read_results(out).rows) == told


def test_crashed_episodes_are_played_again_on_request(tmp_path):
    out = tmp_path / "out"
    list(evaluate(TWO, out))
    whole = read_results(out).rows
    broken = [
        replace(row, status=status, success=False).to_line()
        for row, status in zip(whole, ("crashed (time)", "crashed"), strict=True)
    ]
    (out / "rows.jsonl").write_text("".join(broken))
    assert {row.status for row in evaluate(TWO, out)} == {"crashed (time)", "crashed"}
    assert all(row.success for row in evaluate(TWO, out, again="crashed"))
    after = read_results(out).rows
    assert [replace(row, wall_s=0) for row in after] == [replace(row, wall_s=0) for row in whole]
    (out / "rows.jsonl").write_text(broken[0] + whole[1].to_line())
    source = evaluate(TWO, out, again="crashed")
    assert next(source) == whole[1]
    source.close()
    assert read_results(out).rows == (whole[1],)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf"), "3", True])
def test_bad_limits_and_kinds_of_episodes_are_refused(limit):
    with pytest.raises(BadValue, match="episode_limit: expected a number of seconds above 0"):
        evaluate(TWO, episode_limit=limit)
    with pytest.raises(UnknownName, match=r"unknown kind of episodes 'crashd'.*'crashed'"):
        evaluate(TWO, again="crashd")


def test_the_command_has_the_options_episode_limit_and_again(tmp_path):
    given = ["--tasks", "CraftBowl,CraftStick", "--episodes", "1", "--out", str(tmp_path / "out")]
    given += ["--rows", "1"]
    hanging = ["--agent", "tests.run.evaluate.failing:Hanging", "--episode-limit", "3"]
    run = subprocess.run(
        [*COMMAND, *given, *hanging], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "crashed (time): it took more than 3 s by itself" in run.stderr
    assert "100.0%" in run.stdout
    assert "crashed (time) 1" in run.stdout
    runs = [json.loads(line) for line in (tmp_path / "out" / "runs.jsonl").read_text().splitlines()]
    assert [one["episodes"] for one in runs] == [2]
