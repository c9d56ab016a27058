"""The command `learn` in a process of its own, from an empty folder to the page of its curve."""

import shutil
import subprocess
import sys

import pytest

from optimus_gym.run.cli import main
from optimus_gym.run.learn.curricula import CURRICULA
from optimus_gym.run.results.growth import read_growth

SMALL = (
    "--world", "symbolic", "--tasks", "CraftCraftingTable", "--episodes", "2", "--epochs", "1",
    "--explore", "3", "--teach", "1", "--round", "2", "--rows", "2",
)  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return what the command printed, and its folder."""
    folder = tmp_path_factory.mktemp("command") / "learned"
    command = [sys.executable, "-m", "optimus_gym.run.cli", "learn", str(folder), *SMALL]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done, folder


def test_the_command_prints_a_line_for_each_round_and_epoch(run):
    lines = run[0].stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "epoch 0", "epoch 1, round 1", "epoch 1, round 2", "epoch 1, round 3", "epoch 1",
    ]  # fmt: skip
    assert lines[0].startswith("epoch 0: 0 episodes and 0 ways remembered (0.0% of the ways")
    assert "explored 2, reached" in lines[1]
    assert "was taught 1, reached 1; 4 episodes and" in lines[3]
    assert "2 episodes succeed" in lines[4]
    assert "5/5" in run[0].stderr


def test_the_report_shows_the_curve_and_each_epoch(run, tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.html"
    assert main(["report", str(run[1]), "--out", str(page)]) == 0
    assert (tmp_path / "page" / "learning.svg").exists()
    text = page.read_text()
    assert "Self-evolution" in text
    assert "learned, epoch 0" in text
    assert "learned, epoch 1" in text
    assert len(read_growth(run[1]).epochs) == 2


def test_an_unfinished_epoch_is_left_out(run, tmp_path):
    folder = tmp_path / "learned"
    shutil.copytree(run[1], folder)
    rows = folder / "epoch-1" / "evaluation" / "rows.jsonl"
    rows.write_text(rows.read_text().splitlines(keepends=True)[0])
    assert [epoch.number for epoch in read_growth(folder).epochs] == [0]
    rows.with_name("rows.jsonl").write_text("")
    assert [epoch.number for epoch in read_growth(folder).epochs] == [0]


def test_a_model_that_does_not_answer_ends_the_run(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = ["learn", str(tmp_path / "new"), *SMALL, "--backbone", "openai:some-model"]
    assert main(given) != 0
    assert "OPENAI_API_KEY" in capsys.readouterr().err


def test_the_command_reports_bad_arguments(run, tmp_path, capsys):
    assert main(["learn"]) == 2
    assert "DIR" in capsys.readouterr().err
    new = str(tmp_path / "new")
    assert main(["learn", new, *SMALL, "--curriculum", "clever"]) == 2
    assert CURRICULA[0] in capsys.readouterr().err
    assert main(["learn", new, *SMALL, "--seed", "5"]) == 2
    assert "test seed" in capsys.readouterr().err
    assert main(["learn", str(run[1]), *SMALL, "--protocol", "optimus-1-paper"]) == 2
    assert "evaluation.protocol: there 'vanilla', asked for" in capsys.readouterr().err
