"""Evaluate: give the episodes that are still to play to processes, and yield what comes of them."""

import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from types import MappingProxyType
from typing import Any, Final

from optimus_gym.core.checks import check_count, check_name, check_path, is_number
from optimus_gym.core.errors import BadValue, shown
from optimus_gym.run.evaluate.evaluation import Evaluation, Job
from optimus_gym.run.evaluate.identity import identity_of, memory_hash
from optimus_gym.run.evaluate.pictures import KEY_FRAMES, Pictures, fitting
from optimus_gym.run.evaluate.stage import crashed, overtime
from optimus_gym.run.evaluate.workers import Message, Worker, start_worker
from optimus_gym.run.results.folder import OpenFolder, opened
from optimus_gym.run.results.row import CRASHED, OVERTIME, EpisodeRow, row_of

MOST_WORKERS: Final = 256
MOST_ROWS: Final = 4096
TRIES: Final = 3
"""Processes that may die over one episode that each plays alone before it counts as crashed."""
STARTS: Final = 3
"""Processes that may end one after the other before they have begun."""
KILLED_STARTS: Final = 10
"""The same, if the last of them was killed from outside (SIGKILL)."""
LONGEST_S: Final = 1e7
"""Most seconds that an episode may be given; threads wait for no longer."""
AGAIN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"crashed": (CRASHED, OVERTIME)})
"""Kinds of episodes that can be played again, and their statuses."""


def evaluate(
    evaluation: Evaluation,
    out: str | os.PathLike[str] | None = None,
    *,
    workers: int = 1,
    rows: int = 1,
    pictures: Pictures = KEY_FRAMES,
    episode_limit: float | None = None,
    again: str | None = None,
    tell_kept: Callable[[int], None] | None = None,
) -> Generator[EpisodeRow, None, None]:
    """Play an evaluation's episodes and yield their rows: first those that the folder has, then new ones.

    Rows come in the order in which episodes end; in the folder they stand in the order of
    `evaluation.jobs` once all have come. The outcome of an episode does not depend on workers and rows.

    An error while an episode is played, or the death of its process, is that episode's result ("crashed",
    with the traceback): where several were being played, each of them is played again, alone, to find out
    whose it was. Closing the iterator ends all processes; what they were playing is played again by the
    next call with this folder. A task that world and executors cannot do is refused if it was asked for by
    name; where all of a suite is asked for, its episodes are not played and count as not reached
    ("impossible").

    Args:
        evaluation: what is evaluated.
        out: the folder to keep the rows in, made or gone on with; None keeps none.
        workers: processes, 1 to 256.
        rows: episodes that each plays at once, 1 to 4,096: as many as a policy on a GPU can take.
        pictures: what is kept to look at, in the folder; of episodes that are not played again, nothing new.
        episode_limit: seconds by the clock that an episode may take by itself, above 0; None: no limit. A
            longer episode is "crashed (time)", which counts neither as success nor as failure. If `rows`
            episodes share a process, it gets `rows` times as long; then each of them is played again, alone.
            The limit is no part of the evaluation's identity: it changes no other episode's result.
        again: "crashed" plays again the episodes of the folder that crashed, also by time; None: none.
        tell_kept: is called once, before the first row, with how many episodes the folder has already.

    Raises:
        BadValue: an argument cannot be used; the folder holds something else; a worker cannot make the
            environment; or the memory changed meanwhile.
        OSError: the folder cannot be written.
    """
    check_count("workers", workers, 1, MOST_WORKERS)
    check_count("rows", rows, 1, MOST_ROWS)
    folder = None if out is None else check_path("out", out)
    limit = None if episode_limit is None else _checked_limit(episode_limit)
    statuses = () if again is None else AGAIN[check_name("kind of episodes", again, AGAIN)]
    kept = fitting(pictures, evaluation)
    if folder is None and kept.videos != "none":
        raise BadValue("videos: expected a folder `out` to keep them in, got none")
    identity = identity_of(evaluation)
    crewing = Crewing(workers, rows, kept, limit)
    return _evaluated(evaluation, identity, folder, crewing, statuses, tell_kept)


