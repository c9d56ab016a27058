"""`optimus-gym check` tries a part by each rule, and names the rules that the part breaks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.run.cli import main
from optimus_gym.testing import controller_rules

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "from optimus_gym.run.cli import entry; raise SystemExit(entry())"
NO_PYTEST = "import sys; sys.modules.update(pytest=None, _pytest=None); "
MINE = '''"""Controllers of a stranger."""
import numpy as np

from optimus_gym.core.errors import BadValue


class Mine:
    privileged, needs, fixed_batch = False, frozenset({"keys"}), False
    verbs, looks_at = frozenset({"mine"}), ("vitals",)

    def __init__(self, key=0):
        self.key = key

    def attach(self, setting):
        pass

    def begin_episodes(self, rows, seeds):
        pass

    def begin_subgoals(self, rows, subgoals):
        if any(one.verb != "mine" for one in subgoals):
            raise BadValue("only mining")

    def act(self, rows, observations, mask):
        actions = np.zeros((len(rows), 15), np.int32)
        actions[:, 0] = self.key
        return actions, [None] * len(rows)


class Halved(Mine):
    def act(self, rows, observations, mask):
        return 1 / 0


class Rude(Mine):
    def begin_subgoals(self, rows, subgoals):
        pass


class Quitter(Mine):
    def __init__(self):
        raise SystemExit(7)
'''


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


def check(folder, *arguments, options=(), before=""):
    """Run the installed command in a folder; return its status, output and errors."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-P", *options, "-c", before + SCRIPT, "check", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_part_that_fits_keeps_all_rules(folder):
    status, told, errors = check(folder, "controller", "mine:Mine", before=NO_PYTEST)
    assert (status, errors) == (0, "")
    lines = told.splitlines()
    assert lines[0] == "passed          A controller can be made."
    assert len(lines) == len(controller_rules()) + 1
    assert lines[-1] == f"controller mine:Mine keeps all {len(controller_rules())} rules that apply"


@pytest.mark.parametrize("options", [(), ("-O",)])
def test_a_part_that_breaks_a_rule_is_reported_with_this_rule(folder, options):
    status, told, errors = check(folder, "controller", "mine:Rude", options=options)
    assert (status, errors) == (1, "")
    lines = told.splitlines()
    place = lines.index(
        "failed          `begin_subgoals` rejects sub-goals of verbs that the controller lacks."
    )
    assert lines[place + 1] == (
        "                refuses_other_verbs: expected BadValue for a sub-goal of the verb 'craft', got no "
        f"error (Rude.begin_subgoals, mine.py line {MINE[: MINE.index('class Rude')].count(chr(10)) + 2})"
    )
    rules = len(controller_rules())
    assert lines[-1] == f"controller mine:Rude breaks 1 of {rules} rules: refuses_other_verbs"


def test_an_error_inside_a_part_is_reported_with_its_place(folder):
    status, told, errors = check(folder, "controller", "mine:Halved")
    assert (status, errors) == (1, "")
    line = MINE[: MINE.index("return 1 / 0")].count("\n") + 1
    assert f"got ZeroDivisionError: division by zero (mine.py line {line}, in act)" in told
    assert told.splitlines()[-1].endswith("returns_actions_and_failures; 9 need the broken rule")


def test_a_part_that_exits_python_is_reported_like_other_parts(folder):
    status, told, errors = check(folder, "controller", "mine:Quitter")
    assert (status, errors) == (1, "")
    assert "can_be_made: expected no error, got SystemExit: 7 (mine.py line" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["controller", "mine:Gone"], "has no 'Gone'; expected one of "),
        (["controller", "yours:Mine"], "there is no module 'yours'"),
        (["controller", '{"name": "mine:Mine", "keys": 3}'], "unknown option of controller"),
        (["controller", "{"], "expected a whole JSON text"),
        (
            ["agent", "none", "--world", "voxel"],
            "world: expected --world only for KIND controller or helper, got KIND agent",
        ),
        (["world", "symbolic", "--without", "can_be_mad"], "did you mean 'can_be_made'?"),
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, words, folder, capsys, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    assert main(["check", *arguments]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert len(told.splitlines()) == 1
    sys.modules.pop("mine", None)


def test_options_of_a_part_reach_the_part(folder, capsys, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    assert main(["check", "controller", '{"name": "mine:Mine", "key": 9}']) == 1
    assert "expected 0 to 2 in place 0 of an action (mine), got 9" in capsys.readouterr().out
    sys.modules.pop("mine", None)


@pytest.mark.parametrize(
    "arguments",
    [
        ["world", "symbolic"],
        ["agent", "none", "--backbone", "rules"],
        ["backbone", "rules"],
        ["aligner", "mini"],
        ["helper", "functional", "--world", '{"name": "voxel"}'],
    ],
    ids=lambda one: one[0],
)
def test_every_kind_of_part_can_be_checked(arguments, capsys):
    assert main(["check", *arguments]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith(f"{arguments[0]} {arguments[1]} keeps all ")


@pytest.mark.parametrize(
    ("part", "left_out"),
    [
        (("world", "own_world:Orchard"), ("--without", "refuses_bad_setups")),  # it stays short
        (("agent", "own_agent:Greedy"), ()),
        (("controller", "own_controller:Brightest"), ()),
    ],
)
def test_the_parts_of_the_examples_keep_their_rules(part, left_out, capsys, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples")
    assert main(["check", *part, *left_out]) == 0, capsys.readouterr().out


def test_a_rule_that_does_not_apply_gives_its_reason(capsys):
    main(["check", "world", "symbolic"])
    told = capsys.readouterr().out
    assert "(the world does not declare the power 'sights')" in told
    assert told.splitlines()[-1].endswith("; 23 do not apply")


def test_a_rule_can_be_left_out(folder, capsys, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    without = ["--without", "refuses_other_verbs"]
    assert main(["check", "controller", "mine:Rude", *without]) == 0
    sys.modules.pop("mine", None)
