"""Processes that play episodes, and what comes of them: rows, crashes, deaths."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, Final

from optimus_gym.run.evaluate.evaluation import Evaluation, Job

LAST_WORDS_S: Final = 2.0
"""Seconds after a process's end in which its last messages are read; a child of it may hold its pipe open."""
END_S: Final = 2.0
"""Seconds that a killed process is waited for; the system keeps some for longer."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a process says: "ready", "row", "crashed", "refused", or "gone" when it has ended."""

    worker: "Worker"
    kind: str
    what: Any = None


@dataclass(slots=True, eq=False)
class Worker:
    """A process that plays episodes, in a process group of its own.

    Attributes:
        process: itself.
        listener: the thread that reads what it says.
        given: what it was given and has not told the result of, with the time (s) from which it counts.
        is_ready: whether it has made its environment.
    """

    process: "subprocess.Popen[str]"
    listener: Thread | None = None
    given: dict[Job, float] = field(default_factory=dict)
    is_ready: bool = False

    @property
    def jobs(self) -> list[Job]:
        """Return what it was given and has not told the result of."""
        return list(self.given)

    def give(self, job: Job) -> None:
        """Give it an episode to play."""
        self.given[job] = time.monotonic()
        with suppress(BrokenPipeError, ValueError):  # it has ended; that is told by itself
            _input(self.process).write(json.dumps(asdict(job)) + "\n")
            _input(self.process).flush()

    def took(self, key: tuple[str, int]) -> None:
        """Note that an episode is over."""
        self.given = {
            job: since for job, since in self.given.items() if (job.task, job.episode) != key
        }

    def end(self) -> None:
        """End it and all that it started, whatever they are doing."""
        _kill_group(self.process)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)
        if self.listener is not None:
            self.listener.join(END_S)
        for pipe in (self.process.stdin, self.process.stdout):
            is_read = pipe is self.process.stdout and self.listener and self.listener.is_alive()
            if (
                pipe is not None and not is_read
            ):  # closing a pipe waits for the thread that reads it
                with suppress(BrokenPipeError):
                    pipe.close()


def _kill_group(process: "subprocess.Popen[str]") -> None:
    """Kill a process and those of its group."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def start_worker(
    evaluation: Evaluation,
    identity: Mapping[str, Any],
    rows: int,
    pictures: Mapping[str, Any] | None,
    heard: "SimpleQueue[Message]",
) -> Worker:
    """Start a process; all that it says goes to `heard`.

    Args:
        evaluation: what it plays.
        identity: what all rows share.
        rows: how many episodes it plays at once.
        pictures: what it keeps to look at, and where; None for nothing.
        heard: where its messages go.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "optimus_gym.run.evaluate.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    worker = Worker(process)
    told = {
        "path": sys.path,
        "evaluation": evaluation.plain(),
        "identity": dict(identity),
        "rows": rows,
        "pictures": pictures,
    }
    with suppress(BrokenPipeError):  # it has ended; that is told by itself
        _input(process).write(json.dumps(told) + "\n")
        _input(process).flush()
    worker.listener = Thread(target=_listen, args=(worker, heard), daemon=True)
    worker.listener.start()
    Thread(target=_await, args=(worker, heard), daemon=True).start()
    return worker


def _listen(worker: Worker, heard: "SimpleQueue[Message]") -> None:
    """Pass on what a process says, until its pipe has no writer any more."""
    out = worker.process.stdout
    assert out is not None, "it is a pipe"
    with suppress(ValueError):  # closed by `end`
        for line in out:
            if line.endswith("\n"):  # else it was killed while it said this
                kind, what = json.loads(line)
                heard.put(Message(worker, kind, what))


def _await(worker: Worker, heard: "SimpleQueue[Message]") -> None:
    """Tell of a process's end: of its own, for a process that it has started may keep its pipe open."""
    worker.process.wait()
    assert worker.listener is not None, "it was started before"
    worker.listener.join(LAST_WORDS_S)
    heard.put(Message(worker, "gone"))


def _input(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdin is not None, "it is a pipe"
    return process.stdin
