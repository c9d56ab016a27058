"""Workers that are processes on this machine."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, Final

from optimus_gym.run.evaluate.worker_pool import Message, Worker, WorkerPool

LAST_WORDS_S: Final = 2.0
"""Seconds to read a process's last messages after its end; a child process may hold the pipe open."""
END_S: Final = 2.0
"""Seconds to wait for the end of a killed process, which the operating system may delay for longer."""


class ProcessWorker(Worker):
    """A process that plays episodes, in a process group of its own.

    Attributes:
        process: the process itself.
    """

    def __init__(self, heard: "SimpleQueue[Message]") -> None:
        super().__init__(heard)
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "optimus_gym.run.evaluate.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        self._listener = Thread(target=self._listen, daemon=True)
        self._listener.start()
        Thread(target=self._await, daemon=True).start()

    def _listen(self) -> None:
        """Pass on the process's messages until its pipe is closed."""
        with suppress(ValueError):  # `end` has closed the pipe
            for line in _pipe(self.process.stdout):
                if line.endswith("\n"):  # else the process was killed while it wrote
                    turn, kind, what = json.loads(line)
                    self.heard.put(Message(self, turn, kind, what))

    def _await(self) -> None:
        """Send "gone" when the process itself ends, although its children may still hold the pipe open."""
        self.process.wait()
        self._listener.join(LAST_WORDS_S)
        self.heard.put(Message(self, self.turn, "gone"))

    def say(self, kind: str, what: Any) -> None:
        """Send the process an order; a process that has ended hears nothing, and "gone" follows."""
        with suppress(BrokenPipeError, ValueError):
            _pipe(self.process.stdin).write(json.dumps([kind, what]) + "\n")
            _pipe(self.process.stdin).flush()

    def end(self) -> None:
        """Kill the process and all processes that it started."""
        _kill_group(self.process)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(END_S)
        self._listener.join(END_S)
        for pipe in (self.process.stdin, self.process.stdout):
            is_read = pipe is self.process.stdout and self._listener.is_alive()
            if (
                pipe is not None and not is_read
            ):  # closing a pipe waits for the thread that reads it
                with suppress(BrokenPipeError):
                    pipe.close()

    @property
    def has_ended(self) -> bool:
        """Return whether the process has ended."""
        return self.process.poll() is not None

    @property
    def ending(self) -> str:
        """Return in words how the process ended."""
        return ending(self.process.returncode)

    @property
    def was_killed(self) -> bool:
        """Return whether the process was killed (SIGKILL)."""
        return self.process.returncode == -signal.SIGKILL


class ProcessPool(WorkerPool):
    """Processes on this machine."""

    def _started(self, heard: "SimpleQueue[Message]") -> ProcessWorker:
        return ProcessWorker(heard)


def ending(code: int | None) -> str:
    """Return in words how a process ended.

    >>> ending(-9)
    'was ended by SIGKILL'
    """
    if code is None:
        return "did not end when it was killed"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with status {code}"


def _kill_group(process: "subprocess.Popen[str]") -> None:
    """Kill a process and its process group."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None, "both ends are pipes"
    return end
