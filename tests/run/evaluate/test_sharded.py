"""An evaluation that several processes play in shards, as SLURM's array and Kubernetes' job start them."""

import csv
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from optimus_gym.core.errors import BadValue
from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.report.command import write_report
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.run.results.shards import Shard
from tests.run.evaluate.test_evaluate import timeless

ROOT = Path(__file__).resolve().parents[3]
COMMAND = (sys.executable, "-m", "optimus_gym.run.cli", "evaluate", "--world", "symbolic")
TASKS = ("Wood", "Stone", "Iron", "Diamond")
ASKED = ("--episodes", "30", "--seed", "50000", "--set", "world.failures=0.2")


def start(out, *more, tasks=TASKS, **variables):
    return subprocess.Popen(
        [*COMMAND, *ASKED, "--tasks", ",".join(tasks), "--out", out, *more],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def in_array(place, count):
    return {
        f"SLURM_ARRAY_TASK_{name}": str(n)
        for name, n in (("ID", place), ("MIN", 1), ("COUNT", count))
    }


def test_four_shards_one_of_them_killed_give_the_rows_of_one_run(tmp_path):
    """The array's second job is killed while it plays; SLURM starts it again."""
    asked = Evaluation(
        world={"name": "symbolic", "failures": 0.2}, tasks=TASKS, episodes=30, seed=50_000
    )
    out = tmp_path / "out"
    jobs = {k: start(out, **in_array(k, 4)) for k in (2, 1)}
    rows = out / "shards" / "2-of-4" / "rows.jsonl"
    while not rows.exists() or rows.read_bytes().count(b"\n") < 3:
        assert jobs[2].poll() is None, jobs[2].communicate()
        time.sleep(0.01)
    jobs[2].send_signal(signal.SIGKILL)
    jobs[2].communicate()
    before = rows.read_bytes()
    for k in (2, 3, 4):
        jobs[k] = start(out, **in_array(k, 4))
        told, faults = jobs[k].communicate(timeout=300)
        assert jobs[k].returncode == 0, faults
        assert f"shard {k} of 4" in told
    assert jobs[1].wait(300) == 0
    kept = read_results(out)
    assert timeless(kept.rows) == timeless(list(evaluate(asked)))
    assert [row.key for row in kept.rows] == [(job.task, job.episode) for job in asked.jobs]
    assert set(rows.read_bytes().splitlines()) >= set(before.splitlines()[:3])
    again = start(out)
    assert again.wait(300) == 0, "a plain run plays nothing that a shard has"
    assert not (out / "rows.jsonl").exists()


def test_a_plain_run_ends_what_shards_began(tmp_path):
    asked = Evaluation(world="symbolic", tasks=("CraftStick", "Wood"), episodes=3, seed=50_000)
    list(evaluate(asked, tmp_path, shard=Shard(1, 3)))
    assert len(list(evaluate(asked, tmp_path))) == 6
    kept = read_results(tmp_path)
    assert len(kept.rows) == 6
    assert [len(read_results(one).rows) for one in (tmp_path / "shards").iterdir()] == [2]
    assert sum(run["episodes"] for run in kept.runs) == 6
    with pytest.raises(BadValue, match="shard: expected `out`"):
        evaluate(asked, shard=Shard(1, 3))


def test_kubernetes_names_the_shard_by_its_index(tmp_path):
    job = start(tmp_path, "--shards", "4", tasks=("CraftStick",), JOB_COMPLETION_INDEX="2")
    told, faults = job.communicate(timeout=300)
    assert job.returncode == 0, faults
    assert "7 episodes of shard 3 of 4" in told
    assert [row.episode for row in read_results(tmp_path).rows] == list(range(2, 30, 4))
    lost = start(tmp_path, "--shards", "4", tasks=("CraftStick",))
    assert "expected the variable JOB_COMPLETION_INDEX" in lost.communicate(timeout=300)[1]
    assert lost.returncode == 2


def test_the_report_has_rows_and_pictures_of_all_shards(tmp_path):
    asked = Evaluation(tasks=("CraftStick",), episodes=2, seed=50_000, world="voxel")
    for k in (1, 2):
        list(evaluate(asked, tmp_path / "out", shard=Shard(k, 2)))
    files = {
        file.name: file for file in write_report([str(tmp_path / "out")], tmp_path / "page.html")
    }
    lines = csv.DictReader(files["table.csv"].read_text().splitlines())
    (whole,) = (line for line in lines if line["level"] == "task")
    assert (whole["episodes"], whole["successes"]) == ("2", "2")
    pictures = sorted(file.name for file in (tmp_path / "out").rglob("*.webp"))
    assert pictures == ["CraftStick_0.webp", "CraftStick_1.webp"]
    page = files["page.html"].read_text()
    assert all(f'"0/CraftStick/{k}"' in page for k in (0, 1))
