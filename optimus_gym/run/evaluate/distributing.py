"""Evaluate: distribute the remaining episodes to processes, and yield a row of results for each."""

import os
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
from optimus_gym.run.evaluate.key_frames import KEY_FRAMES, Pictures, fitting
from optimus_gym.run.evaluate.process_pool import ProcessPool
from optimus_gym.run.evaluate.stage import crashed, overtime
from optimus_gym.run.evaluate.worker_pool import Message, Worker, WorkerPool
from optimus_gym.run.results.results_folder import OpenFolder, opened, united
from optimus_gym.run.results.row import CRASHED, OVERTIME, EpisodeRow, row_of
from optimus_gym.run.results.shards import Shard

MOST_WORKERS: Final = 256
_MOST_ROWS: Final = 4096
_TRIES: Final = 3
"""An episode counts as crashed after this many processes died while playing it alone."""
STARTS: Final = 3
"""`evaluate` raises an error when this many processes in a row have ended before they were ready to play."""
KILLED_STARTS: Final = 10
"""Number of starts in a row that must fail before `evaluate` raises an error, if the last process was killed
from outside (SIGKILL)."""
LONGEST_S: Final = 1e7
"""Largest `episode_limit` in seconds; Python's threads cannot wait for a longer time."""
AGAIN: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType({"crashed": (CRASHED, OVERTIME)})
"""Statuses of the episodes to replay, by the value of the argument `again`."""


def evaluate(
    evaluation: Evaluation,
    out: str | os.PathLike[str] | None = None,
    *,
    workers: int = 1,
    rows: int = 1,
    pictures: Pictures = KEY_FRAMES,
    episode_limit: float | None = None,
    again: str | None = None,
    shard: Shard | None = None,
    tell_kept: Callable[[int], None] | None = None,
    pool: WorkerPool | None = None,
) -> Generator[EpisodeRow, None, None]:
    """Play an evaluation's episodes and yield their rows: first the folder's rows, then the new ones.

    New rows come in the order in which episodes end. When all rows exist, the folder stores them in the order
    of `evaluation.jobs`. The outcome of an episode does not depend on `workers` and `rows`.

    An episode that raises an error, or whose process dies, gets the status "crashed", with the traceback. If
    a process that crashed was playing several episodes, each of these episodes is replayed alone, to find the
    faulty one. Closing the iterator ends all processes; the next call with the same folder replays the
    unfinished episodes. A task that world, controller and helper cannot do raises an error if the evaluation
    has only some of the suite's tasks. If the evaluation has the whole suite, episodes of an impossible task
    are skipped and count as not reached (status "impossible").

    Args:
        evaluation: the configuration.
        out: the folder that stores the rows: a new folder, or the folder of an earlier run; None stores no
            rows.
        workers: number of processes, 1 to 256.
        rows: episodes that each process plays at once, 1 to 4,096: as many as a policy on a GPU can take.
        pictures: the pictures that the folder keeps; episodes that are not replayed get no new pictures.
        episode_limit: wall seconds that an episode played alone may take, above 0; None: no limit. An episode
            beyond the limit gets the status "crashed (time)", neither success nor failure. If `rows`
            episodes share a process, an episode may take `rows` times the limit; if an episode takes longer,
            all episodes of its process are replayed alone. The time limit is not part of the evaluation's
            identity, since the limit changes no result of an episode that ends in time.
        again: "crashed" replays the folder's crashed episodes, also "crashed (time)"; None replays none.
        shard: the part of the episodes to play and yield; its rows stand in a folder of their own below
            `out`, and rows that another part has already count as played. None: all episodes.
        tell_kept: called once, before the first row, with the number of episodes the folder already has.
        pool: workers that several evaluations share, one after the other; None: processes of its own.

    Raises:
        BadValue: an argument cannot be used, the folder holds another evaluation or files that no evaluation
            wrote, a process cannot make the environment, or the memory changed during the evaluation.
        OSError: the folder cannot be written.
    """
    check_crew(workers, rows)
    folder = None if out is None else check_path("out", out)
    limit = None if episode_limit is None else _checked_limit(episode_limit)
    statuses = () if again is None else AGAIN[check_name("kind of episodes", again, AGAIN)]
    kept = fitting(pictures, evaluation)
    if folder is None and kept.videos != "none":
        raise BadValue("videos: expected `out`, a folder for the videos, got none")
    if shard is not None and folder is None:
        raise BadValue("shard: expected `out`, a folder that all shards share, got none")
    crewing = Crewing(workers, rows, kept, limit)
    return _evaluated(evaluation, folder, crewing, statuses, shard, tell_kept, pool)


