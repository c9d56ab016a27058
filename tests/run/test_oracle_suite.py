"""The benchmark's file can be continued, and its table is right; the oracle itself is tested elsewhere."""

import importlib.util
import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from optimus_gym.seeds import VALIDATION

FIRST = VALIDATION.start
PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "oracle_suite.py"


@pytest.fixture
def suite(monkeypatch):
    spec = importlib.util.spec_from_file_location("oracle_suite", PATH)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "oracle_suite", module)
    spec.loader.exec_module(module)
    return module


def row(suite, task, seed, status="success", ticks=100, group="wood", deaths=()):
    return suite.Row(task, group, seed, "vanilla", "", status, ticks, 0, 0.5, (), deaths)


def run(suite, monkeypatch, out, *arguments):
    """Run the script on one seed of two tasks; return the jobs that it played."""
    jobs = []

    def play_all(wanted, workers):
        jobs.extend(wanted)
        return [suite.Row(*asdict(job).values(), "success", 100, 0, 0.5, (), ()) for job in wanted]

    monkeypatch.setattr(suite, "play_all", play_all)
    tasks = ["--tasks", "Wood", "CraftStick", "--seeds", "1"]
    monkeypatch.setattr(sys, "argv", ["oracle_suite.py", "--out", str(out), *tasks, *arguments])
    suite.main()
    return [(job.task, job.seed, job.protocol) for job in jobs]


def test_only_what_the_file_lacks_is_played(suite, monkeypatch, tmp_path):
    out = tmp_path / "rows.jsonl"
    out.write_text(json.dumps(asdict(row(suite, "Wood", FIRST))) + "\n")
    assert run(suite, monkeypatch, out) == [("CraftStick", FIRST, "vanilla")]
    assert run(suite, monkeypatch, out) == []
    assert run(suite, monkeypatch, out, "--headlines", "--protocol", "optimus-1-paper") == [
        ("Wood", FIRST, "optimus-1-paper")
    ]


def test_test_seeds_are_refused(suite, monkeypatch, tmp_path, capsys):
    with pytest.raises(SystemExit):
        run(suite, monkeypatch, tmp_path / "rows.jsonl", "--first", "9999")
    assert "seed 9999 is a test seed" in capsys.readouterr().err


def test_the_table_has_rates_by_group_and_ticks_over_successes(suite, capsys):
    suite.print_table(
        [
            row(suite, "Wood", 0),
            row(suite, "Wood", 1, "budget", 3600),
            row(suite, "Stone", 0, ticks=301, group="stone"),
            row(suite, "Stone", 1, "died", 5, group="stone", deaths=("creeper",)),
        ]
    )
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert lines[0] == ["wood", "2", "50.0%", "9.5%", "to", "90.5%", "100", "0"]
    assert lines[1] == ["stone", "2", "50.0%", "9.5%", "to", "90.5%", "301", "1", "creeper", "1"]
    assert lines[2][:3] + lines[2][-4:] == ["all", "4", "50.0%", "200", "1", "creeper", "1"]


def test_causes_of_death_are_counted_the_most_frequent_first(suite):
    rows = [
        row(suite, "Wood", 0, deaths=("fall", "zombie")),
        row(suite, "Wood", 1, deaths=("zombie",)),
    ]
    assert suite.causes(rows) == "zombie 2, fall 1"
    assert suite.causes([row(suite, "Wood", 2)]) == ""
