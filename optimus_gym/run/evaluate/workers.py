"""Processes that play episodes, and what comes of them: rows, crashes, deaths."""

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from optimus_gym.run.evaluate.evaluation import Evaluation, Job


@dataclass(frozen=True, slots=True)
class Message:
    """What a process says: "ready", "row", "crashed", "refused", or "gone" when it has ended."""

    worker: "Worker"
    kind: str
    what: Any = None


@dataclass(slots=True, eq=False)
class Worker:
    """A process that plays episodes.

    Attributes:
        process: itself.
        jobs: what it was given and has not told the result of.
        is_ready: whether it has made its environment.
    """

    process: "subprocess.Popen[str]"
    jobs: list[Job] = field(default_factory=list)
    is_ready: bool = False

    def give(self, job: Job) -> None:
        """Give it an episode to play."""
        self.jobs.append(job)
        try:
            _input(self.process).write(json.dumps(asdict(job)) + "\n")
            _input(self.process).flush()
        except (BrokenPipeError, ValueError):
            pass  # it has ended; that is told by itself

    def end(self) -> None:
        """End it at once, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                if pipe is not None:
                    pipe.close()
            except BrokenPipeError:
                pass


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
    )
    worker = Worker(process)
    told = {
        "path": sys.path,
        "evaluation": evaluation.plain(),
        "identity": dict(identity),
        "rows": rows,
        "pictures": pictures,
    }
    try:
        _input(process).write(json.dumps(told) + "\n")
        _input(process).flush()
    except BrokenPipeError:
        pass  # it has ended; that is told by itself
    Thread(target=_listen, args=(worker, heard), daemon=True).start()
    return worker


def _listen(worker: Worker, heard: "SimpleQueue[Message]") -> None:
    out = worker.process.stdout
    assert out is not None, "it is a pipe"
    try:
        for line in out:
            if line.endswith("\n"):  # else it was killed while it said this
                kind, what = json.loads(line)
                heard.put(Message(worker, kind, what))
    except ValueError:
        pass  # closed by `end`
    heard.put(Message(worker, "gone"))


def _input(process: "subprocess.Popen[str]") -> IO[str]:
    assert process.stdin is not None, "it is a pipe"
    return process.stdin