def _checked_limit(value: object) -> float:
    """Return how many seconds an episode may take.

    Raises:
        BadValue: it is no such number.
    """
    if is_number(value) and 0 < value <= LONGEST_S:
        return float(value)
    told = f"above 0 and at most {LONGEST_S:,.0f}, got {shown(value)}"
    raise BadValue(f"episode_limit: expected seconds {told}")


def _evaluated(
    evaluation: Evaluation,
    identity: Mapping[str, Any],
    path: Path | None,
    crewing: "Crewing",
    again: tuple[str, ...],
    tell_kept: Callable[[int], None] | None,
) -> Generator[EpisodeRow, None, None]:
    with ExitStack() as stack:
        folder: OpenFolder | None = None
        if path is not None:
            folder = stack.enter_context(opened(path, identity))
            stack.callback(folder.close)
        asked = evaluation.jobs
        if folder and again:
            keys = {(job.task, job.episode) for job in asked}
            folder.leave_out(lambda row: row.key in keys and row.status in again)
        done = {row.key: row for row in folder.rows} if folder else {}
        left = [job for job in asked if (job.task, job.episode) not in done]
        if tell_kept is not None:
            tell_kept(len(asked) - len(left))
        yield from (done[key] for job in asked if (key := (job.task, job.episode)) in done)
        if folder and left:
            stack.enter_context(folder.timed(workers=crewing.workers, rows=crewing.rows))
        crew = stack.enter_context(closing(Crew(evaluation, identity, left, crewing, path)))
        for row in crew.play():
            if folder:
                folder.add(row)
            done[row.key] = row
            yield row
        if memory_hash(evaluation) != identity["memory"]:
            raise BadValue(f"memory: '{evaluation.memory}' changed while it was evaluated")
        if folder and left:
            folder.put_in_order(_in_order(evaluation, done))


def _in_order(
    evaluation: Evaluation, rows: Mapping[tuple[str, int], EpisodeRow]
) -> list[EpisodeRow]:
    """Return rows in the order of their episodes; those that were not asked for come last."""
    places = {(job.task, job.episode): place for place, job in enumerate(evaluation.jobs)}
    return [rows[key] for key in sorted(rows, key=lambda key: (places.get(key, len(places)), key))]


@dataclass(frozen=True, slots=True)
class Crewing:
    """Processes that play: how many, how many episodes each plays at once, what they keep, how long they may.

    Attributes:
        limit: seconds that an episode may take by itself; None: any.
    """

    workers: int
    rows: int
    pictures: Pictures
    limit: float | None = None

    def told(self, folder: Path | None) -> dict[str, Any] | None:
        """Return what a process is told of pictures; None if it keeps none."""
        if folder is None or not self.pictures.are_asked:
            return None
        return {"pictures": self.pictures.plain(), "folder": str(folder)}


