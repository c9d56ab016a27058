"""The examples run, are short, and say how to run them."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

from optimus_gym.run.cli import main

FOLDER = Path(__file__).parents[1] / "examples"
FILES = sorted(FOLDER.glob("*.py"))
MOST_LINES = 64
"""Maximum number of lines of an example, without blank lines."""


@pytest.fixture
def example(monkeypatch, tmp_path):
    """Return a function that loads an example by its name; files are written into a fresh folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["example"])

    def load(name):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_a_first_episode_reaches_its_task(example, capsys):
    assert example("first_episode").main() == "success"
    shown = capsys.readouterr().out
    assert shown.startswith("plan: mine 3 oak_log; ")
    assert shown.count("reached") == 6
    assert shown.endswith("success; the last picture has 128x128 pixels\n")


def test_the_own_task_is_reached(example, capsys):
    assert example("own_task").main() == "success"
    assert "'white_bed': 1" in capsys.readouterr().out


def test_the_own_controller_plays_until_the_budget(example, capsys):
    assert example("own_controller").main(ticks=40) == "budget"
    assert "mine 3 oak_log" in capsys.readouterr().out


def test_the_own_agent_reaches_its_tasks(example):
    agent = example("own_agent")
    assert agent.main("Iron") == "success"
    assert agent.main("JarvisEquipIronBoots") == "success"


def test_the_own_world_carries_out_a_subgoal(example, capsys):
    assert example("own_world").main(logs=5) == 150
    assert capsys.readouterr().out == "mine 5 oak_log -> reached after 150 ticks\n"


def test_ppo_trains_and_plays_under_the_planner(example, tmp_path):
    pytest.importorskip("stable_baselines3")
    file = tmp_path / "runs" / "control.zip"
    assert example("train_sb3").main(steps=32, rows=2, file=file) in ("budget", "died", "success")
    assert file.exists()


def test_replanning_gains_success_where_subgoals_fail(example, tmp_path, capsys):
    assert example("evaluate_and_compare").main(tmp_path, episodes=5) > 0.2
    assert "again 15 of 15" in capsys.readouterr().out


def test_the_network_reaches_what_chance_does_not(example, tmp_path, capsys):
    won = example("pixel_beside_oracle").main(tmp_path, episodes=2)
    assert won == {"oracle": 2, "pixel": 2, "random": 0}
    shown = capsys.readouterr().out
    assert "oracle, privileged: 2 of 2" in shown
    assert "pixel, not privileged: 2 of 2" in shown


def test_an_outside_model_plays_through_text(example):
    model = example("language_model")
    asked = []

    def ask(question):
        asked.append(question)
        return "Let me think about 3 logs. Action 0"

    assert model.main(ask) == "success"
    assert all("Plan: " in question for question in asked)
    assert model.chosen("no number", [1, 1]) == 0
    assert model.chosen("1, but 7 is too many, and 2 is impossible", [1, 1, 0]) == 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_tiny_model_trains_for_two_steps_by_calling_tools(example):
    """The imports of TRL and its libraries alone take more than ten seconds."""
    pytest.importorskip("trl", reason="TRL is not installed: pip install trl")
    history = example("train_tools").main()
    assert len(history) == 2
    assert all(told["tools/call_frequency"] > 1 for told in history)
    assert all(told["tools/failure_frequency"] == 0 for told in history)
    assert 0 < history[0]["rewards/ToolEnv/mean"] < 1
    assert history[0]["grad_norm"] > 0


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("agent", "own_agent:Greedy"),
        ("controller", "own_controller:Brightest"),
        ("world", "own_world:Orchard"),
    ],
)
def test_an_own_part_keeps_all_rules_of_its_kind(kind, part, monkeypatch, capsys):
    monkeypatch.syspath_prepend(FOLDER)
    assert main(["check", kind, part]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_example_is_short_and_says_how_to_run_it(path):
    text = path.read_text("utf-8")
    assert sum(bool(line.strip()) for line in text.splitlines()) <= MOST_LINES
    assert f"python examples/{path.name}" in ast.get_docstring(ast.parse(text))


def test_every_example_is_listed_and_tested():
    listed = (FOLDER / "README.md").read_text("utf-8")
    assert all(f"| `{path.name}` |" in listed for path in FILES)
    tested = Path(__file__).read_text("utf-8")
    assert all(f'example("{path.stem}")' in tested for path in FILES)
