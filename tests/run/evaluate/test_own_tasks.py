"""Users' own tasks are evaluated: from a file by the command, or registered in Python."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym import seeds
from optimus_gym.core.errors import BadValue, UnknownName
from optimus_gym.envs.own_tasks import register_task
from optimus_gym.game.suite_file import OPTIONAL, REQUIRED
from optimus_gym.game.tasks import own_tasks, task
from optimus_gym.run.evaluate import Evaluation, evaluate
from optimus_gym.run.evaluate.identity import configuration_hash, identity_of
from optimus_gym.run.results.results_folder import read_results

ROOT = Path(__file__).resolve().parents[3]
COMMAND = [sys.executable, "-m", "optimus_gym.run.cli"]
BED = {"id": "Bed", "item": "#beds", "verb": "craft", "instruction": "Sleep", "budget": 12_000}
TORCH = {
    "id": "Torches", "item": "torch", "verb": "craft", "instruction": "Make light", "budget": 6000,
    "count": 8, "group": "light", "inventory": {"oak_log": 3},
}  # fmt: skip


def optimus(*arguments):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )


def test_the_command_evaluates_a_file_of_tasks(tmp_path):
    file, out = tmp_path / "mine.json", tmp_path / "out"
    file.write_text(json.dumps({"protocol": "vanilla", "tasks": [BED, TORCH]}))
    given = ("evaluate", "--tasks-file", file, "--world", "symbolic", "--out", out)
    run = optimus(*given, "--episodes", 2, "--workers", 2, "--rows", 2)
    assert run.returncode == 0, run.stderr
    assert "4/4" in run.stderr
    kept = read_results(out)
    assert [(row.task, row.episode, row.seed) for row in kept.rows] == [
        (name, k, seeds.of_task(name)[k]) for k in (0, 1) for name in ("Bed", "Torches")
    ]
    assert {(row.suite, row.group, row.budget) for row in kept.rows} == {
        ("own", "own", 12_000),
        ("own", "light", 6000),
    }
    assert all(row.success for row in kept.rows)
    lines = {line.split()[0]: line.split() for line in run.stdout.splitlines() if line.split()}
    assert lines["own"][1:3] == lines["light"][1:3] == ["2", "100.0%"]
    assert "left out" not in run.stdout

    on = optimus(*given, "--episodes", 3, "--workers", 2)
    assert on.returncode == 0, on.stderr
    assert read_results(out).rows[:4] == kept.rows
    assert len(read_results(out).rows) == 6

    file.write_text(json.dumps({"protocol": "vanilla", "tasks": [BED, {**TORCH, "count": 4}]}))
    other = optimus(*given, "--episodes", 3)
    assert other.returncode == 2
    assert "holds rows of another evaluation" in other.stderr
    assert "evaluation.own_tasks.tasks" in other.stderr

    page = tmp_path / "page.html"
    report = optimus("report", out, "--out", page)
    assert report.returncode == 0, report.stderr
    assert "Torches" in page.read_text()


def test_the_command_refuses_a_bad_file(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"tasks": [{**BED, "item": "bedd"}]}))
    run = optimus("evaluate", "--tasks-file", file, "--out", tmp_path / "out")
    assert run.returncode == 2
    assert f"{file}: 1 fault" in run.stderr
    assert "row 0 (Bed): unknown item 'bedd'" in run.stderr
    run = optimus("evaluate", "--tasks-file", file, "--suite", "deps-50", "--out", tmp_path / "out")
    assert run.returncode == 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (
            [],
            "expected an object with the key tasks and, if wanted, protocol and groups, got 'list' (f)",
        ),
        ({"task": []}, "got 'task' (f)"),
        ({"tasks": {}}, "expected a list of rows, got dict (f)"),
        ({"tasks": "Bed"}, "expected a list of rows, got str (f)"),
        ({"tasks": [3]}, "row 0: expected an object, got int"),
        (
            {"tasks": [{**BED, "item": "torchh"}]},
            "row 0 (Bed): unknown item 'torchh'; did you mean",
        ),
        (
            {"tasks": [{k: BED[k] for k in BED if k != "budget"}]},
            "row 0 (Bed): expected a field 'budget', got none",
        ),
        ({"tasks": [BED, BED]}, "row 1 (Bed): expected a new id, got one that an earlier row has"),
        (
            {"tasks": [{**BED, "id": "Wood"}]},
            "Wood: expected a new id, got one that a suite's task has",
        ),
        ({"tasks": [{**BED, "group": ["own"]}]}, "expected group of type str, got ['own']"),
        ({"tasks": [{**BED, "biomes": ["forrest"]}]}, "unknown biome 'forrest'; did you mean"),
        ({"tasks": [{**BED, "budgets": 3}]}, "row 0 (Bed): expected no field 'budgets'"),
        ({"tasks": [BED], "groups": ["light"]}, "expected group to be one of light, got 'own'"),
        (
            {"tasks": [BED], "protocol": "vanila"},
            "unknown protocol 'vanila'; did you mean 'vanilla'",
        ),
    ],
)
def test_the_error_for_a_bad_table_names_the_fault(table, words):
    with pytest.raises((BadValue, UnknownName), match=re.escape(words)):
        own_tasks(table, "f")
    with pytest.raises((BadValue, UnknownName)):
        Evaluation(suite="own", own_tasks=table)


def test_registered_tasks_are_evaluated_in_their_sorted_order():
    for row in ({**TORCH, "id": "EvalTorches"}, {**BED, "id": "EvalBed"}):
        register_task(**row)
    chosen = ("EvalTorches", "EvalBed")
    given = Evaluation(suite="own", tasks=chosen, world="symbolic", episodes=1)
    assert given.tasks == ("EvalBed", "EvalTorches")
    assert [row["id"] for row in given.own_tasks["tasks"]] == list(given.tasks)
    again = Evaluation(**json.loads(json.dumps(given.plain())))
    assert again == given
    assert again.known["EvalBed"] == task("EvalBed")
    rows = list(evaluate(given))
    assert {(row.task, row.success) for row in rows} == {(name, True) for name in chosen}
    register_task(**{**BED, "id": "EvalAnother"})
    assert Evaluation(suite="own", tasks=chosen, world="symbolic", episodes=1) == given
    assert "EvalAnother" in Evaluation(suite="own", world="symbolic").tasks


def test_own_tasks_count_for_the_identity():
    def hashed(*rows):
        table = {"tasks": list(rows)}
        return configuration_hash(identity_of(Evaluation(suite="own", own_tasks=table)))

    assert hashed(BED) == hashed(dict(reversed(BED.items())))
    assert len({hashed(BED), hashed({**BED, "budget": 9}), hashed(BED, TORCH)}) == 3


def test_own_tasks_need_the_suite_own():
    with pytest.raises(BadValue, match="own_tasks: expected suite 'own', got suite 'deps-50'"):
        Evaluation(suite="deps-50", own_tasks={"tasks": [BED]})
    with pytest.raises(UnknownName, match="unknown task of suite 'own' 'Beds'; did you mean 'Bed'"):
        Evaluation(suite="own", own_tasks={"tasks": [BED]}, tasks=("Beds",))


def test_the_pages_example_can_be_evaluated():
    text = (ROOT / "docs" / "own_tasks.md").read_text()
    (example,) = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    given = Evaluation(suite="own", own_tasks=json.loads(example), world="symbolic", episodes=1)
    assert given.groups == {"Bed": "own", "Torches": "light"}
    assert all(row.success for row in evaluate(given))
    named = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert named == (set(REQUIRED) | set(OPTIONAL) | {"source"}) - {"headline", "figures"}
