"""The command line's backbone: a whole episode against a server, recorded and replayed."""

import json
import re
import subprocess
import sys

import pytest

from optimus_gym.run.cli import main
from tests.agents.backbones import ruled
from tests.backbones.openai_server import serving, text_of

PLAY = ["run", "Optimus-Wood-v0", "--seed", "60200"]
CLOCK = re.compile(r"[\d.,]+ s, [\d,]+ ticks/s")


def played(*arguments):
    """Return a process's status and output, without the times."""
    command = [sys.executable, "-m", "optimus_gym.run.cli", *PLAY, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, CLOCK.sub("", done.stdout), done.stderr


def test_an_episode_against_a_server_replays_byte_for_byte(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-to-be-seen")
    file = tmp_path / "replies.jsonl"
    with serving(ruled) as server:
        asked = ("--backbone", "openai", "--base-url", server.address, "--model", "some-model")
        status, first, errors = played(*asked, "--record", str(file))
    assert status == 0, errors
    assert len(server.asked) >= 1
    assert all(one["model"] == "some-model" for one in server.asked)
    again = played("--replay", str(file))
    assert (again[0], again[1]) == (0, first)
    assert "sk-never" not in first + errors + file.read_text()
    rows = [json.loads(line) for line in file.read_text().splitlines()][1:]
    contents = [one["messages"][0]["content"] for one in server.asked]
    assert [row["prompt"] for row in rows] == [text_of(parts) for parts in contents]
    counts = [sum(part["type"] == "image_url" for part in parts) for parts in contents]
    assert [row["pictures"] for row in rows] == counts
    assert rows[0]["pictures"] == 1
    assert contents[0][0]["text"].endswith("Pictures: the screen now [picture 1]")
    assert contents[0][1]["type"] == "image_url"


def test_errors_of_an_error_scale_are_recorded_and_replayed(tmp_path):
    file = str(tmp_path / "replies.jsonl")
    status, first, errors = played("--error-scale", "3", "--record", file)
    assert status == 0, errors
    assert played("--replay", file)[:2] == (0, first)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "x"], "expected --backbone NAME with model, got none"),
        (["--replay", "x", "--record", "y"], "replay: expected --replay without record, got both"),
        (["--replay", "no-such-file"], "no-such-file"),
        (["--backbone", "opneai"], "did you mean 'openai'"),
        (["--backbone", "openai"], "'openai'"),
        (["--error-scale", "9"], "scale"),
    ],
)
def test_contradictory_arguments_are_refused(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*PLAY, *arguments]) == 2
    assert message in capsys.readouterr().err.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []
