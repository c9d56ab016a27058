"""Activate mutants of single lines of the package, one at a time, and check whether the tests notice.

    python -m tools.mutants                        # all mutants; resumes an interrupted run
    python -m tools.mutants --area fights          # one area
    python -m tools.mutants --only crops-wither    # some mutants by name, tried again
    python -m tools.mutants --draw 40 --seed 1     # drawn mutants instead (`drawing.py`)
    python -m tools.mutants --out results.jsonl    # the file of results

The table is in `areas/` (`table.py` documents its rows). All mutants are compiled once, in a copy of the
checkout. First the tests run without a mutant: they must pass, and the run notes which mutants' code each
test reaches. Then each mutant runs against the tests of its row that reach its code, until one test fails.
The exit status is 1 if less than 90 % are killed, 2 if the tests cannot be run. Needs Linux.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import TypeVar

from rich.console import Console

from optimus_gym.core.errors import BadValue
from optimus_gym.terminal.stopping import Stopping
from tools.mutants.copying import ROOT, mutated_copy
from tools.mutants.drawing import ROOMS, drawn, rooms
from tools.mutants.report import bar, report
from tools.mutants.results import Results
from tools.mutants.running import Broken, Runner, digest, rows_at_fault, try_mutant
from tools.mutants.schemata import Placed
from tools.mutants.table import AREAS, BadRow, Mutant, left_out_tests, mutants

OUT = ROOT / "build" / "mutants.jsonl"
LOADS = "tools.mutants.loading"
"""Name of the module that loads the compiled kernels before any tests run."""
Job = TypeVar("Job")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", metavar="ID", help="try only these mutants, once more")
    parser.add_argument("--area", action="append", help="try only this area (may be repeated)")
    parser.add_argument("--out", type=Path, default=OUT, help=f"file of results (default {OUT})")
    parser.add_argument(
        "--leave-out", action="store_true", help="leave out tests that fail without a mutant"
    )
    parser.add_argument("--table", type=Path, default=AREAS, help="folder of the tables of mutants")
    parser.add_argument(
        "--draw",
        type=int,
        metavar="N",
        help="number of faults to draw in the rooms of `rooms.json`",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the draw (default 0)")
    parser.add_argument(
        "--rooms", type=Path, default=ROOMS, help="file that lists the rooms to draw from"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the checkout")
    parser.add_argument("--loads", default=LOADS, help="module whose `load` is called first")
    parser.add_argument("--workers", type=int, default=2, help="number of processes (default 2)")
    parser.add_argument(
        "--grace", type=float, default=20.0, help="extra seconds before a test counts as hanging"
    )
    parsed = parser.parse_args(arguments)
    console = Console(stderr=True)
    stopping = Stopping()
    with stopping, tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        try:
            return _run(parsed, console, Path(folder))
        except (BadRow, BadValue, Broken) as error:
            console.print(str(error), markup=False, soft_wrap=True)
            return 2
        except KeyboardInterrupt:
            console.print(f"stopped; what is known is in {parsed.out}", soft_wrap=True)
            return stopping.status


def _run(parsed: argparse.Namespace, console: Console, folder: Path) -> int:
    copy = folder / "copy"
    placed = mutated_copy(_wanted(parsed), copy, parsed.root)
    sources = [
        (copy / file).read_text("utf-8") for file in {row.mutant.file: None for row in placed}
    ]
    results = Results(parsed.out, copy, digest(sources))
    rows = [
        row
        for row in placed
        if (not parsed.only or row.mutant.id in parsed.only)
        and (not parsed.area or row.mutant.area in parsed.area)
    ]
    if not rows:
        raise BadRow("expected at least one mutant of that name and area")
    session = Session(console, results, rows, parsed.loads.split(), parsed.workers, folder)
    try:
        for area in dict.fromkeys(row.mutant.area for row in rows):
            ours = [row for row in rows if row.mutant.area == area]
            session.measure(ours, left_out_tests(parsed.table), parsed.leave_out)
            session.try_all(ours, bool(parsed.only), parsed.grace)
    finally:
        session.close()
    return 0 if report(Console(), parsed.root, rows, results) else 1


def _wanted(parsed: argparse.Namespace) -> list[Mutant]:
    if parsed.draw is None:
        return mutants(parsed.table)
    return drawn(rooms(parsed.root, parsed.rooms), parsed.draw, parsed.seed, parsed.root)


class Session:
    """The workers of a run, and the requests to them.

    Args:
        console: shows progress.
        results: known results, and the store for new ones.
        rows: all mutants to try.
        loads: modules whose `load` is called first.
        workers: number of processes.
        folder: the folder that holds the mutated copy, `copy`.
    """

    def __init__(
        self,
        console: Console,
        results: Results,
        rows: Sequence[Placed],
        loads: list[str],
        workers: int,
        folder: Path,
    ) -> None:
        self._console = console
        self._results = results
        self._rows, self._loads = rows, loads
        self._files = sorted({file for row in rows for file in row.mutant.tests})
        self._copy = folder / "copy"
        self._runners = [Runner(folder / "copy", folder / f"switch-{k}") for k in range(workers)]
        self._ready: set[Runner] = set()

    def close(self) -> None:
        """End all processes."""
        for runner in self._runners:
            runner.close()

    def measure(self, rows: Sequence[Placed], golden: list[str], leave_out: bool) -> None:
        """Run the tests of some mutants without a mutant.

        Raises:
            Broken: a test fails, and `leave_out` is False.
        """
        files = sorted({file for row in rows for file in row.mutant.tests})
        due = [file for file in files if file not in self._results.measured]

        def work(runner: Runner, file: str) -> None:
            answer = runner.ask(do="measure", file=file, golden=golden)
            if "tests" not in answer:
                raise Broken(f"{file}: {answer['outcome']} at {answer['by']} without a mutant")
            failed = [(name, test) for name, test in answer["tests"].items() if test["failed"]]
            if failed or answer["status"] not in (0, 5):
                told = "\n".join(f"{name}\n{test['why']}" for name, test in failed)
                if not (failed and leave_out):
                    raise Broken(f"{file}: fails without a mutant\n{told}")
                self._console.print(f"left out, as it fails:\n{told}", markup=False, soft_wrap=True)
            good = {name: test for name, test in answer["tests"].items() if not test["failed"]}
            self._results.add_measured(file, good)

        self._share("Measuring tests", due, work)

    def try_all(self, rows: Sequence[Placed], again: bool, grace: float) -> None:
        """Try mutants; skip mutants with a valid result unless `again`."""
        tests = self._results.tests()
        due = [row for row in rows if again or not self._results.is_tried(row, tests)]

        def work(runner: Runner, row: Placed) -> None:
            self._results.add_tried(row, tests, try_mutant(runner, tests, row, grace))

        self._share("Trying mutants", due, work)

    def _share(self, what: str, jobs: list[Job], work: Callable[[Runner, Job], None]) -> None:
        """Distribute jobs among the workers."""
        if not jobs:
            return
        waiting: Queue[Job] = Queue()
        for job in jobs:
            waiting.put(job)
        with bar(self._console, what, len(jobs)) as (progress, task):

            def labour(runner: Runner) -> None:
                self._load(runner)
                while not waiting.empty():
                    work(runner, waiting.get_nowait())
                    progress.advance(task)

            with ThreadPoolExecutor(len(self._runners)) as pool:
                labours = [pool.submit(labour, runner) for runner in self._runners]
                try:
                    for one in labours:
                        one.result()
                except BaseException:
                    waiting.queue.clear()
                    self.close()
                    raise

    def _load(self, runner: Runner) -> None:
        """Make a worker process load all modules and tests, unless it has already loaded them."""
        if runner in self._ready:
            return
        try:
            answer = runner.ask(do="load", modules=self._loads, files=self._files)
        except Broken as error:
            named = (
                ", ".join(rows_at_fault(str(error), self._copy, self._rows)) or "no mutant is named"
            )
            raise Broken(f"{error}\nexpected mutants that compile; look at: {named}") from error
        if not answer["collected"]:
            raise Broken("the tests cannot be collected")
        if self._results.loaded is None:
            self._results.add_loaded(answer["reached"])
        self._ready.add(runner)


if __name__ == "__main__":
    sys.exit(main())
