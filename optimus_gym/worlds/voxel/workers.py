"""Threads that share the rows of a batch; they run side by side, because kernels release Python's lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from typing import Any

from optimus_gym.core.checks import check_count
from optimus_gym.core.types import MOST_THREADS

Work = Callable[[int, slice], None]
"""A function that gets the number of the calling worker and the slice of places (positions in a batch) to
do."""


class Workers:
    """A pool of threads, made at first use and again after a fork; a copy or pickle lacks the threads.

    Args:
        threads: maximum number of threads that work at once, including the caller's; 1 to 1,024.
        places: number of rows in a batch, which bounds the number of threads.
    """

    def __init__(self, threads: int, places: int = MOST_THREADS) -> None:
        self.threads = min(check_count("threads", threads, 1, MOST_THREADS), places)
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0

    def share(self, work: Work, places: int, least: int = 1) -> None:
        """Call `work` for slices of 0 to `places` - 1 that together hold each place once.

        Workers take slices in no fixed order: the results of `work` must not depend on the worker.

        Args:
            work: a function that several threads call at once.
            places: number of places (positions in a batch) to divide.
            least: minimum number of places for each thread that is worth waking.
        """
        threads = min(self.threads, places // least)
        if threads < 2:
            if places:
                work(0, slice(0, places))
            return
        blocks = iter(_blocks(places, threads))

        def labour(worker: int) -> None:
            for block in blocks:
                work(worker, block)

        others = [self._executor().submit(labour, worker) for worker in range(1, threads)]
        try:
            labour(0)
        finally:
            wait(others)
        for other in others:
            other.result()

    def _executor(self) -> ThreadPoolExecutor:
        """Return the pool of threads; make a new pool in a forked child, which lacks the parent's threads."""
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.threads - 1, "optimus-gym world")
            self._process = os.getpid()
        return self._pool

    def close(self) -> None:
        """End the threads; may be called twice."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads, "_pool": None, "_process": 0}


@cache
def _blocks(places: int, threads: int) -> tuple[slice, ...]:
    """Return slices of places, each a share of the remaining places; the last slices are single places.

    A thread that finishes early takes the next slice, so that all threads end together (guided
    self-scheduling; Polychronopoulos and Kuck, 1987).
    """
    cuts = [0]
    while cuts[-1] < places:
        cuts.append(cuts[-1] + -(-(places - cuts[-1]) // (2 * threads)))
    return tuple(slice(*cut) for cut in pairwise(cuts))