class Crew:
    """Some processes with the episodes that they are to play.

    Args:
        evaluation: what is evaluated.
        identity: what all rows share.
        jobs: the episodes.
        crewing: how many processes, and what each does.
        folder: where pictures are kept; None keeps none.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        identity: Mapping[str, Any],
        jobs: list[Job],
        crewing: Crewing,
        folder: Path | None,
    ) -> None:
        self._evaluation = evaluation
        self._identity = identity
        self._rows = crewing.rows
        self._limit = crewing.limit
        self._pictures = crewing.told(folder)
        self._jobs = deque(jobs)
        self._suspects: deque[Job] = deque()
        """What was being played when something went wrong; each is played alone."""
        self._deaths: Counter[Job] = Counter()
        self._alone: dict[Worker, Job] = {}
        self._failed_starts = 0
        self._heard: SimpleQueue[Message] = SimpleQueue()
        self._workers: list[Worker] = []
        self._wanted = min(crewing.workers, len(jobs))

    def play(self) -> Iterator[EpisodeRow]:
        """Play all episodes and yield their rows as they end.

        Raises:
            BadValue: no process can begin.
        """
        while self._open:
            while len(self._workers) < min(self._wanted, self._open):
                made = start_worker(
                    self._evaluation, self._identity, self._rows, self._pictures, self._heard
                )
                self._workers.append(made)
            try:
                message = self._heard.get(timeout=self._patience)
            except Empty:
                yield from self._late()
            else:
                yield from self._take(message)

    @property
    def _open(self) -> int:
        """Return how many episodes are still to play or being played."""
        given = sum(len(worker.jobs) for worker in self._workers)
        return given + len(self._jobs) + len(self._suspects)

    @property
    def _patience(self) -> float | None:
        """Return for how long (s) a message can be waited for until an episode has taken too long."""
        ends = [end for worker in self._workers if (end := self._deadline(worker)) is not None]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _deadline(self, worker: Worker) -> float | None:
        """Return when the episode that a process has played longest has taken too long; None: never."""
        if self._limit is None or not worker.given:
            return None
        at_once = 1 if worker in self._alone else self._rows
        return min(worker.given.values()) + at_once * self._limit

    def _late(self) -> Iterator[EpisodeRow]:
        """End the processes that have taken too long; an episode that was alone in one has its result."""
        now = time.monotonic()
        for worker in list(self._workers):
            end = self._deadline(worker)
            if end is None or end > now or self._limit is None:
                continue
            self._workers.remove(worker)
            worker.end()
            if self._rows == 1 or worker in self._alone:
                self._alone.pop(worker, None)
                for job in worker.jobs:
                    yield overtime(self._evaluation, self._identity, job, self._limit)
            else:
                yield from self._suspect(worker, "it took too long", final=False)
        for one in self._workers:
            self._supply(one)

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        while self._workers:
            self._workers.pop().end()

    def _take(self, message: Message) -> Iterator[EpisodeRow]:
        """See to what a process says; yield a row if it tells of one."""
        worker = message.worker
        if worker not in self._workers:
            return
        if message.kind == "refused":
            raise BadValue(f"evaluate: {message.what}")
        if message.kind == "ready":
            worker.is_ready, self._failed_starts = True, 0
        if message.kind == "row":
            row = row_of(message.what, "a worker's row")
            worker.took(row.key)
            self._alone.pop(worker, None)
            yield row
        if message.kind == "crashed":
            self._workers.remove(worker)
            worker.end()
            yield from self._suspect(worker, message.what, final=True)
        if message.kind == "gone":
            yield from self._bury(worker)
        for one in self._workers:
            self._supply(one)

    def _suspect(self, worker: Worker, why: str, final: bool) -> Iterator[EpisodeRow]:
        """Let what a process was playing be played again alone; what was alone already has crashed.

        Args:
            worker: whose episodes were cut off.
            why: the traceback, or how it ended.
            final: whether the same would happen again.
        """
        alone = self._alone.pop(worker, None)
        jobs, worker.given = worker.jobs, {}
        for job in jobs:
            self._deaths[job] += job == alone
            if job == alone and (final or self._deaths[job] >= TRIES):
                yield crashed(self._evaluation, self._identity, job, why)
            else:
                self._suspects.append(job)

    def _bury(self, worker: Worker) -> Iterator[EpisodeRow]:
        """See to the end of a process.

        Raises:
            BadValue: one after the other ended before it had begun.
        """
        self._workers.remove(worker)
        worker.end()
        how = _ending(worker.process.returncode)
        if not worker.is_ready:
            self._failed_starts += 1
            killed = worker.process.returncode == -signal.SIGKILL
            if self._failed_starts >= (KILLED_STARTS if killed else STARTS):
                raise BadValue(
                    f"evaluate: {self._failed_starts} processes ended before they began, the last one {how}"
                )
        yield from self._suspect(worker, f"its process {how}, {TRIES} times", final=False)

    def _supply(self, worker: Worker) -> None:
        """Give a process as many episodes as it can play at once; a suspected one gets it for itself."""
        if not worker.is_ready or worker in self._alone:
            return
        if self._suspects:
            if not worker.jobs:
                self._alone[worker] = self._suspects.popleft()
                worker.give(self._alone[worker])
            return
        while self._jobs and len(worker.jobs) < self._rows:
            worker.give(self._jobs.popleft())


def _ending(code: int | None) -> str:
    """Say how a process ended.

    >>> _ending(-9)
    'was ended by SIGKILL'
    """
    if code is None:
        return "did not end when it was killed"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with status {code}"
