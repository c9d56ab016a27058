"""Plugins for pytest: choose tests, measure tests, end a test that hangs."""

import signal
from collections.abc import Generator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from tools.mutants.switch import NOBODY, read_reached, write_switch


class Chosen:
    """Keeps some of the collected tests, in a given order, each with a time limit.

    SIGALRM ends a test that takes longer, together with its process: kernels allow no gentler way.

    Args:
        limits: most seconds of each test by name, in the wanted order.
        note: the file that gets the name of the last test that began.
    """

    def __init__(self, limits: Mapping[str, float], note: Path) -> None:
        self._limits = limits
        self._note = note
        self.failed = ""
        """The first test that failed."""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop unwanted tests and sort the others."""
        place = {name: k for k, name in enumerate(self._limits)}
        items[:] = sorted(
            (item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid]
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run one test under its time limit."""
        self._note.write_text(item.nodeid)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, self._limits[item.nodeid])
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first failure."""
        if report.failed and not self.failed:
            self.failed = report.nodeid


class Measured:
    """Notes for each test the seconds, whether it failed, and the mutants whose code it reached.

    Args:
        switch: the file of the switch.
        golden: prefixes of the names of tests to leave out (`table.left_out_tests`).
    """

    def __init__(self, switch: Path, golden: list[str]) -> None:
        self._switch = switch
        self._golden = tuple(golden)
        self.tests: dict[str, dict[str, Any]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the tests to leave out."""
        items[:] = [item for item in items if not item.nodeid.startswith(self._golden or ("\0",))]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note the mutants reached before the test: its fixtures may serve other tests, too."""
        try:
            return (yield)
        finally:
            self.tests[item.nodeid]["setup"] = read_reached(self._switch)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Measure one test."""
        write_switch(self._switch, NOBODY)
        self.tests[item.nodeid] = {"setup": [], "failed": False}
        start = perf_counter()
        try:
            return (yield)
        finally:
            test = self.tests[item.nodeid]
            test["seconds"] = round(perf_counter() - start, 3)
            test["reached"] = read_reached(self._switch)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note whether a test failed."""
        if report.failed:
            self.tests[report.nodeid]["failed"] = True
            self.tests[report.nodeid]["why"] = str(report.longrepr)[-2000:]
