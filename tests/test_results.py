"""Every table of results in README and docs follows from the stored rows."""

import gzip
import json
import re
from collections import defaultdict

import pytest

from optimus_gym.core.intervals import wilson
from optimus_gym.run.results.results_folder import read_results
from optimus_gym.seeds import of_task
from tools.reference import HOME, asked
from tools.tables import BLOCK, FILES, rewritten

BLOCKS = [(file, *found) for file in FILES for found in BLOCK.findall(file.read_text())]
CELL = re.compile(r"^(\d+\.\d) % \((\d+\.\d) to (\d+\.\d)\)$")


def rows_of(name):
    """Return a folder's rows as decoded JSON."""
    with gzip.open(HOME / name / "rows.jsonl.gz", "rt") as file:
        return [json.loads(line) for line in file]


def test_tables_equal_those_made_from_the_rows():
    assert len(BLOCKS) >= 7
    for file in FILES:
        assert rewritten(file.read_text()) == file.read_text(), file.name


def test_every_evaluation_was_played_completely_on_test_seeds():
    for name, evaluation in asked().items():
        folder = read_results(HOME / name)
        played = {(row.task, row.episode): row for row in folder.rows}
        assert played.keys() == {(job.task, job.episode) for job in evaluation.jobs}, name
        assert all(row.seed == of_task(row.task)[row.episode] for row in folder.rows)
        assert folder.identity["evaluation"] == {
            key: value
            for key, value in evaluation.plain().items()
            if key not in ("tasks", "episodes", "memory")
        }
        assert "crashed" not in {row.status for row in folder.rows}


def test_every_folder_of_results_appears_in_a_table():
    told = {name for _, _, _, names, _ in BLOCKS for name in names.split()}
    assert told == set(asked()) == {path.name for path in HOME.iterdir() if path.is_dir()}


@pytest.mark.parametrize(("file", "kind", "names"), [(b[0], b[2], b[3]) for b in BLOCKS])
def test_the_tables_rates_agree_with_a_direct_calculation(file, kind, names):
    shown = file.read_text().split(f"<!-- results: {kind} {names} -->")[1]
    table = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in shown.split("<!-- end of results -->")[0].splitlines()
        if line.startswith("| ")
    ][2:]
    folders = [rows_of(name) for name in names.split()]
    checked = 0
    for place, line in enumerate(table[: len(folders)] if kind in ("whole", "overall") else table):
        of_line = [folders[place]] if kind in ("whole", "overall") else folders
        rates = [CELL.match(cell) for cell in line if CELL.match(cell)]
        for rows, cell in zip(of_line, rates, strict=False):
            by_group = defaultdict(list)
            for row in rows:
                by_group[row["group"].replace("_", " ")].append(row["success"])
            if kind == "whole":
                own = [row["success"] for row in rows]
            elif kind == "groups" and line[0] != "overall":
                own = by_group[line[0]]
            else:
                suite = rows[0]["suite"]
                wanted = set(by_group) - ({"wood", "stone"} if suite == "optimus-67" else set())
                means = [sum(by_group[group]) / len(by_group[group]) for group in wanted]
                assert float(cell[1]) == pytest.approx(100 * sum(means) / len(means), abs=0.051)
                checked += 1
                continue
            told = (sum(own) / len(own), *wilson(sum(own), len(own)))
            assert [float(part) for part in cell.groups()] == [
                round(100 * part, 1) for part in told
            ]
            checked += 1
    assert checked or kind == "speed"
