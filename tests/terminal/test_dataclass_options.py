"""Options made from a dataclass, and the baselines' commands run as processes."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from optimus_gym.baselines import behaviour_cloning, ppo_flat
from optimus_gym.terminal.dataclass_options import add_options
from optimus_gym.terminal.parser import Parser

ROOT = Path(__file__).resolve().parents[2]
MODULES = {"behaviour_cloning": behaviour_cloning, "ppo_flat": ppo_flat}


@dataclass
class Asked:
    """Options of a test."""

    share: float = 0.5
    """How much of it,
    100 % at most."""
    seeds: tuple[int, ...] = (1, 2)
    """Which ones."""
    out: str = ""
    """Where it lies (default: nowhere)."""
    fast: bool = False
    """Whether it hurries."""


def test_each_field_is_an_option_with_its_text_and_default():
    parser = Parser()
    add_options(parser, Asked)
    told = " ".join(parser.format_help().split())
    for text in (
        "--share X how much of it, 100 % at most (default: 0.5)",
        "--seeds N,... which ones (default: 1,2)",
        "--out DIR where it lies (default: nowhere)",
        "--fast whether it hurries (default: off)",
    ):
        assert text in told
    given = parser.parse_args(["--share", "0.25", "--seeds", "3, 4", "--fast"])
    assert vars(given) == {"share": 0.25, "seeds": (3, 4), "out": "", "fast": True}


def run(module, *arguments):
    command = [sys.executable, "-m", f"optimus_gym.baselines.{module}", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("module", MODULES)
def test_help_lists_every_field(module):
    told = run(module, "--help")
    assert told.returncode == 0
    options = re.findall(r"\n  (--[\w-]+)", told.stdout)
    assert options == [
        "--" + field.name.replace("_", "-") for field in fields(MODULES[module].COMMAND.args)
    ]


@pytest.mark.parametrize("module", MODULES)
def test_bad_input_is_reported_in_one_line(module):
    told = run(
        module, "--training-seed" if module == "behaviour_cloning" else "--training-seeds", "-1"
    )
    assert told.returncode == 2
    assert told.stdout == ""
    assert re.fullmatch(rf"{module}: \w+: expected .*\n", told.stderr)


@pytest.mark.skipif(os.name != "posix", reason="no such signals")
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_signal_stops_a_training_with_a_message_of_one_line(number, tmp_path):
    pytest.importorskip("stable_baselines3")
    command = [sys.executable, "-m", "optimus_gym.baselines.ppo_flat", "--out", str(tmp_path)]
    small = ["--training-seeds", "0", "--rows", "2", "--steps-an-update", "16", "--batch", "16"]
    log = tmp_path / "seed_0" / "log_from_0" / "progress.csv"
    with subprocess.Popen(
        [*command, *small], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        limit = time.monotonic() + 240
        while not log.exists() or not log.stat().st_size:  # until the first update is done
            assert process.poll() is None
            assert time.monotonic() < limit
            time.sleep(0.05)
        begun = time.monotonic()
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
    assert time.monotonic() - begun < 6
    assert process.returncode == 128 + number
    assert "Traceback" not in told
    assert told.splitlines()[-1].startswith("ppo_flat: stopped; --resume continues")
    assert (tmp_path / "seed_0" / "model.zip").exists()
