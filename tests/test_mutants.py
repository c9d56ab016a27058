"""The tool that puts mutants into the package, and its table: `tools/mutants`."""

import ast
import json
import os
import subprocess
import sys

import pytest

from tools.mutants.copying import ROOT, write_mutants
from tools.mutants.schemata import with_mutants
from tools.mutants.table import BadRow, Mutant, left_out_tests, mutants

SOURCE = '''"""A module."""

from __future__ import annotations

LEAST = 3


def larger(a, b):
    """Return the larger one."""
    if a > b and a > LEAST:
        return a
    best = b
    best += 0
    return max(
        best,
        0,
    )


def smaller(a, b):
    best = b
    cells = [0, 0]
    cells[0] = a
    if cells[0] < best:
        return cells[0]
    return best
'''


def row(old, new, function=None, name="row"):
    return Mutant(name, "area", "module.py", old, new, (), (), function)


def mutated(*rows):
    """Return a function that activates a mutant and returns the module's functions, and the source."""
    source, _ = with_mutants(SOURCE, list(enumerate(rows)))

    def functions(active):
        names = {"is_active": lambda number: number == active}
        text = source.replace("from mutant_switch import is_active", "")
        exec(compile(text, "module.py", "exec"), names)
        return names

    return functions, source


def test_a_mutant_acts_only_when_its_number_is_chosen():
    functions, source = mutated(
        row("if a > b and a > LEAST:", "if a < b and a > LEAST:"),
        row("if a > b and a > LEAST:", "if a > b:"),
        row("best += 0", "best += 10"),
        row("0,", "50,"),
        row("cells[0] = a", "cells[1] = a"),
        row("best = b", "best = b + 1", "smaller"),
        row("return best", "pass"),
    )
    assert functions(None)["larger"](7, 5) == 7
    assert functions(0)["larger"](7, 5) == 5
    assert (functions(None)["larger"](2, 1), functions(1)["larger"](2, 1)) == (1, 2)
    assert functions(2)["larger"](7, 8) == 18
    assert functions(3)["larger"](7, 8) == 50
    assert (functions(None)["smaller"](7, 5), functions(4)["smaller"](7, 5)) == (5, 0)
    assert (functions(5)["smaller"](7, 5), functions(5)["larger"](7, 8)) == (6, 8)
    assert functions(6)["smaller"](7, 5) is None
    tree = ast.parse(source)
    assert ast.get_docstring(tree) == "A module."
    assert source.index("__future__") < source.index("mutant_switch") < source.index("LEAST")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            row("best = a", "best = b"),
            "row: expected the line 'best = a' once in module.py, got it 0",
        ),
        (
            row("best = b", "best = a"),
            "row: expected the line 'best = b' once in module.py, got it 2",
        ),
        (
            row("best = b", "best = a", "none"),
            "row: expected one function 'none' in module.py, got 0",
        ),
        (row("best += 0", "best += "), "row: expected Python, got 'best += '"),
        (row("best += 0", "best += 0"), "row: expected a mutant that differs from the code"),
        (row("LEAST = 3", "LEAST = 4"), "row: expected a line in a function of module.py"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(wrong, told):
    with pytest.raises(BadRow) as caught:
        with_mutants(SOURCE, [(0, wrong)])
    assert told in str(caught.value)


def test_every_row_of_the_table_fits_the_sources(tmp_path):
    rows = mutants()
    for file in {mutant.file for mutant in rows}:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes((ROOT / file).read_bytes())
    placed = write_mutants(rows, tmp_path)
    assert [row.mutant for row in placed] == rows
    for file in {mutant.file for mutant in rows}:
        compile((tmp_path / file).read_text(), file, "exec")
    tests = {name for mutant in rows for name in mutant.tests}
    assert [name for name in sorted(tests) if not (ROOT / name).is_file()] == []
    for name in left_out_tests():
        file, _, test = name.partition("::")
        assert f"def {test}" in (ROOT / file).read_text(encoding="utf-8")


def test_the_table_has_200_rows_and_20_in_each_area():
    areas = [mutant.area for mutant in mutants()]
    assert len(areas) >= 200
    assert min(areas.count(area) for area in set(areas)) >= 20


TOY = """from optimus_gym.worlds.voxel.compiling.kernels import kernel


@kernel
def doubled(number):
    return number * 2


def halved(number):
    total = 0
    while total * 2 < number:
        total += 1
    return total


def tripled(number):
    return number * 3


def forgotten(number):
    return number + 1
"""
TOY_TESTS = """from toy import doubled, halved, tripled


def test_doubled():
    assert doubled(4) == 8


def test_halved():
    assert halved(8) == 4


def test_tripled():
    assert tripled(0) == 0
"""
TOY_TABLE = {
    "tests": ["tests/test_toy.py"],
    "files": {
        "toy.py": [
            {"id": "kernel", "line": "return number * 2", "mutant": "return number * 4"},
            {"id": "endless", "line": "total += 1", "mutant": "total += 0"},
            {"id": "tried", "line": "return number * 3", "mutant": "return number * 5"},
            {"id": "unreached", "line": "return number + 1", "mutant": "return number"},
        ]
    },
}


def planted(root, tests):
    """Make a small repository with mutants in it; return a function that runs the tool on it."""
    (root / "tests").mkdir(parents=True)
    (root / "areas").mkdir()
    (root / "toy.py").write_text(TOY)
    (root / "tests/test_toy.py").write_text(tests)
    (root / "areas/toys.json").write_text(json.dumps(TOY_TABLE))
    (root / "left_out.json").write_text("[]")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    out = root.parent / "results.jsonl"

    def run():
        made = subprocess.run(
            [
                *(sys.executable, "-m", "tools.mutants", "--workers", "1", "--grace", "3"),
                *("--loads", "", "--root", str(root), "--table", str(root / "areas")),
                *("--out", str(out)),
            ],
            cwd=ROOT,
            env={**os.environ, "OPTIMUS_GYM_CACHE": str(root.parent / "cache")},
            capture_output=True,
            text=True,
            timeout=300,
        )
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        tried = [line for line in lines if line["is"] == "mutant"]
        return made.returncode, made.stdout + made.stderr, tried

    return run


def test_a_tested_mutant_is_killed_and_an_untested_mutant_survives(tmp_path):
    run = planted(tmp_path / "toy", TOY_TESTS)
    status, said, tried = run()
    assert {line["id"]: (line["outcome"], line["by"]) for line in tried} == {
        "kernel": ("failed", "tests/test_toy.py::test_doubled"),
        "endless": ("hangs", "tests/test_toy.py::test_halved"),
        "tried": ("passed", ""),
        "unreached": ("unreached", ""),
    }, said
    assert status == 1
    assert "survives: tried (toy.py:17, passed)" in said
    assert "survives: unreached (toy.py:21, no test reaches it)" in said
    better = TOY_TESTS.replace("tripled(0) == 0", "tripled(1) == 3")
    (tmp_path / "toy/tests/test_toy.py").write_text(better)
    _, said, tried = run()
    again = {line["id"]: line["outcome"] for line in tried[4:]}  # survivors, as their tests changed
    assert again == {"tried": "failed", "unreached": "unreached"}, said


def test_a_test_that_fails_without_a_mutant_ends_the_run(tmp_path):
    status, said, _ = planted(tmp_path / "toy", TOY_TESTS.replace("== 8", "== 9"))()
    assert status == 2
    assert "tests/test_toy.py: fails without a mutant" in said
    assert "tests/test_toy.py::test_doubled" in said