def check_crew(workers: int, rows: int) -> None:
    """Check the number of processes and of episodes that each one plays at once.

    Raises:
        BadValue: a number is out of range.
    """
    check_count("workers", workers, 1, MOST_WORKERS)
    check_count("rows", rows, 1, _MOST_ROWS)


def _checked_limit(value: object) -> float:
    """Return `episode_limit` as a float in seconds.

    Raises:
        BadValue: the value is not a number above 0 and at most `LONGEST_S`.
    """
    if is_number(value) and 0 < value <= LONGEST_S:
        return float(value)
    told = f"above 0 and at most {LONGEST_S:,.0f}, got {shown(value)}"
    raise BadValue(f"episode_limit: expected a number of seconds {told}")


def _evaluated(
    evaluation: Evaluation,
    path: Path | None,
    crewing: "Crewing",
    again: tuple[str, ...],
    shard: Shard | None,
    tell_kept: Callable[[int], None] | None,
    pool: WorkerPool | None,
) -> Generator[EpisodeRow, None, None]:
    identity = identity_of(evaluation)
    with ExitStack() as stack:
        if pool is None:
            pool = stack.enter_context(closing(ProcessPool()))
        folder: OpenFolder | None = None
        if path is not None:
            folder = stack.enter_context(opened(path, identity, shard))
            stack.callback(folder.close)
        asked = evaluation.jobs if shard is None else shard.of(evaluation.jobs)
        keys = {(job.task, job.episode) for job in asked}
        if folder and again:
            folder.leave_out(lambda row: row.key in keys and row.status in again)
        own = {row.key: row for row in folder.rows} if folder else {}
        others = [row for row in folder.others if row.status not in again] if folder else []
        done = {row.key: row for row in united([*own.values(), *others])}
        left = [job for job in asked if (job.task, job.episode) not in done]
        if tell_kept is not None:
            tell_kept(len(asked) - len(left))
        yield from (done[key] for job in asked if (key := (job.task, job.episode)) in done)
        if folder and left:
            stack.enter_context(folder.timed(workers=crewing.workers, rows=crewing.rows))
        place = folder.path if folder else None
        crew = stack.enter_context(closing(Crew(evaluation, identity, left, crewing, place, pool)))
        for row in crew.play():
            if folder:
                folder.add(row)
            own[row.key] = row
            yield row
        if not evaluation.learn and memory_hash(evaluation.memory) != identity["memory"]:
            raise BadValue(f"memory: '{evaluation.memory}' changed during the evaluation")
        if folder and left:
            folder.put_in_order(_in_order(evaluation, own))


def _in_order(
    evaluation: Evaluation, rows: Mapping[tuple[str, int], EpisodeRow]
) -> list[EpisodeRow]:
    """Return rows in the order of `evaluation.jobs`; rows of episodes that are not in `jobs` come last."""
    places = {(job.task, job.episode): place for place, job in enumerate(evaluation.jobs)}
    return [rows[key] for key in sorted(rows, key=lambda key: (places.get(key, len(places)), key))]


@dataclass(frozen=True, slots=True)
class Crewing:
    """Settings of an evaluation's processes: how many, episodes at once in each, pictures, time limit.

    Attributes:
        limit: seconds that an episode played alone may take; None: no limit.
    """

    workers: int
    rows: int
    pictures: Pictures
    limit: float | None = None

    def told(self, folder: Path | None) -> dict[str, Any] | None:
        """Return the settings for pictures, as JSON for a process; None if no pictures are kept."""
        if folder is None or not self.pictures.are_asked:
            return None
        return {"pictures": self.pictures.plain(), "folder": str(folder)}


