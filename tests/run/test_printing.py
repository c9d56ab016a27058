"""No outside text controls the terminal: every command is tried with hostile texts."""

import ast
import json
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.core.errors import BadValue
from optimus_gym.core.requests import Reply, Request
from optimus_gym.memory.database import MEMORY_FILE
from optimus_gym.memory.pool import ExperiencePool
from optimus_gym.run import cli
from optimus_gym.run.results.results_folder import IDENTITY
from optimus_gym.run.results.row import FORMAT
from optimus_gym.run.results.row_files import ROWS_FILE, RUNS
from optimus_gym.terminal.printing import MOST_CELL, add_row, printable, words
from optimus_gym.vision.mini_aligner import MiniAligner
from tests.memory.making import an_experience
from tools.mutating.evaluations import a_row

HOSTILE = (
    r"$\foo$" "a\x1b[2J\x1b]0;owned\x07\x9b31m\u202eb\u2066\r\x08\x7f\u2028[red]c[/red] [link=x]"
)
"""Codes that clear the screen, name the window, colour, reverse and overwrite; and rich's markup."""
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]")
RUN = Path(cli.__file__).parent


def check(text):
    assert not FORBIDDEN.search(text), repr(text)


@pytest.fixture
def command(capsys, monkeypatch):
    """Run a command, check its output and return its status and output."""
    monkeypatch.setenv("COLUMNS", "500")

    def run(*arguments):
        status = cli.main([*map(str, arguments)])
        out, err = capsys.readouterr()
        check(out)
        check(err)
        return status, out, err

    return run


def test_control_characters_are_escaped_and_other_characters_stay():
    check(printable(HOSTILE))
    assert "\\x1b[2J" in printable(HOSTILE)
    assert "[red]c[/red]" in words(HOSTILE).plain
    kept = "Ein Zaun: 鉄\u3000のつるはし, é, 🙂"
    assert printable(kept) == kept
    assert printable("a\n\tb") == "a\\n\\tb"
    assert printable("a\n\tb", lines=True) == "a\n\tb"
    assert printable("\ud800") == "\\ud800"
    console = Console(width=3000, record=True, file=StringIO())
    table = Table("a")
    add_row(table, f"x\n{HOSTILE}" + "y" * 10**6)
    console.print(table)
    told = console.export_text()
    check(told)
    assert "[red]c[/red]" in told
    assert told.count("y") < MOST_CELL


