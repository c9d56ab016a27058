"""Measure the tests without a mutant, then run every mutant against the tests that reach it."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutants.copying import ROOT
from tools.mutants.schemata import Placed
from tools.mutants.switch import VARIABLE, write_switch
from tools.mutants.worker import how_it_ended

PATIENCE = 10.0
"""Factor of a test's time limit: its time without a mutant times this factor, plus the seconds `grace`."""
MOST_SECONDS = 45.0
"""Largest sum of the seconds that the tests run against one mutant take without a mutant. The cheapest tests
that reach the mutant come first. A mutant that only the left-out tests would notice counts as a survivor."""
ENDS_WITHIN = 5.0
"""Seconds to wait for a worker to end by itself."""
Answer = dict[str, Any]


class Broken(RuntimeError):
    """The tests cannot be run; the message says why."""


class Runner:
    """A worker process, and the requests to it.

    Args:
        copy: the mutated copy, the worker's current folder.
        switch: the file of the worker's switch, which is made.
    """

    def __init__(self, copy: Path, switch: Path) -> None:
        self._copy = copy
        self._switch = switch
        self._process: subprocess.Popen[str] | None = None
        write_switch(switch, -1)

    def _start(self) -> "subprocess.Popen[str]":
        temporary = self._switch.parent / f"{self._switch.name}-temporary"
        temporary.mkdir(exist_ok=True)
        variables = {
            VARIABLE: str(self._switch),
            "PYTHONPATH": os.pathsep.join((str(self._copy), str(ROOT))),
            "PYTHONHASHSEED": "0",
            "PYTEST_DEBUG_TEMPROOT": str(temporary),
            "CI": "true",  # makes Hypothesis draw the same examples each time and store none
        }
        return subprocess.Popen(
            [sys.executable, "-m", "tools.mutants.worker"],
            cwd=self._copy,
            env={**os.environ, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self._switch.parent / f"{self._switch.name}.log").open("a"),
            text=True,
            start_new_session=True,
        )

    def ask(self, **request: Any) -> Answer:
        """Return the worker process's own answer to a request, after it has loaded package and tests.

        Raises:
            Broken: the process could not answer.
        """
        if self._process is None:
            self._process = self._start()
        answer = _asked(self._process, request)
        if answer is None or "error" in answer:
            raise Broken((answer or {}).get("error", "a worker ended without an answer"))
        return answer

    def ask_anew(self, number: int, limits: Mapping[str, float]) -> Answer:
        """Try a mutant in a new process, which loads the package with the active mutant."""
        write_switch(self._switch, number)
        process = self._start()
        try:
            answer = _asked(process, {"do": "try here", "limits": dict(limits)})
            if answer is None:
                return {"outcome": how_it_ended(process.wait()), "by": ""}
            return {"outcome": "crashes", "by": "", **answer}
        finally:
            _end(process)

    def close(self) -> None:
        """End the process and all its children."""
        if self._process is not None:
            _end(self._process)
            self._process = None


def _asked(process: "subprocess.Popen[str]", request: Answer) -> Answer | None:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        print(json.dumps(request), file=process.stdin, flush=True)
    except BrokenPipeError:
        return None
    line = process.stdout.readline()
    answer: Answer | None = json.loads(line) if line else None
    return answer


def _end(process: "subprocess.Popen[str]") -> None:
    process.terminate()  # the worker then kills its forked child, too
    with suppress(subprocess.TimeoutExpired):
        process.wait(ENDS_WITHIN)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        pipe.close()


@dataclass(slots=True)
class Tests:
    """Measurements of the tests without a mutant, by file and test, in the order of the run."""

    files: dict[str, dict[str, Answer]] = field(default_factory=dict)
    loaded: frozenset[int] = frozenset()
    """Numbers of the mutants whose code runs before any test begins."""

    def chosen(self, placed: Placed) -> dict[str, float]:
        """Return the tests to run against a mutant and their seconds: its own first, then the cheapest.

        Only tests that reach a kernel can notice its mutant. Results of Python code may be cached (a table
        that is read once), so for mutants of Python code the other tests of these files follow.
        """
        number, own = placed.number, placed.mutant.own
        rows: list[tuple[bool, bool, float, str]] = []
        known = number in self.loaded and not placed.in_kernel
        for file in placed.mutant.tests:
            tests = self.files.get(file, {})
            shared = any(number in test["setup"] for test in tests.values())
            reached = any(number in test["reached"] for test in tests.values())
            whole = known or shared or (reached and not placed.in_kernel)
            for name, test in tests.items():
                reaches = number in test["reached"]
                if reaches or whole:
                    rows.append((not reaches, file not in own, test["seconds"], name))
        chosen: dict[str, float] = {}
        for *_, seconds, name in sorted(rows):
            if chosen and sum(chosen.values()) + seconds > MOST_SECONDS:
                break
            chosen[name] = seconds
        return chosen

    def is_anew(self, placed: Placed) -> bool:
        """Return whether a mutant must be active before the package is loaded."""
        return placed.number in self.loaded and not placed.in_kernel


def try_mutant(runner: Runner, tests: Tests, placed: Placed, grace: float) -> Answer:
    """Return the tests' response to a mutant; `grace` seconds are added to each test's time limit.

    Raises:
        Broken: the worker cannot run tests.
    """
    chosen = tests.chosen(placed)
    if not chosen:
        return {"outcome": "unreached", "by": "", "ran": 0}
    limits = {name: round(PATIENCE * seconds + grace, 1) for name, seconds in chosen.items()}
    if tests.is_anew(placed):
        answer = runner.ask_anew(placed.number, limits)
    else:
        answer = runner.ask(do="try", number=placed.number, limits=limits)
    return {**answer, "ran": len(limits)}


def rows_at_fault(error: str, copy: Path, rows: Sequence[Placed]) -> list[str]:
    """Return the mutants in those lines of the copy that a compiler's error names."""
    numbers: set[int] = set()
    for name, line in re.findall(r'File "([^"]+\.py)", line (\d+)', error):
        for file in {row.mutant.file for row in rows}:
            if name.endswith(file):
                text = (copy / file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
                numbers |= {int(number) for number in re.findall(r"is_active\((\d+)\)", text)}
    return [row.mutant.id for row in rows if row.number in numbers]


def digest(parts: Sequence[str]) -> str:
    """Return a short hash of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