class Crew:
    """A group of processes and the episodes that they play.

    Args:
        evaluation: the configuration.
        identity: the values that all rows of the evaluation share (`identity_of`).
        jobs: the episodes to play.
        crewing: settings of the processes, such as their number.
        folder: the evaluation's folder, which gets the pictures; None keeps no pictures.
        pool: gives the processes, and takes those back that have nothing left to do.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        identity: Mapping[str, Any],
        jobs: list[Job],
        crewing: Crewing,
        folder: Path | None,
        pool: WorkerPool,
    ) -> None:
        self._pool = pool
        self._evaluation = evaluation
        self._identity = identity
        self._rows = crewing.rows
        self._limit = crewing.limit
        self._pictures = crewing.told(folder)
        self._jobs = deque(jobs)
        self._suspects: deque[Job] = deque()
        """Episodes of processes that crashed, died or took too long; each one is replayed alone."""
        self._deaths: Counter[Job] = Counter()
        self._alone: dict[Worker, Job] = {}
        self._failed_starts = 0
        self._heard: SimpleQueue[Message] = SimpleQueue()
        self._workers: list[Worker] = []
        self._wanted = min(crewing.workers, len(jobs))

    def play(self) -> Iterator[EpisodeRow]:
        """Play all episodes and yield their rows as they end.

        Raises:
            BadValue: processes end before they are ready, or one cannot make the environment or write
                pictures.
        """
        while self._open:
            while len(self._workers) < min(self._wanted, self._open):
                made = self._pool.worker(
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
        """Return how many episodes are waiting or being played."""
        given = sum(len(worker.jobs) for worker in self._workers)
        return given + len(self._jobs) + len(self._suspects)

    @property
    def _patience(self) -> float | None:
        """Return how many seconds remain until the next deadline of an episode; None without a limit."""
        ends = [end for worker in self._workers if (end := self._deadline(worker)) is not None]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _deadline(self, worker: Worker) -> float | None:
        """Return the `time.monotonic()` at which a process's oldest episode is overdue; None: never."""
        if self._limit is None or not worker.given:
            return None
        at_once = 1 if worker in self._alone else self._rows
        return min(worker.given.values()) + at_once * self._limit

    def _late(self) -> Iterator[EpisodeRow]:
        """End overdue processes; yield a row "crashed (time)" for each episode that was played alone."""
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
        """Give all processes back to the pool, which kills those that are playing an episode."""
        while self._workers:
            self._pool.give_back(self._workers.pop())

    def _take(self, message: Message) -> Iterator[EpisodeRow]:
        """Handle a message from a process; yield the row of an episode that ended."""
        worker = message.worker
        is_late = message.kind != "gone" and message.turn != worker.turn
        if worker not in self._workers or is_late:
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
        """Queue a process's episodes for replay, each alone; yield a "crashed" row for each not replayed.

        An episode that was played alone counts as crashed if `final`, or after `_TRIES` deaths of its
        process.

        Args:
            worker: the process whose episodes were cut off.
            why: the traceback, or how the process ended.
            final: whether a replay would crash in the same way, so that the episode is not played again.
        """
        alone = self._alone.pop(worker, None)
        jobs, worker.given = worker.jobs, {}
        for job in jobs:
            self._deaths[job] += job == alone
            if job == alone and (final or self._deaths[job] >= _TRIES):
                yield crashed(self._evaluation, self._identity, job, why)
            else:
                self._suspects.append(job)

    def _bury(self, worker: Worker) -> Iterator[EpisodeRow]:
        """Remove a process that has ended, and queue the process's unfinished episodes.

        Raises:
            BadValue: too many processes in a row ended before they were ready.
        """
        self._workers.remove(worker)
        worker.end()
        if not worker.is_ready:
            self._failed_starts += 1
            if self._failed_starts >= (KILLED_STARTS if worker.was_killed else STARTS):
                raise BadValue(
                    f"evaluate: {self._failed_starts} processes ended during their start, the last one "
                    f"{worker.ending}"
                )
        why = f"its process {worker.ending}, {_TRIES} times"
        yield from self._suspect(worker, why, final=False)

    def _supply(self, worker: Worker) -> None:
        """Give a process as many episodes as it can play at once, or one of `_suspects` to play alone."""
        if not worker.is_ready or worker in self._alone:
            return
        if self._suspects:
            if not worker.jobs:
                self._alone[worker] = self._suspects.popleft()
                worker.give(self._alone[worker])
            return
        while self._jobs and len(worker.jobs) < self._rows:
            worker.give(self._jobs.popleft())
