"""`docs/train.md` trains, saves and evaluates, and its commands exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from optimus_gym.baselines import (
    behaviour_cloning,
    dqn_subgoals,
    ppo_flat,
    ppo_under_planner,
    ppo_vec,
)
from optimus_gym.baselines.imitate import __main__ as imitate
from optimus_gym.run.cli import make_parser

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "train.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


def commands(page):
    """Return the command lines of a page, each as words."""
    blocks = re.findall(r"```bash\n(.*?)```", page, re.S)
    return [
        shlex.split(line) for block in blocks for line in block.replace("\\\n", " ").splitlines()
    ]


COMMANDS = commands(PAGE)
SHORT = {
    "STEPS = 200_000": "STEPS = 32",
    "STEPS = 1_000_000": "STEPS = 32",
    "STEPS = 60_000": "STEPS = 32",
    '"Optimus-Stone-v0", 16': '"Optimus-Stone-v0", 2',
    '"n_steps": 64, "batch_size": 256': '"n_steps": 16, "batch_size": 32',
    "learn(200_000)": "learn(32)",
    "n_steps=512": "n_steps=16",
    "n_steps=64": "n_steps=16",
    '"OptimusFlat-Wood-v0", 16': '"OptimusFlat-Wood-v0", 2',
    "VALIDATION[:20]": "VALIDATION[:1]",
    'make("OptimusFlat-Wood-v0"': 'make("OptimusFlat-Wood-v0", ticks=40',
}
"""Maps lines of the page to shorter ones that let the test run quickly."""


def block(words, page=PAGE):
    """Return the page's Python block that holds `words`, shortened."""
    (code,) = [one for one in re.findall(r"```python\n(.*?)```", page, re.S) if words in one]
    for text, short in SHORT.items():
        code = code.replace(text, short)
    return code


def carried_out(folder, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


BASELINES = (behaviour_cloning, dqn_subgoals, imitate, ppo_flat, ppo_under_planner, ppo_vec)


@pytest.mark.parametrize("text", SHORT)
def test_the_shortened_lines_are_on_the_page(text):
    assert text in PAGE + README


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_pages_commands_are_parsed(words):
    modules = {f"optimus_gym.baselines.{one.NAME}": one for one in BASELINES}
    if words[0] == "optimus-gym":
        make_parser().parse_args(words[1:])
    else:
        assert words[:2] == ["python", "-m"]
        modules[words[2]].COMMAND.parser().parse_args(words[3:])


def test_the_pages_policy_trains_under_the_planner_and_is_evaluated(tmp_path):
    pytest.importorskip("stable_baselines3")
    assert "total_timesteps" in carried_out(tmp_path, "-c", block("STEPS = 200_000"))
    (evaluate,) = [words for words in COMMANDS if "sb3:wood.zip" in words]
    short = [*evaluate[1:], "--episodes", "1", "--ticks", "40"]
    told = carried_out(tmp_path, "-m", "optimus_gym.run.cli", *short)
    assert "1 episodes in 'results/wood'" in told


def test_the_readmes_ten_lines_train_under_the_planner_and_evaluate(tmp_path):
    pytest.importorskip("stable_baselines3")
    carried_out(tmp_path, "-c", block("optimus_gym:OptimusControl-Wood-v0", README))
    (evaluate,) = [words for words in commands(README) if "sb3:wood.zip" in words]
    short = [*evaluate[1:], "--episodes", "1", "--ticks", "40"]
    told = carried_out(tmp_path, "-m", "optimus_gym.run.cli", *short)
    assert "1 episodes in 'results/wood'" in told


def test_the_pages_planner_trains_and_plays_as_an_agent(tmp_path):
    pytest.importorskip("sb3_contrib")
    carried_out(tmp_path, "-c", block("MaskablePPO"))
    (evaluate,) = [words for words in COMMANDS if "sb3:planner.zip" in words]
    short = [*evaluate[1:], "--episodes", "1", "--ticks", "40"]
    told = carried_out(tmp_path, "-m", "optimus_gym.run.cli", *short)
    assert "1 episodes in 'results/planner'" in told


def test_the_pages_policy_trains_without_the_planner(tmp_path):
    pytest.importorskip("stable_baselines3")
    told = carried_out(tmp_path, "-c", block("STEPS = 1_000_000"))
    assert re.search(r"\d of 20 episodes reached the task", told)
