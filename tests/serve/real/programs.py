"""Runs programs in the clients' environments, and reads what they played."""

import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.serve.real.environments import ROOT, real_python

_HERE = Path(__file__).resolve().parent
_TOLD_LINES = 60


def run_player(
    environment: str,
    program: str,
    job: Mapping[str, Any],
    folder: Path,
    lines: Sequence[str] = (),
    seconds: float = 600.0,
) -> dict[str, Any]:
    """Run a program of this folder in an environment; return its answer, or fail with its last lines.

    Args:
        environment: a name of `RECIPES`.
        program: the program's file in this folder; its arguments are the files of job and answer.
        job: what to play, as JSON.
        folder: an empty folder, the program's current one.
        lines: lines of a shell to run before, such as those that set variables.
        seconds: maximum seconds.
    """
    python = real_python(environment)
    told, asked, answer = (folder / name for name in ("output.txt", "job.json", "answer.json"))
    asked.write_text(json.dumps(job))
    shell = ["bash", "-c", "\n".join((*lines, 'exec "$@"')), "bash"]
    command = [*shell, str(python), str(_HERE / program), str(asked), str(answer)]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    clean |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    # A file takes the output: processes that outlive the program would keep a pipe open.
    with told.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=clean, stdout=output, stderr=output, start_new_session=True
        )
        try:
            status: int | None = process.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            _end_group(process)
    if status != 0:
        last = told.read_text(errors="replace").splitlines()[-_TOLD_LINES:]
        how = f"took more than {seconds} s" if status is None else f"ended with status {status}"
        pytest.fail(f"{program} {how}:\n" + "\n".join(last))
    return dict(json.loads(answer.read_text()))


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Kill what is left of a program and of the processes of its session."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def is_running(number: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def ends_soon(numbers: Sequence[int], seconds: float = 20.0) -> list[int]:
    """Wait until processes have ended; return those that still run."""
    end = time.monotonic() + seconds
    left = [number for number in numbers if is_running(number)]
    while left and time.monotonic() < end:
        time.sleep(0.1)
        left = [number for number in left if is_running(number)]
    return left


def print_of(picture: Any) -> str:
    """Return the hash of a picture, as the players make it."""
    return hashlib.sha256(picture.tobytes()).hexdigest()[:16]


def first_difference(mine: Sequence[Any], theirs: Sequence[Any]) -> str:
    """Return where two sequences differ first, "" if they are equal."""
    for place, (one, other) in enumerate(zip(mine, theirs, strict=False)):
        if one != other:
            return f"entry {place}: expected {one}, got {other}"
    if len(mine) != len(theirs):
        return f"expected {len(mine)} entries, got {len(theirs)}"
    return ""
