"""The file of results: a line of JSON for each file of tests measured and each mutant tried.

So that a run can be interrupted and go on. A line counts as long as what it was made from is the same.
"""

import json
from pathlib import Path
from threading import Lock
from typing import Any

from tools.mutants.running import Tests, digest
from tools.mutants.schemata import Placed

SURVIVES = ("passed", "unreached")
"""Outcomes of mutants that no test has noticed."""
Line = dict[str, Any]


class Results:
    """What is known, and the file that keeps it.

    Args:
        path: of the file, which need not be there.
        copy: the mutated copy.
        sources: a hash of the mutated sources.
    """

    def __init__(self, path: Path, copy: Path, sources: str) -> None:
        self.path, self.copy, self.sources = path, copy, sources
        self._lock = Lock()
        self.measured: dict[str, Line] = {}
        self.tried: dict[str, Line] = {}
        self.loaded: list[int] | None = None
        if self.path.exists():
            for text in self.path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(text))

    def _take(self, line: Line) -> None:
        if line["is"] == "mutant":
            self.tried[line["id"]] = line
        elif line["sources"] != self.sources:
            return
        elif line["is"] == "loaded":
            self.loaded = line["reached"]
        elif line["digest"] == self.file_digest(line["file"]):
            self.measured[line["file"]] = line

    def add(self, line: Line) -> None:
        """Keep a line."""
        with self._lock:
            self._take(line)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def file_digest(self, file: str) -> str:
        """Return a hash of a file of tests."""
        path = self.copy / file
        return digest([path.read_text(encoding="utf-8")]) if path.exists() else ""

    def add_loaded(self, reached: list[int]) -> None:
        """Keep what is reached before any test."""
        self.add({"is": "loaded", "sources": self.sources, "reached": reached})

    def add_measured(self, file: str, tests: Line) -> None:
        """Keep what was measured of a file of tests."""
        told = {"digest": self.file_digest(file), "sources": self.sources, "tests": tests}
        self.add({"is": "measured", "file": file, **told})

    def add_tried(self, placed: Placed, tests: Tests, answer: Line) -> None:
        """Keep what the tests said to a mutant."""
        made_from = {"row": row_digest(placed), "tests": self._tests_digest(placed, tests)}
        self.add({"is": "mutant", "id": placed.mutant.id, **made_from, **answer})

    def tests(self) -> Tests:
        """Return what was measured."""
        files = {file: line["tests"] for file, line in self.measured.items()}
        return Tests(files, frozenset(self.loaded or ()))

    def is_tried(self, placed: Placed, tests: Tests) -> bool:
        """Tell whether a mutant need not be tried again: a survivor is once its tests have changed."""
        line = self.tried.get(placed.mutant.id)
        if line is None or line["row"] != row_digest(placed):
            return False
        killed = line["outcome"] not in SURVIVES
        return killed or line["tests"] == self._tests_digest(placed, tests)

    def _tests_digest(self, placed: Placed, tests: Tests) -> str:
        """Return a hash of the tests that a mutant meets."""
        files = [self.file_digest(file) for file in placed.mutant.tests]
        return digest([*files, *sorted(tests.chosen(placed))])


def row_digest(placed: Placed) -> str:
    """Return a hash of what a mutant changes."""
    mutant = placed.mutant
    return digest([mutant.file, mutant.function or "", mutant.old, mutant.new])
