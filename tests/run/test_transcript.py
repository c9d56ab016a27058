"""`optimus-gym transcript` prints a recording's questions and answers."""

import json
import subprocess
import sys

import pytest

from optimus_gym.backbones.replay import ReplayBackbone
from optimus_gym.core.requests import Reply, Request
from optimus_gym.run.cli import main


class Talker:
    """The second answer has faults and no text."""

    name = "talker"
    takes_pictures = False

    def complete(self, requests):
        return [
            Reply("A plan.\n", 1.256, "some-model", 1200, 34, 0.01234),
            Reply("", 3.0, "", faults=("status 500", "status 500")),
        ]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "talk.jsonl"
    asked = [Request("plan", "Plan [it].\n", seed=5), Request("reflect", "Judge it.")]
    ReplayBackbone(path, Talker()).complete(asked)
    return path


def test_questions_and_answers_are_printed_in_their_order(file, capsys):
    assert main(["transcript", str(file)]) == 0
    assert capsys.readouterr().out == (
        "# 1. plan (some-model, 1.26 s, 1,200 + 34 tokens, cost 0.0123)\n\nPlan [it].\n\n"
        "## Answer\n\nA plan.\n\n"
        "# 2. reflect (no model, 3.00 s)\n\nJudge it.\n\n"
        "## Answer\n\n(fault: status 500)\n(fault: status 500)\n(none)\n\n"
    )


def test_answers_of_one_kind_keep_their_numbers(file, capsys):
    assert main(["transcript", str(file), "--kind", "reflect"]) == 0
    assert capsys.readouterr().out.startswith("# 2. reflect")
    assert main(["transcript", str(file), "--kind", "plan"]) == 0
    assert "reflect" not in capsys.readouterr().out


def test_a_damaged_recording_is_refused(file, tmp_path, capsys):
    header, first, second = file.read_text().splitlines(keepends=True)
    for name, wrong in (("kind", 3), ("prompt", None), ("seed", "x"), ("key", "short")):
        row = {**json.loads(second), name: wrong}
        file.write_text(header + first + json.dumps(row) + "\n")
        assert main(["transcript", str(file)]) == 2
        told = capsys.readouterr().err.replace("\n", " ")
        assert f"{name}: expected" in told
        assert "line 3" in told
    assert main(["transcript", str(tmp_path / "none.jsonl")]) == 2


def test_a_closed_pipe_causes_no_error_message(file):
    line = f"{sys.executable} -m optimus_gym.run.cli transcript {file} | head -1"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("# 1. plan")
    assert done.stderr == ""
