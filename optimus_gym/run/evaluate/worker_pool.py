"""Start processes that play episodes, and pass on the processes' messages: rows, crashes, ends."""

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
"""Seconds to read a process's last messages after its end; a child process may hold the pipe open."""
END_S: Final = 2.0
"""Seconds to wait for the end of a killed process, which the operating system may delay for longer."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message from a process: "ready", "row", "crashed", "refused", or "gone" when it has ended."""

    worker: "Worker"
    kind: str
    what: Any = None


@dataclass(slots=True, eq=False)
class Worker:
    """A process that plays episodes, in a process group of its own.

    Attributes:
        process: the process itself.
        heard: the queue for the process's messages.
        listener: the thread that reads the process's messages.
        given: the unfinished jobs, each with the time (`time.monotonic`, s) at which the process got the job.
        is_ready: whether the process has made its environment.
        turn: number of the evaluation that the process plays, from 1.
    """

    process: "subprocess.Popen[str]"
    heard: "SimpleQueue[Message]"
    listener: Thread | None = None
    given: dict[Job, float] = field(default_factory=dict)
    is_ready: bool = False
    turn: int = 0

    @property
    def jobs(self) -> list[Job]:
        """Return the jobs that the process has not finished."""
        return list(self.given)

    def give(self, job: Job) -> None:
        """Give the process an episode to play."""
        self.given[job] = time.monotonic()
        self.say("job", asdict(job))

    def say(self, kind: str, what: Any) -> None:
        """Send the process an order; a process that has ended hears nothing, and "gone" follows."""
        with suppress(BrokenPipeError, ValueError):
            _input(self.process).write(json.dumps([kind, what]) + "\n")
            _input(self.process).flush()

    def took(self, key: tuple[str, int]) -> None:
        """Remove an episode that has ended from the process's unfinished jobs."""
        self.given = {
            job: since for job, since in self.given.items() if (job.task, job.episode) != key
        }

    def end(self) -> None:
        """Kill the process and all processes that it started."""
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
    """Kill a process and its process group."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class WorkerPool:
    """Starts processes, and keeps those that have played an evaluation to its end for the next one."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []

    def worker(
        self,
        evaluation: Evaluation,
        identity: Mapping[str, Any],
        rows: int,
        pictures: Mapping[str, Any] | None,
        heard: "SimpleQueue[Message]",
    ) -> Worker:
        """Return a process that makes the environment of an evaluation, and sends its messages to `heard`.

        Args:
            evaluation: the configuration.
            identity: the values that all rows share.
            rows: how many episodes the process plays at once.
            pictures: the picture settings of `Crewing.told`; None keeps no pictures.
            heard: the queue for the process's messages.
        """
        worker = self._taken(heard)
        worker.turn += 1
        told = {
            "turn": worker.turn,
            "path": sys.path,
            "evaluation": evaluation.plain(),
            "identity": dict(identity),
            "rows": rows,
            "pictures": pictures,
        }
        worker.say("stage", told)
        return worker

    def _taken(self, heard: "SimpleQueue[Message]") -> Worker:
        """Return a kept process that still runs, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            worker.heard, worker.is_ready = heard, False
            if worker.process.poll() is None:
                return worker
            worker.end()
        return _started(heard)

    def give_back(self, worker: Worker) -> None:
        """Keep a process that has nothing left to play; end any other."""
        if not worker.given:
            self._idle.append(worker)
        else:
            worker.end()

    def close(self) -> None:
        """End the processes that are kept."""
        while self._idle:
            self._idle.pop().end()


def _started(heard: "SimpleQueue[Message]") -> Worker:
    """Start a process."""
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "optimus_gym.run.evaluate.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    worker = Worker(process, heard)
    worker.listener = Thread(target=_listen, args=(worker,), daemon=True)
    worker.listener.start()
    Thread(target=_await, args=(worker,), daemon=True).start()
    return worker


def _listen(worker: Worker) -> None:
    """Pass on a process's messages on its present evaluation until its pipe is closed."""
    out = worker.process.stdout
    assert out is not None, "it is a pipe"
    with suppress(ValueError):  # `end` has closed the pipe
        for line in out:
            if line.endswith("\n"):  # else the process was killed while it wrote
                turn, kind, what = json.loads(line)
                if turn == worker.turn:
                    worker.heard.put(Message(worker, kind, what))


def _await(worker: Worker) -> None:
    """Send "gone" when the process itself ends, although its children may still hold the pipe open."""
    worker.process.wait()
    assert worker.listener is not None, "it was started before"
    worker.listener.join(LAST_WORDS_S)
    worker.heard.put(Message(worker, "gone"))


def _input(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdin is not None, "it is a pipe"
    return process.stdin
