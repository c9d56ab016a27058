"""The tutorial of `docs/agents.md` works as a reader would follow it."""

import re
import shlex
from pathlib import Path

import pytest

from optimus_gym.backbones.fallible import FallibleBackbone
from optimus_gym.run.cli import main
from tests.agents.playing import last_info
from tests.envs.conftest import make

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"
TUTORIAL = PAGE.read_text("utf-8").split("## A fifth agent")[1].split("\n## ")[0]
MOST_LINES = 80
"""Maximum number of lines of the tutorial's file."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the tutorial's file, as the current folder."""
    (code,) = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)
    assert len(code.splitlines()) <= MOST_LINES
    (tmp_path / "best_of.py").write_text(code, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_the_commands_of_the_tutorial_succeed(folder, capsys):
    (block,) = re.findall(r"```bash\n(.*?)```", TUTORIAL, re.DOTALL)
    for line in block.splitlines():
        program, *arguments = shlex.split(line)
        assert (program, main(arguments)) == ("optimus-gym", 0)
    told = capsys.readouterr().out
    assert "failed" not in told.split("Optimus-Iron")[0]
    assert "success" in told


def test_more_samples_give_plans_with_fewer_faults(folder):
    def problems(samples):
        agent = {"name": "best_of:BestOf", "samples": samples, "max_replans": 0}
        backbone = FallibleBackbone(scale=3)
        reached = 0
        for seed in range(10):
            env = make("Optimus-Stone-v0", world="symbolic", agent=agent, backbone=backbone)
            reached += last_info(env, seed)["is_success"]
        return reached

    assert problems(1) < problems(5)
