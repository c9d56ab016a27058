"""The operators that draw mutants: `tools/mutants/drawing.py`."""

import ast
import json

import pytest

from tools.mutants.__main__ import main
from tools.mutants.copying import ROOT
from tools.mutants.drawing import OPERATORS, drawn, edits, rooms
from tools.mutants.schemata import with_mutants
from tools.mutants.table import BadRow

SOURCE = '''"""A module."""

TEN = 10


def found(names, least: int = 3) -> bool:
    """Return whether one of `names` is long enough."""
    total = 0
    for name in names:
        if "ü" in name and len(name) - 1 > least:
            total += max(2, total)
            continue
    names.sort()
    print(f"{total + 1} names", True)
    return any(
        name is None
        or total < 4 for name in names
    )
'''
CHANGED = {
    "comparison": {
        (
            'if "ü" in name and len(name) - 1 > least:',
            'if "ü" not in name and len(name) - 1 > least:',
        ),
        ('if "ü" in name and len(name) - 1 > least:', 'if "ü" in name and len(name) - 1 >= least:'),
        ("name is None", "name is not None"),
        ("or total < 4 for name in names", "or total <= 4 for name in names"),
    },
    "sum": {
        ('if "ü" in name and len(name) - 1 > least:', 'if "ü" in name and len(name) + 1 > least:')
    },
    "and-or": {
        ('if "ü" in name and len(name) - 1 > least:', 'if "ü" in name or len(name) - 1 > least:')
    },
    "number": {
        ("total = 0", "total = 1"),
        ('if "ü" in name and len(name) - 1 > least:', 'if "ü" in name and len(name) - 2 > least:'),
        ("total += max(2, total)", "total += max(3, total)"),
        ("or total < 4 for name in names", "or total < 5 for name in names"),
    },
    "name": {
        ("total += max(2, total)", "total += min(2, total)"),
        ('print(f"{total + 1} names", True)', 'print(f"{total + 1} names", False)'),
        ("return any(", "return all("),
    },
    "condition": {
        (
            'if "ü" in name and len(name) - 1 > least:',
            "if not ('ü' in name and len(name) - 1 > least):",
        )
    },
    "arguments": {
        ('print(f"{total + 1} names", True)', "print(True, f'{total + 1} names')"),
    },
    "dropped": {
        ("total += max(2, total)", "pass"),
        ("continue", "pass"),
        ("names.sort()", "pass"),
        ('print(f"{total + 1} names", True)', "pass"),
    },
    "return": {
        ("total += max(2, total)", "return"),
        ("continue", "return"),
        ("names.sort()", "return"),
        ('print(f"{total + 1} names", True)', "return"),
    },
}


def test_each_operator_makes_its_changes_and_no_others():
    lines = SOURCE.splitlines()
    made = {name: set() for name in OPERATORS}
    for name, (number, first, last, new) in edits(SOURCE):
        line = lines[number - 1].encode()
        changed = (line[:first] + new.encode() + line[last:]).decode()
        ast.parse("\n".join([*lines[: number - 1], changed, *lines[number:]]))
        made[name].add((line.decode().strip(), changed.strip()))
    assert made == CHANGED


def planted(root):
    """Make a checkout of two rooms, and the table that names them; return both."""
    (root / "one").mkdir(parents=True)
    for name in ("one/a.py", "one/b.py", "other.py"):
        (root / name).write_text(SOURCE)
    table = root / "rooms.json"
    table.write_text(
        json.dumps(
            {
                "one": {"files": ["one/*.py"], "tests": ["tests/test_one.py"]},
                "other": {"files": ["other.py"], "tests": ["tests/test_other.py"]},
            }
        )
    )
    return root, table


def test_a_draw_depends_on_its_seed_takes_turns_by_room_and_each_line_once(tmp_path):
    root, table = planted(tmp_path / "checkout")
    found = rooms(root, table)
    made = drawn(found, 9, 1, root)
    assert made == drawn(found, 9, 1, root)
    assert made != drawn(found, 9, 2, root)
    assert [mutant.area for mutant in made] == ["one"] * 5 + ["other"] * 4
    assert {mutant.tests for mutant in made} == {("tests/test_one.py",), ("tests/test_other.py",)}
    assert len({mutant.id.rpartition(":")[0] for mutant in made}) == 9
    for mutant in made:
        with_mutants(SOURCE, [(0, mutant)])
    everything = drawn(found, 1000, 1, root)
    lines = [mutant.id.split(":")[1] for mutant in everything if mutant.area == "other"]
    assert len(lines) == len(set(lines)) < 15
    assert len(everything) == 3 * len(lines)


def test_impossible_draws_are_refused(tmp_path, capsys):
    root, table = planted(tmp_path / "checkout")
    table.write_text(json.dumps({"one": {"files": ["two/*.py"], "tests": []}}))
    with pytest.raises(BadRow, match=r"one: expected a file that fits 'two/\*.py' in"):
        rooms(root, table)
    for arguments, told in (
        (["--draw", "0"], "draw: expected at least one mutant, got 0"),
        (["--draw", "1", "--seed", "-1"], "seed: expected an integer from 0 to 2**63 - 1, got -1"),
    ):
        assert main(arguments) == 2
        assert told in capsys.readouterr().err


def test_the_rooms_tests_exist_in_the_checkout():
    found = rooms(ROOT)
    assert len(drawn(found, 70, 0, ROOT)) == 70
    tests = [name for room in found for name in room.tests]
    assert [name for name in tests if not (ROOT / name).is_file()] == []
