"""The file of results: a line of JSON for each measured file of tests and each tried mutant.

The file lets an interrupted run resume. A line is valid as long as its inputs have not changed.
"""

import json
from pathlib import Path
from threading import Lock
from typing import Any

from tools.mutants.running import Tests, digest
from tools.mutants.schemata import Placed

SURVIVES = ("passed", "unreached")
"""Outcomes of mutants that no test noticed."""
Line = dict[str, Any]


class Results:
    """The known results, and the file that stores them.

    Args:
        path: the path of the file, which need not exist.
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
        """Append a line to the file of results."""
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
        """Store the mutants reached before any test."""
        self.add({"is": "loaded", "sources": self.sources, "reached": reached})

    def add_measured(self, file: str, tests: Line) -> None:
        """Store the measurements of a file of tests."""
        told = {"digest": self.file_digest(file), "sources": self.sources, "tests": tests}
        self.add({"is": "measured", "file": file, **told})

    def add_tried(self, placed: Placed, tests: Tests, answer: Line) -> None:
        """Store the tests' response to a mutant."""
        made_from = {"row": row_digest(placed), "tests": self._tests_digest(placed, tests)}
        self.add({"is": "mutant", "id": placed.mutant.id, **made_from, **answer})

    def tests(self) -> Tests:
        """Return the measurements."""
        files = {file: line["tests"] for file, line in self.measured.items()}
        return Tests(files, frozenset(self.loaded or ()))

    def is_tried(self, placed: Placed, tests: Tests) -> bool:
        """Return whether a mutant's result is still valid; a survivor's is not once its tests change."""
        line = self.tried.get(placed.mutant.id)
        if line is None or line["row"] != row_digest(placed):
            return False
        killed = line["outcome"] not in SURVIVES
        return killed or line["tests"] == self._tests_digest(placed, tests)

    def _tests_digest(self, placed: Placed, tests: Tests) -> str:
        """Return a hash of the tests that run against a mutant."""
        files = [self.file_digest(file) for file in placed.mutant.tests]
        return digest([*files, *sorted(tests.chosen(placed))])


def row_digest(placed: Placed) -> str:
    """Return a hash of a mutant's change."""
    mutant = placed.mutant
    return digest([mutant.file, mutant.function or "", mutant.old, mutant.new])
