"""A command that hangs where Python handles no signal ends within seconds of the signal."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from optimus_gym.agents.optimus1.agent import Optimus1

ROOT = Path(__file__).resolve().parents[2]
HANGS = {
    "deaf": "while True:\n    try:\n        time.sleep(600)\n    except BaseException:\n        pass",
    "in C, which keeps Python from all else": "re.match('(a|aa)+$', 'a' * 200 + 'b')",
    "at the end": "threading.Thread(target=time.sleep, args=(600,)).start()\nsys.exit(main(['list']))",
}
SCRIPT = """
import re, sys, threading, time
from optimus_gym.run.cli import main
from optimus_gym.terminal.watchdog import start_guard
start_guard()
print("begun", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="no such signals")
@pytest.mark.parametrize("hang", HANGS)
@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_signal_ends_a_hanging_process(hang, number):
    script = (
        f"{SCRIPT}\nfrom optimus_gym.terminal.stopping import Stopping\nwith Stopping():\n"
        + "\n".join(f"    {line}" for line in HANGS[hang].splitlines())
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as run:  # fmt: skip
        assert run.stdout.readline() == b"begun\n"
        time.sleep(1)
        begun = time.monotonic()
        run.send_signal(number)
        run.stdout.read()
        run.wait(timeout=30)
    assert time.monotonic() - begun < 6


class Deaf(Optimus1):
    """Prints that it thinks, then ignores every signal."""

    def begin_episodes(self, situations):
        super().begin_episodes(situations)
        words = ["thinking"]
        while True:
            try:  # from the word on, since the test sends its signal as soon as it reads the word
                print(*words, flush=True)
                words = []
                time.sleep(600)
            except KeyboardInterrupt:
                continue


def test_a_signal_ends_a_run_with_an_agent_that_ignores_signals():
    command = (
        "run",
        "Optimus-Wood-v0",
        "--world",
        "symbolic",
        "--agent",
        "tests.terminal.test_watchdog:Deaf",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "optimus_gym.run.cli", *command], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as run:  # fmt: skip
        while run.stdout.readline() != "thinking\n":
            assert run.poll() is None
        begun = time.monotonic()
        run.terminate()
        _, told = run.communicate(timeout=30)
    assert time.monotonic() - begun < 6
    assert run.returncode == -signal.SIGKILL
    assert "optimus-gym: the command hung and was ended" in told


def test_the_watchdog_process_ends_with_its_command():
    run = subprocess.run(
        [sys.executable, "-c", f"{SCRIPT}\nimport os\nprint(open(f'/proc/{{os.getpid()}}/task/'"
         "f'{os.getpid()}/children').read())"],
        cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    (guard,) = map(int, run.stdout.split()[1:])
    limit = time.monotonic() + 10
    while Path(f"/proc/{guard}/cmdline").exists() and Path(f"/proc/{guard}/cmdline").read_bytes():
        assert time.monotonic() < limit
        time.sleep(0.05)
