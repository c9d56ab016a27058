"""Try changed files in separate processes, which may hang, grow or die."""

import resource
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from zlib import crc32

import numpy as np

from optimus_gym.core.errors import OptimusError
from tools.mutating.kind import Kind

MOST_SECONDS = 1.0
"""Largest processor time in seconds that the use of one file may take."""
MOST_GROWTH = 200 * 2**20
"""Largest growth in bytes of a process's memory while it uses one file."""
MOST_MEMORY = 8 * 2**30
"""Largest address space of a process in bytes: a larger process fails, and the machine's memory lasts."""
PATIENCE = 60.0
"""Seconds to wait for an answer before the process is ended."""
FRESH_PEAK = "5"
"""The text that makes Linux reset a process's peak size; man proc_pid_clear_refs."""
REFUSED, ACCEPTED = "refused", "accepted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the use of one file: `REFUSED` or `ACCEPTED`, and the finding, if there is one."""

    number: int
    answer: str
    finding: str = ""
    seconds: float = 0.0
    growth: int = 0


def changed_file(kind: Kind, samples: Sequence[bytes], seed: int, number: int) -> bytes:
    """Return the changed file with a number; equal arguments give equal files."""
    draws = np.random.default_rng([seed, number, crc32(type(kind).__name__.encode())])
    return kind.change(samples[number % len(samples)], draws)


def try_files(
    kind: type[Kind], seed: int, numbers: Sequence[int], workers: int
) -> Iterator[Outcome]:
    """Yield the outcomes of the files with some numbers, in any order."""
    waiting = list(reversed(numbers))
    pool = [_Worker(kind, seed) for _ in range(min(workers, len(numbers)))]
    try:
        while pool:
            for worker in pool:
                if worker.number is None and waiting:
                    worker.begin(waiting.pop())
            pool = [worker for worker in pool if worker.number is not None]
            wait([worker.connection for worker in pool], timeout=1.0)
            for worker in pool:
                outcome = worker.answer()
                if outcome is not None:
                    yield outcome
    finally:
        for worker in pool:
            worker.end()


class _Worker:
    """A process that tries files one after another; a new process replaces a dead one."""

    def __init__(self, kind: type[Kind], seed: int) -> None:
        self._arguments = (kind, seed)
        self.number: int | None = None
        self._start()

    def _start(self) -> None:
        context = get_context("forkserver")  # forks of a process that has imported all modules
        context.set_forkserver_preload(["tools.mutating.kinds"])
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(*self._arguments, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self.connection.recv()  # the new process has made its samples

    def begin(self, number: int) -> None:
        self.number, self._since = number, time.monotonic()
        self.connection.send(number)

    def answer(self) -> Outcome | None:
        """Return the outcome of the file, None if it is not known yet."""
        assert self.number is not None, "it was given one"
        try:
            if self.connection.poll():
                outcome: Outcome | Exception = self.connection.recv()
                if isinstance(outcome, Exception):
                    raise RuntimeError(f"file {self.number} cannot be made") from outcome
                self.number = None
                return outcome
            if time.monotonic() - self._since < PATIENCE:
                return None
            why = f"hangs: no answer in {PATIENCE:.0f} s"
        except (EOFError, OSError):
            self._process.join()
            code = self._process.exitcode or 0
            why = f"dies: {signal.Signals(-code).name if code < 0 else f'exit status {code}'}"
        lost = Outcome(self.number, ACCEPTED, why)
        self.end()
        self._start()
        self.number = None
        return lost

    def end(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _serve(made: type[Kind], seed: int, connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    kind = made()
    samples = kind.samples()
    for k, sample in enumerate(samples):  # fills the caches, and checks that samples are accepted
        outcome = _tried(kind, sample, k)
        assert outcome.answer == ACCEPTED, f"sample {k}: {outcome}"
    connection.send(len(samples))
    while True:
        try:
            number = connection.recv()
        except EOFError:
            return
        try:
            data = changed_file(kind, samples, seed, number)
        except Exception as error:  # noqa: BLE001 - an error of this tool
            connection.send(error)
            return
        connection.send(_tried(kind, data, number))


def _tried(kind: Kind, data: bytes, number: int) -> Outcome:
    """Use a file and return the outcome."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(data)
        Path("/proc/self/clear_refs").write_text(FRESH_PEAK)
        size, begun = _status("VmRSS"), time.process_time()
        answer, finding = ACCEPTED, ""
        try:
            kind.use(path)
        except OptimusError:
            answer = REFUSED
        except Exception as error:  # noqa: BLE001 - any other error is a finding
            finding = f"raw error: {type(error).__name__}: {str(error)[:200]}"
        seconds, growth = time.process_time() - begun, _status("VmHWM") - size
    if not finding and growth > MOST_GROWTH:
        finding = f"takes {growth / 2**20:.0f} MB"
    if not finding and seconds > MOST_SECONDS:
        finding = f"takes {seconds:.1f} s"
    return Outcome(number, answer, finding, seconds, growth)


def _status(field: str) -> int:
    """Return a size of this process's memory in bytes, by its name in /proc/self/status."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return 1024 * int(line.split()[1])
    raise OSError(f"no {field} in /proc/self/status")
