"""Workers that play episodes, and pools of workers that several evaluations share, one after the other.

`process_pool.py` has workers on this machine, `ray_pool.py` workers on the nodes of a Ray cluster.
"""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from queue import SimpleQueue
from typing import Any

from optimus_gym.run.evaluate.evaluation import Evaluation, Job


@dataclass(frozen=True, slots=True)
class Message:
    """A message from a worker.

    Attributes:
        worker: the worker.
        turn: number of the worker's evaluation that the message is about.
        kind: "ready", "row", "crashed", "refused", or "gone" when the worker has ended.
        what: the row or text.
    """

    worker: "Worker"
    turn: int
    kind: str
    what: Any = None


class Worker(ABC):
    """A worker that plays episodes.

    Attributes:
        heard: the queue for the worker's messages.
        given: the unfinished jobs, each with the time (`time.monotonic`, s) at which the worker got the job.
        is_ready: whether the worker has made its environment.
        turn: number of the evaluation that the worker plays, from 1.
    """

    def __init__(self, heard: "SimpleQueue[Message]") -> None:
        self.heard = heard
        self.given: dict[Job, float] = {}
        self.is_ready = False
        self.turn = 0

    @property
    def jobs(self) -> list[Job]:
        """Return the jobs that the worker has not finished."""
        return list(self.given)

    def give(self, job: Job) -> None:
        """Give the worker an episode to play."""
        self.given[job] = time.monotonic()
        self.say("job", asdict(job))

    def took(self, key: tuple[str, int]) -> None:
        """Remove an episode that has ended from the worker's unfinished jobs."""
        self.given = {
            job: since for job, since in self.given.items() if (job.task, job.episode) != key
        }

    @abstractmethod
    def say(self, kind: str, what: Any) -> None:
        """Send the worker an order; a worker that has ended hears nothing, and "gone" follows."""

    @abstractmethod
    def end(self) -> None:
        """End the worker, and all processes that it started."""

    @property
    @abstractmethod
    def has_ended(self) -> bool:
        """Return whether the worker has ended by itself."""

    @property
    @abstractmethod
    def ending(self) -> str:
        """Return in words how the worker ended."""

    @property
    @abstractmethod
    def was_killed(self) -> bool:
        """Return whether the worker was ended from outside."""


class WorkerPool(ABC):
    """Starts workers, and keeps those that have played an evaluation to its end for the next one."""

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
        """Return a worker that makes the environment of an evaluation, and sends its messages to `heard`.

        Args:
            evaluation: the configuration.
            identity: the values that all rows share.
            rows: how many episodes the worker plays at once.
            pictures: the picture settings of `Crewing.told`; None keeps no pictures.
            heard: the queue for the worker's messages.
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
        """Return a kept worker that has not ended, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            worker.heard, worker.is_ready = heard, False
            if not worker.has_ended:
                return worker
            worker.end()
        return self._started(heard)

    @abstractmethod
    def _started(self, heard: "SimpleQueue[Message]") -> Worker:
        """Return a new worker."""

    def give_back(self, worker: Worker) -> None:
        """Keep a worker that has nothing left to play; end any other."""
        if not worker.given:
            self._idle.append(worker)
        else:
            worker.end()

    def close(self) -> None:
        """End the workers that are kept."""
        while self._idle:
            self._idle.pop().end()
