"""The process that runs tests: it loads package, kernels and tests once, and forks a child for each run.

Requests and answers are lines of JSON. The process runs in the mutated copy of the checkout.
"""

import importlib
import json
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from optimus_gym.core.files import write_whole
from tools.mutants.plugins import Chosen, Measured
from tools.mutants.switch import NOBODY, VARIABLE, read_reached, write_switch

MOST_MEMORY = 12 * 2**30
"""Largest address space of a run of tests in bytes: a larger run fails, and the machine's memory lasts."""
COLLECTING = 300.0
"""Time limit in seconds for collecting the tests."""
QUIET = ("-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=short")
PASSED, FAILED, HANGS, CRASHES, BREAKS = "passed", "failed", "hangs", "crashes", "breaks"
Answer = dict[str, Any]


def main() -> None:
    """Read requests from standard input and answer each, until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what tests print goes to the error stream
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    switch = Path(os.environ[VARIABLE])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = _answer(switch, request)
        except Exception:  # noqa: BLE001  the caller gets the error, and decides
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), file=answers, flush=True)


def _answer(switch: Path, request: Answer) -> Answer:
    match request["do"]:
        case "load":
            return _load(switch, request["modules"], request["files"])
        case "measure":
            write_switch(switch, NOBODY)
            return _forked(lambda _: _measure(switch, request["file"], request["golden"]))
        case "try":
            write_switch(switch, request["number"])
            return _forked(lambda note: _try(request["limits"], note))
        case "try here":
            with tempfile.NamedTemporaryFile() as note:
                return _try(request["limits"], Path(note.name))
    raise ValueError(f"expected a known request, got {request['do']!r}")


def _load(switch: Path, modules: list[str], files: list[str]) -> Answer:
    """Load modules and tests for all runs; return the mutants reached by it, since forks do not see them."""
    write_switch(switch, NOBODY)
    for name in modules:
        importlib.import_module(name).load()
    status = pytest.main([*QUIET, "--collect-only", *files]) if files else 0
    return {"reached": read_reached(switch), "collected": int(status) == 0}


def _measure(switch: Path, file: str, golden: list[str]) -> Answer:
    measured = Measured(switch, golden)
    status = pytest.main([*(part for part in QUIET if part != "-x"), file], plugins=[measured])
    return {"status": int(status), "tests": measured.tests}


def _try(limits: dict[str, float], note: Path) -> Answer:
    """Run tests until one fails; write the name of the last test that began into a file."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, COLLECTING)
    chosen = Chosen(limits, note)
    files = dict.fromkeys(name.split("::")[0] for name in limits)
    status = pytest.main([*QUIET, *files], plugins=[chosen])
    if status == pytest.ExitCode.OK:
        return {"outcome": PASSED, "by": ""}
    if status == pytest.ExitCode.TESTS_FAILED:
        return {"outcome": FAILED, "by": chosen.failed}
    return {"outcome": BREAKS, "by": note.read_text(), "status": int(status)}


def _forked(work: Callable[[Path], Answer]) -> Answer:
    """Return the result of `work` in a forked child, or how the child ended."""
    start = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        told, note = Path(folder) / "told", Path(folder) / "note"
        note.touch()
        child = os.fork()
        if child == 0:
            _work_and_end(work, told, note)
        try:
            _, status = os.waitpid(child, 0)
        finally:  # also when a signal ends this process
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # with the processes that a test left
        if told.exists():
            answer: Answer = json.loads(told.read_text())
        else:
            answer = {"outcome": how_it_ended(-os.WTERMSIG(status)), "by": note.read_text()}
    return {**answer, "seconds": round(perf_counter() - start, 2)}


def _work_and_end(work: Callable[[Path], Answer], told: Path, note: Path) -> None:
    """Run `work` in a child process, which ends afterwards in every case."""
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        write_whole(told, json.dumps(work(note)).encode())
    except BaseException:  # noqa: BLE001  the child must end here, not run its parent's code
        traceback.print_exc()
    finally:
        os._exit(1)


def how_it_ended(code: int) -> str:
    """Return the outcome that the exit status of a process without an answer means (negative: a signal)."""
    return HANGS if code == -signal.SIGALRM else CRASHES


if __name__ == "__main__":
    main()