def test_all_commands_print_through_one_place():
    for file in RUN.rglob("*.py"):
        if file.name == "printing.py":
            continue
        tree = ast.parse(file.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.module != "rich.text", file
            if isinstance(node, ast.Attribute):
                assert node.attr != "add_row", file
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "print":
                shown = node.args[0]
                assert not isinstance(shown, ast.JoinedStr | ast.Constant), (file, node.lineno)


def test_transcript_prints_hostile_texts_safely(command, tmp_path):
    class Talker:
        name = "talker"
        takes_pictures = False

        def complete(self, requests):
            return [Reply(HOSTILE, 1.0, HOSTILE, faults=(HOSTILE,)) for _ in requests]

    ReplayBackbone(tmp_path / "talk.jsonl", Talker()).complete([Request("plan", HOSTILE)])
    status, out, _ = command("transcript", tmp_path / "talk.jsonl")
    assert status == 0
    assert out.count("[red]c[/red]") == 4
    (tmp_path / "bad.jsonl").write_text(HOSTILE)
    assert command("transcript", tmp_path / "bad.jsonl")[0] == 2


@pytest.fixture
def memory(tmp_path):
    """Return a memory that holds hostile texts only and an experience that the search finds."""
    folder = tmp_path / "memory"
    aligner = MiniAligner()
    whole = an_experience(
        "a", task=HOSTILE, goal="Craft a wooden axe", environment=HOSTILE, plan=(HOSTILE,),
        pursuits=(), cases=(), first=None, start={"inventory": {HOSTILE: 1}}, told={HOSTILE: HOSTILE},
    )  # fmt: skip
    with ExperiencePool(folder, aligner) as pool:
        pool.add(whole)
    return folder


def test_the_memory_commands_print_hostile_texts_safely(command, memory, tmp_path):
    for arguments in (("info", memory), ("search", memory, "craft a wooden axe")):
        status, out, _ = command("memory", *arguments)
        assert status == 0
        assert "[red]c[/red]" in out
    with closing(sqlite3.connect(memory / MEMORY_FILE)) as connection, connection:
        connection.execute("UPDATE experience SET goal = ?", (HOSTILE,))
    sheet = tmp_path / "sheet.png"
    status, out, _ = command("memory", "show", memory, 1, "--out", sheet)
    assert status == 0
    assert "[red]c[/red]" in out
    assert command("memory", "merge", tmp_path / "other", memory)[0] == 0
    for statement in ("CREATE TABLE '" + HOSTILE + "' (a)", "UPDATE experience SET status = ?"):
        with closing(sqlite3.connect(memory / MEMORY_FILE)) as connection, connection:
            connection.execute(statement, (HOSTILE,) * statement.count("?"))
        assert command("memory", "show", memory, 1, "--out", sheet)[0] == 2


def results(folder):
    """Write an evaluation with hostile texts only."""
    folder.mkdir()
    rows = [
        replace(
            a_row("wood", k, k == 0), group=HOSTILE, task=HOSTILE, suite=HOSTILE, agent=HOSTILE,
            controller=HOSTILE, world=HOSTILE, protocol=HOSTILE, assists=(HOSTILE,), reason=HOSTILE,
            status=("success", HOSTILE, "crashed", "crashed (time)")[k], backbone=HOSTILE,
            models=(HOSTILE,), calls=2, own_plans=1, rules_plans=1, fault=HOSTILE,
        )
        for k in range(4)
    ]  # fmt: skip
    told = {"format": FORMAT, HOSTILE: HOSTILE, "folder": str(folder)}
    (folder / IDENTITY).write_text(json.dumps(told))
    (folder / ROWS_FILE).write_text("".join(row.to_line() for row in rows))
    (folder / RUNS).write_text("")
    return folder


def test_compare_and_report_print_hostile_texts_safely(command, tmp_path):
    pytest.importorskip("matplotlib")
    folders = [results(tmp_path / name) for name in ("one", f"two{HOSTILE.replace('/', '')}")]
    status, out, _ = command("compare", *folders, "--by-task")
    assert status == 0
    assert "[red]c[/red]" in out
    for which in ("first", "second"):
        (line,) = (
            one for one in out.splitlines() if one.startswith(f"  {which}: backbone asked 8 t")
        )
        assert "plans: 4 its own, 4 of the rules" in line
        assert "[red]c[/red]" in line
    assert command("report", *folders, "--out", tmp_path / "page.html")[0] == 0
    check((tmp_path / "page" / "groups.svg").read_text())
    (folders[0] / ROWS_FILE).write_text(HOSTILE + "\n")
    assert command("compare", *folders)[0] == 2
    assert command("report", *folders, "--out", tmp_path / "page.html")[0] == 2


def test_evaluate_prints_the_reasons_of_crashes_safely(command, tmp_path, monkeypatch):
    from optimus_gym.run.evaluate import command as evaluate

    rows = [
        replace(a_row("wood", k, False), task="Wood", status=status, reason=f"Trace\n{HOSTILE}")
        for k, status in enumerate(("crashed", "crashed (time)", "impossible", HOSTILE))
    ]
    monkeypatch.setattr(evaluate, "evaluate", lambda *_, **__: (row for row in rows))
    given = ("evaluate", "--tasks", "Wood", "--episodes", 4, "--out", tmp_path / "out")
    status, out, err = command(*given)
    assert status == 0
    assert "\\x1b[2J" in out
    assert err.count("[red]c[/red]") == 3


def test_every_command_prints_hostile_errors_safely(command, monkeypatch):
    def fail(_):
        raise BadValue(HOSTILE)

    for name, known in list(cli.COMMANDS.items()):
        broken = replace(known, add_arguments=lambda _: None, run=fail)
        monkeypatch.setattr(cli, "COMMANDS", {name: broken})
        status, _, err = command(name)
        assert status == 2
        assert "[red]c[/red]" in err
